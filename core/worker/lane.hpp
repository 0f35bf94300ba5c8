// SPDX-License-Identifier: Apache-2.0
// A thread with a queue: jobs in the order they came.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace warplight::worker {

class Lane {
public:
    using Job = std::function<void()>; ///< must not throw
    Lane() : thread_([this] { work(); }) {}
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;
    /// Waits for the job that runs and drops those that wait.
    ~Lane() {
        {
            std::lock_guard lock(mutex_);
            closed_ = true;
            jobs_.clear();
        }
        ready_.notify_all();
        thread_.join();
    }
    void post(Job job) {
        {
            std::lock_guard lock(mutex_);
            jobs_.push_back(std::move(job));
        }
        ready_.notify_one();
    }

private:
    void work() {
        for (;;) {
            Job job;
            {
                std::unique_lock lock(mutex_);
                ready_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
                if (jobs_.empty()) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Job> jobs_;
    bool closed_ = false;
    std::thread thread_; // last: it uses the others
};

} // namespace warplight::worker
