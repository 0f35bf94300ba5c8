// SPDX-License-Identifier: Apache-2.0
// Lane offsets of shared addresses that are not affine, such as 2 * t - (t & 7) in sorting networks and Fourier
// transforms. Each lane differs from the first lane by a known number.
//
// Other addresses are made of indices with a sign and of 32 bits. Compilers round i / 4 up where i is negative. So
// their offsets are likely ones: they hold where no index is negative, none wraps, and no lane keeps an older value.
#include "linear_form.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

struct Offsets {
    std::vector<std::int32_t> of_lanes; ///< differences from the first lane's value, modulo 2^32
    unsigned zeros = 0;                 ///< low bits of the first lane's value that are 0
};

constexpr unsigned kBits = kIndexBits;

std::int32_t wrap(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

class LaneOffsets {
public:
    LaneOffsets(const ptx::Function& kernel, const LanePlan& plan, unsigned width, bool likely)
        : kernel_(kernel), plan_(plan), width_(width), likely_(likely), writers_(writers_of(kernel)) {}

    /// The offsets of a register with one writer. A shared address is the low half of a 64-bit register.
    const std::optional<Offsets>& of(RegisterId r) {
        constexpr unsigned kDeepest = 200;              // keeps the recursion within the stack
        const auto [at, fresh] = known_.try_emplace(r); // stays empty while the register depends on itself
        if (fresh && depth_ < kDeepest) {
            ++depth_;
            if (auto offsets = find(r)) known_[r] = std::move(offsets);
            --depth_;
        }
        return known_[r];
    }

private:
    [[nodiscard]] bool is_word(RegisterId r) const {
        const ptx::Type type = kernel_.registers[r].type;
        return (ptx::bits(type) == kBits || ptx::bits(type) == 2 * kBits) && !ptx::is_float(type);
    }

    std::optional<Offsets> find(RegisterId r) {
        if (!is_word(r)) return std::nullopt;
        if (const auto stride = plan_.stride(r)) {
            Operand self;
            self.kind = Operand::Kind::reg;
            self.reg = r;
            Offsets offsets =
                affine(*stride, plan_.counts(self) ? lane_bits() : std::min(kBits, plan_.registers.values[r].zeros));
            if (likely_) // to have more zeros
                if (const auto made = of_writer(r)) offsets.zeros = std::max(offsets.zeros, made->zeros);
            return offsets;
        }
        return of_writer(r);
    }

    std::optional<Offsets> of_writer(RegisterId r) {
        if (writers_[r].size() != 1) return std::nullopt;
        const std::uint32_t at = writers_[r][0];
        const Instruction& i = kernel_.instructions[at];
        if (i.guarded || (plan_.blocks.of(at).masked && !likely_) || i.operands[0].kind != Operand::Kind::reg)
            return std::nullopt;
        if (!std::all_of(i.types.begin(), i.types.begin() + i.type_count, is_index)) return std::nullopt;
        return of_result(i);
    }

    [[nodiscard]] unsigned lane_bits() const {
        return std::has_single_bit(width_) ? static_cast<unsigned>(std::countr_zero(width_)) : 0;
    }
    [[nodiscard]] Offsets affine(std::int64_t stride, unsigned zeros) const {
        Offsets offsets{std::vector<std::int32_t>(width_), zeros};
        for (unsigned lane = 0; lane < width_; ++lane)
            offsets.of_lanes[lane] = wrap(stride * lane);
        return offsets;
    }
    static unsigned zeros_of(std::int64_t number) {
        const auto word = static_cast<std::uint32_t>(number);
        return static_cast<unsigned>(std::countr_zero(word));
    }

    std::optional<Offsets> of(const Operand& x) {
        switch (x.kind) {
        case Operand::Kind::reg: return x.negated ? std::nullopt : of(x.reg);
        case Operand::Kind::integer: return affine(0, zeros_of(x.integer));
        default: break;
        }
        const auto stride = plan_.stride_of(x);
        if (!stride) return std::nullopt;
        return affine(*stride, plan_.counts(x) ? lane_bits() : 0);
    }

    static Offsets sum(const Offsets& x, const Offsets& y, int sign) {
        Offsets z = x;
        for (std::size_t lane = 0; lane < z.of_lanes.size(); ++lane)
            z.of_lanes[lane] = wrap(std::int64_t{x.of_lanes[lane]} + sign * std::int64_t{y.of_lanes[lane]});
        z.zeros = std::min(x.zeros, y.zeros);
        return z;
    }
    static Offsets product(const Offsets& x, std::int64_t by) {
        Offsets z = x;
        for (std::int32_t& value : z.of_lanes)
            value = wrap(value * by);
        z.zeros = std::min(kBits, x.zeros + zeros_of(by));
        return z;
    }
    /// The offsets after a bit operation, if all offsets of x lie in low bits that are 0 in the first lane.
    template <class Operation>
    static std::optional<Offsets> by_bits(const Offsets& x, unsigned zeros, Operation operation) {
        const auto end = std::int64_t{1} << std::min(x.zeros, kBits - 1);
        if (std::any_of(x.of_lanes.begin(), x.of_lanes.end(), [&](std::int32_t v) { return v < 0 || v >= end; }))
            return std::nullopt;
        Offsets z = x;
        for (std::int32_t& value : z.of_lanes)
            value = wrap(std::int64_t{operation(static_cast<std::uint32_t>(value))});
        const std::int32_t first = z.of_lanes[0];
        for (std::int32_t& value : z.of_lanes)
            value = wrap(std::int64_t{value} - first);
        z.zeros = zeros;
        return z;
    }

    std::optional<Offsets> of_linear(const Instruction& i, const LinearForm& form) {
        std::optional<Offsets> offsets = of(i.operands.at(1));
        if (offsets && form.factor) {
            const auto factor = constant_factor(i, form);
            offsets = factor ? std::optional(product(*offsets, *factor)) : std::nullopt;
        }
        if (!offsets || !form.addend) return offsets;
        const auto addend = of(i.operands.at(form.addend));
        if (!addend) return std::nullopt;
        return sum(*offsets, *addend, form.subtracts ? -1 : 1);
    }

    std::optional<Offsets> of_result(const Instruction& i) {
        const auto linear = linear_form_of(i);
        if (linear && (likely_ || !linear->changes_space)) return of_linear(i, *linear);
        const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
        const auto number = [&](std::size_t k) -> std::optional<std::int64_t> {
            const Operand& x = i.operands.at(k);
            return x.kind == Operand::Kind::integer ? std::optional(x.integer) : std::nullopt;
        };
        switch (i.opcode) {
        case Opcode::shr: {
            const auto by = number(2);
            if (likely_ && by == ptx::bits(i.type()) - 1) return affine(0, kBits); // the sign
            const auto x = operand(1);
            if (!x || !by || *by < 0 || *by >= kBits || ptx::bits(i.type()) != kBits) return std::nullopt;
            const auto bits = static_cast<unsigned>(*by);
            const unsigned zeros = x->zeros == kBits ? kBits : x->zeros - std::min(x->zeros, bits);
            return by_bits(*x, zeros, [&](std::uint32_t v) { return v >> bits; });
        }
        case Opcode::and_:
        case Opcode::or_:
        case Opcode::xor_: {
            const std::size_t constant = number(1) ? 1 : 2;
            const auto x = operand(3 - constant);
            const auto with = number(constant);
            if (!x || !with) return std::nullopt;
            const auto word = static_cast<std::uint32_t>(*with);
            if (i.opcode == Opcode::and_) return by_bits(*x, x->zeros, [&](std::uint32_t v) { return v & word; });
            const unsigned zeros = std::min(x->zeros, zeros_of(*with));
            if (i.opcode == Opcode::or_) return by_bits(*x, zeros, [&](std::uint32_t v) { return v | word; });
            return by_bits(*x, zeros, [&](std::uint32_t v) { return v ^ word; });
        }
        default: return std::nullopt;
        }
    }

    const ptx::Function& kernel_;
    const LanePlan& plan_;
    unsigned width_;
    bool likely_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<RegisterId, std::optional<Offsets>> known_;
    unsigned depth_ = 0;
};

} // namespace

void find_lane_offsets(const ptx::Function& kernel, unsigned width, LanePlan& plan) {
    LaneOffsets certain(kernel, plan, width, false), likely(kernel, plan, width, true);
    for (const Instruction& i : kernel.instructions) {
        if (i.opcode != Opcode::ld && i.opcode != Opcode::st) continue;
        const Operand* address = ptx::accessed_address(i);
        if (!address || address->base_kind != Operand::Kind::reg || plan.stride(address->reg)) continue;
        const bool shared = i.space == ptx::Space::shared;
        if (const auto& found = (shared ? certain : likely).of(address->reg))
            (shared ? plan.registers.lane_offsets : plan.registers.likely_offsets)[address->reg] = found->of_lanes;
    }
}

} // namespace warplight::jit
