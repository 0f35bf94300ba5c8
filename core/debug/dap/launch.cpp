// SPDX-License-Identifier: Apache-2.0
#include "launch.hpp"

#include "compiler/toolchain.hpp"
#include "driver/checks.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/runner.hpp"
#include "worker/request.hpp"
#include "worker/run_request.hpp"

#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace warplight::debug::dap {
namespace {

using nlohmann::json;
using session::path_from_utf8;
using session::utf8_of;

/// A document around a source file: its members are those of sessions.
json document_of(const Arguments& launch, const std::filesystem::path& program) {
    json document{{"warplight", session::format_version}, {"source", utf8_of(program.filename())}};
    for (const char* key : {"kernel", "arguments", "compile"})
        if (const json* value = launch.find(key)) document[key] = *value;
    json extents = json::object();
    for (const char* key : {"grid", "block", "shared", "cooperative"})
        if (const json* value = launch.find(key)) extents[key] = *value;
    if (!extents.empty()) document["launch"] = std::move(extents);
    return document;
}

std::string suffix_of(const std::filesystem::path& path) {
    std::string suffix = utf8_of(path.extension());
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return suffix;
}

/// The debug build: the last of such options counts.
void ask_for_debug_build(session::CompileOptions& compile) {
    std::erase_if(compile.options, [](const std::string& o) {
        return o == "-lineinfo" || o == "--generate-line-info" || o == "-G" || o == "--device-debug";
    });
    compile.options.emplace_back("--device-debug");
    compile.line_info = false;
}

/// What the compiler calls a text that is in no file.
std::string name_of(const session::Source& source) { return source.name.empty() ? "kernel.cu" : source.name; }

/// The session as the client has it: its document, and the text of the source that may not be saved. These are
/// parameters of the worker's `run`.
KernelRun run_of_document(const Arguments& launch) {
    json params = json::object();
    for (const char* key : {"session", "folder", "source_text", "session_path", "allow"})
        if (const json* value = launch.find(key)) params[key] = *value;
    KernelRun run;
    try {
        worker::RunRequest request = worker::run_request_from_json(params);
        run.session = std::move(request.session);
        run.options = std::move(request.options);
    } catch (const worker::RequestError& e) {
        throw RequestError(e.what());
    }
    if (run.options.folder.empty())
        throw RequestError("The argument 'folder' is missing: where the session's paths start.");
    if (run.session.source.path.empty())
        run.unsaved = {name_of(run.session.source), run.options.source_text.value_or(run.session.source.text)};
    return run;
}

KernelRun run_of_program(const Arguments& launch) {
    const auto name = launch.get<std::string>("program");
    const std::filesystem::path given = path_from_utf8(name);
    if (std::string problem = files::path_problem(given); !problem.empty())
        throw RequestError(fmt::format("The program \"{}\" cannot be used: {}.", name, problem));
    const std::filesystem::path program = files::absolute(
        launch.find("cwd") ? files::join(path_from_utf8(launch.get<std::string>("cwd")), given) : given);
    const std::string suffix = suffix_of(program);
    KernelRun run;
    try {
        if (suffix == ".warplight") {
            run.session = session::load(program);
            run.options.session_path = utf8_of(program);
        } else if (suffix == ".cu" || suffix == ".ptx") {
            run.session = session::session_from_json(document_of(launch, program));
        } else {
            throw RequestError("The program must be a session (NAME.warplight), a source (NAME.cu) or PTX (NAME.ptx).");
        }
    } catch (const session::SessionError& e) {
        throw RequestError(e.pointer.empty() ? std::string(e.what()) : fmt::format("{}: {}", e.pointer, e.what()));
    } catch (const Error& e) {
        throw RequestError(e.what());
    }
    run.options.folder = program.parent_path();
    if (run.session.source.path.empty()) run.unsaved = {name_of(run.session.source), run.session.source.text};
    return run;
}

} // namespace

KernelRun kernel_run_of(const Arguments& launch) {
    KernelRun run = launch.find("session") ? run_of_document(launch) : run_of_program(launch);
    if (run.session.program)
        throw RequestError("The session is a program with main(). Only sessions of a kernel can be debugged.");
    if (run.session.pipeline)
        throw RequestError("The session has a pipeline of several steps, and the debugger steps through one launch. "
                           "Debug a session of the kernel that is of interest.");
    if (run.session.source.is_ptx() && run.unsaved.name.empty())
        run.ptx_path = utf8_of(files::join(run.options.folder, path_from_utf8(run.session.source.path)));
    if (!run.session.source.is_ptx()) ask_for_debug_build(run.session.compile);
    run.session.device = "software";
    run.session.checks = {};
    run.session.repeat = 1;
    run.session.warmup = 0;
    // The only kernels that run are the session's: none of those that times need.
    run.options.no_empty_launch = true;
    run.options.l2 = "warm";
    for (session::Argument& argument : run.session.arguments)
        argument.save.clear();
    return run;
}

namespace {

std::string text_of(const session::Report& report) {
    std::string text;
    for (const session::ReportDiagnostic& d : report.diagnostics)
        text += fmt::format("{}:{}:{}: {}: {}\n", d.file, d.line, d.column, d.severity, d.message);
    if (report.error) {
        text += report.error->message + "\n";
        if (!report.error->details.empty()) text += report.error->details + "\n";
    }
    return text;
}

} // namespace

int run_kernel(const KernelRun& run, software::Stepper& stepper, const std::function<bool()>& cancelled,
               const std::function<void(std::string_view, const std::string&)>& tell) {
    try {
        const driver::Driver driver = driver::Driver::from_name("software");
        if (!driver::step_launches(driver, &stepper)) {
            tell("stderr", "The software device of this installation cannot be stepped through.\n");
            return session::exit_code(session::Status::device_error);
        }
        if (!run.session.source.is_ptx()) compiler::toolchain().prepare();
        session::RunHooks hooks;
        hooks.output = [&](std::string_view text) { tell("stdout", std::string(text)); };
        hooks.cancelled = cancelled;
        const session::Report report = session::run(run.session, driver, run.options, hooks).report;
        driver::step_launches(driver, nullptr);
        if (std::string text = text_of(report); !text.empty() && !cancelled()) tell("stderr", text);
        if (session::has_run(report.status))
            tell("console", report.status == session::Status::expectation_failed
                                ? "The kernel has ended. Its results are not those that the session expects.\n"
                                : "The kernel has ended.\n");
        return session::exit_code(report.status);
    } catch (const std::exception& e) {
        tell("stderr", fmt::format("{}\n", e.what()));
        return session::exit_code(session::Status::device_error);
    }
}

} // namespace warplight::debug::dap
