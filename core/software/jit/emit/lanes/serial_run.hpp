// SPDX-License-Identifier: Apache-2.0
// Instructions that the lanes execute one lane after the other although vectors could: mostly loads and stores at
// scattered addresses. A gather or scatter takes the time of all its lanes, active or not, and several instructions of
// the processor for each. Example, a step of a sum over a tree:
//
//     if (t < d) s[b * t + a] += s[c * t + a];     two loads, a sum and a store for each of few lanes
#pragma once

#include "lane_groups.hpp"

#include <optional>
#include <vector>

namespace warplight::jit {

/// Instructions of a block that lanes execute one lane after the other.
class SerialRun {
public:
    /// The run that begins at an instruction, if there is one and it pays for the lanes that are active here.
    static std::optional<SerialRun> find(Emitter& e, std::uint32_t begin, std::uint32_t end);

    /// The instruction behind it.
    [[nodiscard]] std::uint32_t end() const { return end_; }
    /// Vectors are better if more lanes than so many are active. 0: they never are.
    [[nodiscard]] unsigned most_active() const { return most_active_; }
    /// `one` emits an instruction for all lanes at once.
    void emit(Emitter& e, llvm::function_ref<void(std::uint32_t)> one) const;

private:
    struct Part {
        std::uint32_t at; ///< the instruction
        bool once;        ///< for all lanes, in front of the run: the result is the same in them, affine or an address
        bool scattered;   ///< an access whose time depends on the number of lanes
    };

    bool add(Emitter& e, std::uint32_t at);
    bool add_access(Emitter& e, std::uint32_t at);
    bool add_once(Emitter& e, std::uint32_t at);
    [[nodiscard]] bool add_single(const Emitter& e, const ptx::Instruction& i, std::uint32_t at);
    void cut_behind_scattered();
    [[nodiscard]] bool pays(const Emitter& e);
    [[nodiscard]] bool is_step_of_tree(const Emitter& e);
    [[nodiscard]] std::optional<std::int64_t> element_of_even(Emitter& e) const;
    bool emit_groups(Emitter& e, std::int64_t step, llvm::BasicBlock* rest,
                     llvm::function_ref<void(std::uint32_t)> one) const;
    void emit_with_gaps(Emitter& e, std::int64_t step, llvm::BasicBlock* rest,
                        llvm::function_ref<void(std::uint32_t)> one) const;
    void emit_loop(Emitter& e) const;
    [[nodiscard]] bool is_read_evenly(const Emitter& e, ptx::RegisterId r) const;
    [[nodiscard]] bool makes_address(const Emitter& e, std::uint32_t at) const;
    [[nodiscard]] bool is_read(const Emitter& e, ptx::RegisterId r) const;
    [[nodiscard]] bool is_written(const Emitter& e, ptx::RegisterId r) const;
    [[nodiscard]] bool is_read_behind(const Emitter& e, ptx::RegisterId r) const;

    [[nodiscard]] std::vector<ptx::RegisterId> read_from_before(const Emitter& e) const;
    [[nodiscard]] bool stays_alone(const Emitter& e) const;

    std::uint32_t end_ = 0, block_end_ = 0;
    unsigned most_active_ = 0;
    bool single_ = false; ///< one lane executes the block, or all do
    std::vector<Part> parts_;
};

} // namespace warplight::jit
