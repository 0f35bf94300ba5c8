// SPDX-License-Identifier: Apache-2.0
#include "compiler/include_scan.hpp"

#include "compiler/sha256.hpp"
#include "files/input_file.hpp"
#include "files/paths.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

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

/// More than any program has: then nothing is cached, and the compiler says what it thinks of it.
constexpr std::size_t kMostScanned = 20000;
constexpr std::uint64_t kMostScannedBytes = std::uint64_t{512} << 20;

struct Scanner {
    std::vector<fs::path> folders;
    std::set<fs::path> seen;
    IncludeScan result;
    std::uint64_t bytes = 0;
    std::size_t scanned = 0; ///< headers of the result whose own includes are known

    /// Of a file that is not read nothing is known that a cache could ask for.
    void refuse(const std::string& problem) {
        result.complete = false;
        if (result.problem.empty()) result.problem = problem;
    }

    /// Notes the header. Its text is read later by run(), because a chain of includes may be of any length.
    void add(const fs::path& path) {
        if (result.headers.size() >= kMostScanned) {
            result.complete = false;
            return;
        }
        std::error_code error;
        fs::path key = files::real_path(path, error);
        if (error) key = path;
        if (seen.insert(key).second) result.headers.push_back({path, {}});
    }

    /// Reads the headers that were noted, and those that they include.
    void run() {
        for (; scanned < result.headers.size(); ++scanned) {
            const fs::path path = result.headers[scanned].path;
            std::string content;
            bool opened = false;
            try {
                opened = files::InputFile(path).size() != 0;
                content = files::read_text(path, files::Kind::header);
            } catch (const files::InputError& error) {
                // Too large. What may not be opened is for the compiler to tell.
                if (opened) refuse(error.what());
                result.complete = false;
                continue;
            }
            bytes += content.size();
            if (bytes > kMostScannedBytes) {
                result.complete = false;
                return;
            }
            result.headers[scanned].digest = sha256_hex(content);
            scan(content, path.parent_path());
        }
    }

    /// False when there is no such file.
    bool try_file(const fs::path& path) {
        std::error_code error;
        const fs::file_type type = fs::status(path, error).type();
        if (type == fs::file_type::fifo || type == fs::file_type::socket || type == fs::file_type::character ||
            type == fs::file_type::block) {
            // A compiler would wait for a pipe without an end.
            try {
                const files::InputFile file(path);
            } catch (const files::InputError& problem) {
                refuse(problem.what());
            }
            return true;
        }
        if (type != fs::file_type::regular) return false;
        add(path);
        return true;
    }

    void look_up(std::string_view name, bool quoted, const fs::path& own_folder) {
        const fs::path relative(name);
        if (files::is_absolute(relative)) {
            try_file(relative);
            return;
        }
        if (quoted && try_file(own_folder / relative)) return;
        for (const fs::path& folder : folders)
            if (try_file(folder / relative)) return;
    }

    /// Reads the name after `#include` or `__has_include(`. False when a macro stands there.
    bool operand(std::string_view text, const fs::path& own_folder) {
        while (!text.empty() && (text[0] == ' ' || text[0] == '\t' || text[0] == '('))
            text.remove_prefix(1);
        if (text.empty()) return true;
        char close = text[0] == '"' ? '"' : text[0] == '<' ? '>' : '\0';
        if (!close) return false;
        // Not to the end of a long line, again and again.
        constexpr std::size_t kLongestName = 4096;
        std::size_t end = text.substr(0, kLongestName).find(close, 1);
        if (end != std::string_view::npos) look_up(text.substr(1, end - 1), close == '"', own_folder);
        return true;
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
                (void)operand(line.substr(has + 13), own_folder); // a macro's definition may name its parameter there
            }
            if (line[at] != '#') continue;
            at = line.find_first_not_of(" \t", at + 1);
            if (at == std::string_view::npos || !line.substr(at).starts_with("include")) continue;
            std::string_view rest = line.substr(at + 7);
            if (rest.starts_with("_next")) rest.remove_prefix(5);
            if (!operand(rest, own_folder)) result.complete = false;
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

std::vector<std::string> with_paths(const std::vector<std::string>& options,
                                    const std::function<std::string(const std::string&)>& change) {
    constexpr std::pair<std::string_view, std::string_view> names[] = {{"-I", "--include-path"},
                                                                       {"-isystem", "--system-include"},
                                                                       {"-include", "--pre-include"},
                                                                       {"-optf", "--options-file"}};
    std::vector<std::string> result = options;
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::size_t at = i;
        for (const auto& [shorter, longer] : names) {
            const auto path = option_value(options, i, shorter, longer);
            if (!path) continue;
            // The value ends the option, or is one by itself.
            std::string& option = result[i];
            if (i == at) option.resize(option.size() - path->size());
            option = (i == at ? option : std::string()) + change(*path);
            break;
        }
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
    scanner.run();
    return std::move(scanner.result);
}

} // namespace warplight::compiler
