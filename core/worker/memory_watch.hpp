// SPDX-License-Identifier: Apache-2.0
// Keeps the memory of a child and of the processes that it started below a limit.
#pragma once

#include "worker/platform.hpp"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace warplight::worker {

/// Looks at the memory in use every few milliseconds, and kills the child when it is over the limit. The child's own
/// limit (limit_data) makes allocations fail before that where it can; this one holds whatever the child does.
class MemoryWatch {
public:
    MemoryWatch(std::shared_ptr<platform::Child> child, std::uint64_t limit);
    ~MemoryWatch();
    MemoryWatch(const MemoryWatch&) = delete;
    MemoryWatch& operator=(const MemoryWatch&) = delete;

    /// The child was killed because it was over the limit.
    [[nodiscard]] bool was_over() const { return over_; }

private:
    void watch();

    std::shared_ptr<platform::Child> child_;
    const std::uint64_t limit_;
    std::mutex mutex_;
    std::condition_variable ending_;
    bool end_ = false;
    std::atomic<bool> over_ = false;
    std::thread thread_; // the last member, for it uses the others
};

} // namespace warplight::worker
