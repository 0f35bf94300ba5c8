// SPDX-License-Identifier: Apache-2.0
#include "workers.hpp"

#include "configuration.hpp"
#include "job.hpp"
#include "monitor.hpp"
#include "platform.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace warplight::software {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 20; // calls of a kernel may go deep

/// Threads that start when they are first of use, and stay until the process ends. Those that are awake find jobs
/// without a lock, as they all come at once.
class Pool {
public:
    void run(const std::function<void(unsigned)>& body, unsigned count);

    std::atomic<unsigned> spinning_outside = 0; ///< threads that are none of these, in spin_or_help()
    std::atomic<bool> help_asked = false;       ///< of them, or of who has asked where there are none
    void help_if_asked(const void* owner);

private:
    void serve(unsigned place);
    void help(Job& job, unsigned place);
    void start_threads(unsigned wanted);
    void wait_for_helpers(const Job& job);
    [[nodiscard]] Job* free_job();
    [[nodiscard]] Job* open_job() const;
    [[nodiscard]] bool has_work() const { return active_ < limit_ && open_job(); }
    [[nodiscard]] bool enter(Job& job);
    void leave(Job& job);
    void wake();

    static constexpr unsigned kJobs = 64;
    mutable std::array<Job, kJobs> jobs_;
    std::atomic<std::uint64_t> in_use_ = 0; ///< of each job a bit
    std::atomic<unsigned> limit_ = configuration().workers;
    std::atomic<unsigned> idle_ = 0;    ///< threads without a job
    std::atomic<unsigned> active_ = 0;  ///< threads in a call, callers' too; callers do not keep to the limit
    std::atomic<unsigned> changes_ = 0; ///< counted up when there may be a job to join

    Mutex mutex_;
    Condition work_, done_;
    std::atomic<unsigned> threads_ = 0;
    std::atomic<unsigned> sleeping_ = 0; ///< threads
    std::atomic<unsigned> waiting_ = 0;  ///< callers that sleep until their helpers have left
};

/// A job inside a call: its caller is counted already.
thread_local bool is_active = false;
thread_local const void* owner_of_jobs = nullptr;

/// Null: all are in use.
Job* Pool::free_job() {
    for (std::uint64_t free = ~in_use_; free != 0;) {
        const std::uint64_t bit = free & -free;
        const std::uint64_t used = in_use_.fetch_or(bit);
        if (!(used & bit)) return &jobs_.at(static_cast<std::size_t>(std::countr_zero(bit)));
        free = ~used;
    }
    return nullptr;
}

/// One with calls that have not begun, or null.
Job* Pool::open_job() const {
    for (std::uint64_t used = in_use_; used != 0; used &= used - 1) {
        Job& job = jobs_.at(static_cast<std::size_t>(std::countr_zero(used)));
        if (job.left() > 0) return &job;
    }
    return nullptr;
}

bool Pool::enter(Job& job) {
    if (active_.fetch_add(1) >= limit_) {
        --active_;
        return false;
    }
    if (job.enter()) return true;
    leave(job);
    return false;
}

void Pool::leave(Job& job) {
    --active_;
    if (!job.leave() || waiting_ == 0) return;
    const std::scoped_lock lock(mutex_);
    done_.notify_all();
}

/// Wakes as many threads as can join, but four at most: each that joins wakes four more.
void Pool::wake() {
    if (sleeping_ == 0) return;
    unsigned threads = 0;
    {
        const std::scoped_lock lock(mutex_); // who has looked and found nothing sleeps by now
        const Job* job = open_job();
        const unsigned active = active_, limit = limit_;
        if (job && active < limit) threads = std::min({job->left(), limit - active, sleeping_.load(), 4U});
    }
    for (; threads > 0; --threads)
        work_.notify_one();
}

/// With an owner: by taking part in a job of it.
void Pool::help_if_asked(const void* owner) {
    if (!help_asked || !help_asked.exchange(false)) return;
    if (owner && platform::stack_left() >= kStackToHelp)
        for (std::uint64_t used = in_use_; used != 0; used &= used - 1) {
            Job& job = jobs_.at(static_cast<std::size_t>(std::countr_zero(used)));
            if (job.owner() != owner || job.left() == 0 || !enter(job)) continue;
            if (job.owner() != owner) { // that was another one, which has ended
                leave(job);
                continue;
            }
            help(job, Job::kNoPlace);
            return;
        }
    wake();
}

void Pool::start_threads(unsigned wanted) {
    if (idle_ >= wanted || threads_ + 1 >= limit_) return;
    const std::scoped_lock lock(mutex_);
    struct Start {
        Pool* pool;
        unsigned place;
    };
    const auto main = [](void* argument) {
        const std::unique_ptr<Start> start(static_cast<Start*>(argument));
        start->pool->serve(start->place);
    };
    while (idle_ < wanted && threads_ + 1 < limit_) {
        auto start = std::make_unique<Start>(this, threads_ + 1);
        if (!platform::start_thread(main, start.get(), kStackBytes, "warplight-work")) {
            limit_ = threads_ + 1; // and it is not tried again
            return;
        }
        (void)start.release(); // the thread's
        ++threads_;
        ++idle_;
    }
}

/// `place`: the thread's own, counted from 1. 0 is the caller's.
void Pool::serve(unsigned place) {
    Patience patience;
    for (;;) {
        const unsigned seen = changes_;
        Job* job = open_job();
        if (job && enter(*job)) {
            const bool alone = std::has_single_bit(in_use_.load());
            --idle_;
            help(*job, place);
            ++idle_;
            if (alone) patience.wait([&] { return changes_ != seen; });
            continue;
        }
        if (job && active_ < limit_) continue; // somebody was faster, or just leaves
        std::unique_lock lock(mutex_);
        ++sleeping_; // before the look: who opens a job looks at this afterwards
        work_.wait(lock, [&] { return has_work(); });
        --sleeping_;
        patience.woken();
    }
}

/// Of a job that the thread has entered.
void Pool::help(Job& job, unsigned place) {
    wake();
    const bool before = std::exchange(is_active, true);
    job.run(place);
    is_active = before;
    leave(job);
}

void Pool::wait_for_helpers(const Job& job) {
    const auto have_left = [&] { return job.is_left(); };
    spin_until(have_left);
    yield_until(have_left); // they run the last of many calls
    if (have_left()) return;
    std::unique_lock lock(mutex_);
    ++waiting_;
    done_.wait(lock, have_left);
    --waiting_;
}

void Pool::run(const std::function<void(unsigned)>& body, unsigned count) {
    Job* const job = free_job();
    if (!job) { // so many are open that no worker is idle
        for (unsigned i = 0; i < count; ++i)
            body(i);
        return;
    }
    start_threads(count - 1);
    job->open(body, count, owner_of_jobs);
    const bool nested = std::exchange(is_active, true);
    if (!nested) ++active_;
    ++changes_;
    const unsigned spinning = spinning_outside;
    if (count - 1 > spinning) wake();
    if (spinning > 0) {
        help_asked = true;
        if (spinning_outside == 0) help_if_asked(nullptr);
    }
    job->run(0);
    job->close();
    --active_; // a caller that waits leaves its place to another
    if (in_use_ & (in_use_ - 1)) {
        ++changes_;
        wake();
    }
    wait_for_helpers(*job);
    const std::exception_ptr failure = job->take_failure();
    in_use_ &= ~(std::uint64_t{1} << (job - jobs_.data()));
    if (nested) ++active_;
    is_active = nested;
    if (failure) std::rethrow_exception(failure);
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
    pool().run(body, count);
}

} // namespace warplight::software
