// SPDX-License-Identifier: Apache-2.0
#include "registers.hpp"

#include "emit_error.hpp"

#include <algorithm>
#include <utility>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

Registers::Registers(FunctionCode& code)
    : code_(code), b_(code.b), slots_(code.function.registers.size()), own_slots_(slots_.size()) {}

llvm::AllocaInst* Registers::slot(ptx::RegisterId r) {
    const bool own = code_.plan && !code_.plan->own_registers.empty() && code_.plan->own_registers[r];
    llvm::AllocaInst*& slot = own ? own_slots_.at(r) : slots_.at(r);
    if (!slot) {
        const auto width = code_.lanes.with_width(is_vector(r) ? code_.lanes.full_width() : 1);
        // Zero where PTX leaves the value open: LLVM must not reason from an undefined one.
        Type* type = code_.types.register_type(code_.function.registers[r].type);
        slot = code_.stack_variable(llvm::Constant::getNullValue(type), "");
    }
    return slot;
}

void Registers::place_slots(llvm::function_ref<Value*(ptx::RegisterId)> place) {
    for (ptx::RegisterId r = 0; r < slots_.size(); ++r) {
        llvm::AllocaInst* old = std::exchange(slots_[r], nullptr);
        if (!old) continue;
        old->replaceAllUsesWith(place(r));
        old->eraseFromParent();
    }
}

bool Registers::has_read(ptx::RegisterId r) const {
    const llvm::AllocaInst* slot = slots_.at(r);
    return slot && llvm::any_of(slot->users(), [](const llvm::User* user) { return llvm::isa<llvm::LoadInst>(user); });
}

bool Registers::has_written(ptx::RegisterId r) const {
    const llvm::AllocaInst* slot = slots_.at(r);
    return slot &&
           llvm::count_if(slot->users(), [](const llvm::User* user) { return llvm::isa<llvm::StoreInst>(user); }) > 1;
}

bool Registers::keeps_inactive(ptx::RegisterId r) const {
    const LaneState& lanes = code_.lanes;
    return lanes.active_mask() &&
           (lanes.keeps_others() || (lanes.is_divergent() && !code_.plan->registers.block_local[r]));
}

Value* Registers::read(ptx::RegisterId r, ptx::Type type) {
    const ptx::Type declared = code_.function.registers[r].type;
    Value* value = nullptr;
    if (has_copy(r))
        value = read_copy(r);
    else if (code_.plan && code_.plan->is_affine(r))
        value = read_affine(r);
    else if (varies(r))
        value = read_vector(r);
    else
        value = code_.splat(b_.CreateLoad(slot(r)->getAllocatedType(), slot(r)));
    const unsigned have = ptx::bits(declared), want = ptx::bits(type);
    if (have != want) {
        value = code_.bits_as(value, code_.types.integer_type(have));
        value = b_.CreateZExtOrTrunc(value, code_.types.integer_type(want));
    }
    return code_.bits_as(value, code_.types.type_of(type));
}

Value* Registers::read_all(ptx::RegisterId r) {
    const auto vectors = code_.lanes.with_full_width();
    if (code_.plan->is_affine(r)) return read_affine(r);
    Value* value = b_.CreateLoad(slot(r)->getAllocatedType(), slot(r));
    return varies(r) ? value : code_.splat(value);
}

bool Registers::has_copy(ptx::RegisterId r) const {
    return code_.lanes.serial_index() && copies_ && copies_->contains(r);
}

Value* Registers::read_copy(ptx::RegisterId r) {
    Type* type = code_.types.register_type(code_.function.registers[r].type);
    if (const LaneCopy& copy = copies_->at(r); copy.step)
        return b_.CreateAdd(copy.first, b_.CreateMul(copy.step, code_.lanes.serial_index()));
    return type->isIntegerTy(1) ? b_.CreateTrunc(b_.CreateLoad(b_.getInt8Ty(), lane_copy(r)), type)
                                : b_.CreateLoad(type, lane_copy(r));
}

Value* Registers::read_vector(ptx::RegisterId r) {
    const LaneState& lanes = code_.lanes;
    Value* all = b_.CreateLoad(slot(r)->getAllocatedType(), slot(r));
    return lanes.width() > 1 ? all : b_.CreateExtractElement(all, static_cast<std::uint64_t>(lanes.read_lane()));
}

void Registers::write(ptx::RegisterId r, Value* value) {
    const LaneState& lanes = code_.lanes;
    if (has_copy(r)) {
        b_.CreateStore(value->getType()->isIntegerTy(1) ? b_.CreateZExt(value, b_.getInt8Ty()) : value, lane_copy(r));
        return;
    }
    llvm::AllocaInst* to = slot(r);
    if (!is_vector(r)) {
        if (value->getType()->isVectorTy()) throw EmitError("internal: a vector for a register that has none");
        b_.CreateStore(value, to);
        return;
    }
    if (lanes.width() == 1 && lanes.lane() >= 0) {
        Value* all = b_.CreateLoad(to->getAllocatedType(), to);
        b_.CreateStore(b_.CreateInsertElement(all, value, static_cast<std::uint64_t>(lanes.lane())), to);
        return;
    }
    if (lanes.width() == 1) value = b_.CreateVectorSplat(lanes.full_width(), value);
    if (keeps_inactive(r))
        value = b_.CreateSelect(lanes.active_mask(), value, b_.CreateLoad(to->getAllocatedType(), to));
    b_.CreateStore(value, to);
}

/// Predicates take a byte in memory.
Value* Registers::lane_copy(ptx::RegisterId r) {
    const unsigned bits = ptx::bits(code_.function.registers[r].type);
    const LaneCopy& copy = copies_->at(r);
    if (!copy.has_all) return copy.memory;
    return b_.CreateGEP(b_.getIntNTy(std::max(bits, 8U)), copy.memory, code_.lanes.serial_index());
}

// --- the carry flag

Value* Registers::carry() {
    if (!carry_) set_carry(nullptr);
    return b_.CreateLoad(code_.types.integer_type(1), carry_);
}

void Registers::set_carry(Value* value) {
    if (!carry_) carry_ = code_.stack_variable(code_.types.integer(1, 0), "carry");
    Value* mask = code_.lanes.active_mask();
    if (value && mask) value = b_.CreateSelect(mask, value, b_.CreateLoad(code_.types.integer_type(1), carry_));
    if (value) b_.CreateStore(value, carry_);
}

} // namespace warplight::jit
