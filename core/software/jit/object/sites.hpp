// SPDX-License-Identifier: Apache-2.0
// Which PTX instruction a code address belongs to.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {

/// The instructions that an object's code belongs to.
struct CodeMap {
    struct Row {
        std::uint32_t offset; ///< in .text
        std::uint32_t line;   ///< site number + 1; 0: code without an instruction, or kNoSiteLine
    };
    std::vector<Row> rows;   ///< by offset; each reaches to the next one
    std::uint32_t entry = 0; ///< offset of the entry point
    std::uint32_t size = 0;  ///< of .text

    /// The site that the byte at `offset` belongs to; the closest one before it when LLVM merged instructions.
    [[nodiscard]] std::optional<std::uint32_t> site_at(std::uint32_t offset) const;
};

/// Reads the line table of a relocatable object. Throws std::runtime_error when it is no such object.
[[nodiscard]] CodeMap read_code_map(llvm::StringRef object, const char* entry_symbol);

} // namespace warplight::jit
