// SPDX-License-Identifier: Apache-2.0
// Streams that wait for values in memory, and write them.
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/capture.hpp"
#include "../runtime/memory_operations.hpp"

using namespace warplight::software;

#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp

namespace {

void submit(CUstream hStream, std::vector<CUstreamBatchMemOpParams> operations, bool first_version) {
    const auto stream = any_stream(hStream);
    Context& context = stream->context();
    check_memory_operations(operations, first_version);
    if (stream->capturing()) {
        capture_node(*stream, memory_operations_content(context.shared_from_this(), std::move(operations), 0));
        return;
    }
    stream->enqueue([&context, operations = std::move(operations)] { run_memory_operations(context, operations); });
}

CUresult wait(CUstream hStream, CUdeviceptr address, cuuint64_t value, unsigned flags, bool wide, bool first_version) {
    return enter([&] {
        CUstreamBatchMemOpParams operation{};
        operation.waitValue.operation = wide ? CU_STREAM_MEM_OP_WAIT_VALUE_64 : CU_STREAM_MEM_OP_WAIT_VALUE_32;
        operation.waitValue.address = address;
        operation.waitValue.value64 = value;
        operation.waitValue.flags = flags;
        submit(hStream, {operation}, first_version);
    });
}

CUresult write(CUstream hStream, CUdeviceptr address, cuuint64_t value, unsigned flags, bool wide, bool first_version) {
    return enter([&] {
        CUstreamBatchMemOpParams operation{};
        operation.writeValue.operation = wide ? CU_STREAM_MEM_OP_WRITE_VALUE_64 : CU_STREAM_MEM_OP_WRITE_VALUE_32;
        operation.writeValue.address = address;
        operation.writeValue.value64 = value;
        operation.writeValue.flags = flags;
        submit(hStream, {operation}, first_version);
    });
}

CUresult batch(CUstream hStream, unsigned count, const CUstreamBatchMemOpParams* operations, unsigned flags,
               bool first_version) {
    return enter([&] {
        require(operations && count <= 256 && flags == 0);
        if (count == 0) return (void)any_stream(hStream);
        submit(hStream, {operations, operations + count}, first_version);
    });
}

} // namespace

#define WL_VALUE(name, suffix, word, wide, first_version, body)                                                        \
    WL_STREAM_ENTRY(name##suffix, _ptsz, (CUstream stream, CUdeviceptr addr, word value, unsigned int flags),          \
                    (stream, addr, value, flags)) {                                                                    \
        return body(stream, addr, value, flags, wide, first_version);                                                  \
    }

WL_VALUE(cuStreamWaitValue32, , cuuint32_t, false, true, wait)
WL_VALUE(cuStreamWaitValue32, _v2, cuuint32_t, false, false, wait)
WL_VALUE(cuStreamWaitValue64, , cuuint64_t, true, true, wait)
WL_VALUE(cuStreamWaitValue64, _v2, cuuint64_t, true, false, wait)
WL_VALUE(cuStreamWriteValue32, , cuuint32_t, false, true, write)
WL_VALUE(cuStreamWriteValue32, _v2, cuuint32_t, false, false, write)
WL_VALUE(cuStreamWriteValue64, , cuuint64_t, true, true, write)
WL_VALUE(cuStreamWriteValue64, _v2, cuuint64_t, true, false, write)

WL_STREAM_ENTRY(cuStreamBatchMemOp, _ptsz,
                (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int flags),
                (stream, count, paramArray, flags)) {
    return batch(stream, count, paramArray, flags, true);
}
WL_STREAM_ENTRY(cuStreamBatchMemOp_v2, _ptsz,
                (CUstream stream, unsigned int count, CUstreamBatchMemOpParams* paramArray, unsigned int flags),
                (stream, count, paramArray, flags)) {
    return batch(stream, count, paramArray, flags, false);
}
