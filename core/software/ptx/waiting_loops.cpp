// SPDX-License-Identifier: Apache-2.0
#include "waiting_loops.hpp"

#include "effects.hpp"
#include "flow.hpp"
#include "register_set.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace warplight::ptx {
namespace {

/// The blocks of the loop that a back edge closes.
std::vector<std::uint32_t> blocks_of(const FlowGraph& graph, const BackEdge& edge) {
    std::vector<bool> found(graph.blocks().size());
    std::vector<std::uint32_t> all{edge.to}, open{edge.from};
    found[edge.to] = true;
    while (!open.empty()) {
        const std::uint32_t block = open.back();
        open.pop_back();
        if (found[block]) continue;
        found[block] = true;
        all.push_back(block);
        for (const std::uint32_t each : graph.predecessors(block))
            open.push_back(each);
    }
    return all;
}

bool asks_memory(const Instruction& i) { return i.opcode == Opcode::ld || waits_at_object(i); }

bool reads_clock(const Instruction& i) {
    return std::any_of(i.operands.begin(), i.operands.end(), [](const Operand& x) {
        if (x.kind != Operand::Kind::special) return false;
        switch (x.special) {
        case SpecialRegister::clock:
        case SpecialRegister::clock_hi:
        case SpecialRegister::clock64:
        case SpecialRegister::globaltimer:
        case SpecialRegister::globaltimer_lo:
        case SpecialRegister::globaltimer_hi: return true;
        default: return false;
        }
    });
}

/// Does something besides: others may go on by it, or it waits itself.
bool does_more(const Instruction& i) {
    if (asks_memory(i)) return false;
    switch (group_of(i.opcode)) {
    case OpcodeGroup::call:
    case OpcodeGroup::barrier:
    case OpcodeGroup::warp:
    case OpcodeGroup::matrix: return true;
    default: return writes_for_others(i);
    }
}

class Waits {
public:
    explicit Waits(const Function& function) : function_(function), graph_(function), live_(function, graph_) {}

    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> found(function_.instructions.size());
        std::uint32_t count = 0;
        for (const BackEdge& edge : back_edges(graph_)) {
            const std::vector<std::uint32_t> blocks = blocks_of(graph_, edge);
            if (!only_waits(blocks, edge)) continue;
            ++count;
            for (const std::uint32_t block : blocks)
                std::fill(found.begin() + graph_.blocks()[block].begin, found.begin() + graph_.blocks()[block].end,
                          count);
        }
        return found;
    }

private:
    template <class Visit>
    void each_instruction(const std::vector<std::uint32_t>& blocks, Visit visit) const {
        for (const std::uint32_t block : blocks)
            for (std::uint32_t k = graph_.blocks()[block].begin; k < graph_.blocks()[block].end; ++k)
                visit(function_.instructions[k]);
    }

    [[nodiscard]] bool only_waits(const std::vector<std::uint32_t>& blocks, const BackEdge& edge) const {
        bool waits = false, more = false;
        each_instruction(blocks, [&](const Instruction& i) {
            waits |= asks_memory(i);
            more |= does_more(i);
        });
        return waits && !more &&
               (ends_by_memory(blocks, edge) || !depends_on_rounds(blocks, edge.to, all_guards(blocks)));
    }

    /// What decides about the ways that a thread takes, and where it reads.
    [[nodiscard]] RegisterSet all_guards(const std::vector<std::uint32_t>& blocks) const {
        RegisterSet matters(function_.registers.size());
        each_instruction(blocks, [&](const Instruction& i) {
            if (i.guarded) matters.insert(i.guard);
            if (asks_memory(i) || group_of(i.opcode) == OpcodeGroup::branch)
                each_read(function_, i, [&](RegisterId r) { matters.insert(r); });
        });
        return matters;
    }

    /// Whether each round comes to all branches that leave the loop, and memory alone decides there. Then a pause may
    /// depend on the round or the clock, as that of cuda::barrier does.
    [[nodiscard]] bool ends_by_memory(const std::vector<std::uint32_t>& blocks, const BackEdge& edge) const {
        std::vector<bool> inside(graph_.blocks().size() + 1);
        for (const std::uint32_t block : blocks)
            inside[block] = true;
        RegisterSet matters(function_.registers.size());
        for (const std::uint32_t block : blocks) {
            const BasicBlock& b = graph_.blocks()[block];
            if (std::all_of(b.successors.begin(), b.successors.end(), [&](std::uint32_t next) { return inside[next]; }))
                continue;
            if (is_passed_by(block, edge, inside)) return false;
            each_read(function_, function_.instructions[b.end - 1], [&](RegisterId r) { matters.insert(r); });
        }
        return !depends_on_rounds(blocks, edge.to, std::move(matters));
    }

    /// Whether a round can go without a block.
    [[nodiscard]] bool is_passed_by(std::uint32_t block, const BackEdge& edge, const std::vector<bool>& inside) const {
        if (block == edge.to || block == edge.from) return false;
        std::vector<bool> seen(inside.size());
        std::vector<std::uint32_t> open{edge.to};
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (!inside[at] || seen[at] || at == block) continue;
            if (at == edge.from) return true;
            seen[at] = true;
            for (const std::uint32_t next : graph_.blocks()[at].successors)
                open.push_back(next);
        }
        return false;
    }

    /// Whether an earlier round, a clock or the way through the loop has to do with registers.
    [[nodiscard]] bool depends_on_rounds(const std::vector<std::uint32_t>& blocks, std::uint32_t head,
                                         RegisterSet matters) const {
        std::map<RegisterId, unsigned> writers;
        each_instruction(
            blocks, [&](const Instruction& i) { each_written(function_, i, [&](RegisterId r) { ++writers[r]; }); });
        bool depends = false;
        for (bool changed = true; std::exchange(changed, false);)
            each_instruction(blocks, [&](const Instruction& i) {
                bool has_to_do = false;
                each_written(function_, i, [&](RegisterId r) { has_to_do |= matters.contains(r); });
                if (!has_to_do) return;
                depends |= reads_clock(i);
                each_read(function_, i, [&](RegisterId r) {
                    changed |= !matters.contains(r);
                    matters.insert(r);
                });
            });
        matters.each([&](RegisterId r) {
            const auto known = writers.find(r);
            if (known == writers.end()) return;
            depends |= known->second > 1 || live_.live_in[head].contains(r);
        });
        return depends;
    }

    const Function& function_;
    const FlowGraph graph_;
    const Liveness live_;
};

} // namespace

bool waits_at_object(const Instruction& i) {
    return i.opcode == Opcode::mbarrier && (i.has(Modifier::test_wait) || i.has(Modifier::try_wait));
}

std::vector<std::uint32_t> waiting_loops(const Function& function) { return Waits(function).run(); }

} // namespace warplight::ptx
