// SPDX-License-Identifier: Apache-2.0
// Graphs: captured from streams, launched many times, updated; and built by hand.
#include "program.hpp"

__global__ void add(int* value, int what) { *value += what; }
__global__ void times(int* value, int what) { *value *= what; }
__global__ void sum(const int* a, const int* b, int* c) { *c = *a + *b; }

int main() {
    int *a = to_device(std::vector<int>{1}), *b = to_device(std::vector<int>{1}), *c = to_device(std::vector<int>(1));
    cudaStream_t first, second;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    cudaEvent_t fork, join;
    CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    cudaGraph_t graph;
    CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(fork, first));
    CHECK(cudaStreamWaitEvent(second, fork, 0));
    add<<<1, 1, 0, first>>>(a, 2);
    times<<<1, 1, 0, second>>>(b, 3);
    CHECK(cudaEventRecord(join, second));
    CHECK(cudaStreamWaitEvent(first, join, 0));
    sum<<<1, 1, 0, first>>>(a, b, c);
    CHECK(cudaStreamEndCapture(first, &graph));
    size_t nodes = 0;
    CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 4; ++i)
        CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    bool good = nodes == 3 && to_host(c, 1)[0] == 1 + 4 * 2 + 81;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));

    CHECK(cudaGraphCreate(&graph, 0));
    int value = 10, what = 5;
    cudaGraphNode_t copy, kernel, back;
    CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, a, &value, sizeof(int), cudaMemcpyHostToDevice));
    void* arguments[] = {&a, &what};
    cudaKernelNodeParams parameters = {};
    parameters.func = (void*)add;
    parameters.gridDim = parameters.blockDim = dim3(1);
    parameters.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&kernel, graph, &copy, 1, &parameters));
    int result = 0;
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, &result, a, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    good &= result == 15;
    what = 70;
    CHECK(cudaGraphExecKernelNodeSetParams(exec, kernel, &parameters));
    CHECK(cudaGraphLaunch(exec, first));
    CHECK(cudaStreamSynchronize(first));
    good &= result == 80;
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    for (int* each : {a, b, c})
        CHECK(cudaFree(each));
    return verdict(good);
}
