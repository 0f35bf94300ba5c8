// SPDX-License-Identifier: Apache-2.0
#include "compiler/disassembler.hpp"

#include "compiler/cache.hpp"
#include "compiler/disassembler_process.hpp"
#include "compiler/products.hpp"
#include "compiler/sha256.hpp"
#include "compiler/toolchain.hpp"
#include "files/paths.hpp"

#include <exception>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

namespace warplight::compiler {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kElf = "\x7f"
                                  "ELF";

std::string key_of(const DisassemblyJob& job, const fs::path& tool) {
    if (cache_disabled()) return {};
    std::error_code ignored;
    Sha256 digest;
    digest.field("warplight disassembly 1");
    digest.field(tool.string());
    digest.field(std::to_string(fs::last_write_time(tool, ignored).time_since_epoch().count()));
    digest.field(job.arch.suffix);
    digest.field(job.ptx);
    digest.field(job.cubin);
    return digest.hex();
}

Disassembly disassemble(const DisassemblyJob& job, const CancelQuery& cancelled) {
    Disassembly result;
    const fs::path tool = find_disassembler();
    if (tool.empty()) {
        result.tool_missing = true;
        result.problem = missing_disassembler();
        return result;
    }
    result.tool = is_cuobjdump(tool) ? "cuobjdump" : "nvdisasm";
    const std::string key = key_of(job, tool);
    if (!key.empty())
        if (const auto entry = cache_load(key, {})) {
            result.functions = parse_sass(entry->at("sass"));
            result.ok = result.cached = true;
            return result;
        }
    DisassemblerOutput output;
    try {
        output = toolchain().disassemble(job, cancelled);
    } catch (const std::exception& error) {
        output.text = error.what();
    }
    result.cancelled = output.cancelled;
    if (!output.ok) {
        result.problem = output.cancelled ? "cancelled" : output.text;
        return result;
    }
    result.functions = parse_sass(output.text);
    if (result.functions.empty()) {
        result.problem = tool.string() + " printed no instructions. The CUBIN has no code, or the program is of a "
                                         "release that does not know its architecture";
        return result;
    }
    result.ok = true;
    if (!key.empty()) cache_store(key, {{"sass", output.text}}, {});
    return result;
}

} // namespace

Disassembly disassemble(std::span<const std::byte> cubin, const CancelQuery& cancelled) {
    DisassemblyJob job;
    job.cubin.assign(reinterpret_cast<const char*>(cubin.data()), cubin.size());
    if (!job.cubin.starts_with(kElf)) {
        Disassembly result;
        result.problem = "this is no CUBIN: it does not begin as an ELF file does";
        return result;
    }
    return disassemble(job, cancelled);
}

Disassembly disassemble_ptx(std::string_view ptx, const std::string& arch, const CancelQuery& cancelled) {
    const auto target = parse_architecture(arch);
    if (!target) {
        Disassembly result;
        result.problem = "\"" + arch + "\" is no architecture; one is sm_90";
        return result;
    }
    return disassemble({{}, std::string(ptx), *target}, cancelled);
}

SourceDisassembly disassemble_source(CompileRequest request) {
    request.cubin = true;
    SourceDisassembly result;
    result.compiled = compile(request);
    if (!result.compiled.ok) {
        result.sass.cancelled = result.compiled.cancelled;
        result.sass.problem = "the source does not compile";
        return result;
    }
    result.sass = disassemble(std::span<const std::byte>(result.compiled.cubin), request.cancelled);
    // compile() names the source as the request does. In the CUBIN it has the name that the compiler was given.
    std::error_code ignored;
    const fs::path given = request.folder.empty() || !fs::path(request.name).is_relative()
                               ? fs::path(request.name)
                               : fs::path(request.folder) / fs::path(request.name).filename();
    const fs::path source = files::absolute(given, ignored);
    std::map<std::string, bool> known;
    for (SassFunction& function : result.sass.functions)
        for (SassInstruction& instruction : function.instructions)
            for (SassPlace& place : instruction.places) {
                const auto [it, is_new] = known.try_emplace(place.file, false);
                if (is_new) it->second = files::normal(files::absolute(place.file, ignored)) == files::normal(source);
                if (it->second) place.file = request.name;
            }
    return result;
}

} // namespace warplight::compiler
