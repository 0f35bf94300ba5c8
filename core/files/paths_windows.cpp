// SPDX-License-Identifier: Apache-2.0
// The library's canonical() neither follows links here nor knows the file system's own spelling. So the system is
// asked.
#include "files/paths.hpp"

#include <windows.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace warplight::files {
namespace fs = std::filesystem;
namespace {

bool is_separator(wchar_t c) { return c == L'\\' || c == L'/'; }

bool is_letter(wchar_t c) { return (c >= L'a' && c <= L'z') || (c >= L'A' && c <= L'Z'); }

wchar_t upper(wchar_t c) { return c >= L'a' && c <= L'z' ? static_cast<wchar_t>(c - 32) : c; }

/// Some versions of Windows look only at what stands before the first dot, and leave blanks out.
bool is_device(std::wstring_view name) {
    name = name.substr(0, name.find(L'.'));
    while (name.ends_with(L' '))
        name.remove_suffix(1);
    std::wstring text(name);
    std::ranges::transform(text, text.begin(), upper);
    constexpr std::array<std::wstring_view, 7> names = {L"CON",    L"PRN",     L"AUX",   L"NUL",
                                                        L"CONIN$", L"CONOUT$", L"CLOCK$"};
    if (std::ranges::find(names, text) != names.end()) return true;
    if (text.size() != 4 || !(text.starts_with(L"COM") || text.starts_with(L"LPT"))) return false;
    const wchar_t last = text[3]; // raised digits count as digits
    return (last >= L'0' && last <= L'9') || last == L'\u00b9' || last == L'\u00b2' || last == L'\u00b3';
}

std::string name_problem(std::wstring_view name) {
    if (name == L"." || name == L"..") return {};
    const auto is_bad = [](wchar_t c) {
        return c < 32 || std::wstring_view(L"<>:\"|?*").find(c) != std::wstring_view::npos;
    };
    if (std::ranges::any_of(name, is_bad)) return "has a character that no name of a file has on Windows";
    if (name.ends_with(L'.') || name.ends_with(L' '))
        return "has a name that ends in a dot or a blank, which Windows would leave out";
    if (is_device(name)) return "names a device of Windows";
    if (name.size() > 255) return "has a name of more than 255 characters, which is too long for Windows";
    return {};
}

/// The names behind drive or machine.
std::string names_problem(std::wstring_view names) {
    while (!names.empty()) {
        const auto end = std::ranges::find_if(names, is_separator);
        const auto size = static_cast<std::size_t>(end - names.begin());
        if (size != 0)
            if (auto problem = name_problem(names.substr(0, size)); !problem.empty()) return problem;
        names.remove_prefix(std::min(names.size(), size + 1));
    }
    return {};
}

bool has_two_separators(std::wstring_view text) {
    return text.size() >= 2 && is_separator(text[0]) && is_separator(text[1]);
}

/// Without `\\?\`, with which the system answers.
fs::path plain(std::wstring text) {
    if (text.starts_with(L"\\\\?\\UNC\\")) return L"\\\\" + text.substr(8);
    if (text.starts_with(L"\\\\?\\")) return text.substr(4);
    return text;
}

/// The letters of `\\machine\share`, with which the path starts, or 0.
std::size_t share_size(std::wstring_view text) {
    if (!has_two_separators(text) || text.size() < 3 || is_separator(text[2])) return 0;
    const auto end_of_name = [&](std::size_t from) {
        while (from < text.size() && !is_separator(text[from]))
            ++from;
        return from;
    };
    const std::size_t machine = end_of_name(2);
    const std::size_t share = std::min(machine + 1, text.size());
    return end_of_name(share);
}

/// A path at its root: a drive with its folder, or a share, and what lies below.
struct Parts {
    fs::path root, below;
};
Parts parts_of(const fs::path& path) {
    const std::wstring_view text = path.native();
    const std::size_t size = share_size(text);
    if (size == 0) return {path.root_path(), path.relative_path()};
    const std::size_t names = std::min(text.find_first_not_of(L"\\/", size), text.size());
    return {fs::path(text.substr(0, size)).make_preferred(), fs::path(text.substr(names))};
}

/// The same, name by name. Some file systems, and Wine for long paths, do not tell a place. Links are not followed.
fs::path place_by_names(const fs::path& path, std::error_code& problem) {
    auto [result, below] = parts_of(path);
    for (const auto& name : below) {
        if (name.empty()) continue;
        WIN32_FIND_DATAW found{};
        const bool plain_name = name.native().find_first_of(L"*?") == std::wstring::npos;
        const HANDLE search = plain_name ? FindFirstFileW((result / name).c_str(), &found) : INVALID_HANDLE_VALUE;
        if (search == INVALID_HANDLE_VALUE || (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)) {
            problem = std::make_error_code(std::errc::no_such_file_or_directory);
            if (search != INVALID_HANDLE_VALUE) FindClose(search);
            return {};
        }
        FindClose(search);
        result /= found.cFileName;
    }
    return result;
}

/// Where an existing file or folder lies.
fs::path place_of(const fs::path& path, std::error_code& problem) {
    const HANDLE handle = CreateFileW(path.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        problem.assign(static_cast<int>(GetLastError()), std::system_category());
        return {};
    }
    std::wstring text(32768, L'\0');
    const DWORD size = GetFinalPathNameByHandleW(handle, text.data(), static_cast<DWORD>(text.size()),
                                                 FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
    CloseHandle(handle);
    if (size == 0 || size >= text.size()) return place_by_names(path, problem);
    text.resize(size);
    return plain(std::move(text));
}

} // namespace

std::string path_problem(const fs::path& path) {
    const std::wstring& text = path.native();
    std::wstring_view rest = text;
    if (has_two_separators(rest)) {
        rest.remove_prefix(2);
        if (rest.starts_with(L"?") || rest.starts_with(L"."))
            return "starts in Windows' space of devices: give it with its drive";
        if (rest.empty() || is_separator(rest[0]))
            return "names no other machine, but starts as Windows' paths of one do";
    } else if (rest.size() >= 2 && rest[1] == L':' && is_letter(rest[0])) {
        rest.remove_prefix(2);
        if (rest.empty() || !is_separator(rest[0]))
            return "names a drive and no folder: Windows would take the one that a program is in";
    } else if (rest.size() >= 2 && is_separator(rest[0]) && rest[1] == L'?') {
        return "starts in Windows' space of devices: give it with its drive";
    }
    return names_problem(rest);
}

bool is_on_other_machine(const fs::path& path) { return has_two_separators(path.native()); }

bool is_absolute(const fs::path& path) { return share_size(path.native()) != 0 || path.is_absolute(); }

fs::path normal(const fs::path& path) {
    if (share_size(path.native()) == 0) return path.lexically_normal();
    // No `..` leads out of a share.
    const auto [root, below] = parts_of(path);
    const auto names = (fs::path(L"\\") / below).lexically_normal().relative_path();
    return names.empty() ? root : root / names;
}

fs::path absolute(const fs::path& path, std::error_code& problem) {
    problem.clear();
    return files::is_absolute(path) ? normal(path) : normal(fs::absolute(path, problem));
}

fs::path absolute(const fs::path& path) {
    std::error_code problem;
    auto result = files::absolute(path, problem);
    if (problem) throw fs::filesystem_error("cannot make absolute path", path, problem);
    return result;
}

fs::path join(const fs::path& folder, const fs::path& path) {
    if (is_absolute(path) || path.has_root_name()) return path;
    // On the folder's drive or share.
    return path.has_root_directory() ? parts_of(folder).root / path.relative_path() : folder / path;
}

bool same_root(const fs::path& a, const fs::path& b) {
    const auto root_a = parts_of(a).root, root_b = parts_of(b).root;
    return CompareStringOrdinal(root_a.c_str(), -1, root_b.c_str(), -1, TRUE) == CSTR_EQUAL;
}

fs::path real_path(const fs::path& path, std::error_code& problem) {
    problem.clear();
    const auto whole = files::absolute(path, problem);
    if (problem) return {};
    const bool as_folder = !whole.has_filename() && whole.has_relative_path();
    // What exists, and behind it the names of what does not.
    std::vector<fs::path> missing;
    for (fs::path each = whole;; each = each.parent_path()) {
        if (GetFileAttributesW(each.c_str()) != INVALID_FILE_ATTRIBUTES) {
            fs::path result = place_of(each, problem);
            if (problem) return {};
            if (as_folder && missing.empty() && !fs::is_directory(result))
                problem = std::make_error_code(std::errc::not_a_directory);
            if (problem) return {};
            for (auto name = missing.rbegin(); name != missing.rend(); ++name)
                result /= *name;
            return result;
        }
        const DWORD error = GetLastError();
        if (error == ERROR_ACCESS_DENIED || error == ERROR_SHARING_VIOLATION) {
            problem.assign(static_cast<int>(error), std::system_category());
            return {};
        }
        if (!each.has_relative_path()) return whole;
        if (each.has_filename()) missing.push_back(each.filename());
    }
}

bool is_held(const fs::path& file) {
    const HANDLE handle =
        CreateFileW(file.c_str(), GENERIC_READ | DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return GetLastError() == ERROR_SHARING_VIOLATION;
    CloseHandle(handle);
    return false;
}

bool same_place(const fs::path& a, const fs::path& b) {
    std::error_code problem;
    if (fs::equivalent(a, b, problem)) return true;
    std::error_code problem_a, problem_b;
    const auto real_a = real_path(a, problem_a), real_b = real_path(b, problem_b);
    if (problem_a || problem_b) return a == b;
    return CompareStringOrdinal(real_a.c_str(), -1, real_b.c_str(), -1, TRUE) == CSTR_EQUAL;
}

} // namespace warplight::files
