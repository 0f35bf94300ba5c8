// SPDX-License-Identifier: Apache-2.0
// What the interface adds to a call of the driver: call_overhead [nothing|software|cuda]
// With "nothing" (the default) the measured functions return at once, so that what is added stands alone; objects are
// the software device's. Prints nanoseconds a call, the added ones against the most that they may be, and the ratio.
#include "driver/entry_points.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

using namespace warplight::driver;

namespace {

constexpr char kKernel[] = R"(
.version 6.5
.target sm_75
.address_size 64
.visible .entry five(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y, .param .u64 z) { ret; }
)";

CUcontext current = nullptr;
CUresult CUDAAPI current_context(CUcontext* context) {
    *context = current;
    return CUDA_SUCCESS;
}
template <class Function>
struct Nothing;
template <class... Arguments>
struct Nothing<CUresult(CUDAAPI*)(Arguments...)> {
    static CUresult CUDAAPI call(Arguments...) { return CUDA_SUCCESS; }
};
template <class Function>
void do_nothing(Function& function) {
    function = &Nothing<Function>::call;
}

/// A driver with a table of its own, over the software device.
struct Table {
    std::shared_ptr<detail::DriverState> state = std::make_shared<detail::DriverState>();
    explicit Table(const Driver& driver) {
        const detail::DriverState& original = driver.state();
        state->name = "nothing";
        state->library = original.library;
        state->handle = original.handle;
        state->version = original.version;
        state->functions = original.functions;
    }
    void return_at_once(CUcontext context) const {
        current = context;
        detail::EntryPoints& f = state->functions;
        f.fn_cuCtxGetCurrent = &current_context;
        do_nothing(f.fn_cuLaunchKernel);
        do_nothing(f.fn_cuMemcpyHtoD);
        do_nothing(f.fn_cuMemcpyDtoH);
        do_nothing(f.fn_cuMemcpyHtoDAsync);
        do_nothing(f.fn_cuMemsetD32);
        do_nothing(f.fn_cuEventRecord);
        do_nothing(f.fn_cuEventQuery);
        do_nothing(f.fn_cuStreamQuery);
        do_nothing(f.fn_cuStreamWaitEvent);
    }
};

struct Times {
    double raw = 0, ours = 0;
};

/// Nanoseconds a call: the lower quartile of many rounds in which the two take turns; `finish` is outside of the
/// timing.
template <class Raw, class Ours, class Finish>
Times nanoseconds(int calls, const Raw& raw, const Ours& ours, const Finish& finish) {
    const auto round = [&](const auto& call) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; ++i)
            call();
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
        finish();
        return time.count() / calls;
    };
    constexpr int kRounds = 1000;
    std::vector<double> all_raw, all_ours;
    for (int k = 0; k < kRounds; ++k) {
        all_raw.push_back(round(raw));
        all_ours.push_back(round(ours));
    }
    const auto quartile = [](std::vector<double>& times) {
        std::nth_element(times.begin(), times.begin() + kRounds / 4, times.end());
        return times[kRounds / 4];
    };
    return {quartile(all_raw), quartile(all_ours)};
}

bool over = false;
void print(const char* what, const Times& times, double most = 0) {
    const auto [raw, ours] = times;
    std::printf("%-34s %10.1f %10.1f %10.1f", what, raw, ours, ours - raw);
    if (most > 0)
        std::printf(" %8.0f%s", most, ours - raw > most ? " OVER" : "     ");
    else
        std::printf("              ");
    std::printf(" %8.2f\n", ours / raw);
    over |= most > 0 && ours - raw > most;
}

void measure(const Context& context, const Driver& driver, bool nothing, const Table& table) {
    const Module module = module_from_buffer(std::string_view(kKernel));
    const Function five = module.get_function("five");
    const DeviceAllocation x = mem_alloc(1024), y = mem_alloc(1024);
    const Stream stream;
    Event event;
    std::vector<float> host(16);
    if (nothing) table.return_at_once(context.handle());
    const auto& raw = driver.state().functions;
    const auto wait = [&] { context.synchronize(); };
    const int calls = nothing ? 4000 : 200, more = nothing ? 4000 : 400;

    std::printf("%s, nanoseconds a call\n%-34s %10s %10s %10s %8s %14s\n", driver.name().c_str(), "", "driver",
                "interface", "added", "limit", "ratio");
    int n = 0;
    float a = 1;
    device_ptr px = x.get(), py = y.get();
    void* parameters[] = {&n, &a, &px, &py, &px};
    const auto launch = [&] {
        raw.fn_cuLaunchKernel(five.handle(), 1, 1, 1, 32, 1, 1, 0, stream.handle(), parameters, nullptr);
    };
    const LaunchConfig config{.grid = {1}, .block = {32}, .stream = &stream};
    print("f(…) with five arguments", nanoseconds(calls, launch, [&] { five(config, n, a, x, y, x); }, wait), 150);
    five.prepare("ifPPP");
    print("prepared_async_call, five arguments",
          nanoseconds(calls, launch, [&] { five.prepared_async_call({1}, {32}, &stream, n, a, x, y, x); }, wait), 60);
    print(
        "memcpy_htod",
        nanoseconds(more, [&] { raw.fn_cuMemcpyHtoD(px, host.data(), 64); }, [&] { memcpy_htod(x, host); }, wait), 50);
    print(
        "memcpy_dtoh",
        nanoseconds(more, [&] { raw.fn_cuMemcpyDtoH(host.data(), px, 64); }, [&] { memcpy_dtoh(host, x); }, wait), 50);
    print("memcpy_htod_async",
          nanoseconds(
              more, [&] { raw.fn_cuMemcpyHtoDAsync(px, host.data(), 64, stream.handle()); },
              [&] { memcpy_htod_async(x, host, &stream); }, wait),
          50);
    print("memset_d32",
          nanoseconds(more, [&] { raw.fn_cuMemsetD32(px, 0, 16); }, [&] { memset_d32(x, 0, 16); }, wait), 50);
    print(
        "event.record",
        nanoseconds(
            more, [&] { raw.fn_cuEventRecord(event.handle(), stream.handle()); }, [&] { event.record(stream); }, wait),
        50);
    print("event.query",
          nanoseconds(more, [&] { raw.fn_cuEventQuery(event.handle()); }, [&] { (void)event.query(); }, wait), 50);
    print("stream.wait_for_event",
          nanoseconds(
              more, [&] { raw.fn_cuStreamWaitEvent(stream.handle(), event.handle(), 0); },
              [&] { stream.wait_for_event(event); }, wait),
          50);
    print("stream.is_done",
          nanoseconds(more, [&] { raw.fn_cuStreamQuery(stream.handle()); }, [&] { (void)stream.is_done(); }, wait), 50);
    if (nothing) return;
    const auto allocate = [&] {
        device_ptr address = 0;
        raw.fn_cuMemAlloc(&address, 4096);
        raw.fn_cuMemFree(address);
    };
    print("mem_alloc and free", nanoseconds(500, allocate, [] { mem_alloc(4096); }, wait));
    // From a thread whose current context is another one: each call switches and switches back.
    const Context other = Device(0, driver).make_context();
    print("memcpy_htod, another is current",
          nanoseconds(more, [&] { raw.fn_cuMemcpyHtoD(px, host.data(), 64); }, [&] { memcpy_htod(x, host); }, wait));
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::string_view name = argc > 1 ? argv[1] : "nothing";
        const bool nothing = name == "nothing";
        const Table table(Driver::software());
        const Driver driver = nothing ? Driver(table.state) : Driver::from_name(std::string(name));
        {
            const Context context = Device(0, driver).make_context();
            measure(context, driver, nothing, table);
            if (nothing) table.state->functions = Driver::software().state().functions;
        }
        return over ? 1 : 0;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 4;
    }
}
