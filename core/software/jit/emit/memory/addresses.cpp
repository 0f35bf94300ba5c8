// SPDX-License-Identifier: Apache-2.0
#include "addresses.hpp"

#include "software/ptx/opaque.hpp"

#include <cstdlib>

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;
using ptx::Space;
using Kind = Operand::Kind;

namespace {

std::int64_t offset_of(const Operand& address) {
    return address.kind == Kind::address ? static_cast<std::int32_t>(address.integer) : 0;
}

} // namespace

Value* Addresses::pointer(const Operand& address, Space space) {
    Value* memory = pointer_of_memory(address, space);
    if (!to_shadow()) return memory;
    return b_.CreateGEP(b_.getInt8Ty(), b_.CreateAddrSpaceCast(memory, code_.device_pointer()), to_shadow());
}

Value* Addresses::to_shadow() {
    const ptx::Aid aid = code_.function.instructions[code_.instruction()].aid;
    return aid == ptx::Aid::shadow_access || aid == ptx::Aid::shadow_spoil ? place_.shadow_distance() : nullptr;
}

Value* Addresses::pointer_of_memory(const Operand& address, Space space) {
    if (is_by_variable(address)) return advance(b_, variables_.host_address(address), address.integer);
    const bool has_base = address.kind == Kind::reg || address.base_kind == Kind::reg;
    if (!has_base) {
        Value* absolute = b_.getInt64(static_cast<std::uint64_t>(address.integer));
        if (!is_shared(space)) return b_.CreateIntToPtr(absolute, code_.device_pointer());
        return b_.CreateGEP(b_.getInt8Ty(), place_.shared_origin(), b_.CreateAnd(absolute, b_.getInt64(0xffffffffu)));
    }
    if (is_shared(space)) {
        const Shared at = shared_address(address);
        Value* base = b_.CreateGEP(b_.getInt8Ty(), place_.shared_origin(), extend(at.word, at.is_signed));
        return advance(b_, base, at.offset);
    }
    if (ptx::bits(code_.function.registers[address.reg].type) == 32)
        if (Value* found = pointer_of_half(address, space)) return found;
    const std::int64_t offset = address.kind == Kind::reg ? 0 : address.integer;
    return advance(b_, b_.CreateIntToPtr(registers_.read(address.reg, ptx::Type::b64), code_.device_pointer()), offset);
}

/// A 32-bit register holds the low half of an address. The high half is that of any other address in the space.
Value* Addresses::pointer_of_half(const Operand& address, Space space) {
    Value* other = neighbour_in(space);
    if (!other) return nullptr;
    const auto offset = static_cast<std::uint32_t>(address.kind == Kind::reg ? 0 : address.integer);
    Value* half = b_.CreateAdd(registers_.read(address.reg, ptx::Type::b32), code_.types.integer(32, offset));
    Value* from_other = b_.CreateSub(half, b_.CreatePtrToInt(other, b_.getInt32Ty()));
    return b_.CreateGEP(b_.getInt8Ty(), other, extend(from_other, true));
}

/// The address of some variable in the space; null: there is none.
Value* Addresses::neighbour_in(Space space) {
    if (space == Space::constant) {
        for (std::uint32_t k = 0; k < code_.module.variables.size(); ++k)
            if (code_.module.variables[k].space == space && !ptx::is_opaque(code_.module.variables[k].type))
                return code_.unit.variable(k);
        return nullptr;
    }
    if (space != Space::local && space != Space::param) return nullptr;
    for (std::uint32_t k = 0; k < code_.function.variables.size(); ++k)
        if (code_.function.variables[k].space == space) return variables_.memory_of(Operand::Scope::function, k);
    const bool has_parameter = space == Space::param && !code_.function.parameters.empty();
    return has_parameter ? variables_.memory_of(Operand::Scope::parameter, 0) : nullptr;
}

// --- shared memory

bool Addresses::is_far(const Operand& address) { return std::abs(offset_of(address)) >= std::int64_t{1} << 30; }

/// A shared address has 32 bits, and PTX adds register and offset modulo 2^32. The host adds in 64 bits, which differs
/// where the sum wraps. Example: register -8 and offset 16 mean address 8, so the register must be extended by its
/// sign. That is always right with an offset: a block has less than 1 GiB of shared memory.
/// Without a positive offset nothing in the window is reached by wrapping, and extension by zeros does. An address just
/// before the window then is 4 GiB behind it and faults.
/// A register is extended in one way everywhere, so that LLVM sees which of its accesses are neighbours.
Addresses::Shared Addresses::shared_address(const Operand& address) {
    if (signed_bases_.empty()) find_signed_bases();
    Value* word = registers_.read(address.reg, ptx::Type::b32);
    const std::int64_t offset = offset_of(address);
    if (is_far(address))
        return {b_.CreateAdd(word, code_.types.integer(32, static_cast<std::uint32_t>(offset))), 0, false};
    return {word, offset, signed_bases_[address.reg]};
}

void Addresses::find_signed_bases() {
    signed_bases_.resize(code_.function.registers.size());
    for (const ptx::Instruction& i : code_.function.instructions)
        for (const Operand& x : i.operands)
            if (x.kind == Kind::address && x.base_kind == Kind::reg && offset_of(x) > 0) signed_bases_[x.reg] = true;
}

Value* Addresses::extend(Value* word, bool is_signed) {
    llvm::Type* type = word->getType()->getWithNewBitWidth(64);
    return is_signed ? b_.CreateSExt(word, type) : b_.CreateZExt(word, type);
}

} // namespace warplight::jit
