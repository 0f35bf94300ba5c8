// SPDX-License-Identifier: Apache-2.0
// A context: a device, its streams, limits and the heap of its kernels. Modules, events and memory name the context
// that they belong to; context_lifetime.hpp ends them with it.
#pragma once

#include "checked_heap.hpp"
#include "device_heap.hpp"
#include "stream.hpp"

#include <cuda.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace warplight::software {

class Device;

/// A running launch that can be ended early.
class CancellableLaunch {
public:
    virtual ~CancellableLaunch() = default;
    /// Ends it soon, perhaps not before this has been called some more times. From any thread, while it runs.
    virtual void cancel() = 0;
};

class Context : public ContextStreams {
public:
    /// Makes it known as a handle.
    [[nodiscard]] static std::shared_ptr<Context> create(Device& device, unsigned flags, bool primary);
    Context(Device& owner, unsigned flags, bool is_primary);

    Device& device;
    const bool primary;

    [[nodiscard]] unsigned flags() const { return flags_; }
    void set_flags(unsigned flags) { flags_ = flags; }

    [[nodiscard]] std::shared_ptr<Context> shared_from_this() {
        return std::static_pointer_cast<Context>(ContextState::shared_from_this());
    }

    /// Ends the kernels that run, and leaves CUDA_ERROR_LAUNCH_TIMEOUT as the context's error. An idle context is left
    /// alone. True: all kernels have ended.
    [[nodiscard]] bool cancel();
    /// Launches that run, and those about to, should fail.
    [[nodiscard]] bool cancelling() const { return cancelling_.load(std::memory_order_relaxed); }
    /// While it runs a launch can be cancelled.
    void add_running(CancellableLaunch& launch);
    void remove_running(CancellableLaunch& launch);
    /// Waits for all streams, flushes the output of kernels, and throws the context's error.
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
    [[nodiscard]] DeviceHeap::State heap_state() { return heap_.state(); }
    void set_heap_state(const DeviceHeap::State& state) { heap_.set_state(state); }
    /// That of kernels that are checked.
    [[nodiscard]] CheckedHeap& checked_heap() { return checked_heap_; }
    /// Memory for the parameters of launches that kernels ask for; 0 where there is none. Kernels write to it.
    [[nodiscard]] std::uint64_t allocate_launch_parameters(std::uint64_t bytes);
    [[nodiscard]] DeviceHeap& launch_parameters() { return launch_parameters_; }
    [[nodiscard]] std::uint64_t next_grid_id() { return ++grid_ids_; }

    /// It has events that take times: kernels should be as fast as they get.
    std::atomic<bool> is_timed = false;
    std::atomic<CUfunc_cache> cache_config = CU_FUNC_CACHE_PREFER_NONE;
    const int shared_config = 1; ///< of banks: four bytes

private:
    std::atomic<unsigned> flags_;
    std::atomic<bool> cancelling_ = false;
    std::mutex running_mutex_;
    std::vector<CancellableLaunch*> running_;

    std::mutex peers_mutex_;
    std::set<std::uint64_t> peers_; ///< ids of contexts

    mutable std::mutex limits_mutex_;
    std::map<int, std::size_t> limits_;
    std::mutex heap_mutex_;
    DeviceHeap heap_;
    CheckedHeap checked_heap_;
    DeviceHeap launch_parameters_;
    std::atomic<std::uint64_t> grid_ids_ = 0;
};

/// The calling thread's stack of contexts.
[[nodiscard]] std::vector<std::shared_ptr<Context>>& context_stack();

} // namespace warplight::software
