// SPDX-License-Identifier: Apache-2.0
// CUBIN to SASS, through NVIDIA's nvdisasm or cuobjdump. No GPU is needed.
#pragma once

#include "compiler/sass.hpp"
#include "warplight/compiler.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

struct Disassembly {
    bool ok = false;
    bool tool_missing = false; ///< then `problem` says what to install
    bool cancelled = false;
    bool cached = false;
    std::string problem;
    std::string tool; ///< "nvdisasm"
    std::vector<SassFunction> functions;
};

/// Does not throw. The results are kept in the cache of compilations.
Disassembly disassemble(std::span<const std::byte> cubin, const CancelQuery& cancelled = {});
Disassembly disassemble_ptx(std::string_view ptx, const std::string& arch, const CancelQuery& cancelled = {});

/// Compiles a source for a real architecture, and disassembles what comes out.
struct SourceDisassembly {
    CompileResult compiled; ///< with the CUBIN
    Disassembly sass;       ///< its files are named as in `compiled.lines`
};
SourceDisassembly disassemble_source(CompileRequest request);

} // namespace warplight::compiler
