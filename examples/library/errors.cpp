// SPDX-License-Identifier: Apache-2.0
// What goes wrong, and what the library says about it.
#include <warplight/context.hpp>
#include <warplight/error.hpp>
#include <warplight/function.hpp>
#include <warplight/memory.hpp>
#include <warplight/source_module.hpp>

#include <cstdint>
#include <cstdio>

using namespace warplight::driver;
using warplight::compiler::SourceModule;

int main() {
    int caught = 0;
    const Device device(0);
    {
        const Context context = device.make_context();
        try {
            const SourceModule broken("__global__ void k() { int x = nothing; }");
        } catch (const CompileError& error) { // file, line and message of each error
            std::printf("%s\n", error.msg().c_str());
            ++caught;
        }

        const SourceModule module("__global__ void fill(float* out, int count) { if (count > 0) out[0] = 1; }");
        const Function fill = module.get_function("fill");
        const DeviceAllocation out = mem_alloc(64);
        try {
            fill(Grid{1}, Block{1}, out, INT64_C(5'000'000'000));
        } catch (const LogicError& error) { // found before the driver was called: code() is 0
            std::printf("%s\n", error.what());
            ++caught;
        }
        try {
            fill(Grid{1}, Block{4096}, out, 1);
        } catch (const Error& error) { // the driver's error, with what was too large
            std::printf("%s\n", error.what());
            ++caught;
        }
    }
    {
        const Context context = device.make_context();
        const SourceModule module("__global__ void wild(int* p) { *p = 1; }");
        try {
            module.get_function("wild")(Grid{1}, Block{1}, DevicePointer(64));
            context.synchronize(); // a launch does not wait: this does, and throws what the kernel did
        } catch (const Error& error) {
            std::printf("%s\n", error.what());
            if (error.sticky()) ++caught; // this context can do nothing more
        }
    } // the clean-up of a context that a kernel broke is quiet
    return caught == 4 ? 0 : 1;
}
