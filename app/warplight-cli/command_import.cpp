// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"

#include "compiler/platform.hpp"
#include "files/held_folder.hpp"
#include "files/paths.hpp"
#include "import/import.hpp"
#include "session/data_file.hpp"
#include "worker/client.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

struct ImportOptions {
    std::string source, kernel, folder, program;
    std::vector<std::string> options, arguments;
    std::uint64_t launch = 1;
};

/// `warplight-cli exec`, which waits for the program and answers with what it wrote.
compiler::platform::ProcessResult exec(std::vector<std::string> command, const std::filesystem::path& folder) {
    command.insert(command.begin(), {session::utf8_of(worker::find_worker()), "exec"});
    return compiler::platform::run_process(command, folder, [] { return false; });
}

int run_import(const ImportOptions& options) {
    compiler::platform::keep_process_group(); // what ends this command ends the program that it runs
    const auto source = files::absolute(session::path_from_utf8(options.source));
    const files::HeldFolder room("import");
    std::string program = options.program;
    if (program.empty()) {
        program = session::utf8_of(room.path() / "program");
        std::vector<std::string> command{"--", "nvcc", session::utf8_of(source), "-o", program};
        command.insert(command.end(), options.options.begin(), options.options.end());
        const auto built = exec(command, source.parent_path());
        if (!built.started || built.exit_code != 0) {
            fmt::print(stderr, "{}error: {} could not be built. --program names one that is built already.\n",
                       built.output, options.source);
            return compile_failed;
        }
    } else {
        program = session::utf8_of(files::absolute(session::path_from_utf8(program)));
    }
    const auto snapshot = room.path() / "launch";
    std::filesystem::create_directory(snapshot);
    std::vector<std::string> command{"--snapshot",
                                     session::utf8_of(snapshot),
                                     "--snapshot-kernel",
                                     options.kernel,
                                     "--snapshot-launch",
                                     std::to_string(options.launch),
                                     "--",
                                     program};
    command.insert(command.end(), options.arguments.begin(), options.arguments.end());
    const auto ran = exec(command, {}); // where the user is, for its files
    // What it did is not what the user wants to see, unless it failed.
    if (!ran.started || ran.exit_code != 0)
        fmt::print(stderr, "{}warning: the program ended with the exit code {}\n", ran.output, ran.exit_code);
    try {
        const auto made = importing::import_launch({source, options.kernel, options.options, snapshot,
                                                    files::absolute(session::path_from_utf8(options.folder))});
        for (const auto& note : made.notes)
            fmt::print(stderr, "note: {}\n", note);
        fmt::print("session: {}\n", session::utf8_of(made.session));
    } catch (const importing::ImportError& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return bad_input;
    }
    return success;
}

} // namespace

void add_import(CLI::App& app, int& exit_code) {
    auto* command =
        app.add_subcommand("import", "Make a session of a launch in a CUDA program: its kernel and its data");
    auto options = std::make_shared<ImportOptions>();
    command->add_option("FILE", options->source, "The program's .cu file that has the kernel")
        ->required()
        ->check(CLI::ExistingFile);
    command->add_option("--kernel", options->kernel, "The kernel, by its name in the source")->required();
    command->add_option("--launch", options->launch, "Which of its launches; default 1, the first")
        ->check(CLI::PositiveNumber);
    command->add_option("-o,--output", options->folder, "The session's folder, which is made where there is none")
        ->type_name("FOLDER")
        ->required();
    command
        ->add_option("--program", options->program,
                     "The program, where it is more than the file; it is linked with the shared runtime library")
        ->type_name("PROGRAM")
        ->check(CLI::ExistingFile);
    command->add_option("--argument", options->arguments, "An argument of the program; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--option", options->options, "An option of the compiler: --option=-DN=4")
        ->allow_extra_args(false);
    command->footer("The program is built by nvcc and runs on the software device, not confined: it is your own. What\n"
                    "the launch read becomes the session's data, and what it left the expectation of each result.");
    command->callback([options, &exit_code] { exit_code = run_import(*options); });
}

} // namespace warplight::cli
