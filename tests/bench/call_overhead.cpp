// SPDX-License-Identifier: Apache-2.0
// What the interface adds to a call of the driver: call_overhead [software|cuda]
#include "../core/interface_kernels.hpp"
#include "driver/entry_points.hpp"
#include "warplight/context.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

using namespace warplight::driver;

namespace {

/// Microseconds a call, the best of several rounds; `finish` is outside of the timing.
double microseconds(int calls, const std::function<void()>& call, const std::function<void()>& finish) {
    double best = 1e30;
    for (int round = 0; round < 9; ++round) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i)
            call();
        const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
        best = std::min(best, time.count() / calls);
        finish();
    }
    return best;
}

void print(const char* what, double raw, double ours) {
    std::printf("%-34s %10.3f %10.3f %10.3f\n", what, raw, ours, ours - raw);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const Driver driver = argc > 1 ? Driver::from_name(argv[1]) : Driver::get_default();
        const Context context = Device(0, driver).make_context();
        const Module module = module_from_buffer(std::string_view(kKernels));
        const Function saxpy = module.get_function("saxpy");
        const auto& raw = driver.state().functions;
        const DeviceAllocation x = mem_alloc(1024), y = mem_alloc(1024);
        const Stream stream;
        std::vector<float> host(16);
        const auto wait = [&] { context.synchronize(); };

        std::printf("%s, microseconds a call\n%-34s %10s %10s %10s\n", driver.name().c_str(), "", "driver", "interface",
                    "added");
        int n = 0;
        float a = 1;
        device_ptr px = x.get(), py = y.get();
        void* parameters[] = {&n, &a, &px, &py};
        const auto launch = [&] {
            raw.fn_cuLaunchKernel(saxpy.handle(), 1, 1, 1, 32, 1, 1, 0, stream.handle(), parameters, nullptr);
        };
        const double raw_launch = microseconds(200, launch, wait);
        const LaunchConfig config{.grid = {1}, .block = {32}, .stream = &stream};
        print("launch: f(…)", raw_launch, microseconds(200, [&] { saxpy(config, n, a, x, y); }, wait));
        saxpy.prepare("ifPP");
        print("launch: prepared_async_call", raw_launch,
              microseconds(200, [&] { saxpy.prepared_async_call({1}, {32}, &stream, n, a, x, y); }, wait));
        print("memcpy_htod, 64 bytes",
              microseconds(
                  2000, [&] { raw.fn_cuMemcpyHtoD(px, host.data(), 64); }, wait),
              microseconds(2000, [&] { memcpy_htod(x, host); }, wait));
        print("memcpy_dtoh, 64 bytes",
              microseconds(
                  2000, [&] { raw.fn_cuMemcpyDtoH(host.data(), px, 64); }, wait),
              microseconds(2000, [&] { memcpy_dtoh(host, x); }, wait));
        const auto allocate = [&] {
            device_ptr address = 0;
            raw.fn_cuMemAlloc(&address, 4096);
            raw.fn_cuMemFree(address);
        };
        print("mem_alloc and free", microseconds(500, allocate, wait),
              microseconds(500, [] { mem_alloc(4096); }, wait));
        print("stream.is_done",
              microseconds(
                  2000, [&] { raw.fn_cuStreamQuery(stream.handle()); }, wait),
              microseconds(2000, [&] { stream.is_done(); }, wait));
        // From a thread whose current context is another one: each call switches and switches back.
        const Context other = Device(0, driver).make_context();
        print("memcpy_htod, another is current",
              microseconds(
                  2000, [&] { raw.fn_cuMemcpyHtoD(px, host.data(), 64); }, wait),
              microseconds(2000, [&] { memcpy_htod(x, host); }, wait));
        return 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 4;
    }
}
