// SPDX-License-Identifier: Apache-2.0
#include "tile_parts.hpp"

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;
using ptx::Type;
using Kind = Operand::Kind;

namespace {

bool in_shared(const Instruction& i) { return i.space == Space::shared || i.space == Space::shared_cluster; }

} // namespace

bool moves_tile(const Instruction& i) { return i.opcode == Opcode::wmma && !i.has(Modifier::mma); }

Operand address_operand(const Operand& base) {
    Operand address;
    address.kind = Kind::address;
    address.base_kind = Kind::reg;
    address.reg = base.reg;
    return address;
}

Operand lane_number(AddedCode& code) {
    Operand lane = code.temporary(Type::b32), special;
    special.kind = Kind::special;
    special.special = ptx::SpecialRegister::laneid;
    code.add(Opcode::mov, Type::u32, {lane, special});
    return lane;
}

Operand address_in_register(AddedCode& code, const Instruction& i, const Operand& address) {
    const Type type = in_shared(i) ? Type::u32 : Type::u64;
    Operand to = code.temporary(untyped(ptx::bits(type)));
    Operand from = address;
    from.kind = address.base_kind;
    if (from.kind == Kind::variable) {
        code.add(Opcode::mov, type, {to, from});
        return to;
    }
    if (from.kind != Kind::reg) {
        code.add(Opcode::mov, type, {to, number_operand(address.integer)});
        return to;
    }
    from.integer = 0;
    const unsigned have = code.bits_of(address.reg);
    if (have != ptx::bits(type)) {
        Instruction& same = code.add(Opcode::cvt, type, {to, from});
        same.types[1] = have == 32 ? Type::u32 : Type::u64;
        same.type_count = 2;
        from = to;
    }
    code.add(Opcode::add, type, {to, from, number_operand(address.integer)});
    return to;
}

TileAddress tile_address(AddedCode& code, const Instruction& i) {
    const Operand base = address_in_register(code, i, i.operands.at(i.has(Modifier::load) ? 1 : 0));
    const Operand stride = code.temporary(Type::b32);
    const std::int64_t usual = ptx::MatrixTile(i).length;
    code.add(Opcode::mov, Type::b32, {stride, i.operands.size() > 2 ? i.operands[2] : number_operand(usual)});
    return {base, stride};
}

Operand part_address(AddedCode& code, const Instruction& i, const TileAddress& tile) {
    const ptx::MatrixTile shape(i);
    const std::int64_t lanes_of_line = shape.lanes_of_line();
    const Operand lane = lane_number(code), line = code.temporary(Type::b32), part = code.temporary(Type::b32);
    code.add(Opcode::div, Type::u32, {line, lane, number_operand(lanes_of_line)});
    code.add(Opcode::rem, Type::u32, {part, lane, number_operand(lanes_of_line)});
    const Operand bytes = code.temporary(Type::b64), within = code.temporary(Type::b64);
    set(code.add(Opcode::mul, Type::u32, {bytes, line, tile.stride}), Modifier::wide);
    set(code.add(Opcode::mul, Type::u64, {bytes, bytes, number_operand(shape.bits)}), Modifier::lo);
    code.add(Opcode::shr, Type::u64, {bytes, bytes, number_operand(3)});
    set(code.add(Opcode::mul, Type::u32, {within, part, number_operand(shape.part_bytes())}), Modifier::wide);
    code.add(Opcode::add, Type::u64, {bytes, bytes, within});
    const Type type = in_shared(i) ? Type::u32 : Type::u64;
    Operand offset = bytes;
    if (type == Type::u32) {
        offset = code.temporary(Type::b32);
        Instruction& narrow = code.add(Opcode::cvt, Type::u32, {offset, bytes});
        narrow.types[1] = Type::u64;
        narrow.type_count = 2;
    }
    const Operand address = code.temporary(untyped(ptx::bits(type)));
    code.add(Opcode::add, type, {address, tile.base, offset});
    return address;
}

} // namespace warplight::jit
