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

/// One match: byte positions in UTF-8, as the editor counts, and its replacement.
struct SearchMatch {
    int position = 0, length = 0;
    QString replacement;
};

/// Looks for a text or a regular expression in a whole text.
class TextSearch {
public:
    TextSearch(const QString& pattern, SearchOptions options);

    bool isValid() const { return !empty_ && expression_.isValid(); }
    /// Why the expression is invalid; empty when it is valid.
    QString problem() const;
    /// All matches in order, at most `maximum`. Empty ones are left out. With a regular expression, \1 … \9 in
    /// `replacement` are its groups, \0 is the whole match, \n and \t are newline and tab.
    QList<SearchMatch> matches(const QString& text, const QString& replacement = {}) const;

    static constexpr int maximum = 100000;

private:
    QRegularExpression expression_;
    bool empty_ = true, groups_ = false;
};

} // namespace warplight::ui
