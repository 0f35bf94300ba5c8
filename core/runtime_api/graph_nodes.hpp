// SPDX-License-Identifier: Apache-2.0
// Nodes of graphs by a description that holds any kind of them.
#pragma once

#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

/// cudaGraphNodeParams
struct NodeParameters {
    int type; ///< of CUgraphNodeType, which has the same numbers
    int reserved[3];
    union {
        long long size[29];
        KernelParameters kernel;
        struct {
            int flags, reserved[3];
            Copy3D copy;
        } memcpy;
        MemsetParameters memset;
        HostParameters host;
        struct {
            Graph graph;
            int ownership;
        } child;
        Event event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        void* free;
        struct {
            unsigned long long handle;
            int type;
            unsigned size;
            Graph* graphs;
        } conditional;
    };
    long long reserved2;
};
static_assert(sizeof(NodeParameters) == 256);

Error add_node(const Functions& f, GraphNode* node, Graph graph, const GraphNode* dependencies,
               const GraphEdgeData* edges, std::size_t count, NodeParameters* parameters);

} // namespace warplight::runtime_api
