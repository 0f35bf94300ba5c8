// SPDX-License-Identifier: GPL-3.0-or-later
/// Where lines of a text have gone since edits began.
#pragma once

#include <QList>

namespace warplight::ui {

/// Lines from 1.
struct LineEdit {
    int after = 0; ///< the last line that stays where it is
    int added = 0; ///< lines that were put behind it; below 0: lines that went from there

    /// Where a line goes; 0: it is gone.
    int moved(int line) const {
        if (line <= after) return line;
        return added < 0 && line <= after - added ? 0 : line + added;
    }
    /// Where it was; 0: it is new.
    int before(int line) const {
        if (line <= after) return line;
        return added > 0 && line <= after + added ? 0 : line - added;
    }
};

class EditedLines {
public:
    void add(LineEdit edit) { edits_ << edit; }
    /// Where a line of the old text is now; 0: it is gone.
    int now(int line) const {
        for (const LineEdit& edit : edits_)
            if (line) line = edit.moved(line);
        return line;
    }
    /// Where a line of this text was; 0: it is new.
    int before(int line) const {
        for (auto edit = edits_.crbegin(); edit != edits_.crend() && line; ++edit)
            line = edit->before(line);
        return line;
    }

private:
    QList<LineEdit> edits_;
};

} // namespace warplight::ui
