// SPDX-License-Identifier: Apache-2.0
// What tests of graphs share: memory with numbers, parameters of nodes, and one launch of a graph.
#pragma once

#include "kernels.hpp"

namespace runtime_test {

using Words = std::vector<unsigned>;

/// first, first + 1, ...
inline Words counted(unsigned first, std::size_t count) {
    Words words(count);
    for (auto& word : words)
        word = first++;
    return words;
}
/// Device memory that is zero, for every stream; null where there is none left.
inline unsigned* zeros(std::size_t count) {
    void* pointer = nullptr;
    if (cudaMalloc(&pointer, count * sizeof(unsigned)) != cudaSuccess) return nullptr;
    if (cudaMemset(pointer, 0, count * sizeof(unsigned)) != cudaSuccess) return nullptr;
    if (cudaStreamSynchronize(nullptr) != cudaSuccess) return nullptr; // streams may not wait for the default one
    return static_cast<unsigned*>(pointer);
}
/// Nothing where the copy failed.
inline Words words_of(const unsigned* data, std::size_t count) {
    Words words(count);
    const cudaError_t error = cudaMemcpy(words.data(), data, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
    return error == cudaSuccess ? words : Words{};
}

/// Arguments of `fill`, and a node of one block with them.
struct FillArguments {
    unsigned* data;
    unsigned value, count;
    void* pointers[3] = {};
    FillArguments(unsigned* to, unsigned from, unsigned size) : data(to), value(from), count(size) {
        pointers[0] = static_cast<void*>(&data);
        pointers[1] = &value;
        pointers[2] = &count;
    }
    FillArguments(const FillArguments&) = delete;
    FillArguments& operator=(const FillArguments&) = delete;
    cudaKernelNodeParams node() {
        cudaKernelNodeParams parameters{};
        parameters.func = &fill;
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(count);
        parameters.kernelParams = pointers;
        return parameters;
    }
};

inline cudaMemsetParams words_set(unsigned* data, unsigned value, std::size_t count) {
    cudaMemsetParams parameters{};
    parameters.dst = data;
    parameters.elementSize = sizeof(unsigned);
    parameters.value = value;
    parameters.width = count;
    parameters.height = 1;
    return parameters;
}

/// A copy of some words in one dimension.
inline cudaMemcpy3DParms words_copied(unsigned* to, const unsigned* from, std::size_t count, cudaMemcpyKind kind) {
    const std::size_t bytes = count * sizeof(unsigned);
    cudaMemcpy3DParms parameters{};
    parameters.srcPtr = {const_cast<unsigned*>(from), bytes, bytes, 1};
    parameters.dstPtr = {to, bytes, bytes, 1};
    parameters.extent = {bytes, 1, 1};
    parameters.kind = kind;
    return parameters;
}

/// Launches it and waits.
inline cudaError_t run(cudaGraphExec_t exec, cudaStream_t stream = nullptr) {
    const cudaError_t error = cudaGraphLaunch(exec, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}
/// The same with an instance that is made for it.
inline cudaError_t run(cudaGraph_t graph) {
    cudaGraphExec_t exec = nullptr;
    cudaError_t error = cudaGraphInstantiate(&exec, graph, 0);
    if (error != cudaSuccess) return error;
    error = run(exec);
    const cudaError_t destroyed = cudaGraphExecDestroy(exec);
    return error == cudaSuccess ? destroyed : error;
}

/// Nodes that a graph has; ~0 where it does not say so.
inline std::size_t node_count(cudaGraph_t graph) {
    std::size_t count = 0;
    return cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess ? count : ~std::size_t{0};
}

} // namespace runtime_test
