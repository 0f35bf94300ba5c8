// SPDX-License-Identifier: Apache-2.0
// mov, conversions between address spaces, and tests which space an address is in.
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Space;

namespace {

/// The operand as an address in its own space, of 64 bits.
Value* address_value(Emitter& e, const ptx::Operand& operand) { return e.read(operand, ptx::Type::b64); }

void emit_cvta(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* address = address_value(e, i.operands.at(1));
    Value* window = nullptr;
    if (is_shared(i.space)) window = e.splat(b.CreatePtrToInt(e.place.shared_origin(), b.getInt64Ty()));
    if (i.has(Modifier::to)) {
        if (window) address = b.CreateSub(address, window);
    } else if (window) {
        address = b.CreateAdd(window, b.CreateAnd(address, e.integer(64, 0xffffffffu)));
    }
    const ptx::Type type = i.type();
    e.write(i.operands[0], type, b.CreateTrunc(address, e.type_of(type)));
}

Value* within(Emitter& e, Value* address, Value* from, Value* size) {
    return e.b.CreateICmpULT(e.b.CreateSub(address, from), size);
}

Value* in_shared(Emitter& e, Value* address) {
    auto& b = e.b;
    const auto size = [&](std::size_t offset) {
        return b.CreateZExt(e.load_field(e.place.launch(), offset, b.getInt32Ty(), 0, "bytes"), b.getInt64Ty());
    };
    Value* bytes = b.CreateAdd(size(offsetof(software::LaunchContext, static_shared)),
                               size(offsetof(software::LaunchContext, dynamic_shared)));
    return within(e, address, b.CreatePtrToInt(e.place.shared_base(), b.getInt64Ty()), bytes);
}

/// In the shared memory of some block of the cluster.
Value* in_cluster(Emitter& e, Value* address) {
    auto& b = e.b;
    if (!e.unit.analysis.knows_clusters) return in_shared(e, address);
    // As on a GPU it does not matter which block's memory it is.
    constexpr std::uint64_t windows = std::uint64_t{software::kMostClusterBlocks} << software::kClusterStrideBits;
    return within(e, address, b.CreatePtrToInt(e.place.shared_origin(), b.getInt64Ty()), b.getInt64(windows));
}

/// Local memory lies in a range of its own.
Value* in_local(Emitter& e, Value* address) {
    const auto field = [&](std::size_t offset) {
        return e.load_field(e.place.launch(), offset, e.b.getInt64Ty(), 0, "local");
    };
    return within(e, address, field(offsetof(software::LaunchContext, local_begin)),
                  field(offsetof(software::LaunchContext, local_bytes)));
}

Value* in_constant(Emitter& e, Value* address) {
    auto& b = e.b;
    Value* any = b.getFalse();
    for (const ptx::VariableId id : e.unit.analysis.reachable.variables) {
        const ptx::Variable& v = e.module.variables[id];
        if (v.space != Space::constant) continue;
        any = b.CreateOr(any,
                         within(e, address, b.CreatePtrToInt(e.unit.variable(id), b.getInt64Ty()), b.getInt64(v.size)));
    }
    return any;
}

void emit_isspacep(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* address = address_value(e, i.operands.at(1));
    Value* answer = nullptr;
    switch (i.space) {
    case Space::shared: answer = in_shared(e, address); break;
    case Space::shared_cluster: answer = in_cluster(e, address); break;
    case Space::local: answer = in_local(e, address); break;
    case Space::constant: answer = in_constant(e, address); break;
    case Space::param:
        answer = within(e, address, b.CreatePtrToInt(e.place.parameters_base(), b.getInt64Ty()),
                        b.getInt64(e.unit.kernel_parameters.size));
        break;
    case Space::global: {
        Value* elsewhere =
            b.CreateOr(b.CreateOr(in_cluster(e, address), in_local(e, address)), in_constant(e, address));
        answer = b.CreateAnd(b.CreateNot(elsewhere), b.CreateICmpNE(address, b.getInt64(0)));
        break;
    }
    default: e.unsupported_form(i);
    }
    e.write(i.operands[0], ptx::Type::pred, answer);
}

/// The address in the block of a rank that corresponds to an address of this block. A generic address stays generic.
void emit_mapa(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    constexpr unsigned bits = software::kClusterStrideBits;
    Value* address = address_value(e, i.operands.at(1));
    Value* rank = b.CreateShl(b.CreateZExt(e.read(i.operands.at(2), ptx::Type::b32), b.getInt64Ty()), bits);
    Value* origin =
        i.space == Space::generic ? b.CreatePtrToInt(e.place.shared_origin(), b.getInt64Ty()) : b.getInt64(0);
    Value* offset = b.CreateAnd(b.CreateSub(address, origin), (1u << bits) - 1);
    Value* mapped = b.CreateAdd(b.CreateAdd(origin, rank), offset);
    e.write(i.operands[0], i.type(), b.CreateTrunc(mapped, e.type_of(i.type())));
}

void emit_getctarank(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* address = address_value(e, i.operands.at(1));
    if (i.space == Space::generic)
        address = b.CreateSub(address, b.CreatePtrToInt(e.place.shared_origin(), b.getInt64Ty()));
    address = b.CreateTrunc(address, b.getInt32Ty());
    e.write(i.operands[0], ptx::Type::u32, b.CreateLShr(address, software::kClusterStrideBits));
}

void emit_mov(Emitter& e, const ptx::Instruction& i) {
    using Kind = ptx::Operand::Kind;
    const ptx::Operand& from = i.operands.at(1);
    const ptx::Operand& to = i.operands[0];
    if (from.kind == Kind::special && from.special >= ptx::SpecialRegister::tid_x &&
        from.special <= ptx::SpecialRegister::tid_z && to.kind == Kind::vector)
        e.unsupported_form(i, "vectors of special registers");
    e.write(to, i.type(), e.read(from, i.type()));
}

} // namespace

bool emit_move(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::mov: emit_mov(e, i); return true;
    case ptx::Opcode::cvta: emit_cvta(e, i); return true;
    case ptx::Opcode::isspacep: emit_isspacep(e, i); return true;
    case ptx::Opcode::mapa: emit_mapa(e, i); return true;
    case ptx::Opcode::getctarank: emit_getctarank(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
