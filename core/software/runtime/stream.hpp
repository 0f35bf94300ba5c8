// SPDX-License-Identifier: Apache-2.0
// In-order queues of work. Each stream has a thread of its own that carries its work out; a caller who waits for the
// stream carries out what is next itself instead of waiting for that thread.
#pragma once

#include <cuda.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace warplight::software {

class Context;
class Stream;
struct StreamCapture;

/// A point in a stream's work: reached when everything up to and with that number is done.
struct Ticket {
    std::shared_ptr<Stream> stream;
    std::uint64_t number = 0;
};

class Stream : public std::enable_shared_from_this<Stream> {
public:
    enum class Role : std::uint8_t { created, legacy, per_thread };
    /// Does its part of the work; failing makes the context's error.
    using Work = std::function<void()>;

    Stream(Context& context, Role role, unsigned flags, int priority);

    const Role role;
    const unsigned flags;
    std::atomic<int> priority;
    const std::uint64_t id;
    [[nodiscard]] Context& context() const { return context_; }
    /// Whether it keeps order with the legacy default stream.
    [[nodiscard]] bool blocking() const { return (flags & CU_STREAM_NON_BLOCKING) == 0; }

    /// Adds work, after `after` and what the default stream's rules ask for. `always`: even if the context has failed.
    /// Throws where the stream captures: what can be captured does not come here.
    Ticket enqueue(Work work, std::vector<Ticket> after = {}, bool always = false);
    /// The same after `after` alone, with the context's submission() held.
    Ticket append(Work work, std::vector<Ticket> after, bool always = false);
    /// The same, and waits for it; on this thread where nothing is ahead of it.
    void run(Work work);

    [[nodiscard]] bool reached(std::uint64_t number) const { return completed_.load() >= number; }
    void wait(std::uint64_t number);
    /// The last that was added.
    [[nodiscard]] Ticket last();
    [[nodiscard]] bool idle();
    /// stop() was called, and all of its work is done.
    [[nodiscard]] bool ended();
    /// Waits for everything, and for default streams for what they stand for.
    void synchronize();
    /// No more work will come; the thread ends when it is through.
    void stop();

    /// Whether what is added becomes nodes of a graph, or is refused because that went wrong (capture.hpp).
    [[nodiscard]] bool capturing() const { return capturing_.load(std::memory_order_acquire); }

    /// Values of CUstreamAttrID that were set.
    [[nodiscard]] std::map<int, CUlaunchAttributeValue> attributes();
    void set_attribute(int attribute, const CUlaunchAttributeValue& value);
    void set_attributes(std::map<int, CUlaunchAttributeValue> attributes);

private:
    struct Command {
        Work work;
        std::vector<Ticket> after;
        bool always = false;
    };
    void start_thread();
    void thread_main();
    void run_front(std::unique_lock<std::mutex>& lock);
    std::uint64_t push(Command command, std::unique_lock<std::mutex>& lock);

    Context& context_;
    std::shared_ptr<Context> keep_context_; ///< while the thread runs
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable done_;
    std::deque<Command> queue_;
    std::atomic<std::uint64_t> enqueued_ = 0;
    std::atomic<std::uint64_t> completed_ = 0;
    std::atomic<bool> sleeping_ = false; ///< the thread waits on work_
    bool busy_ = false;                  ///< somebody carries out the front
    bool threaded_ = false;
    bool stopping_ = false;
    std::map<int, CUlaunchAttributeValue> attributes_;

    friend struct CaptureAccess;
    std::atomic<bool> capturing_ = false;
    std::shared_ptr<StreamCapture> capture_; ///< guarded by graph_mutex()
};

/// True on a thread that is in a host function of a stream: it may not call the driver.
[[nodiscard]] bool in_host_function();
class HostFunctionScope {
public:
    HostFunctionScope();
    ~HostFunctionScope();
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;
};

} // namespace warplight::software
