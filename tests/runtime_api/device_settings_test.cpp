// SPDX-License-Identifier: Apache-2.0
// Settings and abilities of a device and of its kernels, how many blocks and clusters fit, and libraries of code in
// files.
#include "answers.hpp"
#include "kernels.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace runtime_test;

namespace {

int attribute(cudaDeviceAttr number) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, number, 0) == cudaSuccess ? value : -1;
}

unsigned first(const void* data) {
    unsigned value = 0;
    return cudaMemcpy(&value, data, sizeof value, cudaMemcpyDeviceToHost) == cudaSuccess ? value : ~0U;
}

constexpr auto kNoBanks = static_cast<cudaSharedMemConfig>(3);

} // namespace

class DeviceSettingsTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { (void)cudaGetLastError(); }

    void banks_of_shared_memory() {
        const Kernels kernels;
        cudaSharedMemConfig config{};
        for (const auto wish :
             {cudaSharedMemBankSizeEightByte, cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte}) {
            SUCCEEDS(cudaDeviceSetSharedMemConfig(wish));
            SUCCEEDS(cudaDeviceGetSharedMemConfig(&config));
            // Most devices have banks of four bytes and no others.
            QVERIFY(config == cudaSharedMemBankSizeFourByte ||
                    (config == cudaSharedMemBankSizeEightByte && wish == config));
            SUCCEEDS(cudaFuncSetSharedMemConfig(&fill, wish));
        }
        void* data = nullptr;
        SUCCEEDS(cudaMalloc(&data, 256));
        SUCCEEDS(launch_fill(static_cast<unsigned*>(data), 60, 64));
        QCOMPARE(first(data), 60U);
        SUCCEEDS(cudaFree(data));

        SAME_ERROR(cudaDeviceSetSharedMemConfig(kNoBanks), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetSharedMemConfig(nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaFuncSetSharedMemConfig(&fill, kNoBanks), cudaErrorInvalidValue);
        SAME_ERROR(cudaFuncSetSharedMemConfig(nullptr, cudaSharedMemBankSizeDefault), cudaErrorInvalidDeviceFunction);
        SAME_ERROR(cudaFuncSetSharedMemConfig(&not_registered, cudaSharedMemBankSizeDefault),
                   cudaErrorInvalidResourceHandle); // as NVIDIA's library answers
    }

    void cache_and_remote_writes() {
        SUCCEEDS(cudaCtxResetPersistingL2Cache());
        const bool flushes =
            (attribute(cudaDevAttrGPUDirectRDMAFlushWritesOptions) & cudaFlushGPUDirectRDMAWritesOptionHost) != 0;
        for (const auto scope : {cudaFlushGPUDirectRDMAWritesToOwner, cudaFlushGPUDirectRDMAWritesToAllDevices}) {
            const cudaError_t error =
                cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice, scope);
            ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
            if (flushes && scope == cudaFlushGPUDirectRDMAWritesToOwner) SAME_ERROR(error, cudaSuccess);
        }
        ONE_OF(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                                  static_cast<cudaFlushGPUDirectRDMAWritesScope>(7)),
               cudaErrorInvalidValue, cudaErrorNotSupported);
    }

    void atomics_between_device_and_host() {
        const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
        const auto none = static_cast<cudaAtomicOperation>(99);
        unsigned capabilities[2] = {~0U, ~0U};
        SAME_ERROR(cudaDeviceGetHostAtomicCapabilities(nullptr, operations, 2, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetHostAtomicCapabilities(capabilities, nullptr, 2, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 0, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 1000), cudaErrorInvalidDevice);
        ONE_OF(cudaDeviceGetHostAtomicCapabilities(capabilities, &none, 1, 0), cudaErrorInvalidValue,
               cudaErrorNotSupported);
        const cudaError_t error = cudaDeviceGetHostAtomicCapabilities(capabilities, operations, 2, 0);
        ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
        if (error != cudaSuccess) QSKIP("the device does not tell");
        for (const unsigned bits : capabilities)
            QCOMPARE(bits & ~0x7fU, 0U);
        if (attribute(cudaDevAttrHostNativeAtomicSupported)) QVERIFY(capabilities[0] & cudaAtomicCapabilityScalar32);
    }

    void atomics_between_devices() {
        const cudaAtomicOperation operations[] = {cudaAtomicOperationIntegerAdd, cudaAtomicOperationCAS};
        unsigned capabilities[2] = {~0U, ~0U};
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 0), cudaErrorInvalidDevice);
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 1000), cudaErrorInvalidDevice);
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 1000, 0), cudaErrorInvalidDevice);
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        if (count < 2) QSKIP("there is one device");
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(nullptr, operations, 2, 0, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, nullptr, 2, 0, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 0, 0, 1), cudaErrorInvalidValue);
        const cudaError_t error = cudaDeviceGetP2PAtomicCapabilities(capabilities, operations, 2, 0, 1);
        ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
        if (error != cudaSuccess) QSKIP("the device does not tell");
        for (const unsigned bits : capabilities)
            QCOMPARE(bits & ~0x7fU, 0U);
    }

    void attributes_of_nvscisync() {
        // A list is another library's, which this system lacks.
        ONE_OF(cudaDeviceGetNvSciSyncAttributes(nullptr, 0, cudaNvSciSyncAttrSignal), cudaErrorInvalidResourceHandle,
               cudaErrorInvalidValue, cudaErrorNotSupported);
        ONE_OF(cudaDeviceGetNvSciSyncAttributes(nullptr, 0, 0), cudaErrorInvalidResourceHandle, cudaErrorInvalidValue,
               cudaErrorNotSupported);
        SAME_ERROR(cudaDeviceGetNvSciSyncAttributes(nullptr, 1000, cudaNvSciSyncAttrWait), cudaErrorInvalidDevice);
    }

    void blocks_that_fit() {
        const Kernels kernels;
        int blocks = 0, same = 0;
        SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&same, &fill, 128, 2048));
        for (const unsigned flags : {cudaOccupancyDefault, cudaOccupancyDisableCachingOverride}) {
            SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &fill, 128, 2048, flags));
            QCOMPARE(blocks, same);
        }
        SAME_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &fill, 128, 0, 0x1000),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(nullptr, &fill, 128, 0, 0),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, nullptr, 128, 0, 0),
                   cudaErrorInvalidDeviceFunction);
    }

    void clusters_that_fit() {
        const Kernels kernels;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(32);
        config.blockDim = dim3(64);
        int size = 0, clusters = 0;
        SAME_ERROR(cudaOccupancyMaxPotentialClusterSize(nullptr, &fill, &config), cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxPotentialClusterSize(&size, &fill, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxPotentialClusterSize(&size, nullptr, &config), cudaErrorInvalidDeviceFunction);
        SAME_ERROR(cudaOccupancyMaxActiveClusters(nullptr, &fill, &config), cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxActiveClusters(&clusters, &fill, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaOccupancyMaxActiveClusters(&clusters, nullptr, &config), cudaErrorInvalidDeviceFunction);
        if (!attribute(cudaDevAttrClusterLaunch)) QSKIP("the device has no clusters");
        SUCCEEDS(cudaOccupancyMaxPotentialClusterSize(&size, &fill, &config));
        QVERIFY(size >= 1 && size <= 8); // what every device with clusters has
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {unsigned(size), 1, 1};
        config.gridDim = dim3(unsigned(size));
        config.attrs = &cluster;
        config.numAttrs = 1;
        SUCCEEDS(cudaOccupancyMaxActiveClusters(&clusters, &fill, &config));
        QVERIFY(clusters >= 1);
        // And so it is launched.
        unsigned count = unsigned(size) * 64, value = 5;
        void* data = nullptr;
        SUCCEEDS(cudaMalloc(&data, 4UL * count));
        void* arguments[] = {static_cast<void*>(&data), &value, &count};
        SUCCEEDS(cudaLaunchKernelExC(&config, &fill, arguments));
        QCOMPARE(first(static_cast<unsigned*>(data) + count - 1), 4 + count);
        SUCCEEDS(cudaFree(data));
    }

    void kernel_of_one_device() {
        cudaLibrary_t library = nullptr;
        cudaKernel_t kernel = nullptr;
        SUCCEEDS(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0));
        SUCCEEDS(cudaLibraryGetKernel(&kernel, library, "shared_size"));
        const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
        const int usual = attribute(cudaDevAttrMaxSharedMemoryPerBlock);
        SUCCEEDS(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most, 0));
        const auto* function = reinterpret_cast<const void*>(kernel);
        cudaFuncAttributes attributes{};
        SUCCEEDS(cudaFuncGetAttributes(&attributes, function));
        QCOMPARE(attributes.maxDynamicSharedSizeBytes, most);
        void* out = nullptr;
        SUCCEEDS(cudaMalloc(&out, 4));
        void* arguments[] = {static_cast<void*>(&out)};
        SUCCEEDS(cudaLaunchKernel(function, dim3(1), dim3(1), arguments, size_t(most), nullptr));
        QCOMPARE(first(out), unsigned(most));
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        if (count > 1 && most > usual) { // the other one has it as it was
            SUCCEEDS(cudaSetDevice(1));
            SUCCEEDS(cudaFuncGetAttributes(&attributes, function));
            SUCCEEDS(cudaSetDevice(0));
            QVERIFY(attributes.maxDynamicSharedSizeBytes < most);
        }

        SAME_ERROR(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most, 1000),
                   cudaErrorInvalidDevice);
        SAME_ERROR(cudaKernelSetAttributeForDevice(kernel, static_cast<cudaFuncAttribute>(0), 1, 0),
                   cudaErrorInvalidValue); // the most threads of a block: the kernel's own
        SAME_ERROR(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, -1, 0),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaKernelSetAttributeForDevice(nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 0, 0),
                   cudaErrorInvalidDeviceFunction);
        SUCCEEDS(cudaFree(out));
        SUCCEEDS(cudaLibraryUnload(library));
    }

    void library_in_a_file() {
        QTemporaryDir folder;
        const QString path = folder.filePath("kernels.ptx");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kPtx) > 0);
        file.close();
        const auto load = [](cudaLibrary_t* library, const char* name) {
            return cudaLibraryLoadFromFile(library, name, nullptr, nullptr, 0, nullptr, nullptr, 0);
        };
        cudaLibrary_t library = nullptr, none = nullptr;
        SUCCEEDS(load(&library, QFile::encodeName(path).constData()));
        cudaKernel_t kernel = nullptr;
        SUCCEEDS(cudaLibraryGetKernel(&kernel, library, "fill"));
        void* data = nullptr;
        SUCCEEDS(cudaMalloc(&data, 256));
        unsigned value = 70, count = 64;
        void* arguments[] = {static_cast<void*>(&data), &value, &count};
        SUCCEEDS(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(64), arguments, 0, nullptr));
        QCOMPARE(first(static_cast<unsigned*>(data) + 63), 133U);

        SAME_ERROR(load(&none, QFile::encodeName(folder.filePath("nothing.ptx")).constData()), cudaErrorFileNotFound);
        SAME_ERROR(load(&none, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(load(nullptr, QFile::encodeName(path).constData()), cudaErrorInvalidValue);
        // Functions of the host and the device at once are in no PTX.
        void* function = nullptr;
        ONE_OF(cudaLibraryGetUnifiedFunction(&function, library, "fill"), cudaErrorSymbolNotFound,
               cudaErrorInvalidValue, cudaErrorNotSupported);
        ONE_OF(cudaLibraryGetUnifiedFunction(nullptr, library, "fill"), cudaErrorInvalidValue, cudaErrorNotSupported);
        QVERIFY(!function);
        SUCCEEDS(cudaLibraryUnload(library));
        SUCCEEDS(cudaFree(data));
    }
};

QTEST_GUILESS_MAIN(DeviceSettingsTest)
#include "device_settings_test.moc"
