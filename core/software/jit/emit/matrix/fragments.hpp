// SPDX-License-Identifier: Apache-2.0
// Fragments of matrices in memory. Matrix instructions become functions that take and give fragments in memory, a
// vector of all lanes for each register. This class knows which registers lie where, so that an instruction takes the
// result of the one before without a copy. Registers have LLVM values as well, so a place may be forgotten at any time.
// LLVM drops the values that nobody reads, and with them nearly all code of a product that it would have to compile.
#pragma once

#include "software/jit/lanes/lanes.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

class Emitter;

class Fragments {
public:
    using Registers = std::vector<ptx::RegisterId>; ///< of 32 bits

    explicit Fragments(Emitter& emitter) : e_(emitter) {}

    /// Code for all lanes of a block begins. Until leave() it is executed in the order in which it is emitted.
    void enter(const LaneBlock& block, const LanePlan& plan);
    void leave();
    [[nodiscard]] bool holds_any() const { return inside_; }

    /// The place where registers lie one behind the other.
    [[nodiscard]] std::optional<unsigned> find(const Registers& registers) const;
    /// No other registers are held together with these.
    [[nodiscard]] bool is_whole(const Registers& registers) const;
    /// Room for so many registers.
    [[nodiscard]] unsigned take(std::size_t count);
    void give_back(unsigned place, std::size_t count);
    /// The current instruction reads these registers: from now on they lie there.
    void hold(const Registers& registers, unsigned place);
    /// The current instruction writes these registers: from now on they lie there.
    void hold_result(const ptx::Instruction& i, const Registers& registers, unsigned place);
    /// The instruction is the last one that reads these values, so their place may be overwritten.
    [[nodiscard]] bool die_at(const Registers& registers, std::uint32_t instruction) const;
    /// Forgets them; their place stays taken, for the instruction's result.
    void hand_over(const Registers& registers);
    /// The instruction has been emitted: forgets registers that it writes and those that nobody reads any more.
    void finish(std::uint32_t instruction);

    [[nodiscard]] llvm::Value* address(unsigned place);
    /// All code has been emitted: the memory's size is known.
    void close();

private:
    void forget_written(const ptx::Instruction& i);
    struct Held {
        Registers registers;
        std::size_t dead = 0;
    };
    struct Within {
        unsigned place; ///< of the first register held there
        std::size_t position;
    };
    void release(unsigned place, bool gives_back);
    void release_all();

    Emitter& e_;
    bool inside_ = false;
    bool result_held_ = false; ///< of the current instruction
    std::uint32_t begin_ = 0;
    std::vector<Registers> dies_; ///< by instruction of the block: read there for the last time
    std::map<unsigned, Held> held_;
    std::map<ptx::RegisterId, Within> within_;
    std::map<std::size_t, std::vector<unsigned>> free_; ///< places, by their size
    unsigned used_ = 0, most_used_ = 1;
    llvm::AllocaInst* memory_ = nullptr;
};

} // namespace warplight::jit
