// SPDX-License-Identifier: Apache-2.0
// How many 32-bit registers a function needs at once: liveness over its basic blocks.
#include "effects.hpp"

#include <algorithm>
#include <cstdint>

namespace warplight::ptx {
namespace {

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 22; ///< of all blocks' live sets: 32 MiB

/// Registers that hold nothing of the kernel's own: addresses, the stack pointer.
constexpr unsigned kOverhead = 2;

unsigned cost(Type type) {
    if (type == Type::pred) return 0; // predicates have registers of their own
    return std::max(1u, bits(type) / 32);
}

class Liveness {
public:
    explicit Liveness(const Function& f) : f_(f), words_((f.registers.size() + 63) / 64) { split(); }

    unsigned most_live() {
        if (blocks_.size() * words_ * 2 > kMostWords) return most_live_in_line();
        flow();
        unsigned most = 0;
        std::vector<std::uint64_t> live(words_);
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            std::fill(live.begin(), live.end(), 0);
            for (const std::uint32_t next : blocks_[b].next)
                for (std::size_t w = 0; w < words_; ++w)
                    live[w] |= live_in_[next * words_ + w];
            unsigned now = 0;
            for (RegisterId r = 0; r < f_.registers.size(); ++r)
                if (live[r / 64] >> (r % 64) & 1) now += cost(f_.registers[r].type);
            most = std::max(most, now);
            for (std::uint32_t i = blocks_[b].end; i-- > blocks_[b].begin;) {
                visit(f_.instructions[i], [&](RegisterId r, bool written) {
                    const std::uint64_t bit = std::uint64_t{1} << (r % 64);
                    const bool was = (live[r / 64] & bit) != 0;
                    if (written && was && !f_.instructions[i].guarded) {
                        live[r / 64] &= ~bit;
                        now -= cost(f_.registers[r].type);
                    } else if (!written && !was) {
                        live[r / 64] |= bit;
                        now += cost(f_.registers[r].type);
                    }
                });
                most = std::max(most, now);
            }
        }
        return most;
    }

private:
    struct Block {
        std::uint32_t begin = 0, end = 0;
        std::vector<std::uint32_t> next;
    };

    /// Calls use(register, written) for all operands: what is written first, as liveness goes backwards.
    template <class Use>
    void visit(const Instruction& i, Use use) const {
        each_written(f_, i, [&](RegisterId r) { use(r, true); });
        each_read(f_, i, [&](RegisterId r) { use(r, false); });
    }

    void split() {
        const auto count = static_cast<std::uint32_t>(f_.instructions.size());
        std::vector<bool> starts(count + 1u);
        starts[0] = true;
        const auto ends_block = [](const Instruction& i) {
            return i.opcode == Opcode::bra || i.opcode == Opcode::brx || i.opcode == Opcode::ret ||
                   i.opcode == Opcode::exit || i.opcode == Opcode::trap;
        };
        for (const Label& label : f_.labels)
            starts[label.instruction] = true;
        for (std::uint32_t i = 0; i < count; ++i)
            if (ends_block(f_.instructions[i])) starts[i + 1] = true;
        std::vector<std::uint32_t> block_at(count + 1u);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (starts[i]) blocks_.push_back({i, i, {}});
            block_at[i] = static_cast<std::uint32_t>(blocks_.size()) - 1;
            blocks_.back().end = i + 1;
        }
        for (std::uint32_t b = 0; b < blocks_.size(); ++b) {
            Block& block = blocks_[b];
            const Instruction& last = f_.instructions[block.end - 1];
            const auto to_label = [&](LabelId label) {
                const std::uint32_t target = f_.labels[label].instruction;
                if (target < count) block.next.push_back(block_at[target]);
            };
            if (last.opcode == Opcode::bra) to_label(last.operands[0].index);
            if (last.opcode == Opcode::brx)
                for (const LabelId label : f_.branch_targets[last.operands[1].index].labels)
                    to_label(label);
            if ((!ends_block(last) || last.guarded) && block.end < count) block.next.push_back(b + 1);
        }
    }

    void flow() {
        live_in_.assign(blocks_.size() * words_, 0);
        std::vector<std::uint64_t> live(words_);
        // Backwards over the blocks until nothing changes; structured code settles in a few rounds. An estimate may
        // stop early.
        bool changed = true;
        for (int round = 0; changed && round < 64; ++round) {
            changed = false;
            for (std::size_t b = blocks_.size(); b-- > 0;) {
                std::fill(live.begin(), live.end(), 0);
                for (const std::uint32_t next : blocks_[b].next)
                    for (std::size_t w = 0; w < words_; ++w)
                        live[w] |= live_in_[next * words_ + w];
                for (std::uint32_t i = blocks_[b].end; i-- > blocks_[b].begin;)
                    visit(f_.instructions[i], [&](RegisterId r, bool written) {
                        const std::uint64_t bit = std::uint64_t{1} << (r % 64);
                        if (!written)
                            live[r / 64] |= bit;
                        else if (!f_.instructions[i].guarded)
                            live[r / 64] &= ~bit;
                    });
                std::uint64_t* in = live_in_.data() + b * words_;
                if (!std::equal(live.begin(), live.end(), in)) {
                    std::copy(live.begin(), live.end(), in);
                    changed = true;
                }
            }
        }
    }

    /// For functions of extraordinary size: each register lives from its first to its last mention.
    unsigned most_live_in_line() const {
        const std::size_t count = f_.instructions.size();
        std::vector<std::uint32_t> first(f_.registers.size(), UINT32_MAX), last(f_.registers.size());
        for (std::uint32_t i = 0; i < count; ++i)
            visit(f_.instructions[i], [&](RegisterId r, bool) {
                first[r] = std::min(first[r], i);
                last[r] = i;
            });
        std::vector<std::int64_t> change(count + 1);
        for (RegisterId r = 0; r < f_.registers.size(); ++r) {
            if (first[r] == UINT32_MAX) continue;
            change[first[r]] += cost(f_.registers[r].type);
            change[last[r]] -= cost(f_.registers[r].type);
        }
        std::int64_t now = 0, most = 0;
        for (const std::int64_t c : change)
            most = std::max(most, now += c);
        return static_cast<unsigned>(std::min<std::int64_t>(most, 1 << 20));
    }

    const Function& f_;
    std::size_t words_;
    std::vector<Block> blocks_;
    std::vector<std::uint64_t> live_in_;
};

} // namespace

unsigned estimate_registers(const Function& function) {
    if (function.instructions.empty()) return 0;
    return std::clamp(Liveness(function).most_live() + kOverhead, 8u, 255u);
}

} // namespace warplight::ptx
