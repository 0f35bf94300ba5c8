// SPDX-License-Identifier: Apache-2.0
// The message formats of the compilers, one matcher each:
//   k.cu(3): error: text              NVRTC, nvcc's front end (EDG); a caret line gives the column
//   k.cu:3:14: error: text            gcc and clang as nvcc's host compiler
//   At end of source: error: text     EDG, of the file that is compiled
//   ptxas k.ptx, line 27; error   : text
//   nvrtc: error: text, nvcc fatal   : text, ptxas fatal   : text, nvlink error   : text
#include "compiler/products.hpp"
#include "warplight/compiler.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace warplight::compiler {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

std::optional<int> number(std::string_view text) {
    int value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) return {};
    return value;
}

/// Takes "error: ", "warning #177-D: ", "fatal   : " … from the front.
std::optional<Severity> take_severity(std::string_view& text) {
    struct Word {
        std::string_view word;
        Severity severity;
    };
    static constexpr Word words[] = {
        {"catastrophic error", Severity::error},
        {"internal error", Severity::error},
        {"fatal error", Severity::error},
        {"command-line error", Severity::error},
        {"fatal", Severity::error},
        {"error", Severity::error},
        {"warning", Severity::warning},
        {"remark", Severity::remark},
        {"note", Severity::note},
        {"Remark", Severity::remark},
        {"info", Severity::note},
    };
    for (const Word& word : words) {
        if (!text.starts_with(word.word)) continue;
        std::string_view rest = text.substr(word.word.size());
        // An optional number, then the colon.
        std::size_t at = 0;
        while (at < rest.size() && rest[at] == ' ')
            ++at;
        if (at < rest.size() && rest[at] == '#') at = std::min(rest.find_first_of(" :", at), rest.size());
        while (at < rest.size() && rest[at] == ' ')
            ++at;
        if (at >= rest.size() || rest[at] != ':') continue;
        text = trimmed(rest.substr(at + 1));
        return word.severity;
    }
    return {};
}

/// "path(12): ". The last such parenthesis before the severity counts, because paths may have parentheses too.
std::optional<Diagnostic> match_edg(std::string_view line) {
    // Paths are shorter: farther behind a parenthesis begins no place in a file, and looking at each takes time.
    constexpr std::size_t kLongestPlace = 8192;
    std::size_t looked = 0;
    for (std::size_t open = line.find('('); open != std::string_view::npos; open = line.find('(', open + 1)) {
        if (open > kLongestPlace || ++looked > 1000) return {};
        std::size_t close = line.find("):", open);
        if (close == std::string_view::npos) return {};
        std::string_view inside = line.substr(open + 1, close - open - 1);
        std::string_view column;
        if (std::size_t comma = inside.find(','); comma != std::string_view::npos) {
            column = inside.substr(comma + 1);
            inside = inside.substr(0, comma);
        }
        auto at = number(inside);
        if (!at) continue;
        std::string_view rest = trimmed(line.substr(close + 2));
        auto severity = take_severity(rest);
        if (!severity) continue;
        return Diagnostic{
            std::string(line.substr(0, open)), *at, number(column).value_or(0), *severity, std::string(rest), {}};
    }
    return {};
}

/// "path:12:5: error: " and "path:12: error: ".
std::optional<Diagnostic> match_gnu(std::string_view line) {
    for (std::size_t colon = line.find(':', 1); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        std::size_t end = line.find(':', colon + 1);
        if (end == std::string_view::npos) return {};
        auto at = number(line.substr(colon + 1, end - colon - 1));
        if (!at) continue;
        int column = 0;
        std::size_t next = line.find(':', end + 1);
        if (next != std::string_view::npos)
            if (auto value = number(line.substr(end + 1, next - end - 1))) {
                column = *value;
                end = next;
            }
        std::string_view rest = trimmed(line.substr(end + 1));
        auto severity = take_severity(rest);
        if (!severity) return {};
        return Diagnostic{std::string(line.substr(0, colon)), *at, column, *severity, std::string(rest), {}};
    }
    return {};
}

/// ptxas and the drivers' own compilers: "ptxas application ptx input, line 7; error   : …", "ptx, line 7; error: …".
std::optional<Diagnostic> match_ptxas(std::string_view line) {
    constexpr std::string_view mark = ", line ";
    if (line.starts_with("ptxas "))
        line.remove_prefix(6);
    else if (!line.starts_with("ptx, line "))
        return {};
    std::size_t at = line.find(mark);
    std::size_t semicolon = line.find(';', at == std::string_view::npos ? 0 : at);
    if (at == std::string_view::npos || semicolon == std::string_view::npos) return {};
    auto number_of_line = number(line.substr(at + mark.size(), semicolon - at - mark.size()));
    std::string_view rest = trimmed(line.substr(semicolon + 1));
    auto severity = take_severity(rest);
    if (!number_of_line || !severity) return {};
    return Diagnostic{std::string(trimmed(line.substr(0, at))), *number_of_line, 0, *severity, std::string(rest), {}};
}

/// "nvrtc: error: …", "nvcc fatal   : …", "ptxas error   : …": no place in a file.
std::optional<Diagnostic> match_tool(std::string_view line) {
    for (std::string_view tool : {"nvrtc", "nvcc", "ptxas", "nvlink", "cicc", "cudafe++", "fatbinary"}) {
        if (!line.starts_with(tool)) continue;
        std::string_view rest = line.substr(tool.size());
        if (rest.empty() || (rest[0] != ' ' && rest[0] != ':')) continue;
        if (rest[0] == ':') rest.remove_prefix(1);
        rest = trimmed(rest);
        auto severity = take_severity(rest);
        if (!severity || *severity == Severity::note) return {};
        return Diagnostic{"", 0, 0, *severity, std::string(tool) + ": " + std::string(rest), {}};
    }
    return {};
}

/// "At end of source: error: …" names no file and no line: place_end_of_source() does.
std::optional<Diagnostic> match_end_of_source(std::string_view line) {
    if (!line.starts_with(kEndOfSource)) return {};
    std::string_view rest = trimmed(line.substr(kEndOfSource.size()));
    const auto severity = take_severity(rest);
    if (!severity) return {};
    return Diagnostic{"", 0, 0, *severity, std::string(kEndOfSource) + " " + std::string(rest), {}};
}

/// The front end of nvcc prints source lines in its own spelling, and its columns count in that spelling.
int column_of_caret(std::string_view shown, std::size_t caret) {
    constexpr std::size_t indent = 2;
    if (caret < indent) return 0;
    struct Spelling {
        std::string_view shown;
        std::size_t written;
    };
    static constexpr Spelling spellings[] = {{"__attribute__((global))", sizeof("__global__") - 1},
                                             {"__attribute__((device))", sizeof("__device__") - 1},
                                             {"__attribute__((shared))", sizeof("__shared__") - 1},
                                             {"__attribute__((constant))", sizeof("__constant__") - 1},
                                             {"__attribute__((host))", sizeof("__host__") - 1}};
    std::size_t column = caret - indent + 1;
    for (const Spelling& spelling : spellings)
        for (std::size_t at = shown.find(spelling.shown); at != std::string_view::npos && at < caret;
             at = shown.find(spelling.shown, at + 1))
            column -= std::min(column, spelling.shown.size() - spelling.written);
    return static_cast<int>(column);
}

bool is_caret_line(std::string_view line) { return trimmed(line) == "^"; }

bool is_summary(std::string_view line) {
    return line.find(" detected in the compilation of ") != std::string_view::npos ||
           line.starts_with("Compilation terminated") || line.starts_with("Remark: The warnings can be suppressed") ||
           line.starts_with("Error limit reached");
}

} // namespace

std::string_view severity_name(Severity severity) {
    switch (severity) {
    case Severity::note: return "note";
    case Severity::remark: return "remark";
    case Severity::warning: return "warning";
    case Severity::error: break;
    }
    return "error";
}

Backend backend_from_name(std::string_view name) {
    if (name == "nvrtc") return Backend::nvrtc;
    if (name == "nvcc") return Backend::nvcc;
    throw std::invalid_argument("there is no compiler \"" + std::string(name) + "\": nvrtc or nvcc");
}

std::string_view backend_name(Backend backend) { return backend == Backend::nvcc ? "nvcc" : "nvrtc"; }

std::vector<Diagnostic> parse_diagnostics(std::string_view log) {
    std::vector<Diagnostic> result;
    std::string_view shown; // the source line that a caret may follow
    bool quoted = false;    // the source line has not been seen yet
    bool open = false;      // lines that follow still belong to the last message
    // A line without a caret below it is a note and no source line.
    auto keep_note = [&] {
        if (!shown.empty() && !result.empty()) result.back().notes.emplace_back(trimmed(shown));
        shown = {};
    };
    while (!log.empty()) {
        std::size_t end = std::min(log.find('\n'), log.size());
        std::string_view line = log.substr(0, end);
        log.remove_prefix(std::min(end + 1, log.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        std::string_view text = trimmed(line);
        if (text.empty()) {
            keep_note();
            continue;
        }
        if (is_summary(line)) {
            open = false;
            continue;
        }
        std::optional<Diagnostic> found;
        if (line[0] != ' ') {
            for (auto match : {match_ptxas, match_edg, match_gnu, match_tool, match_end_of_source}) {
                found = match(line);
                if (found) break;
            }
        }
        if (found) {
            keep_note();
            bool follow_up = found->severity == Severity::note && !result.empty() && open;
            if (follow_up)
                result.back().notes.push_back(found->file + ":" + std::to_string(found->line) + ": " + found->message);
            else
                result.push_back(std::move(*found));
            open = true;
            quoted = true;
            continue;
        }
        if (!open || result.empty()) continue;
        if (line[0] != ' ' && line[0] != '\t') { // another program's output
            open = false;
            continue;
        }
        Diagnostic& last = result.back();
        if (is_caret_line(line)) {
            if (last.column == 0 && last.line != 0) last.column = column_of_caret(shown, line.find('^'));
            shown = {};
            quoted = false;
        } else if (line.find(" | ") != std::string_view::npos) {
            quoted = false; // gcc's way to show the source
        } else if (quoted && shown.empty()) {
            shown = line; // a source line or a note, as the next line shows
        } else {
            keep_note();
            quoted = false;
            last.notes.emplace_back(text);
        }
    }
    keep_note();
    return result;
}

} // namespace warplight::compiler
