// SPDX-License-Identifier: Apache-2.0
// Affine registers: lane k holds the first lane's value + k * stride. Indices and addresses mostly are, and so their
// arithmetic is done once, for the first lane, instead of on vectors.
//
// A 64-bit register that was widened from a 32-bit index is affine only while no lane's index wraps. Example: with
// x = 2^32 - 2 in the first lane, lane 2 holds 4 * 0 and not 4 * 2^32 after mul.wide.u32. For such a register the first
// lane's index is kept beside its value.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr unsigned kIndexBits = 32;

Value* widen(llvm::IRBuilder<>& b, Value* index, llvm::Type* type, bool is_signed) {
    return is_signed ? b.CreateSExt(index, type) : b.CreateZExt(index, type);
}

/// The first lane's index that an instruction's result is widened from.
Value* index_of_result(Emitter& e, const Instruction& i) {
    const LanePlan& plan = *e.plan;
    for (const Operand& x : ptx::sources_of(i)) {
        if (x.kind == Operand::Kind::reg && plan.is_affine(x.reg) && plan.widening(x.reg))
            return e.registers.index(x.reg);
    }
    const bool widens = i.has(Modifier::wide) || (i.opcode == Opcode::cvt && ptx::bits(i.types[1]) == kIndexBits);
    for (std::size_t k = 1; widens && k < i.operands.size() && k <= 2; ++k)
        if (!plan.uniform(i.operands[k]) && !plan.counts(i.operands[k])) return e.read(i.operands[k], ptx::Type::b32);
    // The sources are affine without an index. Any index that is far from wrapping stands for them.
    return e.b.getInt32(plan.widening(i.operands[0].reg)->is_signed ? 0 : 1U << (kIndexBits - 1));
}

} // namespace

llvm::AllocaInst* Registers::index_slot(ptx::RegisterId r) {
    llvm::AllocaInst*& slot = indices_[r];
    if (!slot) slot = code_.stack_variable(b_.getInt32(0), "index");
    return slot;
}

Value* Registers::index(ptx::RegisterId r) { return b_.CreateLoad(b_.getInt32Ty(), index_slot(r)); }

void Registers::set_index(ptx::RegisterId r, Value* index) { b_.CreateStore(index, index_slot(r)); }

/// The lanes' numbers times a factor: a vector, or the single lane's.
Value* Registers::times_lane(std::int64_t factor, unsigned bits) {
    const LaneState& lanes = code_.lanes;
    if (lanes.width() > 1) {
        llvm::SmallVector<llvm::Constant*> all;
        for (unsigned k = 0; k < lanes.width(); ++k)
            all.push_back(llvm::ConstantInt::get(b_.getIntNTy(bits),
                                                 llvm::APInt(64, static_cast<std::uint64_t>(factor * k)).trunc(bits)));
        return llvm::ConstantVector::get(all);
    }
    Value* lane = lanes.serial_index()
                      ? b_.CreateZExt(lanes.serial_index(), b_.getIntNTy(bits))
                      : llvm::ConstantInt::get(b_.getIntNTy(bits), static_cast<unsigned>(lanes.read_lane()));
    return b_.CreateMul(lane, llvm::ConstantInt::getSigned(b_.getIntNTy(bits), factor));
}

Value* Registers::read_affine(ptx::RegisterId r) {
    const LaneState& lanes = code_.lanes;
    const unsigned bits = ptx::bits(code_.function.registers[r].type);
    const std::int64_t stride = *code_.plan->stride(r);
    Value* first = b_.CreateLoad(b_.getIntNTy(bits), slot(r));
    if (lanes.width() == 1 && !lanes.serial_index() && lanes.read_lane() <= 0) return first;
    const auto& widening = code_.plan->widening(r);
    if (!widening) return b_.CreateAdd(code_.splat(first), times_lane(stride, bits));

    // Lane k holds rest + factor * widen(index + k * step), and k times what the stride has beyond factor * step.
    auto* i64 = b_.getInt64Ty();
    first = b_.CreateLoad(i64, slot(r));
    Value* first_index = index(r);
    Value* factor = b_.getInt64(static_cast<std::uint64_t>(widening->factor));
    Value* rest = b_.CreateSub(first, b_.CreateMul(widen(b_, first_index, i64, widening->is_signed), factor));
    Value* all_indices = b_.CreateAdd(code_.splat(first_index), times_lane(widening->step, kIndexBits));
    Value* products =
        b_.CreateMul(widen(b_, all_indices, code_.types.integer_type(64), widening->is_signed), code_.splat(factor));
    Value* value = b_.CreateAdd(code_.splat(rest), products);
    const std::int64_t beyond = stride - widening->step * widening->factor;
    return beyond ? b_.CreateAdd(value, times_lane(beyond, 64)) : value;
}

Value* Registers::is_even(ptx::RegisterId r) {
    const auto& widening = code_.plan->widening(r);
    if (!widening) return nullptr;
    Value* first = index(r);
    const std::int64_t reach = widening->step * (code_.lanes.full_width() - 1); // less than half of all numbers
    const bool up = reach > 0;
    const auto least = widening->is_signed ? std::int64_t{INT32_MIN} : 0;
    const auto most = widening->is_signed ? std::int64_t{INT32_MAX} : std::int64_t{UINT32_MAX};
    Value* bound = b_.getInt32(static_cast<std::uint32_t>(up ? most - reach : least - reach));
    if (widening->is_signed) return up ? b_.CreateICmpSLE(first, bound) : b_.CreateICmpSGE(first, bound);
    return up ? b_.CreateICmpULE(first, bound) : b_.CreateICmpUGE(first, bound);
}

void emit_affine(Emitter& e, const Instruction& i) {
    const ptx::RegisterId to = i.operands[0].reg;
    Value* index = e.plan->widening(to) ? index_of_result(e, i) : nullptr;
    if (!emit_any(e, i)) e.unsupported_form(i);
    if (index) e.registers.set_index(to, index);
}

} // namespace warplight::jit
