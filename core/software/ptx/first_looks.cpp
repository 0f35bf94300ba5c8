// SPDX-License-Identifier: Apache-2.0
#include "first_looks.hpp"

#include "accesses.hpp"
#include "address_keys.hpp"
#include "effects.hpp"
#include "flow.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace warplight::ptx {
namespace {

/// A maximum decides by itself. Of others it is their result that tells what was there.
bool decides(const Instruction& i, const std::vector<bool>& is_read) {
    for (const Modifier each : {Modifier::min, Modifier::max, Modifier::and_, Modifier::or_})
        if (i.has(each)) return true;
    const RegisterId* result = destination_register(i);
    return result && is_read[*result];
}

/// Where the value of a load goes, until the atomic operation has replaced it.
class Flow {
public:
    Flow(const Function& function, const FlowGraph& graph) : function_(function), graph_(graph) {}

    /// Whether it is an operand of anything but decisions and `again`, the atomic operations of the same address.
    /// Behind a compare-and-swap the value is known to have been there.
    [[nodiscard]] bool leaks(std::uint32_t load, const std::vector<std::uint32_t>& again) const {
        const std::size_t registers = function_.registers.size();
        std::vector<RegisterSet> in(graph_.end() + 1, RegisterSet(registers));
        RegisterSet begin(registers);
        each_written(function_, function_.instructions[load], [&](RegisterId r) { begin.insert(r); });
        std::vector<std::uint32_t> left;
        const auto go_on = [&](std::uint32_t block, std::uint32_t from, RegisterSet held) {
            for (std::uint32_t k = from; k < graph_.blocks()[block].end; ++k) {
                const Instruction& i = function_.instructions[k];
                const bool looks_again = std::ranges::binary_search(again, k);
                if (looks_again && i.has(Modifier::cas)) return false;
                if (passes(i, looks_again, held)) return true;
            }
            for (const std::uint32_t next : graph_.blocks()[block].successors)
                if (in[next].insert(held) && next != graph_.end()) left.push_back(next);
            return false;
        };
        if (go_on(graph_.block_of()[load], load + 1, begin)) return true;
        while (!left.empty()) {
            const std::uint32_t block = left.back();
            left.pop_back();
            if (go_on(block, graph_.blocks()[block].begin, in[block])) return true;
        }
        return false;
    }

private:
    /// Follows the value over an instruction. True: it goes where it should not.
    [[nodiscard]] bool passes(const Instruction& i, bool looks_again, RegisterSet& held) const {
        const auto holds = [&](const Operand& operand) {
            bool any = false;
            each_register(operand, [&](RegisterId r) { any |= held.contains(r); });
            return any;
        };
        bool reads = false;
        each_read(function_, i, [&](RegisterId r) { reads |= held.contains(r); });
        if (i.guarded) reads &= std::ranges::any_of(sources_of(i), holds);
        bool goes_on = false;
        if (reads) {
            if (i.call >= 0 || (!looks_again && !accesses_of(i).empty())) return true;
            goes_on = !looks_again && i.opcode != Opcode::setp;
        }
        each_written(function_, i, [&](RegisterId r) {
            if (goes_on)
                held.insert(r);
            else if (!i.guarded)
                held.remove(r);
        });
        return false;
    }

    const Function& function_;
    const FlowGraph& graph_;
};

} // namespace

std::vector<bool> first_looks(const Function& function) {
    std::vector<bool> found(function.instructions.size());
    std::vector<bool> is_read(function.registers.size());
    for (const Instruction& i : function.instructions)
        each_read(function, i, [&](RegisterId r) { is_read[r] = true; });
    const AddressKeys addresses(function);
    std::map<AddressKey, std::vector<std::uint32_t>> atomics;
    std::set<AddressKey> deciding; // further down
    std::vector<std::pair<std::uint32_t, AddressKey>> loads;
    for (std::size_t k = function.instructions.size(); k-- > 0;) {
        const Instruction& i = function.instructions[k];
        for (const MemoryAccess& access : accesses_of(i)) {
            if (!AddressKeys::is_known(*access.address)) continue;
            const AddressKey key = addresses.of(*access.address);
            if (access.reads && access.writes) {
                atomics[key].insert(atomics[key].begin(), static_cast<std::uint32_t>(k));
                if (decides(i, is_read)) deciding.insert(key);
            }
            if (i.opcode == Opcode::ld && deciding.contains(key))
                loads.emplace_back(static_cast<std::uint32_t>(k), key);
        }
    }
    if (loads.empty()) return found;
    const FlowGraph graph(function);
    const Flow flow(function, graph);
    for (const auto& [load, key] : loads)
        found[load] = !flow.leaks(load, atomics[key]);
    return found;
}

} // namespace warplight::ptx
