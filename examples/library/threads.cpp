// SPDX-License-Identifier: Apache-2.0
// Several threads of the host, one context, a stream each.
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>
#include <warplight/stream.hpp>

#include <algorithm>
#include <thread>
#include <vector>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    const SourceModule module("__global__ void set(int* x, int value) { x[threadIdx.x] = value; }");
    const Function set = module.get_function("set");

    std::vector<int> results(4);
    std::vector<std::thread> threads;
    for (int number = 0; number < 4; ++number)
        threads.emplace_back([&, number] {
            const ContextScope current(context); // which context is current is a thread's own matter
            const Stream stream;
            const DeviceAllocation memory = mem_alloc(32 * sizeof(int));
            std::vector<int> values(32);
            set({.grid = {1}, .block = {32}, .stream = &stream}, memory, number);
            memcpy_dtoh_async(values, memory, &stream);
            stream.synchronize(); // before `values` is read, and before `memory` is gone
            results[static_cast<std::size_t>(number)] = values[31];
        });
    for (std::thread& thread : threads)
        thread.join();
    return std::ranges::equal(results, std::vector{0, 1, 2, 3}) ? 0 : 1;
}
