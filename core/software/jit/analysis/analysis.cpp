// SPDX-License-Identifier: Apache-2.0
#include "analysis.hpp"

#include "software/ptx/flow.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace warplight::jit {

using ptx::FunctionId;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

using Registers = std::set<ptx::RegisterId>;

/// The registers that an instruction reads and writes.
struct Flow {
    Registers from, to;
};

Flow flow_of(const ptx::Function& f, const Instruction& i) {
    Flow flow;
    ptx::each_written(f, i, [&](ptx::RegisterId r) { flow.to.insert(r); });
    ptx::each_read(f, i, [&](ptx::RegisterId r) { flow.from.insert(r); });
    return flow;
}

/// All registers that are reached from `seeds` by `flows`: each leads from one set of registers to another.
Registers follow(const std::vector<Flow>& flows, Registers seeds, Registers Flow::* from, Registers Flow::* to) {
    std::map<ptx::RegisterId, std::vector<std::size_t>> begins; // flows, by register
    for (std::size_t n = 0; n < flows.size(); ++n)
        for (const ptx::RegisterId r : flows[n].*from)
            begins[r].push_back(n);
    std::vector<ptx::RegisterId> todo(seeds.begin(), seeds.end());
    while (!todo.empty()) {
        const auto at = begins.find(todo.back());
        todo.pop_back();
        if (at == begins.end()) continue;
        for (const std::size_t n : at->second)
            for (const ptx::RegisterId r : flows[n].*to)
                if (seeds.insert(r).second) todo.push_back(r);
        begins.erase(at);
    }
    return seeds;
}

/// All registers that depend on `seeds` by `flows`.
Registers closure(const std::vector<Flow>& flows, Registers seeds) {
    return follow(flows, std::move(seeds), &Flow::from, &Flow::to);
}

/// A loop, and the registers and memory that its end depends on.
class SpinLoop {
public:
    using CallObserves = std::function<bool(const Instruction&)>;

    SpinLoop(const ptx::Function& f, const ptx::FlowGraph& graph, const ptx::Loops& loops, std::uint32_t loop,
             const CallObserves& call_observes)
        : f_(f), graph_(graph), loops_(loops), loop_(loop), call_observes_(call_observes) {
        for (const std::uint32_t block : loops.all()[loop])
            for (std::uint32_t k = graph.blocks()[block].begin; k < graph.blocks()[block].end; ++k)
                body_.push_back(k);
    }

    /// Whether other threads may decide when it ends.
    [[nodiscard]] bool depends_on_others() {
        calls_observer_ = std::any_of(body_.begin(), body_.end(), [&](std::uint32_t k) {
            return at(k).opcode == Opcode::call && call_observes_(at(k));
        });
        const bool observes =
            std::any_of(body_.begin(), body_.end(), [&](std::uint32_t k) { return ptx::observes_others(at(k)); });
        if (!calls_observer_ && !observes) return false;
        for (const std::uint32_t k : body_)
            flows_.push_back(flow_of(f_, at(k)));
        const Registers observed = closure(flows_, observed_registers());
        find_end();
        return std::any_of(body_.begin(), body_.end(), [&](std::uint32_t k) { return decides(k, observed); });
    }

    /// Its branches that go back in the text.
    void add_back_branches(std::set<std::uint32_t>& branches) const {
        for (const std::uint32_t k : body_)
            for (const std::uint32_t target : ptx::branch_targets(f_, at(k)))
                if (target <= k && contains(graph_.block_of()[target])) branches.insert(k);
    }

private:
    [[nodiscard]] const Instruction& at(std::uint32_t k) const { return f_.instructions[k]; }
    [[nodiscard]] bool contains(std::uint32_t block) const { return loops_.loop_of(block) == loop_; }
    [[nodiscard]] static bool may_be_local(const Instruction& i) {
        return i.space == ptx::Space::local || i.space == ptx::Space::generic;
    }
    [[nodiscard]] static bool any_of(const Registers& registers, const Registers& others) {
        return std::any_of(registers.begin(), registers.end(), [&](auto r) { return others.contains(r); });
    }

    /// Registers whose values another thread may change.
    [[nodiscard]] Registers observed_registers() const {
        Registers observed;
        for (std::size_t n = 0; n < body_.size(); ++n) {
            const Instruction& i = at(body_[n]);
            const bool result_of_call = calls_observer_ && (i.opcode == Opcode::call ||
                                                            (i.opcode == Opcode::ld && i.space == ptx::Space::param));
            if (!ptx::observes_others(i) && !result_of_call) continue;
            if (i.opcode == Opcode::atom && i.has(Modifier::cas)) {
                // A thread that tries again with the value just seen needs no other: one of them always succeeds.
                Registers expected;
                each_register(i.operands.at(2), [&](ptx::RegisterId r) { expected.insert(r); });
                if (any_of(expected, closure(flows_, flows_[n].to))) continue;
            }
            observed.insert(flows_[n].to.begin(), flows_[n].to.end());
        }
        return observed;
    }

    /// Finds the registers and memory that decide when the loop is left.
    void find_end() {
        for (const std::uint32_t block : loops_.all()[loop_]) {
            const ptx::BasicBlock& b = graph_.blocks()[block];
            if (std::all_of(b.successors.begin(), b.successors.end(), [&](auto next) { return contains(next); }))
                continue;
            const Instruction& last = at(b.end - 1);
            if (last.guarded) end_registers_.insert(last.guard);
            if (last.opcode == Opcode::brx)
                each_register(last.operands.at(0), [&](ptx::RegisterId r) { end_registers_.insert(r); });
        }
        end_registers_ = follow(flows_, std::move(end_registers_), &Flow::to, &Flow::from);
        for (std::size_t n = 0; n < body_.size(); ++n)
            if (at(body_[n]).opcode == Opcode::ld && may_be_local(at(body_[n])))
                end_in_local_memory_ |= any_of(flows_[n].to, end_registers_);
    }

    /// Whether a branch depends on observed registers, and so does the end of the loop by it.
    [[nodiscard]] bool decides(std::uint32_t k, const Registers& observed) const {
        const Instruction& i = at(k);
        if (i.opcode == Opcode::brx) {
            bool any = false;
            each_register(i.operands.at(0), [&](ptx::RegisterId r) { any |= observed.contains(r); });
            return any;
        }
        return i.opcode == Opcode::bra && i.guarded && observed.contains(i.guard) && !only_skips(k);
    }

    /// Whether a branch only skips instructions behind it in the text that do not decide when the loop ends.
    [[nodiscard]] bool only_skips(std::uint32_t branch) const {
        const std::uint32_t target = ptx::branch_targets(f_, at(branch)).at(0);
        if (target <= branch) return false;
        for (std::uint32_t k = branch + 1; k < target; ++k) {
            const Instruction& i = at(k);
            if (i.opcode == Opcode::call || (ptx::ends_block(i) && i.opcode != Opcode::bra)) return false;
            for (const std::uint32_t to : ptx::branch_targets(f_, i))
                if (to <= branch || to > target) return false;
            if (i.opcode == Opcode::st && may_be_local(i) && end_in_local_memory_) return false;
            if (any_of(flow_of(f_, i).to, end_registers_)) return false;
        }
        return true;
    }

    const ptx::Function& f_;
    const ptx::FlowGraph& graph_;
    const ptx::Loops& loops_;
    const std::uint32_t loop_;
    const CallObserves& call_observes_;
    std::vector<std::uint32_t> body_; ///< instructions
    std::vector<Flow> flows_;         ///< of each
    bool calls_observer_ = false;
    Registers end_registers_; ///< that the conditions for leaving the loop depend on
    bool end_in_local_memory_ = false;
};

/// Branches that close a loop whose end may depend on other threads.
std::set<std::uint32_t> spinning_branches(const ptx::Function& f, const ptx::FlowGraph& graph, const ptx::Loops& loops,
                                          const SpinLoop::CallObserves& call_observes) {
    std::set<std::uint32_t> branches;
    for (std::uint32_t loop = 0; loop < loops.all().size(); ++loop) {
        SpinLoop spin(f, graph, loops, loop, call_observes);
        if (spin.depends_on_others()) spin.add_back_branches(branches);
    }
    return branches;
}

/// The steps of analyse().
class Analyser {
public:
    Analyser(const ptx::Module& module, FunctionId kernel)
        : module_(module), callees_(module.functions.size()), indirect_(module.functions.size()),
          observes_(module.functions.size()) {
        a_.reachable = ptx::reachable_from(module, kernel);
        a_.functions.resize(module.functions.size());
        a_.site_base.resize(module.functions.size());
    }

    Analysis run(FunctionId kernel) {
        if (a_.reachable.calls_indirectly) find_taken_addresses();
        for (const FunctionId id : a_.reachable.functions)
            look_at(id);
        for (const FunctionId id : a_.reachable.functions)
            if (indirect_[id])
                for (const FunctionId t : a_.reachable.functions)
                    if (a_.functions[t].address_taken) callees_[id].insert(t);
        spread([&](FunctionId f) { return static_cast<bool>(observes_[f]); },
               [&](FunctionId f) { observes_[f] = true; });
        for (const FunctionId id : a_.reachable.functions)
            find_loops(id);
        spread([&](FunctionId f) { return a_.functions[f].waits; },
               [&](FunctionId f) { a_.functions[f].waits = true; });
        spread([&](FunctionId f) { return a_.functions[f].exits; },
               [&](FunctionId f) { a_.functions[f].exits = true; });
        for (const FunctionId id : a_.reachable.functions) {
            a_.functions[id].recursive = calls_itself(id);
            if (a_.functions[id].address_taken && a_.functions[id].waits) a_.indirect_callee_waits = true;
        }
        a_.kernel_waits = a_.functions[kernel].waits;
        return std::move(a_);
    }

private:
    /// A pointer may come from anywhere, the host included.
    void find_taken_addresses() {
        for (const ptx::Variable& v : module_.variables)
            for (const auto& r : v.relocations)
                if (r.is_function) a_.functions[r.index].address_taken = true;
        for (const ptx::Function& f : module_.functions)
            for (const Instruction& i : f.instructions)
                for (const Operand& operand : i.operands)
                    ptx::each_operand(operand, [&](const Operand& x) {
                        if (x.kind == Operand::Kind::function) a_.functions[x.index].address_taken = true;
                    });
    }

    void look_at(FunctionId id) {
        const ptx::Function& f = module_.functions[id];
        FunctionFacts& facts = a_.functions[id];
        a_.site_base[id] = a_.site_count;
        a_.site_count += static_cast<std::uint32_t>(f.instructions.size()) + 1;
        for (const ptx::Variable& v : f.variables)
            a_.has_local_memory |= v.space == ptx::Space::local;
        for (const Instruction& i : f.instructions) {
            if (i.opcode == Opcode::call) add_callees(id, f.calls.at(static_cast<std::size_t>(i.call)));
            // The blocks of a cluster run at the same time: as coroutines.
            if (ptx::is_of_clusters(i)) a_.knows_clusters = facts.waits = true;
            if (ptx::may_suspend(i)) facts.waits = true;
            if (i.opcode == Opcode::exit) facts.exits = true;
            if (ptx::observes_others(i)) observes_[id] = true;
        }
    }

    void add_callees(FunctionId caller, const ptx::Call& call) {
        if (call.callee)
            callees_[caller].insert(*call.callee);
        else
            indirect_[caller] = true;
        for (const FunctionId t : call.possible_targets)
            a_.functions[t].address_taken = true;
    }

    void find_loops(FunctionId id) {
        const ptx::Function& f = module_.functions[id];
        const ptx::FlowGraph graph(f);
        const ptx::Loops loops(graph);
        FunctionFacts& facts = a_.functions[id];
        facts.has_loop = !loops.all().empty();
        facts.spinning_branches = spinning_branches(f, graph, loops, [&](const Instruction& i) {
            const ptx::Call& call = f.calls.at(static_cast<std::size_t>(i.call));
            if (call.callee) return static_cast<bool>(observes_[*call.callee]);
            return std::any_of(a_.reachable.functions.begin(), a_.reachable.functions.end(),
                               [&](FunctionId t) { return a_.functions[t].address_taken && observes_[t]; });
        });
        if (!facts.spinning_branches.empty()) facts.waits = true;
    }

    /// Spreads a fact from functions to their callers.
    template <class Get, class Set>
    void spread(Get get, Set set) {
        for (bool again = true; again;) {
            again = false;
            for (const FunctionId id : a_.reachable.functions) {
                if (get(id) || std::none_of(callees_[id].begin(), callees_[id].end(), get)) continue;
                set(id);
                again = true;
            }
        }
    }

    [[nodiscard]] bool calls_itself(FunctionId id) const {
        std::set<FunctionId> seen;
        std::vector<FunctionId> todo(callees_[id].begin(), callees_[id].end());
        while (!todo.empty()) {
            const FunctionId f = todo.back();
            todo.pop_back();
            if (!seen.insert(f).second) continue;
            todo.insert(todo.end(), callees_[f].begin(), callees_[f].end());
        }
        return seen.contains(id);
    }

    const ptx::Module& module_;
    Analysis a_;
    std::vector<std::set<FunctionId>> callees_;
    std::vector<bool> indirect_; ///< call through a pointer
    std::vector<bool> observes_; ///< may observe other threads
};

} // namespace

bool has_loop(const ptx::Function& function) { return !ptx::Loops(ptx::FlowGraph(function)).all().empty(); }

Analysis analyse(const ptx::Module& module, FunctionId kernel) { return Analyser(module, kernel).run(kernel); }

void make_steppable(Analysis& analysis) {
    for (const ptx::FunctionId id : analysis.reachable.functions)
        analysis.functions[id].waits = analysis.functions[id].recursive = true;
    analysis.kernel_waits = analysis.indirect_callee_waits = true;
}

} // namespace warplight::jit
