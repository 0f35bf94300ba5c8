// SPDX-License-Identifier: Apache-2.0
#include "step_hooks.hpp"

#include "access_address.hpp"

#include <algorithm>
#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using software::StepBlock;
using software::StepFrame;
using software::StepWatch;

static_assert(sizeof(StepFrame) == ptx::StepFrameLayout::kHead);

StepHooks::StepHooks(Emitter& e)
    : e_(e), b_(e.b), points_(ptx::stepping_points(e.function, e.module)), layout_(ptx::step_frame_layout(e.function)),
      frame_(e.stack_slot(llvm::ArrayType::get(e.b.getInt8Ty(), layout_.size), "step_frame", 16)) {
    const FunctionCode::AtEntry scope(e_);
    enter();
}

Value* StepHooks::field(Value* base, std::uint64_t offset) {
    return b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), base, offset);
}

void StepHooks::enter() {
    Value* steps = e_.load_field(e_.place.block(), offsetof(software::BlockContext, steps), b_.getPtrTy(), 0, "steps");
    Value* frames = e_.load_field(steps, offsetof(StepBlock, frames), b_.getPtrTy(), 0, "frames");
    watch_ = e_.load_field(steps, offsetof(StepBlock, watch), b_.getPtrTy(), 0, "watch");
    innermost_ = b_.CreateGEP(b_.getPtrTy(), frames, b_.CreateZExt(e_.place.linear_thread(), b_.getInt64Ty()));
    caller_ = b_.CreateLoad(b_.getPtrTy(), innermost_, "caller");
    b_.CreateStore(caller_, field(frame_, offsetof(StepFrame, caller)));
    b_.CreateStore(b_.getInt32(e_.function_id), field(frame_, offsetof(StepFrame, function)));
    b_.CreateStore(e_.site_value(), field(frame_, offsetof(StepFrame, site)));
    for (std::uint32_t k = 0; k < layout_.variables.size(); ++k)
        if (layout_.variables[k]) keep_address(*layout_.variables[k], ptx::Operand::Scope::function, k);
    for (std::uint32_t k = 0; k < layout_.parameters.size(); ++k)
        if (layout_.parameters[k]) keep_address(*layout_.parameters[k], ptx::Operand::Scope::parameter, k);
    // What no instruction writes is zero too.
    for (ptx::RegisterId r = 0; r < e_.function.registers.size(); ++r)
        (void)e_.registers.slot(r);
    b_.CreateStore(frame_, innermost_);
}

void StepHooks::keep_address(std::uint64_t offset, ptx::Operand::Scope scope, std::uint32_t index) {
    b_.CreateStore(b_.CreatePtrToInt(e_.variables.memory_of(scope, index), b_.getInt64Ty()), field(frame_, offset));
}

void StepHooks::before() {
    if (!points_[e_.instruction()]) return;
    b_.CreateStore(e_.site_value(), field(frame_, offsetof(StepFrame, site)));
    e_.waiting.suspend(software::Wait::step);
}

void StepHooks::around(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    for (const ptx::MemoryAccess& access : ptx::accesses_of(i))
        if (access.writes && is_hookable(e_, *access.address, access.space)) tell_write(access);
    emit();
}

void StepHooks::tell_write(const ptx::MemoryAccess& access) {
    Value* size = b_.CreateLoad(b_.getInt64Ty(), field(watch_, offsetof(StepWatch, size)));
    const std::uint64_t bytes = access.bytes;
    e_.emit_if(b_.CreateIsNotNull(size), [&] {
        Value* at = b_.CreatePtrToInt(
            e_.addresses.pointer(*access.address, space_of(e_, *access.address, access.space)), b_.getInt64Ty());
        Value* begin = b_.CreateLoad(b_.getInt64Ty(), field(watch_, offsetof(StepWatch, begin)));
        // The two ranges overlap.
        Value* behind = b_.CreateSub(b_.CreateAdd(at, b_.getInt64(bytes - 1)), begin);
        Value* reach = b_.CreateAdd(size, b_.getInt64(bytes - 1));
        e_.emit_if(b_.CreateICmpULT(behind, reach), [&] {
            e_.runtime_call("wl_rt_step_write", b_.getVoidTy(),
                            {e_.place.block(), e_.place.linear_thread(), e_.site_value(), at,
                             b_.getInt32(static_cast<std::uint32_t>(bytes))});
        });
    });
}

void StepHooks::finish() {
    llvm::IRBuilderBase::InsertPointGuard guard(b_);
    for (llvm::BasicBlock& block : e_.target)
        if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
            b_.SetInsertPoint(end);
            b_.CreateStore(caller_, innermost_);
        }
    b_.SetInsertPoint(frame_->getNextNode());
    e_.registers.place_slots([&](ptx::RegisterId r) { return field(frame_, layout_.registers.at(r)); });
}

} // namespace warplight::jit
