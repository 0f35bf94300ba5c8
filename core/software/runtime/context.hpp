// SPDX-License-Identifier: Apache-2.0
// What belongs together on a device: streams, events, modules, memory, limits, and the error that ended it all.
#pragma once

#include "device_heap.hpp"
#include "stream.hpp"

#include <cuda.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace warplight::software {

class Device;

/// A launch, as whoever wants it ended sees it.
class CancellableLaunch {
public:
    virtual ~CancellableLaunch() = default;
    /// Ends it soon, perhaps not before this has been called some more times. From any thread, while it runs.
    virtual void cancel() = 0;
};

class Context : public std::enable_shared_from_this<Context> {
public:
    /// Makes it known as a handle.
    [[nodiscard]] static std::shared_ptr<Context> create(Device& device, unsigned flags, bool primary);
    Context(Device& owner, unsigned flags, bool is_primary);

    Device& device;
    const bool primary;
    const std::uint64_t id;

    [[nodiscard]] unsigned flags() const { return flags_; }
    void set_flags(unsigned flags) { flags_ = flags; }

    // --- errors
    /// The error that a kernel left; the context answers with it until it is destroyed.
    [[nodiscard]] CUresult error() const { return static_cast<CUresult>(error_.load()); }
    void set_error(CUresult code, const std::string& message);
    /// Throws the context's error, or CUDA_ERROR_CONTEXT_IS_DESTROYED.
    void check() const;
    /// Ends what runs, and leaves CUDA_ERROR_LAUNCH_TIMEOUT as the context's error; nothing where it is idle. True: all
    /// kernels have ended.
    [[nodiscard]] bool cancel();
    /// What runs or is about to should fail.
    [[nodiscard]] bool cancelling() const { return cancelling_.load(std::memory_order_relaxed); }
    /// While it runs a launch can be cancelled.
    void add_running(CancellableLaunch& launch);
    void remove_running(CancellableLaunch& launch);
    /// Its destruction has begun.
    [[nodiscard]] bool ending() const { return destroyed_.load(); }

    // --- streams
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
    /// What work in `stream` must wait for so that the legacy default stream and the blocking streams stay in order.
    /// submission() is held.
    void add_default_stream_order(Stream& stream, std::vector<Ticket>& after);
    /// Waits for all streams.
    void drain();
    /// Nothing is queued, and nothing runs. With submission() held it stays so.
    [[nodiscard]] bool idle();
    /// drain(), prints what kernels printed, and throws the context's error.
    void synchronize();

    // --- peers
    /// Access to the memory of `peer`, a context of another device. Throws the driver's codes.
    void enable_peer(const Context& peer);
    void disable_peer(const Context& peer);

    // --- limits
    [[nodiscard]] std::size_t limit(int limit) const;
    void set_limit(int limit, std::size_t value);

    /// The heap of kernels; made at the first use.
    [[nodiscard]] DeviceHeap& heap();
    [[nodiscard]] std::uint64_t next_grid_id() { return ++grid_ids_; }

    std::atomic<CUfunc_cache> cache_config = CU_FUNC_CACHE_PREFER_NONE;
    const int shared_config = 1; ///< of banks: four bytes

    std::atomic<int> captures = 0;          ///< streams that capture
    std::atomic<int> blocking_captures = 0; ///< of these, those that the legacy default stream would wait for

    void destroy();

private:
    void drop_ended_streams();

    std::atomic<unsigned> flags_;
    std::atomic<int> error_ = CUDA_SUCCESS;
    std::atomic<bool> destroyed_ = false;
    std::atomic<bool> cancelling_ = false;
    std::mutex running_mutex_;
    std::vector<CancellableLaunch*> running_;

    std::mutex submission_;
    std::mutex streams_mutex_;
    std::shared_ptr<Stream> legacy_;
    std::map<std::thread::id, std::shared_ptr<Stream>> per_thread_;
    std::vector<std::shared_ptr<Stream>> all_;      ///< also destroyed ones that still have work
    std::vector<std::shared_ptr<Stream>> blocking_; ///< of all_, guarded by submission_

    std::mutex peers_mutex_;
    std::set<std::uint64_t> peers_; ///< ids of contexts

    mutable std::mutex limits_mutex_;
    std::map<int, std::size_t> limits_;
    std::mutex heap_mutex_;
    DeviceHeap heap_;
    std::atomic<std::uint64_t> grid_ids_ = 0;
};

/// The calling thread's stack of contexts.
[[nodiscard]] std::vector<std::shared_ptr<Context>>& context_stack();

} // namespace warplight::software
