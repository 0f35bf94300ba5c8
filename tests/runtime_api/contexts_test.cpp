// SPDX-License-Identifier: Apache-2.0
// Devices and contexts: which a thread has, beside the driver API, on several devices, before and after a reset.
#include "kernels.hpp"

#include <QtTest>

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <thread>

using namespace runtime_test;

namespace {

/// Functions of the driver, as a program that mixes both interfaces has them.
struct Driver {
    template <class Type>
    static Type function(const char* name, unsigned version) {
        void* pointer = nullptr;
        cudaDriverEntryPointQueryResult status{};
        (void)cudaGetDriverEntryPointByVersion(name, &pointer, version, cudaEnableDefault, &status);
        return reinterpret_cast<Type>(pointer);
    }
    CUresult (*get_current)(CUcontext*) = function<CUresult (*)(CUcontext*)>("cuCtxGetCurrent", 4000);
    CUresult (*set_current)(CUcontext) = function<CUresult (*)(CUcontext)>("cuCtxSetCurrent", 4000);
    CUresult (*create)(CUcontext*, unsigned,
                       CUdevice) = function<CUresult (*)(CUcontext*, unsigned, CUdevice)>("cuCtxCreate", 3020);
    CUresult (*destroy)(CUcontext) = function<CUresult (*)(CUcontext)>("cuCtxDestroy", 4000);
    CUresult (*pop)(CUcontext*) = function<CUresult (*)(CUcontext*)>("cuCtxPopCurrent", 4000);
    CUresult (*retain)(CUcontext*, CUdevice) = function<CUresult (*)(CUcontext*, CUdevice)>("cuDevicePrimaryCtxRetain",
                                                                                            7000);
    CUresult (*state)(CUdevice, unsigned*,
                      int*) = function<CUresult (*)(CUdevice, unsigned*, int*)>("cuDevicePrimaryCtxGetState", 7000);
    CUresult (*reset)(CUdevice) = function<CUresult (*)(CUdevice)>("cuDevicePrimaryCtxReset", 7000);
    CUresult (*load)(CUmodule*, const void*) = function<CUresult (*)(CUmodule*, const void*)>("cuModuleLoadData", 2000);
};

unsigned* filled(unsigned value) {
    void* pointer = nullptr;
    if (cudaMalloc(&pointer, 64) != cudaSuccess) return nullptr;
    return launch_fill(static_cast<unsigned*>(pointer), value, 16) == cudaSuccess ? static_cast<unsigned*>(pointer)
                                                                                  : nullptr;
}
unsigned first(const unsigned* data) {
    unsigned value = 0;
    return data && cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess ? value : ~0U;
}

} // namespace

class ContextsTest : public QObject {
    Q_OBJECT

private slots:
    void properties() {
        cudaDeviceProp properties{};
        SUCCEEDS(cudaGetDeviceProperties(&properties, 0));
        QVERIFY(*properties.name);
        int value = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
        QCOMPARE(properties.major, value);
        SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrMaxGridDimZ, 0));
        QCOMPARE(properties.maxGridSize[2], value);
        SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
        QCOMPARE(properties.sharedMemPerBlockOptin, size_t(value));
        SUCCEEDS(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
        QCOMPARE(properties.clusterLaunch, value);
        QCOMPARE(properties.warpSize, 32);
        SAME_ERROR(cudaGetDeviceProperties(&properties, -1), cudaErrorInvalidDevice);
        SAME_ERROR(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
        int chosen = -1;
        SUCCEEDS(cudaChooseDevice(&chosen, &properties));
        QCOMPARE(chosen, 0);
        char id[32] = {};
        SUCCEEDS(cudaDeviceGetPCIBusId(id, sizeof id, 0));
        SUCCEEDS(cudaDeviceGetByPCIBusId(&value, id));
        QCOMPARE(value, 0);
        int driver = 0, runtime = 0;
        SUCCEEDS(cudaDriverGetVersion(&driver));
        SUCCEEDS(cudaRuntimeGetVersion(&runtime));
        QCOMPARE(runtime, 13000);
        QVERIFY(driver >= 12000);
    }

    void limits() {
        size_t stack = 0, again = 0;
        SUCCEEDS(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
        SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
        SUCCEEDS(cudaDeviceGetLimit(&again, cudaLimitStackSize));
        QVERIFY(again >= 4096);
        SUCCEEDS(cudaDeviceSetLimit(cudaLimitStackSize, stack));
        SAME_ERROR(cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1), cudaErrorInvalidValue);
        cudaFuncCache config{};
        SUCCEEDS(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
        SUCCEEDS(cudaDeviceGetCacheConfig(&config));
    }

    void new_threads() {
        const Kernels kernels;
        const Driver driver;
        std::thread([&] {
            int device = -1;
            SUCCEEDS(cudaGetDevice(&device));
            QCOMPARE(device, 0);
            CUcontext context = nullptr;
            QCOMPARE(driver.get_current(&context), CUDA_SUCCESS);
            QVERIFY(!context); // asking needs none
            QCOMPARE(first(filled(4)), 4U);
            QCOMPARE(driver.get_current(&context), CUDA_SUCCESS);
            CUcontext primary = nullptr;
            QCOMPARE(driver.retain(&primary, 0), CUDA_SUCCESS);
            QCOMPARE(context, primary); // the one that the driver API shares
        }).join();
    }

    void contexts_of_the_program() {
        const Kernels kernels;
        const Driver driver;
        std::thread([&] {
            CUcontext own = nullptr, current = nullptr;
            QCOMPARE(driver.create(&own, 0, 0), CUDA_SUCCESS);
            QCOMPARE(first(filled(8)), 8U); // the kernel is loaded there too
            QCOMPARE(driver.get_current(&current), CUDA_SUCCESS);
            QCOMPARE(current, own);
            // Away with it: the next call takes the primary one.
            QCOMPARE(driver.destroy(own), CUDA_SUCCESS);
            unsigned* data = filled(9);
            QCOMPARE(first(data), 9U);
            QCOMPARE(driver.set_current(nullptr), CUDA_SUCCESS);
            QCOMPARE(first(data), 9U);
            SUCCEEDS(cudaFree(data));
        }).join();
    }

    void several_devices() {
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        if (count < 2) QSKIP("there is one device");
        const Kernels kernels;
        SUCCEEDS(cudaSetDevice(1));
        int device = 0;
        SUCCEEDS(cudaGetDevice(&device));
        QCOMPARE(device, 1);
        unsigned* there = filled(11);
        unsigned value = 70;
        SUCCEEDS(cudaMemcpyToSymbol(&counter, &value, sizeof value));
        cudaPointerAttributes attributes{};
        SUCCEEDS(cudaPointerGetAttributes(&attributes, there));
        QCOMPARE(attributes.device, 1);
        SUCCEEDS(cudaSetDevice(0));
        unsigned* here = filled(12);
        SUCCEEDS(cudaMemcpyFromSymbol(&value, &counter, sizeof value));
        QCOMPARE(value, 7U); // each device has its own
        // But managed variables are common.
        QVERIFY(shared_number && *shared_number == 5);
        for (int each : {1, 0}) {
            SUCCEEDS(cudaSetDevice(each));
            SUCCEEDS(cudaLaunchKernel(&runtime_test::count, dim3(1), dim3(1), nullptr, 0, nullptr));
            SUCCEEDS(cudaDeviceSynchronize());
        }
        QCOMPARE(*shared_number, 7U);
        SUCCEEDS(cudaMemcpyPeer(here, 0, there, 1, 64));
        QCOMPARE(first(here), 11U);
        int can = 0;
        SUCCEEDS(cudaDeviceCanAccessPeer(&can, 0, 1));
        if (can) {
            SUCCEEDS(cudaDeviceEnablePeerAccess(1, 0));
            SAME_ERROR(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
            SUCCEEDS(launch_fill(there, 13, 16));
            SUCCEEDS(cudaDeviceSynchronize());
            QCOMPARE(first(there), 13U);
            SUCCEEDS(cudaDeviceDisablePeerAccess(1));
            SAME_ERROR(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
        }
        // Streams are of a device.
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaSetDevice(1));
        SUCCEEDS(cudaStreamCreate(&stream));
        SUCCEEDS(cudaStreamGetDevice(stream, &device));
        QCOMPARE(device, 1);
        SUCCEEDS(cudaSetDevice(0));
        SAME_ERROR(launch_fill(here, 1, 16, stream), cudaErrorInvalidResourceHandle);
        (void)cudaGetLastError();
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(here));
        SUCCEEDS(cudaFree(there));
        int order[] = {1, 0};
        SUCCEEDS(cudaSetValidDevices(order, 2));
        std::thread([] {
            void* pointer = nullptr;
            int its = -1;
            SUCCEEDS(cudaMalloc(&pointer, 16));
            SUCCEEDS(cudaGetDevice(&its));
            QCOMPARE(its, 1);
            SUCCEEDS(cudaFree(pointer));
        }).join();
        SUCCEEDS(cudaSetValidDevices(order, 0));
    }

    void reset() {
        const Kernels kernels;
        unsigned* data = filled(21);
        QCOMPARE(first(data), 21U);
        unsigned value = 99;
        SUCCEEDS(cudaMemcpyToSymbol(&counter, &value, sizeof value));
        std::thread other;
        std::atomic<int> step = 0;
        unsigned seen = 0;
        other = std::thread([&] {
            seen = first(filled(1)); // this thread has the context too
            step = 1;
            while (step != 2)
                std::this_thread::yield();
            seen += 10 * first(filled(2));
        });
        const auto end_of_other = qScopeGuard([&] { // where a check fails, too
            step = 2;
            if (other.joinable()) other.join();
        });
        while (step != 1)
            std::this_thread::yield();
        SUCCEEDS(cudaDeviceReset());
        const Driver driver;
        unsigned flags = 0;
        int active = 1;
        QCOMPARE(driver.state(0, &flags, &active), CUDA_SUCCESS);
        QCOMPARE(active, 0);
        step = 2;
        other.join();
        QCOMPARE(seen, 21U);
        QCOMPARE(first(filled(22)), 22U);
        SUCCEEDS(cudaMemcpyFromSymbol(&value, &counter, sizeof value));
        QCOMPARE(value, 7U); // as it was at first
        QVERIFY(shared_number);
        QCOMPARE(*shared_number, 5U);
        SUCCEEDS(cudaDeviceReset());
        SUCCEEDS(cudaDeviceReset());
        SUCCEEDS(cudaDeviceSynchronize());
    }

    /// The program has the primary context by the driver API too: made current here, or reset there.
    void reset_beside_the_driver() {
        const Kernels kernels;
        const Driver driver;
        std::thread([&] {
            CUcontext primary = nullptr;
            QCOMPARE(driver.retain(&primary, 0), CUDA_SUCCESS);
            QCOMPARE(driver.set_current(primary), CUDA_SUCCESS);
            QCOMPARE(first(filled(30)), 30U);
            SUCCEEDS(cudaDeviceReset());
            QCOMPARE(first(filled(31)), 31U); // in a new one
            QCOMPARE(driver.reset(0), CUDA_SUCCESS);
            QCOMPARE(first(filled(32)), 32U);
            QCOMPARE(driver.reset(0), CUDA_SUCCESS);
            std::thread([] { QCOMPARE(first(filled(33)), 33U); }).join();
            QCOMPARE(first(filled(34)), 34U);
            SUCCEEDS(cudaDeviceReset());
        }).join();
    }

    void flags() {
        unsigned flags = 0;
        SUCCEEDS(cudaSetDeviceFlags(cudaDeviceScheduleYield));
        SUCCEEDS(cudaGetDeviceFlags(&flags));
        QCOMPARE(flags & cudaDeviceScheduleMask, unsigned(cudaDeviceScheduleYield));
        SUCCEEDS(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
        SUCCEEDS(cudaSetDeviceFlags(0));
    }

    void profiler() {
        SUCCEEDS(cudaProfilerStart());
        SUCCEEDS(cudaProfilerStop());
    }
};

QTEST_GUILESS_MAIN(ContextsTest)
#include "contexts_test.moc"
