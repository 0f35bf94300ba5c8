// SPDX-License-Identifier: Apache-2.0
#include "frame_arena.hpp"

#include <algorithm>
#include <new>

namespace warplight::software {

void* FrameArena::allocate(std::uint64_t size) {
    const std::size_t units = std::max<std::size_t>((size + kUnit - 1) / kUnit, 1);
    if (units < kClasses && free_[units]) {
        Free* frame = free_[units];
        free_[units] = frame->next;
        return frame;
    }
    const std::size_t bytes = units * kUnit;
    while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < bytes) {
        ++chunk_;
        used_ = 0;
    }
    if (chunk_ == chunks_.size()) {
        const std::size_t chunk = std::max(kChunk, bytes);
        if (total_ + chunk > kMost) return nullptr;
        auto* memory = static_cast<std::byte*>(::operator new[](chunk, std::align_val_t{kUnit}, std::nothrow));
        if (!memory) return nullptr;
        chunks_.push_back({std::unique_ptr<std::byte[], Deleter>(memory), chunk});
        total_ += chunk;
        used_ = 0;
    }
    std::byte* frame = chunks_[chunk_].memory.get() + used_;
    used_ += bytes;
    return frame;
}

void FrameArena::release(void* frame, std::uint64_t size) {
    const std::size_t units = std::max<std::size_t>((size + kUnit - 1) / kUnit, 1);
    if (units >= kClasses) return;
    free_[units] = new (frame) Free{free_[units]};
}

void FrameArena::reset() {
    chunk_ = 0;
    used_ = 0;
    free_.fill(nullptr);
    // Memory of a deep recursion is not kept for ever.
    constexpr std::size_t keep = std::size_t{16} << 20;
    while (total_ > keep && !chunks_.empty()) {
        total_ -= chunks_.back().size;
        chunks_.pop_back();
    }
}

} // namespace warplight::software
