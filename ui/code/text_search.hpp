// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QRegularExpression>
#include <QString>

namespace warplight::ui {

struct SearchOptions {
    bool caseSensitive = false, wholeWord = false, regularExpression = false;
    bool operator==(const SearchOptions&) const = default;
};

/// One place: byte positions in UTF-8, as the editor counts, and what to put there.
struct SearchMatch {
    int position = 0, length = 0;
    QString replacement;
};

/// Looks for a text or a regular expression in a whole text.
class TextSearch {
public:
    TextSearch(const QString& pattern, SearchOptions options);

    bool isValid() const { return !empty_ && expression_.isValid(); }
    /// What is wrong with the expression; empty when nothing is.
    QString problem() const;
    /// All places, in order. In `replacement`, of a regular expression, \1 … \9 stand for groups, \0 for all of it,
    /// \n and \t for themselves. Empty matches are left out. At most `maximum` are found.
    QList<SearchMatch> matches(const QString& text, const QString& replacement = {}) const;

    static constexpr int maximum = 100000;

private:
    QRegularExpression expression_;
    bool empty_ = true, groups_ = false;
};

} // namespace warplight::ui
