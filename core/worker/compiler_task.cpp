// SPDX-License-Identifier: Apache-2.0
// The inside of a process that compiles.
#include "worker/compiler_processes.hpp"

#include "files/paths.hpp"
#include "worker/confinement.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"

#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace warplight::worker {
namespace fs = std::filesystem;
namespace {

/// The folders of a compiler: its library or program, what lies beside it, and its headers.
void add_toolkit(CompilerRules& rules, const compiler::CompilerInfo& info) {
    const auto add = [&rules](const fs::path& path) {
        const fs::path folder = path.parent_path();
        const fs::path whole = folder.filename() == "bin" ? folder.parent_path() : folder;
        rules.toolkit.push_back(holds_home(whole) ? path : whole);
    };
    std::error_code code;
    const fs::path path = info.path;
    if (path.has_parent_path()) add(path);
    if (fs::exists(path, code))
        if (const fs::path real = files::real_path(path, code); !code) add(real);
    for (const FilePath& folder : info.include_dirs)
        rules.toolkit.emplace_back(folder);
}

std::vector<std::byte> compile(std::span<const std::byte> bytes, CompilerRules& rules,
                               const std::function<void(const CompilerRules&)>& confine) {
    compiler::Toolchain& tools = compiler::local_toolchain();
    const CompileTask task = decode_compile_task(bytes);
    const compiler::CompileRequest& request = task.request;
    add_toolkit(rules, tools.identity(request.backend, request.nvcc).info);
    rules.programs = request.backend == compiler::Backend::nvcc;
    confine(rules);
    return encode(tools.compile({request, task.arch, task.file, request.source}));
}

std::vector<std::byte> run_ptxas(std::span<const std::byte> bytes, CompilerRules& rules,
                                 const std::function<void(const CompilerRules&)>& confine) {
    compiler::Toolchain& tools = compiler::local_toolchain();
    const PtxasTask task = decode_ptxas_task(bytes);
    add_toolkit(rules, tools.identity(compiler::Backend::nvcc, "nvcc").info);
    rules.programs = true;
    confine(rules);
    return encode(tools.ptxas(task.ptx, task.arch, {}));
}

std::vector<std::byte> disassemble(std::span<const std::byte> bytes, CompilerRules& rules,
                                   const std::function<void(const CompilerRules&)>& confine) {
    compiler::Toolchain& tools = compiler::local_toolchain();
    const compiler::DisassemblyJob job = decode_disassembly_job(bytes);
    if (!job.ptx.empty()) add_toolkit(rules, tools.identity(compiler::Backend::nvcc, "nvcc").info);
    compiler::CompilerInfo disassembler;
    disassembler.path = compiler::find_disassembler();
    add_toolkit(rules, disassembler);
    rules.programs = true;
    confine(rules);
    return encode(tools.disassemble(job, {}));
}

} // namespace

void confine_compiler(const CompilerRules& rules) {
    platform::limit_compiler(rules.memory);
    if (!rules.confined) return;
    Access access{rules.readable, {rules.folder}};
    access.read.insert(access.read.end(), rules.toolkit.begin(), rules.toolkit.end());
    confine(confinement_of_compiler(std::move(access), rules.programs ? rules.toolkit : decltype(rules.toolkit)()));
}

std::vector<std::byte> answer_compiler_task(CompilerTask task, std::span<const std::byte> request, CompilerRules rules,
                                            const std::function<void()>& confined) {
    const auto confine = [&](const CompilerRules& known) {
        confine_compiler(known);
        if (confined) confined();
    };
    try {
        compiler::Toolchain& tools = compiler::local_toolchain();
        switch (task) {
        case CompilerTask::nvrtc_identity: return encode(tools.identity(compiler::Backend::nvrtc, "nvcc"));
        case CompilerTask::nvcc_identity: return encode(tools.identity(compiler::Backend::nvcc, "nvcc"));
        case CompilerTask::compile: return compile(request, rules, confine);
        case CompilerTask::ptxas: return run_ptxas(request, rules, confine);
        case CompilerTask::disassemble: return disassemble(request, rules, confine);
        }
        return encode_failure("the compiler's process knows no such task");
    } catch (const std::bad_alloc&) {
        return encode_failure("the compiler ran out of memory");
    } catch (const std::exception& error) {
        return encode_failure(error.what());
    }
}

int compiler_helper_main(const fs::path& folder) {
    platform::ServerPipes pipes;
    FrameReader reader([](void* stream, std::byte* to,
                          std::size_t size) { return static_cast<platform::ServerPipes*>(stream)->read(to, size); },
                       &pipes);
    std::vector<std::byte> request;
    if (reader.next(request) != FrameReader::Result::message || request.empty()) return 2;
    platform::begin_compiler(folder);
    const auto end_with_parent = [&pipes] {
        std::thread([&pipes] {
            std::byte nothing{};
            while (pipes.read(&nothing, 1) != 0) {
            }
            platform::end_process_group();
        }).detach();
    };
    CompilerRules rules;
    rules.folder = folder;
    const auto answer = in_frame(answer_compiler_task(static_cast<CompilerTask>(request.front()),
                                                      std::span(request).subspan(1), rules, end_with_parent));
    const bool told = pipes.write(answer.data(), answer.size());
    platform::end_process(told ? 0 : 2); // the thread still reads
}

} // namespace warplight::worker
