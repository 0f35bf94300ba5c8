// SPDX-License-Identifier: Apache-2.0
// Innermost loops without barriers that read what lies side by side, time after time a long way further on, such as
// "i += gridDim.x * blockDim.x". One vector after the other would go all the way by itself: every line would come from
// another page, and no prefetcher would know what is next. So the threads of a block take turns in them, where they are
// coroutines.
#include "lanes.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

/// Whether a loop adds what is not known yet but the same in all lanes to what grows from lane to lane, and goes on
/// from there: `add i, i, by`, or in several steps where it is unrolled.
bool strides(const std::vector<const Instruction*>& body, const LanePlan& plan) {
    std::map<RegisterId, const Instruction*> writers; // null: several
    for (const Instruction* i : body)
        if (const Operand* to = ptx::destination_of(*i))
            each_register(*to, [&](RegisterId r) { writers[r] = writers.contains(r) ? nullptr : i; });
    const auto from = [&](RegisterId r, bool& jumps) -> std::optional<RegisterId> {
        const auto found = writers.find(r);
        if (found == writers.end() || !found->second) return std::nullopt;
        const Instruction& i = *found->second;
        if (i.opcode == Opcode::mov && i.operands[1].kind == Operand::Kind::reg) return i.operands[1].reg;
        if (i.opcode != Opcode::add) return std::nullopt;
        const Operand &x = i.operands[1], &y = i.operands[2];
        const bool swapped = x.kind != Operand::Kind::reg || !plan.grows(x.reg);
        const Operand &growing = swapped ? y : x, &by = swapped ? x : y;
        if (growing.kind != Operand::Kind::reg || !plan.grows(growing.reg) || !plan.uniform(by)) return std::nullopt;
        jumps |= !plan.constant_of(by);
        return growing.reg;
    };
    return std::any_of(writers.begin(), writers.end(), [&](const auto& writer) {
        bool jumps = false;
        std::optional<RegisterId> at = writer.first;
        for (std::size_t steps = 0; at && steps < writers.size(); ++steps) {
            at = from(*at, jumps);
            if (at == writer.first) return jumps;
        }
        return false;
    });
}

} // namespace

void find_strides(const ptx::Function& kernel, LanePlan& plan) {
    for (std::uint32_t end = 0; end < plan.blocks.size(); ++end) {
        for (const std::uint32_t start : plan.blocks[end].successors) {
            if (start > end) continue;
            bool inner = true, reads = false;
            std::vector<const Instruction*> body;
            for (std::uint32_t k = start; k <= end; ++k) {
                for (const std::uint32_t to : plan.blocks[k].successors)
                    inner &= to > k || (k == end && to == start);
                for (std::uint32_t at = plan.blocks[k].begin; at < plan.blocks[k].end; ++at) {
                    const Instruction& i = kernel.instructions[at];
                    inner &= !is_block_barrier(i);
                    body.push_back(&i);
                    reads |= i.opcode == Opcode::ld &&
                             (i.space == ptx::Space::global || i.space == ptx::Space::generic) &&
                             plan.stride_of(i.operands.at(1)).value_or(0) != 0;
                }
            }
            if (inner && reads && strides(body, plan)) plan.takes_turns.insert(plan.blocks[end].end - 1);
        }
    }
}

} // namespace warplight::jit
