// SPDX-License-Identifier: Apache-2.0
#include "../runtime/capture.hpp"

#include "entry.hpp"
#include "graph_content.hpp"

#include <cstring>

using namespace warplight::software;

#undef cuStreamBeginCapture
#undef cuStreamBeginCaptureToGraph
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

namespace {

constexpr auto kLossyQuery = static_cast<CUresult>(402);
/// CU_STREAM_SET_CAPTURE_DEPENDENCIES
constexpr unsigned kSet = 1;

const EdgeData* edge_data(const AbiEdgeData* data) { return reinterpret_cast<const EdgeData*>(data); }

CUresult begin(CUstream hStream, int mode, const CUgraph* into, const CUgraphNode* dependencies,
               const AbiEdgeData* data, std::size_t count) {
    if (const CUresult wrong = look_at([&] { require(!into || *into); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        require(mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
        const GraphGuard guard;
        begin_capture(*stream, static_cast<CUstreamCaptureMode>(mode), into ? graph_of(*into) : nullptr,
                      edges_of(dependencies, edge_data(data), count));
    });
}

/// A default stream that would wait for a capturing one has no status to tell.
CUstreamCaptureStatus status_of(Stream& stream) {
    if (stream.role == Stream::Role::legacy && stream.context().blocking_captures > 0)
        fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    const StreamCapture* state = stream.capture();
    if (!state) return CU_STREAM_CAPTURE_STATUS_NONE;
    return state->capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

CUresult info(CUstream hStream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
              const CUgraphNode** dependencies, const AbiEdgeData** data, std::size_t* count) {
    if (const CUresult wrong = look_at([&] { require(status && (!data || dependencies)); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        const GraphGuard guard;
        *status = status_of(*stream);
        StreamCapture* state = stream->capture();
        if (!state) return;
        if (id) *id = state->capture->id;
        if (*status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return;
        state->handles.clear();
        state->data.clear();
        bool plain = true;
        for (const GraphEdge& edge : state->dependencies) {
            state->handles.push_back(edge.node->handle());
            state->data.push_back(edge.data);
            plain &= edge.data == EdgeData{};
        }
        if (graph) *graph = state->capture->graph->handle();
        if (count) *count = state->handles.size();
        if (dependencies && !data && !plain) fail(kLossyQuery);
        if (dependencies) *dependencies = state->handles.data();
        if (data) *data = reinterpret_cast<const AbiEdgeData*>(state->data.data());
    });
}

CUresult update(CUstream hStream, const CUgraphNode* dependencies, const AbiEdgeData* data, std::size_t count,
                unsigned flags) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        require((flags & ~kSet) == 0);
        const GraphGuard guard;
        StreamCapture* state = stream->capture();
        if (!state) fail(CUDA_ERROR_ILLEGAL_STATE, "the stream is not being captured");
        if (state->capture->invalidated) fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
        const auto edges = edges_of(dependencies, edge_data(data), count);
        for (const GraphEdge& edge : edges) {
            require(&edge.node->graph == state->capture->graph.get());
            check_edge(*edge.node, edge.data);
        }
        if (flags & kSet) state->dependencies.clear();
        for (const GraphEdge& edge : edges) {
            std::erase_if(state->dependencies, [&](const GraphEdge& e) { return e.node == edge.node; });
            state->dependencies.push_back(edge);
        }
    });
}

} // namespace

// Before 10.1 every capture was global.
WL_STREAM_ENTRY_SINCE(cuStreamBeginCapture, _ptsz, 10000, (CUstream hStream), (hStream)) {
    return begin(hStream, CU_STREAM_CAPTURE_MODE_GLOBAL, nullptr, nullptr, nullptr, 0);
}
WL_STREAM_ENTRY(cuStreamBeginCapture_v2, _ptsz, (CUstream hStream, CUstreamCaptureMode mode), (hStream, mode)) {
    return begin(hStream, mode, nullptr, nullptr, nullptr, 0);
}
WL_STREAM_ENTRY(cuStreamBeginCaptureToGraph, _ptsz,
                (CUstream hStream, CUgraph hGraph, const CUgraphNode* dependencies, const AbiEdgeData* dependencyData,
                 size_t numDependencies, CUstreamCaptureMode mode),
                (hStream, hGraph, dependencies, dependencyData, numDependencies, mode)) {
    return begin(hStream, mode, &hGraph, dependencies, dependencyData, numDependencies);
}

WL_STREAM_ENTRY(cuStreamEndCapture, _ptsz, (CUstream hStream, CUgraph* phGraph), (hStream, phGraph)) {
    return enter([&] {
        if (phGraph) *phGraph = nullptr;
        const auto stream = any_stream(hStream);
        const bool kept = [&] {
            const GraphGuard guard;
            const StreamCapture* state = stream->capture();
            return state && state->capture->into_existing;
        }();
        const auto graph = end_capture(*stream);
        if (phGraph)
            *phGraph = graph->handle();
        else if (!kept)
            graph->forget(); // nobody will
    });
}

WL_STREAM_ENTRY(cuStreamIsCapturing, _ptsz, (CUstream hStream, CUstreamCaptureStatus* captureStatus),
                (hStream, captureStatus)) {
    if (const CUresult wrong = look_at([&] { require(captureStatus); })) return wrong;
    return enter([&] {
        const auto stream = any_stream(hStream);
        const GraphGuard guard;
        *captureStatus = status_of(*stream);
    });
}

WL_STREAM_ENTRY_SINCE(cuStreamGetCaptureInfo, _ptsz, 10010,
                      (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out),
                      (hStream, captureStatus_out, id_out)) {
    return info(hStream, captureStatus_out, id_out, nullptr, nullptr, nullptr, nullptr);
}
WL_STREAM_ENTRY(cuStreamGetCaptureInfo_v2, _ptsz,
                (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out,
                 const CUgraphNode** dependencies_out, size_t* numDependencies_out),
                (hStream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out)) {
    return info(hStream, captureStatus_out, id_out, graph_out, dependencies_out, nullptr, numDependencies_out);
}
WL_STREAM_ENTRY(cuStreamGetCaptureInfo_v3, _ptsz,
                (CUstream hStream, CUstreamCaptureStatus* captureStatus_out, cuuint64_t* id_out, CUgraph* graph_out,
                 const CUgraphNode** dependencies_out, const AbiEdgeData** edgeData_out, size_t* numDependencies_out),
                (hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out)) {
    return info(hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
}

WL_STREAM_ENTRY(cuStreamUpdateCaptureDependencies, _ptsz,
                (CUstream hStream, CUgraphNode* dependencies, size_t numDependencies, unsigned int flags),
                (hStream, dependencies, numDependencies, flags)) {
    return update(hStream, dependencies, nullptr, numDependencies, flags);
}
WL_STREAM_ENTRY_SINCE(cuStreamUpdateCaptureDependencies_v2, _ptsz, 12030,
                      (CUstream hStream, CUgraphNode* dependencies, const AbiEdgeData* dependencyData,
                       size_t numDependencies, unsigned int flags),
                      (hStream, dependencies, dependencyData, numDependencies, flags)) {
    return update(hStream, dependencies, dependencyData, numDependencies, flags);
}

WL_ENTRY(cuThreadExchangeStreamCaptureMode, (CUstreamCaptureMode * mode)) {
    return enter([&] {
        require(mode && *mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && *mode <= CU_STREAM_CAPTURE_MODE_RELAXED);
        *mode = exchange_capture_mode(*mode);
    });
}
