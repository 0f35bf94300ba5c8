// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <algorithm>

namespace warplight::ptx {

namespace {

/// "m16n8k16"
struct Shape {
    std::uint8_t m = 0, n = 0;
    std::uint16_t k = 0;
};
std::optional<Shape> shape_of(const Instruction& i) {
    struct Known {
        Modifier modifier;
        Shape shape;
    };
    static constexpr Known kShapes[] = {
        {Modifier::m8n8k4, {8, 8, 4}},       {Modifier::m8n8k16, {8, 8, 16}},     {Modifier::m8n8k32, {8, 8, 32}},
        {Modifier::m8n8k128, {8, 8, 128}},   {Modifier::m16n8k4, {16, 8, 4}},     {Modifier::m16n8k8, {16, 8, 8}},
        {Modifier::m16n8k16, {16, 8, 16}},   {Modifier::m16n8k32, {16, 8, 32}},   {Modifier::m16n8k64, {16, 8, 64}},
        {Modifier::m16n8k128, {16, 8, 128}}, {Modifier::m16n8k256, {16, 8, 256}}, {Modifier::m16n16k8, {16, 16, 8}},
        {Modifier::m16n16k16, {16, 16, 16}}, {Modifier::m8n32k16, {8, 32, 16}},   {Modifier::m32n8k16, {32, 8, 16}},
    };
    std::optional<Shape> found;
    for (const Known& known : kShapes) {
        if (!i.has(known.modifier)) continue;
        if (found) return std::nullopt;
        found = known.shape;
    }
    return found;
}

/// The problem that has B's columns for A's rows.
MatrixForm turned(const MatrixForm& form) {
    MatrixForm other = form;
    std::swap(other.m, other.n);
    std::swap(other.a, other.b);
    return other;
}

MatrixPart turned(MatrixPart part) {
    return part == MatrixPart::a ? MatrixPart::b : part == MatrixPart::b ? MatrixPart::a : part;
}

/// m8n8k4 of half floats, by the lanes 4p to 4p + 3 and 4p + 16 to 4p + 19 each.
MatrixPlace place_in_quads(const MatrixForm& form, MatrixPart part, unsigned lane, unsigned reg, unsigned element) {
    const unsigned product = lane % 16 / 4, upper = lane / 16 * 4, within = lane % 4;
    const unsigned i = reg * matrix_elements(form.type_of(part)) + element;
    unsigned row = 0, column = 0;
    switch (part) {
    case MatrixPart::a:
        row = upper + (form.a_by_columns ? i : within);
        column = form.a_by_columns ? within : i;
        break;
    case MatrixPart::b:
        row = form.b_by_columns ? i : within;
        column = upper + (form.b_by_columns ? within : i);
        break;
    default:
        if (form.type_of(part) == Type::f16) {
            row = upper + within;
            column = i;
        } else {
            row = upper + (lane & 1) + (i & 2);
            column = (i & 4) + (lane & 2) + (i & 1);
        }
        break;
    }
    return {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(column), static_cast<std::uint16_t>(product)};
}

} // namespace

Type MatrixForm::type_of(MatrixPart part) const {
    switch (part) {
    case MatrixPart::a: return a;
    case MatrixPart::b: return b;
    case MatrixPart::c: return c;
    default: return d;
    }
}

bool MatrixForm::is_of_quads() const { return !wmma && m == 8 && k == 4 && a == Type::f16; }

std::uint64_t MatrixForm::pack() const {
    std::uint64_t bits = 0;
    unsigned at = 0;
    const auto add = [&](std::uint64_t value, unsigned width) {
        bits |= value << at;
        at += width;
    };
    add(m, 6);
    add(n, 6);
    add(k, 9);
    for (const Type type : {a, b, c, d})
        add(static_cast<std::uint64_t>(type), 6);
    for (const bool flag : {wmma, a_by_columns, b_by_columns, saturate})
        add(flag, 1);
    add(static_cast<std::uint64_t>(operation), 2);
    add(static_cast<std::uint64_t>(rounding), 2);
    add(sparse, 1);
    add(selector, 2);
    return bits;
}

MatrixForm MatrixForm::unpack(std::uint64_t bits) {
    const auto take = [&](unsigned width) {
        const std::uint64_t value = bits & ((std::uint64_t{1} << width) - 1);
        bits >>= width;
        return value;
    };
    MatrixForm form;
    form.m = static_cast<std::uint8_t>(take(6));
    form.n = static_cast<std::uint8_t>(take(6));
    form.k = static_cast<std::uint16_t>(take(9));
    for (Type* type : {&form.a, &form.b, &form.c, &form.d})
        *type = static_cast<Type>(take(6));
    for (bool* flag : {&form.wmma, &form.a_by_columns, &form.b_by_columns, &form.saturate})
        *flag = take(1) != 0;
    form.operation = static_cast<MatrixOperation>(take(2));
    form.rounding = static_cast<MatrixRounding>(take(2));
    form.sparse = take(1) != 0;
    form.selector = static_cast<std::uint8_t>(take(2));
    return form;
}

MatrixPart matrix_part(const Instruction& i) {
    if (i.has(Modifier::a)) return MatrixPart::a;
    if (i.has(Modifier::b)) return MatrixPart::b;
    return i.has(Modifier::c) ? MatrixPart::c : MatrixPart::d;
}

std::optional<MatrixForm> matrix_form(const Instruction& i) {
    const std::optional<Shape> shape = shape_of(i);
    if (!shape) return std::nullopt;
    MatrixForm form;
    form.m = shape->m;
    form.n = shape->n;
    form.k = shape->k;
    form.wmma = i.opcode == Opcode::wmma;
    if (form.wmma && !i.has(Modifier::mma)) {
        if (i.type_count != 1) return std::nullopt;
        switch (matrix_part(i)) {
        case MatrixPart::a: form.a = i.types[0]; break;
        case MatrixPart::b: form.b = i.types[0]; break;
        case MatrixPart::c: form.c = i.types[0]; break;
        case MatrixPart::d: form.d = i.types[0]; break;
        }
        form.a_by_columns = form.b_by_columns = i.has(Modifier::col);
        return form;
    }
    if (i.type_count == 2 && form.wmma) {
        form.d = i.types[0];
        form.a = form.b = Type::f16;
        form.c = i.types[1];
    } else if (i.type_count == 4) {
        form.d = i.types[0];
        form.a = i.types[1];
        form.b = i.types[2];
        form.c = i.types[3];
    } else {
        return std::nullopt;
    }
    form.a_by_columns = (i.column_layouts & 1) != 0;
    form.b_by_columns = (i.column_layouts & 2) != 0;
    form.saturate = i.has(Modifier::satfinite);
    form.sparse = i.has(Modifier::sp) || i.has(Modifier::sp_ordered_metadata);
    if (form.sparse && i.operands.size() == 6) form.selector = static_cast<std::uint8_t>(i.operands[5].integer & 3);
    if (i.has(Modifier::popc))
        form.operation = i.has(Modifier::xor_) ? MatrixOperation::xor_and_count : MatrixOperation::and_and_count;
    form.rounding = i.has(Modifier::rz)   ? MatrixRounding::zero
                    : i.has(Modifier::rm) ? MatrixRounding::down
                    : i.has(Modifier::rp) ? MatrixRounding::up
                                          : MatrixRounding::nearest;
    return form;
}

MatrixTile::MatrixTile(const Instruction& i) : lines(0), length(0), bits(ptx::bits(i.type())) {
    const MatrixForm form = matrix_form(i).value();
    const MatrixPart part = matrix_part(i);
    const unsigned rows = matrix_rows(form, part), columns = matrix_columns(form, part);
    const bool by_columns = i.has(Modifier::col);
    lines = by_columns ? columns : rows;
    length = by_columns ? rows : columns;
}

unsigned matrix_rows(const MatrixForm& form, MatrixPart part) { return part == MatrixPart::b ? form.k : form.m; }

unsigned matrix_columns(const MatrixForm& form, MatrixPart part) {
    if (part == MatrixPart::a) return form.sparse ? form.k / 2U : form.k;
    return form.n;
}

MatrixSparsity::MatrixSparsity(Type type)
    : group(type == Type::tf32 ? 2
            : bits(type) == 4  ? 8
                               : 4),
      unit(bits(type) == 4 ? 2 : 1), chosen(type == Type::tf32 ? 1 : 2) {}

MatrixSparsity::Place MatrixSparsity::place(const MatrixForm& form, unsigned row, unsigned number) const {
    const unsigned lanes = form.k / group / 4; // of each four
    const unsigned first = row % 8 * 4 + form.selector * lanes;
    // A lane has 16 bits of each of two rows, or of elements of no more than a byte 32 of one.
    if (bits(form.a) <= 8) return {first + number / 8 * 2 + row / 8, number % 8 * 4};
    return {first + number / 4, row / 8 * 16 + number % 4 * 4};
}

unsigned MatrixSparsity::index(unsigned bits, unsigned run) const {
    return chosen == 1 ? (bits & 3) / 2 : (bits >> 2 * run & 3) * unit;
}

unsigned matrix_elements(Type type) { return std::max(1U, 32 / std::max(1U, bits(type))); }

unsigned matrix_registers(const MatrixForm& form, MatrixPart part) {
    const Type type = form.type_of(part);
    const bool factor = part == MatrixPart::a || part == MatrixPart::b;
    // Fragments of half floats lie as in the first tensor cores.
    if (factor && form.wmma && type == Type::f16) return 8;
    if (form.is_of_quads()) return factor || type == Type::f16 ? (factor ? 2 : 4) : 8;
    return matrix_rows(form, part) * matrix_columns(form, part) / 32 / matrix_elements(type);
}

MatrixPlace matrix_place(const MatrixForm& form, MatrixPart part, unsigned lane, unsigned reg, unsigned element) {
    if (form.is_of_quads()) return place_in_quads(form, part, lane, reg, element);
    if (form.n == 32) {
        const MatrixPlace p = matrix_place(turned(form), turned(part), lane, reg, element);
        return {p.column, p.row, 0};
    }
    // Blocks of 16 or 8 rows and 8 columns, in which four lanes share a row of A and a column of B.
    const unsigned group = lane / 4, within = lane % 4;
    const unsigned halves = form.m == 8 ? 1 : 2;
    const unsigned elements = matrix_elements(form.type_of(part));
    const auto place = [](unsigned row, unsigned column) {
        return MatrixPlace{static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(column), 0};
    };
    switch (part) {
    case MatrixPart::a: {
        const unsigned registers = halves * matrix_columns(form, MatrixPart::a) / (4 * elements); // of a block
        const unsigned block = reg / registers % std::max(1U, form.m / 16U), rest = reg % registers;
        return place(block * 16 + rest % halves * 8 + group,
                     rest / halves * 4 * elements + within * elements + element);
    }
    case MatrixPart::b: {
        const unsigned registers = form.k / (4 * elements);
        const unsigned block = reg / registers % (form.n / 8U), rest = reg % registers;
        return place(rest * 4 * elements + within * elements + element, block * 8 + group);
    }
    default: {
        const unsigned i = reg * elements + element, block = i / (2 * halves), rest = i % (2 * halves);
        const unsigned down = form.m == 32 ? block : 0, across = form.m == 32 ? 0 : block;
        return place(down * 16 + rest / 2 * 8 + group, across * 8 + within * 2 + rest % 2);
    }
    }
}

} // namespace warplight::ptx
