// SPDX-License-Identifier: Apache-2.0
#include "compiler/nvcc_command.hpp"

#include "compiler/temporary_folder.hpp"
#include "compiler/text.hpp"
#include "files/paths.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <array>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

#if defined(_WIN32)
constexpr std::string_view kPlain = "_-+=.,:/@\\~ ()[]";
#else
constexpr std::string_view kPlain = "_-+=.,:/@[]";
#endif

bool is_plain(char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool digit = c >= '0' && c <= '9';
    const bool beyond_ascii = (static_cast<unsigned char>(c) & 0x80) != 0;
    return letter || digit || beyond_ascii || kPlain.find(c) != std::string_view::npos;
}

/// nvcc takes a comma for the end of a folder's name, and brackets for a list.
bool is_plain_path(std::string_view path) {
    return is_plain_argument(path) && path.find_first_of(",[]") == std::string_view::npos;
}

void check(const std::string& argument) {
    const auto wrong = std::ranges::find_if_not(argument, is_plain);
    if (wrong == argument.end()) return;
    throw RuntimeError(
        {.text = "nvcc cannot be given \"" + argument + "\": it passes its arguments to a shell, which " +
                 (*wrong == '\n' ? "interprets the end of a line" : "interprets " + std::string(1, *wrong)),
         .hint = "Use plain names in the options, and in TMPDIR where the temporary folder is meant"});
}

constexpr std::array<std::string_view, 4> kFolderOptions{"--include-path", "--system-include", "-isystem", "-I"};
constexpr std::array<std::string_view, 2> kFileOptions{"--pre-include", "-include"};
constexpr std::array<std::string_view, 2> kMacroOptions{"--define-macro", "-D"};

template <class List>
bool contains(const List& list, std::string_view name) {
    return std::ranges::find(list, name) != list.end();
}

/// The option at the front of `text` and the value behind it; empty names for others. The value may be the next word.
std::pair<std::string_view, std::string_view> split(std::string_view text) {
    const auto take = [&](const auto& names) -> std::pair<std::string_view, std::string_view> {
        for (const std::string_view name : names) {
            if (!text.starts_with(name)) continue;
            const std::string_view rest = text.substr(name.size());
            if (rest.empty()) return {name, rest};
            if (rest[0] == '=') return {name, rest.substr(1)};
            if (name.size() == 2) return {name, rest};
        }
        return {};
    };
    if (const auto found = take(kFolderOptions); !found.first.empty()) return found;
    if (const auto found = take(kFileOptions); !found.first.empty()) return found;
    return take(kMacroOptions);
}

} // namespace

bool is_plain_argument(std::string_view argument) { return std::ranges::all_of(argument, is_plain); }

NvccCommand::NvccCommand(const fs::path& program, fs::path folder) : folder_(std::move(folder)) {
    words_.push_back(program.string());
}

/// A folder by its own name where that is plain, else by the name of a link to it.
std::string NvccCommand::plain(const fs::path& path) {
    std::string name = path.string();
    if (is_plain_path(name)) return name;
    for (const auto& [link, folder] : links_)
        if (folder == name) return link;
    const fs::path link = folder_ / ("include" + std::to_string(links_.size()));
    std::error_code error;
    fs::create_directory_symlink(files::absolute(path), link, error);
    if (error)
        throw RuntimeError({.text = "the folder " + name +
                                    " cannot be named to nvcc, and a link to it cannot be made: " + error.message()});
    links_.emplace_back(link.string(), std::move(name));
    return link.string();
}

std::string NvccCommand::plain_value(std::string_view option, const std::string& value) {
    if (is_plain_argument(value)) return value; // nvcc reads commas as in its manual
    if (contains(kFolderOptions, option)) return plain(value);
    const fs::path file(value);
    return file.has_parent_path() ? (fs::path(plain(file.parent_path())) / file.filename()).string() : value;
}

/// False for a macro that can be an argument.
bool NvccCommand::add_macro(std::string_view option, const std::string& value) {
    if (!contains(kMacroOptions, option) || is_plain_argument(value)) return false;
    if (value.find('\n') != std::string::npos) check(value);
    const std::size_t equals = value.find('=');
    const std::string body = equals == std::string::npos ? "1" : value.substr(equals + 1);
    definitions_ += "#define " + value.substr(0, equals) + " " + body + "\n\n"; // a body may end in a backslash
    return true;
}

void NvccCommand::add_options(const std::vector<std::string>& options) {
    for (std::size_t i = 0; i < options.size(); ++i) {
        const auto [option, joined_value] = split(options[i]);
        const bool next = !option.empty() && joined_value.empty() && i + 1 < options.size();
        const std::string value = next ? options[i + 1] : std::string(joined_value);
        if (option.empty() || is_plain_argument(value)) {
            add(options[i]);
            continue;
        }
        if (next) ++i;
        if (add_macro(option, value)) continue;
        if (option == "-I") {
            add_include(value);
            continue;
        }
        add(std::string(option));
        add(plain_value(option, value));
    }
}

void NvccCommand::add_include(const fs::path& folder) { add("-I" + plain(folder)); }

std::string NvccCommand::line() const { return joined(words_); }

platform::ProcessResult NvccCommand::run(const Callback<bool()>& cancelled, const fs::path& working) const {
    std::for_each(words_.begin() + 1, words_.end(), check);
    return platform::run_process(words_, working, cancelled, folder_);
}

std::string NvccCommand::with_own_names(std::string text) const {
    for (const auto& [link, folder] : links_) {
        replace_all(text, '"' + link + '/', '"' + escaped(folder) + '/');
        replace_all(text, link + '/', escaped(folder) + '/');
    }
    return text;
}

} // namespace warplight::compiler
