// SPDX-License-Identifier: Apache-2.0
// Coroutines that have nothing to do in a segment (round_segments): `if (threadIdx.x < d)` leaves most of them out in
// the steps of a tree.
#pragma once

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {

/// A loop over the frames of a block's coroutines.
struct FrameLoop {
    llvm::BasicBlock* head;
    llvm::PHINode *frame, *index;
    llvm::BasicBlock* next;                        ///< where the code of each coroutine ends
    llvm::ArrayRef<llvm::BasicBlock*> blocks = {}; ///< what lies outside of them is the same for all coroutines
};

/// Writes the number of the coroutine where its code first does what somebody may ask it for: an access to the
/// device's memory, or a call.
/// @param end where the loop goes when it ends
void tell_number_when_needed(const FrameLoop& loop, const llvm::BasicBlock* end, llvm::Value* where);

/// Finds out in which loops all further coroutines are idle when one is.
class IdleThreads {
public:
    /// @param resume the function that resumes a coroutine, whose argument is its frame
    /// @param thread_place where a frame has its thread's context
    IdleThreads(const llvm::Function& resume, std::uint64_t thread_place);

    /// The branch of a coroutine that is idle, as the index in x of its first thread is too large; and which successor
    /// it takes.
    struct Way {
        llvm::Instruction* branch = nullptr;
        unsigned successor = 0;
        llvm::BasicBlock* last = nullptr; ///< from which it goes to the end of its code
        llvm::Value* factor = nullptr;    ///< of the index. Null: 1. Only with a small one does the product grow too
    };
    static constexpr unsigned kFactorBits = 21; ///< of a small factor. An index has ten, and a sign one
    [[nodiscard]] std::vector<Way> find(const FrameLoop& loop) const;

    /// i1: whether indices in x grow with the numbers of the coroutines: the block has one row.
    [[nodiscard]] llvm::Value* has_one_row(llvm::IRBuilderBase& b, llvm::Value* last_frame) const;

private:
    [[nodiscard]] bool is_index_of_thread(const llvm::Value* value, const llvm::Value* frame) const;
    [[nodiscard]] bool grows(const llvm::Value* value, const llvm::Value* frame) const;
    [[nodiscard]] bool grows_in_lanes(const llvm::Value* value, const llvm::Value* frame) const;
    [[nodiscard]] std::optional<Way> find_vector(llvm::SwitchInst& cases, const FrameLoop& loop) const;
    [[nodiscard]] bool remains_true(const llvm::ICmpInst& compare, bool holds, const FrameLoop& loop) const;

    const llvm::DataLayout& layout_;
    std::uint64_t thread_place_;
    llvm::DenseSet<std::uint64_t> places_; ///< in the frame, where nothing but indices is written
};

} // namespace warplight::jit
