// SPDX-License-Identifier: Apache-2.0
// Values that are the same for all threads of a block: fields of its context and of the launch's, the kernel's
// parameters, and numbers made of them.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

namespace warplight::jit {

class ValuesOfBlock {
public:
    /// @param block BlockContext*
    ValuesOfBlock(const llvm::Value* block, const llvm::DataLayout& layout) : block_(block), layout_(layout) {}

    /// Whether the instruction, a scalar, is such a value if its operands are. It may be computed anywhere.
    [[nodiscard]] bool has(const llvm::Instruction& i);
    /// The same where nothing is known of its operands.
    [[nodiscard]] bool has_all_of(const llvm::Instruction& i, unsigned steps);

private:
    [[nodiscard]] bool is_field(const llvm::LoadInst& load);

    const llvm::Value* block_;
    const llvm::DataLayout& layout_;
    llvm::SmallPtrSet<const llvm::Value*, 4> launches_, parameters_;
};

} // namespace warplight::jit
