// SPDX-License-Identifier: Apache-2.0
#include "lanes.hpp"

#include "rules.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using SR = ptx::SpecialRegister;

namespace {

constexpr std::uint32_t kMostBlocks = 1024;
constexpr std::uint32_t kMostInstructions = 6000;
constexpr std::uint32_t kMostWithOwn = 800;
constexpr std::int64_t kMostOwnBytes = 4096; // of a thread: it lies on the stack, or in the coroutine's frame

std::int64_t bytes_of_lane(const ptx::Variable& v) {
    constexpr std::int64_t kUnit = 16; // or what it asks for
    const auto unit = std::max<std::int64_t>(kUnit, v.alignment);
    return (std::max<std::int64_t>(static_cast<std::int64_t>(v.size), 1) + unit - 1) / unit * unit;
}

/// Why an instruction keeps its kernel from running side by side, or nothing.
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
    case Opcode::cp: // copies at once; nothing is left to wait for
        if (i.has(Modifier::mbarrier) || i.has(Modifier::bulk)) return "barrier objects";
        break;
    case Opcode::bar:
    case Opcode::barrier:
        if (i.has(Modifier::warp)) break;
        return i.has(Modifier::red) || i.has(Modifier::arrive) || i.has(Modifier::cluster) || i.guarded ||
                       i.operands.size() != 1 || i.operands[0].kind != Operand::Kind::integer
                   ? "a barrier other than of the whole block"
                   : nullptr;
    default: break;
    }
    // Done a lane after the other, and there is no flag for one lane.
    if (uses_carry(i) && std::any_of(i.operands.begin(), i.operands.end(),
                                     [](const Operand& x) { return x.kind == Operand::Kind::special; }))
        return "a carry of a special register";
    if (i.opcode == Opcode::mov || i.opcode == Opcode::cvta)
        for (const Operand& x : i.operands)
            if (x.kind == Operand::Kind::function) return "a pointer to a function";
    return nullptr;
}

class Planner {
public:
    Planner(const ptx::Function& kernel, const ptx::FlowGraph& graph, unsigned width)
        : f_(kernel), graph_(graph), join_(ptx::post_dominators(graph)), rules_(kernel, plan_, seen_, width),
          width_(width) {}

    std::variant<LanePlan, std::string> plan() {
        const std::uint32_t n = graph_.end();
        if (n > kMostBlocks) return "too many basic blocks";
        if (join_.empty()) return "code that never ends";
        live_.emplace(f_, graph_);
        make_blocks();
        plan_.block_of = graph_.block_of();
        plan_.local = live_->block_local;
        plan_.stride.assign(f_.registers.size(), std::nullopt);
        plan_.widening.assign(f_.registers.size(), std::nullopt);
        plan_.multiple.assign(f_.registers.size(), false);
        plan_.zeros.assign(f_.registers.size(), 0);
        for (const ptx::Variable& v : f_.variables)
            plan_.own.push_back(v.space == ptx::Space::local ? bytes_of_lane(v) : 0);
        find_constants();
        seen_.assign(f_.registers.size(), false);
        unsteady_.assign(f_.registers.size(), false);
        // All only ever get worse: registers lose what is known of them, blocks may be run by fewer lanes.
        for (bool again = true; again;) {
            again = update_strides();
            again |= update_divergence();
            again = again || begin_somewhere();
        }
        for (std::uint32_t k = 0; k < n; ++k)
            for (std::uint32_t at = plan_.blocks[k].begin; at < plan_.blocks[k].end; ++at) {
                const Instruction& i = f_.instructions[at];
                const bool warp = is_warp_operation(i);
                const bool barrier = is_block_barrier(i);
                plan_.has_warp_operations |= warp;
                plan_.has_barriers |= barrier;
                if ((warp || barrier) && plan_.blocks[k].apart)
                    return warp ? "an operation of some of the warp" : "a barrier that not all threads may reach";
                if (warp && i.guarded && !plan_.uniform(i.guard)) return "an operation of some of the warp";
            }
        if (plan_.has_warp_operations && width_ != kWarpLanes) return "operations of the warp";
        return std::move(plan_);
    }

private:
    void make_blocks() {
        const std::vector<bool> in_loop = ptx::between_back_edges(graph_);
        const bool loops = std::find(in_loop.begin(), in_loop.end(), true) != in_loop.end();
        for (std::uint32_t k = 0; k < graph_.end(); ++k) {
            const ptx::BasicBlock& block = graph_.blocks()[k];
            LaneBlock& one = plan_.blocks.emplace_back();
            one.begin = block.begin;
            one.end = block.end;
            one.successors = block.successors;
            one.seldom = loops && !in_loop[k];
        }
    }

    void find_constants() {
        plan_.constant.assign(f_.registers.size(), std::nullopt);
        std::vector<bool> written(f_.registers.size(), false);
        for (const Instruction& i : f_.instructions) {
            const Operand* to = ptx::destination_of(i);
            if (!to) continue;
            const bool number = i.opcode == Opcode::mov && !i.guarded && to->kind == Operand::Kind::reg &&
                                i.operands[1].kind == Operand::Kind::integer && !i.operands[1].negated;
            each_register(*to, [&](ptx::RegisterId r) {
                plan_.constant[r] = number && !written[r] ? std::optional(i.operands[1].integer) : std::nullopt;
                written[r] = true;
            });
        }
    }

    // --- strides

    /// Registers that nothing else is known of begin as zero in all lanes, as they do in the code.
    bool begin_somewhere() {
        bool any = false;
        for (ptx::RegisterId r = 0; r < seen_.size(); ++r)
            if (!seen_[r]) {
                any = seen_[r] = true;
                plan_.stride[r] = 0;
            }
        return any;
    }

    bool update_strides() {
        bool changed = false;
        for (bool again = true; again;) {
            again = false;
            for (std::uint32_t at = 0; at < f_.instructions.size(); ++at) {
                const Instruction& i = f_.instructions[at];
                const Operand* to = ptx::destination_of(i);
                if (!to) continue;
                LaneValue h = rules_.evaluate(i);
                if (i.guarded) {
                    if (!seen_[i.guard]) continue;
                    if (plan_.stride[i.guard] != 0) h = LaneRules::unknown();
                }
                if (!h.known) continue;
                if (to->kind != Operand::Kind::reg && h.stride != 0) h = LaneRules::unknown();
                const bool here = plan_.blocks[plan_.block_of[at]].apart;
                each_register(*to, [&](ptx::RegisterId r) {
                    again |= lower(r, here && loses(r) ? LaneRules::unknown() : rules_.held(r, i, h));
                });
            }
            changed |= again;
        }
        return changed;
    }

    /// What is known of a register after one more way to write it.
    bool lower(ptx::RegisterId r, LaneValue h) {
        const bool first = !seen_[r];
        if (!first) {
            if (plan_.stride[r] != h.stride) h = LaneRules::unknown();
            const auto& before = plan_.widening[r];
            if (h.stride && before && h.widening && *before != *h.widening) h = LaneRules::unknown();
            if (h.stride && before) h.widening = before;
            h.multiple &= plan_.multiple[r];
            h.zeros = std::min<unsigned>(h.zeros, plan_.zeros[r]);
        }
        if (!h.stride || h.stride == 0) h.widening.reset();
        if (!h.stride) h.multiple = false;
        if (!h.stride) h.zeros = 0;
        if (!first && plan_.stride[r] == h.stride && plan_.multiple[r] == h.multiple &&
            plan_.widening[r] == h.widening && plan_.zeros[r] == h.zeros)
            return false;
        seen_[r] = true;
        plan_.stride[r] = h.stride;
        plan_.multiple[r] = h.multiple;
        plan_.zeros[r] = static_cast<std::uint8_t>(h.zeros);
        plan_.widening[r] = h.widening;
        return true;
    }

    /// Whether lanes that are elsewhere may come to read what they had in a register, or each something else. Lanes
    /// that have parted meet again at their join, and go on together in between: a loop's index is one of its lanes
    /// that are still in it, whatever those hold which have left it, as long as these do not look.
    [[nodiscard]] bool loses(ptx::RegisterId r) const { return !plan_.local[r] && (disordered_ || unsteady_[r]); }

    bool note_unsteady(const std::vector<bool>& written_there, const std::vector<bool>& read_here, std::uint32_t join) {
        bool changed = false;
        ptx::RegisterSet read = live_->live_in[join];
        for (std::uint32_t k = 0; k < read_here.size(); ++k)
            if (read_here[k]) read.insert(live_->live_in[k]);
        for (std::uint32_t k = 0; k < written_there.size(); ++k)
            if (written_there[k])
                live_->written[k].each([&](ptx::RegisterId r) {
                    if (unsteady_[r] || !read.contains(r)) return;
                    changed = unsteady_[r] = true;
                });
        return changed;
    }

    // --- divergence

    /// Nothing but the end of the kernel.
    [[nodiscard]] bool is_end(std::uint32_t k) const {
        if (k == plan_.blocks.size()) return true;
        const LaneBlock& block = plan_.blocks[k];
        const Instruction& only = f_.instructions[block.begin];
        return block.end - block.begin == 1 && !only.guarded && ptx::ends_thread(only);
    }

    /// The blocks between a branch's target and the branch's join.
    [[nodiscard]] std::vector<bool> way(std::uint32_t branch, std::uint32_t target) const {
        std::vector<bool> seen(plan_.blocks.size(), false);
        std::vector<std::uint32_t> todo{target};
        while (!todo.empty()) {
            const std::uint32_t at = todo.back();
            todo.pop_back();
            if (at == join_[branch] || at == plan_.blocks.size() || seen[at]) continue;
            seen[at] = true;
            todo.insert(todo.end(), plan_.blocks[at].successors.begin(), plan_.blocks[at].successors.end());
        }
        return seen;
    }

    bool update_divergence() {
        bool changed = false;
        const auto n = static_cast<std::uint32_t>(plan_.blocks.size());
        for (std::uint32_t k = 0; k < n; ++k) {
            const LaneBlock& block = plan_.blocks[k];
            const Instruction& last = f_.instructions[block.end - 1];
            if (block.successors.size() < 2 || !seen_[last.guard] || plan_.uniform(last.guard)) continue;
            // Lanes that end here are not elsewhere.
            const bool ends = is_end(block.successors[0]) || is_end(block.successors[1]);
            const std::vector<bool> one_way = way(k, block.successors[0]), other_way = way(k, block.successors[1]);
            if (!ends) {
                changed |= note_unsteady(one_way, other_way, join_[k]);
                changed |= note_unsteady(other_way, one_way, join_[k]);
            }
            for (std::uint32_t at = 0; at < n; ++at) {
                if (!one_way[at] && !other_way[at]) continue;
                // Lanes that are to meet wait for what is before that in the text.
                if (!ends && at > join_[k] && !disordered_) disordered_ = changed = true;
                LaneBlock& one = plan_.blocks[at];
                const bool apart = one.apart || !ends || disordered_;
                changed |= !one.diverged || one.apart != apart;
                one.diverged = true;
                one.apart = apart;
            }
        }
        if (disordered_)
            for (LaneBlock& one : plan_.blocks) {
                changed |= one.diverged && !one.apart;
                one.apart = one.diverged;
            }
        if (changed) return true;
        // Where the lanes of a diverged block are together again: the first block on their common way that is not.
        for (std::uint32_t k = 0; k < n; ++k) {
            if (!plan_.blocks[k].diverged) continue;
            std::uint32_t join = join_[k];
            while (join != n && plan_.blocks[join].diverged)
                join = join_[join];
            plan_.blocks[k].join = join;
        }
        return false;
    }

    const ptx::Function& f_;
    const ptx::FlowGraph& graph_;
    const std::vector<std::uint32_t> join_; ///< by block: its post-dominator
    std::optional<ptx::Liveness> live_;
    LanePlan plan_;
    std::vector<bool> seen_; ///< registers some write of which has been looked at
    const LaneRules rules_;
    const unsigned width_;
    bool disordered_ = false;    ///< lanes may come to a meeting place before others that are still on their way
    std::vector<bool> unsteady_; ///< registers that lanes which have parted read
};

} // namespace

std::optional<std::int64_t> LanePlan::stride_of(const Operand& operand) const {
    using Kind = Operand::Kind;
    switch (operand.kind) {
    case Kind::reg: return stride[operand.reg];
    case Kind::address:
        if (operand.base_kind == Kind::reg && (operand.elements.empty() || !uniform(operand.reg)))
            return operand.elements.empty() ? stride[operand.reg] : std::nullopt;
        if (const std::int64_t bytes = own_bytes(operand))
            return operand.elements.empty() ? std::optional(bytes) : std::nullopt;
        break;
    case Kind::variable: return own_bytes(operand);
    case Kind::integer:
    case Kind::floating:
    case Kind::function: return 0;
    case Kind::special:
        if (operand.special == SR::tid_x || operand.special == SR::laneid) return 1;
        if (operand.special >= SR::lanemask_eq && operand.special <= SR::lanemask_gt) return std::nullopt;
        return 0;
    default: break;
    }
    const auto& parts = operand.elements;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const Operand& e) { return uniform(e); });
    return same ? std::optional<std::int64_t>(0) : std::nullopt;
}

std::int64_t LanePlan::own_bytes(const Operand& operand) const {
    const bool is_variable = operand.kind == Operand::Kind::variable ||
                             (operand.kind == Operand::Kind::address && operand.base_kind == Operand::Kind::variable);
    return is_variable && operand.scope == Operand::Scope::function ? own.at(operand.index) : 0;
}

bool LanePlan::uniform(const Operand& operand) const { return stride_of(operand) == 0; }

std::optional<std::int64_t> LanePlan::constant_of(const Operand& operand) const {
    if (operand.kind == Operand::Kind::integer) return operand.integer;
    return operand.kind == Operand::Kind::reg && !operand.negated ? constant[operand.reg] : std::nullopt;
}

bool LanePlan::counts(const Operand& operand) const {
    if (operand.kind == Operand::Kind::special) return operand.special == SR::tid_x || operand.special == SR::laneid;
    return operand.kind == Operand::Kind::reg && stride[operand.reg] == 1 && multiple[operand.reg] &&
           !widening[operand.reg];
}

bool LanePlan::names_one_texture(const Instruction& i) const {
    const Operand& address = i.operands.at(1);
    return address.base_kind == Operand::Kind::variable || uniform(address.reg);
}

std::variant<LanePlan, std::string> plan_lanes(const ptx::Function& kernel, const FunctionFacts& facts,
                                               unsigned width) {
    if (kernel.instructions.empty() || kernel.instructions.size() > kMostInstructions) return "its length";
    std::int64_t own = 0;
    for (const ptx::Variable& v : kernel.variables) {
        if (v.space != ptx::Space::shared && v.space != ptx::Space::local) return "a call";
        if (v.space == ptx::Space::local) own += bytes_of_lane(v);
    }
    // With more code it pays less often: what it is for is mostly passed by, and takes its time to compile.
    if (own > kMostOwnBytes || (own && kernel.instructions.size() > kMostWithOwn)) return "memory of its threads' own";
    for (const Instruction& i : kernel.instructions)
        if (const char* why = obstacle(i)) return why;
    const ptx::FlowGraph graph(kernel);
    auto planned = Planner(kernel, graph, width).plan();
    auto* plan = std::get_if<LanePlan>(&planned);
    if (!plan) return planned;
    find_comparisons(kernel, graph, *plan);
    find_loaded(kernel, *plan);
    find_lane_offsets(kernel, width, *plan);
    find_non_temporal_stores(kernel, width, *plan);
    find_grid_stride_loops(kernel, graph, *plan);
    find_prefetches(kernel, graph, width, *plan);
    if (facts.spinning_branches.empty()) return planned;
    if (!spin_loops_end(kernel, facts, *plan)) return "a loop that waits for other threads";
    plan->spins = true;
    return planned;
}

} // namespace warplight::jit
