// SPDX-License-Identifier: Apache-2.0
// Symbolic links, which not every system lets a test make.
#pragma once

#include <filesystem>

#ifdef _WIN32
#include <windows.h>
#endif

/// Makes a link to a file or, with `folder`, to a folder. False where the system makes none.
inline bool make_link(const std::filesystem::path& target, const std::filesystem::path& link, bool folder = false) {
#ifdef _WIN32
    // Windows asks for a right or for the developer mode. Wine 8 says that it has made one, and has not.
    auto there = target;
    const DWORD flags = (folder ? SYMBOLIC_LINK_FLAG_DIRECTORY : 0u) | SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE;
    CreateSymbolicLinkW(link.c_str(), there.make_preferred().c_str(), flags);
    const DWORD attributes = GetFileAttributesW(link.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
#else
    std::error_code problem;
    folder ? std::filesystem::create_directory_symlink(target, link, problem)
           : std::filesystem::create_symlink(target, link, problem);
    return !problem;
#endif
}
