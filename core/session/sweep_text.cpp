// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_text.hpp"

#include "session/session.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace warplight::session {
namespace {

struct PlainName {
    std::string_view name;
    SweepKind kind;
    bool of_step = false;   ///< may stand behind "step:NAME."
    bool of_session = true; ///< may stand alone
    bool has_formula = false;
};
constexpr PlainName plain_names[] = {
    {"block", SweepKind::block, true, true, true},
    {"grid", SweepKind::grid, true, true, true},
    {"shared", SweepKind::shared, true, true, true},
    {"cluster", SweepKind::cluster, true},
    {"cooperative", SweepKind::cooperative, true},
    {"carveout", SweepKind::carveout, true},
    {"cache", SweepKind::cache, true},
    {"priority", SweepKind::priority},
    {"kernel", SweepKind::kernel, true},
    {"template:", SweepKind::template_argument, true},
    {"arch", SweepKind::arch},
    {"compiler", SweepKind::compiler},
    {"device", SweepKind::device},
    {"option", SweepKind::option},
    {"define:", SweepKind::define},
    {"argument:", SweepKind::argument, false, true, true},
    {"shape:", SweepKind::shape, false, true, true},
    {"l2", SweepKind::l2},
    {"run_as", SweepKind::run_as},
    {"times", SweepKind::times, true, false, true},
    {"every", SweepKind::every, true, false, true},
    {"at_most", SweepKind::at_most, true, false, true},
    {"value:", SweepKind::value, true, false},
};
constexpr std::string_view step_prefix = "step:";

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

/// Where the comma behind the first value is, else the end of the text.
std::size_t end_of_value(std::string_view text, std::string_view brackets) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (const auto bracket = brackets.find(text[i]); bracket != std::string_view::npos) {
            if (bracket % 2 == 0)
                ++depth;
            else if (depth > 0)
                --depth;
        }
        if (text[i] == ',' && depth == 0) return i;
    }
    return text.size();
}

/// "NAME=VALUES" as its parts.
std::pair<std::string, std::string_view> parse_assignment(std::string_view text, const char* example) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        throw SessionError(fmt::format("\"{}\" has no name and values, such as {}.", text, example));
    return {std::string(trimmed(text.substr(0, equals))), text.substr(equals + 1)};
}

constexpr std::string_view brackets_of_values = "()<>[]";
constexpr std::uint64_t most_of_a_range = 1'000'000;

/// A whole number without superfluous characters.
std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc() || end != text.data() + text.size() || fmt::format("{}", number) != text)
        return std::nullopt;
    return number;
}

struct Range {
    std::int64_t first = 0, last = 0, step = 1;
    bool factor = false; ///< each is `step` times the one before

    /// Nothing where there is none in 64 bits.
    [[nodiscard]] std::optional<std::int64_t> after(std::int64_t number) const {
        std::int64_t next = 0;
        const bool over =
            factor ? __builtin_mul_overflow(number, step, &next) : __builtin_add_overflow(number, step, &next);
        return over ? std::nullopt : std::optional(next);
    }
    [[nodiscard]] std::string text() const {
        return fmt::format("{}..{}{}", first, last,
                           factor      ? fmt::format("*{}", step)
                           : step == 1 ? std::string()
                                       : fmt::format("+{}", step));
    }
};

/// Nothing where the value is none.
std::optional<Range> parse_range(std::string_view value) {
    const auto dots = value.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto sign = value.find_first_of("+*", dots);
    const auto first = whole_number(value.substr(0, dots));
    const auto last = whole_number(value.substr(dots + 2, sign == std::string_view::npos ? sign : sign - dots - 2));
    if (!first || !last) return std::nullopt;
    Range range{*first, *last};
    if (sign != std::string_view::npos) {
        range.factor = value[sign] == '*';
        const auto step = whole_number(value.substr(sign + 1));
        if (!step) return std::nullopt;
        range.step = *step;
    }
    return range;
}

void add_range(const Range& range, std::vector<std::string>& values) {
    if (range.last < range.first || range.step < (range.factor ? 2 : 1) || (range.factor && range.first < 1))
        throw SessionError(fmt::format("The range {} does not rise. Write FIRST..LAST, FIRST..LAST+STEP or "
                                       "FIRST..LAST*FACTOR, such as 1..8, 16..128+16 or 32..1024*2.",
                                       range.text()));
    std::uint64_t count = 0;
    for (std::optional number = range.first; number && *number <= range.last; number = range.after(*number)) {
        if (++count > most_of_a_range)
            throw SessionError(fmt::format("The range {} has more than {} values.", range.text(), most_of_a_range));
        values.push_back(fmt::format("{}", *number));
    }
}

/// The end of a value in quotation marks that begins the text: behind the closing one.
std::size_t end_of_quoted(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] != '"') continue;
        if (i + 1 == text.size() || text[i + 1] != '"') return i + 1;
        ++i; // two stand for one
    }
    throw SessionError(fmt::format("The value {} has no closing quotation mark.", text));
}

std::string unquoted(std::string_view quoted) {
    std::string value;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
        value += quoted[i];
        if (quoted[i] == '"') ++i;
    }
    return value;
}

std::string in_quotes(std::string_view value) {
    std::string text = "\"";
    for (const char c : value) {
        if (c == '"') text += '"';
        text += c;
    }
    return text + '"';
}

bool needs_quotes(const std::string& value) {
    if (value.starts_with('"') || parse_range(value)) return true;
    // Behind an open bracket another value would belong to it.
    const auto parts = split_values(value + ",0", brackets_of_values);
    return parts.size() != 2 || parts.front() != value;
}

/// The longest range that begins with the value at `start`, and how many values it has.
std::pair<Range, std::size_t> range_at(const std::vector<std::string>& values, std::size_t start) {
    std::pair<Range, std::size_t> longest{{}, 1};
    const auto first = whole_number(values[start]);
    const auto second = start + 1 < values.size() ? whole_number(values[start + 1]) : std::nullopt;
    if (!first || !second || *second <= *first) return longest;
    for (const bool factor : {false, true}) {
        if (factor && (*first < 1 || *second % *first != 0)) continue;
        std::int64_t step = 0;
        if (factor)
            step = *second / *first;
        else if (__builtin_sub_overflow(*second, *first, &step))
            continue;
        Range range{*first, *second, step, factor};
        std::size_t count = 2;
        for (auto next = range.after(*second); start + count < values.size(); next = range.after(*next), ++count) {
            if (!next || whole_number(values[start + count]) != next) break;
            range.last = *next;
        }
        if (count > longest.second) longest = {range, count};
    }
    return longest;
}

} // namespace

namespace {

[[noreturn]] void refuse_name(std::string_view name, bool of_step) {
    if (of_step)
        throw SessionError(fmt::format("\"{}\" cannot be varied of a step. There are block, grid, bx to gz, shared, "
                                       "cluster, cooperative, carveout, cache, kernel, template:N and value:N of a "
                                       "launch, and times, every and at_most of a loop, such as step:2.1.block.",
                                       name));
    throw SessionError(
        fmt::format("\"{}\" cannot be varied. There are block, grid, bx to gz, shared, cluster, cooperative, carveout, "
                    "cache, priority, kernel, template:N, arch, compiler, device, option, define:NAME, argument:NAME, "
                    "shape:NAME and l2, and of pipelines run_as and step:STEP.NAME.",
                    name));
}

/// @param name without the step, and `whole` with it
SweepName parse_plain_name(std::string_view name, std::string_view whole, bool of_step) {
    for (const PlainName& known : plain_names) {
        const bool has_subject = known.name.ends_with(':');
        if (!(of_step ? known.of_step : known.of_session)) continue;
        if (!has_subject && name == known.name) return {known.kind, {}};
        if (!has_subject || !name.starts_with(known.name)) continue;
        const auto subject = name.substr(known.name.size());
        const bool is_number = known.kind == SweepKind::template_argument || known.kind == SweepKind::value;
        if (is_number && (!whole_number(subject) || *whole_number(subject) < 1 || *whole_number(subject) > 1000))
            throw SessionError(fmt::format("\"{}\" needs a number from 1 on behind the colon, such as {}1.", whole,
                                           whole.substr(0, whole.size() - subject.size())));
        if (subject.empty() || (known.kind == SweepKind::define && !is_identifier(subject)))
            throw SessionError(fmt::format("\"{}\" needs a name behind the colon, such as {}n.", whole, known.name));
        return {known.kind, std::string(subject)};
    }
    for (const auto known : extent_names)
        if (name == known) return {SweepKind::extent, std::string(name)};
    refuse_name(whole, of_step);
}

} // namespace

bool is_of_launch(SweepKind kind) {
    switch (kind) {
    case SweepKind::block:
    case SweepKind::grid:
    case SweepKind::extent:
    case SweepKind::shared:
    case SweepKind::cluster:
    case SweepKind::cooperative:
    case SweepKind::carveout:
    case SweepKind::cache:
    case SweepKind::kernel:
    case SweepKind::template_argument: return true;
    default: return false;
    }
}

SweepName parse_sweep_name(std::string_view name) {
    if (!name.starts_with(step_prefix)) return parse_plain_name(name, name, false);
    const auto rest = name.substr(step_prefix.size());
    const auto dot = rest.rfind('.'); // numbers of steps have dots too
    if (dot == std::string_view::npos || dot == 0) refuse_name(name, true);
    SweepName parsed = parse_plain_name(rest.substr(dot + 1), name, true);
    parsed.step = rest.substr(0, dot);
    return parsed;
}

SweepName parse_setting_name(std::string_view name) {
    auto parsed = parse_sweep_name(name);
    for (const PlainName& known : plain_names)
        if (known.kind == parsed.kind && known.has_formula) return parsed;
    throw SessionError(
        fmt::format("\"{}\" cannot follow by a formula. There are block, grid, shared, argument:NAME and "
                    "shape:NAME; block, grid and shared of a step, and times, every and at_most.",
                    name));
}

bool Sweep::is_of_fourth_version() const {
    const auto is_new = [](std::string_view name) {
        constexpr std::string_view starts[] = {"cluster",  "cooperative", "carveout", "cache",
                                               "priority", "template:",   "run_as",   "step:"};
        return name == "l2" ||
               std::ranges::any_of(starts, [&](std::string_view start) { return name.starts_with(start); });
    };
    return !time.empty() || std::ranges::any_of(vary, is_new, &SweepAxis::name) ||
           std::ranges::any_of(set, is_new, &SweepSetting::name);
}

std::vector<std::string> split_values(std::string_view text, std::string_view brackets) {
    std::vector<std::string> values;
    for (;;) {
        const auto end = end_of_value(text, brackets);
        values.emplace_back(trimmed(text.substr(0, end)));
        if (end == text.size()) return values;
        text.remove_prefix(end + 1);
    }
}

std::vector<std::string> parse_values(std::string_view text) {
    std::vector<std::string> values;
    for (;;) {
        text = trimmed(text);
        if (text.starts_with('"')) {
            const auto end = end_of_quoted(text);
            values.push_back(unquoted(text.substr(0, end)));
            text = trimmed(text.substr(end));
            if (text.empty()) return values;
            if (text[0] != ',')
                throw SessionError(fmt::format("There is no comma behind the value {}.", in_quotes(values.back())));
            text.remove_prefix(1);
            continue;
        }
        const auto end = end_of_value(text, brackets_of_values);
        const auto value = trimmed(text.substr(0, end));
        if (const auto range = parse_range(value))
            add_range(*range, values);
        else
            values.emplace_back(value);
        if (end == text.size()) return values;
        text.remove_prefix(end + 1);
    }
}

std::string values_text(const std::vector<std::string>& values) {
    constexpr std::size_t least_for_range = 6; // fewer are as easily read one by one
    std::string text;
    for (std::size_t i = 0; i < values.size();) {
        const auto [range, count] = range_at(values, i);
        const bool many = count >= least_for_range;
        if (i) text += ", ";
        text += many ? range.text() : needs_quotes(values[i]) ? in_quotes(values[i]) : values[i];
        i += many ? count : 1;
    }
    return text;
}

SweepAxis parse_axis(std::string_view text) {
    auto [name, values] = parse_assignment(text, "block=32x1,64x2");
    (void)parse_sweep_name(name);
    return {std::move(name), parse_values(values)};
}

SweepSetting parse_setting(std::string_view text) {
    auto [name, formulas] = parse_assignment(text, "grid=ceil(n/bx)");
    (void)parse_setting_name(name);
    return {std::move(name), split_values(formulas, "()")};
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
