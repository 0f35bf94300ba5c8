// SPDX-License-Identifier: Apache-2.0
// Prepares the arguments: reads inputs and expectations, and finds the files of the results.
#include "session/stages.hpp"

#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "warplight/error.hpp"
#include "warplight/npy.hpp"

#include <fmt/format.h>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

fs::path output_folder(const RunOptions& options) { return options.out.empty() ? options.folder : options.out; }

fs::path path_of_save(const Argument& argument, const RunOptions& options) {
    const auto path = options.trusted
                          ? output_folder(options) / path_from_utf8(argument.save)
                          : path_for_writing(output_folder(options), argument.save, Reach({}, options.allow));
    if (lower_extension(path) != ".npy")
        throw SessionError(
            fmt::format("\"{}\" must end in .npy: that is the format results are saved in.", argument.save));
    return path;
}

// The file that another session has saved for one of its arguments.
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

void read_expected(const Expectation& expectation, const Reach& reach, ArgumentData& data) {
    FileSource source;
    if (!expectation.path.empty()) {
        source.path = expectation.path;
        data.expected_path = expectation.path;
    } else {
        const auto file = saved_by(expectation, reach);
        const auto name = file.u8string();
        source.path.assign(name.begin(), name.end());
        data.expected_path = file.string();
    }
    const auto extension = lower_extension(path_from_utf8(source.path));
    if (extension != ".npy" && extension != ".csv" && extension != ".tsv") {
        // A raw file has the dtype of the result. Images have their own.
        const FileSource typed{source.path, data.input.dtype().name(), std::nullopt, 0};
        const bool image = extension == ".png" || extension == ".jpg" || extension == ".jpeg" || extension == ".bmp" ||
                           extension == ".pgm" || extension == ".ppm" || extension == ".pnm";
        data.expected = read_array(image ? source : typed, reach);
        if (!image && data.expected->size() == data.input.size())
            data.expected = data.expected->reshape(data.input.shape());
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

// A result that replaces an input would change the next run.
void check_overwrites(const std::vector<ArgumentData>& all, const RunOptions& options) {
    const auto same = [](const fs::path& a, const fs::path& b) {
        std::error_code problem;
        return !b.empty() && fs::weakly_canonical(a, problem) == fs::weakly_canonical(b, problem);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].save.empty()) continue;
        for (std::size_t j = 0; j < all.size(); ++j) {
            const auto& other = *all[j].argument;
            const auto* file = std::get_if<FileSource>(&other.source);
            const bool read = other.direction != Direction::scalar && file &&
                              same(all[i].save, options.folder / path_from_utf8(file->path));
            const bool expected = other.expect && !other.expect->path.empty() &&
                                  same(all[i].save, options.folder / path_from_utf8(other.expect->path));
            if (read || expected || (j > i && same(all[i].save, all[j].save)))
                input_error(fmt::format("{} would be saved over {}, which {}. Choose another file name.", all[i].label,
                                        all[i].save.string(),
                                        read       ? "the run reads"
                                        : expected ? "is an expectation"
                                                   : "another result goes to"),
                            all[i].pointer + "/save");
        }
    }
}

ArgumentData start(const Argument& argument, std::size_t index) {
    ArgumentData data;
    data.argument = &argument;
    data.pointer = fmt::format("/arguments/{}", index);
    data.label = argument.name.empty() ? fmt::format("Argument {}", index)
                                       : fmt::format("Argument {} ({})", index, argument.name);
    return data;
}

} // namespace

void prepare_data(const Session& session, const RunOptions& options, std::vector<ArgumentData>& all) {
    all.clear();
    const auto reach = Reach::of(options);
    for (std::size_t i = 0; i < session.arguments.size(); ++i) {
        const auto& argument = session.arguments[i];
        auto data = start(argument, i);
        try {
            if (argument.direction != Direction::scalar) data.input = materialise(argument.source, reach);
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + "/source");
        }
        all.push_back(std::move(data));
    }
    for (auto& data : all) {
        const auto& argument = *data.argument;
        if (argument.direction == Direction::scalar) continue;
        std::string place = "/save";
        try {
            if (!argument.save.empty()) data.save = path_of_save(argument, options);
            place = "/expect";
            if (argument.expect) read_expected(*argument.expect, reach, data);
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + place);
        }
    }
    check_overwrites(all, options);
    for (auto& data : all) {
        if (data.argument->direction != Direction::scalar) continue;
        try {
            if (const auto* size_of = std::get_if<SizeOf>(&data.argument->value))
                resolve_size(*size_of, all, data);
            else
                data.scalar = pack_scalar(data.argument->type, std::get<Number>(data.argument->value));
        } catch (const SessionError& error) {
            input_error_at(error, data.pointer + "/value");
        }
    }
}

void compare_results(const std::vector<ArgumentData>& arguments, const std::function<bool()>& cancelled,
                     Report& report) {
    for (const auto& data : arguments) {
        if (!data.expected || !data.output) continue;
        const auto& expect = *data.argument->expect;
        auto comparison = compare(*data.output, *data.expected, {expect.rtol, expect.atol}, cancelled);
        if (comparison.stopped) return;
        comparison.argument = data.argument->name;
        comparison.expected = data.expected_path;
        if (!comparison.passed) report.status = Status::expectation_failed;
        report.comparisons.push_back(std::move(comparison));
    }
}

void save_results(const std::vector<ArgumentData>& arguments, Report& report) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& data = arguments[i];
        if (data.save.empty() || !data.output) continue;
        try {
            fs::create_directories(fs::absolute(data.save).parent_path());
            save_npy(data.save, *data.output);
        } catch (const std::exception& error) {
            std::string why = error.what();
            if (!why.ends_with('.')) why += '.';
            input_error(fmt::format("{} cannot be saved as {}: {} Choose another folder, or make room.", data.label,
                                    data.save.string(), why),
                        data.pointer + "/save");
        }
        for (auto& output : report.outputs)
            if (output.index == static_cast<int>(i)) output.saved = fs::absolute(data.save).lexically_normal().string();
    }
}

} // namespace warplight::session
