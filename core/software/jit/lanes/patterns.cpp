// SPDX-License-Identifier: Apache-2.0
// Registers whose lanes differ by what is known, though they do not grow evenly: 2 * t - (t & 7), as the networks of
// sorting and of Fourier transforms have them.
#include "lanes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

/// What each lane has beyond the first one's value, modulo 2^32, and how many low bits of that value are zero.
struct Shape {
    std::vector<std::int32_t> beyond;
    unsigned zeros = 0;
};

constexpr unsigned kBits = 32;

std::int32_t wrap(std::int64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

class Shapes {
public:
    Shapes(const ptx::Function& kernel, const LanePlan& plan, unsigned width)
        : kernel_(kernel), plan_(plan), width_(width), writers_(writers_of(kernel)) {}

    /// Of a register that one instruction writes, for all lanes at once. Of one of 64 bits the low half counts, as it
    /// does in a shared address.
    const std::optional<Shape>& of(RegisterId r) {
        constexpr unsigned kDeepest = 200;              // of one made of another: the stack has an end
        const auto [at, fresh] = known_.try_emplace(r); // nothing for what a loop makes of itself
        if (fresh && depth_ < kDeepest) {
            ++depth_;
            if (auto shape = find(r)) known_[r] = std::move(shape);
            --depth_;
        }
        return known_[r];
    }

private:
    [[nodiscard]] bool is_word(RegisterId r) const {
        const ptx::Type type = kernel_.registers[r].type;
        return (ptx::bits(type) == kBits || ptx::bits(type) == 2 * kBits) && !ptx::is_float(type);
    }

    std::optional<Shape> find(RegisterId r) {
        if (!is_word(r)) return std::nullopt;
        if (const auto stride = plan_.stride[r]) {
            Operand self;
            self.kind = Operand::Kind::reg;
            self.reg = r;
            return even(*stride, plan_.counts(self) ? lane_bits() : std::min<unsigned>(kBits, plan_.zeros[r]));
        }
        if (writers_[r].size() != 1) return std::nullopt;
        const std::uint32_t at = writers_[r][0];
        const Instruction& i = kernel_.instructions[at];
        if (i.guarded || plan_.blocks[plan_.block_of[at]].diverged || i.operands[0].kind != Operand::Kind::reg)
            return std::nullopt;
        for (std::size_t k = 0; k < i.type_count; ++k)
            if (ptx::bits(i.types[k]) < kBits || ptx::is_float(i.types[k])) return std::nullopt;
        return made_by(i);
    }

    [[nodiscard]] unsigned lane_bits() const {
        return std::has_single_bit(width_) ? static_cast<unsigned>(std::countr_zero(width_)) : 0;
    }
    [[nodiscard]] Shape even(std::int64_t stride, unsigned zeros) const {
        Shape shape{std::vector<std::int32_t>(width_), zeros};
        for (unsigned lane = 0; lane < width_; ++lane)
            shape.beyond[lane] = wrap(stride * lane);
        return shape;
    }
    static unsigned zeros_of(std::int64_t number) {
        const auto word = static_cast<std::uint32_t>(number);
        return static_cast<unsigned>(std::countr_zero(word));
    }

    std::optional<Shape> of(const Operand& x) {
        switch (x.kind) {
        case Operand::Kind::reg: return x.negated ? std::nullopt : of(x.reg);
        case Operand::Kind::integer: return even(0, zeros_of(x.integer));
        default: break;
        }
        const auto stride = plan_.stride_of(x);
        if (!stride) return std::nullopt;
        return even(*stride, plan_.counts(x) ? lane_bits() : 0);
    }

    static Shape sum(const Shape& x, const Shape& y, int sign) {
        Shape z = x;
        for (std::size_t lane = 0; lane < z.beyond.size(); ++lane)
            z.beyond[lane] = wrap(std::int64_t{x.beyond[lane]} + sign * std::int64_t{y.beyond[lane]});
        z.zeros = std::min(x.zeros, y.zeros);
        return z;
    }
    static Shape product(const Shape& x, std::int64_t by) {
        Shape z = x;
        for (std::int32_t& value : z.beyond)
            value = wrap(value * by);
        z.zeros = std::min(kBits, x.zeros + zeros_of(by));
        return z;
    }
    /// Where the lanes differ in bits alone that the first one does not have.
    template <class Operation>
    static std::optional<Shape> by_bits(const Shape& x, unsigned zeros, Operation operation) {
        const auto end = std::int64_t{1} << std::min(x.zeros, kBits - 1);
        if (std::any_of(x.beyond.begin(), x.beyond.end(), [&](std::int32_t v) { return v < 0 || v >= end; }))
            return std::nullopt;
        Shape z = x;
        for (std::int32_t& value : z.beyond)
            value = wrap(std::int64_t{operation(static_cast<std::uint32_t>(value))});
        const std::int32_t first = z.beyond[0];
        for (std::int32_t& value : z.beyond)
            value = wrap(std::int64_t{value} - first);
        z.zeros = zeros;
        return z;
    }

    std::optional<Shape> made_by(const Instruction& i) {
        const auto operand = [&](std::size_t k) { return of(i.operands.at(k)); };
        const auto number = [&](std::size_t k) -> std::optional<std::int64_t> {
            const Operand& x = i.operands.at(k);
            return x.kind == Operand::Kind::integer ? std::optional(x.integer) : std::nullopt;
        };
        switch (i.opcode) {
        case Opcode::mov:
        case Opcode::cvt: return i.has(Modifier::sat) ? std::nullopt : operand(1);
        case Opcode::add:
        case Opcode::sub: {
            const auto x = operand(1), y = operand(2);
            if (!x || !y || i.has(Modifier::sat) || i.has(Modifier::cc)) return std::nullopt;
            return sum(*x, *y, i.opcode == Opcode::add ? 1 : -1);
        }
        case Opcode::mul:
        case Opcode::mad: {
            const auto x = operand(1), more = i.opcode == Opcode::mad ? operand(3) : std::optional(even(0, kBits));
            const auto by = number(2);
            if (!x || !more || !by || i.has(Modifier::hi) || i.has(Modifier::sat)) return std::nullopt;
            return sum(product(*x, *by), *more, 1);
        }
        case Opcode::shl: {
            const auto x = operand(1);
            const auto by = number(2);
            if (!x || !by || *by < 0 || *by >= kBits) return std::nullopt;
            return product(*x, std::int64_t{1} << *by);
        }
        case Opcode::shr: {
            const auto x = operand(1);
            const auto by = number(2);
            if (!x || !by || *by < 0 || *by >= kBits || ptx::bits(i.type()) != kBits) return std::nullopt;
            const auto bits = static_cast<unsigned>(*by);
            return by_bits(*x, x->zeros > bits ? x->zeros - bits : 0, [&](std::uint32_t v) { return v >> bits; });
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
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<RegisterId, std::optional<Shape>> known_;
    unsigned depth_ = 0;
};

} // namespace

void find_patterns(const ptx::Function& kernel, unsigned width, LanePlan& plan) {
    Shapes shapes(kernel, plan, width);
    for (const Instruction& i : kernel.instructions) {
        if ((i.opcode != Opcode::ld && i.opcode != Opcode::st) || i.space != ptx::Space::shared) continue;
        const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
        if (address.kind != Operand::Kind::address || address.base_kind != Operand::Kind::reg) continue;
        if (plan.stride[address.reg]) continue;
        if (const auto& shape = shapes.of(address.reg)) plan.beyond_first[address.reg] = shape->beyond;
    }
}

} // namespace warplight::jit
