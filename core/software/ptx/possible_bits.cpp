// SPDX-License-Identifier: Apache-2.0
#include "possible_bits.hpp"

#include "effects.hpp"

#include <algorithm>

namespace warplight::ptx {
namespace {

constexpr std::uint64_t kAnyBits = ~std::uint64_t{0};

std::uint64_t low_bits(std::int64_t count) {
    return count < 0 || count >= 64 ? kAnyBits : (std::uint64_t{1} << count) - 1;
}

class PossibleBits {
public:
    explicit PossibleBits(const Function& function) : function_(function) {}

    [[nodiscard]] std::uint64_t of(const Operand& x, int steps) const {
        if (x.negated) return kAnyBits;
        if (x.kind == Operand::Kind::integer) return static_cast<std::uint64_t>(x.integer);
        if (x.kind != Operand::Kind::reg || steps == 0) return kAnyBits;
        std::uint64_t all = 0;
        for (const Instruction& i : function_.instructions) {
            bool writes = false;
            if (const Operand* to = destination_of(i)) each_register(*to, [&](RegisterId r) { writes |= r == x.reg; });
            if (writes) all |= of_result(i, steps - 1);
            if (all == kAnyBits) break;
        }
        return all;
    }

private:
    [[nodiscard]] std::uint64_t of_result(const Instruction& i, int steps) const {
        if (i.operands[0].kind != Operand::Kind::reg) return kAnyBits;
        const auto operand = [&](std::size_t k) { return of(i.operands.at(k), steps); };
        const auto constant = [&](std::size_t k) {
            return i.operands.at(k).kind == Operand::Kind::integer ? i.operands[k].integer : -1;
        };
        switch (i.opcode) {
        case Opcode::mov: return i.operands.at(1).kind == Operand::Kind::reg ? operand(1) : kAnyBits;
        case Opcode::and_: return operand(1) & operand(2);
        case Opcode::or_:
        case Opcode::xor_: return operand(1) | operand(2);
        case Opcode::bfe: return is_signed(i.type()) ? kAnyBits : low_bits(constant(3));
        case Opcode::shr:
            if (is_signed(i.type()) || constant(2) < 0 || constant(2) >= bits(i.type())) return kAnyBits;
            return (operand(1) & low_bits(bits(i.type()))) >> constant(2);
        case Opcode::cvt:
            if (is_float(i.types[0]) || is_float(i.types[1]) || is_signed(i.types[1])) return kAnyBits;
            return operand(1) & low_bits(bits(i.types[1]));
        case Opcode::ld: return is_signed(i.type()) ? kAnyBits : low_bits(bits(i.type()));
        default: return kAnyBits;
        }
    }

    const Function& function_;
};

} // namespace

std::uint64_t possible_bits(const Function& function, const Operand& operand) {
    constexpr int kMostSteps = 4;
    return PossibleBits(function).of(operand, kMostSteps);
}

} // namespace warplight::ptx
