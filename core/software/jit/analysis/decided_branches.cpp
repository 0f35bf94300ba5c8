// SPDX-License-Identifier: Apache-2.0
#include "decided_branches.hpp"

#include "extent_branches.hpp"
#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <numeric>

namespace warplight::jit {

namespace {

std::vector<bool> reached(const ptx::FlowGraph& graph) {
    std::vector<bool> found(graph.end() + 1, false);
    std::vector<std::uint32_t> todo{0};
    while (!todo.empty()) {
        const std::uint32_t at = todo.back();
        todo.pop_back();
        if (found[at]) continue;
        found[at] = true;
        if (at == graph.end()) continue;
        todo.insert(todo.end(), graph.blocks()[at].successors.begin(), graph.blocks()[at].successors.end());
    }
    return found;
}

/// The function without some instructions. Labels there go to what follows.
void leave_out(BoundedFunction& code, const std::vector<bool>& out) {
    std::vector<ptx::Instruction> kept;
    std::vector<std::uint32_t> origins, places;
    for (std::uint32_t at = 0; at < out.size(); ++at) {
        places.push_back(static_cast<std::uint32_t>(kept.size()));
        if (out[at]) continue;
        kept.push_back(std::move(code.function.instructions[at]));
        origins.push_back(code.origins[at]);
    }
    places.push_back(static_cast<std::uint32_t>(kept.size()));
    for (ptx::Label& label : code.function.labels)
        label.instruction = places.at(label.instruction);
    code.function.instructions = std::move(kept);
    code.origins = std::move(origins);
}

/// Whether any branch was decided.
bool decide(BoundedFunction& code, unsigned threads) {
    std::vector<ptx::Instruction>& all = code.function.instructions;
    std::vector<bool> out(all.size(), false);
    const auto decided = find_decided_branches(code.function, threads);
    for (const auto& [at, taken] : decided) {
        out[at] = !taken;
        all[at].guarded = all[at].guard_negated = false;
    }
    leave_out(code, out);
    return !decided.empty();
}

void leave_out_unreached(BoundedFunction& code) {
    const ptx::FlowGraph graph(code.function);
    const std::vector<bool> goes = reached(graph);
    std::vector<bool> out(code.function.instructions.size());
    for (std::uint32_t at = 0; at < out.size(); ++at)
        out[at] = !goes[graph.block_of()[at]];
    leave_out(code, out);
}

} // namespace

BoundedFunction without_decided_branches(const ptx::Function& function, unsigned threads) {
    BoundedFunction code{function, std::vector<std::uint32_t>(function.instructions.size())};
    std::iota(code.origins.begin(), code.origins.end(), 0);
    while (decide(code, threads)) // what is left out wrote registers
        leave_out_unreached(code);
    return code;
}

} // namespace warplight::jit
