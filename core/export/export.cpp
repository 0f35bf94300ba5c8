// SPDX-License-Identifier: Apache-2.0
#include "export/export.hpp"

#include "export/program_folder.hpp"
#include "files/paths.hpp"

#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace warplight::exporting {
namespace {

/// "cuda-core, cpp-driver or cpp-warplight"
std::string formats_that_set(const session::LaunchOptions& options) {
    std::vector<std::string_view> names;
    for (const Format& each : formats())
        if (!each.beyond(options).any()) names.push_back(each.name);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

/// Formats whose library cannot set them refuse them. @throws ExportError
void check_launch_options(const session::Session& session, const Format& format) {
    const auto check = [&](const session::LaunchOptions& options, const std::string& whose) {
        if (const auto beyond = format.beyond(options); beyond.any())
            throw ExportError(fmt::format("{} has options ({}), which a program for {} cannot set. Export it as {}.",
                                          whose, beyond.text(), format.title, formats_that_set(options)));
    };
    if (!session.pipeline) return check(session.launch.options, "The session's launch");
    session::visit_steps(session.pipeline->steps, [&](const session::PipelineStep& step, const std::string& path) {
        if (const auto* launch = std::get_if<session::LaunchStep>(&step.what))
            check(launch->launch.options, fmt::format("Step {} ({})", path, session::label_of(step)));
    });
}

} // namespace

Exported export_session(const session::Session& session, const session::RunOptions& options,
                        const ExportRequest& request) {
    const auto folder = files::absolute(request.folder);
    if (files::same_place(folder, options.folder))
        throw ExportError(fmt::format("{} is the folder of the session itself. Give the program a folder of its own, "
                                      "such as {}.",
                                      folder.string(), (folder / request.format->name).string()));
    if (!session.program) check_launch_options(session, *request.format);
    const ProgramFolder place(folder, request.force); // refuses early
    const auto experiment = read_experiment(session, options);
    const auto files = files_of(*experiment, *request.format);
    place.write(files, request.format->name);
    Exported exported{folder, {}};
    for (const auto& each : files)
        exported.files.push_back(each.path);
    return exported;
}

} // namespace warplight::exporting
