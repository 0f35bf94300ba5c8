// SPDX-License-Identifier: Apache-2.0
#include "estimate.hpp"

#include "joint_access.hpp"
#include "linear_form.hpp"
#include "software/ptx/flow.hpp"

#include <algorithm>
#include <bit>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// Of an instruction: for 16 lanes, and for one thread. Measured on kernels of many kinds, both ways
/// (docs/measurements.md, "Tuning constants").
struct Cost {
    double vector, thread;
};
constexpr unsigned kMeasuredLanes = 16;
constexpr Cost kWord{.4, .8}, kLong{.8, .2}, kDivision{14, 5}, kFraction{3, 4}, kFunction{20, 10};
constexpr Cost kNeighbours{1, .4}, kNearBytes{2, .4}, kMaybeNeighbours{5, .4}, kMaybeNearBytes{12, .4};
constexpr Cost kGather{9, .4}, kScatter{32, .4}, kSmallScattered{64, .4}, kOwnMemory{14, .4}, kOwnInStep{10, .5};
constexpr Cost kApartGather{12, .4}, kApartScatter{48, .4}; // each lane has a line of its own
// These are not by lane.
constexpr Cost kOnce{.25, .25}, kParting{24, 1.5}, kSkipping{4, 4}, kLeaving{2, 4}, kBarrier{8, 4};

constexpr double kTurns = 8;       ///< of a loop
constexpr double kBusyLanes = .25; ///< of those in a loop that they leave one by one
constexpr double kMostlyBusy = .6; ///< where a lane leaves some turns after its neighbour
constexpr double kRarely = .02;

class Estimate {
public:
    Estimate(const ptx::Function& kernel, const LanePlan& plan, unsigned width)
        : f_(kernel), plan_(plan), width_(width), writers_(ptx::writers_of(kernel)),
          count_(static_cast<std::uint32_t>(plan.blocks.size())) {
        find_apart();
    }

    [[nodiscard]] std::optional<Costs> run() const {
        const bool one_by_one = leaves_one_by_one();
        if (!one_by_one && plan_.per_lane_memory.total() == 0) return std::nullopt;
        const std::vector<double> lanes = chances(true), thread = chances(false);
        Costs costs;
        for (std::uint32_t k = 0; k < count_; ++k) {
            const double turns = turns_of(k), busy = one_by_one ? busy_lanes(k) : 1;
            const auto add = [&](const Cost& cost, double by) {
                costs.side_by_side += cost.vector * by * turns * lanes[k];
                costs.one_by_one += cost.thread * width_ * turns * thread[k] * busy;
            };
            const LaneBlock& block = plan_.blocks[k];
            if (parts(k)) add(leaves_loop(k) ? kLeaving : parts_shortly(k) ? kSkipping : kParting, 1);
            for (std::uint32_t at = block.begin; at < block.end; ++at) {
                const Instruction& i = f_.instructions[at];
                if (is_block_barrier(i))
                    add(kBarrier, 1);
                else if (is_once(i))
                    add(kOnce, 1);
                else
                    add(cost_of(i, block), static_cast<double>(width_) / kMeasuredLanes);
            }
        }
        return costs;
    }

private:
    using Loop = LaneBlocks::Loop;

    /// Registers made of a lane's number times a number that is not known: the lanes' rows of a matrix.
    void find_apart() {
        apart_.resize(f_.registers.size());
        for (bool again = true; again;) {
            again = false;
            for (const Instruction& i : f_.instructions) {
                const auto form = linear_form_of(i);
                const ptx::RegisterId* to = ptx::destination_register(i);
                if (!form || !to || apart_[*to] || plan_.stride(*to)) continue;
                const auto sources = ptx::sources_of(i);
                apart_[*to] = (form->factor && !form->shifts && is_row(i.operands[1], i.operands[form->factor])) ||
                              std::ranges::any_of(sources, [&](const Operand& x) {
                                  return x.kind == Operand::Kind::reg && apart_[x.reg];
                              });
                again |= apart_[*to];
            }
        }
    }
    [[nodiscard]] bool is_row(const Operand& x, const Operand& y) const {
        const auto a = plan_.stride_of(x), b = plan_.stride_of(y);
        return a && b &&
               ((*a != 0 && *b == 0 && !plan_.constant_of(y)) || (*b != 0 && *a == 0 && !plan_.constant_of(x)));
    }

    // --- how often a block is executed

    [[nodiscard]] bool leaves(std::uint32_t from, std::uint32_t to) const {
        return std::ranges::any_of(plan_.blocks.loops(),
                                   [&](const Loop& loop) { return loop.has(from) && !loop.has(to); });
    }
    /// A branch that ends a loop, or goes on with it.
    [[nodiscard]] bool leaves_loop(std::uint32_t k) const {
        return std::ranges::any_of(plan_.blocks[k].successors,
                                   [&](std::uint32_t to) { return to <= k || leaves(k, to); });
    }
    [[nodiscard]] bool parts(std::uint32_t k) const { return plan_.parts(f_, k); }
    /// Some lanes leave out a short block.
    [[nodiscard]] bool parts_shortly(std::uint32_t k) const {
        constexpr std::uint32_t kShort = 16; ///< instructions
        const std::vector<std::uint32_t>& to = plan_.blocks[k].successors;
        const auto skips = [&](std::uint32_t s, std::uint32_t meeting) {
            if (s >= count_) return false;
            const LaneBlock& block = plan_.blocks[s];
            return block.end - block.begin <= kShort && block.successors.size() == 1 && block.successors[0] == meeting;
        };
        return skips(to[0], to[1]) || skips(to[1], to[0]);
    }
    /// Where the first and the last lane decide for all, as in `i += gridDim.x * blockDim.x`, they leave together.
    [[nodiscard]] bool leaves_one_by_one() const {
        for (std::uint32_t k = 0; k < count_; ++k)
            if (parts(k) && leaves_loop(k) && !plan_.comparisons[k]) return true;
        return false;
    }
    /// As of `for (j = i + 1; j < n; ++j)`, where i is a thread's number: as long as lanes are together, they are at
    /// numbers that differ by little.
    [[nodiscard]] bool leaves_nearly_together(std::uint32_t k) const {
        return !parts(k) || !leaves_loop(k) || plan_.comparisons[k] || compares_in_step(k);
    }
    /// Of the lanes that execute a block, those that are not waiting for others to leave a loop around it.
    [[nodiscard]] double busy_lanes(std::uint32_t k) const {
        bool in_loop = false, together = true, all_together = true;
        for (std::uint32_t from = 0; from < count_; ++from) {
            const bool one_by_one = !leaves_nearly_together(from);
            all_together &= !one_by_one;
            for (const Loop& loop : plan_.blocks.loops())
                if (loop.has(k) && loop.has(from) && leaves_by(from, loop)) {
                    in_loop = true;
                    together &= !one_by_one;
                }
        }
        return (in_loop ? together : all_together) ? kMostlyBusy : kBusyLanes;
    }
    [[nodiscard]] bool leaves_by(std::uint32_t from, const Loop& loop) const {
        return parts(from) && std::ranges::any_of(plan_.blocks[from].successors,
                                                  [&](std::uint32_t to) { return !loop.has(to) || to == loop.head; });
    }
    /// A comparison of numbers that each turn changes by as much in all lanes.
    [[nodiscard]] bool compares_in_step(std::uint32_t k) const {
        const std::uint32_t branch = plan_.blocks[k].end - 1;
        const Instruction& last = f_.instructions[branch];
        for (std::uint32_t at = branch; last.guarded && at-- > plan_.blocks[k].begin;) {
            const Instruction& i = f_.instructions[at];
            const ptx::RegisterId* to = ptx::destination_register(i);
            if (!to || *to != last.guard) continue;
            return i.opcode == Opcode::setp && i.operands.size() == 3 && !ptx::is_float(i.type()) &&
                   is_in_step(i.operands[1], k) && is_in_step(i.operands[2], k);
        }
        return false;
    }
    [[nodiscard]] bool is_in_step(const Operand& x, std::uint32_t k, unsigned depth = 0) const {
        constexpr unsigned kDeepest = 3;
        if (x.kind == Operand::Kind::integer) return true;
        if (x.kind != Operand::Kind::reg || depth == kDeepest) return false;
        const auto& strides = plan_.registers.strides_in_step;
        if (!plan_.stride(x.reg) && (strides.empty() || !strides[x.reg])) return false;
        return std::ranges::all_of(writers_[x.reg], [&](std::uint32_t at) {
            const std::uint32_t block = plan_.blocks.number_of(at);
            const bool in_loop = std::ranges::any_of(plan_.blocks.loops(), [&](const Loop& loop) {
                return loop.has(k) && loop.has(block) && leaves_by(k, loop);
            });
            if (!in_loop) return true;
            const Instruction& i = f_.instructions[at];
            const auto sources = ptx::sources_of(i);
            return block == k && !i.guarded && linear_form_of(i) &&
                   std::ranges::all_of(sources, [&](const Operand& from) {
                       return (from.kind == Operand::Kind::reg && from.reg == x.reg) || is_in_step(from, k, depth + 1);
                   });
        });
    }
    [[nodiscard]] double turns_of(std::uint32_t k) const {
        double turns = 1;
        for (const Loop& loop : plan_.blocks.loops())
            if (loop.has(k)) turns *= kTurns;
        return turns;
    }

    /// Of a block's way on. A thread takes one of two ways, and lanes take both. In front of loops nothing is left out,
    /// as that would be the whole kernel.
    [[nodiscard]] double chance(std::uint32_t k, std::uint32_t to, bool lanes) const {
        const LaneBlock& block = plan_.blocks[k];
        if (block.successors.size() != 2 || leaves_loop(k)) return 1;
        if (const auto rare = rare_way(k)) return *rare == to ? kRarely : 1;
        return block.cold || (lanes && parts(k)) ? 1 : .5;
    }

    /// The way of lanes that a test did not hold for, or for large numbers, as of a sine or cosine.
    [[nodiscard]] std::optional<std::uint32_t> rare_way(std::uint32_t k) const {
        if (ends_with_lane_test(f_, plan_.blocks[k])) return plan_.blocks[k].successors[1];
        const Instruction& last = f_.instructions[plan_.blocks[k].end - 1];
        for (std::uint32_t at = plan_.blocks[k].end; last.guarded && at-- > plan_.blocks[k].begin;) {
            const Instruction& i = f_.instructions[at];
            const ptx::RegisterId* to = ptx::destination_register(i);
            if (!to || *to != last.guard) continue;
            if (i.opcode != Opcode::setp || i.operands.size() != 3 || !is_large(i.operands[2])) return std::nullopt;
            const auto has_any = [&](std::initializer_list<Modifier> all) {
                return std::ranges::any_of(all, [&](Modifier m) { return i.has(m); });
            };
            const bool above = has_any({Modifier::gt, Modifier::ge, Modifier::gtu, Modifier::geu, Modifier::eq});
            if (!above && !has_any({Modifier::lt, Modifier::le, Modifier::ltu, Modifier::leu, Modifier::ne}))
                return std::nullopt;
            return plan_.blocks[k].successors[above != last.guard_negated ? 0 : 1];
        }
        return std::nullopt;
    }
    [[nodiscard]] static bool is_large(const Operand& x) {
        constexpr double kLarge = 1 << 15;
        if (x.kind != Operand::Kind::floating) return false;
        return x.type == ptx::Type::f32 ? std::bit_cast<float>(static_cast<std::uint32_t>(x.integer)) >= kLarge
                                        : std::bit_cast<double>(x.integer) >= kLarge;
    }

    /// By block: how often it is executed in a turn of the loops around it. The second sweep is for loops that are
    /// entered in the middle.
    [[nodiscard]] std::vector<double> chances(bool lanes) const {
        std::vector<double> all(count_ + std::size_t{1}, 0);
        all[0] = 1;
        for (const bool second : {false, true})
            for (std::uint32_t k = 0; k < count_; ++k)
                for (const std::uint32_t to : plan_.blocks[k].successors) {
                    if ((second || to <= k) && all[to] > 0) continue;
                    const double by = all[k] * chance(k, to, lanes);
                    all[to] = lanes ? std::max(all[to], by) : std::min(1., all[to] + by);
                }
        return all;
    }

    // --- instructions

    [[nodiscard]] bool is_once(const Instruction& i) const {
        if (i.opcode == Opcode::ld || i.opcode == Opcode::st) {
            const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
            return i.space == ptx::Space::param || plan_.uniform(address);
        }
        const ptx::RegisterId* to = ptx::destination_register(i);
        return i.opcode == Opcode::bra || (to && plan_.stride(*to));
    }

    [[nodiscard]] Cost cost_of(const Instruction& i, const LaneBlock& block) const {
        switch (i.opcode) {
        case Opcode::ld:
        case Opcode::st: {
            Cost cost = cost_of_access(i, block);
            cost.vector *= std::max(1U, unsigned{i.vector_width});
            return cost;
        }
        case Opcode::div:
        case Opcode::rem:
        case Opcode::sqrt:
        case Opcode::rcp:
        case Opcode::rsqrt: return ptx::is_float(i.type()) ? kFraction : kDivision;
        case Opcode::sin:
        case Opcode::cos:
        case Opcode::ex2:
        case Opcode::lg2:
        case Opcode::tanh: return kFunction;
        default: return i.type_count > 0 && ptx::bits(i.types[i.type_count - 1U]) == 64 ? kLong : kWord;
        }
    }

    [[nodiscard]] Cost cost_of_access(const Instruction& i, const LaneBlock& block) const {
        constexpr std::int64_t kWordBytes = 4;
        const bool load = i.opcode == Opcode::ld;
        const Operand& address = i.operands.at(load ? 1 : 0);
        if (i.space == ptx::Space::local) return plan_.stride_of(address) ? kOwnInStep : kOwnMemory;
        const std::int64_t element = ptx::bits(i.types[i.type_count - 1U]) / 8;
        const std::int64_t bytes = std::max(1U, unsigned{i.vector_width}) * element;
        const bool small = element < kWordBytes;
        const Cost near = small ? kNearBytes : kNeighbours;
        if (const auto stride = plan_.stride_of(address)) {
            if (*stride == bytes || (i.vector_width <= 1 && lies_near(*stride, bytes))) return near;
            return small ? kSmallScattered : load ? kApartGather : kApartScatter;
        }
        if (address.base_kind == Operand::Kind::reg && may_be_near(address.reg, bytes) && !(small && block.divergent))
            return small ? kMaybeNearBytes : kMaybeNeighbours;
        if (small) return kSmallScattered;
        const bool apart = address.base_kind == Operand::Kind::reg && apart_[address.reg];
        return apart ? (load ? kApartGather : kApartScatter) : load ? kGather : kScatter;
    }

    /// Neighbours, or one element for all lanes, as long as lanes have not parted.
    [[nodiscard]] bool may_be_near(ptx::RegisterId r, std::int64_t bytes) const {
        const auto& strides = plan_.registers.strides_in_step;
        if (apart_[r]) return false;
        if (!strides.empty() && strides[r]) return *strides[r] == 0 || *strides[r] == bytes;
        return !plan_.registers.from_memory[r];
    }

    const ptx::Function& f_;
    const LanePlan& plan_;
    const unsigned width_;
    const std::vector<std::vector<std::uint32_t>> writers_;
    const std::uint32_t count_;
    std::vector<bool> apart_; ///< by register
};

} // namespace

std::optional<Costs> estimate_costs(const ptx::Function& kernel, const LanePlan& plan, unsigned width) {
    return Estimate(kernel, plan, width).run();
}

bool ends_with_lane_test(const ptx::Function& kernel, const LaneBlock& block) {
    const Instruction& last = kernel.instructions[block.end - 1];
    if (last.opcode != Opcode::bra || !last.guarded || last.guard_negated || block.successors.size() != 2) return false;
    return std::any_of(kernel.instructions.begin() + block.begin, kernel.instructions.begin() + block.end,
                       [](const Instruction& i) { return i.aid == ptx::Aid::lanes_within; });
}

} // namespace warplight::jit
