// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_text.hpp"

#include "session/session.hpp"

#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace warplight::session {
namespace {

constexpr std::pair<std::string_view, SweepKind> plain_names[] = {
    {"block", SweepKind::block},        {"grid", SweepKind::grid},     {"shared", SweepKind::shared},
    {"kernel", SweepKind::kernel},      {"arch", SweepKind::arch},     {"compiler", SweepKind::compiler},
    {"device", SweepKind::device},      {"option", SweepKind::option}, {"define:", SweepKind::define},
    {"argument:", SweepKind::argument}, {"shape:", SweepKind::shape},
};

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

bool is_identifier(std::string_view text) {
    if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
    for (const char c : text)
        if (!(c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
    return true;
}

/// "NAME=VALUES" as its parts.
std::pair<std::string, std::vector<std::string>> parse_assignment(std::string_view text, std::string_view brackets,
                                                                  const char* example) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        throw SessionError(fmt::format("\"{}\" has no name and values, such as {}.", text, example));
    return {std::string(trimmed(text.substr(0, equals))), split_values(text.substr(equals + 1), brackets)};
}

} // namespace

SweepName parse_sweep_name(std::string_view name) {
    for (const auto& [known, kind] : plain_names) {
        const bool has_subject = known.ends_with(':');
        if (!has_subject && name == known) return {kind, {}};
        if (!has_subject || !name.starts_with(known)) continue;
        const auto subject = name.substr(known.size());
        if (subject.empty() || (kind == SweepKind::define && !is_identifier(subject)))
            throw SessionError(fmt::format("\"{}\" needs a name behind the colon, such as {}n.", name, known));
        return {kind, std::string(subject)};
    }
    throw SessionError(fmt::format("\"{}\" cannot be varied. There are block, grid, shared, kernel, arch, compiler, "
                                   "device, option, define:NAME, argument:NAME and shape:NAME.",
                                   name));
}

SweepName parse_setting_name(std::string_view name) {
    const auto parsed = parse_sweep_name(name);
    switch (parsed.kind) {
    case SweepKind::block:
    case SweepKind::grid:
    case SweepKind::shared:
    case SweepKind::argument:
    case SweepKind::shape: return parsed;
    default:
        throw SessionError(fmt::format(
            "\"{}\" cannot follow by a formula. There are block, grid, shared, argument:NAME and shape:NAME.", name));
    }
}

std::vector<std::string> split_values(std::string_view text, std::string_view brackets) {
    std::vector<std::string> values;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (const auto bracket = brackets.find(c); bracket != std::string_view::npos) {
            if (bracket % 2 == 0)
                ++depth;
            else if (depth > 0)
                --depth;
        }
        if (i == text.size() || (c == ',' && depth == 0)) {
            values.emplace_back(trimmed(text.substr(start, i - start)));
            start = i + 1;
        }
    }
    return values;
}

SweepAxis parse_axis(std::string_view text) {
    auto [name, values] = parse_assignment(text, "()<>[]", "block=32x1,64x2");
    (void)parse_sweep_name(name);
    return {std::move(name), std::move(values)};
}

SweepSetting parse_setting(std::string_view text) {
    auto [name, formulas] = parse_assignment(text, "()", "grid=ceil(n/bx)");
    (void)parse_setting_name(name);
    return {std::move(name), std::move(formulas)};
}

std::vector<std::uint64_t> parse_lengths(std::string_view text, std::string_view axis, std::size_t most_lengths,
                                         std::uint64_t least, std::uint64_t most) {
    std::vector<std::uint64_t> lengths;
    const char* at = text.data();
    const char* const end = at + text.size();
    for (;;) {
        std::uint64_t length = 0;
        const auto [behind, problem] = std::from_chars(at, end, length);
        const bool last = behind == end;
        if (problem != std::errc() || length < least || length > most || (!last && *behind != 'x'))
            throw SessionError(fmt::format("The value \"{}\" of {} must be whole numbers from {} to {} with x between "
                                           "them, such as {}.",
                                           text, axis, least, most, most_lengths == 1 ? "1024" : "32x8"));
        lengths.push_back(length);
        if (lengths.size() > most_lengths)
            throw SessionError(
                fmt::format("The value \"{}\" of {} has more than {} numbers.", text, axis, most_lengths));
        if (last) return lengths;
        at = behind + 1;
    }
}

} // namespace warplight::session
