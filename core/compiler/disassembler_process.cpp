// SPDX-License-Identifier: Apache-2.0
#include "compiler/disassembler_process.hpp"

#include "compiler/nvcc_command.hpp"
#include "compiler/platform.hpp"
#include "compiler/temporary_folder.hpp"
#include "compiler/toolkit.hpp"

#include <chrono>
#include <cstdlib>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

/// A disassembler takes milliseconds a kernel. One that hangs is ended after so many seconds.
std::chrono::seconds time_limit() {
    const char* chosen = std::getenv("WARPLIGHT_DISASSEMBLER_TIME_LIMIT");
    const int seconds = chosen ? std::atoi(chosen) : 0;
    return std::chrono::seconds(seconds > 0 ? seconds : 60);
}

/// The last lines of a program that failed.
std::string last_words(const std::string& output) {
    constexpr std::size_t most = 2000;
    std::string text = output.substr(0, output.find_last_not_of(" \r\n") + 1);
    return text.size() > most ? text.substr(text.size() - most) : text;
}

DisassemblerOutput run_tool(const NvccCommand& command, const fs::path& tool, const fs::path& folder,
                            const CancelQuery& cancelled) {
    const auto end = std::chrono::steady_clock::now() + time_limit();
    bool late = false;
    const platform::ProcessResult result = command.run(
        [&] {
            if (cancelled && cancelled()) return true;
            late = std::chrono::steady_clock::now() > end;
            return late;
        },
        folder);
    const std::string name = tool.string();
    DisassemblerOutput output;
    if (!result.started)
        output.text = name + " could not be started: " + result.output;
    else if (late)
        output.text = name + " took longer than " + std::to_string(time_limit().count()) +
                      " seconds and was ended. WARPLIGHT_DISASSEMBLER_TIME_LIMIT sets another number of seconds";
    else if (result.cancelled)
        output.cancelled = true;
    else if (result.exit_code != 0)
        output.text = name + " failed: " + last_words(result.output);
    else
        output = {true, false, result.output};
    return output;
}

} // namespace

bool is_cuobjdump(const fs::path& tool) { return tool.stem().string().find("cuobjdump") != std::string::npos; }

std::string missing_disassembler() {
    return "SASS needs NVIDIA's nvdisasm or cuobjdump, and neither was found. " + install_hint(Wanted::nvcc) +
           " They are looked for in the folder bin of toolkits, then in PATH; WARPLIGHT_NVDISASM names a program";
}

fs::path find_disassembler() {
    const fs::path nvdisasm = find_tool("nvdisasm");
    return nvdisasm.empty() ? find_tool("cuobjdump") : nvdisasm;
}

DisassemblerOutput disassemble_here(const DisassemblyJob& job, const CancelQuery& cancelled) {
    const fs::path tool = find_disassembler();
    if (tool.empty()) return {false, false, missing_disassembler()};
    const TemporaryFolder folder;
    if (!job.ptx.empty()) {
        const fs::path ptxas = find_tool("ptxas");
        if (ptxas.empty())
            return {false, false, "SASS of PTX needs ptxas, which was not found. " + install_hint(Wanted::nvcc)};
        write_whole_file(folder.path / "in.ptx", job.ptx);
        NvccCommand assemble(ptxas, folder.path);
        for (const char* word : {"-lineinfo", "in.ptx", "-o", "in.cubin"})
            assemble.add(word);
        assemble.add("-arch=sm_" + job.arch.suffix);
        DisassemblerOutput assembled = run_tool(assemble, ptxas, folder.path, cancelled);
        if (!assembled.ok) return assembled;
    } else {
        write_whole_file(folder.path / "in.cubin", job.cubin);
    }
    NvccCommand command(tool, folder.path);
    if (is_cuobjdump(tool))
        command.add("-sass");
    else
        for (const char* word : {"-c", "-gi"})
            command.add(word);
    command.add("in.cubin");
    return run_tool(command, tool, folder.path, cancelled);
}

} // namespace warplight::compiler
