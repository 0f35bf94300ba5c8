// SPDX-License-Identifier: Apache-2.0
// Streams, their captures, and events.
#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

WL_RUNTIME(cudaStreamCreate, (Stream * stream)) {
    return call([&](const Functions& f) {
        require(stream);
        return f.fn_cuStreamCreate(stream, 0);
    });
}
WL_RUNTIME(cudaStreamCreateWithFlags, (Stream * stream, unsigned flags)) {
    return call([&](const Functions& f) {
        require(stream);
        return f.fn_cuStreamCreate(stream, flags);
    });
}
WL_RUNTIME(cudaStreamCreateWithPriority, (Stream * stream, unsigned flags, int priority)) {
    return call([&](const Functions& f) {
        require(stream);
        return f.fn_cuStreamCreateWithPriority(stream, flags, priority);
    });
}
WL_RUNTIME(cudaStreamDestroy, (Stream stream)) {
    return call([&](const Functions& f) {
        require(stream, cudaErrorInvalidResourceHandle);
        return f.fn_cuStreamDestroy(stream);
    });
}

WL_STREAM_RUNTIME(cudaStreamSynchronize, _ptsz, (Stream stream), (stream)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamSynchronize(stream); });
}

namespace {
/// Work that is not done yet is an answer, no error of the thread's.
template <bool PerThread, class Body>
Error ask(Body&& body) {
    bool ready = true;
    const Error error = call<PerThread>([&](const Functions& f) {
        const CUresult code = body(f);
        ready = code != CUDA_ERROR_NOT_READY;
        return ready ? code : CUDA_SUCCESS;
    });
    return ready ? error : cudaErrorNotReady;
}
} // namespace

WL_STREAM_RUNTIME(cudaStreamQuery, _ptsz, (Stream stream), (stream)) {
    return ask<PerThread>([&](const Functions& f) { return f.fn_cuStreamQuery(stream); });
}
WL_STREAM_RUNTIME(cudaStreamWaitEvent, _ptsz, (Stream stream, Event event, unsigned flags), (stream, event, flags)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamWaitEvent(stream, event, flags); });
}
WL_STREAM_RUNTIME(cudaStreamAddCallback, _ptsz, (Stream stream, CUstreamCallback callback, void* data, unsigned flags),
                  (stream, callback, data, flags)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamAddCallback(stream, callback, data, flags); });
}
WL_STREAM_RUNTIME(cudaStreamGetPriority, _ptsz, (Stream stream, int* priority), (stream, priority)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamGetPriority(stream, priority); });
}
WL_STREAM_RUNTIME(cudaStreamGetFlags, _ptsz, (Stream stream, unsigned* flags), (stream, flags)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamGetFlags(stream, flags); });
}
WL_STREAM_RUNTIME(cudaStreamGetId, _ptsz, (Stream stream, unsigned long long* id), (stream, id)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamGetId(stream, id); });
}
WL_STREAM_RUNTIME(cudaStreamGetDevice, _ptsz, (Stream stream, int* device), (stream, device)) {
    return call<PerThread>([&](const Functions& f) {
        require(device);
        CUcontext context = nullptr;
        check(f.fn_cuStreamGetCtx(stream, &context));
        check(f.fn_cuCtxPushCurrent(context));
        const CUresult code = f.fn_cuCtxGetDevice(device);
        (void)f.fn_cuCtxPopCurrent(&context);
        return code;
    });
}

// Streams and launches have one kind of attributes, that of the driver.
WL_STREAM_RUNTIME(cudaStreamCopyAttributes, _ptsz, (Stream target, Stream source), (target, source)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamCopyAttributes(target, source); });
}
WL_STREAM_RUNTIME(cudaStreamGetAttribute, _ptsz, (Stream stream, int attribute, CUstreamAttrValue* value),
                  (stream, attribute, value)) {
    return call<PerThread>([&](const Functions& f) {
        require(value); // NVIDIA's driver does not look
        return f.fn_cuStreamGetAttribute(stream, static_cast<CUstreamAttrID>(attribute), value);
    });
}
WL_STREAM_RUNTIME(cudaStreamSetAttribute, _ptsz, (Stream stream, int attribute, const CUstreamAttrValue* value),
                  (stream, attribute, value)) {
    return call<PerThread>([&](const Functions& f) {
        require(value);
        return f.fn_cuStreamSetAttribute(stream, static_cast<CUstreamAttrID>(attribute), value);
    });
}

WL_STREAM_RUNTIME(cudaStreamBeginCapture, _ptsz, (Stream stream, int mode), (stream, mode)) {
    return call<PerThread>(
        [&](const Functions& f) { return f.fn_cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)); });
}
WL_STREAM_RUNTIME(cudaStreamBeginCaptureToGraph, _ptsz,
                  (Stream stream, Graph graph, const GraphNode* nodes, const GraphEdgeData* edges, std::size_t count,
                   int mode),
                  (stream, graph, nodes, edges, count, mode)) {
    return call<PerThread>([&](const Functions& f) {
        return f.fn_cuStreamBeginCaptureToGraph(stream, graph, nodes, edges, count,
                                                static_cast<CUstreamCaptureMode>(mode));
    });
}
WL_STREAM_RUNTIME(cudaStreamEndCapture, _ptsz, (Stream stream, Graph* graph), (stream, graph)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuStreamEndCapture(stream, graph); });
}
WL_STREAM_RUNTIME(cudaStreamIsCapturing, _ptsz, (Stream stream, int* status), (stream, status)) {
    return call<PerThread>([&](const Functions& f) {
        require(status);
        CUstreamCaptureStatus its = CU_STREAM_CAPTURE_STATUS_NONE;
        check(f.fn_cuStreamIsCapturing(stream, &its));
        *status = its;
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaThreadExchangeStreamCaptureMode, (int* mode)) {
    return call([&](const Functions& f) {
        require(mode);
        auto its = static_cast<CUstreamCaptureMode>(*mode);
        check(f.fn_cuThreadExchangeStreamCaptureMode(&its));
        *mode = its;
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaEventCreate, (Event * event)) {
    return call([&](const Functions& f) {
        require(event);
        return f.fn_cuEventCreate(event, 0);
    });
}
WL_RUNTIME(cudaEventCreateWithFlags, (Event * event, unsigned flags)) {
    return call([&](const Functions& f) {
        require(event);
        return f.fn_cuEventCreate(event, flags);
    });
}
WL_RUNTIME(cudaEventDestroy, (Event event)) {
    return call([&](const Functions& f) {
        require(event, cudaErrorInvalidResourceHandle);
        return f.fn_cuEventDestroy(event);
    });
}
WL_STREAM_RUNTIME(cudaEventRecord, _ptsz, (Event event, Stream stream), (event, stream)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuEventRecord(event, stream); });
}
WL_STREAM_RUNTIME(cudaEventRecordWithFlags, _ptsz, (Event event, Stream stream, unsigned flags),
                  (event, stream, flags)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuEventRecordWithFlags(event, stream, flags); });
}
WL_RUNTIME(cudaEventQuery, (Event event)) {
    return ask<false>([&](const Functions& f) { return f.fn_cuEventQuery(event); });
}
WL_RUNTIME(cudaEventSynchronize, (Event event)) {
    return call([&](const Functions& f) { return f.fn_cuEventSynchronize(event); });
}
WL_RUNTIME(cudaEventElapsedTime, (float* milliseconds, Event start, Event end)) {
    return ask<false>([&](const Functions& f) {
        require(milliseconds);
        return f.fn_cuEventElapsedTime(milliseconds, start, end);
    });
}
WL_RUNTIME(cudaEventElapsedTime_v2, (float* milliseconds, Event start, Event end)) {
    return ask<false>([&](const Functions& f) {
        require(milliseconds);
        return f.fn_cuEventElapsedTime_v2(milliseconds, start, end);
    });
}

WL_RUNTIME(cudaIpcGetEventHandle, (CUipcEventHandle * handle, Event event)) {
    return call([&](const Functions& f) { return f.fn_cuIpcGetEventHandle(handle, event); });
}
WL_RUNTIME(cudaIpcOpenEventHandle, (Event * event, CUipcEventHandle handle)) {
    return call([&](const Functions& f) { return f.fn_cuIpcOpenEventHandle(event, handle); });
}
WL_RUNTIME(cudaIpcGetMemHandle, (CUipcMemHandle * handle, void* pointer)) {
    return call(
        [&](const Functions& f) { return f.fn_cuIpcGetMemHandle(handle, reinterpret_cast<CUdeviceptr>(pointer)); });
}
WL_RUNTIME(cudaIpcOpenMemHandle, (void** pointer, CUipcMemHandle handle, unsigned flags)) {
    return call([&](const Functions& f) {
        return f.fn_cuIpcOpenMemHandle(reinterpret_cast<CUdeviceptr*>(pointer), handle, flags);
    });
}
WL_RUNTIME(cudaIpcCloseMemHandle, (void* pointer)) {
    return call([&](const Functions& f) { return f.fn_cuIpcCloseMemHandle(reinterpret_cast<CUdeviceptr>(pointer)); });
}

} // namespace warplight::runtime_api
