// SPDX-License-Identifier: Apache-2.0
// The ways to call a kernel.
#include <warplight/context.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>
#include <warplight/stream.hpp>

#include <vector>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    const Context context = Device(0).make_context();
    const SourceModule module(R"(
        __global__ void add(float* data, unsigned count, float value) {
            const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
            if (i < count) data[i] += value;
        })");
    const Function add = module.get_function("add");
    const Stream stream;
    std::vector<float> host(512);

    // Memory of the device stays where it is between calls.
    const DeviceAllocation data = to_device(host);
    add(Grid{2}, Block{256}, data, host.size(), 1.0f);

    // Everything else that a launch has is a member of LaunchConfig, by its name.
    add({.grid = {2}, .block = {256}, .shared = 1024, .stream = &stream}, data, host.size(), 1.0f);
    stream.synchronize();

    // In and InOut copy from arrays of the host to the device, Out and InOut copy back and wait.
    memcpy_dtoh(host, data);
    add(Grid{2}, Block{256}, InOut(host), host.size(), 1.0f);

    // Prepared calls convert numbers to the types that were named once.
    add.prepare("PIf");
    memcpy_htod(data, host);
    add.prepared_call({2}, {256}, data, host.size(), 1);
    add.prepared_async_call({2}, {256}, &stream, data, 512u, 1.0f);
    stream.synchronize();
    memcpy_dtoh(host, data);
    return host[511] == 5.0f ? 0 : 1;
}
