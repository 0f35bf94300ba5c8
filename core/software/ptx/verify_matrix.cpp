// SPDX-License-Identifier: Apache-2.0
// The forms of matrix instructions of a warp. Which shapes go with which types is a table; how many registers an
// operand has follows from both.
#include "matrix.hpp"
#include "verify.hpp"

#include <algorithm>
#include <initializer_list>

namespace warplight::ptx {
namespace {

using Kind = Operand::Kind;
using Problem = std::optional<std::string>;

/// The kinds of elements of A and B.
enum class Family : std::uint8_t { none, f16, bf16, tf32, f64, byte, nibble, bit, float8 };

Family family_of(Type type) {
    switch (type) {
    case Type::f16: return Family::f16;
    case Type::bf16: return Family::bf16;
    case Type::tf32: return Family::tf32;
    case Type::f64: return Family::f64;
    case Type::s8:
    case Type::u8: return Family::byte;
    case Type::s4:
    case Type::u4: return Family::nibble;
    case Type::b1: return Family::bit;
    case Type::e4m3:
    case Type::e5m2: return Family::float8;
    default: return Family::none;
    }
}

struct Row {
    Modifier shape;
    Family family;
    unsigned target; ///< at least
};
constexpr Row kMma[] = {
    {Modifier::m8n8k4, Family::f16, 70},      {Modifier::m16n8k8, Family::f16, 75},
    {Modifier::m16n8k16, Family::f16, 80},    {Modifier::m16n8k8, Family::bf16, 80},
    {Modifier::m16n8k16, Family::bf16, 80},   {Modifier::m16n8k4, Family::tf32, 80},
    {Modifier::m16n8k8, Family::tf32, 80},    {Modifier::m8n8k4, Family::f64, 80},
    {Modifier::m16n8k4, Family::f64, 90},     {Modifier::m16n8k8, Family::f64, 90},
    {Modifier::m16n8k16, Family::f64, 90},    {Modifier::m8n8k16, Family::byte, 75},
    {Modifier::m16n8k16, Family::byte, 80},   {Modifier::m16n8k32, Family::byte, 80},
    {Modifier::m8n8k32, Family::nibble, 75},  {Modifier::m16n8k32, Family::nibble, 80},
    {Modifier::m16n8k64, Family::nibble, 80}, {Modifier::m8n8k128, Family::bit, 75},
    {Modifier::m16n8k128, Family::bit, 80},   {Modifier::m16n8k256, Family::bit, 80},
    {Modifier::m16n8k16, Family::float8, 89}, {Modifier::m16n8k32, Family::float8, 89},
};
constexpr Row kSparse[] = {
    {Modifier::m16n8k16, Family::f16, 80},    {Modifier::m16n8k32, Family::f16, 80},
    {Modifier::m16n8k16, Family::bf16, 80},   {Modifier::m16n8k32, Family::bf16, 80},
    {Modifier::m16n8k8, Family::tf32, 80},    {Modifier::m16n8k16, Family::tf32, 80},
    {Modifier::m16n8k32, Family::byte, 80},   {Modifier::m16n8k64, Family::byte, 80},
    {Modifier::m16n8k64, Family::nibble, 80}, {Modifier::m16n8k128, Family::nibble, 80},
    {Modifier::m16n8k64, Family::float8, 89},
};
constexpr Row kWmma[] = {
    {Modifier::m16n16k16, Family::f16, 70},  {Modifier::m8n32k16, Family::f16, 70},
    {Modifier::m32n8k16, Family::f16, 70},   {Modifier::m16n16k16, Family::bf16, 80},
    {Modifier::m8n32k16, Family::bf16, 80},  {Modifier::m32n8k16, Family::bf16, 80},
    {Modifier::m16n16k8, Family::tf32, 80},  {Modifier::m8n8k4, Family::f64, 80},
    {Modifier::m16n16k16, Family::byte, 72}, {Modifier::m8n32k16, Family::byte, 72},
    {Modifier::m32n8k16, Family::byte, 72},  {Modifier::m8n8k32, Family::nibble, 75},
    {Modifier::m8n8k128, Family::bit, 75},
};

class MatrixCheck {
public:
    MatrixCheck(const Module& module, const Function& function, const Instruction& instruction)
        : module_(module), function_(function), i_(instruction) {}

    [[nodiscard]] Problem run() {
        // Not known here, but no mistake: the compiler refuses them.
        for (const Modifier m : {Modifier::block_scale, Modifier::m16n16, Modifier::m8n16, Modifier::m16n8})
            if (i_.has(m)) return std::nullopt;
        if (!take(Modifier::sync)) return "needs .sync";
        if (!take(Modifier::aligned)) return "needs .aligned";
        switch (i_.opcode) {
        case Opcode::ldmatrix: return rows(75);
        case Opcode::stmatrix: return rows(90);
        case Opcode::movmatrix: return transposition();
        case Opcode::mma:
            return count({Modifier::sp, Modifier::sp_ordered_metadata}) ? product(kSparse) : product(kMma);
        default: break;
        }
        if (take(Modifier::mma)) return product(kWmma);
        return take(Modifier::load) ? move(true) : take(Modifier::store) ? move(false) : "needs .load, .mma or .store";
    }

private:
    bool take(Modifier m) {
        known_.set(static_cast<std::size_t>(m));
        return i_.has(m);
    }
    /// Their number.
    std::size_t count(std::initializer_list<Modifier> group) {
        std::size_t found = 0;
        for (const Modifier m : group)
            found += take(m) ? 1 : 0;
        return found;
    }
    [[nodiscard]] Problem nothing_else() const {
        const ModifierSet foreign = i_.modifiers & ~known_;
        for (std::size_t k = 0; k < foreign.size(); ++k)
            if (foreign.test(k))
                return "modifier '." + std::string(spelling(static_cast<Modifier>(k))) + "' is not allowed here";
        return std::nullopt;
    }
    [[nodiscard]] Problem target(unsigned least) const {
        if (module_.target >= least) return std::nullopt;
        return "needs .target sm_" + std::to_string(least) + " or higher";
    }
    static std::string position(std::size_t index) { return "operand " + std::to_string(index + 1); }

    /// Of one matrix: so many registers, of that type.
    [[nodiscard]] Problem fragment(std::size_t index, unsigned registers, Type type, bool written) const {
        const Operand& o = i_.operands[index];
        if (o.kind != Kind::vector || o.elements.size() != registers)
            return position(index) + " must be a vector of " + std::to_string(registers) +
                   (registers == 1 ? " register" : " registers");
        const bool wide = type == Type::f64;
        for (const Operand& element : o.elements) {
            if (written && element.kind == Kind::none) continue;
            if (!written && (element.kind == Kind::integer || element.kind == Kind::floating)) continue;
            if (element.kind != Kind::reg || element.negated) return position(index) + " must be made of registers";
            const Register& r = function_.registers[element.reg];
            const bool floating = r.type == Type::f32 || r.type == Type::f64;
            const bool fits = r.type != Type::pred && bits(r.type) == (wide ? 64 : 32) &&
                              (!floating || type == Type::f32 || wide || i_.opcode != Opcode::mma);
            if (!fits)
                return "type mismatch: " + position(index) + " has '" + r.name + "', which is ." +
                       std::string(spelling(r.type)) + ", needs ." +
                       std::string(wide || type == Type::f32 ? spelling(type) : "b32");
        }
        return std::nullopt;
    }

    // --- products

    /// The row of a shape and family, once the shape is known to be one.
    template <std::size_t n>
    [[nodiscard]] const Row* row_of(const Row (&table)[n], Family family) {
        const Row* found = nullptr;
        for (const Row& row : table) {
            if (!take(row.shape)) continue;
            if (row.family == family || !found) found = &row;
        }
        return found;
    }

    template <std::size_t n>
    [[nodiscard]] Problem product(const Row (&table)[n]) {
        const bool wmma = i_.opcode == Opcode::wmma;
        const std::optional<MatrixForm> form = matrix_form(i_);
        std::size_t shapes = 0;
        for (std::size_t k = 0; k < n; ++k)
            if (std::none_of(table, table + k, [&](const Row& r) { return r.shape == table[k].shape; }))
                shapes += take(table[k].shape) ? 1 : 0;
        if (shapes != 1) return shapes == 0 ? "needs a shape that it has" : "more than one shape";
        if (!form) return "unexpected types";
        const Family family = family_of(form->a);
        const Row* row = row_of(table, family);
        if (family == Family::none || family_of(form->b) != family || (wmma && form->a != form->b) ||
            (i_.type_count == 2 && family != Family::f16) || (wmma && i_.type_count == 4 && family == Family::f16))
            return "unexpected types";
        if (row->family != family)
            return "shape '." + std::string(spelling(row->shape)) + "' does not go with ." +
                   std::string(spelling(form->a));
        if (auto wrong = accumulators(*form, wmma)) return wrong;
        if (auto wrong = layouts(*form, wmma, family)) return wrong;
        unsigned least = row->target;
        const bool integer = family == Family::byte || family == Family::nibble;
        if (integer) (void)take(Modifier::satfinite);
        if (family == Family::f64 && count({Modifier::rn, Modifier::rz, Modifier::rm, Modifier::rp}) > 1)
            return "more than one rounding";
        if (family == Family::bit) {
            if (!take(Modifier::popc) || count({Modifier::xor_, Modifier::and_}) != 1)
                return "needs .xor.popc or .and.popc";
            if (i_.has(Modifier::and_)) least = 80;
        }
        if (auto wrong = nothing_else()) return wrong;
        if (i_.space != Space::generic) return "a state space is not allowed here";
        if (auto wrong = target(least)) return wrong;
        const std::size_t operands = form->sparse ? 6 : 4;
        if (i_.operands.size() != operands)
            return "wrong number of operands: " + std::to_string(i_.operands.size()) + " given, " +
                   std::to_string(operands) + " needed";
        if (form->sparse)
            if (auto wrong = sparsity(*form)) return wrong;
        constexpr MatrixPart kParts[] = {MatrixPart::d, MatrixPart::a, MatrixPart::b, MatrixPart::c};
        for (std::size_t k = 0; k < 4; ++k)
            if (auto wrong = fragment(k, matrix_registers(*form, kParts[k]), form->type_of(kParts[k]),
                                      kParts[k] == MatrixPart::d))
                return wrong;
        return std::nullopt;
    }

    /// The register that says which elements of A are there, and who has it.
    [[nodiscard]] Problem sparsity(const MatrixForm& form) const {
        const Operand& metadata = i_.operands[4];
        if (metadata.kind != Kind::reg || metadata.negated || bits(function_.registers[metadata.reg].type) != 32)
            return "operand 5 must be a 32-bit register";
        const unsigned most = 16 / (form.k / MatrixSparsity(form.a).group);
        const Operand& selector = i_.operands[5];
        if (selector.kind != Kind::integer || selector.integer < 0 || selector.integer >= most)
            return "operand 6 must be a constant below " + std::to_string(most);
        return std::nullopt;
    }

    static Problem accumulators(const MatrixForm& form, bool wmma) {
        const auto wrong = [](const char* what) { return std::string("the types of C and D must be ") + what; };
        switch (family_of(form.a)) {
        case Family::f16: {
            const auto good = [](Type t) { return t == Type::f16 || t == Type::f32; };
            if (!good(form.c) || !good(form.d)) return wrong(".f16 or .f32");
            if (wmma || form.c == form.d) return std::nullopt;
            if (form.is_of_quads() && form.d == Type::f32) return std::nullopt;
            return ".dtype must be that of .ctype for this shape";
        }
        case Family::float8: {
            const bool half = form.c == Type::f16 && form.d == Type::f16 && !form.sparse;
            const bool single = form.c == Type::f32 && form.d == Type::f32;
            return half || single ? Problem() : Problem(wrong(form.sparse ? ".f32" : ".f16, or both .f32"));
        }
        case Family::bf16:
        case Family::tf32: return form.c == Type::f32 && form.d == Type::f32 ? Problem() : Problem(wrong(".f32"));
        case Family::f64: return form.c == Type::f64 && form.d == Type::f64 ? Problem() : Problem(wrong(".f64"));
        default: return form.c == Type::s32 && form.d == Type::s32 ? Problem() : Problem(wrong(".s32"));
        }
    }

    [[nodiscard]] Problem layouts(const MatrixForm& form, bool wmma, Family family) {
        (void)take(Modifier::row);
        (void)take(Modifier::col);
        if (i_.layouts != 2) return "needs two layouts";
        const bool free = wmma ? family != Family::nibble && family != Family::bit : form.is_of_quads();
        if (!free && (form.a_by_columns || !form.b_by_columns)) return "needs .row.col";
        return std::nullopt;
    }

    // --- wmma.load, wmma.store

    [[nodiscard]] Problem move(bool load) {
        if (load ? count({Modifier::a, Modifier::b, Modifier::c}) != 1 : !take(Modifier::d))
            return load ? "needs .a, .b or .c" : "needs .d";
        if (count({Modifier::row, Modifier::col}) != 1) return "needs .row or .col";
        std::size_t shapes = 0;
        for (const Modifier m : {Modifier::m16n16k16, Modifier::m8n32k16, Modifier::m32n8k16, Modifier::m16n16k8,
                                 Modifier::m8n8k4, Modifier::m8n8k32, Modifier::m8n8k128})
            shapes += take(m) ? 1 : 0;
        if (shapes != 1) return shapes == 0 ? "needs a shape that it has" : "more than one shape";
        if (auto wrong = nothing_else()) return wrong;
        const std::optional<MatrixForm> form = matrix_form(i_);
        if (!form) return "unexpected types";
        const MatrixPart part = matrix_part(i_);
        const Type type = i_.types[0];
        const Row* row = nullptr;
        for (const Row& candidate : kWmma)
            if (i_.has(candidate.shape) && moves(candidate.family, part, type)) row = row ? row : &candidate;
        if (!row) return "the shape does not go with ." + std::string(spelling(type));
        if ((row->family == Family::nibble || row->family == Family::bit) &&
            ((part == MatrixPart::a && i_.has(Modifier::col)) || (part == MatrixPart::b && i_.has(Modifier::row))))
            return part == MatrixPart::a ? "needs .row" : "needs .col";
        if (auto wrong = target(row->target)) return wrong;
        if (i_.space != Space::generic && i_.space != Space::global && i_.space != Space::shared &&
            i_.space != Space::shared_cluster)
            return "the state space must be .global or .shared";
        const std::size_t given = i_.operands.size();
        if (given < 2 || given > 3)
            return "wrong number of operands: " + std::to_string(given) + " given, 2 to 3 needed";
        const std::size_t address = load ? 1 : 0, registers = load ? 0 : 1;
        if (i_.operands[address].kind != Kind::address) return position(address) + " must be an address";
        if (given == 3)
            if (auto wrong = stride(i_.operands[2])) return wrong;
        return fragment(registers, matrix_registers(*form, part), type, load);
    }

    /// Whether a matrix of products of that family may have elements of a type.
    static bool moves(Family family, MatrixPart part, Type type) {
        if (part == MatrixPart::a || part == MatrixPart::b) return family_of(type) == family;
        switch (family) {
        case Family::f16: return type == Type::f16 || type == Type::f32;
        case Family::bf16:
        case Family::tf32: return type == Type::f32;
        case Family::f64: return type == Type::f64;
        default: return type == Type::s32;
        }
    }

    [[nodiscard]] Problem stride(const Operand& o) const {
        if (o.kind == Kind::integer) return std::nullopt;
        const bool good = o.kind == Kind::reg && !o.negated && bits(function_.registers[o.reg].type) == 32 &&
                          function_.registers[o.reg].type != Type::f32;
        return good ? Problem() : Problem("operand 3 must be a 32-bit integer");
    }

    // --- ldmatrix, stmatrix, movmatrix

    [[nodiscard]] Problem rows(unsigned least) {
        const bool load = i_.opcode == Opcode::ldmatrix;
        if (!take(Modifier::m8n8)) return "needs a shape that it has";
        if (count({Modifier::x1, Modifier::x2, Modifier::x4}) != 1) return "needs .x1, .x2 or .x4";
        (void)take(Modifier::trans);
        if (auto wrong = nothing_else()) return wrong;
        if (i_.type_count != 1 || i_.types[0] != Type::b16) return "the type must be .b16";
        if (auto wrong = target(least)) return wrong;
        if (i_.space != Space::generic && i_.space != Space::shared && i_.space != Space::shared_cluster)
            return "the state space must be .shared";
        if (i_.operands.size() != 2)
            return "wrong number of operands: " + std::to_string(i_.operands.size()) + " given, 2 needed";
        const std::size_t address = load ? 1 : 0;
        if (i_.operands[address].kind != Kind::address) return position(address) + " must be an address";
        const unsigned matrices = i_.has(Modifier::x1) ? 1 : i_.has(Modifier::x2) ? 2 : 4;
        return fragment(1 - address, matrices, Type::b32, load);
    }

    [[nodiscard]] Problem transposition() {
        if (!take(Modifier::m8n8)) return "needs a shape that it has";
        if (!take(Modifier::trans)) return "needs .trans";
        if (auto wrong = nothing_else()) return wrong;
        if (i_.type_count != 1 || i_.types[0] != Type::b16) return "the type must be .b16";
        if (auto wrong = target(75)) return wrong;
        if (i_.space != Space::generic) return "a state space is not allowed here";
        if (i_.operands.size() != 2)
            return "wrong number of operands: " + std::to_string(i_.operands.size()) + " given, 2 needed";
        for (std::size_t k = 0; k < 2; ++k) {
            const Operand& o = i_.operands[k];
            if (o.kind != Kind::reg || o.negated || bits(function_.registers[o.reg].type) != 32)
                return position(k) + " must be a 32-bit register";
        }
        return std::nullopt;
    }

    const Module& module_;
    const Function& function_;
    const Instruction& i_;
    ModifierSet known_;
};

} // namespace

std::optional<std::string> verify_matrix(const Module& module, const Function& function,
                                         const Instruction& instruction) {
    return MatrixCheck(module, function, instruction).run();
}

} // namespace warplight::ptx
