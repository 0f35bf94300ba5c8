// SPDX-License-Identifier: Apache-2.0
// The masks of the lanes that wait for masked blocks. From block to block they are vectors of 32-bit integers where the
// host has narrow registers: it keeps the results of comparisons so.
#pragma once

#include "software/jit/emit/groups.hpp"

#include <vector>

namespace warplight::jit {

class WaitingLanes {
public:
    explicit WaitingLanes(Emitter& e) : e_(e), b_(e.b), slots_(e.plan->blocks.size(), nullptr) {}

    /// Of the plan's masked blocks. At the entry no lane waits.
    void make_slots();

    /// Whether lanes may wait for a block. For others all of them come.
    [[nodiscard]] bool may_wait(std::uint32_t block) const { return block < slots_.size() && slots_[block]; }
    [[nodiscard]] llvm::Value* mask(std::uint32_t block);
    void add(std::uint32_t block, llvm::Value* mask);
    void clear(std::uint32_t block);

private:
    [[nodiscard]] llvm::Type* type() const;

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    std::vector<llvm::AllocaInst*> slots_; ///< by block
};

} // namespace warplight::jit
