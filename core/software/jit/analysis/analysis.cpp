// SPDX-License-Identifier: Apache-2.0
#include "analysis.hpp"

#include "software/ptx/verify.hpp"

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

/// What an instruction reads and writes.
struct Flow {
    Registers from, to;
};

Flow flow_of(const ptx::Function& f, const Instruction& i) {
    Flow flow;
    ptx::each_written(f, i, [&](ptx::RegisterId r) { flow.to.insert(r); });
    ptx::each_read(f, i, [&](ptx::RegisterId r) { flow.from.insert(r); });
    return flow;
}

/// Everything that comes from `seeds` by way of `flows`, each of which goes from one set of registers to another.
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

/// Everything that depends on `seeds` by way of `flows`.
Registers closure(const std::vector<Flow>& flows, Registers seeds) {
    return follow(flows, std::move(seeds), &Flow::from, &Flow::to);
}

bool observes_others(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::ld:
        return i.has(Modifier::volatile_) || i.has(Modifier::relaxed) || i.has(Modifier::acquire) ||
               i.has(Modifier::mmio) || i.has(Modifier::cv);
    case Opcode::atom:
        // Adding something counts on without anybody's help.
        return !(i.has(Modifier::add) && i.operands.size() > 2 && i.operands[2].kind == Operand::Kind::integer &&
                 i.operands[2].integer != 0);
    case Opcode::mbarrier: return i.has(Modifier::test_wait) || i.has(Modifier::try_wait);
    case Opcode::mov:
        return i.operands.size() > 1 && i.operands[1].kind == Operand::Kind::special &&
               i.operands[1].special >= ptx::SpecialRegister::clock &&
               i.operands[1].special <= ptx::SpecialRegister::globaltimer_hi;
    default: return false;
    }
}

/// The function's control flow by basic blocks, and its loops (strongly connected parts).
class Loops {
public:
    explicit Loops(const ptx::Function& f) : f_(f) {
        const auto count = static_cast<std::uint32_t>(f.instructions.size());
        std::vector<bool> leader(count + 1, false);
        if (count) leader[0] = true;
        for (const ptx::Label& l : f.labels)
            leader[std::min(l.instruction, count)] = true;
        for (std::uint32_t k = 0; k < count; ++k)
            if (is_branch(f.instructions[k])) leader[k + 1] = true;
        block_of_.resize(count);
        for (std::uint32_t k = 0; k < count; ++k) {
            if (leader[k]) starts_.push_back(k);
            block_of_[k] = static_cast<std::uint32_t>(starts_.size() - 1);
        }
        find_components();
    }

    /// Calls visit(first instruction, one past the last) ranges of each loop.
    [[nodiscard]] const std::vector<std::vector<std::uint32_t>>& loops() const { return loops_; }
    [[nodiscard]] std::uint32_t begin(std::uint32_t block) const { return starts_[block]; }
    [[nodiscard]] std::uint32_t end(std::uint32_t block) const {
        return block + 1 < starts_.size() ? starts_[block + 1] : static_cast<std::uint32_t>(f_.instructions.size());
    }
    [[nodiscard]] std::optional<std::uint32_t> block_at(std::uint32_t instruction) const {
        if (instruction >= block_of_.size()) return std::nullopt;
        return block_of_[instruction];
    }
    [[nodiscard]] std::vector<std::uint32_t> targets(const Instruction& i) const {
        std::vector<std::uint32_t> to;
        if (i.opcode == Opcode::bra) to.push_back(f_.labels.at(i.operands.at(0).index).instruction);
        if (i.opcode == Opcode::brx)
            for (const ptx::LabelId l : f_.branch_targets.at(i.operands.at(1).index).labels)
                to.push_back(f_.labels.at(l).instruction);
        return to;
    }

private:
    static bool is_branch(const Instruction& i) {
        return i.opcode == Opcode::bra || i.opcode == Opcode::brx || i.opcode == Opcode::ret ||
               i.opcode == Opcode::exit;
    }

    [[nodiscard]] std::vector<std::uint32_t> successors(std::uint32_t block) const {
        std::vector<std::uint32_t> next;
        const std::uint32_t last = end(block) - 1;
        const Instruction& i = f_.instructions[last];
        for (const std::uint32_t t : targets(i))
            if (const auto b = block_at(t)) next.push_back(*b);
        if ((!is_branch(i) || i.guarded) && block + 1 < starts_.size()) next.push_back(block + 1);
        return next;
    }

    /// Tarjan's algorithm, without recursion: bodies of thousands of blocks are ordinary.
    void find_components() {
        const auto n = static_cast<std::uint32_t>(starts_.size());
        constexpr std::uint32_t kUnseen = ~0u;
        std::vector<std::uint32_t> index(n, kUnseen), low(n, 0);
        std::vector<bool> on_stack(n, false);
        std::vector<std::uint32_t> stack;
        std::uint32_t counter = 0;
        struct Frame {
            std::uint32_t block;
            std::vector<std::uint32_t> next;
            std::size_t at = 0;
        };
        for (std::uint32_t root = 0; root < n; ++root) {
            if (index[root] != kUnseen) continue;
            std::vector<Frame> frames;
            const auto enter = [&](std::uint32_t b) {
                index[b] = low[b] = counter++;
                stack.push_back(b);
                on_stack[b] = true;
                frames.push_back({b, successors(b)});
            };
            enter(root);
            while (!frames.empty()) {
                Frame& top = frames.back();
                if (top.at < top.next.size()) {
                    const std::uint32_t to = top.next[top.at++];
                    if (index[to] == kUnseen)
                        enter(to);
                    else if (on_stack[to])
                        low[top.block] = std::min(low[top.block], index[to]);
                    continue;
                }
                const std::uint32_t b = top.block;
                const bool self = std::find(top.next.begin(), top.next.end(), b) != top.next.end();
                frames.pop_back();
                if (!frames.empty()) low[frames.back().block] = std::min(low[frames.back().block], low[b]);
                if (low[b] != index[b]) continue;
                std::vector<std::uint32_t> component;
                for (bool more = true; more;) {
                    const std::uint32_t member = stack.back();
                    stack.pop_back();
                    on_stack[member] = false;
                    component.push_back(member);
                    more = member != b;
                }
                if (component.size() > 1 || self) loops_.push_back(std::move(component));
            }
        }
    }

    const ptx::Function& f_;
    std::vector<std::uint32_t> starts_;
    std::vector<std::uint32_t> block_of_;
    std::vector<std::vector<std::uint32_t>> loops_;
};

/// What of a loop decides when it is left.
struct LoopEnd {
    Registers registers;        ///< that the conditions for leaving it depend on
    bool of_own_memory = false; ///< or memory that may be the thread's own
};

bool may_be_own_memory(const Instruction& i) { return i.space == ptx::Space::local || i.space == ptx::Space::generic; }

LoopEnd end_of_loop(const ptx::Function& f, const Loops& loops, const std::vector<std::uint32_t>& body,
                    const std::vector<Flow>& flows, const std::set<std::uint32_t>& inside) {
    LoopEnd end;
    for (const std::uint32_t k : body) {
        const Instruction& i = f.instructions[k];
        std::vector<std::uint32_t> targets = loops.targets(i);
        if (i.opcode == Opcode::bra && i.guarded) targets.push_back(k + 1);
        const bool leaves = i.opcode == Opcode::ret || i.opcode == Opcode::exit ||
                            std::any_of(targets.begin(), targets.end(), [&](std::uint32_t target) {
                                const auto block = loops.block_at(target);
                                return !block || !inside.contains(*block);
                            });
        if (leaves) {
            if (i.guarded) end.registers.insert(i.guard);
            if (i.opcode == Opcode::brx)
                each_register(i.operands.at(0), [&](ptx::RegisterId r) { end.registers.insert(r); });
        }
    }
    end.registers = follow(flows, std::move(end.registers), &Flow::to, &Flow::from);
    for (std::size_t n = 0; n < body.size(); ++n)
        if (f.instructions[body[n]].opcode == Opcode::ld && may_be_own_memory(f.instructions[body[n]]))
            end.of_own_memory |=
                std::any_of(flows[n].to.begin(), flows[n].to.end(), [&](auto r) { return end.registers.contains(r); });
    return end;
}

/// Whether a branch only skips what comes next in the text, of which nothing decides when the loop ends.
bool only_skips(const ptx::Function& f, const Loops& loops, std::uint32_t branch, const LoopEnd& end) {
    if (f.instructions[branch].opcode != Opcode::bra) return false;
    const std::uint32_t target = loops.targets(f.instructions[branch]).at(0);
    if (target <= branch) return false;
    for (std::uint32_t k = branch + 1; k < target; ++k) {
        const Instruction& i = f.instructions[k];
        if (i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::brx || i.opcode == Opcode::call)
            return false;
        for (const std::uint32_t to : loops.targets(i))
            if (to <= branch || to > target) return false;
        if (i.opcode == Opcode::st && may_be_own_memory(i) && end.of_own_memory) return false;
        const Flow flow = flow_of(f, i);
        if (std::any_of(flow.to.begin(), flow.to.end(), [&](auto r) { return end.registers.contains(r); }))
            return false;
    }
    return true;
}

/// Branches that close a loop that is left when other threads have done something.
std::set<std::uint32_t> spinning_branches(const ptx::Function& f,
                                          const std::function<bool(const Instruction&)>& call_observes) {
    std::set<std::uint32_t> branches;
    const Loops loops(f);
    for (const std::vector<std::uint32_t>& blocks : loops.loops()) {
        std::vector<std::uint32_t> body;
        for (const std::uint32_t block : blocks)
            for (std::uint32_t k = loops.begin(block); k < loops.end(block); ++k)
                body.push_back(k);
        const bool through_call = std::any_of(body.begin(), body.end(), [&](std::uint32_t k) {
            return f.instructions[k].opcode == Opcode::call && call_observes(f.instructions[k]);
        });
        const bool any = through_call || std::any_of(body.begin(), body.end(), [&](std::uint32_t k) {
                             return observes_others(f.instructions[k]);
                         });
        if (!any) continue;
        std::vector<Flow> flows;
        flows.reserve(body.size());
        for (const std::uint32_t k : body)
            flows.push_back(flow_of(f, f.instructions[k]));
        Registers seeds;
        for (std::size_t n = 0; n < body.size(); ++n) {
            const Instruction& i = f.instructions[body[n]];
            const bool result_of_call =
                through_call && (i.opcode == Opcode::call || (i.opcode == Opcode::ld && i.space == ptx::Space::param));
            if (!observes_others(i) && !result_of_call) continue;
            if (i.opcode == Opcode::atom && i.has(Modifier::cas)) {
                // Trying again with the value just seen needs nobody's help: some thread always gets on.
                Registers expected;
                each_register(i.operands.at(2), [&](ptx::RegisterId r) { expected.insert(r); });
                const Registers own = closure(flows, flows[n].to);
                if (std::any_of(expected.begin(), expected.end(), [&](auto r) { return own.contains(r); })) continue;
            }
            seeds.insert(flows[n].to.begin(), flows[n].to.end());
        }
        const Registers tainted = closure(flows, std::move(seeds));
        const std::set<std::uint32_t> inside(blocks.begin(), blocks.end());
        const LoopEnd end = end_of_loop(f, loops, body, flows, inside);
        const auto decides = [&](std::uint32_t k) {
            const Instruction& i = f.instructions[k];
            if (i.opcode == Opcode::brx) {
                Registers index;
                each_register(i.operands.at(0), [&](ptx::RegisterId r) { index.insert(r); });
                return std::any_of(index.begin(), index.end(), [&](auto r) { return tainted.contains(r); });
            }
            return i.opcode == Opcode::bra && i.guarded && tainted.contains(i.guard) && !only_skips(f, loops, k, end);
        };
        if (std::none_of(body.begin(), body.end(), decides)) continue;
        for (const std::uint32_t k : body)
            for (const std::uint32_t target : loops.targets(f.instructions[k]))
                if (target <= k && loops.block_at(target) && inside.contains(*loops.block_at(target)))
                    branches.insert(k);
    }
    return branches;
}

void note_address_taken(const Operand& operand, std::vector<FunctionFacts>& facts) {
    if (operand.kind == Operand::Kind::function) facts[operand.index].address_taken = true;
    for (const Operand& e : operand.elements)
        note_address_taken(e, facts);
}

} // namespace

bool has_loop(const ptx::Function& function) { return !Loops(function).loops().empty(); }

bool is_of_clusters(const Instruction& i) {
    using ptx::Space;
    using SR = ptx::SpecialRegister;
    if (i.opcode == Opcode::mapa || i.opcode == Opcode::getctarank) return true;
    if (i.space == Space::shared_cluster || i.source_space == Space::shared_cluster) return true;
    if (i.opcode == Opcode::barrier && i.has(Modifier::cluster)) return true;
    return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& x) {
        return x.kind == Operand::Kind::special && x.special >= SR::is_explicit_cluster &&
               x.special <= SR::cluster_nctarank;
    });
}

bool instruction_waits(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::activemask:
    case Opcode::elect:
    case Opcode::alloca:
    case Opcode::nanosleep: return true;
    case Opcode::mbarrier: return i.has(Modifier::try_wait);
    default: return ptx::is_matrix(i.opcode);
    }
}

Analysis analyse(const ptx::Module& module, FunctionId kernel) {
    Analysis a;
    a.reachable = ptx::reachable_from(module, kernel);
    a.functions.resize(module.functions.size());
    a.site_base.resize(module.functions.size());
    std::vector<std::set<FunctionId>> callees(module.functions.size());
    std::vector<bool> indirect(module.functions.size(), false), observes(module.functions.size(), false);

    if (a.reachable.calls_indirectly) {
        // A pointer may come from anywhere, the host included.
        for (const ptx::Variable& v : module.variables)
            for (const auto& r : v.relocations)
                if (r.is_function) a.functions[r.index].address_taken = true;
        for (const ptx::Function& f : module.functions)
            for (const Instruction& i : f.instructions)
                for (const Operand& x : i.operands)
                    note_address_taken(x, a.functions);
    }
    for (const FunctionId id : a.reachable.functions) {
        const ptx::Function& f = module.functions[id];
        a.site_base[id] = a.site_count;
        a.site_count += static_cast<std::uint32_t>(f.instructions.size()) + 1;
        for (const ptx::Variable& v : f.variables)
            a.has_local_memory |= v.space == ptx::Space::local;
        for (const Instruction& i : f.instructions) {
            if (i.opcode == Opcode::call) {
                const ptx::Call& call = f.calls.at(static_cast<std::size_t>(i.call));
                if (call.callee)
                    callees[id].insert(*call.callee);
                else
                    indirect[id] = true;
                for (const FunctionId t : call.possible_targets)
                    a.functions[t].address_taken = true;
            }
            // The blocks of a cluster run at once: as coroutines.
            if (is_of_clusters(i)) a.knows_clusters = a.functions[id].waits = true;
            if (instruction_waits(i)) a.functions[id].waits = true;
            if (i.opcode == Opcode::exit) a.functions[id].exits = true;
            if (observes_others(i)) observes[id] = true;
        }
    }
    for (const FunctionId id : a.reachable.functions)
        if (indirect[id])
            for (const FunctionId t : a.reachable.functions)
                if (a.functions[t].address_taken) callees[id].insert(t);

    // What holds of a callee holds of its caller.
    const auto spread = [&](auto get, auto set) {
        for (bool again = true; again;) {
            again = false;
            for (const FunctionId id : a.reachable.functions) {
                if (get(id)) continue;
                if (std::any_of(callees[id].begin(), callees[id].end(), get)) {
                    set(id);
                    again = true;
                }
            }
        }
    };
    spread([&](FunctionId f) { return observes[f]; }, [&](FunctionId f) { observes[f] = true; });
    for (const FunctionId id : a.reachable.functions) {
        const ptx::Function& f = module.functions[id];
        a.functions[id].has_loop = has_loop(f);
        a.functions[id].spinning_branches = spinning_branches(f, [&](const Instruction& i) {
            const ptx::Call& call = f.calls.at(static_cast<std::size_t>(i.call));
            if (call.callee) return static_cast<bool>(observes[*call.callee]);
            return std::any_of(a.reachable.functions.begin(), a.reachable.functions.end(),
                               [&](FunctionId t) { return a.functions[t].address_taken && observes[t]; });
        });
        if (!a.functions[id].spinning_branches.empty()) a.functions[id].waits = true;
    }
    spread([&](FunctionId f) { return a.functions[f].waits; }, [&](FunctionId f) { a.functions[f].waits = true; });
    spread([&](FunctionId f) { return a.functions[f].exits; }, [&](FunctionId f) { a.functions[f].exits = true; });

    for (const FunctionId id : a.reachable.functions) {
        std::set<FunctionId> seen;
        std::vector<FunctionId> todo(callees[id].begin(), callees[id].end());
        while (!todo.empty()) {
            const FunctionId f = todo.back();
            todo.pop_back();
            if (!seen.insert(f).second) continue;
            todo.insert(todo.end(), callees[f].begin(), callees[f].end());
        }
        a.functions[id].recursive = seen.contains(id);
        if (a.functions[id].address_taken && a.functions[id].waits) a.indirect_callee_waits = true;
    }
    a.kernel_waits = a.functions[kernel].waits;
    return a;
}

} // namespace warplight::jit
