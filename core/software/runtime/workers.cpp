// SPDX-License-Identifier: Apache-2.0
#include "workers.hpp"

#include "configuration.hpp"
#include "monitor.hpp"
#include "platform.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace warplight::software {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 20; // calls of a kernel may go deep

/// The calls of one run_on_workers().
class Job {
public:
    Job(const std::function<void(unsigned)>& body, unsigned count, const void* job_owner)
        : owner(job_owner), body_(body), count_(count) {}

    /// Makes calls until all have begun.
    void run() {
        for (unsigned i = 0; (i = next_.fetch_add(1, std::memory_order_relaxed)) < count_;) {
            try {
                body_(i);
            } catch (...) {
                if (!failed_.exchange(true)) failure_ = std::current_exception();
            }
        }
    }
    /// Calls that have not begun.
    [[nodiscard]] unsigned left() const {
        const unsigned begun = next_.load(std::memory_order_relaxed);
        return begun < count_ ? count_ - begun : 0;
    }
    /// When nobody runs it any more.
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

    const void* const owner;           ///< of the thread that began it
    std::atomic<unsigned> helpers = 0; ///< threads in run(), the caller aside

private:
    const std::function<void(unsigned)>& body_;
    const unsigned count_;
    std::atomic<unsigned> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::exception_ptr failure_;
};

/// Threads that start when they are first of use, and stay until the process ends.
class Pool {
public:
    void run(Job& job);

    std::atomic<unsigned> spinning_outside = 0; ///< threads that are none of these, in spin_or_help()
    std::atomic<bool> help_asked = false;       ///< of them, or of who has asked where there are none
    void help_if_asked(const void* owner);

private:
    void serve();
    void help(Job& job, std::unique_lock<Mutex>& lock);
    void start_threads(unsigned wanted);
    void wait_for_helpers(const Job& job, std::unique_lock<Mutex>& lock);
    [[nodiscard]] Job* joinable() const;
    void wake(std::unique_lock<Mutex>& lock);

    Mutex mutex_;
    Condition work_, done_;
    std::vector<Job*> jobs_; ///< the oldest first
    unsigned limit_ = configuration().workers;
    unsigned threads_ = 0;
    unsigned sleeping_ = 0;             ///< threads
    std::atomic<unsigned> idle_ = 0;    ///< threads without a job
    std::atomic<unsigned> active_ = 0;  ///< threads in a call, callers' too; callers do not keep to the limit
    std::atomic<unsigned> waiting_ = 0; ///< callers that sleep until their helpers have left
    std::atomic<unsigned> changes_ = 0; ///< counted up when there may be a job to join
};

/// A job inside a call: its caller is counted already.
thread_local bool is_active = false;
thread_local const void* owner_of_jobs = nullptr;

Job* Pool::joinable() const {
    if (active_ >= limit_) return nullptr;
    const auto found = std::ranges::find_if(jobs_, [](const Job* job) { return job->left() > 0; });
    return found == jobs_.end() ? nullptr : *found;
}

/// Unlocks, and wakes as many threads as can join, but four at most: each that joins wakes four more.
void Pool::wake(std::unique_lock<Mutex>& lock) {
    unsigned threads = 0;
    if (const Job* job = sleeping_ > 0 ? joinable() : nullptr)
        threads = std::min({job->left(), limit_ - std::min<unsigned>(active_, limit_), sleeping_, 4U});
    lock.unlock();
    for (; threads > 0; --threads)
        work_.notify_one();
}

/// With an owner: by taking part in a job of it.
void Pool::help_if_asked(const void* owner) {
    if (!help_asked || !help_asked.exchange(false)) return;
    std::unique_lock lock(mutex_);
    if (owner && active_ < limit_ && platform::stack_left() >= kStackToHelp) {
        const auto found =
            std::ranges::find_if(jobs_, [&](const Job* job) { return job->owner == owner && job->left() > 0; });
        if (found != jobs_.end()) {
            help(**found, lock);
            return;
        }
    }
    wake(lock);
}

void Pool::start_threads(unsigned wanted) {
    while (idle_ < wanted && threads_ + 1 < limit_) {
        const auto main = [](void* pool) { static_cast<Pool*>(pool)->serve(); };
        if (!platform::start_thread(main, this, kStackBytes, "warplight-work")) {
            limit_ = threads_ + 1; // and it is not tried again
            return;
        }
        ++threads_;
        ++idle_;
    }
}

void Pool::serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
        const unsigned seen = changes_;
        Job* job = joinable();
        if (!job) {
            ++sleeping_;
            work_.wait(lock, [&] { return joinable() != nullptr; });
            --sleeping_;
            continue;
        }
        const bool alone = jobs_.size() == 1;
        --idle_;
        help(*job, lock);
        ++idle_;
        // Without the lock, which all workers would want at once: what this one may have missed has been counted.
        if (alone) spin_until([&] { return changes_ != seen; });
        lock.lock();
    }
}

/// Unlocks.
void Pool::help(Job& job, std::unique_lock<Mutex>& lock) {
    ++active_;
    ++job.helpers;
    wake(lock);
    const bool before = std::exchange(is_active, true);
    job.run();
    is_active = before;
    --active_;
    if (--job.helpers > 0 || waiting_ == 0) return; // and the job may be gone
    const std::scoped_lock again(mutex_);
    done_.notify_all();
}

void Pool::wait_for_helpers(const Job& job, std::unique_lock<Mutex>& lock) {
    const auto is_done = [&] { return job.helpers == 0; };
    spin_until(is_done);
    if (is_done()) return;
    lock.lock();
    ++waiting_;
    done_.wait(lock, is_done);
    --waiting_;
    lock.unlock();
}

void Pool::run(Job& job) {
    std::unique_lock lock(mutex_);
    const unsigned others = job.left() - 1;
    start_threads(others);
    jobs_.push_back(&job);
    const bool nested = std::exchange(is_active, true);
    if (!nested) ++active_;
    ++changes_;
    const unsigned spinning = spinning_outside;
    if (others > spinning)
        wake(lock);
    else
        lock.unlock();
    if (spinning > 0) {
        help_asked = true;
        if (spinning_outside == 0) help_if_asked(nullptr);
    }
    job.run();
    lock.lock();
    std::erase(jobs_, &job);
    --active_; // a caller that waits leaves its place to another
    if (!jobs_.empty()) ++changes_;
    wake(lock);
    wait_for_helpers(job, lock);
    if (nested) ++active_;
    is_active = nested;
    job.rethrow();
}

Pool& pool() {
    static auto* instance = new Pool; // never destroyed: kernels may run until the process ends
    return *instance;
}

} // namespace

JobOwner::JobOwner(const void* owner) : before_(std::exchange(owner_of_jobs, owner)) {}
JobOwner::~JobOwner() { owner_of_jobs = before_; }

void begin_spinning() { ++pool().spinning_outside; }
bool is_help_asked() { return pool().help_asked; }
void end_spinning(const void* owner) {
    --pool().spinning_outside; // before the look: who asks now sees that nobody spins
    pool().help_if_asked(owner);
}

void run_on_workers(unsigned count, const std::function<void(unsigned)>& body) {
    if (count <= 1 || configuration().workers == 1) {
        for (unsigned i = 0; i < count; ++i)
            body(i);
        return;
    }
    Job job(body, count, owner_of_jobs);
    pool().run(job);
}

} // namespace warplight::software
