// SPDX-License-Identifier: Apache-2.0
// Grid-stride loops: innermost loops without barriers whose lanes read neighbours and move on by a large stride, such
// as `i += gridDim.x * blockDim.x`. If each vector ran to its end, it would read each line from another page, and no
// hardware prefetcher foresees that. So the threads of a block yield to each other in the loop if they are coroutines,
// and a load prefetches what the next threads will read.
#include "linear_form.hpp"
#include "software/jit/analysis/sums.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

using Body = std::vector<const Instruction*>;

/// Where a block's threads go through a row by steps of the block's width, they stay close to each other for so many
/// rounds as most rows have. Yields cost more than they gain there.
constexpr std::uint32_t kFirstRoundsOfRow = 33;

/// An affine register to which a loop adds uniform ones: by `add i, i, by`, or by several adds if it is unrolled.
struct Index {
    RegisterId at;
    std::vector<Operand> steps;
};

/// The indices of a loop that move by more than a constant.
std::vector<Index> moving_indices(const Body& body, const LanePlan& plan) {
    std::map<RegisterId, const Instruction*> writers; // null: more than one
    for (const Instruction* i : body)
        if (const Operand* to = ptx::destination_of(*i))
            each_register(*to, [&](RegisterId r) { writers[r] = writers.contains(r) ? nullptr : i; });
    const auto from = [&](Index& index) -> std::optional<RegisterId> {
        const auto found = writers.find(index.at);
        if (found == writers.end() || !found->second) return std::nullopt;
        const Instruction& i = *found->second;
        if (i.opcode == Opcode::mov && i.operands[1].kind == Operand::Kind::reg) return i.operands[1].reg;
        if (i.opcode != Opcode::add) return std::nullopt;
        const Operand &x = i.operands[1], &y = i.operands[2];
        const bool swapped = x.kind != Operand::Kind::reg || !plan.is_affine(x.reg);
        const Operand &affine = swapped ? y : x, &by = swapped ? x : y;
        if (affine.kind != Operand::Kind::reg || !plan.is_affine(affine.reg) || !plan.uniform(by)) return std::nullopt;
        if (!plan.constant_of(by)) index.steps.push_back(by);
        return affine.reg;
    };
    std::vector<Index> indices;
    for (const auto& [r, writer] : writers) {
        Index index{r, {}};
        for (std::size_t steps = 0; steps < writers.size(); ++steps) {
            const auto before = from(index);
            if (!before) break;
            index.at = *before;
            if (index.at != r) continue;
            if (!index.steps.empty()) indices.push_back(std::move(index));
            break;
        }
    }
    return indices;
}

/// Whether the lanes read whole lines of global memory.
bool reads_lines(const Instruction& i, unsigned width, const LanePlan& plan) {
    if (i.opcode != Opcode::ld || i.aid != ptx::Aid::none || !is_global(i)) return false;
    const std::int64_t bytes = ptx::bits(i.type()) / 8 * std::max(1U, unsigned{i.vector_width});
    return bytes * width >= kLineBytes && plan.stride_of(i.operands.at(1)) == bytes;
}

/// The instructions of an innermost loop; of any other loop nothing.
Body body_of(const ptx::Function& kernel, const LanePlan& plan, const ptx::BackEdge& edge) {
    Body body;
    for (std::uint32_t k = edge.to; k <= edge.from; ++k) {
        for (const std::uint32_t to : plan.blocks[k].successors)
            if (to <= k && (k != edge.from || to != edge.to)) return {}; // not innermost
        for (std::uint32_t at = plan.blocks[k].begin; at < plan.blocks[k].end; ++at)
            body.push_back(&kernel.instructions[at]);
    }
    return body;
}

bool reads_neighbours(const Instruction& i, const LanePlan& plan) {
    return i.opcode == Opcode::ld && is_global(i) && plan.stride_of(i.operands.at(1)).value_or(0) != 0;
}

/// Whether blocks lie side by side in y too.
bool has_rows(const ptx::Function& kernel) {
    return std::any_of(kernel.instructions.begin(), kernel.instructions.end(), [](const Instruction& i) {
        return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& operand) {
            return operand.kind == Operand::Kind::special && operand.special == ptx::SpecialRegister::ctaid_y;
        });
    });
}

/// The index that the address of a load is made of in the loop.
const Index* index_of(const Operand& address, const Body& body, const std::vector<Index>& indices) {
    constexpr int kMostSteps = 8;
    std::vector<RegisterId> sources{address.reg};
    for (int step = 0; step < kMostSteps && !sources.empty(); ++step) {
        std::vector<RegisterId> before;
        for (const RegisterId r : sources) {
            const auto found = std::find_if(indices.begin(), indices.end(), [&](const Index& i) { return i.at == r; });
            if (found != indices.end()) return &*found;
            for (const Instruction* i : body) {
                const Operand* to = ptx::destination_of(*i);
                if (!to || to->kind != Operand::Kind::reg || to->reg != r || !linear_form_of(*i)) continue;
                for (std::size_t k = 1; k < i->operands.size(); ++k)
                    if (i->operands[k].kind == Operand::Kind::reg) before.push_back(i->operands[k].reg);
            }
        }
        sources = std::move(before);
    }
    return nullptr;
}

/// How the address of a load moves from round to round, by the index that is easiest to tell.
StrideRead read_ahead(const Body& body, const std::vector<Index>& indices, std::int64_t bytes, const LanePlan& plan) {
    const auto is_written = [&](const Operand& step) {
        return std::any_of(body.begin(), body.end(), [&](const Instruction* i) {
            if (i->operands.empty() || i->operands[0].kind != Operand::Kind::reg) return false;
            return i->operands[0].reg == step.reg && ptx::destination_of(*i);
        });
    };
    const Index* best = nullptr;
    for (const Index& index : indices) {
        const std::int64_t stride = plan.stride(index.at).value_or(0);
        if (stride <= 0 || bytes % stride != 0 || std::any_of(index.steps.begin(), index.steps.end(), is_written))
            continue;
        if (!best || index.steps.size() < best->steps.size()) best = &index;
    }
    return best ? StrideRead{best->steps, bytes / *plan.stride(best->at)} : StrideRead{};
}

/// Whether a step is as wide as the block, or a multiple of that by constants.
bool is_of_block(const ptx::Function& kernel, const std::vector<std::vector<std::uint32_t>>& writers,
                 const LanePlan& plan, const Operand& step) {
    constexpr int kMostSteps = 4;
    const Operand* at = &step;
    for (int k = 0; k < kMostSteps; ++k) {
        if (at->kind == Operand::Kind::special)
            return at->special >= ptx::SpecialRegister::ntid_x && at->special <= ptx::SpecialRegister::ntid_z;
        if (at->kind != Operand::Kind::reg || writers[at->reg].size() != 1) return false;
        const Instruction& i = kernel.instructions[writers[at->reg].front()];
        const bool scales = (i.opcode == Opcode::shl || i.opcode == Opcode::mul) && plan.constant_of(i.operands[2]);
        if (i.opcode != Opcode::mov && !scales) return false;
        at = &i.operands[1];
    }
    return false;
}

} // namespace

void find_grid_stride_loops(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width, LanePlan& plan) {
    // The places of a turn are often a power of two apart, in the same sets of the first cache, and the lines
    // prefetched must stay there. In planes many of them are the same place.
    const bool rows = has_rows(kernel);
    const std::int64_t places = rows ? 28 : 12, most_rounds = rows ? 4 : 8, least_rounds = rows ? 1 : 2;
    const auto writers = ptx::writers_of(kernel);
    std::uint32_t first = kFirstRoundsOfRow;
    for (const ptx::BackEdge& edge : ptx::back_edges(graph)) {
        const Body body = body_of(kernel, plan, edge);
        const bool has_barriers =
            std::any_of(body.begin(), body.end(), [](const Instruction* i) { return is_block_barrier(*i); });
        const auto reads = [&](const Instruction* i) { return reads_neighbours(*i, plan); };
        if (std::none_of(body.begin(), body.end(), reads)) continue;
        const std::vector<Index> indices = moving_indices(body, plan);
        if (indices.empty()) continue;
        const std::int64_t accesses = std::count_if(body.begin(), body.end(), [](const Instruction* i) {
            return is_global(*i) && (i->opcode == Opcode::ld || i->opcode == Opcode::st);
        });
        const auto rounds = static_cast<std::uint32_t>(std::clamp(places / accesses, least_rounds, most_rounds));
        if (!has_barriers) {
            plan.grid_stride_loops.emplace(plan.blocks[edge.from].end - 1, rounds);
            const bool stays = std::all_of(indices.begin(), indices.end(), [&](const Index& index) {
                return std::all_of(index.steps.begin(), index.steps.end(),
                                   [&](const Operand& step) { return is_of_block(kernel, writers, plan, step); });
            });
            if (!stays) first = std::min(first, rounds);
        }
        for (std::uint32_t at = plan.blocks[edge.to].begin; at < plan.blocks[edge.from].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            if (!reads_lines(i, width, plan)) continue;
            const std::int64_t bytes = *plan.stride_of(i.operands[1]);
            StrideRead read;
            if (has_barriers) {
                const Index* index = index_of(i.operands[1], body, indices);
                if (index) read = read_ahead(body, {*index}, bytes, plan);
                if (read.steps.empty()) continue;
            } else if (rows) {
                read = read_ahead(body, indices, bytes, plan);
            }
            read.rounds = has_barriers ? 1 : rounds;
            plan.grid_stride_loads.emplace(at, std::move(read));
        }
    }
    plan.first_stride_rounds = first;
}

} // namespace warplight::jit
