// SPDX-License-Identifier: Apache-2.0
#include "export/export.hpp"

#include "export/program_folder.hpp"
#include "files/paths.hpp"

#include <fmt/format.h>

namespace warplight::exporting {

Exported export_session(const session::Session& session, const session::RunOptions& options,
                        const ExportRequest& request) {
    const auto folder = files::absolute(request.folder);
    if (files::same_place(folder, options.folder))
        throw ExportError(fmt::format("{} is the folder of the session itself. Give the program a folder of its own, "
                                      "such as {}.",
                                      folder.string(), (folder / request.format->name).string()));
    if (const auto& launch = session.launch.options;
        launch.any() && !session.program && !request.format->launch_options)
        throw ExportError(fmt::format("The session's launch has options ({}), which a program for {} does not set. "
                                      "Export it as cpp-warplight.",
                                      launch.text(), request.format->title));
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
