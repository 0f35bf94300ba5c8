// SPDX-License-Identifier: Apache-2.0
// Good calls: streams, events, captures.
#include "bad_input.hpp"

namespace bad_input {
namespace {

void CUDA_CB host_function(void*) {}
void CUDA_CB stream_callback(CUstream, CUresult, void*) {}

Slot operations(Fixture& f) {
    CUstreamBatchMemOpParams p{};
    p.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    p.writeValue.address = f.get(Thing::memory);
    return f.in(p);
}
Slot code(void* function) { return {.kind = Kind::bytes, .bits = reinterpret_cast<std::uint64_t>(function)}; }
Slot attribute(Fixture& f) {
    CUstreamAttrValue_v1 value{};
    value.syncPolicy = CU_SYNC_POLICY_SPIN;
    return f.in(value);
}
CUstreamAttrID policy() { return CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY; }
/// A stream that waits for what comes later never ends: the value is what memory holds.
Slot zeros(Fixture& f) {
    const Slot slot = f.is(Thing::memory);
    f.api.fn_cuMemsetD32(slot.bits, 0, 16);
    f.api.fn_cuCtxSynchronize();
    return slot;
}

/// Last recorded in a capture that has ended.
Slot captured_event(Fixture& f) {
    Slot slot = f.is(Thing::event);
    const CUstream stream = f.as<CUstream>(Thing::stream);
    CUevent event = nullptr;
    CUgraph graph = nullptr;
    f.api.fn_cuEventCreate(&event, 0);
    slot.bits = reinterpret_cast<std::uint64_t>(event);
    f.api.fn_cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED);
    f.api.fn_cuEventRecord(event, stream);
    if (f.api.fn_cuStreamEndCapture(stream, &graph) == CUDA_SUCCESS) f.api.fn_cuGraphDestroy(graph);
    return slot;
}

} // namespace

void add_streams(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuStreamCreate, f.makes(Thing::stream), 0);
    WARPLIGHT_ROW(cuStreamCreateWithPriority, f.makes(Thing::stream), 0, f.fixed(0));
    WARPLIGHT_ROW(cuStreamDestroy, f.takes(Thing::stream));
    WARPLIGHT_ROW(cuStreamQuery, f.is(Thing::stream));
    WARPLIGHT_ROW(cuStreamSynchronize, f.is(Thing::stream));
    WARPLIGHT_ROW(cuStreamWaitEvent, f.is(Thing::stream), f.is(Thing::event), 0);
    WARPLIGHT_ROW_AS(cuStreamWaitEvent, "captured", f.is(Thing::stream), captured_event(f), 0);
    WARPLIGHT_ROW(cuStreamGetPriority, f.is(Thing::stream), f.out());
    WARPLIGHT_ROW(cuStreamGetFlags, f.is(Thing::stream), f.out());
    WARPLIGHT_ROW(cuStreamGetId, f.is(Thing::stream), f.out());
    WARPLIGHT_ROW(cuStreamGetCtx, f.is(Thing::stream), f.out());
    WARPLIGHT_ROW(cuStreamGetCtx_v2, f.is(Thing::stream), f.out(), f.out());
    WARPLIGHT_ROW(cuStreamAddCallback, f.is(Thing::stream), code(reinterpret_cast<void*>(&stream_callback)), f.fixed(0),
                  0);
    WARPLIGHT_ROW(cuLaunchHostFunc, f.is(Thing::stream), code(reinterpret_cast<void*>(&host_function)), f.fixed(0));
    WARPLIGHT_ROW(cuStreamGetAttribute, f.is(Thing::stream), policy(), f.out());
    WARPLIGHT_ROW(cuStreamSetAttribute, f.is(Thing::stream), policy(), attribute(f));
    WARPLIGHT_ROW(cuStreamCopyAttributes, f.is(Thing::stream), f.is(Thing::stream));
    WARPLIGHT_ROW(cuStreamWaitValue32, f.is(Thing::stream), zeros(f), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWaitValue32_v2, f.is(Thing::stream), zeros(f), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWaitValue64, f.is(Thing::stream), zeros(f), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWaitValue64_v2, f.is(Thing::stream), zeros(f), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWriteValue32, f.is(Thing::stream), f.is(Thing::memory), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWriteValue32_v2, f.is(Thing::stream), f.is(Thing::memory), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWriteValue64, f.is(Thing::stream), f.is(Thing::memory), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamWriteValue64_v2, f.is(Thing::stream), f.is(Thing::memory), f.fixed(0), 0);
    WARPLIGHT_ROW(cuStreamBatchMemOp, f.is(Thing::stream), f.pick(1, {0, 257}), operations(f), 0);
    WARPLIGHT_ROW(cuStreamBatchMemOp_v2, f.is(Thing::stream), f.pick(1, {0, 257}), operations(f), 0);

    WARPLIGHT_ROW(cuEventCreate, f.makes(Thing::event), 0);
    WARPLIGHT_ROW(cuEventDestroy, f.takes(Thing::event));
    WARPLIGHT_ROW(cuEventQuery, f.is(Thing::event));
    WARPLIGHT_ROW(cuEventSynchronize, f.is(Thing::event));
    WARPLIGHT_ROW_AS(cuEventQuery, "captured", captured_event(f));
    WARPLIGHT_ROW_AS(cuEventSynchronize, "captured", captured_event(f));
    WARPLIGHT_ROW(cuEventRecord, f.is(Thing::event), f.is(Thing::stream));
    WARPLIGHT_ROW(cuEventRecordWithFlags, f.is(Thing::event), f.is(Thing::stream), 0);
    WARPLIGHT_ROW(cuEventElapsedTime, f.out(), f.is(Thing::event), f.is(Thing::event));
    WARPLIGHT_ROW_AS(cuEventElapsedTime, "captured", f.out(), captured_event(f), f.is(Thing::event));
    WARPLIGHT_ROW(cuEventElapsedTime_v2, f.out(), f.is(Thing::event), f.is(Thing::event));

    WARPLIGHT_ROW(cuStreamBeginCapture, f.is(Thing::stream), CU_STREAM_CAPTURE_MODE_RELAXED);
    WARPLIGHT_ROW(cuStreamBeginCaptureToGraph, f.is(Thing::stream), f.is(Thing::clone), f.fixed(0), f.fixed(0), 0,
                  CU_STREAM_CAPTURE_MODE_RELAXED);
    WARPLIGHT_ROW(cuStreamEndCapture, f.takes(Thing::capturing_stream), f.makes(Thing::clone));
    WARPLIGHT_ROW(cuStreamIsCapturing, f.is(Thing::stream), f.out());
    WARPLIGHT_ROW(cuStreamGetCaptureInfo_v2, f.is(Thing::capturing_stream), f.out(), f.out(), f.out(), f.out(),
                  f.out());
    WARPLIGHT_ROW(cuStreamGetCaptureInfo_v3, f.is(Thing::capturing_stream), f.out(), f.out(), f.out(), f.out(), f.out(),
                  f.out());
    WARPLIGHT_ROW(cuStreamUpdateCaptureDependencies, f.is(Thing::capturing_stream), f.fixed(0), 0, 0);
    WARPLIGHT_ROW(cuThreadExchangeStreamCaptureMode, f.in(CU_STREAM_CAPTURE_MODE_GLOBAL));
}

} // namespace bad_input
