// SPDX-License-Identifier: Apache-2.0
// Copies in two and three dimensions, within a context and between two.
#include "entry.hpp"

#include "structured_copy.hpp"

#include "../runtime/capture.hpp"

using namespace warplight::software;

namespace {

template <class Copy>
CUresult copy(const Copy* what, CUstream hStream, bool later) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        require(what);
        submit_copy(stream->context(), *stream, plan_copy(*what), later);
    });
}

/// The context that device memory of a side belongs to; arrays say so themselves, and the host's has none.
std::shared_ptr<Context> context_of(CUmemorytype type, CUcontext handle) {
    return type == CU_MEMORYTYPE_DEVICE ? peer_context(handle) : nullptr;
}

CUresult copy_peer(const CUDA_MEMCPY3D_PEER* what, CUstream hStream, bool later) {
    return enter([&] {
        const auto stream = any_copy_stream(hStream);
        const Context& context = stream->context();
        require(what);
        if (later) forbid_capture(*stream); // a graph has no such node
        const auto to = context_of(what->dstMemoryType, what->dstContext);
        const auto from = context_of(what->srcMemoryType, what->srcContext);
        const CopyPlan plan = plan_copy(*what);
        if (!later) { // in the order of the default streams of both
            for (const auto& other : {from, to})
                if (other && other.get() != &context) other->stream(nullptr)->synchronize();
            for (const auto& array : {plan.from_array, plan.to_array})
                if (array && &array->context != &context) array->context.stream(nullptr)->synchronize();
        }
        submit_copy(stream->context(), *stream, plan, later);
    });
}

} // namespace

WL_STREAM_ENTRY(cuMemcpy2D_v2, _ptds, (const CUDA_MEMCPY2D* pCopy), (pCopy)) { return copy(pCopy, nullptr, false); }
WL_STREAM_ENTRY(cuMemcpy2DUnaligned_v2, _ptds, (const CUDA_MEMCPY2D* pCopy), (pCopy)) {
    return copy(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy2DAsync_v2, _ptsz, (const CUDA_MEMCPY2D* pCopy, CUstream hStream), (pCopy, hStream)) {
    return copy(pCopy, hStream, true);
}
WL_STREAM_ENTRY(cuMemcpy3D_v2, _ptds, (const CUDA_MEMCPY3D* pCopy), (pCopy)) { return copy(pCopy, nullptr, false); }
WL_STREAM_ENTRY(cuMemcpy3DAsync_v2, _ptsz, (const CUDA_MEMCPY3D* pCopy, CUstream hStream), (pCopy, hStream)) {
    return copy(pCopy, hStream, true);
}
WL_STREAM_ENTRY(cuMemcpy3DPeer, _ptds, (const CUDA_MEMCPY3D_PEER* pCopy), (pCopy)) {
    return copy_peer(pCopy, nullptr, false);
}
WL_STREAM_ENTRY(cuMemcpy3DPeerAsync, _ptsz, (const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream), (pCopy, hStream)) {
    return copy_peer(pCopy, hStream, true);
}
