// SPDX-License-Identifier: Apache-2.0
#include "compiler/include_scan.hpp"

#include "compiler/sha256.hpp"

#include <fstream>
#include <optional>
#include <set>
#include <sstream>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

/// The value of `-Iname`, `-I name`, `--long=name`, `--long name`; moves `i` past a value of its own.
std::optional<std::string> option_value(const std::vector<std::string>& options, std::size_t& i,
                                        std::string_view shorter, std::string_view longer) {
    const std::string& option = options[i];
    for (std::string_view name : {longer, shorter}) {
        if (name.empty() || !option.starts_with(name)) continue;
        if (option.size() == name.size()) {
            if (i + 1 >= options.size()) return {};
            return options[++i];
        }
        std::string rest = option.substr(name.size());
        if (rest[0] == '=') return rest.substr(1);
        if (name.size() == 2) return rest; // -Ifolder
    }
    return {};
}

struct Scanner {
    std::vector<fs::path> folders;
    std::set<fs::path> seen;
    IncludeScan result;

    void add(const fs::path& path) {
        std::error_code error;
        fs::path key = fs::weakly_canonical(path, error);
        if (error) key = path;
        if (!seen.insert(key).second) return;
        std::ifstream in(path, std::ios::binary);
        std::ostringstream text;
        text << in.rdbuf();
        std::string content = std::move(text).str();
        result.headers.push_back({path, sha256_hex(content)});
        scan(content, path.parent_path());
    }

    void look_up(std::string_view name, bool quoted, const fs::path& own_folder) {
        std::error_code error;
        fs::path relative(name);
        if (relative.is_absolute()) {
            if (fs::is_regular_file(relative, error)) add(relative);
            return;
        }
        if (quoted && fs::is_regular_file(own_folder / relative, error)) return add(own_folder / relative);
        for (const fs::path& folder : folders)
            if (fs::is_regular_file(folder / relative, error)) return add(folder / relative);
    }

    /// Reads the name after `#include` or `__has_include(`.
    void operand(std::string_view text, const fs::path& own_folder) {
        while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '('))
            text.remove_prefix(1);
        if (text.empty()) return;
        char close = text[0] == '"' ? '"' : text[0] == '<' ? '>' : '\0';
        if (!close) {
            result.complete = false;
            return;
        }
        std::size_t end = text.find(close, 1);
        if (end != std::string_view::npos) look_up(text.substr(1, end - 1), close == '"', own_folder);
    }

    void scan(std::string_view text, const fs::path& own_folder) {
        while (!text.empty()) {
            std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view line = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            std::size_t at = line.find_first_not_of(" \t");
            if (at == std::string_view::npos) continue;
            for (std::size_t has = line.find("__has_include("); has != std::string_view::npos;
                 has = line.find("__has_include(", has + 1)) {
                bool complete = result.complete;
                operand(line.substr(has + 13), own_folder);
                result.complete = complete; // a macro's own definition may name its parameter there
            }
            if (line[at] != '#') continue;
            at = line.find_first_not_of(" \t", at + 1);
            if (at == std::string_view::npos || !line.substr(at).starts_with("include")) continue;
            std::string_view rest = line.substr(at + 7);
            if (rest.starts_with("_next")) rest.remove_prefix(5);
            operand(rest, own_folder);
        }
    }
};

} // namespace

std::vector<fs::path> include_folders(const std::vector<std::string>& options) {
    std::vector<fs::path> result;
    for (std::size_t i = 0; i < options.size(); ++i) {
        auto value = option_value(options, i, "-I", "--include-path");
        if (!value) value = option_value(options, i, "-isystem", "--system-include");
        if (value) result.emplace_back(*value);
    }
    return result;
}

IncludeScan scan_includes(std::string_view source, const fs::path& folder, const std::vector<std::string>& options) {
    Scanner scanner;
    if (!folder.empty()) scanner.folders.push_back(folder);
    for (fs::path& path : include_folders(options))
        scanner.folders.push_back(std::move(path));
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (auto header = option_value(options, i, "-include", "--pre-include"))
            scanner.look_up(*header, true, folder);
        else if (auto file = option_value(options, i, "-optf", "--options-file"))
            scanner.add(folder / *file);
    }
    scanner.scan(source, folder);
    return std::move(scanner.result);
}

} // namespace warplight::compiler
