// SPDX-License-Identifier: Apache-2.0
// Errors: what is kept for cudaGetLastError, what each thread has, what errors are called, and which wrong calls give
// which.
#include "kernels.hpp"

#include <QtTest>

#include <thread>

using namespace runtime_test;

class ErrorsTest : public QObject {
    Q_OBJECT

private slots:
    void last_error() {
        SUCCEEDS(cudaFree(nullptr));
        (void)cudaGetLastError();
        SAME_ERROR(cudaSetDevice(1000), cudaErrorInvalidDevice);
        SAME_ERROR(cudaPeekAtLastError(), cudaErrorInvalidDevice);
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count)); // a call that works leaves the error
        SAME_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);
        SUCCEEDS(cudaGetLastError());
        SUCCEEDS(cudaPeekAtLastError());
    }

    void of_each_thread() {
        SAME_ERROR(cudaSetDevice(-1), cudaErrorInvalidDevice);
        cudaError_t seen = cudaErrorUnknown;
        std::thread([&] { seen = cudaGetLastError(); }).join();
        SAME_ERROR(seen, cudaSuccess);
        SAME_ERROR(cudaGetLastError(), cudaErrorInvalidDevice);
    }

    void not_ready_is_no_error() {
        const Kernels kernels;
        unsigned* flag = nullptr;
        SUCCEEDS(cudaHostAlloc(reinterpret_cast<void**>(&flag), sizeof *flag, cudaHostAllocMapped));
        *flag = 0;
        unsigned* device = nullptr;
        SUCCEEDS(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device), flag, 0));
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        cudaEvent_t before = nullptr, event = nullptr;
        SUCCEEDS(cudaEventCreate(&before));
        SUCCEEDS(cudaEventCreate(&event));
        SUCCEEDS(cudaEventRecord(before, stream));
        void* arguments[] = {static_cast<void*>(&device)};
        SUCCEEDS(cudaLaunchKernel(&wait_for, dim3(1), dim3(1), arguments, 0, stream));
        SUCCEEDS(cudaEventRecord(event, stream));
        SAME_ERROR(cudaStreamQuery(stream), cudaErrorNotReady);
        SAME_ERROR(cudaEventQuery(event), cudaErrorNotReady);
        float ms = 0;
        SAME_ERROR(cudaEventElapsedTime(&ms, before, event), cudaErrorNotReady);
        SUCCEEDS(cudaPeekAtLastError());
        *static_cast<volatile unsigned*>(flag) = 1;
        SUCCEEDS(cudaStreamSynchronize(stream));
        SUCCEEDS(cudaStreamQuery(stream));
        SUCCEEDS(cudaEventQuery(event));
        SUCCEEDS(cudaEventElapsedTime(&ms, before, event));
        QVERIFY(ms >= 0);
        SUCCEEDS(cudaEventDestroy(before));
        SUCCEEDS(cudaEventDestroy(event));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFreeHost(flag));
    }

    void names() {
        QCOMPARE(cudaGetErrorName(cudaSuccess), "cudaSuccess");
        QCOMPARE(cudaGetErrorString(cudaSuccess), "no error");
        QCOMPARE(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
        QCOMPARE(cudaGetErrorName(cudaErrorApiFailureBase), "cudaErrorApiFailureBase");
        QCOMPARE(cudaGetErrorName(static_cast<cudaError_t>(-1)), "unrecognized error code");
        QCOMPARE(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code");
        // Each has a name and a text of its own.
#define WARPLIGHT_RUNTIME_ERROR(name, number, first, text)                                                             \
    QCOMPARE(cudaGetErrorName(static_cast<cudaError_t>(number)), #name);                                               \
    QVERIFY(*cudaGetErrorString(static_cast<cudaError_t>(number)));                                                    \
    QVERIFY(qstrcmp(cudaGetErrorString(static_cast<cudaError_t>(number)), "unrecognized error code") != 0);
#include "runtime_api/errors.def"
#undef WARPLIGHT_RUNTIME_ERROR
    }

    void wrong_calls() {
        const Kernels kernels;
        void* pointer = nullptr;
        char host[64] = {};
        SAME_ERROR(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaMalloc(&pointer, std::size_t{1} << 60), cudaErrorMemoryAllocation);
        SAME_ERROR(cudaFree(host), cudaErrorInvalidValue);
        SUCCEEDS(cudaMalloc(&pointer, 64));
        SAME_ERROR(cudaMemcpy(pointer, host, 64, static_cast<cudaMemcpyKind>(17)), cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaMemcpy(pointer, nullptr, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemcpy(host, host, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemcpy2D(pointer, 4, host, 8, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
        SAME_ERROR(cudaMemcpyToSymbol(host, host, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
        SAME_ERROR(cudaMemcpyToSymbol(&counter, host, 8, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemcpyToSymbol(&counter, host, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaGetSymbolAddress(&pointer, &not_registered), cudaErrorInvalidSymbol);
        // As NVIDIA's library for 13 answers.
        SAME_ERROR(cudaLaunchKernel(&not_registered, dim3(1), dim3(1), nullptr, 0, nullptr),
                   cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaLaunchKernel(&not_in_module, dim3(1), dim3(1), nullptr, 0, nullptr), cudaErrorSymbolNotFound);
        SAME_ERROR(cudaLaunchKernel(&count, dim3(0), dim3(1), nullptr, 0, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaLaunchKernel(&count, dim3(1), dim3(2048), nullptr, 0, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaLaunchKernel(&count, dim3(1), dim3(1, 1, 65), nullptr, 0, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaLaunchKernel(&count, dim3(1), dim3(1), nullptr, std::size_t{1} << 30, nullptr),
                   cudaErrorInvalidValue);
        int value = 0;
        SAME_ERROR(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 999), cudaErrorInvalidDevice);
        SAME_ERROR(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(99999), 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaSetDeviceFlags(0x1000), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaEventDestroy(nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaEventRecord(nullptr, nullptr), cudaErrorInvalidResourceHandle);
        dim3 grid, block;
        size_t shared = 0;
        cudaStream_t stream = nullptr;
        SAME_ERROR(__cudaPopCallConfiguration(&grid, &block, &shared, static_cast<void*>(&stream)),
                   cudaErrorMissingConfiguration);
        cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 16, 0, 0, cudaChannelFormatKindUnsigned);
        cudaArray_t array = nullptr;
        SAME_ERROR(cudaMallocArray(&array, &format, 4, 4, 0), cudaErrorInvalidChannelDescriptor);
        const void* table = nullptr;
        SAME_ERROR(cudaGetExportTable(&table, nullptr), cudaErrorNotSupported);
        SAME_ERROR(cudaGetLastError(), cudaErrorNotSupported);
    }

    /// After it nothing works until the device is reset, so it comes last.
    void fault() {
        const Kernels kernels;
        void* pointer = nullptr;
        SUCCEEDS(cudaLaunchKernel(&wrong, dim3(1), dim3(1), nullptr, 0, nullptr));
        SAME_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
        SAME_ERROR(cudaMalloc(&pointer, 64), cudaErrorIllegalAddress);
        SAME_ERROR(cudaGetLastError(), cudaErrorIllegalAddress);
        SAME_ERROR(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
        if (qEnvironmentVariable("WARPLIGHT_TEST_DRIVER") == "cuda") return;
        // On the software device a reset is enough.
        SUCCEEDS(cudaDeviceReset());
        (void)cudaGetLastError();
        SUCCEEDS(cudaMalloc(&pointer, 64));
        SUCCEEDS(launch_fill(static_cast<unsigned*>(pointer), 3, 16));
        unsigned numbers[16] = {};
        SUCCEEDS(cudaMemcpy(numbers, pointer, sizeof numbers, cudaMemcpyDeviceToHost));
        QCOMPARE(numbers[15], 18U);
    }
};

QTEST_GUILESS_MAIN(ErrorsTest)
#include "errors_test.moc"
