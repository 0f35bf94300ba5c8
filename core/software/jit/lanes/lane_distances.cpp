// SPDX-License-Identifier: Apache-2.0
// How far apart lanes lie at addresses that are not affine because a factor is known at run time only. In a tree over
// shared memory, `tile[step * (2 * t + 1) - 1]`, lanes are a multiple of 8 bytes apart, whatever the step is. So they
// are no neighbours, and code that asks whether they are is wasted.
#include "linear_form.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

/// A power of two of which each lane's difference from the lane before is a multiple. 0: it is the same in all lanes,
/// or grows so slowly that this does not count.
using Distance = std::uint64_t;

class LaneDistances {
public:
    LaneDistances(const ptx::Function& kernel, const LanePlan& plan)
        : kernel_(kernel), plan_(plan), writers_(writers_of(kernel)) {}

    std::optional<Distance> of(RegisterId r) {
        constexpr unsigned kDeepest = 200;              // keeps the recursion within the stack
        const auto [at, fresh] = known_.try_emplace(r); // stays empty while the register depends on itself
        if (fresh && depth_ < kDeepest) {
            ++depth_;
            const auto found = find(r);
            known_[r] = found;
            --depth_;
        }
        return known_[r];
    }

private:
    static Distance lowest_bit(std::int64_t number) {
        const auto bits = static_cast<std::uint64_t>(number);
        return bits & (~bits + 1);
    }

    /// A power of two of which a number that is the same in all lanes is a multiple.
    [[nodiscard]] Distance multiple_of(const Operand& x) const {
        return x.kind == Operand::Kind::reg ? Distance{1} << plan_.registers.values[x.reg].zeros : 1;
    }

    std::optional<Distance> find(RegisterId r) {
        if (const auto stride = plan_.stride(r)) return lowest_bit(*stride);
        if (writers_[r].size() != 1) return std::nullopt;
        const Instruction& i = kernel_.instructions[writers_[r][0]];
        if (i.guarded || i.operands.at(0).kind != Operand::Kind::reg) return std::nullopt;
        if (const auto form = linear_form_of(i)) return of_linear(i, *form);
        constexpr std::int64_t kSlow = 3; // as in t + (t >> 5), which keeps banks apart
        const bool slow = i.opcode == Opcode::shr && i.operands.at(2).kind == Operand::Kind::integer &&
                          i.operands[2].integer >= kSlow;
        return slow && of(i.operands[1]) ? std::optional<Distance>(0) : std::nullopt;
    }

    std::optional<Distance> of(const Operand& x) {
        if (x.kind == Operand::Kind::reg) return of(x.reg);
        const auto stride = plan_.stride_of(x);
        return stride ? std::optional(lowest_bit(*stride)) : std::nullopt;
    }

    std::optional<Distance> of_linear(const Instruction& i, const LinearForm& form) {
        auto distance = of(i.operands.at(1));
        if (form.factor) {
            const Operand& factor = i.operands.at(form.factor);
            if (const auto number = constant_factor(i, form)) {
                if (distance) *distance *= lowest_bit(*number);
            } else if (plan_.uniform(factor)) {
                if (distance && !form.shifts) *distance *= multiple_of(factor);
            } else {
                // A number that is the same in all lanes may stand on either side.
                distance = plan_.uniform(i.operands[1]) && !form.shifts ? of(factor) : std::nullopt;
                if (distance) *distance *= multiple_of(i.operands[1]);
            }
        }
        if (!form.addend || !distance) return distance;
        const auto addend = of(i.operands.at(form.addend));
        if (!addend) return std::nullopt;
        return *distance && *addend ? std::min(*distance, *addend) : *distance + *addend;
    }

    const ptx::Function& kernel_;
    const LanePlan& plan_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<RegisterId, std::optional<Distance>> known_;
    unsigned depth_ = 0;
};

/// Whether lane k holds the first lane's number plus k times one that is the same in all lanes, modulo 2^32.
class EvenLanes {
public:
    EvenLanes(const ptx::Function& kernel, const LanePlan& plan)
        : kernel_(kernel), plan_(plan), writers_(writers_of(kernel)) {}

    /// @param reader the instruction that reads the register
    /// @param makers the instructions that make it of numbers of this kind, which are no affine ones
    bool holds(RegisterId r, std::uint32_t reader, std::vector<std::uint32_t>& makers, unsigned depth = 0) const {
        constexpr unsigned kDeepest = 16;
        if (depth > kDeepest || ptx::bits(kernel_.registers[r].type) != kIndexBits) return false;
        if (plan_.stride(r)) return !plan_.widening(r);
        if (writers_[r].size() != 1 || !are_written_together(r, writers_[r][0], reader)) return false;
        const Instruction& i = kernel_.instructions[writers_[r][0]];
        if (i.guarded || i.operands.at(0).kind != Operand::Kind::reg) return false;
        const auto form = linear_form_of(i);
        if (!form || form->converts || form->changes_space) return false;
        makers.push_back(writers_[r][0]);
        const auto is_even = [&](const Operand& x) {
            return x.kind == Operand::Kind::reg ? holds(x.reg, writers_[r][0], makers, depth + 1)
                                                : plan_.stride_of(x).has_value();
        };
        if (form->addend && !is_even(i.operands.at(form->addend))) return false;
        if (!form->factor || constant_factor(i, *form) || plan_.uniform(i.operands.at(form->factor)))
            return is_even(i.operands.at(1));
        return !form->shifts && plan_.uniform(i.operands.at(1)) && is_even(i.operands.at(form->factor));
    }

private:
    /// By the time of the reader all lanes hold what one and the same execution of the writer gave them.
    [[nodiscard]] bool are_written_together(RegisterId r, std::uint32_t writer, std::uint32_t reader) const {
        if (!plan_.blocks.of(writer).masked) return true;
        return plan_.blocks.number_of(writer) == plan_.blocks.number_of(reader) && writer < reader &&
               plan_.registers.block_local[r];
    }

    const ptx::Function& kernel_;
    const LanePlan& plan_;
    std::vector<std::vector<std::uint32_t>> writers_;
};

} // namespace

std::map<RegisterId, std::uint64_t> find_lane_distances(const ptx::Function& kernel, const LanePlan& plan) {
    LaneDistances distances(kernel, plan);
    std::map<RegisterId, std::uint64_t> by_register;
    for (const Instruction& i : kernel.instructions) {
        if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.space != ptx::Space::shared) continue;
        const Operand* at = ptx::accessed_address(i);
        if (!at || at->base_kind != Operand::Kind::reg || plan.stride(at->reg)) continue;
        if (const auto found = distances.of(at->reg); found && *found) by_register[at->reg] = *found;
    }
    return by_register;
}

InstructionSet find_evenly_spaced(const ptx::Function& kernel, const LanePlan& plan) {
    const EvenLanes lanes(kernel, plan);
    InstructionSet even;
    for (std::uint32_t at = 0; at < kernel.instructions.size(); ++at) {
        const Instruction& i = kernel.instructions[at];
        if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.space != ptx::Space::shared) continue;
        const Operand* address = ptx::accessed_address(i);
        if (!address || address->base_kind != Operand::Kind::reg || plan.stride(address->reg)) continue;
        std::vector<std::uint32_t> makers{at};
        if (lanes.holds(address->reg, at, makers)) even.insert(makers.begin(), makers.end());
    }
    return even;
}

} // namespace warplight::jit
