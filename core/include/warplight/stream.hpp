// SPDX-License-Identifier: Apache-2.0
// Streams: queues of work that a device does in order.
#pragma once

#include "warplight/handles.hpp"

#include <memory>
#include <string>

namespace warplight::driver {

class Event;

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
    void wait_for_event(const Event& event) const;

    CUstream_st* handle() const noexcept;
    /// "stream 2 of context 1 on device 0"
    std::string describe() const;
    /// Internal.
    detail::StreamState& state() const;

private:
    explicit Stream(std::shared_ptr<detail::StreamState> state) noexcept : state_(std::move(state)) {}
    std::shared_ptr<detail::StreamState> state_;
};

} // namespace warplight::driver
