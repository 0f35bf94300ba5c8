// SPDX-License-Identifier: Apache-2.0
// Code that tells the runtime of barrier objects, and of memory that a loop waits for. Of one thread at a time.
#pragma once

#include "software/jit/emit/emitter.hpp"

#include <cstdint>
#include <vector>

namespace warplight::jit {

class WaitHooks final : public Hooks {
public:
    explicit WaitHooks(Emitter& e);

    void begin_block() override;
    void around(const ptx::Instruction& i, llvm::function_ref<void()> emit) override;

private:
    void tell_object(const ptx::Instruction& i);
    void tell_at(const ptx::Operand& address, ptx::Space space, software::WaitEvent event, llvm::Value* value);
    void tell(llvm::Value* address, software::WaitEvent event, llvm::Value* value);

    Emitter& e_;
    const std::vector<std::uint32_t> loops_; ///< ptx::waiting_loops()
    std::vector<bool> is_behind_;            ///< by instruction: the first one behind such a loop
};

} // namespace warplight::jit
