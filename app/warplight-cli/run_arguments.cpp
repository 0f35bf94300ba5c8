// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_arguments.hpp"

#include "formats/container.hpp"
#include "session/data_file.hpp"
#include "session/struct_value.hpp"
#include "warplight/error.hpp"
#include "warplight/ndarray.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <variant>

namespace warplight::cli {
namespace {

using session::SessionError;

template <class T>
bool parse_whole(std::string_view text, T& value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && !text.empty();
}

session::Number parse_number(std::string_view text, const std::string& whole) {
    std::int64_t integer = 0;
    std::uint64_t natural = 0;
    double real = 0;
    if (parse_whole(text, integer)) return integer;
    if (parse_whole(text, natural)) return natural;
    if (parse_whole(text, real)) return real;
    throw SessionError(fmt::format("{}: \"{}\" is not a number.", whole, text));
}

struct Typed {
    std::string dtype;
    std::optional<session::Shape> shape;
};

// "float32[1024,1024]" or "float32"
std::optional<Typed> parse_typed(std::string_view text) {
    const auto bracket = text.find('[');
    const auto dtype = text.substr(0, bracket);
    Typed typed{dtype == session::struct_type ? std::string(dtype) : session::dtype_of_type(dtype), std::nullopt};
    if (typed.dtype.empty()) return std::nullopt;
    if (bracket == std::string_view::npos) return typed;
    if (text.back() != ']') return std::nullopt;
    auto rest = text.substr(bracket + 1, text.size() - bracket - 2);
    session::Shape shape;
    while (true) {
        const auto comma = rest.find(',');
        std::size_t length = 0;
        if (!parse_whole(rest.substr(0, comma), length)) return std::nullopt;
        shape.push_back(length);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    typed.shape = shape;
    return typed;
}

/// Refuses arrays that are larger than any memory here, where the message can name the option.
void check_shape(const Typed& typed, const std::string& whole) {
    try {
        // How many bytes a struct has is known later.
        const std::size_t size = typed.dtype == session::struct_type ? 1 : session::size_of_type(typed.dtype);
        warplight::count_elements(*typed.shape, size);
    } catch (const Error& error) {
        throw SessionError(fmt::format("{}: {}.", whole, error.what()));
    }
}

constexpr std::string_view formula_word = "formula:";

/// "formula:float32[1024]:sin(2*pi*i/n)", where the formula may have colons of its own.
session::FormulaSource parse_formula(const std::string& value, const std::string& whole) {
    const auto rest = std::string_view(value).substr(formula_word.size());
    const auto colon = rest.find(':');
    const auto typed = parse_typed(rest.substr(0, colon));
    if (!typed || !typed->shape || typed->dtype == session::struct_type || colon == std::string_view::npos ||
        colon + 1 == rest.size())
        throw SessionError(
            fmt::format("{}: a formula needs a type and shape before it: formula:float32[1024]:sin(2*pi*i/n).", whole));
    check_shape(*typed, whole);
    return {typed->dtype, *typed->shape, std::string(rest.substr(colon + 1))};
}

/// "x.npz:weights", "x.h5:group/x:float32[1024]": a file of several arrays, and one of them. Without a member nothing.
std::optional<session::FileSource> parse_member(const std::string& value, const std::string& whole) {
    for (auto colon = value.find(':'); colon != std::string::npos; colon = value.find(':', colon + 1)) {
        session::FileSource file;
        file.path = value.substr(0, colon);
        if (!formats::is_container(session::lower_extension(session::path_from_utf8(file.path)))) continue;
        file.member = value.substr(colon + 1);
        const auto behind = file.member.rfind(':');
        const auto start = behind == std::string::npos ? 0 : behind + 1;
        if (const auto typed = parse_typed(std::string_view(file.member).substr(start))) {
            if (typed->shape) check_shape(*typed, whole);
            file.dtype = typed->dtype;
            file.shape = typed->shape;
            file.member.resize(behind == std::string::npos ? 0 : behind);
        }
        return file;
    }
    return std::nullopt;
}

session::DataSource parse_source(const std::string& value, const std::string& whole) {
    if (value.starts_with(formula_word)) return parse_formula(value, whole);
    if (auto member = parse_member(value, whole)) return std::move(*member);
    const auto colon = value.rfind(':');
    const auto typed =
        colon == std::string::npos ? std::nullopt : parse_typed(std::string_view(value).substr(colon + 1));
    if (!typed) {
        session::FileSource file;
        file.path = value;
        return file;
    }
    if (typed->shape) check_shape(*typed, whole);
    const auto before = value.substr(0, colon);
    if (before == "zeros" || before == "arange" || before == "random") {
        if (!typed->shape)
            throw SessionError(
                fmt::format("{}: {} needs a shape, such as {}:{}[1024].", whole, before, before, typed->dtype));
        if (before != "zeros" && typed->dtype == session::struct_type)
            throw SessionError(fmt::format("{}: structs come from a file, or are zeros:struct[1024].", whole));
        if (before == "zeros") return session::ZerosSource{typed->dtype, *typed->shape};
        if (before == "arange") {
            session::ArangeSource arange;
            arange.dtype = typed->dtype;
            arange.shape = *typed->shape;
            return arange;
        }
        session::RandomSource random;
        random.dtype = typed->dtype;
        random.shape = *typed->shape;
        if (typed->dtype.find("int") != std::string::npos) random.high = std::int64_t{100};
        return random;
    }
    return session::FileSource{before, typed->dtype, typed->shape, 0};
}

/// "1,2,3,4" of a float4; "true" of a bool.
session::ScalarValue parse_scalar(const std::string& type, std::string_view text, const std::string& whole) {
    try {
        if (session::may_be_enumerator(type, text)) return session::Enumerator{std::string(text)};
        if (session::scalar_type(type)->components == 1) {
            const auto number = type == "bool" && (text == "true" || text == "false")
                                    ? session::Number(std::int64_t{text == "true"})
                                    : parse_number(text, whole);
            session::pack_scalar(type, number); // throws here rather than at the launch
            return number;
        }
        session::Components numbers;
        while (true) {
            const auto comma = text.find(',');
            numbers.push_back(parse_number(text.substr(0, comma), whole));
            if (comma == std::string_view::npos) break;
            text.remove_prefix(comma + 1);
        }
        session::pack_scalar(type, numbers);
        return numbers;
    } catch (const SessionError& error) {
        if (std::string_view(error.what()).starts_with(whole)) throw;
        throw SessionError(fmt::format("{}: {}", whole, error.what()));
    }
}

/// @param text behind the option's own words
/// @param whole the option as it was given
session::Argument parse_value(const std::string& text, const std::string& whole) {
    const auto equals = text.find('=');
    const auto refuse = [&](std::string_view why) -> session::Argument {
        throw SessionError(fmt::format("{}: {}. Write i32=4096, f32=2.0, struct={{…}}, in=x.npy, "
                                       "inout=y.npy or out=float32[1024,1024].",
                                       whole, why));
    };
    if (equals == std::string::npos) return refuse("there is no \"=\"");
    const auto kind = text.substr(0, equals);
    const auto value = text.substr(equals + 1);
    session::Argument argument;
    const auto short_name = session::type_of_dtype(kind);
    if (const auto type = short_name.empty() ? kind : short_name; session::scalar_type(type)) {
        argument.direction = session::Direction::scalar;
        argument.type = type;
        if (value.rfind("size:", 0) == 0) {
            std::size_t counted = 0;
            if (!parse_whole(std::string_view(value).substr(5), counted))
                return refuse("after size: stands the number of an argument, from 0");
            argument.value = session::SizeOf{fmt::format("arg{}", counted), std::nullopt};
        } else {
            argument.value = parse_scalar(type, value, whole);
        }
        return argument;
    }
    if (kind == session::struct_type) {
        argument.direction = session::Direction::scalar;
        argument.type = kind;
        try { // bytes need no quotes here
            argument.value = session::struct_value(value.starts_with("0x") ? fmt::format("\"{}\"", value) : value);
        } catch (const SessionError& error) {
            throw SessionError(fmt::format("{}: {}", whole, error.what()));
        }
        return argument;
    }
    if (kind == "in" || kind == "inout") {
        argument.direction = kind == "in" ? session::Direction::in : session::Direction::inout;
        argument.source = parse_source(value, whole);
        if (const auto* file = std::get_if<session::FileSource>(&argument.source); file && file->path.empty())
            return refuse("the name of the file is missing");
        return argument;
    }
    if (kind != "out") return refuse(fmt::format("\"{}\" is neither a scalar type nor in, out or inout", kind));
    const auto typed = parse_typed(value);
    if (!typed || !typed->shape) return refuse("an output needs its type and shape");
    check_shape(*typed, whole);
    argument.direction = session::Direction::out;
    argument.source = session::ZerosSource{typed->dtype, *typed->shape};
    return argument;
}

} // namespace

std::vector<std::uint32_t> parse_extents(const std::string& text, const char* option) {
    std::vector<std::uint32_t> extents;
    std::string_view rest = text;
    while (true) {
        const auto comma = rest.find(',');
        std::uint32_t extent = 0;
        if (!parse_whole(rest.substr(0, comma), extent) || extents.size() == 3)
            throw SessionError(
                fmt::format("{} {}: give one to three whole numbers, such as 64 or 64,16.", option, text));
        extents.push_back(extent);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
    extents.resize(3, 1);
    return extents;
}

session::Argument parse_argument(const std::string& text, std::size_t index) {
    session::Argument argument = parse_value(text, "--arg " + text);
    argument.name = fmt::format("arg{}", index);
    return argument;
}

session::Argument parse_variable(const std::string& text) {
    const std::string whole = "--variable " + text;
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw SessionError(whole + ": write NAME=in=x.npy, NAME=f32=2.0 or NAME=out=float32[64].");
    session::Argument argument = parse_value(text.substr(equals + 1), whole);
    argument.name = text.substr(0, equals);
    argument.variable = true;
    return argument;
}

void check_sizes(const std::vector<session::Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto* size = std::get_if<session::SizeOf>(&arguments[i].value);
        if (!size) continue;
        const auto counted = std::find_if(arguments.begin(), arguments.end(),
                                          [&](const session::Argument& each) { return each.name == size->argument; });
        const auto index = std::string_view(size->argument).substr(3); // after "arg"
        const std::string value = fmt::format("{}=size:{}", arguments[i].type, index);
        const std::string whole =
            arguments[i].variable ? fmt::format("--variable {}={}", arguments[i].name, value) : "--arg " + value;
        if (counted == arguments.end())
            throw SessionError(fmt::format("{}: there is no argument {}; arguments count from 0, and there are {}.",
                                           whole, index,
                                           std::ranges::count(arguments, false, &session::Argument::variable)));
        if (counted->direction == session::Direction::scalar)
            throw SessionError(fmt::format("{}: argument {} is a scalar; only arrays have a size.", whole, index));
    }
}

namespace {

/// The argument that INDEX or VARIABLE of an option names.
session::Argument& named_argument(const std::string& which, const std::string& whole,
                                  std::vector<session::Argument>& arguments) {
    const bool is_index = std::ranges::all_of(which, [](char c) { return c >= '0' && c <= '9'; });
    std::size_t index = 0;
    const auto found = std::ranges::find_if(arguments, [&](const session::Argument& each) {
        if (!is_index) return each.variable && each.name == which;
        return parse_whole(which, index) && !each.variable && each.name == fmt::format("arg{}", index);
    });
    const auto count = std::ranges::count(arguments, false, &session::Argument::variable);
    if (found == arguments.end())
        throw SessionError(
            is_index ? fmt::format("{}: there is no argument {}; the last one is {}.", whole, which, count - 1)
                     : fmt::format("{}: there is no --variable {}.", whole, which));
    return *found;
}

session::Argument& output_of(const std::string& which, const std::string& whole,
                             std::vector<session::Argument>& arguments) {
    session::Argument& found = named_argument(which, whole, arguments);
    if (found.direction != session::Direction::out && found.direction != session::Direction::inout)
        throw SessionError(fmt::format("{}: {} {} is not an output: make it out or inout.", whole,
                                       found.variable ? "variable" : "argument", which));
    return found;
}

} // namespace

void apply_save(const std::string& text, std::vector<session::Argument>& arguments) {
    const std::string whole = "--save " + text;
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw SessionError(
            fmt::format("{}: write INDEX=FILE.npy, where arguments count from 0, or VARIABLE=FILE.npy.", whole));
    output_of(text.substr(0, equals), whole, arguments).save = text.substr(equals + 1);
}

void apply_expect(const std::string& text, double rtol, double atol, std::vector<session::Argument>& arguments) {
    const std::string whole = "--expect " + text;
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw SessionError(
            fmt::format("{}: write INDEX=FILE.npy or INDEX=formula:2*arg0, where arguments count from 0. "
                        "A variable's name may stand for INDEX.",
                        whole));
    const auto value = text.substr(equals + 1);
    session::Expectation expectation;
    if (value.starts_with(formula_word)) {
        expectation.expression = value.substr(formula_word.size());
    } else if (const auto member = parse_member(value, whole)) {
        expectation.path = member->path;
        expectation.member = member->member;
    } else {
        expectation.path = value;
    }
    if (value == formula_word) throw SessionError(whole + ": the formula is missing.");
    expectation.rtol = rtol;
    expectation.atol = atol;
    output_of(text.substr(0, equals), whole, arguments).expect = std::move(expectation);
}

void apply_texture(const std::string& text, const char* key, std::vector<session::Argument>& arguments) {
    const std::string whole = fmt::format("--{} {}", key, text);
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
        throw SessionError(fmt::format("{}: write INDEX=2d, or the keys of a session: INDEX={{\"kind\": \"2d\"}}. "
                                       "Arguments count from 0, and a variable's name may stand for INDEX.",
                                       whole));
    session::Argument& argument = named_argument(text.substr(0, equals), whole, arguments);
    if (argument.direction == session::Direction::scalar)
        throw SessionError(fmt::format("{}: that argument is a scalar, and a {} needs data: in=x.npy.", whole, key));
    const auto value = text.substr(equals + 1);
    auto settings = nlohmann::json::object();
    if (value.starts_with('{'))
        settings = nlohmann::json::parse(value, nullptr, false);
    else
        settings["kind"] = value;
    if (settings.is_discarded())
        throw SessionError(fmt::format("{}: what stands behind = is no JSON object. Quote it for the shell: "
                                       "'{{\"kind\": \"2d\"}}'.",
                                       whole));
    // Read as a session's, with the same messages.
    auto stand_in = nlohmann::json::object({{"direction", "in"}});
    stand_in["source"] = nlohmann::json::object({{"kind", "zeros"}, {"shape", nlohmann::json::array({1, 1})}});
    stand_in[key] = std::move(settings);
    auto document = nlohmann::json::object({{"warplight", session::format_version}});
    document["arguments"] = nlohmann::json::array();
    document["arguments"].push_back(std::move(stand_in));
    try {
        const auto read = session::session_from_json(document).arguments.front();
        if (read.texture) argument.texture = read.texture;
        if (read.surface) argument.surface = read.surface;
    } catch (const SessionError& error) {
        throw SessionError(fmt::format("{}: {}", whole, error.what()));
    }
}

} // namespace warplight::cli
