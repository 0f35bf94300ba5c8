// SPDX-License-Identifier: Apache-2.0
// A thread with a queue of jobs. It runs them in the order in which they came.
#pragma once

#include "worker/crash_report.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

namespace warplight::worker {

class JobQueue {
public:
    using Job = std::function<void()>; ///< must not throw; without memory it may, which ends the process
    JobQueue() : thread_(start_thread([this] { run_jobs(); })) {}
    JobQueue(const JobQueue&) = delete;
    JobQueue& operator=(const JobQueue&) = delete;
    /// Waits for the job that runs, and drops the others.
    ~JobQueue() {
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
    void run_jobs() {
        prepare_thread_for_crash();
        for (;;) {
            Job job;
            {
                std::unique_lock lock(mutex_);
                ready_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
                if (jobs_.empty()) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            try {
                job();
            } catch (const std::bad_alloc&) { // there is no memory to answer with
                std::fputs("the worker is out of memory\n", stderr);
                platform::end_process(4);
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable ready_;
    std::deque<Job> jobs_;
    bool closed_ = false;
    std::thread thread_; // the last member, for it uses the others
};

} // namespace warplight::worker
