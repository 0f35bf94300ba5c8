// SPDX-License-Identifier: Apache-2.0
#include "export/export.hpp"

#include "export/program_folder.hpp"
#include "files/paths.hpp"

#include <fmt/format.h>

namespace warplight::exporting {
namespace {

/// Formats that do not set them refuse them. @throws ExportError
void check_launch_options(const session::Session& session, const Format& format) {
    const auto check = [&](const session::LaunchOptions& options, const std::string& whose) {
        if (options.any())
            throw ExportError(fmt::format("{} has options ({}), which a program for {} does not set. Export it as "
                                          "cpp-warplight.",
                                          whose, options.text(), format.title));
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
    if (!session.program && !request.format->launch_options) check_launch_options(session, *request.format);
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
