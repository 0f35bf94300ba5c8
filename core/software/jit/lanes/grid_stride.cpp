// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops: innermost loops without barriers whose lanes read neighbours and move on by a large stride, such
// as `i += gridDim.x * blockDim.x`. If each vector ran to its end, it would read each line from another page, and no
// hardware prefetcher foresees that. So the threads of a block yield to each other in the loop if they are coroutines,
// and a load prefetches what the next threads will read.
#include "lanes.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

/// Whether a loop adds a uniform register to an affine one: by `add i, i, by`, or by several adds if it is unrolled.
bool adds_stride(const std::vector<const Instruction*>& body, const LanePlan& plan) {
    std::map<RegisterId, const Instruction*> writers; // null: more than one
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
        const bool swapped = x.kind != Operand::Kind::reg || !plan.is_affine(x.reg);
        const Operand &affine = swapped ? y : x, &by = swapped ? x : y;
        if (affine.kind != Operand::Kind::reg || !plan.is_affine(affine.reg) || !plan.uniform(by)) return std::nullopt;
        jumps |= !plan.constant_of(by);
        return affine.reg;
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

bool is_global(const Instruction& i) { return i.space == ptx::Space::global || i.space == ptx::Space::generic; }

/// Whether the lanes read whole lines of global memory.
bool reads_lines(const Instruction& i, unsigned width, const LanePlan& plan) {
    if (i.opcode != Opcode::ld || i.aid != ptx::Aid::none || !is_global(i)) return false;
    const std::int64_t bytes = ptx::bits(i.type()) / 8 * std::max(1U, unsigned{i.vector_width});
    return bytes * width >= kLineBytes && plan.stride_of(i.operands.at(1)) == bytes;
}

bool is_grid_stride_loop(const ptx::Function& kernel, const LanePlan& plan, const ptx::BackEdge& edge) {
    bool reads_neighbours = false;
    std::vector<const Instruction*> body;
    for (std::uint32_t k = edge.to; k <= edge.from; ++k) {
        for (const std::uint32_t to : plan.blocks[k].successors)
            if (to <= k && (k != edge.from || to != edge.to)) return false; // not innermost
        for (std::uint32_t at = plan.blocks[k].begin; at < plan.blocks[k].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            if (is_block_barrier(i)) return false;
            body.push_back(&i);
            reads_neighbours |=
                i.opcode == Opcode::ld && is_global(i) && plan.stride_of(i.operands.at(1)).value_or(0) != 0;
        }
    }
    return reads_neighbours && adds_stride(body, plan);
}

} // namespace

void find_grid_stride_loops(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width, LanePlan& plan) {
    for (const ptx::BackEdge& edge : ptx::back_edges(graph)) {
        if (!is_grid_stride_loop(kernel, plan, edge)) continue;
        std::uint32_t& accesses = plan.grid_stride_loops[plan.blocks[edge.from].end - 1];
        for (std::uint32_t at = plan.blocks[edge.to].begin; at < plan.blocks[edge.from].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            accesses += is_global(i) && (i.opcode == Opcode::ld || i.opcode == Opcode::st) ? 1 : 0;
            if (reads_lines(i, width, plan)) plan.grid_stride_loads.insert(at);
        }
    }
}

} // namespace warplight::jit
