// SPDX-License-Identifier: Apache-2.0
// Kernels and variables: registered early, late and no longer, launched in every way, and asked about.
#include "kernels.hpp"

#include <QtTest>

using namespace runtime_test;

namespace {

unsigned* device(std::size_t count) {
    void* pointer = nullptr;
    return cudaMalloc(&pointer, count * sizeof(unsigned)) == cudaSuccess ? static_cast<unsigned*>(pointer) : nullptr;
}

bool filled(const unsigned* data, unsigned value, std::size_t count) {
    std::vector<unsigned> numbers(count);
    if (cudaMemcpy(numbers.data(), data, count * sizeof(unsigned), cudaMemcpyDeviceToHost) != cudaSuccess) return false;
    for (std::size_t i = 0; i < count; ++i)
        if (numbers[i] != value + i) return false;
    return true;
}

} // namespace

class KernelsTest : public QObject {
    Q_OBJECT

private slots:
    void launches() {
        const Kernels kernels;
        unsigned* data = device(100);
        unsigned value = 1, size = 100;
        void* arguments[] = {static_cast<void*>(&data), &value, &size};
        SUCCEEDS(cudaLaunchKernel(&fill, dim3(2), dim3(64), arguments, 0, nullptr));
        QVERIFY(filled(data, 1, 100));

        cudaLaunchConfig_t config{};
        config.gridDim = dim3(2);
        config.blockDim = dim3(64);
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributePriority;
        attribute.val.priority = 0;
        config.attrs = &attribute;
        config.numAttrs = 1;
        value = 2;
        SUCCEEDS(cudaLaunchKernelExC(&config, &fill, arguments));
        QVERIFY(filled(data, 2, 100));
        SAME_ERROR(cudaLaunchKernelExC(nullptr, &fill, arguments), cudaErrorInvalidValue);

        value = 3;
        SUCCEEDS(cudaLaunchCooperativeKernel(&fill, dim3(2), dim3(64), arguments, 0, nullptr));
        QVERIFY(filled(data, 3, 100));

        // As the code of nvcc does it.
        value = 4;
        cudaKernel_t kernel = nullptr;
        SUCCEEDS(__cudaGetKernel(&kernel, &fill));
        QCOMPARE(__cudaPushCallConfiguration(dim3(2), dim3(64), 0, nullptr), 0U);
        QCOMPARE(__cudaPushCallConfiguration(dim3(7), dim3(7), 7, nullptr), 0U); // in an argument of the launch
        dim3 grid, block;
        size_t shared = 0;
        cudaStream_t stream = nullptr;
        SUCCEEDS(__cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)));
        QCOMPARE(grid.x, 7U);
        SUCCEEDS(__cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)));
        QCOMPARE(block.x, 64U);
        SUCCEEDS(__cudaLaunchKernel(kernel, grid, block, arguments, shared, stream));
        QVERIFY(filled(data, 4, 100));

        // A handle stands for the kernel everywhere.
        SUCCEEDS(cudaGetKernel(&kernel, &fill));
        value = 5;
        SUCCEEDS(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(2), dim3(64), arguments, 0, nullptr));
        QVERIFY(filled(data, 5, 100));
        const char* name = nullptr;
        SUCCEEDS(cudaFuncGetName(&name, &fill));
        QCOMPARE(name, "fill");
        size_t offset = 0;
        SUCCEEDS(cudaFuncGetParamInfo(&fill, 1, &offset, &size_));
        QCOMPARE(offset, size_t{8});
        QCOMPARE(size_, size_t{4});
        SUCCEEDS(cudaFree(data));
    }

    void dynamic_shared_memory() {
        const Kernels kernels;
        unsigned* out = device(1);
        void* arguments[] = {static_cast<void*>(&out)};
        int most = 0, usual = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
        SUCCEEDS(cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0));
        if (most > usual) {
            SAME_ERROR(cudaLaunchKernel(&shared_size, dim3(1), dim3(1), arguments, size_t(most), nullptr),
                       cudaErrorInvalidValue);
            SUCCEEDS(cudaFuncSetAttribute(&shared_size, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
        }
        SUCCEEDS(cudaLaunchKernel(&shared_size, dim3(1), dim3(1), arguments, size_t(most), nullptr));
        unsigned its = 0;
        SUCCEEDS(cudaMemcpy(&its, out, sizeof its, cudaMemcpyDeviceToHost));
        QCOMPARE(its, unsigned(most));
        SUCCEEDS(cudaFree(out));
    }

    void attributes() {
        const Kernels kernels;
        cudaFuncAttributes attributes{};
        SUCCEEDS(cudaFuncGetAttributes(&attributes, &fill));
        QVERIFY(attributes.maxThreadsPerBlock >= 32);
        QCOMPARE(attributes.ptxVersion, 70);
        SAME_ERROR(cudaFuncGetAttributes(&attributes, &not_registered), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaFuncSetAttribute(&fill, static_cast<cudaFuncAttribute>(0), 1), cudaErrorInvalidValue);
        SUCCEEDS(cudaFuncSetAttribute(&fill, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
        SUCCEEDS(cudaFuncGetAttributes(&attributes, &fill));
        QCOMPARE(attributes.preferredShmemCarveout, 50);
        SUCCEEDS(cudaFuncSetCacheConfig(&fill, cudaFuncCachePreferL1));
        int blocks = 0;
        SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &fill, 128, 0));
        QVERIFY(blocks >= 1);
        size_t shared = 0;
        SUCCEEDS(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, &fill, 1, 128));
        QVERIFY(shared > 1024);
        SAME_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, &fill, 128, 0), cudaErrorInvalidValue);
        cudaFunction_t function = nullptr;
        SUCCEEDS(cudaGetFuncBySymbol(&function, &fill));
        QVERIFY(function);
    }

    void variables() {
        const Kernels kernels;
        unsigned value = 0;
        SUCCEEDS(cudaMemcpyFromSymbol(&value, &counter, sizeof value));
        QCOMPARE(value, 7U);
        value = 10;
        SUCCEEDS(cudaMemcpyToSymbol(&factor, &value, sizeof value));
        SUCCEEDS(cudaLaunchKernel(&count, dim3(3), dim3(2), nullptr, 0, nullptr));
        SUCCEEDS(cudaMemcpyFromSymbol(&value, &counter, sizeof value));
        QCOMPARE(value, 67U);
        void* address = nullptr;
        size_t size = 0;
        SUCCEEDS(cudaGetSymbolAddress(&address, &counter));
        SUCCEEDS(cudaGetSymbolSize(&size, table));
        QCOMPARE(size, size_t{64});
        SUCCEEDS(cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost));
        QCOMPARE(value, 67U);
        const char text[] = "in the middle";
        char back[sizeof text] = {};
        SUCCEEDS(cudaMemcpyToSymbolAsync(table, text, sizeof text, 20, cudaMemcpyHostToDevice, nullptr));
        SUCCEEDS(cudaMemcpyFromSymbolAsync(back, table, sizeof text, 20, cudaMemcpyDeviceToHost, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        QCOMPARE(back, text);
        SAME_ERROR(cudaMemcpyToSymbol(table, text, sizeof text, 60), cudaErrorInvalidValue);
    }

    void managed_variables() {
        shared_number = nullptr;
        const Kernels kernels;
        QVERIFY(__cudaInitModule(kernels.handle()));
        QVERIFY(shared_number);
        QCOMPARE(*shared_number, 5U);
        *shared_number = 100;
        SUCCEEDS(cudaLaunchKernel(&count, dim3(1), dim3(4), nullptr, 0, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        QCOMPARE(*shared_number, 104U);
        unsigned value = 0;
        SUCCEEDS(cudaMemcpyFromSymbol(&value, &shared_number, sizeof value));
        QCOMPARE(value, 104U);
        SUCCEEDS(cudaMemcpyFromSymbol(&value, shared_number, sizeof value)); // what nvcc's code passes
        QCOMPARE(value, 104U);
    }

    /// As plugins come and go.
    void late_and_gone() {
        unsigned* data = device(64);
        for (int round = 0; round < 20; ++round) {
            auto first = std::make_unique<Kernels>();
            SUCCEEDS(launch_fill(data, unsigned(round), 64));
            {
                const Kernels second; // the same functions once more
                SUCCEEDS(launch_fill(data, 1000, 64));
                first.reset(); // the second still has them
                SUCCEEDS(launch_fill(data, 2000 + unsigned(round), 64));
                QVERIFY(filled(data, 2000 + unsigned(round), 64));
            }
            SAME_ERROR(launch_fill(data, 0, 64), cudaErrorInvalidResourceHandle);
            unsigned value = 0;
            SAME_ERROR(cudaMemcpyFromSymbol(&value, &counter, 4), cudaErrorInvalidSymbol);
        }
        SUCCEEDS(cudaDeviceSynchronize());
        SUCCEEDS(cudaFree(data));
    }

    void broken_code() {
        Module broken(".version 7.0\n.target sm_50\n.address_size 64\n.entry broken() { nonsense; }\n");
        char host = 0;
        broken.function(&host, "broken");
        const cudaError_t error = cudaLaunchKernel(&host, dim3(1), dim3(1), nullptr, 0, nullptr);
        QVERIFY2(error == cudaErrorInvalidPtx || error == cudaErrorNoKernelImageForDevice, cudaGetErrorName(error));
        // The others go on.
        const Kernels kernels;
        unsigned* data = device(64);
        SUCCEEDS(launch_fill(data, 9, 64));
        QVERIFY(filled(data, 9, 64));
        SUCCEEDS(cudaFree(data));
    }

    void libraries() {
        cudaLibrary_t library = nullptr;
        SUCCEEDS(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
        cudaKernel_t kernel = nullptr;
        SUCCEEDS(cudaLibraryGetKernel(&kernel, library, "fill"));
        unsigned* data = device(64);
        unsigned value = 77, size = 64;
        void* arguments[] = {static_cast<void*>(&data), &value, &size};
        SUCCEEDS(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(64), arguments, 0, nullptr));
        QVERIFY(filled(data, 77, 64));
        unsigned number = 0;
        SUCCEEDS(cudaLibraryGetKernelCount(&number, library));
        QCOMPARE(number, 6U);
        std::vector<cudaKernel_t> all(number);
        SUCCEEDS(cudaLibraryEnumerateKernels(all.data(), number, library));
        void* address = nullptr;
        size_t bytes = 0;
        SUCCEEDS(cudaLibraryGetGlobal(&address, &bytes, library, "table"));
        QCOMPARE(bytes, size_t{64});
        SUCCEEDS(cudaLibraryGetManaged(&address, &bytes, library, "shared_number"));
        QCOMPARE(*static_cast<unsigned*>(address), 5U);
        SAME_ERROR(cudaLibraryGetKernel(&kernel, library, "nothing"), cudaErrorSymbolNotFound);
        SUCCEEDS(cudaLibraryUnload(library));
        SAME_ERROR(cudaLaunchKernel(reinterpret_cast<const void*>(all[0]), dim3(1), dim3(64), arguments, 0, nullptr),
                   cudaErrorInvalidResourceHandle);
        SUCCEEDS(cudaFree(data));
    }

    void driver_functions() {
        void* function = nullptr;
        cudaDriverEntryPointQueryResult status{};
        SUCCEEDS(cudaGetDriverEntryPointByVersion("cuMemAlloc", &function, 12000, cudaEnableDefault, &status));
        QCOMPARE(status, cudaDriverEntryPointSuccess);
        std::uint64_t pointer = 0;
        SUCCEEDS(cudaFree(nullptr));
        QCOMPARE(reinterpret_cast<int (*)(std::uint64_t*, size_t)>(function)(&pointer, 64), 0);
        SUCCEEDS(cudaMemset(reinterpret_cast<void*>(pointer), 0, 64));
        SUCCEEDS(cudaFree(reinterpret_cast<void*>(pointer)));
        SUCCEEDS(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, cudaEnableDefault, &status));
        QCOMPARE(status, cudaDriverEntryPointSymbolNotFound);
        QVERIFY(!function);
        SAME_ERROR(cudaGetDriverEntryPointByVersion(nullptr, &function, 12000, cudaEnableDefault, &status),
                   cudaErrorInvalidValue);
    }

private:
    size_t size_ = 0;
};

QTEST_GUILESS_MAIN(KernelsTest)
#include "kernels_test.moc"
