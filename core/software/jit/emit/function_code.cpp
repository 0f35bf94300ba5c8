// SPDX-License-Identifier: Apache-2.0
#include "function_code.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

FunctionCode::FunctionCode(Unit& unit, ptx::FunctionId id, llvm::Function* into, bool coroutine)
    : unit(unit), module(unit.module), function(unit.module.functions[id]), function_id(id), context(*unit.context),
      target(*into), b(*unit.context), coroutine(coroutine), plan(unit.lanes ? &*unit.lanes : nullptr),
      lanes(plan ? unit.options.width : 1), types(context, lanes) {
    auto* entry = new_block("entry");
    auto* body = new_block("body");
    b.SetInsertPoint(entry);
    entry_end_ = b.CreateBr(body);
    subprogram_ = unit.describe(target);
    b.SetInsertPoint(entry_end_);
}

// --- the instruction being emitted

void FunctionCode::begin_instruction(std::uint32_t index) {
    instruction_ = index;
    b.SetCurrentDebugLocation(llvm::DILocation::get(context, site() + 1, 0, subprogram_));
}

Value* FunctionCode::site_value() const { return llvm::ConstantInt::get(Type::getInt32Ty(context), site()); }

// --- blocks and stack

llvm::BasicBlock* FunctionCode::new_block(const char* name) { return llvm::BasicBlock::Create(context, name, &target); }

llvm::AllocaInst* FunctionCode::stack_slot(Type* type, const char* name, unsigned alignment) {
    llvm::IRBuilderBase::InsertPointGuard guard(b);
    b.SetInsertPoint(target.getEntryBlock().getFirstInsertionPt());
    llvm::AllocaInst* slot = b.CreateAlloca(type, nullptr, name);
    if (alignment) slot->setAlignment(llvm::Align(alignment));
    return slot;
}

Value* FunctionCode::local_slot(Type* type, const char* name, unsigned alignment) {
    llvm::AllocaInst* slot = stack_slot(type, name, alignment);
    llvm::IRBuilderBase::InsertPointGuard guard(b);
    b.SetInsertPoint(slot->getNextNode());
    return b.CreateAddrSpaceCast(slot, device_pointer());
}

llvm::AllocaInst* FunctionCode::stack_variable(Value* initial, const char* name) {
    llvm::AllocaInst* slot = stack_slot(initial->getType(), name);
    const AtEntry scope(*this);
    b.CreateStore(initial, slot);
    return slot;
}

// --- values

Value* FunctionCode::splat(Value* value) {
    return lanes.width() == 1 ? value : b.CreateVectorSplat(lanes.width(), value);
}

Value* FunctionCode::bits_as(Value* value, Type* type) {
    return value->getType() == type ? value : b.CreateBitCast(value, type);
}

Value* FunctionCode::active_bits() {
    const unsigned width = lanes.full_width();
    if (!lanes.active_mask()) return b.getInt32(width < 32 ? (1U << width) - 1 : ~0U);
    return b.CreateZExt(b.CreateBitCast(lanes.active_mask(), b.getIntNTy(width)), b.getInt32Ty());
}

llvm::LoadInst* FunctionCode::load_field(Value* base, std::uint64_t offset, Type* type, std::uint64_t below,
                                         const char* name) {
    Value* address = b.CreateConstInBoundsGEP1_64(Type::getInt8Ty(context), base, offset);
    llvm::LoadInst* value = b.CreateLoad(type, address, name);
    value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
    if (below) {
        const unsigned bits = type->getIntegerBitWidth();
        value->setMetadata(llvm::LLVMContext::MD_range,
                           llvm::MDBuilder(context).createRange(llvm::APInt(bits, 0), llvm::APInt(bits, below)));
    }
    return value;
}

void FunctionCode::store_field(Value* base, std::uint64_t offset, Value* value) {
    b.CreateStore(value, b.CreateConstInBoundsGEP1_64(Type::getInt8Ty(context), base, offset));
}

// --- calls

Value* FunctionCode::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Type*> overloads,
                               llvm::ArrayRef<Value*> arguments) {
    return b.CreateIntrinsic(id, overloads, arguments);
}

Value* FunctionCode::intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> arguments) {
    return b.CreateIntrinsic(id, {arguments[0]->getType()}, arguments);
}

Value* FunctionCode::pure_call(const char* name, Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Type*> parameters;
    for (Value* a : arguments)
        parameters.push_back(a->getType()->getScalarType());
    llvm::FunctionCallee callee = unit.external(name, result->getScalarType(), parameters);
    auto* f = llvm::cast<llvm::Function>(callee.getCallee());
    f->setDoesNotAccessMemory();
    f->setDoesNotThrow();
    f->addFnAttr(llvm::Attribute::WillReturn);
    f->addFnAttr(llvm::Attribute::NoFree);
    f->addFnAttr(llvm::Attribute::NoSync);
    if (lanes.width() == 1) return b.CreateCall(callee, arguments);
    Value* answer = llvm::PoisonValue::get(result);
    for (unsigned lane = 0; lane < lanes.width(); ++lane) {
        llvm::SmallVector<Value*> scalars;
        for (Value* a : arguments)
            scalars.push_back(b.CreateExtractElement(a, lane));
        answer = b.CreateInsertElement(answer, b.CreateCall(callee, scalars), lane);
    }
    return answer;
}

llvm::CallInst* FunctionCode::runtime_call(const char* name, Type* result, llvm::ArrayRef<Value*> arguments) {
    llvm::SmallVector<Type*> parameters;
    for (Value* a : arguments)
        parameters.push_back(a->getType());
    return b.CreateCall(unit.external(name, result, parameters), arguments);
}

} // namespace warplight::jit
