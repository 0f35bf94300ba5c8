// SPDX-License-Identifier: Apache-2.0
#include "session/result_paths.hpp"

#include "files/paths.hpp"
#include "formats/array_writer.hpp"
#include "session/data_file.hpp"
#include "session/data_source.hpp"
#include "session/named_files.hpp"
#include "session/reach.hpp"
#include "session/saved_results.hpp"
#include "session/stages.hpp"

#include <fmt/format.h>
#include <system_error>

namespace warplight::session {
namespace {

namespace fs = std::filesystem;

fs::path output_folder(const RunOptions& options) { return options.out.empty() ? options.folder : options.out; }

ReportError refused_save(const PlannedSave& save, const std::string& why) {
    return {.kind = "input",
            .message = fmt::format("{} would be saved over {}, which {}. Choose another file name.", save.label,
                                   save.file.string(), why),
            .pointer = save.pointer + "/save"};
}

} // namespace

std::string label_of(const Argument& argument, std::size_t index) {
    if (argument.variable) return fmt::format("Variable {}", argument.name);
    return argument.name.empty() ? fmt::format("Argument {}", index)
                                 : fmt::format("Argument {} ({})", index, argument.name);
}

fs::path path_of_save(const Argument& argument, const RunOptions& options) {
    if (const auto problem = files::path_problem(path_from_utf8(argument.save)); !problem.empty())
        throw SessionError(fmt::format("\"{}\" cannot be written: it {}. Correct the path.", argument.save, problem));
    auto path = options.trusted ? files::join(output_folder(options), path_from_utf8(argument.save))
                                : path_for_writing(output_folder(options), argument.save, Reach({}, options.allow));
    if (!formats::is_written(lower_extension(path)))
        throw SessionError(fmt::format("\"{}\" must end in one of {}: results are saved in these formats.",
                                       argument.save, formats::extensions_for_writing()));
    return path;
}

bool share_file(const fs::path& one, const fs::path& other) {
    return one == other && formats::takes_several(lower_extension(one));
}

std::vector<ReadFile> files_read(const Session& session, const RunOptions& options,
                                 const std::vector<fs::path>& expected) {
    const auto reach = Reach::of(options);
    std::vector<ReadFile> read;
    visit_named_files(session, [&](FileUse use, const std::string& path) {
        const char* how = use == FileUse::source        ? "is the source"
                          : use == FileUse::data        ? "the run reads"
                          : use == FileUse::expectation ? "is an expectation"
                                                        : "is a session that the run reads";
        read.emplace_back(reach.place(path), how);
    });
    for (const fs::path& file : expected)
        if (!file.empty()) read.emplace_back(file, "is an expectation");
    return read;
}

// A result that replaces an input would change the next run, and one that replaces any other file could be a loss.
std::optional<ReportError> why_not_saved(const std::vector<PlannedSave>& saves, const std::vector<ReadFile>& read,
                                         const RunOptions& options) {
    const SavedResults results(options);
    for (std::size_t i = 0; i < saves.size(); ++i) {
        const PlannedSave& save = saves[i];
        for (const auto& [file, how] : read)
            if (files::same_place(save.file, file)) return refused_save(save, how);
        for (std::size_t j = i + 1; j < saves.size(); ++j)
            if (files::same_place(save.file, saves[j].file) && !share_file(save.file, saves[j].file))
                return refused_save(save, "another result goes to");
        if (files::is_held(save.file))
            return ReportError{
                .kind = "input",
                .message = fmt::format("{} cannot be saved as {}: another program has that file open. Close it there, "
                                       "or choose another file name.",
                                       save.label, save.file.string()),
                .pointer = save.pointer + "/save"};
        std::error_code problem;
        if (options.trusted || options.overwrite || fs::is_directory(save.file, problem) ||
            results.may_replace(save.file))
            continue;
        ReportError error{.kind = "input",
                          .message =
                              fmt::format("{} would replace {}, which this session has not written, or which was "
                                          "changed since. Choose another file name, move that file away, or "
                                          "allow it: --overwrite",
                                          save.label, save.file.string()),
                          .pointer = save.pointer + "/save"};
        error.replaces.push_back(utf8_of(save.file));
        return error;
    }
    return std::nullopt;
}

std::optional<ReportError> why_not_saved_over(const std::vector<PlannedSave>& saves,
                                              const std::vector<fs::path>& headers) {
    for (const PlannedSave& save : saves)
        for (const fs::path& header : headers)
            if (files::same_place(save.file, header)) return refused_save(save, "the source includes");
    return std::nullopt;
}

SavePlan plan_saves(const Session& session, const RunOptions& options) {
    SavePlan plan;
    const auto reach = Reach::of(options);
    std::vector<fs::path> expected;
    for (std::size_t i = 0; i < session.arguments.size(); ++i) {
        const Argument& argument = session.arguments[i];
        if (argument.direction == Direction::scalar) continue;
        PlannedSave save{
            .index = i, .label = label_of(argument, i), .pointer = fmt::format("/arguments/{}", i), .file = {}};
        try {
            if (!argument.save.empty()) {
                save.file = path_of_save(argument, options);
                plan.saves.push_back(save);
            }
        } catch (const SessionError& error) {
            if (!plan.refused)
                plan.refused = ReportError{
                    .kind = "input", .message = error.what(), .pointer = save.pointer + "/save" + error.pointer};
        }
        if (!argument.expect || argument.expect->session.empty()) continue;
        try {
            expected.push_back(saved_by(*argument.expect, reach));
        } catch (const SessionError&) { // NOLINT(bugprone-empty-catch): the run says so
        }
    }
    if (!plan.refused) plan.refused = why_not_saved(plan.saves, files_read(session, options, expected), options);
    return plan;
}

ReportError cannot_be_saved(const PlannedSave& save, std::string why) {
    if (!why.ends_with('.')) why += '.';
    return {.kind = "input",
            .message = fmt::format("{} cannot be saved as {}: {} Choose another folder, or make room.", save.label,
                                   save.file.string(), why),
            .pointer = save.pointer + "/save"};
}

} // namespace warplight::session
