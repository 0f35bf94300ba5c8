// SPDX-License-Identifier: Apache-2.0
// What a coroutine's code writes down in its frame, and for the scheduler, where it waits or ends.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace warplight::jit {

/// Where a coroutine's frame has the number of the suspension point that it waits at.
struct PointOfFrame {
    llvm::IntegerType* type = nullptr; ///< null: not known
    std::uint64_t offset = 0;          ///< bytes
};

/// What a thread that waits has told the scheduler.
constexpr std::array kRequestFields{offsetof(software::ThreadContext, wait), offsetof(software::ThreadContext, site),
                                    offsetof(software::ThreadContext, operation),
                                    offsetof(software::ThreadContext, mask), offsetof(software::ThreadContext, b)};
using WaitRequest = std::array<llvm::ConstantInt*, kRequestFields.size()>;

/// A way in which a segment ends.
struct SegmentEnd {
    llvm::ConstantInt* point = nullptr;
    WaitRequest request{};
    std::vector<llvm::StoreInst*> stores;  ///< of all this
    std::vector<llvm::StoreInst*> ends;    ///< mark the frame as one that nobody resumes, which nobody does anyway
    std::vector<llvm::BasicBlock*> blocks; ///< that store the point
    std::vector<std::pair<std::uint64_t, llvm::Value*>> slots; ///< what is then to be stored in one frame, and where

    [[nodiscard]] bool is(software::Wait wait) const {
        return request[0]->getZExtValue() == static_cast<std::uint64_t>(wait);
    }
    /// All go on as soon as the last one has come.
    [[nodiscard]] bool is_plain_barrier() const {
        return is(software::Wait::barrier) &&
               request[2]->getZExtValue() == static_cast<std::uint64_t>(software::BarrierOperation::sync) &&
               request[4]->isZero();
    }
};

/// What the function that makes a coroutine leaves in its frame, and what the code of the coroutine changes there.
class FrameFacts {
public:
    FrameFacts(llvm::Function& start, const PointOfFrame& point);

    [[nodiscard]] const PointOfFrame& point() const noexcept { return point_; }
    /// The point at which it starts.
    [[nodiscard]] std::optional<std::uint64_t> begin() const noexcept { return begin_; }
    /// A frame is as new when its thread is done.
    [[nodiscard]] bool restarts() const noexcept { return restarts_; }
    /// Where a frame has its thread's context.
    [[nodiscard]] std::optional<std::uint64_t> thread_place() const noexcept { return thread_place_; }
    /// Where it has its block's.
    [[nodiscard]] std::optional<std::uint64_t> block_place() const noexcept { return block_place_; }

    [[nodiscard]] bool stores_point(const llvm::Instruction& i, const llvm::Value* frame) const;
    /// Whether each way to a return passes a store of the point.
    [[nodiscard]] bool all_tell_points(llvm::Function& resume) const;
    /// By point. Empty: not all are known.
    [[nodiscard]] std::vector<SegmentEnd> ends_of(llvm::ArrayRef<llvm::BasicBlock*> blocks,
                                                  const llvm::Value* frame) const;

private:
    [[nodiscard]] std::optional<SegmentEnd> end_in(llvm::BasicBlock& block, llvm::StoreInst& point,
                                                   const llvm::Value* frame) const;
    [[nodiscard]] std::optional<std::size_t> field_of_request(const llvm::StoreInst& store,
                                                              const llvm::Value* frame) const;

    const PointOfFrame point_;
    const llvm::DataLayout& layout_;
    std::optional<std::uint64_t> begin_, thread_place_, block_place_;
    bool restarts_ = false;
};

} // namespace warplight::jit
