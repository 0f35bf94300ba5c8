// SPDX-License-Identifier: Apache-2.0
// A loop over the active lanes, for what vectors cannot do or do slowly. Meanwhile the registers that the code in it
// reads and writes are in memory, an element for each lane.
#pragma once

#include "software/jit/emit/groups.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <memory>
#include <vector>

namespace warplight::jit {

class LaneLoop {
public:
    explicit LaneLoop(Emitter& e) : e_(e), b_(e.b) {}

    /// The code in the loop uses a register. A register that it writes and never reads has no need of its old value,
    /// unless inactive lanes keep it.
    void use(ptx::RegisterId r, bool is_read);
    /// The code in the loop reads a register of 32 bits whose lanes are equally far from each other.
    void use_even(ptx::RegisterId r);
    /// The code in the loop writes the register before it reads it, and nothing else reads it.
    void use_alone(ptx::RegisterId r);
    /// Emits the loop; `body` is called once, with LaneState::serial_index().
    void emit(llvm::function_ref<void()> body);
    /// The same for all lanes, some of them in a turn: `body` is called for each of these.
    void emit_all(unsigned at_once, llvm::function_ref<void()> body);
    /// Behind the loop: the register has what the lanes wrote.
    void take_back(ptx::RegisterId r);

private:
    [[nodiscard]] unsigned width() const { return e_.lanes.full_width(); }
    [[nodiscard]] llvm::Type* bytes() const { return llvm::FixedVectorType::get(b_.getInt8Ty(), width()); }

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    std::vector<std::unique_ptr<Scratch>> memory_;
    Registers::LaneCopies copies_;
};

} // namespace warplight::jit
