// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of PTX and SASS, which are ASCII in every locale.
#pragma once

namespace warplight::ui {

inline bool isDigit(char c) { return c >= '0' && c <= '9'; }
/// Of a name or a number.
inline bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c) || c == '_' || c == '$';
}

} // namespace warplight::ui
