// SPDX-License-Identifier: Apache-2.0
#include "session/sweep_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace warplight::session {
namespace {

constexpr std::uint64_t most_extent = std::numeric_limits<std::uint32_t>::max();

Argument& argument_of(Session& session, const SweepName& name) {
    return *std::ranges::find(session.arguments, name.subject, &Argument::name);
}

std::vector<std::uint32_t> extents_of(const std::string& value, const SweepName& name) {
    std::vector<std::uint32_t> extents;
    for (const auto length : parse_lengths(value, name_of(name), 3, 1, most_extent))
        extents.push_back(static_cast<std::uint32_t>(length));
    extents.resize(3, 1);
    return extents;
}

Number number_of(const std::string& value, const SweepName& name) {
    const char* const end = value.data() + value.size();
    std::int64_t whole = 0;
    if (const auto read = std::from_chars(value.data(), end, whole); read.ec == std::errc() && read.ptr == end)
        return whole;
    std::uint64_t large = 0;
    if (const auto read = std::from_chars(value.data(), end, large); read.ec == std::errc() && read.ptr == end)
        return large;
    double real = 0; // also nan, inf and -inf
    if (const auto read = std::from_chars(value.data(), end, real); read.ec == std::errc() && read.ptr == end)
        return real;
    throw SessionError(fmt::format("The value \"{}\" of {} is no number.", value, name_of(name)), "/sweep/vary");
}

void set_shape(DataSource& source, const Shape& shape) {
    std::visit([&](auto& each) { each.shape = shape; }, source);
}

} // namespace

std::string name_of(const SweepName& name) {
    switch (name.kind) {
    case SweepKind::block: return "block";
    case SweepKind::grid: return "grid";
    case SweepKind::extent: return name.subject;
    case SweepKind::shared: return "shared";
    case SweepKind::kernel: return "kernel";
    case SweepKind::arch: return "arch";
    case SweepKind::compiler: return "compiler";
    case SweepKind::device: return "device";
    case SweepKind::option: return "option";
    case SweepKind::define: return "define:" + name.subject;
    case SweepKind::argument: return "argument:" + name.subject;
    default: return "shape:" + name.subject;
    }
}

void check_subject(const Session& session, const SweepName& name) {
    if (name.kind != SweepKind::argument && name.kind != SweepKind::shape) return;
    const auto found = std::ranges::find(session.arguments, name.subject, &Argument::name);
    if (found == session.arguments.end())
        throw SessionError(fmt::format("The session has no argument \"{}\".", name.subject), "/sweep/vary");
    const bool scalar = found->direction == Direction::scalar;
    if (name.kind == SweepKind::argument && !scalar)
        throw SessionError(fmt::format("The argument \"{0}\" is an array: shape:{0} varies its shape.", name.subject),
                           "/sweep/vary");
    if (name.kind == SweepKind::argument && found->type == struct_type)
        throw SessionError(fmt::format("The argument \"{}\" is a struct, which has no single value to vary. Vary a "
                                       "macro that the kernel uses instead: define:NAME.",
                                       name.subject),
                           "/sweep/vary");
    if (name.kind == SweepKind::shape && scalar)
        throw SessionError(
            fmt::format("The argument \"{0}\" is a scalar: argument:{0} varies its value.", name.subject),
            "/sweep/vary");
    if (name.kind == SweepKind::shape && std::holds_alternative<FileSource>(found->source))
        throw SessionError(fmt::format("The array \"{}\" comes from a file, which has its own shape.", name.subject),
                           "/sweep/vary");
}

void set_value(Session& session, const SweepName& name, const std::string& value) {
    switch (name.kind) {
    case SweepKind::block: session.launch.block = extents_of(value, name); return;
    case SweepKind::grid: session.launch.grid = extents_of(value, name); return;
    case SweepKind::extent: {
        auto& extents = name.subject[0] == 'b' ? session.launch.block : session.launch.grid;
        extents.resize(3, 1);
        extents[static_cast<std::size_t>(name.subject[1] - 'x')] =
            static_cast<std::uint32_t>(parse_lengths(value, name_of(name), 1, 1, most_extent).front());
        return;
    }
    case SweepKind::shared:
        session.launch.shared = parse_lengths(value, name_of(name), 1, 0, most_extent).front();
        return;
    case SweepKind::kernel: session.kernel = value; return;
    case SweepKind::arch: session.compile.arch = value; return;
    case SweepKind::compiler:
        if (value != "nvrtc" && value != "nvcc")
            throw SessionError(fmt::format("\"{}\" is no compiler; there are nvrtc and nvcc.", value), "/sweep/vary");
        session.compile.compiler = value;
        return;
    case SweepKind::device:
        (void)parse_device(value);
        session.device = value;
        return;
    case SweepKind::option: // nothing is a value, too: without an option
        if (!value.empty()) session.compile.options.push_back(value);
        return;
    case SweepKind::define: {
        // The last definition of a macro would win with a warning, so an earlier one goes.
        const std::string plain = "-D" + name.subject;
        std::erase_if(session.compile.options, [&](const std::string& option) {
            return option == plain || option.starts_with(plain + "=") ||
                   option.starts_with("--define-macro=" + name.subject + "=");
        });
        session.compile.options.push_back(fmt::format("{}={}", plain, value));
        return;
    }
    case SweepKind::argument: {
        auto& argument = argument_of(session, name);
        const auto number = number_of(value, name);
        (void)pack_scalar(argument.type, number);
        argument.value = number;
        return;
    }
    case SweepKind::shape: {
        const auto lengths = parse_shape(value);
        set_shape(argument_of(session, name).source, Shape(lengths.begin(), lengths.end()));
    }
    }
}

void set_number(Session& session, const SweepName& name, double value) {
    auto& argument = argument_of(session, name);
    Number number = value;
    if (value == std::floor(value) && std::abs(value) <= 0x1p53) number = static_cast<std::int64_t>(value);
    (void)pack_scalar(argument.type, number);
    argument.value = number;
}

std::vector<std::uint64_t> parse_shape(std::string_view value) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    auto lengths = parse_lengths(value, "shape", 32, 0, most);
    std::uint64_t elements = 1;
    for (const auto length : lengths) {
        if (length != 0 && elements > most / length)
            throw SessionError(fmt::format("The shape {} has more elements than any memory.", value), "/sweep/vary");
        elements *= length;
    }
    return lengths;
}

std::optional<Shape> shape_of(const DataSource& source) {
    return std::visit([](const auto& each) { return std::optional<Shape>(each.shape); }, source);
}

bool is_formula_name(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    return std::ranges::all_of(name, [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

} // namespace warplight::session
