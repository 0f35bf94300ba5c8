// SPDX-License-Identifier: Apache-2.0
#include "arithmetic_tests.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/ptx/effects.hpp"

#include <algorithm>
#include <vector>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Type;
using software::ArithmeticProblem;
using Kind = Operand::Kind;

namespace {

bool is_register(const Operand& x) { return x.kind == Kind::reg; }

bool is_real(Type type) { return type == Type::f32 || type == Type::f64 || type == Type::f16 || type == Type::bf16; }

/// May give NaN for numbers.
bool may_lose_numbers(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::fma:
    case Opcode::mad:
    case Opcode::div:
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2: return i.type_count == 1 && is_real(i.type()) && is_register(i.operands.at(0));
    default: return false;
    }
}

class ArithmeticTester {
public:
    ArithmeticTester(const ptx::Function& function, ArithmeticTests tests)
        : function_(function), tests_(tests), code_(function),
          indices_(tests == ArithmeticTests::all ? find_indices() : std::vector<bool>(function.registers.size())) {}

    ChangedFunction run() {
        for (std::uint32_t k = 0; k < function_.instructions.size(); ++k) {
            code_.begin(k);
            const Instruction& i = function_.instructions[k];
            test_division(i);
            test_shift(i);
            test_overflow(i);
            test_number(i);
        }
        return code_.finish();
    }

private:
    [[nodiscard]] Operand temporary(Type type) { return register_operand(code_.new_register(type)); }

    Operand compare(Modifier how, Type type, const Operand& a, const Operand& b) {
        Operand result = temporary(Type::pred);
        set(code_.add(Opcode::setp, type, {result, a, b}), how);
        return result;
    }
    Operand both(const Operand& a, const Operand& b) {
        Operand result = temporary(Type::pred);
        code_.add(Opcode::and_, Type::pred, {result, a, b});
        return result;
    }
    void tell(ArithmeticProblem problem, const Operand& where) {
        code_.add(Opcode::invalid, Type::pred, {number_operand(static_cast<std::int64_t>(problem)), where}).aid =
            ptx::Aid::arithmetic_test;
    }

    void test_division(const Instruction& i) {
        const bool divides = i.opcode == Opcode::div || i.opcode == Opcode::rem;
        if (!divides || ptx::is_float(i.type())) return;
        const Operand &a = i.operands.at(1), &b = i.operands.at(2);
        if (!is_register(b) && b.integer != 0 && b.integer != -1) return;
        tell(ArithmeticProblem::division_by_zero, compare(Modifier::eq, i.type(), b, number_operand(0)));
        if (!ptx::is_signed(i.type())) return;
        const std::int64_t least = -(std::int64_t{1} << (ptx::bits(i.type()) - 2)) * 2;
        tell(ArithmeticProblem::quotient_too_large, both(compare(Modifier::eq, i.type(), a, number_operand(least)),
                                                         compare(Modifier::eq, i.type(), b, number_operand(-1))));
    }

    void test_shift(const Instruction& i) {
        // CUDA's own functions shift too far, and do not use the result.
        if (tests_ != ArithmeticTests::all || (i.opcode != Opcode::shl && i.opcode != Opcode::shr)) return;
        const Operand& by = i.operands.at(2);
        if (is_register(by))
            tell(ArithmeticProblem::shift, compare(Modifier::ge, Type::u32, by, number_operand(ptx::bits(i.type()))));
    }

    /// The instruction itself, and behind it whether its result is NaN though its sources are numbers.
    void test_number(const Instruction& i) {
        if (tests_ != ArithmeticTests::all || !may_lose_numbers(i)) return code_.keep();
        const Type type = i.type();
        Operand numbers;
        for (std::size_t k = 1; k < i.operands.size(); ++k) {
            if (!is_register(i.operands[k])) continue;
            const Operand one = compare(Modifier::num, type, i.operands[k], i.operands[k]);
            numbers = numbers.kind == Kind::none ? one : both(numbers, one);
        }
        code_.keep();
        const Operand& to = i.operands[0];
        if (i.guarded && to.reg == i.guard) return;
        const Operand lost = compare(Modifier::nan, type, to, to);
        tell(ArithmeticProblem::not_a_number, numbers.kind == Kind::none ? lost : both(lost, numbers));
    }

    // --- signed sums and products of 32 bits that become an address

    [[nodiscard]] static bool is_sum(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::add:
        case Opcode::sub: return i.type() == Type::s32;
        case Opcode::mul:
        case Opcode::mad: return i.type() == Type::s32 && i.has(Modifier::lo);
        case Opcode::shl: return i.type() == Type::b32 && !is_register(i.operands.at(2)) && i.operands[2].integer < 32;
        default: return false;
        }
    }
    [[nodiscard]] static bool passes_address(const Instruction& i) {
        switch (i.opcode) {
        case Opcode::add:
        case Opcode::sub: return ptx::bits(i.type()) == 64 && !ptx::is_float(i.type());
        case Opcode::mul:
        case Opcode::mad: return (ptx::bits(i.type()) == 64 && i.has(Modifier::lo)) || widens(i);
        case Opcode::shl: return i.type() == Type::b64;
        case Opcode::mov:
        case Opcode::cvta: return true;
        case Opcode::cvt: return widens(i);
        default: return false;
        }
    }
    /// From a signed index to an address.
    [[nodiscard]] static bool widens(const Instruction& i) {
        if (i.opcode == Opcode::cvt) return i.type_count == 2 && i.types[0] == Type::s64 && i.types[1] == Type::s32;
        return i.has(Modifier::wide) && i.type() == Type::s32;
    }

    /// By register of 32 bits: whether it is part of a signed index.
    [[nodiscard]] std::vector<bool> find_indices() const {
        std::vector<std::vector<const Instruction*>> writers(function_.registers.size());
        std::vector<bool> seen(function_.registers.size()), indices(function_.registers.size());
        std::vector<RegisterId> left;
        const auto follow = [&](RegisterId r) {
            if (!seen[r]) left.push_back(r);
            seen[r] = true;
        };
        for (const Instruction& i : function_.instructions) {
            if (const RegisterId* to = ptx::destination_register(i)) writers[*to].push_back(&i);
            for (const Operand& x : i.operands)
                if (x.kind == Kind::address && x.base_kind == Kind::reg) follow(x.reg);
        }
        while (!left.empty()) {
            const RegisterId r = left.back();
            left.pop_back();
            const bool is_index = ptx::bits(function_.registers[r].type) == 32;
            for (const Instruction* i : writers[r]) {
                if (is_index ? !is_sum(*i) && i->opcode != Opcode::mov : !passes_address(*i)) continue;
                for (std::size_t k = 1; k < i->operands.size(); ++k) {
                    if (!is_register(i->operands[k])) continue;
                    const RegisterId source = i->operands[k].reg;
                    const bool narrow = ptx::bits(function_.registers[source].type) == 32;
                    if (narrow && !is_index && !widens(*i)) continue; // how far it is shifted
                    if (narrow) indices[source] = true;
                    follow(source);
                }
            }
        }
        return indices;
    }

    [[nodiscard]] Operand widened(const Operand& x) {
        if (!is_register(x)) return number_operand(static_cast<std::int32_t>(x.integer));
        Operand wide = temporary(Type::b64);
        Instruction& convert = code_.add(Opcode::cvt, Type::s64, {wide, x});
        convert.types[1] = Type::s32;
        convert.type_count = 2;
        return wide;
    }

    void test_overflow(const Instruction& i) {
        if (!is_sum(i) || !is_register(i.operands.at(0)) || !indices_[i.operands[0].reg]) return;
        std::vector<Operand> wide;
        for (std::size_t k = 1; k < i.operands.size(); ++k)
            wide.push_back(i.opcode == Opcode::shl && k == 2 ? i.operands[k] : widened(i.operands[k]));
        Operand exact = temporary(Type::b64);
        Instruction same = i;
        same.types[0] = i.opcode == Opcode::shl ? Type::b64 : Type::s64;
        same.operands = {exact};
        same.operands.insert(same.operands.end(), wide.begin(), wide.end());
        code_.add(std::move(same));
        Operand low = temporary(Type::b32);
        Instruction& cut = code_.add(Opcode::cvt, Type::u32, {low, exact});
        cut.types[1] = Type::u64;
        cut.type_count = 2;
        tell(ArithmeticProblem::overflow, compare(Modifier::ne, Type::s64, exact, widened(low)));
    }

    const ptx::Function& function_;
    const ArithmeticTests tests_;
    AddedCode code_;
    const std::vector<bool> indices_;
};

} // namespace

ChangedFunction add_arithmetic_tests(const ptx::Function& function, ArithmeticTests tests) {
    return ArithmeticTester(function, tests).run();
}

} // namespace warplight::jit
