// SPDX-License-Identifier: Apache-2.0
// Functions of graphs and captures whose parameters differ between versions: since 12.3 edges have data, which 13 has
// in the plain names.
#include "runtime_api/forms/major.hpp"
#include "runtime_api/graph_nodes.hpp"

namespace warplight::runtime_api {

namespace {

CUresult edges(const Functions& f, Graph graph, GraphNode* from, GraphNode* to, GraphEdgeData* data,
               std::size_t* count) {
    return data ? f.fn_cuGraphGetEdges_v2(graph, from, to, data, count) : f.fn_cuGraphGetEdges(graph, from, to, count);
}
CUresult dependencies(const Functions& f, GraphNode node, GraphNode* nodes, GraphEdgeData* data, std::size_t* count) {
    return data ? f.fn_cuGraphNodeGetDependencies_v2(node, nodes, data, count)
                : f.fn_cuGraphNodeGetDependencies(node, nodes, count);
}
CUresult dependents(const Functions& f, GraphNode node, GraphNode* nodes, GraphEdgeData* data, std::size_t* count) {
    return data ? f.fn_cuGraphNodeGetDependentNodes_v2(node, nodes, data, count)
                : f.fn_cuGraphNodeGetDependentNodes(node, nodes, count);
}
CUresult add(const Functions& f, Graph graph, const GraphNode* from, const GraphNode* to, const GraphEdgeData* data,
             std::size_t count) {
    return data ? f.fn_cuGraphAddDependencies_v2(graph, from, to, data, count)
                : f.fn_cuGraphAddDependencies(graph, from, to, count);
}
CUresult remove(const Functions& f, Graph graph, const GraphNode* from, const GraphNode* to, const GraphEdgeData* data,
                std::size_t count) {
    return data ? f.fn_cuGraphRemoveDependencies_v2(graph, from, to, data, count)
                : f.fn_cuGraphRemoveDependencies(graph, from, to, count);
}

Error capture_info(const Functions& f, Stream stream, int* status, cuuint64_t* id, Graph* graph,
                   const GraphNode** nodes, const GraphEdgeData** data, std::size_t* count) {
    require(status);
    auto its = CU_STREAM_CAPTURE_STATUS_NONE;
    check(data || !Functions::has(f.fn_cuStreamGetCaptureInfo_v2)
              ? f.fn_cuStreamGetCaptureInfo_v3(stream, &its, id, graph, nodes, data, count)
              : f.fn_cuStreamGetCaptureInfo_v2(stream, &its, id, graph, nodes, count));
    *status = its;
    return cudaSuccess;
}

CUresult update_capture(const Functions& f, Stream stream, GraphNode* nodes, const GraphEdgeData* data,
                        std::size_t count, unsigned flags) {
    return data ? f.fn_cuStreamUpdateCaptureDependencies_v2(stream, nodes, data, count, flags)
                : f.fn_cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

} // namespace

#define WL_EDGES(suffix)                                                                                               \
    WL_RUNTIME(cudaGraphGetEdges##suffix,                                                                              \
               (Graph graph, GraphNode * from, GraphNode * to, GraphEdgeData * data, std::size_t* count)) {            \
        return call([&](const Functions& f) { return edges(f, graph, from, to, data, count); });                       \
    }                                                                                                                  \
    WL_RUNTIME(cudaGraphNodeGetDependencies##suffix,                                                                   \
               (GraphNode node, GraphNode * nodes, GraphEdgeData * data, std::size_t* count)) {                        \
        return call([&](const Functions& f) { return dependencies(f, node, nodes, data, count); });                    \
    }                                                                                                                  \
    WL_RUNTIME(cudaGraphNodeGetDependentNodes##suffix,                                                                 \
               (GraphNode node, GraphNode * nodes, GraphEdgeData * data, std::size_t* count)) {                        \
        return call([&](const Functions& f) { return dependents(f, node, nodes, data, count); });                      \
    }                                                                                                                  \
    WL_RUNTIME(cudaGraphAddDependencies##suffix, (Graph graph, const GraphNode* from, const GraphNode* to,             \
                                                  const GraphEdgeData* data, std::size_t count)) {                     \
        return call([&](const Functions& f) { return add(f, graph, from, to, data, count); });                         \
    }                                                                                                                  \
    WL_RUNTIME(cudaGraphRemoveDependencies##suffix, (Graph graph, const GraphNode* from, const GraphNode* to,          \
                                                     const GraphEdgeData* data, std::size_t count)) {                  \
        return call([&](const Functions& f) { return remove(f, graph, from, to, data, count); });                      \
    }                                                                                                                  \
    WL_RUNTIME(cudaGraphAddNode##suffix, (GraphNode * node, Graph graph, const GraphNode* nodes,                       \
                                          const GraphEdgeData* data, std::size_t count, NodeParameters* parameters)) { \
        return call([&](const Functions& f) { return add_node(f, node, graph, nodes, data, count, parameters); });     \
    }

#if WARPLIGHT_RUNTIME_MAJOR >= 13
WL_EDGES()
WL_STREAM_RUNTIME(cudaStreamGetCaptureInfo, _ptsz,
                  (Stream stream, int* status, cuuint64_t* id, Graph* graph, const GraphNode** nodes,
                   const GraphEdgeData** data, std::size_t* count),
                  (stream, status, id, graph, nodes, data, count)) {
    return call<PerThread>(
        [&](const Functions& f) { return capture_info(f, stream, status, id, graph, nodes, data, count); });
}
WL_STREAM_RUNTIME(cudaStreamUpdateCaptureDependencies, _ptsz,
                  (Stream stream, GraphNode* nodes, const GraphEdgeData* data, std::size_t count, unsigned flags),
                  (stream, nodes, data, count, flags)) {
    return call<PerThread>([&](const Functions& f) { return update_capture(f, stream, nodes, data, count, flags); });
}
#else
WL_EDGES(_v2)
WL_RUNTIME(cudaGraphGetEdges, (Graph graph, GraphNode* from, GraphNode* to, std::size_t* count)) {
    return call([&](const Functions& f) { return edges(f, graph, from, to, nullptr, count); });
}
WL_RUNTIME(cudaGraphNodeGetDependencies, (GraphNode node, GraphNode* nodes, std::size_t* count)) {
    return call([&](const Functions& f) { return dependencies(f, node, nodes, nullptr, count); });
}
WL_RUNTIME(cudaGraphNodeGetDependentNodes, (GraphNode node, GraphNode* nodes, std::size_t* count)) {
    return call([&](const Functions& f) { return dependents(f, node, nodes, nullptr, count); });
}
WL_RUNTIME(cudaGraphAddDependencies, (Graph graph, const GraphNode* from, const GraphNode* to, std::size_t count)) {
    return call([&](const Functions& f) { return add(f, graph, from, to, nullptr, count); });
}
WL_RUNTIME(cudaGraphRemoveDependencies, (Graph graph, const GraphNode* from, const GraphNode* to, std::size_t count)) {
    return call([&](const Functions& f) { return remove(f, graph, from, to, nullptr, count); });
}
WL_RUNTIME(cudaGraphAddNode,
           (GraphNode * node, Graph graph, const GraphNode* nodes, std::size_t count, NodeParameters* parameters)) {
    return call([&](const Functions& f) { return add_node(f, node, graph, nodes, nullptr, count, parameters); });
}
WL_STREAM_RUNTIME(cudaStreamGetCaptureInfo, _ptsz, (Stream stream, int* status, cuuint64_t* id), (stream, status, id)) {
    return call<PerThread>(
        [&](const Functions& f) { return capture_info(f, stream, status, id, nullptr, nullptr, nullptr, nullptr); });
}
WL_STREAM_RUNTIME(cudaStreamGetCaptureInfo_v2, _ptsz,
                  (Stream stream, int* status, cuuint64_t* id, Graph* graph, const GraphNode** nodes,
                   std::size_t* count),
                  (stream, status, id, graph, nodes, count)) {
    return call<PerThread>(
        [&](const Functions& f) { return capture_info(f, stream, status, id, graph, nodes, nullptr, count); });
}
WL_STREAM_RUNTIME(cudaStreamGetCaptureInfo_v3, _ptsz,
                  (Stream stream, int* status, cuuint64_t* id, Graph* graph, const GraphNode** nodes,
                   const GraphEdgeData** data, std::size_t* count),
                  (stream, status, id, graph, nodes, data, count)) {
    return call<PerThread>(
        [&](const Functions& f) { return capture_info(f, stream, status, id, graph, nodes, data, count); });
}
WL_STREAM_RUNTIME(cudaStreamUpdateCaptureDependencies, _ptsz,
                  (Stream stream, GraphNode* nodes, std::size_t count, unsigned flags), (stream, nodes, count, flags)) {
    return call<PerThread>([&](const Functions& f) { return update_capture(f, stream, nodes, nullptr, count, flags); });
}
WL_STREAM_RUNTIME(cudaStreamUpdateCaptureDependencies_v2, _ptsz,
                  (Stream stream, GraphNode* nodes, const GraphEdgeData* data, std::size_t count, unsigned flags),
                  (stream, nodes, data, count, flags)) {
    return call<PerThread>([&](const Functions& f) { return update_capture(f, stream, nodes, data, count, flags); });
}
#endif

#if WARPLIGHT_RUNTIME_MAJOR >= 12
WL_RUNTIME(cudaGraphInstantiate, (GraphExec * result, Graph graph, unsigned long long flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphInstantiateWithFlags(result, graph, flags); });
}
WL_RUNTIME(cudaGraphExecUpdate, (GraphExec exec, Graph graph, driver::GraphExecUpdateResultInfo* result)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecUpdate_v2(exec, graph, result); });
}
#else
WL_RUNTIME(cudaGraphInstantiate, (GraphExec * result, Graph graph, GraphNode* node, char* log, std::size_t size)) {
    return call([&](const Functions& f) { return f.fn_cuGraphInstantiate_v2(result, graph, node, log, size); });
}
WL_RUNTIME(cudaGraphExecUpdate, (GraphExec exec, Graph graph, GraphNode* node, int* result)) {
    return call([&](const Functions& f) {
        require(result);
        auto its = static_cast<CUgraphExecUpdateResult>(0);
        GraphNode some = nullptr;
        const CUresult code = f.fn_cuGraphExecUpdate(exec, graph, node ? node : &some, &its);
        *result = static_cast<int>(its);
        return code;
    });
}
#endif

} // namespace warplight::runtime_api
