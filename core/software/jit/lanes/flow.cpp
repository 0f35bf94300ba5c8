// SPDX-License-Identifier: Apache-2.0
#include "flow.hpp"

#include <algorithm>
#include <limits>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

bool ends_block(const Instruction& i) {
    return i.opcode == Opcode::bra || i.opcode == Opcode::ret || i.opcode == Opcode::exit;
}

} // namespace

LaneFlow::LaneFlow(const ptx::Function& kernel) {
    make_blocks(kernel);
    find_joins();
    find_live_registers(kernel);
}

void LaneFlow::make_blocks(const ptx::Function& kernel) {
    const auto count = static_cast<std::uint32_t>(kernel.instructions.size());
    std::vector<bool> leader(count + 1, false);
    leader[0] = true;
    for (const ptx::Label& l : kernel.labels)
        leader[std::min(l.instruction, count)] = true;
    for (std::uint32_t k = 0; k < count; ++k)
        if (ends_block(kernel.instructions[k])) leader[k + 1] = true;
    block_of.resize(count + 1);
    for (std::uint32_t k = 0; k < count; ++k) {
        if (leader[k]) blocks.push_back({k, k, {}});
        blocks.back().end = k + 1;
        block_of[k] = static_cast<std::uint32_t>(blocks.size() - 1);
    }
    const auto n = static_cast<std::uint32_t>(blocks.size());
    block_of[count] = n;
    for (std::uint32_t k = 0; k < n; ++k) {
        LaneBlock& block = blocks[k];
        const Instruction& last = kernel.instructions[block.end - 1];
        if (last.opcode == Opcode::bra)
            block.successors.push_back(block_of[kernel.labels.at(last.operands.at(0).index).instruction]);
        else if (ends_block(last))
            block.successors.push_back(n);
        if (!ends_block(last) || last.guarded) block.successors.push_back(k + 1);
    }
    std::vector<bool> in_loop(n, false);
    for (std::uint32_t k = 0; k < n; ++k)
        for (const std::uint32_t s : blocks[k].successors)
            if (s <= k) std::fill(in_loop.begin() + s, in_loop.begin() + k + 1, true);
    const bool loops = std::find(in_loop.begin(), in_loop.end(), true) != in_loop.end();
    for (std::uint32_t k = 0; k < n; ++k)
        blocks[k].seldom = loops && !in_loop[k];
}

/// Cooper, Harvey and Kennedy's algorithm on the graph turned round.
void LaneFlow::find_joins() {
    const auto n = static_cast<std::uint32_t>(blocks.size());
    std::vector<std::vector<std::uint32_t>> before(n + 1);
    for (std::uint32_t k = 0; k < n; ++k)
        for (const std::uint32_t s : blocks[k].successors)
            before[s].push_back(k);
    std::vector<std::uint32_t> number(n + 1, kNone), order; // by when all that leads to it is done
    std::vector<std::pair<std::uint32_t, std::size_t>> stack{{n, 0}};
    std::vector<bool> entered(n + 1, false);
    entered[n] = true;
    while (!stack.empty()) {
        auto& [at, next] = stack.back();
        if (next < before[at].size()) {
            const std::uint32_t to = before[at][next++];
            if (!entered[to]) {
                entered[to] = true;
                stack.emplace_back(to, 0);
            }
            continue;
        }
        number[at] = static_cast<std::uint32_t>(order.size());
        order.push_back(at);
        stack.pop_back();
    }
    std::vector<bool> reached(n + 1, false);
    std::vector<std::uint32_t> todo{0};
    reached[0] = true;
    while (!todo.empty()) {
        const std::uint32_t k = todo.back();
        todo.pop_back();
        if (k == n) continue;
        if (!entered[k]) return;
        for (const std::uint32_t s : blocks[k].successors)
            if (!reached[s]) {
                reached[s] = true;
                todo.push_back(s);
            }
    }
    join.assign(n + 1, kNone);
    join[n] = n;
    const auto common = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (number[a] < number[b])
                a = join[a];
            while (number[b] < number[a])
                b = join[b];
        }
        return a;
    };
    for (bool again = true; again;) {
        again = false;
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            if (*at == n) continue;
            std::uint32_t to = kNone;
            for (const std::uint32_t s : blocks[*at].successors) {
                if (join[s] == kNone) continue;
                to = to == kNone ? s : common(to, s);
            }
            if (join[*at] != to) {
                join[*at] = to;
                again = true;
            }
        }
    }
}

void LaneFlow::find_live_registers(const ptx::Function& kernel) {
    const std::size_t registers = kernel.registers.size();
    local.assign(registers, true);
    live.assign(blocks.size() + 1, RegisterSet(registers));
    written.assign(blocks.size(), RegisterSet(registers));
    std::vector<RegisterSet> replaced(blocks.size(), RegisterSet(registers)); // for certain
    for (std::uint32_t k = 0; k < blocks.size(); ++k) {
        for (std::uint32_t at = blocks[k].begin; at < blocks[k].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            const auto read = [&](ptx::RegisterId r) {
                if (replaced[k].contains(r)) return;
                local[r] = false;
                live[k].insert(r);
            };
            ptx::each_read(kernel, i, read);
            ptx::each_written(kernel, i, [&](ptx::RegisterId r) {
                written[k].insert(r);
                if (i.guarded)
                    read(r); // what it held may stay
                else
                    replaced[k].insert(r);
            });
        }
    }
    for (bool again = true; again;) {
        again = false;
        for (auto k = static_cast<std::uint32_t>(blocks.size()); k-- > 0;) {
            RegisterSet behind(registers);
            for (const std::uint32_t s : blocks[k].successors)
                behind.insert(live[s]);
            behind.remove(replaced[k]);
            again |= live[k].insert(behind);
        }
    }
}

} // namespace warplight::jit
