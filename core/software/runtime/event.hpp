// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "stream.hpp"

#include <cuda.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace warplight::software {

class Event {
public:
    Event(Context& owner, unsigned event_flags) : context(owner), flags(event_flags) {}
    Context& context;
    const unsigned flags;

    void record(Stream& stream);
    /// Where the last record stands; no stream when there was none.
    [[nodiscard]] Ticket ticket();
    [[nodiscard]] bool reached();
    void synchronize();
    /// Milliseconds from `start` to `end`. Throws the driver's codes.
    [[nodiscard]] static float elapsed(Event& start, Event& end);

private:
    struct Record {
        Ticket ticket;
        std::atomic<std::uint64_t> nanoseconds = 0;
    };
    std::shared_ptr<Record> last();

    std::mutex mutex_;
    std::shared_ptr<Record> last_;
};

} // namespace warplight::software
