// SPDX-License-Identifier: Apache-2.0
// Kernels that are compiled while something else runs: by one thread of low priority, one after the other. The thread
// is there only as long as there is something to compile.
#pragma once

#include "software/jit/jit.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

namespace warplight::software {

class BackgroundCompilation {
public:
    /// Has all that it reads: whoever asked for it may go meanwhile.
    using Work = std::function<jit::Compilation()>;
    /// Null where there is no thread for it, as at the end of the process.
    [[nodiscard]] static std::shared_ptr<BackgroundCompilation> begin(Work work);
    /// At the exit the thread is waited for before anything is taken down that has been made until this call. LLVM
    /// makes some of its tables at their first use.
    static void guard_exit();
    /// Until all that has begun is done.
    static void wait_for_all();
    explicit BackgroundCompilation(Work work) : work_(std::move(work)) {}

    [[nodiscard]] bool is_done() const { return state_.load(std::memory_order_acquire) == State::done; }
    /// Until it is done. The caller compiles where the thread has not begun to.
    void wait();
    /// What has been compiled; once, and after wait(). Throws what compiling has thrown.
    [[nodiscard]] jit::Compilation take();
    /// Does not begin, if it has not begun.
    void cancel();

private:
    enum class State : std::uint8_t { waiting, running, done };
    struct Queue;
    static Queue& queue();
    static void serve(void*);
    static void end();
    void make();

    const Work work_;
    std::atomic<State> state_ = State::waiting; ///< changes under the queue's mutex
    std::optional<jit::Compilation> made_;
    std::exception_ptr error_;
};

} // namespace warplight::software
