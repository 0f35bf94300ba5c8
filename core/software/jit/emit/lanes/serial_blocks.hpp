// SPDX-License-Identifier: Apache-2.0
// Blocks that lanes execute by themselves, one lane after the other or only one of them: code of a thread, with the
// registers of that lane.
#pragma once

#include "software/jit/emit/groups.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace warplight::jit {

/// Neighbours in the text, which lanes enter at the first one.
class SerialBlocks {
public:
    /// Called behind the blocks for each block outside, with the mask of the lanes that go there.
    using Leave = llvm::function_ref<void(std::uint32_t, llvm::Value*)>;

    /// Whether code of one kernel can have such blocks at all.
    [[nodiscard]] static bool is_possible(const Emitter& e);
    /// Whether a lane can execute an instruction by itself.
    [[nodiscard]] static bool is_plain(const ptx::Instruction& i);

    std::uint32_t head = 0, last = 0; ///< blocks

    /// A register whose lanes have a value of their own, or that the code writes.
    struct Use {
        ptx::RegisterId of;
        bool is_read, is_result; ///< a result is read elsewhere
    };

    [[nodiscard]] bool has(std::uint32_t block) const { return head <= block && block <= last; }
    /// Where lanes go behind them.
    [[nodiscard]] const std::vector<std::uint32_t>& ways_out() const { return ways_out_; }
    [[nodiscard]] const std::vector<Use>& registers() const { return registers_; }
    /// Finds the ways out, and what the code reads and writes. False: all lanes share a register that it writes.
    [[nodiscard]] bool finish(const Emitter& e);

    /// Emits them for the lanes of a mask, one after the other.
    void emit(Emitter& e, llvm::Value* mask, Leave leave) const;
    /// Emits them for one lane, i32.
    void emit_one(Emitter& e, llvm::Value* lane, Leave leave) const;

private:
    std::vector<std::uint32_t> ways_out_; ///< blocks
    std::vector<Use> registers_;
};

} // namespace warplight::jit
