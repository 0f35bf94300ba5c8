// SPDX-License-Identifier: Apache-2.0
// Which places of coroutines' frames hold numbers that are the same for all threads of a block. Example, the step of a
// loop with barriers:
//
//     for (int d = blockDim.x / 2; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
//
// Each thread keeps d in its frame. All of them have the same d at each barrier, and all leave the loop at once. So one
// frame tells it, and whether the loop goes on is asked once for all threads.
//
// This holds where threads wait at plain barriers only, and none passes one that others do not come to: then all
// threads wait at the same point, in the same round of each loop. They may also yield to each other in a grid-stride
// loop in front of a barrier. In a segment that ends so, each thread has such numbers in its own frame.
#pragma once

#include "segment_ends.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <vector>

namespace warplight::jit {

/// The code from a suspension point to the next ones, for one coroutine.
struct SegmentCode {
    llvm::ArrayRef<llvm::BasicBlock*> blocks; ///< the first one first. What lies outside of them is for all threads
    const llvm::Value* frame;
    llvm::ArrayRef<SegmentEnd> ends;
    bool is_of_some; ///< threads that have yielded go through it, others may not
    /// Whether no thread yields in it, nor in front of it.
    [[nodiscard]] bool is_of_all() const {
        return !is_of_some && llvm::all_of(ends, [](const SegmentEnd& end) {
            return end.is_plain_barrier() || end.is(software::Wait::done);
        });
    }
};

/// A store to such a place.
struct BlockSlotStore {
    llvm::StoreInst* store;
    std::uint64_t place;
    /// By end of the segment: whether a thread that comes there has executed it. Empty: that depends on more than the
    /// end.
    llvm::SmallVector<bool, 4> ends;
};

class BlockSlots {
public:
    /// @param start the function that makes a coroutine
    BlockSlots(std::vector<SegmentCode> segments, const llvm::Function& start, const llvm::DataLayout& layout);

    /// Whether all threads of a block always come to the same end of a segment.
    [[nodiscard]] bool ends_together(std::size_t segment) const {
        return ends_together_ && segments_[segment].is_of_all();
    }
    /// By place in the frame: the type.
    [[nodiscard]] const std::map<std::uint64_t, llvm::Type*>& types() const noexcept { return types_; }
    [[nodiscard]] std::vector<llvm::LoadInst*> loads(std::size_t segment) const;
    [[nodiscard]] std::vector<BlockSlotStore> stores(std::size_t segment) const;

private:
    /// A segment as a graph: its blocks by number, without those that only lead to faults.
    struct Graph {
        llvm::DenseMap<const llvm::BasicBlock*, unsigned> numbers;
        std::vector<llvm::SmallVector<unsigned, 2>> to;
        std::vector<llvm::BitVector> behind; ///< by block: what is reached from there
        std::vector<llvm::BitVector> passed; ///< by block: what each way from there to an end passes
    };
    [[nodiscard]] static Graph graph_of(const SegmentCode& segment);

    bool ask_all();
    bool ask(std::size_t segment);
    void find_places(const llvm::Function& start);
    [[nodiscard]] std::optional<std::uint64_t> place_of(std::size_t segment, const llvm::Value* pointer) const;
    [[nodiscard]] bool is_same(std::size_t segment, const llvm::Value* value, unsigned steps) const;
    [[nodiscard]] bool is_hidden(std::size_t segment, const llvm::LoadInst& load) const;
    [[nodiscard]] llvm::BitVector of_some(std::size_t segment) const;
    [[nodiscard]] llvm::BitVector reached_without(std::size_t segment, unsigned block) const;

    const std::vector<SegmentCode> segments_;
    const llvm::DataLayout& layout_;
    std::vector<Graph> graphs_;
    std::map<std::uint64_t, llvm::Type*> types_;
    bool ends_together_ = false; ///< in each segment that is of all
};

} // namespace warplight::jit
