// SPDX-License-Identifier: Apache-2.0
// In-order queues of work. Each stream has a thread of its own that runs its work. A caller that waits for the stream
// runs the next work itself instead of waiting for that thread.
#pragma once

#include "block_list.hpp"
#include "capture_state.hpp"
#include "context_state.hpp"
#include "monitor.hpp"
#include "task.hpp"

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace warplight::software {

class Context;
class ContextStreams;
class Stream;

/// A point in a stream's work: reached when everything up to and with that number is done.
struct Ticket {
    std::shared_ptr<Stream> stream;
    std::uint64_t number = 0;
};

class Stream : public CapturableStream, public std::enable_shared_from_this<Stream> {
public:
    enum class Role : std::uint8_t { created, legacy, per_thread };
    /// Does its part of the work; failing makes the context's error.
    using Work = std::function<void()>;

    Stream(ContextStreams& owner, Role role, unsigned flags, int priority);

    const Role role;
    const unsigned flags;
    std::atomic<int> priority;
    const std::uint64_t id;
    [[nodiscard]] Context& context() const;

    /// Adds work, after `after` and in the default stream's order. `always`: even if the context has failed.
    /// Throws where the stream captures: work that can be captured does not come here.
    Ticket enqueue(Task work, std::vector<Ticket> after = {}, bool always = false);
    /// The same, where nobody asks for the point.
    void post(Task work);
    /// The same after `after` alone, with the context's submission() held.
    Ticket append(Task work, std::vector<Ticket> after, bool always = false);
    /// The same, and waits for it; on this thread where nothing is ahead of it.
    void run(Task work);

    [[nodiscard]] bool reached(std::uint64_t number) const { return completed_.load() >= number; }
    void wait(std::uint64_t number);
    /// The program knows that the stream has come so far.
    void host_waited(std::uint64_t number);
    /// The last that was added.
    [[nodiscard]] Ticket last();
    [[nodiscard]] bool idle();
    /// stop() was called, and all of its work is done.
    [[nodiscard]] bool ended();
    /// Waits for all work, in the legacy default stream also for the streams that it keeps order with.
    void synchronize();
    /// No more work will come; the thread ends when it is through.
    void stop();

    /// Values of CUstreamAttrID that were set.
    [[nodiscard]] std::map<int, CUlaunchAttributeValue> attributes();
    void set_attribute(int attribute, const CUlaunchAttributeValue& value);
    void set_attributes(std::map<int, CUlaunchAttributeValue> attributes);

private:
    friend class ContextStreams;
    struct Command {
        Task work;
        std::vector<Ticket> after;
        bool always = false;
    };
    static constexpr std::uint64_t kAll = UINT64_MAX;

    void start_thread();
    void thread_main();
    void wake_thread();
    std::uint64_t add(Task work, std::vector<Ticket> after, bool always);
    std::uint64_t push(Task work, std::vector<Ticket> after, bool always);
    /// Nobody carries out the work that there is.
    [[nodiscard]] bool is_left() const { return !busy_ && completed_ < enqueued_; }
    /// Carries out work up to that number, or all that there is. Nobody else does so meanwhile.
    void carry_out(std::uint64_t number, std::unique_lock<Mutex>& lock);
    void run_front();

    ContextStreams& owner_;
    std::shared_ptr<ContextState> keep_context_; ///< while the thread runs
    Mutex mutex_;
    Condition work_;
    Condition done_;
    BlockList<Command> queue_; ///< behind taken_
    BlockList<Command> taken_; ///< of who is busy, without the lock
    std::atomic<std::uint64_t> enqueued_ = 0;
    std::atomic<std::uint64_t> completed_ = 0;
    std::atomic<std::uint64_t> wanted_ = kAll; ///< the least number that somebody sleeps for on done_
    bool sleeping_ = false;                    ///< the thread waits on work_, and nobody has woken it
    std::atomic<bool> busy_ = false;           ///< somebody carries out work
    bool threaded_ = false;
    bool stopping_ = false;
    std::map<int, CUlaunchAttributeValue> attributes_;
};

/// Whether work has to wait for a point; where races are looked for also one that was reached, as that is chance.
[[nodiscard]] bool counts(const Ticket& ticket);

/// The streams of a context, and the order between them.
class ContextStreams : public ContextState {
public:
    /// Known here by name only: units above ask a stream for its context.
    Context& context;

    [[nodiscard]] std::shared_ptr<Stream> create_stream(unsigned flags, int priority);
    /// A handle as callers give it: null and CU_STREAM_LEGACY, CU_STREAM_PER_THREAD, or a created stream of this
    /// context. Throws CUDA_ERROR_INVALID_HANDLE.
    [[nodiscard]] std::shared_ptr<Stream> stream(CUstream handle);
    /// It goes once its work is done.
    void forget_stream(Stream& stream);
    /// How many there are, with those that were destroyed and still have work.
    [[nodiscard]] std::size_t stream_count();
    /// A stream that no handle stands for, of those that come and go with graphs that run.
    [[nodiscard]] std::shared_ptr<Stream> create_branch();
    [[nodiscard]] std::mutex& submission() { return submission_; }
    /// Work in `stream` must wait for these, so that the legacy default stream and the blocking streams stay in order.
    /// submission() is held.
    void add_default_stream_order(Stream& stream, std::vector<Ticket>& after);
    /// Waits for all streams.
    void drain();
    /// Nothing is queued, and nothing runs. With submission() held it stays so.
    [[nodiscard]] bool idle();

    /// Destroyed streams that still have work included.
    [[nodiscard]] std::vector<std::shared_ptr<Stream>> all_streams();
    /// No handle of a stream is known any longer.
    void forget_handles();
    /// Ends the threads of all streams.
    void stop_all();

protected:
    explicit ContextStreams(Context& owner);
    ~ContextStreams() = default;

private:
    void drop_ended_streams();

    std::mutex submission_;
    std::mutex streams_mutex_;
    std::shared_ptr<Stream> legacy_;
    std::map<std::thread::id, std::shared_ptr<Stream>> per_thread_;
    std::vector<std::shared_ptr<Stream>> all_;      ///< also destroyed ones that still have work
    std::vector<std::shared_ptr<Stream>> blocking_; ///< of all_, guarded by submission_
};

inline Context& Stream::context() const { return owner_.context; }

} // namespace warplight::software
