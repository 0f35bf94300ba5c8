// SPDX-License-Identifier: Apache-2.0
// Stores that a worker makes later. In counts[digit * blocks + block] each lane of a vector stores to a line of its
// own, and the next block to the element beside it. At a stride of a power of two the lines meet in few sets of the
// first cache: no line stays until the next block comes. So the elements of some blocks are collected, and each line is
// written once.
#pragma once

#include "launch_request.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// Memory that a launch only writes, by one store of each thread, and that nothing else reaches meanwhile.
struct HeldRange {
    std::uint64_t begin = 0, end = 0;
};
[[nodiscard]] std::optional<HeldRange> held_memory(const jit::CompiledKernel& kernel, const LaunchRequest& request);

/// Of a worker.
class HeldStores {
public:
    explicit HeldStores(const HeldRange& memory) : memory_(memory) {}

    /// Takes a vector's store. False: it is none of those that are worth it, and has not been made.
    [[nodiscard]] bool hold(const std::uint64_t* addresses, const std::uint32_t* values, std::uint32_t lanes);
    /// Most vectors were not worth it: no more are taken.
    [[nodiscard]] bool gave_up() const;
    /// What code is given that runs next: null where it need not ask.
    [[nodiscard]] static HeldStores* for_code(HeldStores* held) { return held && !held->gave_up() ? held : nullptr; }
    /// Makes those that were taken.
    void make_all();

private:
    static constexpr std::uint32_t kLine = 64, kElement = sizeof(std::uint32_t), kColumns = kLine / kElement;
    static constexpr std::uint32_t kMostLanes = 32;
    static constexpr std::size_t kVectors = 32; ///< as a block of 1024 threads has

    /// A line for each lane of a vector, equally far from each other.
    struct Lines {
        std::uint64_t first = 0;  ///< the first lane's; 0: none
        std::uint64_t stride = 0; ///< bytes
        std::uint32_t lanes = 0;
        std::uint32_t written = 0; ///< a bit for each column: an element of each line
        std::uint32_t columns[kColumns][kMostLanes];
    };

    [[nodiscard]] bool take(const std::uint64_t* addresses, const std::uint32_t* values, std::uint32_t lanes);
    [[nodiscard]] bool is_in_memory(std::uint64_t first, std::uint64_t last) const;
    [[nodiscard]] Lines& lines_of(std::uint64_t first, std::uint64_t stride, std::uint32_t lanes);
    void make_room(Lines& lines);
    static void make(Lines& lines);

    const HeldRange memory_;
    std::unique_ptr<std::array<Lines, kVectors>> held_; ///< null: nothing was taken yet
    std::size_t next_ = 0;                              ///< where the next vector is looked for first
    std::uint32_t full_ = 0, sparse_ = 0;               ///< lines that were written, almost whole or with few elements
    std::uint64_t taken_ = 0, refused_ = 0;             ///< vectors
};

} // namespace warplight::software
