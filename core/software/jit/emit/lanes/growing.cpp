// SPDX-License-Identifier: Apache-2.0
// Registers that grow by a constant from lane to lane: what the first lane holds says what all hold, and most of what
// is done with indices and addresses is done once instead of with vectors.
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr unsigned kIndexBits = 32;

Value* widen(llvm::IRBuilder<>& b, Value* index, Type* type, bool is_signed) {
    return is_signed ? b.CreateSExt(index, type) : b.CreateZExt(index, type);
}

} // namespace

Value* Emitter::index_slot(ptx::RegisterId r) {
    llvm::AllocaInst*& slot = indices_[r];
    if (!slot) {
        slot = stack_slot(b.getInt32Ty(), "index");
        llvm::IRBuilderBase::InsertPointGuard guard(b);
        b.SetInsertPoint(entry_end_);
        b.CreateStore(b.getInt32(0), slot);
    }
    return slot;
}

Value* Emitter::index_of(ptx::RegisterId r) { return b.CreateLoad(b.getInt32Ty(), index_slot(r)); }

Emitter::Growth Emitter::growth_of(ptx::RegisterId r) {
    const Widening& widening = *plan_->widening[r];
    Value* first = b.CreateLoad(b.getInt64Ty(), slot_of(r));
    Value* index = index_of(r);
    Value* factor = b.getInt64(static_cast<std::uint64_t>(widening.factor));
    Value* rest = b.CreateSub(first, b.CreateMul(widen(b, index, b.getInt64Ty(), widening.is_signed), factor));
    return {
        rest, index, factor, widening.step, *plan_->stride[r] - widening.step * widening.factor, widening.is_signed};
}

Value* Emitter::read_growing(ptx::RegisterId r) {
    const unsigned bits = ptx::bits(function.registers[r].type);
    Value* first = b.CreateLoad(b.getIntNTy(bits), slot_of(r));
    if (width == 1 && !turn_ && reading_lane() <= 0) return first;
    // A number of lanes, or of one: their numbers, times something.
    const auto times = [&](std::int64_t by, unsigned of_bits) -> Value* {
        if (width > 1) {
            llvm::SmallVector<llvm::Constant*> all;
            for (unsigned k = 0; k < width; ++k)
                all.push_back(llvm::ConstantInt::get(
                    b.getIntNTy(of_bits), llvm::APInt(64, static_cast<std::uint64_t>(by * k)).trunc(of_bits)));
            return llvm::ConstantVector::get(all);
        }
        Value* lane = turn_ ? b.CreateZExt(turn_, b.getIntNTy(of_bits))
                            : llvm::ConstantInt::get(b.getIntNTy(of_bits), static_cast<unsigned>(reading_lane()));
        return b.CreateMul(lane, llvm::ConstantInt::getSigned(b.getIntNTy(of_bits), by));
    };
    if (!plan_->widening[r]) return b.CreateAdd(splat(first), times(*plan_->stride[r], bits));
    const Growth growth = growth_of(r);
    Value* indices = b.CreateAdd(splat(growth.index), times(growth.step, kIndexBits));
    Value* products = b.CreateMul(widen(b, indices, integer_type(64), growth.is_signed), splat(growth.factor));
    Value* value = b.CreateAdd(splat(growth.rest), products);
    return growth.left ? b.CreateAdd(value, times(growth.left, 64)) : value;
}

Value* Emitter::grows_evenly(ptx::RegisterId r) {
    const auto& widening = plan_->widening[r];
    if (!widening) return nullptr;
    Value* index = index_of(r);
    const std::int64_t reach = widening->step * (vector_ - 1); // less than half of what there is
    const bool up = reach > 0;
    const auto least = widening->is_signed ? std::int64_t{INT32_MIN} : 0;
    const auto most = widening->is_signed ? std::int64_t{INT32_MAX} : std::int64_t{UINT32_MAX};
    Value* bound = b.getInt32(static_cast<std::uint32_t>(up ? most - reach : least - reach));
    if (widening->is_signed) return up ? b.CreateICmpSLE(index, bound) : b.CreateICmpSGE(index, bound);
    return up ? b.CreateICmpULE(index, bound) : b.CreateICmpUGE(index, bound);
}

/// Of the first lane: the index of 32 bits that an instruction's result comes from.
Value* Emitter::index_of_result(const Instruction& i) {
    for (const Operand& x : ptx::sources_of(i)) {
        if (x.kind == Operand::Kind::reg && plan_->grows(x.reg) && plan_->widening[x.reg])
            return b.CreateLoad(b.getInt32Ty(), index_slot(x.reg));
    }
    const bool widens = i.has(Modifier::wide) || (i.opcode == Opcode::cvt && ptx::bits(i.types[1]) == kIndexBits);
    for (std::size_t k = 1; widens && k < i.operands.size() && k <= 2; ++k)
        if (!plan_->uniform(i.operands[k]) && !plan_->counts(i.operands[k])) return read(i.operands[k], ptx::Type::b32);
    // Grows evenly as it is: as from an index that wraps nowhere near.
    return b.getInt32(plan_->widening[i.operands[0].reg]->is_signed ? 0 : 1U << (kIndexBits - 1));
}

void Emitter::emit_growing(const Instruction& i) {
    const ptx::RegisterId to = i.operands[0].reg;
    Value* index = plan_->widening[to] ? index_of_result(i) : nullptr;
    if (!emit_any(*this, i)) unsupported_form(i);
    if (index) b.CreateStore(index, index_slot(to));
}

} // namespace warplight::jit
