// SPDX-License-Identifier: Apache-2.0
// Writes a session as its document.
#include "formats/array_writer.hpp"
#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/exercise_document.hpp"
#include "session/json_reader.hpp"
#include "session/pipeline_document.hpp"
#include "session/sweep_document.hpp"
#include "session/texture_document.hpp"

#include <algorithm>

namespace warplight::session {
namespace {

ordered_json write_source(const Source& source) {
    if (!source.path.empty() || source.text.empty()) return source.path;
    ordered_json object = {{"name", source.name.empty() ? "kernel.cu" : source.name}, {"text", source.text}};
    add_unknown(object, source.unknown);
    return object;
}

ordered_json write_compile(const CompileOptions& options) {
    ordered_json object = {{"compiler", options.compiler}, {"arch", options.arch}, {"options", options.options}};
    if (!options.line_info) object["line_info"] = false;
    add_unknown(object, options.unknown);
    return object;
}

struct WriteData {
    ordered_json operator()(const FileSource& file) const {
        ordered_json object = {{"kind", "file"}, {"path", file.path}};
        if (!file.dtype.empty()) object["dtype"] = file.dtype;
        if (file.shape) object["shape"] = *file.shape;
        if (file.offset) object["offset"] = file.offset;
        if (!file.member.empty()) object["member"] = file.member;
        if (file.raw) object["raw"] = true;
        return object;
    }
    ordered_json operator()(const ZerosSource& zeros) const {
        return {{"kind", "zeros"}, {"dtype", zeros.dtype}, {"shape", zeros.shape}};
    }
    ordered_json operator()(const ConstantSource& constant) const {
        return {{"kind", "constant"},
                {"dtype", constant.dtype},
                {"shape", constant.shape},
                {"value", from_number(constant.value)}};
    }
    ordered_json operator()(const ArangeSource& arange) const {
        return {{"kind", "arange"},
                {"dtype", arange.dtype},
                {"shape", arange.shape},
                {"start", from_number(arange.start)},
                {"step", from_number(arange.step)}};
    }
    ordered_json operator()(const LinspaceSource& linspace) const {
        return {{"kind", "linspace"},
                {"dtype", linspace.dtype},
                {"shape", linspace.shape},
                {"start", from_number(linspace.start)},
                {"stop", from_number(linspace.stop)}};
    }
    ordered_json operator()(const FormulaSource& formula) const {
        return {{"kind", "formula"},
                {"dtype", formula.dtype},
                {"shape", formula.shape},
                {"expression", formula.expression}};
    }
    ordered_json operator()(const FieldsSource& source) const {
        ordered_json fields = ordered_json::object();
        for (const auto& each : source.fields)
            fields[each.path] = each.expression;
        return {{"kind", "fields"}, {"shape", source.shape}, {"fields", std::move(fields)}};
    }
    ordered_json operator()(const RandomSource& random) const {
        ordered_json object = {{"kind", "random"}, {"dtype", random.dtype}, {"shape", random.shape}};
        if (random.distribution == RandomSource::Distribution::uniform) {
            object["distribution"] = "uniform";
            object["low"] = from_number(random.low);
            object["high"] = from_number(random.high);
        } else {
            object["distribution"] = "normal";
            object["mean"] = from_number(random.mean);
            object["stddev"] = from_number(random.stddev);
        }
        object["seed"] = random.seed;
        return object;
    }
};

ordered_json write_expectation(const Expectation& expectation) {
    ordered_json object = ordered_json::object();
    if (!expectation.digest.empty()) {
        object["digest"] = expectation.digest;
        add_unknown(object, expectation.unknown);
        return object;
    }
    if (!expectation.expression.empty()) {
        object["expression"] = expectation.expression;
    } else if (!expectation.path.empty()) {
        object["path"] = expectation.path;
        if (!expectation.member.empty()) object["member"] = expectation.member;
        if (expectation.raw) object["raw"] = true;
    } else {
        object["session"] = expectation.session;
        object["argument"] = expectation.argument;
    }
    object["rtol"] = from_number(expectation.rtol);
    object["atol"] = from_number(expectation.atol);
    add_unknown(object, expectation.unknown);
    return object;
}

ordered_json write_numbers(const Argument& argument) {
    const auto type = scalar_type(argument.type);
    const auto write = [&](const Number& number) -> ordered_json {
        if (type && type->component == "bool") return as_double(number) != 0;
        return from_number(number);
    };
    if (const auto* number = std::get_if<Number>(&argument.value)) return write(*number);
    ordered_json list = ordered_json::array();
    for (const Number& each : std::get<Components>(argument.value))
        list.push_back(write(each));
    return list;
}

ordered_json write_argument(const Argument& argument) {
    constexpr const char* directions[] = {"in", "out", "inout", "scalar"};
    ordered_json object = {{"name", argument.name}, {"direction", directions[static_cast<int>(argument.direction)]}};
    if (argument.variable) object["variable"] = true;
    if (argument.direction == Direction::scalar) {
        object["type"] = argument.type;
        if (const auto* size_of = std::get_if<SizeOf>(&argument.value)) {
            object["value"] = {{"size_of", size_of->argument}};
            if (size_of->axis) object["value"]["axis"] = *size_of->axis;
        } else if (const auto* fields = std::get_if<StructValue>(&argument.value)) {
            object["value"] = ordered_json::parse(fields->json, nullptr, false);
        } else if (const auto* named = std::get_if<Enumerator>(&argument.value)) {
            object["value"] = named->name;
        } else {
            object["value"] = write_numbers(argument);
        }
    } else {
        object["source"] = std::visit(WriteData{}, argument.source);
        add_unknown(object["source"], argument.source_unknown);
        if (argument.texture) object["texture"] = write_texture(*argument.texture);
        if (argument.surface) object["surface"] = write_surface(*argument.surface);
        if (!argument.save.empty()) object["save"] = argument.save;
        if (argument.rate) object["rate"] = argument.rate;
        if (argument.expect) object["expect"] = write_expectation(*argument.expect);
    }
    add_unknown(object, argument.unknown);
    return object;
}

void write_kernel(const Session& session, ordered_json& document) {
    document["kernel"] = session.kernel;
    document["arguments"] = ordered_json::array();
    for (const auto& argument : session.arguments)
        document["arguments"].push_back(write_argument(argument));
    document["launch"] = write_launch(session.launch);
    if (session.pipeline) document["pipeline"] = write_pipeline(*session.pipeline);
}

ordered_json write_program(const Program& program) {
    ordered_json object = {{"arguments", program.arguments}};
    if (!program.folder.empty()) object["folder"] = program.folder;
    if (!program.input.empty()) object["input"] = program.input;
    add_unknown(object, program.unknown);
    return object;
}

bool needs_second_version(const Argument& argument) {
    if (argument.variable) return true;
    if (argument.direction == Direction::scalar) return dtype_of_type(argument.type).empty();
    return std::holds_alternative<FormulaSource>(argument.source) ||
           (argument.expect && !argument.expect->expression.empty());
}

/// A struct, or an array of structs.
bool has_struct(const Argument& argument) {
    if (argument.direction == Direction::scalar) return argument.type == struct_type;
    return std::visit([](const auto& source) { return source.dtype == struct_type; }, argument.source);
}

bool needs_third_version(const Session& session) {
    return session.notes.any() || (!session.program && (session.pipeline || session.exercise ||
                                                        std::ranges::any_of(session.arguments, has_struct)));
}

/// Earlier versions read the file otherwise.
bool needs_fourth_version(const FileSource& file) {
    if (is_raw_before_version_4(file.path)) return file.offset == 0 && !file.raw;
    return file.raw && kind_of_file(path_from_utf8(file.path)) != FileKind::raw;
}

bool needs_fourth_version(const Expectation& expectation) {
    return !expectation.digest.empty() || needs_fourth_version(FileSource{.path = expectation.path,
                                                                          .dtype = {},
                                                                          .shape = {},
                                                                          .member = expectation.member,
                                                                          .raw = expectation.raw});
}

bool needs_fourth_version(const Argument& argument) {
    if (argument.direction == Direction::scalar) return std::holds_alternative<Enumerator>(argument.value);
    if (argument.texture || argument.surface) return true;
    if (argument.expect && needs_fourth_version(*argument.expect)) return true;
    const auto* file = std::get_if<FileSource>(&argument.source);
    const std::string saved = lower_extension(path_from_utf8(argument.save));
    return (file && needs_fourth_version(*file)) || (saved != ".npy" && formats::is_written(saved));
}

bool has_digest(const ExerciseCase& each) { return each.arguments.find("\"digest\"") != std::string::npos; }

bool needs_fourth_version(const Session& session) {
    if (session.program) return false;
    const auto needs = [](const Argument& each) { return needs_fourth_version(each); };
    return session.cold_l2 || (session.sweep && session.sweep->is_of_fourth_version()) ||
           std::ranges::any_of(session.arguments, needs) ||
           (session.exercise && std::ranges::any_of(session.exercise->cases, has_digest));
}

/// An earlier program opens what it understands, and refuses the rest.
int version_of(const Session& session) {
    if (needs_fourth_version(session)) return 4;
    if (needs_third_version(session)) return 3;
    const bool second = std::ranges::any_of(session.arguments, needs_second_version) ||
                        ((session.sweep || session.launch.options.any()) && !session.program);
    return second ? 2 : 1;
}

ordered_json write_session(const Session& session) {
    ordered_json document = {{"warplight", version_of(session)}};
    document["title"] = session.title;
    document["description"] = session.description;
    if (session.notes.any()) document["notes"] = write_notes(session.notes);
    document["source"] = write_source(session.source);
    document["compile"] = write_compile(session.compile);
    if (session.program)
        document["program"] = write_program(*session.program);
    else
        write_kernel(session, document);
    document["device"] = session.device;
    if (!session.program) {
        document["repeat"] = session.repeat;
        document["warmup"] = session.warmup;
        if (session.cold_l2) document["l2"] = "cold";
        if (session.checks.any()) document["checks"] = session.checks.words();
        if (session.profile) document["profile"] = true;
        if (session.sweep) {
            document["sweep"] = write_sweep(*session.sweep);
            add_unknown(document["sweep"], session.sweep->unknown);
        }
        if (session.exercise) document["exercise"] = write_exercise(*session.exercise);
    }
    add_unknown(document, session.unknown);
    return document;
}

} // namespace

std::string to_text(const Session& session) {
    return write_session(session).dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

nlohmann::json to_json(const Session& session) { return write_session(session); }

} // namespace warplight::session
