// SPDX-License-Identifier: Apache-2.0
// How fast large data comes to the device: upload_bench [software|cuda] [MiB] [FOLDER]
// From page-locked memory, from a .npy file through page-locked buffers, from pageable memory so and as the driver
// does it. The file is read once before, so that it is the copy that is measured and not the disk.
#include "warplight/context.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/npy.hpp"
#include "warplight/staged_copy.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <thread>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;

namespace {

/// Gigabytes a second, the best of several rounds.
double rate(std::size_t bytes, const std::function<void()>& copy) {
    double best = 0;
    for (int round = 0; round < 3; ++round) {
        const auto start = std::chrono::steady_clock::now();
        copy();
        const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(bytes) / time.count() / 1e9);
    }
    return best;
}

} // namespace

int main(int argc, char** argv) {
    const auto file = std::filesystem::path(argc > 3 ? argv[3] : ".") / "upload_bench.npy";
    std::setvbuf(stdout, nullptr, _IOLBF, 1024);
    try {
        const Driver driver = argc > 1 ? Driver::from_name(argv[1]) : Driver::get_default();
        const Context context = Device(0, driver).make_context();
        const std::size_t bytes = (argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1024) << 20;
        const DeviceAllocation device = mem_alloc(bytes);
        double locked = 0;
        {
            const NdArray memory = pagelocked_zeros({bytes}, DType::uint8());
            locked = rate(bytes, [&] { memcpy_htod(device, memory); });
        }
        const NdArray memory = NdArray::empty({bytes}, DType::uint8());
        std::memset(memory.mutable_data(), 1, bytes);
        warplight::save_npy(file, memory);
        const auto print = [&](const char* what, double value) {
            std::printf("%-44s %8.2f GB/s %6.1f %%\n", what, value, 100 * value / locked);
        };
        std::printf("%s, %zu MiB\n", context.get_device().name().c_str(), bytes >> 20);
        print("page-locked memory", locked);
        print("pageable memory, as the driver copies it", rate(bytes, [&] { memcpy_htod(device, memory); }));
        for (const unsigned threads : {1U, 4U, 8U, 12U, 16U}) {
            if (threads > std::max(1U, std::thread::hardware_concurrency())) break;
            for (const std::size_t chunk : {2, 4, 8, 16, 32}) {
                StagedCopier copier(chunk << 20, threads);
                char text[80];
                std::snprintf(text, sizeof text, "file, buffers of %2zu MiB, %2u threads", chunk, threads);
                print(text, rate(bytes, [&] { copier.copy_npy(device, file); }));
                std::snprintf(text, sizeof text, "memory, buffers of %2zu MiB, %2u threads", chunk, threads);
                print(text, rate(bytes, [&] { copier.copy(device, memory); }));
            }
        }
        print("file, with buffers made each time", rate(bytes, [&] { StagedCopier().copy_npy(device, file); }));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "upload_bench: %s\n", error.what());
        std::error_code ignored;
        std::filesystem::remove(file, ignored);
        return 1;
    }
    std::filesystem::remove(file);
    return 0;
}
