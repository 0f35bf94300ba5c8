// SPDX-License-Identifier: Apache-2.0
// A mutex, and a condition that is waited for under it, whose waking up is a part of each launch.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace warplight::software {

/// Before a thread sleeps: looks for 20 microseconds, for waking it would cost as much. By the clock, as a pause takes
/// 40 cycles on one processor and 140 on another.
template <class Predicate>
void spin_until(Predicate is_met) {
    using Clock = std::chrono::steady_clock;
    constexpr std::chrono::microseconds kLong{20};
    constexpr unsigned kLooks = 32; ///< from one look at the clock to the next
    Clock::time_point end{};
    for (unsigned i = 1; !is_met(); ++i) {
#if defined(__x86_64__) || defined(_M_X64)
        _mm_pause();
#endif
        if (i % kLooks != 0) continue;
        const Clock::time_point now = Clock::now();
        if (i == kLooks)
            end = now + kLong;
        else if (now >= end)
            return;
    }
}

constexpr std::chrono::microseconds kSoon{200}; ///< what comes so soon is worth a longer look

/// Behind spin_until(): looks for so long, and lets other threads run meanwhile.
template <class Predicate>
void yield_until(Predicate is_met) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + kSoon;
    while (!is_met() && Clock::now() < end)
        std::this_thread::yield();
}

/// The waits of one thread for what often comes again soon. If the last one slept and was woken at once, the next one
/// looks for longer first. If it then looks in vain, it is not as patient again.
class Patience {
public:
    template <class Predicate>
    void wait(Predicate is_met) {
        spin_until(is_met);
        if (is_met()) return;
        since_ = Clock::now();
        if (!patient_) return;
        yield_until(is_met);
        patient_ = is_met();
    }
    /// The thread has slept, as nothing had come.
    void woken() { patient_ = Clock::now() - since_ < kSoon; }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point since_{};
    bool patient_ = false;
};

#ifdef __MINGW32__

/// In place of winpthreads', which wake a thread through semaphores of the kernel.
class Mutex {
public:
    Mutex() = default;
    Mutex(const Mutex&) = delete;
    Mutex& operator=(const Mutex&) = delete;
    void lock();
    void unlock();

private:
    friend class Condition;
    void* state_ = nullptr; ///< an SRWLOCK
};

class Condition {
public:
    Condition() = default;
    Condition(const Condition&) = delete;
    Condition& operator=(const Condition&) = delete;
    template <class Predicate>
    void wait(std::unique_lock<Mutex>& lock, Predicate is_met) {
        while (!is_met())
            wait_once(*lock.mutex());
    }
    void notify_one();
    void notify_all();

private:
    void wait_once(Mutex& mutex);
    void* state_ = nullptr; ///< a CONDITION_VARIABLE
};

#else

using Mutex = std::mutex;
using Condition = std::condition_variable;

#endif

} // namespace warplight::software
