// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "platform.hpp"
#include "spelling.hpp"

#include "session/session.hpp"
#include "warplight/error.hpp"
#include "warplight/version.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <string>
#include <utility>

int main(int argc, char** argv) {
    using namespace warplight;
    cli::platform::write_utf8_to_console();
    CLI::App app{"Warplight: compile, inspect and run GPU kernels, on GPUs and on a software device.", "warplight-cli"};
    app.set_version_flag("--version", fmt::format("warplight-cli {}", version()));
    app.require_subcommand(1);
    app.allow_windows_style_options(false); // "/folder/x.warplight" is a path
    app.footer("Exit codes: 0 success, 1 an expectation failed, 2 bad usage or input, 3 compile error,\n"
               "4 device or launch error, 6 a limit was reached. `warplight-cli COMMAND --help` explains a command.");
    // After a fault every clean-up fails. The fault itself has been reported.
    driver::set_cleanup_reporter([](const Error& error) {
        if (!error.sticky()) fmt::print(stderr, "warplight: clean-up failed: {}\n", error.what());
    });
    int exit_code = cli::success;
    auto program = cli::take_program(argc, argv);
    cli::add_devices(app, exit_code);
    cli::add_cluster_work(app, exit_code);
    cli::add_compile(app, exit_code);
    cli::add_completion(app, exit_code);
#ifdef WARPLIGHT_HAS_DEBUGGER
    cli::add_debug(app, exit_code);
#endif
    cli::add_doctor(app, exit_code);
    cli::add_exec(app, exit_code, std::move(program));
    cli::add_exercise(app, exit_code);
    cli::add_export(app, exit_code);
    cli::add_import(app, exit_code);
    cli::add_grade(app, exit_code);
    cli::add_history(app, exit_code);
    cli::add_inspect(app, exit_code);
    cli::add_remote(app, exit_code);
    cli::add_remote_here(app, exit_code);
    cli::add_remote_serve(app, exit_code);
    cli::add_run(app, exit_code);
    cli::add_sweep(app, exit_code);
    cli::add_toolkit(app, exit_code);
    cli::add_worker(app, exit_code);
    const auto fail = [](std::string_view message, int code) {
        fmt::print(stderr, "error: {}\n", message);
        return code;
    };
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // CLI11 throws --help and --version as errors with code 0.
        if (error.get_exit_code() != 0)
            if (const auto unknown = cli::misspelled(app); !unknown.empty()) return fail(unknown, cli::bad_input);
        return app.exit(error) == 0 ? cli::success : cli::bad_input;
    } catch (const session::SessionError& error) {
        return fail(error.what(), cli::bad_input);
    } catch (const FileError& error) {
        return fail(error.what(), cli::bad_input);
    } catch (const Error& error) {
        return fail(error.what(), cli::device_failed);
    } catch (const std::exception& error) {
        return fail(error.what(), cli::bad_input);
    }
    // A full disk or a closed pipe fails here, when the last text is written.
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        std::perror("error: the output cannot be written");
        return cli::bad_input;
    }
    return exit_code;
}
