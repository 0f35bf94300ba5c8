// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include "software/jit/abi/abi.hpp"
#include "software/jit/emit/emit_error.hpp"
#include "software/jit/ir_conventions.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using software::ThreadContext;

namespace {

constexpr std::uint32_t kSpinBudget = 64;

} // namespace

void Waiting::request_field(std::size_t offset, Value* value) { code_.store_field(place_.thread(), offset, value); }

Value* Waiting::answer_field(std::size_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place_.thread(), offset));
}

Value* Waiting::matrix_request() {
    return code_.in_entry(matrix_request_, [&] {
        auto* words = llvm::ArrayType::get(b_.getInt64Ty(), sizeof(software::MatrixWords) / 8);
        return code_.stack_slot(words, "matrix_request", 16);
    });
}

llvm::CallInst* Waiting::suspend(software::Wait wait) {
    if (!code_.coroutine) throw EmitError("internal: a thread that waits in loop mode");
    request_field(offsetof(ThreadContext, wait), b_.getInt32(static_cast<std::uint32_t>(wait)));
    request_field(offsetof(ThreadContext, site), code_.site_value());
    llvm::CallInst* marker = code_.runtime_call(kSuspendMarker, b_.getVoidTy(), {});
    // Behind a barrier the block's threads are close in memory anyway.
    if (wait == software::Wait::barrier && code_.plan && !code_.plan->grid_stride_loops.empty())
        b_.CreateStore(b_.getInt32(code_.plan->first_stride_rounds), stride_budget());
    return marker;
}

Value* Waiting::stride_budget() {
    if (!stride_budget_) stride_budget_ = code_.stack_variable(b_.getInt32(code_.plan->first_stride_rounds), "budget");
    return stride_budget_;
}

void Waiting::suspend_every(std::uint32_t count, Value* budget, software::Wait wait) {
    Value* left = b_.CreateSub(b_.CreateLoad(b_.getInt32Ty(), budget), b_.getInt32(1));
    b_.CreateStore(left, budget);
    code_.emit_if(b_.CreateICmpEQ(left, b_.getInt32(0)), [&] {
        b_.CreateStore(b_.getInt32(count), budget);
        suspend(wait)->setMetadata(kRareSuspensionMetadata, llvm::MDNode::get(code_.context, {}));
    });
}

void Waiting::yield_in_spin_loop() {
    const FunctionFacts& facts = code_.unit.analysis.functions[code_.function_id];
    if (!code_.coroutine || !facts.spinning_branches.contains(code_.instruction())) return;
    const std::uint32_t count = code_.unit.options.steps ? 1 : kSpinBudget;
    if (!spin_budget_) spin_budget_ = code_.stack_variable(b_.getInt32(count), "budget");
    suspend_every(count, spin_budget_, software::Wait::yield);
}

void Waiting::yield_in_stride_loop() {
    if (!code_.coroutine) return;
    const auto loop = code_.plan->grid_stride_loops.find(code_.instruction());
    if (loop == code_.plan->grid_stride_loops.end()) return;
    suspend_every(loop->second, stride_budget(), software::Wait::grid_stride);
}

} // namespace warplight::jit
