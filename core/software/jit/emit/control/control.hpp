// SPDX-License-Identifier: Apache-2.0
// Labels, branches and the ends of a function whose threads are run one at a time.
#pragma once

#include "software/jit/emit/control/waiting.hpp"
#include "software/jit/emit/memory/access_checks.hpp"

#include <vector>

namespace warplight::jit {

class Control {
public:
    Control(FunctionCode& code, Registers& registers, Variables& variables, AccessChecks& checks, Waiting& waiting);

    [[nodiscard]] llvm::BasicBlock* label_block(ptx::LabelId label);
    /// The block that starts at an instruction; null: none does.
    [[nodiscard]] llvm::BasicBlock* block_at(std::uint32_t instruction) const { return blocks_[instruction]; }
    void branch_to(ptx::LabelId label);
    /// @param exited the thread ends, and not just this function
    void return_from_function(bool exited);

private:
    FunctionCode& code_;
    Registers& registers_;
    Variables& variables_;
    AccessChecks& checks_;
    Waiting& waiting_;
    llvm::IRBuilder<>& b_;
    std::vector<llvm::BasicBlock*> blocks_; ///< by instruction, its end included
};

} // namespace warplight::jit
