// SPDX-License-Identifier: Apache-2.0
#include "flat_division.hpp"

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;

namespace {

constexpr unsigned kBits = 32;
constexpr std::uint32_t kFarthest = 200; ///< instructions that are looked through

bool is_register(const Operand& x) { return x.kind == Operand::Kind::reg && !x.negated; }

/// Finds the instructions that a quotient is made by. All of them lie in one block.
class Products {
public:
    Products(const ptx::Function& kernel, std::uint32_t begin) : f_(kernel), begin_(begin) {}

    /// floor(x * factor / 2^(32 + s)), and one more for negative numbers.
    [[nodiscard]] std::optional<FlatDivision> with_sign(std::uint32_t at) const {
        const Instruction& sum = f_.instructions[at];
        if (!is_word_sum(sum)) return std::nullopt;
        for (const std::size_t k : {1, 2}) {
            const auto sign = shift_of(sum.operands[k], at, ptx::Type::u32);
            if (!sign || sign->by != kBits - 1) continue;
            const Operand& other = sum.operands[3 - k];
            std::uint64_t shift = 0;
            if (writer(other.reg, at) != writer(sign->x->reg, sign->at) || !writer(other.reg, at)) {
                const auto high = shift_of(other, at, ptx::Type::s32);
                if (!high || high->x->reg != sign->x->reg ||
                    writer(high->x->reg, high->at) != writer(sign->x->reg, sign->at))
                    continue;
                shift = high->by;
            }
            const auto product = high_product(*sign->x, sign->at);
            if (!product || is_changed(product->x->reg, product->at, at)) continue;
            const std::uint64_t power = std::uint64_t{1} << (kBits + shift);
            const std::uint64_t by = power / product->factor + 1;
            // So much more than the quotient is less than what is missing to the next one.
            if (product->factor * by - power > std::uint64_t{2} << shift) continue;
            return division(*product->x, by, ptx::Type::s32);
        }
        return std::nullopt;
    }

    /// floor(x * factor / 2^s), where x may have been shifted to the right.
    [[nodiscard]] std::optional<FlatDivision> without_sign(std::uint32_t at) const {
        const Instruction& cut = f_.instructions[at];
        if (cut.opcode != Opcode::cvt || cut.types[0] != ptx::Type::u32 || cut.types[1] != ptx::Type::u64)
            return std::nullopt;
        const auto shift = shift_of(cut.operands[1], at, ptx::Type::u64);
        if (!shift || shift->by < kBits || shift->by >= 2 * kBits - 1) return std::nullopt;
        const auto made = writer(shift->x->reg, shift->at);
        if (!made) return std::nullopt;
        const Instruction& wide = f_.instructions[*made];
        if (wide.opcode != Opcode::mul || !wide.has(Modifier::wide) || wide.type() != ptx::Type::u32)
            return std::nullopt;
        if (!is_register(wide.operands[1]) || wide.operands[2].kind != Operand::Kind::integer) return std::nullopt;
        const auto factor = static_cast<std::uint32_t>(wide.operands[2].integer);
        if (factor < 2) return std::nullopt;
        const Operand* x = &wide.operands[1];
        std::uint32_t from = *made;
        std::uint64_t first = 0;
        if (const auto before = shift_of(*x, *made, ptx::Type::u32)) {
            x = before->x;
            from = before->at;
            first = before->by;
        }
        if (is_changed(x->reg, from, at)) return std::nullopt;
        const std::uint64_t power = std::uint64_t{1} << shift->by;
        const std::uint64_t by = (power + factor - 1) / factor;
        if (factor * by - power > std::uint64_t{1} << (shift->by - kBits + first)) return std::nullopt;
        return division(*x, by << first, ptx::Type::u32);
    }

private:
    struct Shift {
        const Operand* x;
        std::uint64_t by;
        std::uint32_t at;
    };
    struct Product {
        const Operand* x;
        std::uint64_t factor;
        std::uint32_t at;
    };

    [[nodiscard]] static bool is_word_sum(const Instruction& i) {
        return i.opcode == Opcode::add && !ptx::is_float(i.type()) && ptx::bits(i.type()) == kBits &&
               !ptx::uses_carry(i) && !i.has(Modifier::sat) && is_register(i.operands[1]) && is_register(i.operands[2]);
    }
    [[nodiscard]] static std::optional<FlatDivision> division(const Operand& x, std::uint64_t by, ptx::Type type) {
        if (by >= std::uint64_t{1} << (kBits - 1)) return std::nullopt;
        Operand number;
        number.kind = Operand::Kind::integer;
        number.integer = static_cast<std::int64_t>(by);
        return FlatDivision{x, number, type, false};
    }

    /// The last instruction before `at` that writes a register, if it always does.
    [[nodiscard]] std::optional<std::uint32_t> writer(RegisterId r, std::uint32_t at) const {
        for (std::uint32_t k = at; k-- > begin_;) {
            const Instruction& i = f_.instructions[k];
            bool writes = false;
            ptx::each_written(f_, i, [&](RegisterId written) { writes |= written == r; });
            if (!writes) continue;
            return i.guarded || !ptx::destination_register(i) ? std::nullopt : std::optional(k);
        }
        return std::nullopt;
    }
    [[nodiscard]] bool is_changed(RegisterId r, std::uint32_t from, std::uint32_t to) const {
        bool writes = false;
        for (std::uint32_t k = from; k < to; ++k)
            ptx::each_written(f_, f_.instructions[k], [&](RegisterId written) { writes |= written == r; });
        return writes;
    }
    [[nodiscard]] std::optional<Shift> shift_of(const Operand& x, std::uint32_t at, ptx::Type type) const {
        const auto made = is_register(x) ? writer(x.reg, at) : std::nullopt;
        if (!made) return std::nullopt;
        const Instruction& i = f_.instructions[*made];
        if (i.opcode != Opcode::shr || i.type() != type || !is_register(i.operands[1])) return std::nullopt;
        const Operand& by = i.operands[2];
        if (by.kind != Operand::Kind::integer || by.integer <= 0 || by.integer >= ptx::bits(type)) return std::nullopt;
        return Shift{&i.operands[1], static_cast<std::uint64_t>(by.integer), *made};
    }
    /// The high word of a product. A factor of more than 31 bits is negative, and then x is added.
    [[nodiscard]] std::optional<Product> high_product(const Operand& x, std::uint32_t at) const {
        const auto made = writer(x.reg, at);
        if (!made) return std::nullopt;
        const Instruction& i = f_.instructions[*made];
        if (const auto plain = signed_product(*made)) return plain->factor >> (kBits - 1) ? std::nullopt : plain;
        if (!is_word_sum(i)) return std::nullopt;
        for (const std::size_t k : {1, 2}) {
            const auto product_at = writer(i.operands[k].reg, *made);
            const auto product = product_at ? signed_product(*product_at) : std::nullopt;
            if (product && product->factor >> (kBits - 1) && product->x->reg == i.operands[3 - k].reg &&
                !is_changed(product->x->reg, product->at, *made))
                return product;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::optional<Product> signed_product(std::uint32_t at) const {
        const Instruction& i = f_.instructions[at];
        if (i.opcode != Opcode::mul || !i.has(Modifier::hi) || i.type() != ptx::Type::s32 ||
            !is_register(i.operands[1]) || i.operands[2].kind != Operand::Kind::integer)
            return std::nullopt;
        const auto factor = static_cast<std::uint32_t>(i.operands[2].integer);
        return factor > 1 ? std::optional(Product{&i.operands[1], factor, at}) : std::nullopt;
    }

    const ptx::Function& f_;
    const std::uint32_t begin_;
};

} // namespace

std::optional<FlatDivision> flat_division(const ptx::Function& kernel, const LaneBlocks& blocks, std::uint32_t at) {
    const Instruction& i = kernel.instructions[at];
    if (i.guarded || i.operands.empty() || !is_register(i.operands[0])) return std::nullopt;
    if (i.opcode == Opcode::div || i.opcode == Opcode::rem) {
        if (ptx::is_float(i.type())) return std::nullopt;
        return FlatDivision{i.operands[1], i.operands[2], i.type(), i.opcode == Opcode::rem};
    }
    const std::uint32_t begin = blocks.of(at).begin;
    const Products products(kernel, at - begin > kFarthest ? at - kFarthest : begin);
    if (i.opcode == Opcode::add) return products.with_sign(at);
    return i.opcode == Opcode::cvt ? products.without_sign(at) : std::nullopt;
}

} // namespace warplight::jit
