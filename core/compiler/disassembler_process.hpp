// SPDX-License-Identifier: Apache-2.0
// The run of a disassembler. Its text is not read here.
#pragma once

#include "compiler/products.hpp"

#include <filesystem>
#include <string>

namespace warplight::compiler {

/// What to disassemble: a CUBIN, or PTX, which ptxas assembles first.
struct DisassemblyJob {
    std::string cubin;
    std::string ptx;
    Architecture arch; ///< of the PTX
};

/// The words of a disassembler, unread.
struct DisassemblerOutput {
    bool ok = false;
    bool cancelled = false;
    std::string text; ///< or why there is none
};
DisassemblerOutput disassemble_here(const DisassemblyJob& job, const CancelQuery& cancelled);

/// nvdisasm, else cuobjdump, which tells no source lines. Empty where there is neither.
std::filesystem::path find_disassembler();
bool is_cuobjdump(const std::filesystem::path& tool);
/// What to install, for messages.
std::string missing_disassembler();

} // namespace warplight::compiler
