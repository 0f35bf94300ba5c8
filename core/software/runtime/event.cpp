// SPDX-License-Identifier: Apache-2.0
#include "event.hpp"

#include "failure.hpp"

#include <chrono>

namespace warplight::software {

void Event::record(Stream& stream) {
    record([&](Stream::Work mark) { return stream.enqueue(std::move(mark)); });
}

void Event::record(const std::function<Ticket(Stream::Work)>& submit) {
    auto record = std::make_shared<Record>();
    SharedEvent::Mark mark;
    if (shared) mark = shared->record();
    record->number = mark.number;
    record->ticket = submit([record, reached = std::move(mark.reached)] {
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        record->nanoseconds =
            static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
    });
    captured_.store(false, std::memory_order_release);
    const std::scoped_lock lock(mutex_);
    last_ = std::move(record);
}

std::shared_ptr<Event::Record> Event::last() {
    const std::scoped_lock lock(mutex_);
    return last_;
}

Event::Wait Event::last_record() {
    const auto record = last();
    if (shared) {
        // The shared number counts for records of this process too: other processes hear of a record before its stream
        // does.
        const std::uint64_t number = shared->last();
        if (shared->reached(number)) return {};
        if (!record || number != record->number) return {{}, [event = shared, number] { event->wait(number); }};
    }
    if (!record || !counts(record->ticket)) return {};
    return {record->ticket, nullptr};
}

bool Event::reached() {
    const Wait wait = last_record();
    if (wait.work || (wait.ticket.stream && !wait.ticket.stream->reached(wait.ticket.number))) return false;
    if (wait.ticket.stream) wait.ticket.stream->host_waited(wait.ticket.number);
    return true;
}

void Event::synchronize() {
    const Wait wait = last_record();
    if (wait.work) wait.work();
    if (!wait.ticket.stream) return;
    wait.ticket.stream->wait(wait.ticket.number);
    wait.ticket.stream->host_waited(wait.ticket.number);
}

float Event::elapsed(Event& start, Event& end) {
    if ((start.flags | end.flags) & CU_EVENT_DISABLE_TIMING) {
        fail(CUDA_ERROR_INVALID_HANDLE, "an event made with CU_EVENT_DISABLE_TIMING has no time");
    }
    const auto from = start.last();
    const auto to = end.last();
    if (!from || !to) fail(CUDA_ERROR_INVALID_HANDLE, "an event that was never recorded has no time");
    if (!start.reached() || !end.reached()) fail(CUDA_ERROR_NOT_READY);
    const auto difference =
        static_cast<std::int64_t>(to->nanoseconds.load()) - static_cast<std::int64_t>(from->nanoseconds.load());
    return static_cast<float>(static_cast<double>(difference) * 1e-6);
}

} // namespace warplight::software
