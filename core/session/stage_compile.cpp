// SPDX-License-Identifier: Apache-2.0
// Compiles the session's source and finds the kernel to load.
#include "session/stages.hpp"

#include "files/input_file.hpp"
#include "files/paths.hpp"
#include "session/data_file.hpp"
#include "session/local_arrays.hpp"
#include "session/occupancy.hpp"
#include "session/options_check.hpp"
#include "session/pipeline_plan.hpp"
#include "session/reach.hpp"
#include "warplight/device.hpp"
#include "warplight/driver.hpp"
#include "warplight/error.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace warplight::session {
namespace {

struct SourceText {
    std::string text;
    std::string name;
    std::filesystem::path folder;
};

SourceText read_source(const Session& session, const RunOptions& options, const Reach& reach) {
    const auto& source = session.source;
    SourceText result;
    if (session.program)
        input_error(
            "The session describes a program with main(), which `run` cannot confine. Open it in the window, or "
            "build it with `warplight-cli exec -- nvcc SOURCE -o PROGRAM` and run it with `warplight-cli exec -- "
            "./PROGRAM`.",
            "/program");
    result.folder = options.folder;
    if (source.path.empty()) {
        result.text = options.source_text.value_or(source.text);
        result.name = source.name.empty() ? "kernel.cu" : source.name;
        if (result.text.empty())
            input_error("The session has no source. Give a file as \"source\", or the text itself.", "/source");
        return result;
    }
    const auto named = path_from_utf8(source.path);
    auto file = files::path_problem(named).empty() ? files::join(options.folder, named) : named;
    result.name = source.path;
    result.folder = file.parent_path();
    // A text in an editor comes from the file, too.
    try {
        file = reach.for_reading(file);
    } catch (const SessionError& error) {
        input_error_at(error, "/source");
    }
    if (options.source_text) {
        result.text = *options.source_text;
        return result;
    }
    try {
        result.text = files::read_text(file, files::Kind::source);
    } catch (const files::InputError& error) {
        const char* where = options.trusted ? "" : " Paths start at the session's folder.";
        input_error(fmt::format("The source cannot be read: {}.{}", error.what(), where), "/source");
    }
    return result;
}

void add_diagnostics(const std::vector<compiler::Diagnostic>& diagnostics, Report& report) {
    for (const auto& each : diagnostics)
        report.diagnostics.push_back({each.file, each.line, each.column,
                                      std::string(compiler::severity_name(each.severity)), each.message, each.notes});
}

std::string shown_name(const compiler::Kernel& kernel) { return kernel.name.empty() ? kernel.lowered : kernel.name; }

std::string list_of(const std::vector<compiler::Kernel>& kernels) {
    std::string list;
    for (const auto& each : kernels)
        list += fmt::format("{}{}{}", list.empty() ? "" : ", ", shown_name(each), each.is_template ? "<…>" : "");
    return list;
}

const compiler::Kernel& find_kernel(const std::vector<compiler::Kernel>& kernels, const KernelName& wanted) {
    const auto& [name, pointer] = wanted;
    if (name.empty()) {
        if (kernels.size() == 1 && !kernels.front().is_template) return kernels.front();
        input_error(kernels.empty() ? std::string("The source has no kernel: a __global__ function.")
                                    : fmt::format("Which kernel is to run? The source has: {}.", list_of(kernels)),
                    pointer);
    }
    for (const auto& each : kernels)
        if ((each.name == name || each.lowered == name) && !each.is_template) return each;
    // The source itself may instantiate a template.
    std::vector<const compiler::Kernel*> instances;
    for (const auto& each : kernels)
        if (each.name.starts_with(name + "<") && !each.is_template) instances.push_back(&each);
    if (instances.size() == 1) return *instances.front();
    if (!instances.empty())
        input_error(
            fmt::format("{} is a template. Name the instance to run, such as {}.", name, instances.front()->name),
            pointer);
    for (const auto& each : kernels)
        if (each.name == name)
            input_error(fmt::format("{} is a template. Name the instance to run, such as {}<float>.", name, name),
                        pointer);
    input_error(kernels.empty()
                    ? fmt::format("There is no kernel \"{}\": the source has no __global__ function.", name)
                    : fmt::format("There is no kernel \"{}\" in the source. It has: {}.", name, list_of(kernels)),
                pointer);
}

CompiledSource from_ptx(const SourceText& source, const Session& session, const RunHooks& hooks,
                        const CompileTarget& target, Report& report) {
    CompiledSource result;
    result.ptx = source.text;
    result.ptx_name = source.name;
    result.variables = compiler::parse_ptx_variables(source.text);
    result.references = compiler::parse_ptx_references(source.text);
    result.layouts = [text = source.text] { return layouts_of_ptx(text); };
    const auto kernels = compiler::parse_ptx_entries(source.text);
    std::vector<compiler::KernelResources> resources;
    if (target.ptxas) {
        std::string why_not; // without ptxas the device estimates
        resources = compiler::ptxas_report(source.text, fmt::format("sm_{}{}", target.major, target.minor), why_not,
                                           hooks.cancelled);
    }
    for (const KernelName& wanted : kernels_of(session)) {
        CompiledKernel compiled;
        // Kernels of damaged PTX cannot be listed. The driver refuses it, and its log names the line.
        if (kernels.empty() && !wanted.name.empty()) {
            compiled.lowered = wanted.name;
        } else {
            compiled.kernel = find_kernel(kernels, wanted);
            compiled.lowered = compiled.kernel.lowered.empty() ? compiled.kernel.name : compiled.kernel.lowered;
        }
        compiled.registers = registers_of(resources, compiled.lowered);
        result.kernels.push_back(std::move(compiled));
    }
    report.lowered = result.kernels.empty() ? "" : result.kernels.front().lowered;
    return result;
}

/// The software device may run a kernel that ptxas refuses for every GPU.
compiler::CompileResult compile_with_report(compiler::CompileRequest request, bool report) {
    request.report = report;
    auto result = compiler::compile(request);
    if (result.ok || result.cancelled || !report || result.log.find("ptxas") == std::string::npos) return result;
    request.report = false;
    return compiler::compile(request);
}

std::string first_error(const compiler::CompileResult& result, const std::string& name) {
    for (const auto& each : result.diagnostics) {
        if (each.severity != compiler::Severity::error) continue;
        return each.line ? fmt::format("{} does not compile: line {}: {}", each.file.empty() ? name : each.file,
                                       each.line, each.message)
                         : fmt::format("{} does not compile: {}", name, each.message);
    }
    return fmt::format("{} does not compile. {}", name, result.log);
}

/// The source names headers outside of the session's folder.
[[noreturn]] void headers_outside(const compiler::CompileResult& result, const std::string& name) {
    const std::filesystem::path first = result.outside.front();
    ReportError error{.kind = "input",
                      .message = fmt::format("{}. {}", first_error(result, name), Reach::advice(first)),
                      .pointer = "/source"};
    for (const std::filesystem::path file : result.outside)
        error.outside.push_back(utf8_of(file));
    throw StageError(Status::input_error, std::move(error));
}

} // namespace

CompiledSource compile_kernels(const Session& session, const RunOptions& options, const RunHooks& hooks,
                               const driver::Device& device, Report& report) {
    const auto [major, minor] = device.compute_capability();
    // The software device cannot count the registers of a GPU; ptxas can.
    return compile_kernels(session, options, hooks, CompileTarget{major, minor, device.driver().name() == "software"},
                           report);
}

CompiledSource compile_kernels(const Session& session, const RunOptions& options, const RunHooks& hooks,
                               const CompileTarget& target, Report& report) {
    const auto reach = Reach::of(options);
    const auto source = read_source(session, options, reach);
    if (session.source.is_ptx()) return from_ptx(source, session, hooks, target, report);
    compiler::CompileRequest request;
    request.source = source.text;
    request.name = source.name;
    request.folder = source.folder;
    request.options = session.compile.options;
    if (!options.trusted) {
        try {
            confine(request, session.compile, reach);
        } catch (const SessionError& error) {
            input_error_at(error);
        }
    }
    request.line_info = session.compile.line_info;
    request.backend = compiler::backend_from_name(session.compile.compiler);
    request.arch = session.compile.arch == "auto"
                       ? compiler::arch_for_device(target.major, target.minor, request.backend)
                       : session.compile.arch;
    const auto wanted_kernels = kernels_of(session);
    for (const KernelName& wanted : wanted_kernels)
        if (wanted.name.find('<') != std::string::npos) request.name_expressions.push_back(wanted.name);
    request.cancelled = hooks.cancelled;
    const auto result = compile_with_report(request, target.ptxas);
    report.compile.ms = result.ms;
    report.compile.cached = result.cached;
    report.compile.compiler = result.compiler;
    report.compile.arch = result.arch;
    report.compile.log = result.log;
    if (result.compiler_missing) {
        const auto& missing = result.diagnostics.front();
        throw StageError(Status::compile_error, {.kind = "compile",
                                                 .message = missing.message,
                                                 .details = fmt::format("{}", fmt::join(missing.notes, "\n"))});
    }
    add_diagnostics(result.diagnostics, report);
    if (result.cancelled) throw StageError(Status::cancelled, {.kind = "cancelled", .message = "The run was stopped."});
    if (!result.outside.empty()) headers_outside(result, source.name);
    if (!result.ok) {
        const bool unknown_arch = result.arch.empty() && !result.compiler.empty();
        throw StageError(Status::compile_error, {.kind = "compile",
                                                 .message = first_error(result, source.name),
                                                 .pointer = unknown_arch ? "/compile/arch" : ""});
    }

    CompiledSource compiled;
    compiled.layouts = [request] { return layouts_of_source(request); };
    compiled.ptx = report.checks.has(findings::Check::memory)
                       ? with_bounds_of_local_arrays(result.ptx, std::move(request))
                       : result.ptx;
    compiled.variables = compiler::parse_ptx_variables(result.ptx);
    compiled.references = compiler::parse_ptx_references(result.ptx);
    compiled.from_source = true;
    compiled.headers.assign(result.headers.begin(), result.headers.end());
    for (const KernelName& wanted : wanted_kernels) {
        CompiledKernel each;
        each.lowered = result.lowered_name(wanted.name);
        if (!each.lowered.empty()) {
            for (const auto& kernel : result.kernels)
                if (kernel.lowered == each.lowered) each.kernel = kernel;
        } else {
            each.kernel = find_kernel(result.kernels, wanted);
            each.lowered = each.kernel.lowered.empty() ? each.kernel.name : each.kernel.lowered;
        }
        each.registers = registers_of(result.report, each.lowered);
        compiled.kernels.push_back(std::move(each));
    }
    if (compiled.kernels.empty()) return compiled;
    const CompiledKernel& first = compiled.kernels.front();
    report.lowered = first.lowered;
    if (report.kernel.empty()) report.kernel = shown_name(first.kernel);
    return compiled;
}

} // namespace warplight::session
