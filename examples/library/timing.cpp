// SPDX-License-Identifier: Apache-2.0
// How long a kernel runs, without its first launch's compilation.
#include <warplight/context.hpp>
#include <warplight/event.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>
#include <warplight/stream.hpp>

#include <cstdio>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    const SourceModule module("__global__ void spin(int* out, int n) { for (int i = 0; i < n; ++i) out[0] += i; }");
    const Function spin = module.get_function("spin");
    const DeviceAllocation out = mem_alloc(sizeof(int));
    const Stream stream;
    const LaunchConfig config{.grid = {1}, .block = {1}, .stream = &stream};

    // A driver makes the code ready at the first launch, the software device for the size of the block. Launch once
    // before measuring; load() does the part that needs no launch.
    spin.load();
    spin(config, out, 1);
    stream.synchronize();

    Event begin, end;
    begin.record(stream);
    for (int i = 0; i < 10; ++i)
        spin(config, out, 1000);
    end.record(stream);
    end.synchronize();
    std::printf("%.4f ms a launch\n", static_cast<double>(end.time_since(begin)) / 10);

    // For one launch: it waits, and returns seconds.
    const LaunchConfig timed{.grid = {1}, .block = {1}, .time_kernel = true};
    return spin(timed, out, 1000).value() > 0 ? 0 : 1;
}
