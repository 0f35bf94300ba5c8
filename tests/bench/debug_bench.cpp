// SPDX-License-Identifier: Apache-2.0
// How long commands of the debug engine take: a step with 65,536 threads, and going back over millions of events. An
// event is a thread that comes to a line. Prints a table; it is no test. Needs NVRTC.
#include "debug/debugger.hpp"
#include "warplight/compiler.hpp"

#include <cuda.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

extern "C" CUresult cuxWarplightStep(void* stepper);

namespace {

using warplight::debug::Step;
using warplight::debug::Unit;
using clock_type = std::chrono::steady_clock;

/// A loop of two lines.
constexpr const char* kSource = "extern \"C\" __global__ void bench(int n, float* x) {\n"
                                "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "    float v = x[i];\n"
                                "    for (int k = 0; k < n; ++k)\n"
                                "        v = v * 0.5f + k;\n"
                                "    x[i] = v;\n"
                                "}\n";
constexpr unsigned kLastLine = 6;

class Waiting final : public warplight::debug::Client {
public:
    void begins(const std::vector<warplight::debug::Breakpoint>& breakpoints) override { (void)breakpoints; }
    void stops(const warplight::debug::Stop& stop) override {
        const std::scoped_lock lock(mutex_);
        stop_ = stop;
        has_stopped_ = true;
        changed_.notify_all();
    }
    warplight::debug::Stop wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return has_stopped_; });
        has_stopped_ = false;
        return stop_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    warplight::debug::Stop stop_;
    bool has_stopped_ = false;
};

struct Launch {
    unsigned grid, block;
    int rounds;
};

void run(const std::string& ptx, const Launch& launch) {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr x = 0;
    int n = launch.rounds;
    void* arguments[] = {&n, &x};
    const bool done =
        cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS && cuCtxSetCurrent(context) == CUDA_SUCCESS &&
        cuModuleLoadData(&module, ptx.c_str()) == CUDA_SUCCESS &&
        cuModuleGetFunction(&function, module, "bench") == CUDA_SUCCESS &&
        cuMemAlloc(&x, std::size_t{4} * launch.grid * launch.block) == CUDA_SUCCESS &&
        cuLaunchKernel(function, launch.grid, 1, 1, launch.block, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_SUCCESS;
    if (!done) std::fprintf(stderr, "the launch has failed\n");
    (void)cuCtxSynchronize(); // which the end of the measurement cancels
    cuDevicePrimaryCtxReset(0);
}

/// Milliseconds from a command to its stop.
template <class Command>
double time_of(Waiting& waiting, Command command) {
    const auto begin = clock_type::now();
    if (const std::string why = command(); !why.empty()) std::fprintf(stderr, "%s\n", why.c_str());
    waiting.wait();
    return std::chrono::duration<double, std::milli>(clock_type::now() - begin).count();
}

void measure(const std::string& ptx, const Launch& launch, const char* what) {
    Waiting waiting;
    warplight::debug::Debugger debugger(waiting);
    debugger.stop_at_entry(true);
    cuxWarplightStep(&debugger);
    std::thread thread([&] { run(ptx, launch); });
    waiting.wait();
    std::printf("%s: %u blocks of %u threads\n", what, launch.grid, launch.block);
    for (const auto& [unit, name] :
         {std::pair(Unit::thread, "thread"), std::pair(Unit::warp, "warp"), std::pair(Unit::block, "block")})
        std::printf("  %-34s %9.2f ms\n", (std::string("step of a ") + name).c_str(),
                    time_of(waiting, [&] { return debugger.step(Step::over, unit, 0); }));
    debugger.set_breakpoints("bench.cu", {{kLastLine, "blockIdx.x == gridDim.x - 1"}});
    const auto begin = clock_type::now();
    debugger.go();
    const std::uint64_t rounds = waiting.wait().round;
    const double forward = std::chrono::duration<double, std::milli>(clock_type::now() - begin).count();
    const double events = static_cast<double>(rounds) * std::min(launch.block, 32U);
    std::printf("  %-34s %9.2f ms, %.1f million events, %.1f ns each\n", "to the last line of the last block", forward,
                events / 1e6, forward * 1e6 / events);
    std::printf("  %-34s %9.2f ms\n", "step back", time_of(waiting, [&] { return debugger.step_back(0); }));
    std::printf("  %-34s %9.2f ms\n", "back to the start", time_of(waiting, [&] { return debugger.go_back(); }));
    debugger.cancel();
    thread.join();
    cuxWarplightStep(nullptr);
}

} // namespace

int main() {
    warplight::compiler::CompileRequest request;
    request.source = kSource;
    request.name = "bench.cu";
    request.arch = "compute_80";
    request.options = {"--device-debug"};
    request.line_info = false;
    const auto compiled = warplight::compiler::compile(request);
    if (!compiled.ok) {
        std::fprintf(stderr, "%s\n", compiled.log.c_str());
        return 1;
    }
    cuInit(0);
    measure(compiled.ptx, {256, 256, 50}, "65,536 threads");
    measure(compiled.ptx, {1, 1, 2'500'000}, "one thread");
    measure(compiled.ptx, {64, 1024, 50}, "large blocks");
    return 0;
}
