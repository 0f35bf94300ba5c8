// SPDX-License-Identifier: Apache-2.0
// SASS, the instructions of a GPU: read from the text of nvdisasm or cuobjdump, and written as a listing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warplight::compiler {

struct SassPlace {
    std::string file;
    int line = 0;
    bool operator==(const SassPlace&) const = default;
};

struct SassInstruction {
    std::uint64_t address = 0;           ///< from the start of the function, bytes
    std::vector<std::string> labels;     ///< that stand before it: ".L_x_2"
    std::string predicate;               ///< "@!P0"; empty: always
    std::string opcode;                  ///< with its modifiers: "LDG.E.64"
    std::string operands;                ///< "R4, desc[UR4][R2.64]"
    std::optional<std::uint64_t> target; ///< the address in this function that a branch or a call names
    /// The source line, then the lines that it was inlined at. Empty without line information.
    std::vector<SassPlace> places;
};

struct SassFunction {
    std::string name; ///< as in PTX
    std::vector<SassInstruction> instructions;
    /// Without the NOPs that fill up the end.
    [[nodiscard]] std::size_t count() const;
};

/// The text of `nvdisasm -c -gi` or of `cuobjdump -sass`. Lines of other forms are passed over.
std::vector<SassFunction> parse_sass(std::string_view text);

/// What an instruction is for: "global memory", "shared memory", "tensor", …; "other" for opcodes of a newer
/// architecture.
std::string_view sass_class(std::string_view opcode);
/// The number of instructions of each class that occurs, in the order in which tables show them.
std::vector<std::pair<std::string, int>> sass_class_counts(const SassFunction& function);

/// A text to read and to follow. Lines count from 1.
struct SassListing {
    struct Function {
        std::string name;
        int first = 0, last = 0; ///< lines of the text
        int instructions = 0;
    };
    struct Line {
        int line = 0; ///< of the text, holds an instruction
        std::vector<SassPlace> places;
        int target = 0; ///< the line that a branch goes to; 0: none
    };
    std::string text;
    std::vector<Function> functions;
    std::vector<Line> lines;
};
SassListing sass_listing(const std::vector<SassFunction>& functions);

} // namespace warplight::compiler
