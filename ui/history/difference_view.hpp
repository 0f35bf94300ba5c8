// SPDX-License-Identifier: GPL-3.0-or-later
/// Two texts side by side, line by line: what was removed on the left, what was added on the right. Both scroll
/// together.
#pragma once

#include "history/sass_difference.hpp"

#include <QList>
#include <QWidget>
#include <array>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace warplight::ui {

class Theme;

class DifferenceView : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Cuda, Ptx, Sass, Plain };

    explicit DifferenceView(Theme& theme, QWidget* parent = nullptr);
    ~DifferenceView() override;

    /// Headings of the sides.
    void setNames(const QString& before, const QString& after);
    void setTexts(const QString& before, const QString& after, Kind kind);
    /// Lines of SASS that are aligned already, by their opcodes.
    void setRows(const std::vector<history::SassRow>& rows);
    /// A sentence in place of the texts.
    void setNote(const QString& note);
    QString note() const;
    /// "3 changes: 5 lines removed, 7 added"
    QString summary() const;
    /// The text of a side (0, 1) with the empty lines that align it.
    QString alignedText(int side) const;
    int changeCount() const { return int(changes_.size()); }
    /// Goes to the next change, or with -1 to the one before; after the last comes the first.
    void step(int by);
    int firstVisibleLine(int side) const;
    void scrollTo(int side, int line);

private:
    class Side;
    void show(const std::vector<history::SassRow>& rows);

    Theme& theme_;
    std::array<Side*, 2> sides_;
    std::array<QLabel*, 2> names_;
    QStackedWidget* stack_;
    QLabel *note_, *summary_;
    QToolButton *previous_, *next_;
    QList<int> changes_; ///< their first lines, from 0
    int at_ = -1;        ///< the change that was gone to
};

} // namespace warplight::ui
