// SPDX-License-Identifier: Apache-2.0
// How the values of a coroutine differ from row to row of a block's threads, where each coroutine has a row.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>

namespace warplight::jit {

/// A value of which each row has as much more than the row before.
struct RowStep {
    std::int64_t step = 0;
    bool needs_rows = false;                       ///< holds where a coroutine has a row of its own
    bool extends_zero = true, extends_sign = true; ///< a wider integer has the same step
};
using KnownStep = std::optional<RowStep>; ///< none: nothing is known

/// Where a coroutine's frame has a value that has a known step.
struct FrameSlot {
    llvm::Type* type;
    RowStep step;
};
struct FrameSlots {
    std::optional<std::uint64_t> block;       ///< which has the block's context
    std::map<std::uint64_t, FrameSlot> known; ///< by offset
    bool has_rows = false;                    ///< the kernel asks which row a thread is in
};

/// Bytes from a base.
[[nodiscard]] std::optional<std::uint64_t> bytes_behind(const llvm::Value* base, const llvm::Value* pointer,
                                                        const llvm::DataLayout& layout);

/// The step of one instruction from those of its operands.
class RowSteps {
public:
    /// @param frame the coroutine's
    /// @param thread_place where frames have their thread's context
    RowSteps(const llvm::Value* frame, std::uint64_t thread_place, const FrameSlots& slots,
             const llvm::DataLayout& layout)
        : frame_(frame), thread_place_(thread_place), slots_(slots), layout_(layout) {}

    /// @param lasting memory keeps what it holds, from row to row
    /// @param step_of of operands
    template <class StepOf>
    [[nodiscard]] KnownStep of(const llvm::Instruction& i, bool lasting, StepOf&& step_of) const {
        llvm::SmallVector<KnownStep, 4> operands;
        for (const llvm::Value* each : i.operands())
            operands.push_back(llvm::isa<llvm::Constant>(each) ? RowStep{} : step_of(each));
        return combined(i, lasting, operands);
    }

private:
    [[nodiscard]] KnownStep combined(const llvm::Instruction& i, bool lasting,
                                     llvm::ArrayRef<KnownStep> operands) const;
    [[nodiscard]] KnownStep loaded(const llvm::LoadInst& load, bool lasting, const KnownStep& address) const;

    const llvm::Value* frame_;
    std::uint64_t thread_place_;
    const FrameSlots& slots_;
    const llvm::DataLayout& layout_;
};

/// Slots of frames that are written in one place, by a value that only follows from the block and the thread's number.
/// @param resume the function that resumes a coroutine, with all its code
/// @param start the function that makes a coroutine
[[nodiscard]] FrameSlots find_row_slots(const llvm::Function& resume, const llvm::Function& start,
                                        std::uint64_t thread_place);

} // namespace warplight::jit
