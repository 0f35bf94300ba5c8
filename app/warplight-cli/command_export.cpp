// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"

#include "export/export.hpp"
#include "files/paths.hpp"
#include "session/report.hpp"
#include "session/run_options.hpp"
#include "session/session.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

struct ExportOptions {
    std::string session, format, folder;
    std::vector<std::string> allow;
    bool force = false;
};

int run_export(const ExportOptions& options) {
    const auto file = files::absolute(options.session);
    if (file.extension() != ".warplight")
        throw session::SessionError(
            fmt::format("{} is no session (.warplight). Sessions are exported: the window makes "
                        "one of a source, with its arguments and its launch.",
                        options.session));
    session::RunOptions run;
    run.folder = file.parent_path();
    run.session_path = file.string();
    for (const auto& each : options.allow)
        run.allow.push_back(files::absolute(each));
    const auto* format = exporting::find_format(options.format);
    try {
        const auto made = exporting::export_session(session::load(file), run, {format, options.folder, options.force});
        fmt::print("{} files for {} in {}\n", made.files.size(), format->title, made.folder.string());
        fmt::print("run it there: {}\n", format->start);
    } catch (const exporting::ExportError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return session::exit_code(error.status);
    }
    return success;
}

std::vector<std::string> names_of_formats() {
    std::vector<std::string> names;
    for (const auto& each : exporting::formats())
        names.emplace_back(each.name);
    return names;
}

} // namespace

void add_export(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("export", "Make a program of a session: its kernel, its data and a check");
    auto options = std::make_shared<ExportOptions>();
    command->add_option("SESSION", options->session, "SESSION.warplight")->required()->check(CLI::ExistingFile);
    command->add_option("--as", options->format, "The library that the program uses")
        ->required()
        ->check(CLI::IsMember(names_of_formats()));
    command->add_option("-o,--output", options->folder, "The program's folder, which is made where there is none")
        ->type_name("FOLDER")
        ->required();
    command
        ->add_option("--allow", options->allow,
                     "A folder or file outside of the session's folder that it may use; may be repeated")
        ->type_name("PATH")
        ->check(CLI::ExistingPath)
        ->allow_extra_args(false);
    command->add_flag("--force", options->force, "Replace files that no export has made, or that were changed since");
    command->footer(
        "The folder has the kernel's source, the arrays as .npy files, the program and a README. The program\n"
        "saves what the kernel wrote below results/, and ends with 0 when all is as expected, with 1 when not.");
    command->callback([options, &exit_code] { exit_code = run_export(*options); });
}

} // namespace warplight::cli
