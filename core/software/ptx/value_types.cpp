// SPDX-License-Identifier: Apache-2.0
#include "value_types.hpp"

#include "effects.hpp"

#include <algorithm>
#include <vector>

namespace warplight::ptx {
namespace {

bool tells_bits_only(Type type) {
    switch (type) {
    case Type::b8:
    case Type::b16:
    case Type::b32:
    case Type::b64:
    case Type::b128: return true;
    default: return false;
    }
}

} // namespace

Type type_in_memory(const Function& function, std::uint32_t instruction) {
    if (instruction >= function.instructions.size()) return Type::none;
    const Instruction& access = function.instructions[instruction];
    const Type said = access.type();
    if (access.type_count == 0 || !tells_bits_only(said)) return said;

    std::vector<RegisterId> values;
    for (const Operand& x : access.operands)
        if (x.kind == Operand::Kind::reg || x.kind == Operand::Kind::vector)
            each_register(x, [&](RegisterId r) { values.push_back(r); });
    const auto is_value = [&](const Operand& x) {
        return x.kind == Operand::Kind::reg && std::find(values.begin(), values.end(), x.reg) != values.end();
    };
    Type told = Type::none;
    bool is_contradicted = false;
    const auto take = [&](Type type) {
        if (type == Type::none || tells_bits_only(type) || bits(type) != bits(said)) return;
        // Nvidia's compilers write .u32 for int, too, and .s32 for unsigned: these say no more than that it is a
        // number.
        is_contradicted |= told != Type::none && is_float(told) != is_float(type);
        told = type;
    };
    for (const RegisterId value : values)
        take(function.registers[value].type);
    for (const Instruction& each : function.instructions) {
        if (each.type_count == 0) continue;
        const Operand* to = destination_of(each);
        if (to && is_value(*to)) take(each.type());
        // cvt.rn.f32.s32 and set.lt.u32.f32 have the type of their sources behind that of the result.
        for (const Operand& x : sources_of(each))
            if (is_value(x)) take(each.types[each.type_count - 1U]);
    }
    return is_contradicted || told == Type::none ? said : told;
}

bool stores_constant(const Function& function, std::uint32_t instruction) {
    if (instruction >= function.instructions.size()) return false;
    const Instruction& store = function.instructions[instruction];
    if (store.opcode != Opcode::st || store.operands.size() < 2) return false;
    bool is_constant = true;
    each_register(store.operands[1], [&](RegisterId value) {
        for (const Instruction& each : function.instructions) {
            bool writes = false;
            each_written(function, each, [&](RegisterId r) { writes |= r == value; });
            const bool is_number = each.opcode == Opcode::mov && each.operands.size() == 2 &&
                                   each.operands[1].kind == Operand::Kind::integer;
            is_constant &= !writes || is_number;
        }
    });
    return is_constant;
}

} // namespace warplight::ptx
