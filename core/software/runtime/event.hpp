// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shared_event.hpp"
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
    /// `shared`: the part that other processes see, for CU_EVENT_INTERPROCESS.
    Event(Context& owner, unsigned event_flags, std::shared_ptr<SharedEvent> shared_event = nullptr)
        : context(owner), flags(event_flags), shared(std::move(shared_event)) {}
    Context& context;
    const unsigned flags;
    const std::shared_ptr<SharedEvent> shared;

    void record(Stream& stream);
    /// The same, the mark being put where `submit` puts it.
    void record(const std::function<Ticket(Stream::Work)>& submit);
    /// How to wait for the last record: by a ticket, by work that waits for another process, or not at all.
    struct Wait {
        Ticket ticket;
        Stream::Work work;
        explicit operator bool() const { return ticket.stream || work; }
    };
    [[nodiscard]] Wait last_record();
    [[nodiscard]] bool reached();
    void synchronize();
    /// Milliseconds from `start` to `end`. Throws the driver's codes.
    [[nodiscard]] static float elapsed(Event& start, Event& end);

    /// Last recorded in a stream that captures.
    [[nodiscard]] bool captured() const { return captured_.load(std::memory_order_acquire); }

private:
    struct Record {
        Ticket ticket;
        std::uint64_t number = 0; ///< where it is shared
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
