// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream.hpp"

#include <cuda.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace warplight::software {

struct EventCapture;

class Event {
public:
    Event(Context& owner, unsigned event_flags) : context(owner), flags(event_flags) {}
    Context& context;
    const unsigned flags;

    void record(Stream& stream);
    /// The same, the mark being put where `submit` puts it.
    void record(const std::function<Ticket(Stream::Work)>& submit);
    /// Where the last record stands; no stream when there was none.
    [[nodiscard]] Ticket ticket();
    [[nodiscard]] bool reached();
    void synchronize();
    /// Milliseconds from `start` to `end`. Throws the driver's codes.
    [[nodiscard]] static float elapsed(Event& start, Event& end);

    /// Last recorded in a stream that captures.
    [[nodiscard]] bool captured() const { return captured_.load(std::memory_order_acquire); }

private:
    struct Record {
        Ticket ticket;
        std::atomic<std::uint64_t> nanoseconds = 0;
    };
    std::shared_ptr<Record> last();

    std::mutex mutex_;
    std::shared_ptr<Record> last_;

    friend struct CaptureAccess;
    std::atomic<bool> captured_ = false;
    std::shared_ptr<EventCapture> capture_; ///< guarded by graph_mutex()
};

} // namespace warplight::software
