// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/capture.hpp"
#include "../runtime/event.hpp"
#include "../runtime/memory_pool.hpp"

using namespace warplight::software;

namespace {

CUresult create(CUstream* phStream, unsigned flags, int priority) {
    if (const CUresult wrong = look_at([&] { require(phStream); })) return wrong;
    return enter([&] {
        Context& context = current_context();
        require((flags & ~unsigned{CU_STREAM_NON_BLOCKING}) == 0);
        priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
        *phStream = reinterpret_cast<CUstream>(context.create_stream(flags, priority).get());
    });
}

constexpr unsigned kExternal = 1; ///< CU_EVENT_WAIT_EXTERNAL

} // namespace

WL_ENTRY(cuStreamCreate, (CUstream * phStream, unsigned int Flags)) { return create(phStream, Flags, 0); }

WL_ENTRY(cuStreamCreateWithPriority, (CUstream * phStream, unsigned int flags, int priority)) {
    return create(phStream, flags, priority);
}

WL_ENTRY(cuStreamDestroy_v2, (CUstream hStream)) {
    if (const CUresult wrong = look_at([&] { require(hStream, CUDA_ERROR_INVALID_HANDLE); })) return wrong;
    return enter([&] {
        const auto stream = handles<Stream>().get(hStream);
        stream->context().check();
        abandon_capture(*stream);
        handles<Stream>().remove(hStream);
        stream->context().forget_stream(*stream);
    });
}

WL_STREAM_ENTRY(cuStreamQuery, _ptsz, (CUstream hStream), (hStream)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_capture(*stream);
        forbid_unsafe_call();
        require(stream->idle(), CUDA_ERROR_NOT_READY);
        flush_output();
        stream->context().check();
    });
}

WL_STREAM_ENTRY(cuStreamSynchronize, _ptsz, (CUstream hStream), (hStream)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_capture(*stream);
        forbid_unsafe_call();
        stream->synchronize();
        flush_output();
        stream->context().check();
        trim_pools();
    });
}

WL_STREAM_ENTRY(cuStreamWaitEvent, _ptsz, (CUstream hStream, CUevent hEvent, unsigned int Flags),
                (hStream, hEvent, Flags)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_implicit_capture(*stream);
        require((Flags & ~kExternal) == 0);
        const auto event = handles<Event>().get(hEvent);
        if (Flags & kExternal) {
            require(stream->capturing()); // a node of the graph; there is none to make otherwise
            capture_node(*stream, event_content(CU_GRAPH_NODE_TYPE_WAIT_EVENT, hEvent));
            return;
        }
        if (capture_wait(*stream, *event)) return;
        Event::Wait wait = event->last_record();
        if (wait.work)
            stream->enqueue(std::move(wait.work));
        else if (wait)
            stream->enqueue([] {}, {std::move(wait.ticket)});
    });
}

WL_STREAM_ENTRY(cuStreamGetPriority, _ptsz, (CUstream hStream, int* priority), (hStream, priority)) {
    if (const CUresult wrong = look_at([&] { require(priority); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_implicit_capture(*stream);
        *priority = stream->priority;
    });
}

WL_STREAM_ENTRY(cuStreamGetFlags, _ptsz, (CUstream hStream, unsigned int* flags), (hStream, flags)) {
    if (const CUresult wrong = look_at([&] { require(flags); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_capture(*stream);
        *flags = stream->flags;
    });
}

WL_STREAM_ENTRY(cuStreamGetId, _ptsz, (CUstream hStream, unsigned long long* streamId), (hStream, streamId)) {
    if (const CUresult wrong = look_at([&] { require(streamId); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_capture(*stream);
        *streamId = stream->id;
    });
}

WL_STREAM_ENTRY(cuStreamGetCtx, _ptsz, (CUstream hStream, CUcontext* pctx), (hStream, pctx)) {
    if (const CUresult wrong = look_at([&] { require(pctx); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        forbid_implicit_capture(*stream);
        *pctx = reinterpret_cast<CUcontext>(&stream->context());
    });
}

#if CUDA_VERSION >= 12040
using GreenContext = CUgreenCtx;
#else
using GreenContext = void*;
#endif

WL_STREAM_ENTRY(cuStreamGetCtx_v2, _ptsz, (CUstream hStream, CUcontext* pCtx, GreenContext* pGreenCtx),
                (hStream, pCtx, pGreenCtx)) {
    if (!pCtx && !pGreenCtx) return CUDA_ERROR_INVALID_VALUE;
    CUcontext context = nullptr; // one of them is enough
    const CUresult result = body_cuStreamGetCtx(hStream, pCtx ? pCtx : &context);
    if (result == CUDA_SUCCESS && pGreenCtx) *pGreenCtx = nullptr; // there are none
    return result;
}

WL_STREAM_ENTRY_SINCE(cuStreamGetDevice, _ptsz, 12080, (CUstream hStream, CUdevice* device), (hStream, device)) {
    return enter([&] {
        require(device);
        *device = any_stream(hStream)->context().device.ordinal;
    });
}

WL_STREAM_ENTRY(cuStreamAddCallback, _ptsz,
                (CUstream hStream, CUstreamCallback callback, void* userData, unsigned int flags),
                (hStream, callback, userData, flags)) {
    if (const CUresult wrong = look_at([&] { require(callback && flags == 0); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        stream->enqueue(
            [=, context = &stream->context()] {
                const HostFunctionScope scope;
                callback(hStream, context->error(), userData);
            },
            {}, true); // it is called after an error too, and told so
    });
}

WL_STREAM_ENTRY(cuLaunchHostFunc, _ptsz, (CUstream hStream, CUhostFn fn, void* userData), (hStream, fn, userData)) {
    if (const CUresult wrong = look_at([&] { require(fn); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        const Content content = host_content({fn, userData});
        if (stream->capturing())
            capture_node(*stream, content);
        else
            stream->enqueue([content] { content->work(); });
    });
}
