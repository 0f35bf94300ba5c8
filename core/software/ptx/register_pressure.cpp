// SPDX-License-Identifier: Apache-2.0
// The number of 32-bit registers that a function needs at once.
#include "effects.hpp"
#include "flow.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace warplight::ptx {
namespace {

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 22; ///< of all blocks' live sets: 32 MiB

/// Registers that ptxas adds, such as the stack pointer.
constexpr unsigned kOverhead = 2;

unsigned cost(Type type) {
    if (type == Type::pred) return 0; // predicates have registers of their own
    return std::max(1u, bits(type) / 32);
}

class Pressure {
public:
    explicit Pressure(const Function& f) : f_(f) {}

    [[nodiscard]] unsigned most_live() const {
        const FlowGraph graph(f_, AfterTrap::end);
        const std::size_t words = (f_.registers.size() + 63) / 64;
        if (graph.blocks().size() * words * 2 > kMostWords) return most_live_in_line();
        const Liveness liveness(f_, graph);
        unsigned most = 0;
        for (const BasicBlock& block : graph.blocks()) {
            RegisterSet behind(f_.registers.size());
            for (const std::uint32_t next : block.successors)
                behind.insert(liveness.live_in[next]);
            most = std::max(most, most_live_in(block, std::move(behind)));
        }
        return most;
    }

private:
    [[nodiscard]] unsigned cost_of(RegisterId r) const { return cost(f_.registers[r].type); }

    /// From the end of a block, of which the live registers are given, to its beginning.
    [[nodiscard]] unsigned most_live_in(const BasicBlock& block, RegisterSet live) const {
        unsigned now = 0;
        live.each([&](RegisterId r) { now += cost_of(r); });
        unsigned most = now;
        for (std::uint32_t at = block.end; at-- > block.begin;) {
            const Instruction& i = f_.instructions[at];
            each_written(f_, i, [&](RegisterId r) {
                if (i.guarded || !live.contains(r)) return;
                live.remove(r);
                now -= cost_of(r);
            });
            each_read(f_, i, [&](RegisterId r) {
                if (live.contains(r)) return;
                live.insert(r);
                now += cost_of(r);
            });
            most = std::max(most, now);
        }
        return most;
    }

    /// For functions of extraordinary size: each register lives from its first to its last mention.
    unsigned most_live_in_line() const {
        const std::size_t count = f_.instructions.size();
        std::vector<std::uint32_t> first(f_.registers.size(), UINT32_MAX), last(f_.registers.size());
        for (std::uint32_t i = 0; i < count; ++i)
            each_register(f_, f_.instructions[i], [&](RegisterId r) {
                first[r] = std::min(first[r], i);
                last[r] = i;
            });
        std::vector<std::int64_t> change(count + 1);
        for (RegisterId r = 0; r < f_.registers.size(); ++r) {
            if (first[r] == UINT32_MAX) continue;
            change[first[r]] += cost_of(r);
            change[last[r]] -= cost_of(r);
        }
        std::int64_t now = 0, most = 0;
        for (const std::int64_t c : change)
            most = std::max(most, now += c);
        return static_cast<unsigned>(std::min<std::int64_t>(most, 1 << 20));
    }

    const Function& f_;
};

} // namespace

unsigned estimate_registers(const Function& function) {
    if (function.instructions.empty()) return 0;
    return std::clamp(Pressure(function).most_live() + kOverhead, 8u, 255u);
}

} // namespace warplight::ptx
