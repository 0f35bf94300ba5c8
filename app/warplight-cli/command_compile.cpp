// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "files/paths.hpp"
#include "json_text.hpp"
#include "run_arguments.hpp"
#include "sass_output.hpp"

#include "session/data_file.hpp"
#include "session/pipeline_plan.hpp"
#include "session/register_table.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/file_io.hpp"
#include "worker/assembly_json.hpp"
#include "worker/compile_json.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace warplight::cli {
namespace {

using nlohmann::json;

struct Options {
    std::string file;
    std::string arch = "auto";
    std::string compiler;
    std::string emit = "ptx";
    std::string output;
    std::vector<std::string> options;
    std::vector<std::string> instances;
    SassComparison compare;
    bool registers = false;
    std::string kernel, block;
    std::uint64_t shared = 0;
    bool as_json = false;
    bool no_cache = false;
};

json describe(const compiler::Diagnostic& diagnostic) { return worker::to_json(diagnostic); }

json describe(const compiler::Kernel& kernel) {
    json parameters = json::array();
    for (const auto& each : kernel.parameters)
        parameters.push_back({{"name", each.name},
                              {"type", each.type},
                              {"pointer", each.pointer},
                              {"const", each.is_const},
                              {"dtype", each.dtype},
                              {"size", each.size}});
    return {{"name", kernel.name}, {"lowered", kernel.lowered}, {"line", kernel.line}, {"parameters", parameters}};
}

json describe(const compiler::KernelResources& resources) {
    return {{"name", resources.name},
            {"lowered", resources.lowered},
            {"registers", resources.registers},
            {"barriers", resources.barriers < 0 ? json(nullptr) : json(resources.barriers)},
            {"stack", resources.stack},
            {"spill_stores", resources.spill_stores},
            {"spill_loads", resources.spill_loads},
            {"shared", resources.static_shared},
            {"constant", resources.constant}};
}

template <class T>
json describe_all(const std::vector<T>& list) {
    json array = json::array();
    for (const auto& each : list)
        array.push_back(describe(each));
    return array;
}

void print_diagnostics(const std::vector<compiler::Diagnostic>& diagnostics) {
    for (const auto& each : diagnostics) {
        std::string place = each.file;
        if (each.line) place += fmt::format(":{}", each.line);
        if (each.column) place += fmt::format(":{}", each.column);
        fmt::print(stderr, "{}{}{}: {}\n", place, place.empty() ? "" : ": ", compiler::severity_name(each.severity),
                   each.message);
        for (const auto& note : each.notes)
            fmt::print(stderr, "  {}\n", note);
    }
}

std::string report_table(const compiler::CompileResult& result) {
    std::size_t width = 6;
    for (const auto& each : result.report)
        width = std::max(width, each.name.size());
    std::string text = fmt::format("{:<{}}  {:>9}  {:>10}  {:>10}  {:>10}  {:>8}  {:>8}\n", "kernel", width,
                                   "registers", "shared", "constant", "stack", "spills", "barriers");
    for (const auto& each : result.report)
        text += fmt::format(
            "{:<{}}  {:>9}  {:>10}  {:>10}  {:>10}  {:>8}  {:>8}\n", each.name.empty() ? each.lowered : each.name,
            width, each.registers, session::format_bytes(each.static_shared), session::format_bytes(each.constant),
            session::format_bytes(each.stack), session::format_bytes(each.spill_stores + each.spill_loads),
            each.barriers < 0 ? "?" : std::to_string(each.barriers));
    return text;
}

void write_product(const Options& options, const compiler::CompileResult& result) {
    const std::span<const std::byte> product =
        options.emit == "cubin" ? std::span<const std::byte>(result.cubin)
                                : std::as_bytes(std::span<const char>(result.ptx.data(), result.ptx.size()));
    if (options.emit == "report") {
        const auto table = report_table(result);
        if (options.output.empty())
            fmt::print("{}", table);
        else
            write_file_atomically(options.output, table);
    } else if (!options.output.empty()) {
        write_file_atomically(options.output, {product});
    } else if (!options.as_json) {
        std::fwrite(product.data(), 1, product.size(), stdout);
    }
}

/// The file is a source, or a session, whose own compile options come before those of the command line.
compiler::CompileRequest request_of(Options& options) {
    compiler::CompileRequest request;
    std::string source = options.file;
    bool is_embedded = false; // in the session
    if (options.file.ends_with(".warplight")) {
        const session::Session session = session::load(options.file);
        if (session.source.is_ptx())
            throw session::SessionError(
                fmt::format("the source of {} is PTX, which is compiled already. `warplight-cli "
                            "inspect FILE.ptx --sass` shows its instructions.",
                            options.file));
        const auto folder = files::absolute(options.file).parent_path();
        is_embedded = session.source.path.empty();
        if (is_embedded) {
            request.source = session.source.text;
            request.name = session.source.name.empty() ? "kernel.cu" : session.source.name;
            request.folder = folder;
        } else {
            source = files::join(folder, session::path_from_utf8(session.source.path)).string();
        }
        options.options.insert(options.options.begin(), session.compile.options.begin(), session.compile.options.end());
        if (options.arch == "auto") options.arch = session.compile.arch;
        if (options.compiler.empty()) options.compiler = session.compile.compiler;
        request.line_info = session.compile.line_info;
        if (options.instances.empty())
            for (const session::KernelName& each : session::kernels_of(session))
                if (each.name.find('<') != std::string::npos) options.instances.push_back(each.name);
        if (!session.pipeline) {
            if (options.kernel.empty()) options.kernel = session.kernel;
            if (options.block.empty()) options.block = fmt::format("{}", fmt::join(session.launch.block, ","));
            if (options.shared == 0) options.shared = session.launch.shared;
        } else if (options.registers && (options.kernel.empty() || options.block.empty())) {
            throw session::SessionError(
                fmt::format("{} has a pipeline: say with --kernel and --block which kernel the registers are of, and "
                            "how many threads a block of it has.",
                            options.file));
        }
    }
    if (options.compiler.empty()) options.compiler = "nvrtc";
    if (!is_embedded) {
        request.source = read_text_file(source);
        request.name = source;
        request.folder = files::absolute(source).parent_path();
    }
    request.arch = options.arch;
    request.options = options.options;
    request.backend = compiler::backend_from_name(options.compiler);
    request.name_expressions = options.instances;
    request.use_cache = !options.no_cache;
    return request;
}

int run_registers(const Options& options, const compiler::CompileRequest& request) {
    std::uint64_t threads = 256;
    if (!options.block.empty()) {
        threads = 1;
        for (const std::uint32_t extent : parse_extents(options.block, "--block"))
            threads *= extent;
        if (threads == 0 || threads > 65536)
            throw session::SessionError(
                fmt::format("--block {} is no number of threads; a block has up to 1024, such as "
                            "--block 256 or --block 16,16.",
                            options.block));
    }
    const session::RegisterTable table =
        session::register_table(request, options.kernel, static_cast<int>(threads), options.shared);
    const std::string text = options.as_json ? json_text(worker::to_json(table))
                             : table.ok      ? session::register_table_text(table)
                                             : "";
    if (!options.as_json && !table.ok) {
        print_diagnostics(table.diagnostics);
        fmt::print(stderr, "error: {}\n", table.problem);
    }
    if (options.output.empty())
        fmt::print("{}", text);
    else if (table.ok)
        write_file_atomically(options.output, text);
    return table.ok ? success : compile_failed;
}

int run_sass(const Options& options, const compiler::CompileRequest& request) {
    const SassOutput output = sass_of(request, options.compare);
    const compiler::CompileResult& result = output.compiled;
    if (options.as_json) {
        json object = {{"ok", output.ok},
                       {"compiler", result.compiler},
                       {"arch", result.arch},
                       {"ms", result.ms},
                       {"cached", result.cached},
                       {"diagnostics", describe_all(result.diagnostics)},
                       {"kernels", describe_all(result.kernels)}};
        object.update(output.json());
        print_json(object);
    } else {
        print_diagnostics(result.diagnostics);
        if (!output.problem.empty()) fmt::print(stderr, "error: {}\n", output.problem);
    }
    if (!output.ok) return compile_failed;
    if (!options.output.empty())
        write_file_atomically(options.output, output.text);
    else if (!options.as_json)
        fmt::print("{}", output.text);
    return success;
}

int run_compile(Options options) {
    if (options.compare.wanted() && options.emit != "sass")
        throw session::SessionError("--compare and --compare-option compare SASS: add --emit sass.");
    if (options.emit == "cubin" && options.output.empty() && !options.as_json)
        throw session::SessionError("CUBIN is not text: say with -o which file it goes to.");
    compiler::CompileRequest request = request_of(options);
    if (options.registers) return run_registers(options, request);
    if (options.emit == "sass") return run_sass(options, request);
    request.cubin = options.emit == "cubin";
    request.report = options.emit == "report" || options.as_json;
    const auto result = compiler::compile(request);
    const bool report_missing = options.emit == "report" && !result.report_problem.empty();
    if (options.as_json) {
        print_json({{"ok", result.ok},
                    {"compiler", result.compiler},
                    {"arch", result.arch},
                    {"ms", result.ms},
                    {"cached", result.cached},
                    {"diagnostics", describe_all(result.diagnostics)},
                    {"kernels", describe_all(result.kernels)},
                    {"report", describe_all(result.report)},
                    {"report_problem", result.report_problem},
                    {"ptx", result.ptx},
                    {"output", options.output},
                    {"log", result.log}});
    } else {
        print_diagnostics(result.diagnostics);
    }
    if (!result.ok) {
        if (!options.as_json && result.diagnostics.empty()) fmt::print(stderr, "error: {}\n", result.log);
        return compile_failed;
    }
    if (report_missing) {
        if (!options.as_json) fmt::print(stderr, "error: {}\n", result.report_problem);
        return compile_failed;
    }
    if (!options.as_json || !options.output.empty()) write_product(options, result);
    return success;
}

} // namespace

void add_compile(CLI::App& app, int& exit_code) {
    auto* command = app.add_subcommand("compile", "Compile CUDA C++; needs no GPU");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "The source, FILE.cu, or a session, FILE.warplight")->required();
    command->add_option("--arch", options->arch, "sm_90, compute_80, …; default: compute_80")->capture_default_str();
    command
        ->add_option("--option", options->options,
                     "An option of the compiler, --option=--use_fast_math; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--compiler", options->compiler, "nvrtc or nvcc; default: the session's, or nvrtc")
        ->check(CLI::IsMember({"nvrtc", "nvcc"}));
    command->add_option("--instance", options->instances, "An instance of a template to make: 'scale<float>'")
        ->allow_extra_args(false);
    command->add_option("--emit", options->emit, "ptx, cubin, sass, or report (registers, spills, shared memory)")
        ->check(CLI::IsMember({"ptx", "cubin", "sass", "report"}))
        ->capture_default_str();
    command->add_option("-o", options->output, "The file to write; default: standard output")->type_name("FILE");
    command->add_option("--compare", options->compare.arch,
                        "With --emit sass: another architecture, whose SASS is shown beside");
    command
        ->add_option("--compare-option", options->compare.options,
                     "With --emit sass: options of the SASS beside, in place of --option; may be repeated")
        ->allow_extra_args(false);
    command->add_flag("--registers", options->registers,
                      "Print registers, spills and occupancy of a kernel for limits on its registers");
    command->add_option("--kernel", options->kernel, "With --registers: the kernel, where there are several");
    command->add_option("--block", options->block,
                        "With --registers: threads of a block, X[,Y[,Z]]; default: the session's, or 256");
    command->add_option("--shared", options->shared, "With --registers: dynamic shared memory of a block, bytes");
    command->add_flag("--no-cache", options->no_cache, "Compile even when the result is known");
    command->add_flag("--json", options->as_json, "Print messages, kernels, resources and PTX as JSON");
    command->callback([options, &exit_code] { exit_code = run_compile(*options); });
}

} // namespace warplight::cli
