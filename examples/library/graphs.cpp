// SPDX-License-Identifier: Apache-2.0
// Work that is described once and launched often.
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/graph.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>
#include <warplight/stream.hpp>

#include <vector>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    const SourceModule module("__global__ void add(int* x, int value) { x[threadIdx.x] += value; }");
    const Function add = module.get_function("add");
    const DeviceAllocation memory = to_device(std::vector<int>(32));
    std::vector<int> host(32);
    const Stream stream;

    // Node by node. A node begins when those in its list are done.
    const Graph graph;
    const GraphNode first = graph.add_kernel_node({}, add, {.grid = {1}, .block = {32}}, memory, 1);
    const GraphNode second = graph.add_kernel_node({first}, add, {.grid = {1}, .block = {32}}, memory, 2);
    graph.add_memcpy_dtoh_node({second}, host, memory);
    const GraphExec ready = graph.instantiate();
    ready.launch(stream);
    ready.launch(stream);
    stream.synchronize();
    if (host[31] != 6) return 1;

    // Captured: what a stream is told becomes the nodes.
    stream.begin_capture();
    add({.grid = {1}, .block = {32}, .stream = &stream}, memory, 10);
    memcpy_dtoh_async(host, memory, &stream);
    const GraphExec captured = stream.end_capture().instantiate();
    captured.launch(stream);
    stream.synchronize();
    return host[31] == 16 ? 0 : 1;
}
