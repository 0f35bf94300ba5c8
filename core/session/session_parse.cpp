// SPDX-License-Identifier: Apache-2.0
// Reads a session from its document.
#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/exercise_document.hpp"
#include "session/json_reader.hpp"
#include "session/pipeline_document.hpp"
#include "session/struct_value.hpp"
#include "session/sweep_document.hpp"
#include "session/texture_document.hpp"

#include "files/input_file.hpp"
#include "formats/sound.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <set>

namespace warplight::session {
namespace {

constexpr std::string_view dtypes =
    "int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64";

Source read_source(const JsonReader& document) {
    Source source;
    const auto* value = document.find("source");
    if (!value) return source;
    if (value->is_string()) {
        source.path = value->get<std::string>();
        return source;
    }
    if (!value->is_object()) document.refuse("source", "must be a path, or an object with the \"text\" of the source");
    const auto reader = document.object("source");
    if (!reader.has("text"))
        reader.refuse("text", "is missing: give the source's text, or a path instead of the object");
    source.text = reader.text("text");
    source.name = reader.text("name", "kernel.cu");
    source.unknown = reader.unknown({"text", "name"});
    return source;
}

CompileOptions read_compile(const JsonReader& reader) {
    CompileOptions options;
    options.compiler = reader.text("compiler", options.compiler);
    if (options.compiler != "nvrtc" && options.compiler != "nvcc")
        reader.refuse("compiler", fmt::format("is \"{}\"; use nvrtc or nvcc", options.compiler));
    options.arch = reader.text("arch", options.arch);
    options.options = reader.texts("options");
    options.line_info = reader.boolean("line_info", true);
    options.unknown = reader.unknown({"compiler", "arch", "options", "line_info"});
    return options;
}

/// @param structs are data of that kind, too
std::string read_dtype(const JsonReader& reader, std::string fallback, bool structs = false) {
    auto dtype = reader.text("dtype", std::move(fallback));
    if (dtype.empty()) return dtype;
    if (structs && dtype == struct_type) return dtype;
    const auto name = dtype_of_type(dtype);
    if (name.empty()) reader.refuse("dtype", fmt::format("is \"{}\"; use one of {}", dtype, dtypes));
    return name;
}

FileSource read_file_source(const JsonReader& reader) {
    FileSource file;
    file.path = reader.text("path");
    if (file.path.empty()) reader.refuse("path", "is missing: name the file");
    file.dtype = read_dtype(reader, {}, true);
    if (reader.has("shape")) file.shape = reader.shape("shape");
    file.offset = reader.unsigned_integer("offset", 0);
    file.member = reader.text("member");
    file.raw = reader.boolean("raw", false);
    return file;
}

RandomSource read_random(const JsonReader& reader) {
    RandomSource random;
    random.dtype = read_dtype(reader, random.dtype);
    random.shape = reader.shape("shape");
    random.seed = reader.unsigned_integer("seed", 0);
    const auto distribution = reader.text("distribution", "uniform");
    if (distribution == "normal") {
        random.distribution = RandomSource::Distribution::normal;
        random.mean = reader.real("mean", 0);
        random.stddev = reader.real("stddev", 1);
        if (!(random.stddev >= 0)) reader.refuse("stddev", "must not be negative");
    } else if (distribution == "uniform") {
        random.low = reader.number("low", random.low);
        random.high = reader.number("high", random.high);
        if (!(as_double(random.low) <= as_double(random.high))) reader.refuse("high", "must not be below \"low\"");
    } else {
        reader.refuse("distribution", fmt::format("is \"{}\"; use uniform or normal", distribution));
    }
    return random;
}

FieldsSource read_fields(const JsonReader& reader) {
    FieldsSource source;
    if (reader.text("dtype", source.dtype) != struct_type)
        reader.refuse("dtype", "must be struct: the kernel's type has the fields");
    source.shape = reader.shape("shape");
    const auto* fields = reader.find("fields");
    if (!fields || !fields->is_object())
        reader.refuse("fields", "must be an object that has a formula for each field, such as {\"mass\": \"1 + i\"}");
    for (const auto& [path, formula] : fields->items()) {
        if (!formula.is_string() && !formula.is_number())
            reader.refuse("fields",
                          fmt::format("has {} for \"{}\"; write a formula as a text", json_kind(formula), path));
        source.fields.push_back({path, formula.is_string() ? formula.get<std::string>() : formula.dump()});
        if (source.fields.back().expression.empty())
            reader.refuse("fields", fmt::format("has an empty formula for \"{}\"", path));
    }
    return source;
}

DataSource read_data(const JsonReader& reader, std::string& unknown) {
    const auto kind = reader.text("kind");
    if (kind == "file") {
        unknown = reader.unknown({"kind", "path", "dtype", "shape", "offset", "member", "raw"});
        return read_file_source(reader);
    }
    if (kind == "zeros") {
        unknown = reader.unknown({"kind", "dtype", "shape"});
        return ZerosSource{read_dtype(reader, "float32", true), reader.shape("shape")};
    }
    if (kind == "constant") {
        unknown = reader.unknown({"kind", "dtype", "shape", "value"});
        if (!reader.has("value")) reader.refuse("value", "is missing");
        return ConstantSource{read_dtype(reader, "float32"), reader.shape("shape"), reader.number("value", 0.0)};
    }
    if (kind == "arange") {
        unknown = reader.unknown({"kind", "dtype", "shape", "start", "step"});
        return ArangeSource{read_dtype(reader, "float32"), reader.shape("shape"),
                            reader.number("start", std::int64_t{0}), reader.number("step", std::int64_t{1})};
    }
    if (kind == "linspace") {
        unknown = reader.unknown({"kind", "dtype", "shape", "start", "stop"});
        return LinspaceSource{read_dtype(reader, "float32"), reader.shape("shape"), reader.number("start", 0.0),
                              reader.number("stop", 1.0)};
    }
    if (kind == "random") {
        unknown = reader.unknown({"kind", "dtype", "shape", "distribution", "low", "high", "mean", "stddev", "seed"});
        return read_random(reader);
    }
    if (kind == "formula") {
        unknown = reader.unknown({"kind", "dtype", "shape", "expression"});
        FormulaSource formula{read_dtype(reader, "float32"), reader.shape("shape"), reader.text("expression")};
        if (formula.expression.empty()) reader.refuse("expression", "is missing: write one such as sin(2*pi*i/n)");
        return formula;
    }
    if (kind == "fields") {
        unknown = reader.unknown({"kind", "dtype", "shape", "fields"});
        return read_fields(reader);
    }
    constexpr std::string_view kinds = "file, zeros, constant, arange, linspace, random, formula or fields";
    reader.refuse("kind", kind.empty() ? fmt::format("is missing: use {}", kinds)
                                       : fmt::format("is \"{}\"; use {}", kind, kinds));
}

Expectation read_expectation(const JsonReader& reader) {
    Expectation expectation;
    expectation.path = reader.text("path");
    expectation.session = reader.text("session");
    expectation.argument = reader.text("argument");
    expectation.member = reader.text("member");
    expectation.expression = reader.text("expression");
    expectation.rtol = reader.real("rtol", 0);
    expectation.atol = reader.real("atol", 0);
    expectation.digest = reader.text("digest");
    expectation.raw = reader.boolean("raw", false);
    expectation.unknown =
        reader.unknown({"path", "member", "raw", "session", "argument", "expression", "digest", "rtol", "atol"});
    if (!expectation.path.empty() + !expectation.session.empty() + !expectation.expression.empty() +
            !expectation.digest.empty() !=
        1)
        reader.refuse("path", "or \"session\" or \"expression\" must say what to compare with: exactly one of them");
    if (!expectation.member.empty() && expectation.path.empty())
        reader.refuse("member", "belongs to a \"path\": it is an array of that file");
    if (expectation.raw && expectation.path.empty())
        reader.refuse("raw", "belongs to a \"path\": it tells how that file is read");
    if (expectation.raw && !expectation.member.empty())
        reader.refuse("member", "does not go with \"raw\": raw numbers have no names");
    if (!expectation.session.empty() && expectation.argument.empty())
        reader.refuse("argument", "is missing: name the argument of the other session");
    if (!expectation.digest.empty() && (expectation.digest.size() != 64 ||
                                        expectation.digest.find_first_not_of("0123456789abcdef") != std::string::npos))
        reader.refuse("digest", "must have 64 hexadecimal digits, as warplight-cli exercise --digests writes them");
    if (!expectation.digest.empty() && (expectation.rtol != 0 || expectation.atol != 0))
        reader.refuse("rtol", "and \"atol\" do not go with \"digest\", which is of an exact result");
    if (!(expectation.rtol >= 0)) reader.refuse("rtol", "must be 0 or more");
    if (!(expectation.atol >= 0)) reader.refuse("atol", "must be 0 or more");
    return expectation;
}

/// A number; of bool, true and false as well.
Number read_number(const ordered_json& value, std::string_view type, const std::string& place) {
    if (type == "bool" && value.is_boolean()) return std::int64_t{value.get<bool>()};
    return to_number(value, place);
}

void read_struct(const JsonReader& reader, Argument& argument) {
    const auto* value = reader.find("value");
    if (!value) reader.refuse("value", "is missing: give an object with the struct's fields, such as {\"x\": 1}");
    try {
        argument.value = struct_value(value->dump(-1, ' ', false, ordered_json::error_handler_t::replace));
    } catch (const SessionError& error) {
        throw SessionError(fmt::format("{} (At {} in the session.)", error.what(), reader.at("value")),
                           reader.at("value"));
    }
}

void read_scalar(const JsonReader& reader, Argument& argument) {
    argument.type = reader.text("type");
    if (argument.type.empty()) reader.refuse("type", "is missing: a scalar needs one, such as i32 or f32");
    if (const auto short_name = type_of_dtype(argument.type); !short_name.empty()) argument.type = short_name;
    if (argument.type == struct_type) {
        read_struct(reader, argument);
        return;
    }
    const auto type = scalar_type(argument.type);
    if (!type)
        reader.refuse("type", fmt::format("is \"{}\"; use one of i8, i16, i32, i64, u8, u16, u32, u64, f16, f32, f64, "
                                          "bool, bf16, f8e4m3, f8e5m2, a vector type such as float4, or struct",
                                          argument.type));
    const auto* value = reader.find("value");
    if (!value) reader.refuse("value", "is missing: give a number, or {\"size_of\": \"NAME\"}");
    if (value->is_object()) {
        const auto size = reader.object("value");
        SizeOf size_of;
        size_of.argument = size.text("size_of");
        if (size_of.argument.empty()) size.refuse("size_of", "must name another argument");
        if (size.has("axis")) size_of.axis = static_cast<int>(size.unsigned_integer("axis", 0, 31));
        argument.value = size_of;
        return;
    }
    if (value->is_string() && may_be_enumerator(argument.type, value->get_ref<const std::string&>())) {
        argument.value = Enumerator{value->get<std::string>()};
        return;
    }
    try {
        if (value->is_array()) {
            Components components;
            for (const auto& each : *value)
                components.push_back(read_number(each, type->component, reader.at("value")));
            (void)pack_scalar(argument.type, components);
            argument.value = std::move(components);
        } else {
            const auto number = read_number(*value, argument.type, reader.at("value"));
            (void)pack_scalar(argument.type, number);
            argument.value = number;
        }
    } catch (const SessionError& error) {
        if (!error.pointer.empty()) throw;
        throw SessionError(fmt::format("{} (At {} in the session.)", error.what(), reader.at("value")),
                           reader.at("value"));
    }
}

int read_rate(const JsonReader& reader, const std::string& save) {
    const auto rate = reader.unsigned_integer("rate", 0, formats::most_sound_rate);
    if (rate == 0) reader.refuse("rate", "is in Hz, from 1 on, such as 48000");
    if (!formats::is_sound(lower_extension(path_from_utf8(save))))
        reader.refuse("rate", "belongs to a result that is saved as a .wav file");
    return static_cast<int>(rate);
}

Argument read_argument(const JsonReader& reader) {
    Argument argument;
    argument.name = reader.text("name");
    argument.variable = reader.boolean("variable", false);
    if (argument.variable && argument.name.empty())
        reader.refuse("name", "is missing: a variable of the module is found by its name");
    const auto direction = reader.text("direction");
    if (direction == "scalar") {
        argument.direction = Direction::scalar;
        for (const std::string_view key : {"texture", "surface"})
            if (reader.has(key))
                reader.refuse(key, "needs data: make the direction in, out or inout, and give the argument a source");
        argument.unknown = reader.unknown({"name", "direction", "variable", "type", "value"});
        read_scalar(reader, argument);
        return argument;
    }
    if (direction == "in")
        argument.direction = Direction::in;
    else if (direction == "out")
        argument.direction = Direction::out;
    else if (direction == "inout")
        argument.direction = Direction::inout;
    else
        reader.refuse("direction", direction.empty()
                                       ? std::string("is missing: use in, out, inout or scalar")
                                       : fmt::format("is \"{}\"; use in, out, inout or scalar", direction));
    argument.unknown =
        reader.unknown({"name", "direction", "variable", "source", "texture", "surface", "save", "rate", "expect"});
    if (!reader.has("source")) reader.refuse("source", "is missing: say where the data comes from");
    argument.source = read_data(reader.object("source"), argument.source_unknown);
    if (reader.has("texture")) argument.texture = read_texture(reader.object("texture"));
    if (reader.has("surface")) argument.surface = read_surface(reader.object("surface"));
    argument.save = reader.text("save");
    if (reader.has("rate")) argument.rate = read_rate(reader, argument.save);
    if (reader.has("expect")) argument.expect = read_expectation(reader.object("expect"));
    if (argument.direction == Direction::in && (!argument.save.empty() || argument.expect))
        reader.refuse(argument.expect ? "expect" : "save", "belongs to an out or inout argument; this one is in");
    return argument;
}

Program read_program(const JsonReader& reader) {
    Program program;
    program.arguments = reader.texts("arguments");
    program.folder = reader.text("folder");
    program.input = reader.text("input");
    for (std::size_t i = 0; i < program.arguments.size(); ++i)
        if (program.arguments[i].find('\0') != std::string::npos)
            reader.refuse("arguments", fmt::format("has a zero byte in its text {}, which no program can be given", i));
    program.unknown = reader.unknown({"arguments", "folder", "input"});
    return program;
}

void check_names(const std::vector<Argument>& arguments) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& name = arguments[i].name;
        if (!name.empty() && !names.insert(name).second)
            throw SessionError(fmt::format("Two arguments are called \"{}\". Give each its own name.", name),
                               fmt::format("/arguments/{}/name", i));
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].direction != Direction::scalar) continue;
        const auto* size_of = std::get_if<SizeOf>(&arguments[i].value);
        if (!size_of) continue;
        bool found = false;
        for (const auto& other : arguments)
            found = found || (other.name == size_of->argument && other.direction != Direction::scalar);
        if (!found)
            throw SessionError(fmt::format("The value of \"{}\" is the size of \"{}\", but there is no array argument "
                                           "with that name.",
                                           arguments[i].name, size_of->argument),
                               fmt::format("/arguments/{}/value/size_of", i));
    }
}

void check_version(const JsonReader& reader) {
    if (!reader.has("warplight"))
        reader.refuse("warplight", fmt::format("is missing, so this is not a Warplight session: it starts with "
                                               "\"warplight\": {}",
                                               format_version));
    const auto version = reader.unsigned_integer("warplight", 0);
    if (version > static_cast<std::uint64_t>(format_version))
        throw SessionError(
            fmt::format("This session is written in format version {}; this Warplight reads up to version "
                        "{}. Update Warplight to open it.",
                        version, format_version),
            "/warplight");
    if (version == 0) reader.refuse("warplight", fmt::format("must be the format version, {}", format_version));
}

/// Earlier versions read these files as raw numbers.
void read_as_before(std::vector<Argument>& arguments) {
    for (Argument& argument : arguments) {
        // Raw numbers need a type, and no array's name: without the one, or with the other, it is meant as now.
        if (auto* file = std::get_if<FileSource>(&argument.source); file && file->offset == 0 && !file->dtype.empty() &&
                                                                    file->member.empty() &&
                                                                    is_raw_before_version_4(file->path))
            file->raw = true;
        if (argument.expect && argument.expect->member.empty() && is_raw_before_version_4(argument.expect->path))
            argument.expect->raw = true;
    }
}

Session read_session(const ordered_json& document) {
    const JsonReader reader(document, {});
    check_version(reader);
    Session session;
    session.title = reader.text("title");
    session.description = reader.text("description");
    session.notes = read_notes(reader);
    session.source = read_source(reader);
    session.compile = read_compile(reader.object("compile"));
    session.kernel = reader.text("kernel");
    if (const auto* arguments = reader.find("arguments")) {
        if (!arguments->is_array()) reader.refuse("arguments", "must be a list of objects");
        for (std::size_t i = 0; i < arguments->size(); ++i)
            session.arguments.push_back(read_argument(JsonReader((*arguments)[i], fmt::format("/arguments/{}", i))));
        check_names(session.arguments);
        if (reader.unsigned_integer("warplight", 0) < 4) read_as_before(session.arguments);
    }
    session.launch = read_launch(reader.object("launch"));
    if (reader.has("pipeline")) session.pipeline = read_pipeline(reader.object("pipeline"));
    if (reader.has("program")) session.program = read_program(reader.object("program"));
    session.device = reader.text("device", session.device);
    parse_device(session.device);
    constexpr auto most = std::numeric_limits<int>::max();
    session.repeat = static_cast<int>(reader.unsigned_integer("repeat", 1, most));
    if (session.repeat < 1) reader.refuse("repeat", "must be 1 or more");
    session.warmup = static_cast<int>(reader.unsigned_integer("warmup", 0, most));
    const auto l2 = reader.text("l2", "warm");
    if (l2 != "warm" && l2 != "cold") reader.refuse("l2", "must be \"warm\" or \"cold\"");
    session.cold_l2 = l2 == "cold";
    for (const std::string& name : reader.texts("checks")) {
        const auto check = name.empty() ? std::nullopt : findings::Checks::parse(name);
        constexpr std::size_t longest = 40;
        if (!check)
            reader.refuse("checks", fmt::format("has {}, which is no check; there are {}",
                                                name.size() > longest ? fmt::format("a text of {} bytes", name.size())
                                                                      : fmt::format("\"{}\"", name),
                                                findings::names_of_checks()));
        session.checks.add(*check);
    }
    session.profile = reader.boolean("profile", false);
    if (reader.has("sweep")) session.sweep = read_sweep(reader.object("sweep"));
    if (reader.has("exercise")) session.exercise = read_exercise(reader.object("exercise"));
    session.unknown = reader.unknown({"warplight", "title", "description", "notes", "source", "compile", "kernel",
                                      "arguments", "launch", "pipeline", "program", "device", "repeat", "warmup", "l2",
                                      "checks", "profile", "sweep", "exercise"});
    return session;
}

} // namespace

Session parse(std::string_view text) { return read_session(parse_json(text, "The session")); }

Session session_from_json(const nlohmann::json& document) { return read_session(ordered(document)); }

Session load(const std::filesystem::path& file) {
    std::string text;
    try {
        text = files::read_text(file, files::Kind::session);
    } catch (const files::InputError& error) {
        throw SessionError(fmt::format("The session cannot be read: {}.", error.what()));
    }
    try {
        return parse(text);
    } catch (const SessionError& error) {
        throw SessionError(fmt::format("{}: {}", file.string(), error.what()), error.pointer, error.line, error.column);
    }
}

void save(const Session& session, const std::filesystem::path& file) {
    try {
        write_file_atomically(file, to_text(session));
    } catch (const Error& error) {
        throw SessionError(fmt::format("The session cannot be saved: {}", error.what()));
    }
}

} // namespace warplight::session
