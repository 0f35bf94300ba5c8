// SPDX-License-Identifier: GPL-3.0-or-later
// The subcommands. Each function adds one with its options. The chosen subcommand sets the exit code:
// 0 success, 1 an expectation failed, 2 bad usage or input, 3 compile error, 4 device or launch error, 5 checks
// of the kernel found something, 6 a limit was reached.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warplight::cli {

enum ExitCode {
    success = 0,
    expectation_failed = 1,
    bad_input = 2,
    compile_failed = 3,
    device_failed = 4,
    checks_found = 5,
    limit_reached = 6
};

#ifdef WARPLIGHT_HAS_DEBUGGER
void add_debug(CLI::App& app, int& exit_code);
#endif
void add_devices(CLI::App& app, int& exit_code);
/// A task of a sweep or a class on many devices: hidden, as engines start it.
void add_cluster_work(CLI::App& app, int& exit_code);
void add_compile(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_doctor(CLI::App& app, int& exit_code);
/// Removes the arguments behind the first `--` and returns them: the program of `exec`, with options of its own.
std::vector<std::string> take_program(int& argc, char** argv);
void add_exec(CLI::App& app, int& exit_code, std::vector<std::string> program);
/// Of one solution of an exercise.
void add_exercise(CLI::App& app, int& exit_code);
/// Of a session as a program.
void add_export(CLI::App& app, int& exit_code);
void add_import(CLI::App& app, int& exit_code);
/// Of all solutions that a class has handed in.
void add_grade(CLI::App& app, int& exit_code);
/// Of the runs that were kept.
void add_history(CLI::App& app, int& exit_code);
void add_inspect(CLI::App& app, int& exit_code);
/// What serves the devices of this machine to others.
/// Other machines.
void add_remote(CLI::App& app, int& exit_code);
void add_remote_here(CLI::App& app, int& exit_code);
void add_remote_serve(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_sweep(CLI::App& app, int& exit_code);
void add_toolkit(CLI::App& app, int& exit_code);
void add_worker(CLI::App& app, int& exit_code);

} // namespace warplight::cli
