// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/background_compilation.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/event.hpp"
#include "../runtime/memory_pool.hpp"

using namespace warplight::software;

namespace {

constexpr unsigned kFlags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

std::shared_ptr<Event> event_of(CUevent handle) { return handles<Event>().get(handle); }

CUresult elapsed(float* milliseconds, CUevent start, CUevent end) {
    if (const CUresult wrong = look_at([&] { require(start && end, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        require(milliseconds, CUDA_ERROR_INVALID_HANDLE); // as a driver calls it
        const auto from = event_of(start);
        const auto to = event_of(end);
        require(&from->context == &to->context, CUDA_ERROR_INVALID_HANDLE);
        from->context.check();
        forbid_captured(*from);
        forbid_captured(*to);
        *milliseconds = Event::elapsed(*from, *to);
    });
}

constexpr unsigned kExternal = 1; ///< CU_EVENT_RECORD_EXTERNAL

CUresult record(CUevent hEvent, CUstream hStream, unsigned flags) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        const auto event = event_of(hEvent);
        require((flags & ~kExternal) == 0);
        require(&event->context == &stream->context(), CUDA_ERROR_INVALID_HANDLE);
        require(!(flags & kExternal) || stream->capturing()); // a node of the graph; there is none to make otherwise
        if (flags & kExternal)
            capture_node(*stream, event_content(CU_GRAPH_NODE_TYPE_EVENT_RECORD, hEvent));
        else if (stream->capturing())
            capture_record(*stream, *event);
        else
            event->record(*stream);
    });
}

} // namespace

WL_ENTRY(cuEventCreate, (CUevent * phEvent, unsigned int Flags)) {
    return enter([&] {
        Context& context = current_context();
        require(phEvent && (Flags & ~kFlags) == 0);
        // An event that other processes may open has no time.
        require(!(Flags & CU_EVENT_INTERPROCESS) || (Flags & CU_EVENT_DISABLE_TIMING));
        std::shared_ptr<SharedEvent> shared;
        if (Flags & CU_EVENT_INTERPROCESS) {
            shared = SharedEvent::create();
            require(shared != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
        }
        auto event = std::make_shared<Event>(context, Flags, std::move(shared));
        handles<Event>().add(event);
        // A time is that of fast code, and of no wait for it.
        if (!(Flags & CU_EVENT_DISABLE_TIMING) && !context.is_timed.exchange(true))
            BackgroundCompilation::wait_for_all();
        *phEvent = reinterpret_cast<CUevent>(event.get());
    });
}

WL_ENTRY(cuEventDestroy_v2, (CUevent hEvent)) {
    if (const CUresult wrong = look_at([&] { require(hEvent, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        const auto event = event_of(hEvent);
        require(handles<Event>().remove(hEvent), CUDA_ERROR_INVALID_HANDLE);
        event->context.check();
    });
}

WL_STREAM_ENTRY(cuEventRecord, _ptsz, (CUevent hEvent, CUstream hStream), (hEvent, hStream)) {
    return record(hEvent, hStream, 0);
}

WL_STREAM_ENTRY(cuEventRecordWithFlags, _ptsz, (CUevent hEvent, CUstream hStream, unsigned int flags),
                (hEvent, hStream, flags)) {
    return record(hEvent, hStream, flags);
}

WL_ENTRY(cuEventQuery, (CUevent hEvent)) {
    if (const CUresult wrong = look_at([&] { require(hEvent, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        const auto event = event_of(hEvent);
        event->context.check();
        forbid_captured(*event);
        forbid_unsafe_call();
        require(event->reached(), CUDA_ERROR_NOT_READY);
    });
}

WL_ENTRY(cuEventSynchronize, (CUevent hEvent)) {
    if (const CUresult wrong = look_at([&] { require(hEvent, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        const auto event = event_of(hEvent);
        forbid_captured(*event);
        forbid_unsafe_call();
        event->synchronize();
        flush_output();
        event->context.check();
        trim_pools();
    });
}

#undef cuEventElapsedTime
WL_ENTRY(cuEventElapsedTime, (float* pMilliseconds, CUevent hStart, CUevent hEnd)) {
    return elapsed(pMilliseconds, hStart, hEnd);
}
WL_ENTRY(cuEventElapsedTime_v2, (float* pMilliseconds, CUevent hStart, CUevent hEnd)) {
    return elapsed(pMilliseconds, hStart, hEnd);
}
