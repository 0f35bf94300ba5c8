// SPDX-License-Identifier: Apache-2.0
// What a PyCUDA program does, in C++: each line of the table in docs/library.md is here.
#include <warplight/context.hpp>
#include <warplight/error.hpp>
#include <warplight/event.hpp>
#include <warplight/function.hpp>
#include <warplight/host_memory.hpp>
#include <warplight/memory.hpp>
#include <warplight/memory_pool.hpp>
#include <warplight/npy.hpp>
#include <warplight/source_module.hpp>
#include <warplight/stream.hpp>

#include <cstdio>
#include <filesystem>
#include <vector>

using namespace warplight;
using namespace warplight::driver;
using warplight::compiler::SourceModule;

namespace {

constexpr char text[] = R"(
__constant__ float factor = 2;
__global__ void scale(const float* a, float* b, int n) {
    extern __shared__ float unused[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = factor * a[i];
})";

void devices() {
    for (int number = 0; number < Device::count(); ++number) {
        const Device device(number);
        const auto [major, minor] = device.compute_capability();
        std::printf("%s, %d.%d, warps of %d\n", device.name().c_str(), major, minor, device.warp_size());
    }
}

bool kernels() {
    const SourceModule module(text);
    const Function f = module.get_function("scale");
    const NdArray a = NdArray::from({1.0f, 2.0f, 3.0f, 4.0f});
    const NdArray b = NdArray::zeros({4}, DType::float32());
    const Stream stream;

    f(Grid{1}, Block{4}, In(a), Out(b), a.size());
    f({.grid = {1}, .block = {4}, .shared = 64, .stream = &stream}, In(a), Out(b), 4);
    const double seconds = f({.grid = {1}, .block = {4}, .time_kernel = true}, In(a), Out(b), 4).value();

    const Global factor = module.get_global("factor");
    memcpy_htod(factor.pointer, std::vector{10.0f});
    const DeviceAllocation d_a = to_device(a);
    const DeviceAllocation d_b = mem_alloc(b.nbytes());
    f.prepare("PPi");
    f.prepared_call({1}, {4}, d_a, d_b, 4);
    f.prepared_async_call({1}, {4}, &stream, d_a, d_b, 4);
    stream.synchronize();
    memcpy_dtoh(b, d_b);
    std::printf("%d registers, %d bytes of local memory\n", f.num_regs(), f.local_size_bytes());
    return seconds > 0 && b.at<float>(3) == 40.0f;
}

bool memory() {
    const NdArray a = NdArray::from({1.0f, 2.0f, 3.0f, 4.0f});
    const NdArray host = pagelocked_empty({4}, DType::float32());
    const NdArray shared = managed_zeros({4}, DType::float32());
    const Stream stream;
    const DeviceAllocation d = mem_alloc_like(a);
    memcpy_htod(d, a);
    memcpy_htod_async(d, a, &stream);
    memcpy_dtoh_async(host, d, &stream);
    stream.synchronize();

    const DeviceAllocation copy = mem_alloc(a.nbytes());
    memcpy_dtod(copy, d, a.nbytes());
    memset_d32(copy + 8, 0, 2);
    const NdArray back = from_device(copy, {4}, DType::float32());
    const NdArray again = from_device_like(copy, a);

    DeviceMemoryPool pool;
    const PooledDeviceAllocation pooled = pool.allocate(1024);
    const auto [free, total] = mem_get_info();
    std::printf("%zu of %zu bytes are free\n", free, total);
    return host.at<float>(3) == 4.0f && back.at<float>(1) == 2.0f && again.at<float>(3) == 0.0f &&
           shared.at<float>(0) == 0.0f;
}

bool events() {
    const Stream stream;
    Event start, end;
    start.record(stream);
    end.record(stream);
    end.synchronize();
    const float milliseconds = end.time_since(start);
    return milliseconds >= 0;
}

bool files() {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / "warplight_from_pycuda.npy";
    save_npy(path, NdArray::from({1, 2, 3}));
    const NdArray loaded = load_npy(path);
    return std::filesystem::remove(path) && loaded.item(2) == 3;
}

bool errors() {
    try {
        (void)mem_alloc(0);
    } catch (const LogicError& error) {
        return !error.routine().empty();
    }
    return false;
}

} // namespace

int main() {
    Context context = Device(0).make_context();
    devices();
    const bool all = kernels() && memory() && events() && files() && errors();
    Context::get_current().synchronize();
    Context::pop();
    context.detach();
    return all ? 0 : 1;
}
