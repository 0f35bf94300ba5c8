// SPDX-License-Identifier: Apache-2.0
#include "address_keys.hpp"

namespace warplight::ptx {

namespace {

bool is(Operand::Kind kind, const Operand& operand) {
    return operand.kind == kind || (operand.kind == Operand::Kind::address && operand.base_kind == kind);
}

AddressKey key_of_variable(const Operand& variable, std::int64_t offset) {
    const std::uint64_t scope = 1 + static_cast<std::uint64_t>(variable.scope);
    return {scope << 32 | variable.index, offset};
}

} // namespace

bool AddressKeys::is_known(const Operand& address) {
    return is(Operand::Kind::reg, address) || is(Operand::Kind::variable, address);
}

AddressKey AddressKeys::of(const Operand& address) const {
    std::int64_t offset = address.kind == Operand::Kind::reg ? 0 : address.integer;
    if (is(Operand::Kind::variable, address)) return key_of_variable(address, offset);
    RegisterId base = address.reg;
    constexpr int kMostSteps = 16;
    for (int step = 0; step < kMostSteps && writers_[base].size() == 1; ++step) {
        const Instruction& i = function_.instructions[writers_[base].front()];
        const bool copies = i.opcode == Opcode::mov || i.opcode == Opcode::cvta;
        const bool adds =
            i.opcode == Opcode::add && i.operands.size() == 3 && i.operands[2].kind == Operand::Kind::integer;
        if (i.guarded || (!copies && !adds)) break;
        const Operand& from = i.operands.at(1);
        if (copies && from.kind == Operand::Kind::variable) return key_of_variable(from, offset + from.integer);
        if (from.kind != Operand::Kind::reg) break;
        base = from.reg;
        if (adds) offset += i.operands[2].integer;
    }
    return {base, offset};
}

} // namespace warplight::ptx
