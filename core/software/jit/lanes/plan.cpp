// SPDX-License-Identifier: Apache-2.0
#include "divergence.hpp"
#include "joint_access.hpp"
#include "partial_warps.hpp"
#include "rules.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr std::uint32_t kMostBlocks = 1024;
constexpr std::uint32_t kMostInstructions = 6000;
constexpr std::uint32_t kMostWithPerLaneMemory = 800; ///< instructions; longer code seldom pays for its compile time
constexpr std::int64_t kMostPerLaneBytes = 4096;      ///< of a thread: on the stack, or in the coroutine's frame

std::vector<bool> read_registers(const ptx::Function& kernel) {
    std::vector<bool> read(kernel.registers.size());
    for (const Instruction& i : kernel.instructions)
        ptx::each_read(kernel, i, [&](ptx::RegisterId r) { read[r] = true; });
    return read;
}

bool is_barrier_of_whole_block(const Instruction& i) {
    return !i.has(Modifier::red) && !i.has(Modifier::arrive) && !i.has(Modifier::cluster) && !i.guarded &&
           i.operands.size() == 1 && i.operands[0].kind == Operand::Kind::integer;
}

/// The reason why no kernel with this instruction runs side by side, or null.
const char* obstacle(const Instruction& i) {
    if (is_of_clusters(i)) return "clusters of blocks";
    switch (i.opcode) {
    case Opcode::call: return "a call";
    case Opcode::brx: return "an indexed branch";
    case Opcode::shfl:
    case Opcode::vote:
        if (!i.has(Modifier::sync)) return "an operation of the warp without .sync";
        break;
    case Opcode::redux:
        if (ptx::is_float(i.type())) return "a reduction of floats";
        break;
    case Opcode::mbarrier: return "barrier objects";
    case Opcode::cp: // other copies are done at once, so that no thread waits for them
        if (i.has(Modifier::mbarrier) || i.has(Modifier::bulk)) return "barrier objects";
        break;
    case Opcode::bar:
    case Opcode::barrier:
        if (i.has(Modifier::warp)) break;
        return is_barrier_of_whole_block(i) ? nullptr : "a barrier other than of the whole block";
    default: break;
    }
    const auto has = [&](Operand::Kind kind) {
        return std::any_of(i.operands.begin(), i.operands.end(), [&](const Operand& x) { return x.kind == kind; });
    };
    // It is serialised, and a single lane has no carry flag.
    if (uses_carry(i) && has(Operand::Kind::special)) return "a carry of a special register";
    if ((i.opcode == Opcode::mov || i.opcode == Opcode::cvta) && has(Operand::Kind::function))
        return "a pointer to a function";
    return nullptr;
}

/// The same for a kernel.
const char* obstacle(const ptx::Function& kernel) {
    const std::size_t length = kernel.instructions.size();
    if (length == 0 || length > kMostInstructions) return "its length";
    for (const ptx::Variable& v : kernel.variables)
        if (v.space != ptx::Space::shared && v.space != ptx::Space::local) return "a call";
    const std::int64_t bytes = PerLaneMemory(kernel).total();
    if (bytes > kMostPerLaneBytes || (bytes && length > kMostWithPerLaneMemory)) return "memory of its threads' own";
    for (const Instruction& i : kernel.instructions)
        if (const char* why = obstacle(i)) return why;
    return nullptr;
}

/// The same for instructions that all threads of a warp or block execute together.
const char* divergent_obstacle(const ptx::Function& kernel, const std::vector<std::uint32_t>& post_dominators,
                               const LanePlan& plan, unsigned width) {
    bool of_some = false;
    for (const LaneBlock& block : plan.blocks)
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const Instruction& i = kernel.instructions[at];
            of_some |= is_warp_operation(i) && (block.divergent || (i.guarded && !plan.uniform(i.guard)));
            if (is_block_barrier(i) && block.divergent) return "a barrier that not all threads may reach";
        }
    if (of_some && !members_come_together(kernel, post_dominators, plan)) return "an operation of some of the warp";
    return plan.has_warp_operations && width != kWarpLanes ? "operations of the warp" : nullptr;
}

bool has_in_blocks(const ptx::Function& kernel, const LaneBlocks& blocks, bool (*is)(const Instruction&)) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const LaneBlock& block) {
        return std::any_of(kernel.instructions.begin() + block.begin, kernel.instructions.begin() + block.end, is);
    });
}

std::vector<std::optional<std::int64_t>> find_constants(const ptx::Function& kernel) {
    std::vector<std::optional<std::int64_t>> constants(kernel.registers.size());
    std::vector<bool> written(kernel.registers.size(), false);
    for (const Instruction& i : kernel.instructions) {
        const Operand* to = ptx::destination_of(i);
        if (!to) continue;
        const bool is_number = i.opcode == Opcode::mov && !i.guarded && to->kind == Operand::Kind::reg &&
                               i.operands[1].kind == Operand::Kind::integer && !i.operands[1].negated;
        each_register(*to, [&](ptx::RegisterId r) {
            constants[r] = is_number && !written[r] ? std::optional(i.operands[1].integer) : std::nullopt;
            written[r] = true;
        });
    }
    return constants;
}

/// Finds the lattice values of registers and the masked blocks. Each depends on the other. Values only ever go down and
/// blocks only become masked, so that it ends.
class Planner {
public:
    Planner(const ptx::Function& kernel, const ptx::Liveness& live, const std::vector<std::uint32_t>& post_dominators,
            unsigned width, LanePlan& plan)
        : f_(kernel), divergence_(kernel, live, post_dominators, plan), rules_(kernel, plan, width), plan_(plan),
          values_(plan.registers.values) {
        values_.assign(f_.registers.size(), {});
    }

    /// As if lanes never parted: only the strides are right, and only for what they are told for.
    void run_in_step() {
        for (bool again = true; again;) {
            again = update_values(true);
            again = again || zero_unseen();
        }
    }

    void run() {
        for (bool again = true; again;) {
            again = update_values();
            again |= divergence_.update();
            again = again || zero_unseen();
        }
        divergence_.find_reconvergence_points();
    }

private:
    /// Registers that no value has reached are zero in all lanes, as they are at the start of the emitted code.
    bool zero_unseen() {
        bool any = false;
        for (LaneValue& value : values_)
            if (!value.known) {
                any = value.known = true;
                value.stride = 0;
            }
        return any;
    }

    bool update_values(bool in_step = false) {
        bool changed = false;
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t at = 0; at < f_.instructions.size(); ++at)
                again |= update_result(at, in_step);
            changed |= again;
        }
        return changed;
    }

    bool update_result(std::uint32_t at, bool in_step) {
        const Instruction& i = f_.instructions[at];
        const Operand* to = ptx::destination_of(i);
        if (!to || (i.guarded && !values_[i.guard].known)) return false;
        LaneValue result = rules_.evaluate(i);
        if (i.guarded && !plan_.uniform(i.guard)) result = LaneRules::unknown();
        if (!result.known) return false;
        if (to->kind != Operand::Kind::reg && result.stride != 0) result = LaneRules::unknown();
        const bool divergent = !in_step && plan_.blocks.of(at).divergent;
        bool changed = false;
        each_register(*to, [&](ptx::RegisterId r) {
            changed |=
                lower(r, divergent && divergence_.makes_unknown(r) ? LaneRules::unknown() : rules_.held(r, i, result));
        });
        return changed;
    }

    /// Meets the value of a register with that of one more write. Returns whether it went down.
    bool lower(ptx::RegisterId r, LaneValue value) {
        LaneValue& before = values_[r];
        if (before.known) {
            if (before.stride != value.stride) value = LaneRules::unknown();
            if (value.stride && before.widening && value.widening && *before.widening != *value.widening)
                value = LaneRules::unknown();
            if (value.stride && before.widening) value.widening = before.widening;
            value.multiple &= before.multiple;
            value.zeros = std::min(value.zeros, before.zeros);
            value.first_zeros = std::min(value.first_zeros, before.first_zeros);
        }
        if (!value.stride) value = LaneRules::unknown();
        if (value.stride == 0) value.widening.reset();
        if (before == value) return false;
        before = value;
        return true;
    }

    const ptx::Function& f_;
    Divergence divergence_;
    const LaneRules rules_;
    LanePlan& plan_;
    std::vector<LaneValue>& values_;
};

/// The second plan, of a finished first one.
std::shared_ptr<const OneRow> plan_one_row(const ptx::Function& kernel, const ptx::FlowGraph& graph,
                                           const ptx::Liveness& live, const std::vector<std::uint32_t>& post_dominators,
                                           unsigned width, const LanePlan& plan) {
    InstructionSet divisions = find_row_divisions(kernel, width, plan);
    if (divisions.empty()) return nullptr;
    auto row = std::make_shared<OneRow>();
    row->plan = plan;
    row->plan.row_divisions = std::move(divisions);
    row->plan.blocks = LaneBlocks(graph);
    Planner(kernel, live, post_dominators, width, row->plan).run();
    find_comparisons(kernel, graph, row->plan);
    row->plan.registers.from_memory = find_from_memory(kernel, row->plan.registers);
    find_lane_offsets(kernel, width, row->plan);
    row->plan.registers.lane_distances = find_lane_distances(kernel, row->plan);
    row->plan.registers.evenly_spaced = find_evenly_spaced(kernel, row->plan);
    row->plan.prefetches.likely = find_row_prefetches(kernel, graph, plan, row->plan);
    return find_row_code(kernel, live, plan, *row) ? row : nullptr;
}

} // namespace

std::variant<LanePlan, std::string> plan_lanes(const ptx::Function& kernel, const FunctionFacts& facts,
                                               unsigned width) {
    if (const char* why = obstacle(kernel)) return why;
    const ptx::FlowGraph graph(kernel);
    if (graph.end() > kMostBlocks) return "too many basic blocks";
    const std::vector<std::uint32_t> post_dominators = ptx::post_dominators(graph);
    if (post_dominators.empty()) return "code that never ends";
    const ptx::Liveness live(kernel, graph);
    LanePlan plan;
    plan.blocks = LaneBlocks(graph);
    plan.per_lane_memory = PerLaneMemory(kernel);
    plan.has_barriers = has_in_blocks(kernel, plan.blocks, is_block_barrier);
    plan.has_warp_operations = has_in_blocks(kernel, plan.blocks, is_warp_operation);
    plan.registers.constants = find_constants(kernel);
    plan.registers.block_local = live.block_local;
    plan.registers.read = read_registers(kernel);
    Planner(kernel, live, post_dominators, width, plan).run();
    if (const char* why = divergent_obstacle(kernel, post_dominators, plan, width)) return why;
    if (std::any_of(plan.blocks.begin(), plan.blocks.end(), [](const LaneBlock& block) { return block.divergent; })) {
        LanePlan in_step = plan;
        Planner(kernel, live, post_dominators, width, in_step).run_in_step();
        for (const LaneValue& value : in_step.registers.values)
            plan.registers.strides_in_step.push_back(value.stride);
    }
    find_comparisons(kernel, graph, plan);
    if (std::any_of(kernel.instructions.begin(), kernel.instructions.end(), samples_all_lanes))
        plan.counted = find_counted(kernel, plan);
    plan.registers.from_memory = find_from_memory(kernel, plan.registers);
    find_lane_offsets(kernel, width, plan);
    plan.registers.lane_distances = find_lane_distances(kernel, plan);
    plan.registers.evenly_spaced = find_evenly_spaced(kernel, plan);
    plan.non_temporal_stores = find_non_temporal_stores(kernel, width, plan);
    plan.held_store = find_held_store(kernel, graph, plan);
    find_grid_stride_loops(kernel, graph, width, plan);
    plan.prefetches = find_prefetches(kernel, graph, width, plan);
    plan.has_spin_loops = !facts.spinning_branches.empty();
    if (plan.has_spin_loops && !spin_loops_end(kernel, facts, plan)) return "a loop that waits for other threads";
    plan.one_row = plan_one_row(kernel, graph, live, post_dominators, width, plan);
    return plan;
}

bool meets_whole(const ptx::Function& kernel, const LanePlan& plan) {
    const auto names_all = [&](const Instruction& i) {
        if (i.opcode == Opcode::activemask || ptx::is_matrix(i.opcode)) return true;
        if (i.operands.empty()) return false;
        const bool is_barrier = i.opcode == Opcode::bar || i.opcode == Opcode::barrier;
        const Operand& mask = is_barrier ? i.operands.front() : i.operands.back();
        std::optional<std::int64_t> value;
        if (mask.kind == Operand::Kind::integer && !mask.negated) value = mask.integer;
        if (mask.kind == Operand::Kind::reg && !mask.negated) value = plan.registers.constants[mask.reg];
        return value && static_cast<std::uint32_t>(*value) == ~0U;
    };
    for (const LaneBlock& block : plan.blocks)
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const Instruction& i = kernel.instructions[at];
            const bool of_warp = is_warp_operation(i);
            if ((of_warp || is_block_barrier(i)) && block.masked) return false;
            if (of_warp && !names_all(i)) return false;
        }
    return true;
}

} // namespace warplight::jit
