// SPDX-License-Identifier: Apache-2.0
// A segment: the code of a coroutine from a suspension point to the next ones, as a loop of its own.
#pragma once

#include "segment_ends.hpp"

#include <llvm/ADT/SetVector.h>

#include <cstdint>
#include <vector>

namespace warplight::jit {

struct Segment {
    std::uint64_t point = 0;
    llvm::BasicBlock* target = nullptr;           ///< in the function that resumes
    llvm::BasicBlock* head = nullptr;             ///< in front of the loop, once a block
    llvm::SetVector<llvm::BasicBlock*> originals; ///< what is reached from there
    std::vector<llvm::BasicBlock*> blocks;        ///< the copies, the loop's head first
    llvm::PHINode *frame = nullptr, *index = nullptr;
    llvm::BasicBlock *next = nullptr, *more = nullptr, *end = nullptr; ///< behind the code
    std::vector<SegmentEnd> ends;                                      ///< by point; empty: not all are known
    bool ends_together = false;                                        ///< all threads of a block come to the same one
    [[nodiscard]] bool has_one_end() const { return ends.size() == 1; }
};

/// One for each suspension point of the function that resumes, with what is reached from there.
[[nodiscard]] std::vector<Segment> find_segments(llvm::Function& resume);
/// Copies a segment into the function of a round: its head, then the beginning of a loop over the coroutines. The loop
/// has no end yet.
void copy_segment(Segment& segment, llvm::Function& round, llvm::Function& resume);

} // namespace warplight::jit
