// SPDX-License-Identifier: Apache-2.0
// Events: marks in a stream that can be waited for and carry a time.
//
// A time between two events holds all that the stream did between them. The first launch of a kernel makes its code
// ready, which on the software device is its compilation for that size of block. Launch the kernel once and
// synchronize before the first event is recorded, and the times are the kernel's alone.
#pragma once

#include "warplight/handles.hpp"
#include "warplight/shared.hpp"

#include <array>
#include <cstddef>

namespace warplight::driver {

class Stream;

/// An event of the context that is current when it is made. Move-only.
class Event {
public:
    using IpcHandle = std::array<std::byte, 64>;

    /// @param flags of event_flags
    explicit Event(unsigned flags = 0);
    /// Opens an event of another process, in the current context: what either process records, the other can wait for.
    /// It has no time. @throws LogicError for bytes that are no handle, or of an event that is gone. CUDA 4.1.
    static Event from_ipc_handle(const IpcHandle& handle);

    Event(Event&&) noexcept = default;
    Event& operator=(Event&&) noexcept = default;
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    ~Event() = default;

    /// Marks the end of the work queued in the stream so far (null: the default stream).
    Event& record(const Stream* stream = nullptr);
    Event& record(const Stream& stream) { return record(&stream); }
    /// @param flags of event_record_flags; EXTERNAL (a node of its own in a graph) while the stream is captured only.
    /// CUDA 11.1.
    Event& record_with_flags(const Stream* stream, unsigned flags);
    /// Waits until the work before the mark is done.
    const Event& synchronize() const;
    /// Whether it is done; does not wait.
    bool query() const;
    /// Milliseconds from `earlier` to this. @throws LogicError when one is not recorded, RuntimeError when one is
    /// not done.
    float time_since(const Event& earlier) const;
    /// Milliseconds from this to `later`.
    float time_till(const Event& later) const { return later.time_since(*this); }
    /// To open it in another process; the event needs event_flags::INTERPROCESS | DISABLE_TIMING. CUDA 4.1.
    IpcHandle ipc_handle() const;

    CUevent_st* handle() const noexcept;
    /// Internal.
    detail::EventState& state() const;

private:
    explicit Event(Shared<detail::EventState> state) noexcept : state_(std::move(state)) {}
    Shared<detail::EventState> state_;
};

} // namespace warplight::driver
