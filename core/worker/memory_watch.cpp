// SPDX-License-Identifier: Apache-2.0
#include "worker/memory_watch.hpp"

#include "worker/thread_start.hpp"

#include <chrono>
#include <utility>

namespace warplight::worker {

MemoryWatch::MemoryWatch(std::shared_ptr<platform::Child> child, std::uint64_t limit)
    : child_(std::move(child)), limit_(limit), thread_(start_thread([this] { watch(); })) {}

MemoryWatch::~MemoryWatch() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ending_.notify_all();
    thread_.join();
}

void MemoryWatch::watch() {
    constexpr auto interval = std::chrono::milliseconds(10);
    std::unique_lock lock(mutex_);
    while (!ending_.wait_for(lock, interval, [this] { return end_; })) {
        lock.unlock();
        const std::uint64_t used = child_->memory();
        lock.lock();
        if (used <= limit_) continue;
        over_ = true;
        child_->kill();
        return;
    }
}

} // namespace warplight::worker
