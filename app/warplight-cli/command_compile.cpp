// SPDX-License-Identifier: GPL-3.0-or-later
#include "command.hpp"
#include "files/paths.hpp"
#include "json_text.hpp"

#include "session/report.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/file_io.hpp"
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
    std::string compiler = "nvrtc";
    std::string emit = "ptx";
    std::string output;
    std::vector<std::string> options;
    std::vector<std::string> instances;
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

void print_diagnostics(const compiler::CompileResult& result) {
    for (const auto& each : result.diagnostics) {
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

int run_compile(const Options& options) {
    if (options.emit == "cubin" && options.output.empty() && !options.as_json)
        throw session::SessionError("CUBIN is not text: say with -o which file it goes to.");
    compiler::CompileRequest request;
    request.source = read_text_file(options.file);
    request.name = options.file;
    request.folder = files::absolute(options.file).parent_path();
    request.arch = options.arch;
    request.options = options.options;
    request.backend = compiler::backend_from_name(options.compiler);
    request.name_expressions = options.instances;
    request.cubin = options.emit == "cubin";
    request.report = options.emit == "report" || options.as_json;
    request.use_cache = !options.no_cache;
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
        print_diagnostics(result);
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
    command->add_option("FILE", options->file, "The source, FILE.cu")->required();
    command->add_option("--arch", options->arch, "sm_90, compute_80, …; default: compute_80")->capture_default_str();
    command
        ->add_option("--option", options->options,
                     "An option of the compiler, --option=--use_fast_math; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--compiler", options->compiler, "nvrtc or nvcc")
        ->check(CLI::IsMember({"nvrtc", "nvcc"}))
        ->capture_default_str();
    command->add_option("--instance", options->instances, "An instance of a template to make: 'scale<float>'")
        ->allow_extra_args(false);
    command->add_option("--emit", options->emit, "ptx, cubin, or report (registers, spills, shared memory)")
        ->check(CLI::IsMember({"ptx", "cubin", "report"}))
        ->capture_default_str();
    command->add_option("-o", options->output, "The file to write; default: standard output")->type_name("FILE");
    command->add_flag("--no-cache", options->no_cache, "Compile even when the result is known");
    command->add_flag("--json", options->as_json, "Print messages, kernels, resources and PTX as JSON");
    command->callback([options, &exit_code] { exit_code = run_compile(*options); });
}

} // namespace warplight::cli
