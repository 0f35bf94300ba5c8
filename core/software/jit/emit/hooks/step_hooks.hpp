// SPDX-License-Identifier: Apache-2.0
// Code that is stepped through. A thread suspends in front of each line, its registers lie in a frame that the runtime
// knows, and writes to the memory that is watched are told.
#pragma once

#include "software/jit/emit/emitter.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/stepping.hpp"

#include <vector>

namespace warplight::jit {

class StepHooks final : public Hooks {
public:
    explicit StepHooks(Emitter& e);

    void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) override;
    void before() override;
    void finish() override;

private:
    [[nodiscard]] llvm::Value* field(llvm::Value* base, std::uint64_t offset);
    void enter();
    void keep_address(std::uint64_t offset, ptx::Operand::Scope scope, std::uint32_t index);
    void tell_write(const ptx::MemoryAccess& access);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const std::vector<bool> points_;
    const ptx::StepFrameLayout layout_;
    llvm::AllocaInst* frame_;
    llvm::Value* innermost_ = nullptr; ///< where the thread's innermost frame is noted
    llvm::Value* caller_ = nullptr;
    llvm::Value* watch_ = nullptr;
};

} // namespace warplight::jit
