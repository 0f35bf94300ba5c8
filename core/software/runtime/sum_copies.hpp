// SPDX-License-Identifier: Apache-2.0
// A worker's own copies of memory to which a launch only adds integers, such as a histogram. The blocks of the worker
// need no locked instructions there, and workers do not wait for each other's lines of the cache.
#pragma once

#include "launch_request.hpp"
#include "shared_window.hpp"
#include "software/jit/abi/abi.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace warplight::jit {
class CompiledKernel;
}

namespace warplight::software {

/// What is copied, the same for all workers.
struct SumPlan {
    struct Memory {
        std::uint64_t begin = 0, bytes = 0; ///< 0 bytes: it is not copied
        unsigned element = 0;               ///< bytes of an integer
    };
    std::array<Memory, kMostSums> memory{};
};

/// Of a launch that has to add often enough to each integer. Memory that anything else may access meanwhile is left
/// out: the launch itself by another pointer, and the host.
[[nodiscard]] SumPlan plan_sums(const jit::CompiledKernel& kernel, const LaunchRequest& request, std::uint64_t threads,
                                std::uint64_t workers);

class SumCopies {
public:
    /// Zeros. Without memory for them there are no copies.
    explicit SumCopies(const SumPlan& plan);
    ~SumCopies();
    SumCopies(const SumCopies&) = delete;
    SumCopies& operator=(const SumCopies&) = delete;

    [[nodiscard]] const std::array<SumCopy, kMostSums>& all() const { return copies_; }
    /// Adds the copies to the memory. False where that faults.
    [[nodiscard]] bool add_to_memory() const;

private:
    void add_all() const;

    const SumPlan plan_;
    std::array<SumCopy, kMostSums> copies_{};
    std::unique_ptr<SharedWindow> window_;
};

} // namespace warplight::software
