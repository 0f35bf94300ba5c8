// SPDX-License-Identifier: Apache-2.0
#include "compiler/cache.hpp"
#include "compiler/platform.hpp"
#include "compiler/products.hpp"
#include "compiler/sha256.hpp"
#include "compiler/temporary_folder.hpp"
#include "compiler/toolkit.hpp"

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

/// Appends to the log what one run said. False when it failed.
bool run(const std::vector<std::string>& command, Products& products, const CancelQuery& cancelled) {
    platform::ProcessResult result = platform::run_process(command, {}, cancelled);
    products.log += result.output;
    products.cancelled = result.cancelled;
    if (!result.started) products.log += "\nnvcc fatal   : " + command[0] + " could not be started: " + result.output;
    return result.started && !result.cancelled && result.exit_code == 0;
}

} // namespace

Products compile_with_nvcc(const Job& job) {
    const CompileRequest& request = job.request;
    Products products;
    if (!request.name_expressions.empty()) {
        products.log =
            "nvcc fatal   : name expressions are a function of NVRTC; instantiate the template in the source";
        return products;
    }
    fs::path nvcc = find_nvcc_program(request.nvcc);
    TemporaryFolder folder;
    // Messages and .loc name the real file, by #line; the text itself may differ from what is on the disk.
    fs::path source = folder.path / "source.cu";
    std::string escaped;
    for (char c : job.file)
        escaped += c == '\\' || c == '"' ? std::string{'\\', c} : std::string{c};
    write_whole_file(source, "#line 1 \"" + escaped + "\"\n" + job.source);

    std::vector<std::string> common{nvcc.string()};
    for (const std::string& option : request.options)
        common.push_back(option);
    if (request.line_info && !has_line_option(request.options)) common.push_back("-lineinfo");
    if (!request.folder.empty()) common.push_back("-I" + request.folder.string());

    auto build = [&](const std::string& kind, const std::string& code, const fs::path& output,
                     const std::vector<std::string>& more) {
        std::vector<std::string> command = common;
        command.push_back(kind);
        command.push_back("-gencode=arch=compute_" + job.arch.suffix + ",code=" + code);
        command.insert(command.end(), more.begin(), more.end());
        command.insert(command.end(), {source.string(), "-o", output.string()});
        if (products.command.empty()) products.command = joined(command);
        return run(command, products, request.cancelled);
    };
    if (request.lto_ir) {
        fs::path output = folder.path / "out.ltoir";
        products.ok = build("-ltoir", "lto_" + job.arch.suffix, output, {});
        products.lto_ir = read_whole_file(output);
        return products;
    }
    fs::path ptx = folder.path / "out.ptx";
    products.ok = build("-ptx", "compute_" + job.arch.suffix, ptx, {});
    if (!products.ok) return products;
    products.ptx = read_whole_file(ptx);
    if (request.cubin || request.report) {
        fs::path cubin = folder.path / "out.cubin";
        std::string front_end = std::move(products.log); // the second run says it all again
        products.log.clear();
        products.ok = build("-cubin", "sm_" + job.arch.suffix, cubin, {"--ptxas-options=-v"});
        if (products.ok)
            products.cubin = read_whole_file(cubin);
        else
            products.log = front_end + products.log;
    }
    return products;
}

std::vector<KernelResources> ptxas_report(std::string_view ptx, const std::string& arch, std::string& problem) {
    problem.clear();
    auto target = parse_architecture(arch);
    if (!target) {
        problem = "\"" + arch + "\" is no architecture";
        return {};
    }
    fs::path ptxas = find_tool("ptxas");
    if (ptxas.empty()) {
        problem = "ptxas, which makes the report, was not found. " + install_hint(Wanted::nvcc);
        return {};
    }
    // Asked at each run of a session of PTX, and large kernels take seconds.
    std::string key;
    if (!cache_disabled()) {
        std::error_code ignored;
        Sha256 digest;
        digest.field("warplight ptxas report 1");
        digest.field(ptxas.string());
        digest.field(std::to_string(fs::last_write_time(ptxas, ignored).time_since_epoch().count()));
        digest.field(target->suffix);
        digest.field(ptx);
        key = digest.hex();
        if (const auto entry = cache_load(key, {})) return parse_ptxas_report(entry->at("log"));
    }
    TemporaryFolder folder;
    fs::path input = folder.path / "in.ptx";
    write_whole_file(input, ptx);
    platform::ProcessResult result = platform::run_process({ptxas.string(), "-v", "-c", "-arch=sm_" + target->suffix,
                                                            input.string(), "-o", (folder.path / "out.cubin").string()},
                                                           {}, {});
    if (!result.started || result.exit_code != 0) {
        problem = result.started ? result.output : ptxas.string() + " could not be started: " + result.output;
        return {};
    }
    if (!key.empty()) cache_store(key, {{"log", result.output}}, {});
    return parse_ptxas_report(result.output);
}

} // namespace warplight::compiler
