// SPDX-License-Identifier: Apache-2.0
#include "background_compilation.hpp"

#include "platform.hpp"
#include "process_end.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>

namespace warplight::software {
namespace {

constexpr std::size_t kCompilerStack = std::size_t{64} << 20; ///< as of other threads that compile: passes recurse

} // namespace

struct BackgroundCompilation::Queue {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::shared_ptr<BackgroundCompilation>> waiting;
    bool is_served = false;
    bool has_ended = false;
    /// Whose thread it is. The child of a fork has no such thread.
    std::atomic<std::uint64_t> process = platform::process_id();
};

BackgroundCompilation::Queue& BackgroundCompilation::queue() {
    static auto* const instance = new Queue; // never destroyed: the thread may run until the process ends
    return *instance;
}

std::shared_ptr<BackgroundCompilation> BackgroundCompilation::begin(Work work) {
    auto begun = std::make_shared<BackgroundCompilation>(std::move(work));
    Queue& q = queue();
    const std::scoped_lock lock(q.mutex);
    if (q.process != platform::process_id()) {
        q.process = platform::process_id();
        q.waiting.clear();
        q.is_served = false;
    }
    if (q.has_ended) return nullptr;
    if (!q.is_served) {
        static const bool once = [] {
            platform::keep_loaded();
            guard_exit();
            return true;
        }();
        q.is_served = once && platform::start_thread(&serve, nullptr, kCompilerStack, "warplight-jit");
        if (!q.is_served) return nullptr;
    }
    q.waiting.push_back(begun);
    return begun;
}

void BackgroundCompilation::serve(void*) {
    platform::lower_priority();
    Queue& q = queue();
    std::unique_lock lock(q.mutex);
    while (!q.has_ended && !q.waiting.empty()) {
        std::shared_ptr<BackgroundCompilation> next = std::move(q.waiting.front());
        q.waiting.pop_front();
        next->state_ = State::running;
        lock.unlock();
        next->make();
        guard_exit();
        lock.lock();
        next->state_ = State::done;
        q.changed.notify_all();
        lock.unlock();
        next.reset(); // perhaps the last who wanted it
        lock.lock();
    }
    q.is_served = false;
    q.changed.notify_all();
}

void BackgroundCompilation::guard_exit() { platform::at_exit_beside_threads(&BackgroundCompilation::end); }

/// At the exit: LLVM must not be taken down while a thread uses it.
void BackgroundCompilation::end() {
    Queue& q = queue();
    if (q.process != platform::process_id()) return;
    std::unique_lock lock(q.mutex);
    q.has_ended = true;
    q.changed.wait(lock, [&] { return !q.is_served; });
}

void BackgroundCompilation::make() {
    try {
        made_ = work_();
    } catch (...) {
        error_ = std::current_exception();
    }
}

void BackgroundCompilation::wait() {
    Queue& q = queue();
    std::unique_lock lock(q.mutex);
    if (state_ == State::waiting || (state_ == State::running && q.process != platform::process_id())) {
        std::erase_if(q.waiting, [&](const auto& other) { return other.get() == this; });
        state_ = State::running;
        lock.unlock();
        make();
        lock.lock();
        state_ = State::done;
        q.changed.notify_all();
        return;
    }
    q.changed.wait(lock, [&] { return state_ == State::done; });
}

void BackgroundCompilation::wait_for_all() {
    Queue& q = queue();
    if (q.process != platform::process_id()) return;
    std::unique_lock lock(q.mutex);
    q.changed.wait(lock, [&] { return !q.is_served; });
}

jit::Compilation BackgroundCompilation::take() {
    if (error_) std::rethrow_exception(error_);
    return std::move(*made_);
}

void BackgroundCompilation::cancel() {
    Queue& q = queue();
    const std::scoped_lock lock(q.mutex);
    std::erase_if(q.waiting, [&](const auto& other) { return other.get() == this; });
}

} // namespace warplight::software
