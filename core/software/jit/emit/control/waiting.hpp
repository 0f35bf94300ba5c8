// SPDX-License-Identifier: Apache-2.0
// Suspending the thread. A request goes into its ThreadContext, and the runtime resumes it with the answer there.
#pragma once

#include "software/jit/emit/thread_place.hpp"

namespace warplight::jit {

class Waiting {
public:
    Waiting(FunctionCode& code, ThreadPlace& place) : code_(code), place_(place), b_(code.b) {}

    void request_field(std::size_t offset, llvm::Value* value);
    [[nodiscard]] llvm::Value* answer_field(std::size_t offset, llvm::Type* type);
    /// Memory for the request of a matrix instruction: one for the whole function.
    [[nodiscard]] llvm::Value* matrix_request();
    /// Says what the thread waits for and lets others run until the runtime resumes it.
    llvm::CallInst* suspend(software::Wait wait);

    /// At the branch back of a spin loop: yields every so many times.
    void yield_in_spin_loop();
    /// At the branch back of a grid-stride loop: the block's threads yield to each other every so many times.
    void yield_in_stride_loop();

private:
    /// Suspends every `count`th time. `budget` has the number of times that are left.
    void suspend_every(std::uint32_t count, llvm::Value* budget, software::Wait wait);
    [[nodiscard]] llvm::Value* stride_budget(); ///< of grid-stride loops. Each barrier makes it new

    FunctionCode& code_;
    ThreadPlace& place_;
    llvm::IRBuilder<>& b_;
    llvm::AllocaInst* spin_budget_ = nullptr;
    llvm::AllocaInst* stride_budget_ = nullptr;
    llvm::Value* matrix_request_ = nullptr;
};

} // namespace warplight::jit
