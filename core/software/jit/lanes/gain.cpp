// SPDX-License-Identifier: Apache-2.0
// Whether lanes make a kernel faster: vector operations save time, scattered accesses and parting lanes lose it.
#include "estimate.hpp"
#include "joint_access.hpp"
#include "software/jit/analysis/analysis.hpp"

#include <algorithm>
#include <cmath>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr double kOperationsPerScattered = 5; ///< vector operations that save the cost of one scattered access

bool is_scattered(const Instruction& i, const LanePlan& plan) {
    if (i.space == ptx::Space::local) return false; // on rare paths, like the sine of a very large number
    const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
    const std::int64_t bytes = std::max(1U, unsigned{i.vector_width}) * ptx::bits(i.type()) / 8;
    if (const auto stride = plan.stride_of(address))
        return *stride != 0 && *stride != bytes && (i.vector_width > 1 || !lies_near(*stride, bytes));
    return address.base_kind != Operand::Kind::reg || plan.registers.from_memory[address.reg];
}

/// Whether a lane also accesses the element before, and both are among the same 16 bytes: these are moved at once
/// (emit/lanes/row_loads, row_run).
bool is_in_piece(const ptx::Function& kernel, const LanePlan& plan, std::uint32_t at) {
    constexpr std::uint32_t kNear = 32; // instructions
    constexpr std::int64_t kPiece = 16; // bytes
    const auto place_of = [](const Operand& x) {
        return x.kind == Operand::Kind::address ? std::int64_t{static_cast<std::int32_t>(x.integer)} : 0;
    };
    const Instruction& i = kernel.instructions[at];
    const std::size_t operand = i.opcode == Opcode::ld ? 1 : 0;
    const Operand& address = i.operands.at(operand);
    const std::int64_t bytes = ptx::bits(i.type()) / 8;
    if (i.guarded || i.vector_width > 1 || address.base_kind != Operand::Kind::reg || bytes < 4) return false;
    const std::int64_t place = place_of(address);
    if (place % kPiece == 0) return false;
    const LaneBlock& block = plan.blocks.of(at);
    for (std::uint32_t k = std::max(block.begin + kNear, at) - kNear; k < std::min(block.end, at + kNear); ++k) {
        const Instruction& other = kernel.instructions[k];
        if (other.opcode != i.opcode || other.guarded || other.type() != i.type()) continue;
        const Operand& before = other.operands.at(operand);
        if (before.base_kind == Operand::Kind::reg && before.reg == address.reg && place_of(before) == place - bytes)
            return true;
    }
    return false;
}

/// By block: how often it is executed, against one that is in a single loop. Tests of all lanes hold.
std::vector<double> weights_of(const ptx::Function& kernel, const LanePlan& plan) {
    constexpr double kTurns = 8; // of an inner loop
    const auto count = static_cast<std::uint32_t>(plan.blocks.size());
    std::vector<bool> reached(count, false);
    std::vector<std::uint32_t> todo{0};
    while (!todo.empty()) {
        const std::uint32_t k = todo.back();
        todo.pop_back();
        if (k >= count || reached[k]) continue;
        reached[k] = true;
        const auto& to = plan.blocks[k].successors;
        const std::size_t ways = ends_with_lane_test(kernel, plan.blocks[k]) ? 1 : to.size();
        todo.insert(todo.end(), to.begin(), to.begin() + static_cast<std::ptrdiff_t>(ways));
    }
    std::vector<double> weights(count, 0);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (!reached[k] || plan.blocks[k].cold) continue;
        const auto loops =
            std::ranges::count_if(plan.blocks.loops(), [k](const LaneBlocks::Loop& loop) { return loop.has(k); });
        weights[k] = std::pow(kTurns, std::max<std::ptrdiff_t>(loops, 1) - 1);
    }
    return weights;
}

} // namespace

bool only_copies(const ptx::Function& kernel) {
    constexpr std::size_t kInstructionsPerAccess = 10;
    constexpr std::ptrdiff_t kFewSamples = 3; ///< more of them lie around a place, whose lines are read again
    const auto& all = kernel.instructions;
    const auto accesses = std::count_if(all.begin(), all.end(), [](const Instruction& i) {
        return (i.opcode == Opcode::ld || i.opcode == Opcode::st) && i.space != ptx::Space::param;
    });
    return all.size() < kInstructionsPerAccess * static_cast<std::size_t>(accesses) && !has_loop(kernel) &&
           std::none_of(all.begin(), all.end(), ptx::may_suspend) &&
           std::count_if(all.begin(), all.end(), samples_all_lanes) <= kFewSamples;
}

std::vector<bool> find_from_memory(const ptx::Function& kernel, const LaneRegisters& registers) {
    std::vector<bool> from_memory(kernel.registers.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (const Instruction& i : kernel.instructions) {
            const Operand* to = ptx::destination_of(i);
            if (!to) continue;
            bool loaded = ptx::effects_of(i).reads_memory;
            for (const Operand& x : ptx::sources_of(i))
                each_register(x, [&](ptx::RegisterId r) { loaded |= from_memory[r]; });
            if (!loaded) continue;
            each_register(*to, [&](ptx::RegisterId r) {
                changed |= !from_memory[r] && !registers.uniform(r);
                from_memory[r] = !registers.uniform(r);
            });
        }
    }
    return from_memory;
}

bool stores_far_rows(const ptx::Function& kernel, const LanePlan& plan) {
    const auto is_of_row = [&](std::uint32_t at) {
        const Instruction& i = kernel.instructions[at];
        if (i.opcode != Opcode::st || (i.space != ptx::Space::global && i.space != ptx::Space::generic)) return false;
        const Operand& address = i.operands[0];
        return address.base_kind == Operand::Kind::reg && !plan.stride(address.reg) &&
               !plan.registers.from_memory[address.reg] && is_in_piece(kernel, plan, at);
    };
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k) {
        const LaneBlock& block = plan.blocks[k];
        if (std::ranges::find(block.successors, k) == block.successors.end()) continue;
        for (std::uint32_t at = block.begin; at < block.end; ++at)
            if (is_of_row(at)) return true;
    }
    return false;
}

bool lanes_pay(const ptx::Function& kernel, const LanePlan& plan, unsigned width) {
    if (plan.has_warp_operations || plan.has_spin_loops) return true;
    const auto estimated_to_pay = [&](bool otherwise) {
        const auto costs = estimate_costs(kernel, plan, width);
        return costs ? costs->side_by_side <= costs->one_by_one : otherwise;
    };
    // Each switch between coroutines then serves all lanes. This mostly saves more than vectors do.
    if (plan.has_barriers) return estimated_to_pay(true);
    // All lanes share one look-up of the texture's state.
    if (std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                    [&](const Instruction& i) { return samples_all_lanes(i) && plan.names_one_texture(i); }))
        return true;
    const std::vector<double> weights = weights_of(kernel, plan);
    double scattered = 0, vectors = 0;
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k)
        for (std::uint32_t at = plan.blocks[k].begin; weights[k] > 0 && at < plan.blocks[k].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            if (is_combined(kernel, i, plan)) return true; // fewer atomic accesses to a line that all processors want
            if (i.opcode == Opcode::ld || i.opcode == Opcode::st) {
                if (is_scattered(i, plan) && !is_in_piece(kernel, plan, at)) scattered += weights[k];
            } else if (const ptx::RegisterId* to = ptx::destination_register(i); to && !plan.uniform(*to)) {
                vectors += weights[k];
            }
        }
    return estimated_to_pay(scattered * kOperationsPerScattered <= vectors);
}

} // namespace warplight::jit
