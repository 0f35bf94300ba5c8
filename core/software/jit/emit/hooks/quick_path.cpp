// SPDX-License-Identifier: Apache-2.0
#include "quick_path.hpp"

#include "access_address.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstdint>

namespace warplight::jit {

using llvm::Value;

QuickPath::Lanes QuickPath::lanes_of(const ptx::Operand& address, unsigned bytes) const {
    if (!e_.plan || !has_base(address) || !e_.registers.varies(address.reg)) return Lanes::same;
    const bool beside = e_.plan->is_affine(address.reg) && *e_.plan->stride(address.reg) == std::int64_t{bytes};
    return beside ? Lanes::side_by_side : Lanes::each;
}

void QuickPath::emit(llvm::function_ref<void(llvm::BasicBlock*)> quick, llvm::function_ref<void()> tell) {
    llvm::BasicBlock* told = e_.new_block("told");
    llvm::BasicBlock* rest = e_.new_block("rest");
    quick(told);
    b_.CreateBr(rest);
    b_.SetInsertPoint(told);
    tell();
    if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
}

void QuickPath::go_on_if(Value* pass, llvm::BasicBlock* told) {
    llvm::BasicBlock* next = e_.new_block("quick");
    b_.CreateCondBr(pass, next, told, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
    b_.SetInsertPoint(next);
}

Value* QuickPath::all(Value* bits) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType());
    if (!vector) return bits;
    return b_.CreateIsNull(b_.CreateBitCast(b_.CreateNot(bits), b_.getIntNTy(vector->getNumElements())));
}

Value* QuickPath::state() {
    return e_.in_entry(state_, [&] {
        return e_.load_field(e_.place.block(), offsetof(software::BlockContext, traced), b_.getPtrTy(), 0, "traced");
    });
}

Value* QuickPath::field(std::size_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), state(), offset));
}

Value* QuickPath::warp() { return b_.CreateZExt(b_.CreateLShr(e_.place.first_linear_thread(), 5), b_.getInt64Ty()); }

} // namespace warplight::jit
