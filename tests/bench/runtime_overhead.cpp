// SPDX-License-Identifier: Apache-2.0
// What a call of the runtime library costs beside the driver's call that it makes: `runtime_overhead` prints both in
// nanoseconds, and their difference. The library and the driver are those that the loader finds.
#include "../runtime_api/kernels.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda.h>

using namespace runtime_test;

namespace {

template <class Function>
Function driver(const char* name, unsigned version) {
    void* pointer = nullptr;
    cudaDriverEntryPointQueryResult status{};
    if (cudaGetDriverEntryPointByVersion(name, &pointer, version, cudaEnableDefault, &status) != cudaSuccess ||
        !pointer) {
        std::fprintf(stderr, "the driver has no %s\n", name);
        std::exit(1);
    }
    return reinterpret_cast<Function>(pointer);
}

/// The median of rounds, in nanoseconds a call. The device is idle at the begin of each.
template <class Call>
double time_of(Call call, int count) {
    std::vector<double> rounds;
    for (int round = 0; round < 31; ++round) {
        (void)cudaDeviceSynchronize();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i)
            call();
        rounds.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                         count);
    }
    std::sort(rounds.begin(), rounds.end());
    return rounds[rounds.size() / 2];
}

template <class Runtime, class Driver>
void compare(const char* what, Runtime runtime, Driver driver, int count = 2000) {
    // Turn by turn, so that both meet the same machine.
    double a = 1e9, b = 1e9;
    for (int turn = 0; turn < 3; ++turn) {
        b = std::min(b, time_of(driver, count));
        a = std::min(a, time_of(runtime, count));
    }
    std::printf("%-24s %9.1f ns   driver %9.1f ns   difference %7.1f ns\n", what, a, b, a - b);
}

} // namespace

int main() {
    const Kernels kernels;
    void* memory = nullptr;
    if (cudaMalloc(&memory, 4096) != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    (void)cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    (void)cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    const auto launch = driver<CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                            unsigned, CUstream, void**, void**)>("cuLaunchKernel", 4000);
    const auto memset = driver<CUresult (*)(CUdeviceptr, unsigned char, size_t, CUstream)>("cuMemsetD8Async", 3020);
    const auto record = driver<CUresult (*)(CUevent, CUstream)>("cuEventRecord", 2000);
    const auto query = driver<CUresult (*)(CUevent)>("cuEventQuery", 2000);
    const auto device = driver<CUresult (*)(CUdevice*)>("cuCtxGetDevice", 2000);
    const auto attribute = driver<CUresult (*)(int*, CUdevice_attribute, CUdevice)>("cuDeviceGetAttribute", 2000);

    auto* data = static_cast<unsigned*>(memory);
    unsigned value = 1, size = 1;
    void* arguments[] = {static_cast<void*>(&data), &value, &size};
    cudaFunction_t function = nullptr;
    cudaKernel_t kernel = nullptr;
    cudaKernel_t stub = nullptr;
    (void)cudaGetFuncBySymbol(&function, &fill);
    (void)cudaGetKernel(&kernel, &fill);
    (void)__cudaGetKernel(&stub, &fill);
    const auto one = dim3(1);
    compare(
        "cudaLaunchKernel", [&] { (void)cudaLaunchKernel(&fill, one, one, arguments, 0, stream); },
        [&] { (void)launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr); }, 500);
    compare(
        "  by nvcc's stub", [&] { (void)__cudaLaunchKernel(stub, one, one, arguments, 0, stream); },
        [&] { (void)launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr); }, 500);
    compare(
        "  driver by CUkernel", [&] { (void)cudaLaunchKernel(&fill, one, one, arguments, 0, stream); },
        [&] { (void)launch(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr); },
        500);
    compare(
        "cudaMemsetAsync", [&] { (void)cudaMemsetAsync(memory, 0, 16, stream); },
        [&] { (void)memset(reinterpret_cast<CUdeviceptr>(memory), 0, 16, stream); }, 500);
    compare(
        "cudaEventRecord", [&] { (void)cudaEventRecord(event, stream); }, [&] { (void)record(event, stream); }, 500);
    compare("cudaEventQuery", [&] { (void)cudaEventQuery(event); }, [&] { (void)query(event); });
    int number = 0;
    compare("cudaGetDevice", [&] { (void)cudaGetDevice(&number); }, [&] { (void)device(&number); });
    compare(
        "cudaDeviceGetAttribute", [&] { (void)cudaDeviceGetAttribute(&number, cudaDevAttrWarpSize, 0); },
        [&] { (void)attribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0); });
    compare("cudaGetLastError", [] { (void)cudaGetLastError(); }, [] {});
    return 0;
}
