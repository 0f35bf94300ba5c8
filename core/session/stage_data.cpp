// SPDX-License-Identifier: Apache-2.0
// Prepares the arguments: reads inputs and expectations, and finds the files of the results.
#include "session/stages.hpp"

#include "files/paths.hpp"
#include "formats/array_writer.hpp"
#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/digest.hpp"
#include "session/generators.hpp"
#include "session/result_paths.hpp"
#include "session/saved_results.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace warplight::session {
namespace fs = std::filesystem;

fs::path saved_by(const Expectation& expectation, const Reach& reach) {
    const auto document = reach.for_reading(reach.place(expectation.session));
    const auto other = load(document);
    for (const auto& argument : other.arguments) {
        if (argument.name != expectation.argument) continue;
        if (argument.save.empty())
            throw SessionError(fmt::format("{} does not save its argument \"{}\": give it a \"save\" path there.",
                                           document.string(), argument.name));
        const auto file = path_for_writing(document.parent_path(), argument.save);
        if (!fs::exists(file))
            throw SessionError(
                fmt::format("The result {} does not exist yet: run {} first.", file.string(), document.string()));
        return file;
    }
    throw SessionError(fmt::format("{} has no argument \"{}\".", document.string(), expectation.argument));
}

namespace {

void read_expected(const Expectation& expectation, const Reach& reach, ArgumentData& data) {
    FileSource source;
    if (!expectation.path.empty()) {
        source.path = expectation.path;
        source.member = expectation.member;
        source.raw = expectation.raw;
        data.expected_path = expectation.path;
    } else {
        const auto file = saved_by(expectation, reach);
        const auto name = file.u8string();
        source.path.assign(name.begin(), name.end());
        if (formats::takes_several(lower_extension(file))) source.member = expectation.argument;
        data.expected_path = file.string();
    }
    const auto file = path_from_utf8(source.path);
    if ((source.raw || !has_structs(file)) && !data.input.dtype().is_numeric())
        throw SessionError(fmt::format("{} is no .npy or .npz file, whose fields structs are compared by. Save the "
                                       "expected structs with NumPy.",
                                       data.expected_path));
    if (kind_of_file(file, 0, source.raw) == FileKind::raw) {
        source.dtype = data.input.dtype().name();
        data.expected = read_array(source, reach);
        if (data.expected->size() == data.input.size()) data.expected = data.expected->reshape(data.input.shape());
        return;
    }
    data.expected = read_array(source, reach);
}

void resolve_size(const SizeOf& size_of, const std::vector<ArgumentData>& all, ArgumentData& data) {
    for (const auto& other : all) {
        if (other.argument->direction == Direction::scalar || other.argument->name != size_of.argument) continue;
        std::uint64_t size = other.input.size();
        if (size_of.axis) {
            const auto axis = static_cast<std::size_t>(*size_of.axis);
            if (axis >= other.input.ndim())
                input_error(fmt::format("{} is the length of axis {} of \"{}\", which has {} axes only: {}.",
                                        data.label, axis, size_of.argument, other.input.ndim(),
                                        warplight::to_string(other.input.shape())),
                            data.pointer + "/value/axis");
            size = other.input.shape()[axis];
        }
        data.scalar = pack_scalar(data.argument->type, Number(size));
        return;
    }
    input_error(
        fmt::format("{} is the size of \"{}\", but no array argument has that name.", data.label, size_of.argument),
        data.pointer + "/value/size_of");
}

std::vector<PlannedSave> saves_of(const std::vector<ArgumentData>& all) {
    std::vector<PlannedSave> saves;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].save.empty())
            saves.push_back({.index = i, .label = all[i].label, .pointer = all[i].pointer, .file = all[i].save});
    return saves;
}

void refuse_if(const std::optional<ReportError>& error) {
    if (error) throw StageError(Status::input_error, *error);
}

void check_overwrites(const Session& session, const RunOptions& options, const std::vector<ArgumentData>& all) {
    std::vector<fs::path> expected;
    for (const ArgumentData& data : all)
        if (data.argument->expect && !data.argument->expect->session.empty() && !data.expected_path.empty())
            expected.push_back(path_from_utf8(data.expected_path));
    refuse_if(why_not_saved(saves_of(all), files_read(session, options, expected), options));
}

/// What cannot be saved so is known before the run.
void check_format_of_save(const ArgumentData& data) {
    const bool structs =
        std::visit([](const auto& source) { return source.dtype == struct_type; }, data.argument->source);
    const auto dtype = structs ? DType::opaque(1) : data.input.dtype();
    if (const auto why = formats::why_not_written(lower_extension(data.save), dtype, data.input.shape()); !why.empty())
        throw SessionError(why);
    try {
        formats::check_can_write(data.save);
    } catch (const FileError& error) {
        throw SessionError(error.what());
    }
}

std::vector<std::byte> packed(const Argument& argument) {
    if (const auto* components = std::get_if<Components>(&argument.value))
        return pack_scalar(argument.type, *components);
    if (std::holds_alternative<Enumerator>(argument.value))
        return pack_scalar(argument.type, std::int64_t{0}); // resolve_structs() has its number
    return pack_scalar(argument.type, std::get<Number>(argument.value));
}

/// Of structs there are only the shape and the bytes of files before the source is compiled.
std::optional<NdArray> contents_of_structs(const DataSource& source, const Reach& reach) {
    if (const auto* file = std::get_if<FileSource>(&source)) {
        if (file->dtype != struct_type) return std::nullopt;
        FileSource plain = *file;
        if (const auto kind = kind_of_file(path_from_utf8(file->path), file->offset, file->raw);
            (kind == FileKind::container || kind == FileKind::sound) && !has_structs(path_from_utf8(file->path)))
            throw SessionError("Structs come from .npy and .npz files, and from files of raw bytes.", "/dtype");
        const bool numpy = has_structs(path_from_utf8(file->path));
        plain.dtype = numpy ? "" : "uint8";
        if (!numpy) plain.shape.reset();
        return read_array(plain, reach);
    }
    return std::visit(
        [](const auto& generator) -> std::optional<NdArray> {
            if (generator.dtype != struct_type) return std::nullopt;
            if constexpr (requires { count_elements(generator.shape); }) {
                check_fits_memory(generator.shape, 1);
                return NdArray::empty(generator.shape, DType::opaque(1));
            }
            return std::nullopt;
        },
        source);
}

NdArray first_contents(const DataSource& source, const Reach& reach) {
    if (auto structs = contents_of_structs(source, reach)) return std::move(*structs);
    if (const auto* formula = std::get_if<FormulaSource>(&source)) return array_for_formula(*formula);
    return materialise(source, reach);
}

/// A sound keeps its rate. Other arrays have that of the sounds that are read, where these have one.
void set_rates(std::vector<ArgumentData>& all) {
    std::set<int> rates;
    for (const ArgumentData& each : all)
        if (each.rate) rates.insert(each.rate);
    for (ArgumentData& each : all) {
        if (each.argument->rate)
            each.rate = each.argument->rate;
        else if (!each.rate && rates.size() == 1)
            each.rate = *rates.begin();
    }
}

ArgumentData start(const Argument& argument, std::size_t index) {
    ArgumentData data;
    data.argument = &argument;
    data.pointer = fmt::format("/arguments/{}", index);
    data.label = label_of(argument, index);
    return data;
}

} // namespace

void prepare_data(const Session& session, const RunOptions& options, const RunHooks& hooks,
                  std::vector<ArgumentData>& all) {
    all.clear();
    const auto reach = Reach::of(options);
    for (std::size_t i = 0; i < session.arguments.size(); ++i) {
        const auto& argument = session.arguments[i];
        auto data = start(argument, i);
        try {
            if (argument.direction != Direction::scalar) {
                data.input = first_contents(argument.source, reach);
                data.rate = sound_rate(argument.source, reach);
            }
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + "/source");
        }
        all.push_back(std::move(data));
    }
    set_rates(all);
    for (auto& data : all) {
        if (data.argument->direction != Direction::scalar) continue;
        try {
            if (const auto* size_of = std::get_if<SizeOf>(&data.argument->value))
                resolve_size(*size_of, all, data);
            else if (!data.is_struct()) // whose layout the compiler tells
                data.scalar = packed(*data.argument);
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + "/value");
        }
    }
    fill_formulas(hooks, all);
    for (auto& data : all) {
        const auto& argument = *data.argument;
        if (argument.direction == Direction::scalar) continue;
        std::string place = "/save";
        try {
            if (!argument.save.empty()) {
                data.save = path_of_save(argument, options);
                check_format_of_save(data);
            }
            place = "/expect";
            if (argument.expect && argument.expect->expression.empty() && argument.expect->digest.empty())
                read_expected(*argument.expect, reach, data);
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + place);
        }
        if (argument.expect && !argument.expect->expression.empty()) expect_formula(hooks, all, data);
    }
    if (!options.fetched) {
        check_overwrites(session, options, all);
    } else if (!options.fetched->empty()) {
        refuse_if(error_from_json(nlohmann::json::parse(*options.fetched)));
    }
}

namespace {

/// What is expected is not known, so no place can be told.
Comparison compare_digest(const NdArray& result, const std::string& expected) {
    Comparison comparison;
    comparison.elements = result.size();
    comparison.digest = result_digest(result);
    comparison.passed = comparison.digest == expected;
    if (comparison.digest.empty())
        comparison.problem = "it has structs, which are not compared by a digest";
    else if (!comparison.passed)
        comparison.problem = "the result is not the expected one, of which only a digest is known";
    return comparison;
}

} // namespace

void compare_results(const std::vector<ArgumentData>& arguments, const std::function<bool()>& cancelled,
                     Report& report) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& data = arguments[i];
        const bool by_digest = data.argument->expect && !data.argument->expect->digest.empty();
        if (!data.output || (!data.expected && !by_digest)) continue;
        const auto& expect = *data.argument->expect;
        auto comparison = by_digest ? compare_digest(*data.output, expect.digest)
                                    : compare(*data.output, *data.expected, {expect.rtol, expect.atol}, cancelled);
        if (comparison.stopped) return;
        comparison.index = static_cast<int>(i);
        comparison.argument = data.argument->name;
        comparison.expected = data.expected_path;
        comparison.formula = expect.expression;
        if (!comparison.passed) report.status = Status::expectation_failed;
        report.comparisons.push_back(std::move(comparison));
    }
}

void check_headers_stay(const std::vector<ArgumentData>& arguments, const std::vector<std::filesystem::path>& headers) {
    refuse_if(why_not_saved_over(saves_of(arguments), headers));
}

namespace {

/// The name of a result in a file that holds several.
std::string name_in_file(const ArgumentData& data, std::size_t index) {
    return data.argument->name.empty() ? fmt::format("arg{}", index) : data.argument->name;
}

} // namespace

void save_results(const std::vector<ArgumentData>& arguments, const RunOptions& options, Report& report) {
    const SavedResults results(options);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& data = arguments[i];
        if (data.save.empty() || !data.output) continue;
        // A file that several share is written once, with all of them.
        const auto shares = [&](const ArgumentData& other) { return other.save == data.save && other.output; };
        if (std::any_of(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(i), shares)) continue;
        std::vector<SavedArray> saved;
        for (std::size_t j = i; j < arguments.size(); ++j)
            if (shares(arguments[j]))
                saved.push_back({name_in_file(arguments[j], j), arguments[j].output.get(), arguments[j].rate});
        try {
            fs::create_directories(files::absolute(data.save).parent_path());
            results.save(data.save, saved, !options.fetched);
        } catch (const std::exception& error) {
            refuse_if(cannot_be_saved({.index = i, .label = data.label, .pointer = data.pointer, .file = data.save},
                                      error.what()));
        }
        for (auto& output : report.outputs)
            if (output.index >= 0 && shares(arguments[static_cast<std::size_t>(output.index)]))
                output.saved = files::absolute(data.save).string();
    }
}

} // namespace warplight::session
