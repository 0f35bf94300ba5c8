// SPDX-License-Identifier: Apache-2.0
// For the platform files of Windows, where a program gets its arguments as one text.
#pragma once

#include <cstddef>
#include <string>

namespace warplight::driver::detail {

/// A word as CommandLineToArgvW will read it back.
inline std::wstring quoted(const std::wstring& word) {
    if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) return word;
    std::wstring result = L"\"";
    std::size_t backslashes = 0;
    for (wchar_t c : word) {
        if (c == L'\\') {
            ++backslashes;
            continue;
        }
        result.append(c == L'"' ? backslashes * 2 + 1 : backslashes, L'\\');
        backslashes = 0;
        result += c;
    }
    result.append(backslashes * 2, L'\\');
    return result + L"\"";
}

} // namespace warplight::driver::detail
