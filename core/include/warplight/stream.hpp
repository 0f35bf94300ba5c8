// SPDX-License-Identifier: Apache-2.0
// Streams: queues of work that a device does in order.
#pragma once

#include "warplight/callback.hpp"
#include "warplight/enums_graph.hpp"
#include "warplight/handles.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::driver {

class Event;
class Graph;
class ContextRef;

struct StreamPriorityRange {
    int least = 0;
    int greatest = 0; ///< the lowest number
};
/// What priorities the current context's device knows.
StreamPriorityRange get_stream_priority_range();

/// How memory from `base` on is kept in the L2 cache for the kernels of a stream.
struct AccessPolicyWindow {
    device_ptr base = 0;
    std::size_t bytes = 0; ///< 0: no window
    float hit_ratio = 0;   ///< share of the window that hit_property is for, 0…1
    access_property hit_property = access_property::NORMAL;
    access_property miss_property = access_property::NORMAL; ///< not PERSISTING
};

struct MemSyncDomainMap {
    std::uint8_t default_domain = 0;
    std::uint8_t remote_domain = 1;
};

/// One operation of Stream::batch_mem_op.
struct MemoryOperation {
    stream_batch_mem_op_type type = stream_batch_mem_op_type::BARRIER;
    device_ptr address = 0;  ///< aligned to the value; not managed memory
    std::uint64_t value = 0; ///< the low half of it for the operations with 32 bits
    unsigned flags = 0;      ///< of stream_wait_value_flags, stream_write_value_flags, stream_memory_barrier_flags
};

/// Where a capture stands.
struct CaptureInfo {
    stream_capture_status status = stream_capture_status::NONE;
    std::uint64_t id = 0; ///< never given twice in a process; 0 when nothing is captured
    CUgraph_st* graph = nullptr;
    std::vector<CUgraphNode_st*> dependencies; ///< of what the stream captures next
};

/// A stream of the context that is current when it is made. Move-only. Destroying it does not wait.
/// Where a function takes `const Stream* stream`, null is the default stream of the current context.
class Stream {
public:
    /// @param flags of stream_flags
    /// @param priority lower is sooner; clamped to what the device offers
    explicit Stream(unsigned flags = 0, int priority = 0);
    /// A stream that someone else owns, in the current context.
    static Stream from_native(CUstream_st* handle);

    Stream(Stream&&) noexcept = default;
    Stream& operator=(Stream&&) noexcept = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream() = default;

    /// Waits until all work queued here is done. @throws what that work failed with.
    void synchronize() const;
    /// Whether all work queued here is done; does not wait.
    bool is_done() const;
    /// Work queued here later starts after the event.
    /// @param flags of event_wait_flags; EXTERNAL (a node of its own in a graph) while the stream is captured only
    void wait_for_event(const Event& event, unsigned flags = 0) const;

    int get_priority() const;
    /// As the stream was made.
    unsigned get_flags() const;
    /// Never given twice in a process. CUDA 12.0.
    std::uint64_t get_id() const;
    ContextRef get_context() const;

    /// Calls a function of the host when the work queued so far is done; what is queued later waits for it. It must
    /// not call the driver. It is not called when the work failed.
    void launch_host_func(Callback<void()> function) const;
    /// The older form: called with the stream's error code (0 for none) also when the work failed. Not in captures.
    void add_callback(Callback<void(int code)> function) const;

    // --- attributes that kernels launched here begin with (CUDA 11.0)
    void set_priority(int priority) const; ///< CUDA 11.7; later launches
    AccessPolicyWindow get_access_policy_window() const;
    void set_access_policy_window(const AccessPolicyWindow& window) const;
    synchronization_policy get_synchronization_policy() const;
    void set_synchronization_policy(synchronization_policy policy) const;
    MemSyncDomainMap get_mem_sync_domain_map() const; ///< CUDA 12.0
    void set_mem_sync_domain_map(const MemSyncDomainMap& map) const;
    launch_mem_sync_domain get_mem_sync_domain() const; ///< CUDA 12.0
    void set_mem_sync_domain(launch_mem_sync_domain domain) const;
    void copy_attributes(const Stream& source) const;

    // --- memory operations, in the stream's order
    /// Work queued later waits until the value at the address is as the flags say, of stream_wait_value_flags.
    void wait_value_32(DevicePointer address, std::uint32_t value, unsigned flags = stream_wait_value_flags::GEQ) const;
    void wait_value_64(DevicePointer address, std::uint64_t value, unsigned flags = stream_wait_value_flags::GEQ) const;
    void write_value_32(DevicePointer address, std::uint32_t value, unsigned flags = 0) const;
    void write_value_64(DevicePointer address, std::uint64_t value, unsigned flags = 0) const;
    /// One after the other; at most 256.
    void batch_mem_op(std::span<const MemoryOperation> operations) const;

    // --- capture: work queued here becomes nodes of a graph instead of running (see graph.hpp)
    void begin_capture(stream_capture_mode mode = stream_capture_mode::GLOBAL) const;
    /// Into a graph that there is already, behind these of its nodes. CUDA 12.3. The graph must outlive the capture.
    void begin_capture_to_graph(const Graph& graph, std::span<CUgraphNode_st* const> dependencies = {},
                                stream_capture_mode mode = stream_capture_mode::GLOBAL) const;
    /// @throws LogicError when something that cannot be captured was tried, or another stream's work was not joined.
    Graph end_capture() const;
    /// The end of begin_capture_to_graph().
    void end_capture_to_graph() const;
    stream_capture_status is_capturing() const;
    CaptureInfo get_capture_info() const;
    /// @param flags of stream_update_capture_dependencies_flags. CUDA 11.3.
    void update_capture_dependencies(std::span<CUgraphNode_st* const> dependencies, unsigned flags = 0) const;

    CUstream_st* handle() const noexcept;
    /// "stream 2 of context 1 on device 0"
    std::string describe() const;
    /// Internal.
    detail::StreamState& state() const;

private:
    explicit Stream(Shared<detail::StreamState> state) noexcept : state_(std::move(state)) {}
    Shared<detail::StreamState> state_;
};

} // namespace warplight::driver
