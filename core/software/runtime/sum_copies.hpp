// SPDX-License-Identifier: Apache-2.0
// A worker's own copies of memory to which a launch only adds, such as a histogram, or of which it only keeps the least
// or the largest numbers. The blocks of the worker need no locked instructions there, and workers do not wait for each
// other's lines of the cache.
#pragma once

#include "launch_request.hpp"
#include "shared_window.hpp"
#include "software/jit/abi/abi.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// What is copied, the same for all workers.
struct SumPlan {
    struct Memory {
        std::uint64_t begin = 0, bytes = 0; ///< 0 bytes: it is not copied
        unsigned element = 0;               ///< bytes of a number
        SumOperation operation = SumOperation::add;
        /// The copy begins with what the memory holds: one worker's floats add up in the order of its threads.
        bool goes_on = false;
    };
    std::array<Memory, kMostSums> memory{};
    [[nodiscard]] bool is_empty() const {
        return std::all_of(memory.begin(), memory.end(), [](const Memory& m) { return m.bytes == 0; });
    }
};

/// Of a launch that has to add often enough to each number. Memory that anything else may access meanwhile is left
/// out: the launch itself by another pointer, and the host.
[[nodiscard]] SumPlan plan_sums(const jit::CompiledKernel& kernel, const LaunchRequest& request, std::uint64_t threads,
                                std::uint64_t workers);

class SumCopies {
public:
    /// Numbers that change no sum. Without memory for them there are no copies.
    explicit SumCopies(const SumPlan& plan);
    ~SumCopies();
    SumCopies(const SumCopies&) = delete;
    SumCopies& operator=(const SumCopies&) = delete;

    [[nodiscard]] const std::array<SumCopy, kMostSums>& all() const { return copies_; }
    [[nodiscard]] const SumPlan& plan() const { return plan_; }
    /// What copy k held at first, where it goes on.
    [[nodiscard]] const std::byte* began_with(std::size_t k) const { return began_with_.at(k); }

private:
    const SumPlan plan_;
    std::array<SumCopy, kMostSums> copies_{};
    std::array<std::byte*, kMostSums> began_with_{};
    std::unique_ptr<SharedWindow> window_;
};

/// Adds the copies of all workers to the memory, when none of them runs any more. Each worker that helps has a part of
/// the memory to itself: they would wait for each other's lines of the cache. Null: a worker had no block. False where
/// the memory faults.
[[nodiscard]] bool add_to_memory(std::vector<std::unique_ptr<SumCopies>> copies);

} // namespace warplight::software
