// SPDX-License-Identifier: Apache-2.0
// Memory of a block's coroutine frames: taken in steps, given back as a whole when the block ends.
#pragma once

#include "software/jit/abi/abi.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::software {

class FrameArena {
public:
    /// Aligned to kFrameAlignment; null past the most that a block may have (recursion without end).
    [[nodiscard]] void* allocate(std::uint64_t size);
    void release(void* frame, std::uint64_t size);
    void reset();
    [[nodiscard]] std::size_t bytes() const { return total_; } ///< that it holds

private:
    static constexpr std::size_t kUnit = kFrameAlignment;
    static constexpr std::size_t kClasses = 129; ///< up to 8 KiB; larger frames are not used again before reset()
    static constexpr std::size_t kChunk = std::size_t{256} << 10;
    static constexpr std::size_t kMost = std::size_t{512} << 20;
    struct Free {
        Free* next;
    };
    struct Deleter {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{kUnit}); }
    };
    struct Chunk {
        std::unique_ptr<std::byte[], Deleter> memory;
        std::size_t size = 0;
    };
    std::vector<Chunk> chunks_;
    std::size_t chunk_ = 0; ///< being filled
    std::size_t used_ = 0;  ///< of it
    std::size_t total_ = 0;
    std::array<Free*, kClasses> free_{};
};

} // namespace warplight::software
