// SPDX-License-Identifier: Apache-2.0
#include "compiler/toolchain.hpp"

#include "compiler/nvcc_command.hpp"
#include "compiler/nvrtc_library.hpp"
#include "compiler/platform.hpp"
#include "compiler/temporary_folder.hpp"
#include "compiler/toolkit.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

CompilerIdentity find_nvcc(const std::string& program) {
    CompilerIdentity result;
    CompilerInfo& info = result.info;
    info.backend = Backend::nvcc;
    const fs::path path = find_nvcc_program(program);
    const std::string hint = install_hint(Wanted::nvcc);
    if (path.empty()) {
        info.problem = (program == "nvcc" ? "nvcc was not found. " : program + " is no nvcc. ") + hint;
        return result;
    }
    info.path = path;
    result.version = platform::run_process({path.string(), "--version"}, {}, {}).output;
    if (const std::size_t at = result.version.find("release "); at != std::string::npos) {
        char* end = nullptr;
        info.major = static_cast<int>(std::strtol(result.version.c_str() + at + 8, &end, 10));
        if (end && *end == '.') info.minor = std::atoi(end + 1);
    }
    info.found = program == "nvcc" || info.major > 0;
    if (!info.found) info.problem = program + " is no nvcc. " + hint;
    const std::string list = platform::run_process({path.string(), "--list-gpu-arch"}, {}, {}).output;
    for (std::size_t at = list.find("compute_"); at != std::string::npos; at = list.find("compute_", at + 1))
        info.architectures.push_back(std::atoi(list.c_str() + at + 8));
    std::ranges::sort(info.architectures);
    return result;
}

CompilerIdentity nvcc_identity(const std::string& program) {
    static std::mutex mutex;
    static std::map<std::string, CompilerIdentity> known;
    const std::scoped_lock lock(mutex);
    CompilerIdentity& entry = known[program];
    if (entry.info.path.empty()) entry = find_nvcc(program); // it may have been installed since the last call
    return entry;
}

CompilerIdentity nvrtc_identity() {
    const NvrtcLibrary& nvrtc = NvrtcLibrary::instance();
    CompilerIdentity result;
    CompilerInfo& info = result.info;
    info.backend = Backend::nvrtc;
    info.found = nvrtc.found();
    info.problem = nvrtc.problem;
    info.major = nvrtc.major;
    info.minor = nvrtc.minor;
    info.path = nvrtc.path;
    info.include_dirs.assign(nvrtc.include_dirs.begin(), nvrtc.include_dirs.end());
    info.architectures = nvrtc.architectures;
    return result;
}

class LocalToolchain final : public Toolchain {
public:
    CompilerIdentity identity(Backend backend, const std::string& nvcc) override {
        return backend == Backend::nvcc ? nvcc_identity(nvcc) : nvrtc_identity();
    }
    Products compile(const Job& job) override {
        return job.request.backend == Backend::nvcc ? compile_with_nvcc(job) : compile_with_nvrtc(job);
    }
    PtxasOutput ptxas(std::string_view ptx, const Architecture& arch, const CancelQuery& cancelled) override {
        const fs::path program = find_tool("ptxas");
        if (program.empty()) return {false, false, "ptxas was not found"};
        const TemporaryFolder folder;
        write_whole_file(folder.path / "in.ptx", ptx);
        NvccCommand command(program, folder.path);
        for (const char* word : {"-v", "-c", "in.ptx", "-o", "out.cubin"})
            command.add(word);
        command.add("-arch=sm_" + arch.suffix);
        platform::ProcessResult result = command.run(cancelled, folder.path);
        if (!result.started) return {false, false, program.string() + " could not be started: " + result.output};
        return {result.exit_code == 0 && !result.cancelled, result.cancelled, std::move(result.output)};
    }
    DisassemblerOutput disassemble(const DisassemblyJob& job, const CancelQuery& cancelled) override {
        return disassemble_here(job, cancelled);
    }
};

std::unique_ptr<Toolchain>& chosen() {
    static std::unique_ptr<Toolchain> toolchain;
    return toolchain;
}

} // namespace

Toolchain& local_toolchain() {
    static LocalToolchain toolchain;
    return toolchain;
}

Toolchain& toolchain() { return chosen() ? *chosen() : local_toolchain(); }

void set_toolchain(std::unique_ptr<Toolchain> other) { chosen() = std::move(other); }

} // namespace warplight::compiler
