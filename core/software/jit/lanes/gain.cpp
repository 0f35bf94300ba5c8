// SPDX-License-Identifier: Apache-2.0
#include "joint_access.hpp"
#include "software/jit/analysis/analysis.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr unsigned kOperationsOfScattered = 5; ///< vector operations that save as much as a scattered access costs

} // namespace

bool only_copies(const ptx::Function& kernel) {
    constexpr std::size_t kFew = 10; // instructions for each access
    const auto& all = kernel.instructions;
    const auto accesses = std::count_if(all.begin(), all.end(), [](const Instruction& i) {
        return (i.opcode == Opcode::ld || i.opcode == Opcode::st) && i.space != ptx::Space::param;
    });
    return all.size() < kFew * static_cast<std::size_t>(accesses) && !has_loop(kernel) &&
           std::none_of(all.begin(), all.end(), ptx::may_suspend);
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

bool lanes_pay(const ptx::Function& kernel, const LanePlan& plan) {
    // One coroutine for several threads saves more than vectors do.
    if (plan.has_barriers || plan.has_warp_operations || plan.has_spin_loops) return true;
    // A texture's state is read once for all lanes.
    if (std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                    [&](const Instruction& i) { return samples_all_lanes(i) && plan.names_one_texture(i); }))
        return true;
    unsigned scattered = 0, vectors = 0;
    for (const LaneBlock& block : plan.blocks)
        for (std::uint32_t at = block.begin; !block.cold && at < block.end; ++at) {
            const Instruction& i = kernel.instructions[at];
            if (is_combined(i, plan)) return true; // fewer atomic accesses to a line that all processors want
            if (i.opcode != Opcode::ld && i.opcode != Opcode::st) {
                if (const ptx::RegisterId* to = ptx::destination_register(i); to && !plan.uniform(*to)) ++vectors;
                continue;
            }
            const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
            if (i.space == ptx::Space::local) continue; // on rare paths, like the sine of a very large number
            const std::int64_t bytes = std::max(1U, unsigned{i.vector_width}) * ptx::bits(i.type()) / 8;
            const auto stride = plan.stride_of(address);
            if (stride == 0 || stride == bytes) continue;
            if (!stride && address.base_kind == Operand::Kind::reg && !plan.registers.from_memory[address.reg])
                continue;
            ++scattered;
        }
    return scattered * kOperationsOfScattered <= vectors;
}

} // namespace warplight::jit
