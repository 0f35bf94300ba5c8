// SPDX-License-Identifier: Apache-2.0
// Graphs as a whole: their shape, their instances, and objects that live as long as they.
#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

WL_RUNTIME(cudaGraphCreate, (Graph * graph, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphCreate(graph, flags); });
}
WL_RUNTIME(cudaGraphDestroy, (Graph graph)) {
    return call([&](const Functions& f) { return f.fn_cuGraphDestroy(graph); });
}
WL_RUNTIME(cudaGraphClone, (Graph * clone, Graph graph)) {
    return call([&](const Functions& f) { return f.fn_cuGraphClone(clone, graph); });
}
WL_RUNTIME(cudaGraphNodeFindInClone, (GraphNode * node, GraphNode original, Graph clone)) {
    return call([&](const Functions& f) { return f.fn_cuGraphNodeFindInClone(node, original, clone); });
}
WL_RUNTIME(cudaGraphNodeGetType, (GraphNode node, int* type)) {
    return call([&](const Functions& f) {
        require(type);
        auto its = static_cast<CUgraphNodeType>(0);
        check(f.fn_cuGraphNodeGetType(node, &its));
        *type = static_cast<int>(its);
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaGraphGetNodes, (Graph graph, GraphNode* nodes, std::size_t* count)) {
    return call([&](const Functions& f) { return f.fn_cuGraphGetNodes(graph, nodes, count); });
}
WL_RUNTIME(cudaGraphGetRootNodes, (Graph graph, GraphNode* nodes, std::size_t* count)) {
    return call([&](const Functions& f) { return f.fn_cuGraphGetRootNodes(graph, nodes, count); });
}
WL_RUNTIME(cudaGraphDestroyNode, (GraphNode node)) {
    return call([&](const Functions& f) { return f.fn_cuGraphDestroyNode(node); });
}
WL_RUNTIME(cudaGraphDebugDotPrint, (Graph graph, const char* path, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphDebugDotPrint(graph, path, flags); });
}

WL_RUNTIME(cudaGraphInstantiateWithFlags, (GraphExec * result, Graph graph, unsigned long long flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphInstantiateWithFlags(result, graph, flags); });
}
WL_STREAM_RUNTIME(cudaGraphInstantiateWithParams, _ptsz,
                  (GraphExec * result, Graph graph, driver::GraphInstantiateParams* parameters),
                  (result, graph, parameters)) {
    return call<PerThread>(
        [&](const Functions& f) { return f.fn_cuGraphInstantiateWithParams(result, graph, parameters); });
}
WL_RUNTIME(cudaGraphExecGetFlags, (GraphExec exec, cuuint64_t* flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecGetFlags(exec, flags); });
}
WL_RUNTIME(cudaGraphExecDestroy, (GraphExec exec)) {
    return call([&](const Functions& f) { return f.fn_cuGraphExecDestroy(exec); });
}
WL_STREAM_RUNTIME(cudaGraphUpload, _ptsz, (GraphExec exec, Stream stream), (exec, stream)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuGraphUpload(exec, stream); });
}
WL_STREAM_RUNTIME(cudaGraphLaunch, _ptsz, (GraphExec exec, Stream stream), (exec, stream)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuGraphLaunch(exec, stream); });
}
WL_RUNTIME(cudaGraphNodeSetEnabled, (GraphExec exec, GraphNode node, unsigned enabled)) {
    return call([&](const Functions& f) { return f.fn_cuGraphNodeSetEnabled(exec, node, enabled); });
}
WL_RUNTIME(cudaGraphNodeGetEnabled, (GraphExec exec, GraphNode node, unsigned* enabled)) {
    return call([&](const Functions& f) { return f.fn_cuGraphNodeGetEnabled(exec, node, enabled); });
}

WL_RUNTIME(cudaUserObjectCreate,
           (CUuserObject * object, void* pointer, CUhostFn destroy, unsigned count, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuUserObjectCreate(object, pointer, destroy, count, flags); });
}
WL_RUNTIME(cudaUserObjectRetain, (CUuserObject object, unsigned count)) {
    return call([&](const Functions& f) { return f.fn_cuUserObjectRetain(object, count); });
}
WL_RUNTIME(cudaUserObjectRelease, (CUuserObject object, unsigned count)) {
    return call([&](const Functions& f) { return f.fn_cuUserObjectRelease(object, count); });
}
WL_RUNTIME(cudaGraphRetainUserObject, (Graph graph, CUuserObject object, unsigned count, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuGraphRetainUserObject(graph, object, count, flags); });
}
WL_RUNTIME(cudaGraphReleaseUserObject, (Graph graph, CUuserObject object, unsigned count)) {
    return call([&](const Functions& f) { return f.fn_cuGraphReleaseUserObject(graph, object, count); });
}

WL_RUNTIME(cudaDeviceGraphMemTrim, (int device)) {
    return query([&](const Functions& f) {
        check(check_device(f, device));
        return f.fn_cuDeviceGraphMemTrim(device);
    });
}
WL_RUNTIME(cudaDeviceGetGraphMemAttribute, (int device, int attribute, void* value)) {
    return query([&](const Functions& f) {
        check(check_device(f, device));
        return f.fn_cuDeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value);
    });
}
WL_RUNTIME(cudaDeviceSetGraphMemAttribute, (int device, int attribute, void* value)) {
    return query([&](const Functions& f) {
        check(check_device(f, device));
        return f.fn_cuDeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value);
    });
}

WL_RUNTIME(cudaGraphConditionalHandleCreate,
           (unsigned long long* handle, Graph graph, unsigned value, unsigned flags)) {
    return call([&](const Functions& f) {
        CUcontext context = nullptr;
        check(f.fn_cuCtxGetCurrent(&context));
        return f.fn_cuGraphConditionalHandleCreate(handle, graph, context, value, flags);
    });
}

} // namespace warplight::runtime_api
