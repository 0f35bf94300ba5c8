// SPDX-License-Identifier: Apache-2.0
// Eight threads on two devices: launches, copies, errors, and plugins that come and go meanwhile.
#include "kernels.hpp"

#include <QtTest>

#include <atomic>
#include <thread>

using namespace runtime_test;

class ThreadsTest : public QObject {
    Q_OBJECT

private slots:
    void eight() {
        const Kernels kernels;
        int devices = 0;
        SUCCEEDS(cudaGetDeviceCount(&devices));
        std::atomic<int> wrong_results = 0, wrong_errors = 0;
        const auto work = [&](unsigned number) {
            const auto check = [&](cudaError_t error) { wrong_errors += error != cudaSuccess; };
            check(cudaSetDevice(static_cast<int>(number) % devices));
            void* pointer = nullptr;
            cudaStream_t stream = nullptr;
            check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
            check(cudaMalloc(&pointer, 4096));
            std::vector<unsigned> out(1024);
            for (unsigned round = 0; round < 50; ++round) {
                check(launch_fill(static_cast<unsigned*>(pointer), number * 1000 + round, 1024, stream));
                check(cudaMemcpyAsync(out.data(), pointer, 4096, cudaMemcpyDeviceToHost, stream));
                check(cudaStreamSynchronize(stream));
                for (unsigned i = 0; i < 1024; ++i)
                    wrong_results += out[i] != number * 1000 + round + i;
                unsigned value = 0;
                check(cudaMemcpyFromSymbol(&value, &factor, sizeof value));
                wrong_results += value != 2;
                // Each thread has an error of its own.
                (void)cudaSetDevice(100 + static_cast<int>(number));
                wrong_errors += cudaGetLastError() != cudaErrorInvalidDevice;
                wrong_errors += cudaGetLastError() != cudaSuccess;
                if (round % 10 == number % 10) {
                    Module plugin;
                    char host = 0;
                    plugin.function(&host, "count");
                    check(cudaLaunchKernel(&host, dim3(1), dim3(1), nullptr, 0, stream));
                    check(cudaStreamSynchronize(stream));
                }
            }
            check(cudaFree(pointer));
            check(cudaStreamDestroy(stream));
        };
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < 8; ++i)
            threads.emplace_back(work, i);
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(wrong_results.load(), 0);
        QCOMPARE(wrong_errors.load(), 0);
    }

    /// Threads that use the library for the first time at once.
    void first_use() {
        const Kernels kernels;
        std::atomic<int> wrong_results = 0;
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < 8; ++i)
            threads.emplace_back([&, i] {
                void* pointer = nullptr;
                unsigned out[64] = {};
                if (cudaMalloc(&pointer, sizeof out) != cudaSuccess ||
                    launch_fill(static_cast<unsigned*>(pointer), i, 64) != cudaSuccess ||
                    cudaMemcpy(out, pointer, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess || out[63] != i + 63 ||
                    cudaFree(pointer) != cudaSuccess)
                    ++wrong_results;
            });
        for (auto& thread : threads)
            thread.join();
        QCOMPARE(wrong_results.load(), 0);
    }
};

QTEST_GUILESS_MAIN(ThreadsTest)
#include "threads_test.moc"
