// SPDX-License-Identifier: Apache-2.0
// Lets what is written for the headers of 13 be compiled with those of 12 and 11: their functions with the parameters
// that 13 has. What they lack is left out where it is used.
#pragma once

#include <cuda_runtime_api.h>

#if CUDART_VERSION < 13000

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            std::nullptr_t, std::size_t count) {
    return cudaGraphAddDependencies(graph, from, to, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::nullptr_t,
                                     std::size_t* count) {
    return cudaGraphGetEdges(graph, from, to, count);
}

#endif

#if CUDART_VERSION < 12000

inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

#endif
