// SPDX-License-Identifier: Apache-2.0
// Memory and events of another process, which is this program started once more; memory and semaphores of other
// interfaces, and resources of graphics.
#include "answers.hpp"
#include "kernels.hpp"

#include <QProcess>
#include <QtTest>

#include <cuda.h>

#include <algorithm>
#include <cstdio>

#ifndef _WIN32
#include <unistd.h>
#endif

using namespace runtime_test;

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 21;
constexpr int kHere = 0x11, kThere = 0x22; ///< what each process writes

template <class Value>
QByteArray to_text(const Value& value) {
    return QByteArray(reinterpret_cast<const char*>(&value), sizeof value).toHex();
}
template <class Value>
Value from_text(const char* text) {
    Value value{};
    const QByteArray bytes = QByteArray::fromHex(text);
    std::memcpy(&value, bytes.constData(), std::min<std::size_t>(sizeof value, std::size_t(bytes.size())));
    return value;
}

bool filled(const void* pointer, int byte) {
    std::vector<unsigned char> bytes(kBytes);
    return cudaMemcpy(bytes.data(), pointer, kBytes, cudaMemcpyDeviceToHost) == cudaSuccess &&
           std::all_of(bytes.begin(), bytes.end(), [&](unsigned char one) { return one == byte; });
}

/// In the other process: a call that must give this error.
void must_give(const char* what, cudaError_t error, cudaError_t expected = cudaSuccess) {
    if (error == expected) return;
    std::printf("%s gave %s\n", what, cudaGetErrorName(error));
    std::exit(1);
}
void must_hold(const char* what, bool holds) {
    if (holds) return;
    std::printf("not so: %s\n", what);
    std::exit(1);
}
#define GIVES(expected, ...) must_give(#__VA_ARGS__, __VA_ARGS__, expected)
#define HOLDS(...) must_hold(#__VA_ARGS__, __VA_ARGS__)

/// Reads what the first process wrote before its event, and writes its own.
int use_memory(const char* memory_text, const char* event_text) {
    const auto memory = from_text<cudaIpcMemHandle_t>(memory_text);
    void *pointer = nullptr, *same = nullptr;
    GIVES(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&pointer, memory, 0));
    GIVES(cudaErrorInvalidValue, cudaIpcOpenMemHandle(nullptr, memory, cudaIpcMemLazyEnablePeerAccess));
    GIVES(cudaErrorInvalidValue, cudaIpcOpenEventHandle(nullptr, from_text<cudaIpcEventHandle_t>(event_text)));
    cudaEvent_t event = nullptr;
    GIVES(cudaSuccess, cudaIpcOpenEventHandle(&event, from_text<cudaIpcEventHandle_t>(event_text)));
    GIVES(cudaSuccess, cudaEventSynchronize(event));
    GIVES(cudaSuccess, cudaIpcOpenMemHandle(&pointer, memory, cudaIpcMemLazyEnablePeerAccess));
    HOLDS(filled(pointer, kHere));
    GIVES(cudaSuccess, cudaIpcOpenMemHandle(&same, memory, cudaIpcMemLazyEnablePeerAccess));
    HOLDS(same == pointer); // counted, not mapped twice
    GIVES(cudaSuccess, cudaIpcCloseMemHandle(same));
    GIVES(cudaSuccess, cudaMemset(pointer, kThere, kBytes));
    GIVES(cudaSuccess, cudaDeviceSynchronize());
    GIVES(cudaSuccess, cudaIpcCloseMemHandle(pointer));
    GIVES(cudaErrorInvalidValue, cudaIpcCloseMemHandle(pointer));
    GIVES(cudaSuccess, cudaEventDestroy(event));
    std::puts("done");
    return 0;
}

/// The same with memory of a pool.
int use_pool(const char* descriptor, const char* data_text) {
    const auto handle = static_cast<std::intptr_t>(std::strtol(descriptor, nullptr, 10));
    auto data = from_text<cudaMemPoolPtrExportData>(data_text);
    cudaMemPool_t pool = nullptr;
    GIVES(cudaSuccess, cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void*>(handle),
                                                            cudaMemHandleTypePosixFileDescriptor, 0));
    void* pointer = nullptr;
    GIVES(cudaSuccess, cudaMemPoolImportPointer(&pointer, pool, &data));
    HOLDS(filled(pointer, kHere));
    GIVES(cudaSuccess, cudaMemset(pointer, kThere, kBytes));
    GIVES(cudaSuccess, cudaDeviceSynchronize());
    GIVES(cudaSuccess, cudaFree(pointer));
    GIVES(cudaSuccess, cudaMemPoolDestroy(pool));
    std::puts("done");
    return 0;
}

/// What the other process says when it has ended.
QByteArray other_process(const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationFilePath(), arguments);
    if (!process.waitForFinished(60000)) return "it does not end";
    return process.readAll().trimmed();
}

/// A function of the driver, for what the runtime API cannot make.
template <class Type>
Type driver_function(const char* name, unsigned version) {
    void* pointer = nullptr;
    cudaDriverEntryPointQueryResult status{};
    (void)cudaGetDriverEntryPointByVersion(name, &pointer, version, cudaEnableDefault, &status);
    return reinterpret_cast<Type>(pointer);
}

#ifndef _WIN32
/// Descriptors for one allocation of the driver's; none where it cannot share memory.
std::vector<int> shared_allocation(std::size_t& size, std::size_t count) {
    using Handle = CUmemGenericAllocationHandle;
    const auto granularity = driver_function<CUresult (*)(std::size_t*, const CUmemAllocationProp*, int)>(
        "cuMemGetAllocationGranularity", 10020);
    const auto create =
        driver_function<CUresult (*)(Handle*, std::size_t, const CUmemAllocationProp*, unsigned long long)>(
            "cuMemCreate", 10020);
    const auto share =
        driver_function<CUresult (*)(void*, Handle, int, unsigned long long)>("cuMemExportToShareableHandle", 10020);
    const auto release = driver_function<CUresult (*)(Handle)>("cuMemRelease", 10020);
    if (!granularity || !create || !share || !release) return {};
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.location.id = 0;
    std::size_t step = 0;
    Handle handle = 0;
    if (granularity(&step, &properties, 0) != CUDA_SUCCESS || step == 0) return {};
    size = (size + step - 1) / step * step;
    if (create(&handle, size, &properties, 0) != CUDA_SUCCESS) return {};
    std::vector<int> descriptors(count, -1);
    for (int& descriptor : descriptors)
        if (share(&descriptor, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0) != CUDA_SUCCESS) descriptor = -1;
    (void)release(handle);
    return descriptors.front() < 0 ? std::vector<int>{} : descriptors;
}
#endif

} // namespace

class SharingTest : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { (void)cudaGetLastError(); }

    void memory_of_another_process() {
        int supported = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&supported, cudaDevAttrIpcEventSupport, 0));
        if (!supported) QSKIP("this device shares nothing with other processes");
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        void* pointer = nullptr;
        SUCCEEDS(cudaMalloc(&pointer, kBytes));
        cudaEvent_t event = nullptr;
        SUCCEEDS(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
        cudaIpcMemHandle_t memory{};
        cudaIpcEventHandle_t of_event{};
        SUCCEEDS(cudaIpcGetMemHandle(&memory, pointer));
        SUCCEEDS(cudaIpcGetEventHandle(&of_event, event));
        SUCCEEDS(cudaMemsetAsync(pointer, kHere, kBytes, stream));
        SUCCEEDS(cudaEventRecord(event, stream));
        QCOMPARE(other_process({"--memory", to_text(memory), to_text(of_event)}), QByteArray("done"));
        QVERIFY(filled(pointer, kThere));

        // Not in the process that has them.
        void* same = nullptr;
        cudaEvent_t same_event = nullptr;
        ONE_OF(cudaIpcOpenMemHandle(&same, memory, cudaIpcMemLazyEnablePeerAccess), cudaErrorDeviceUninitialized,
               cudaErrorInvalidResourceHandle);
        ONE_OF(cudaIpcOpenEventHandle(&same_event, of_event), cudaErrorDeviceUninitialized,
               cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaIpcCloseMemHandle(pointer), cudaErrorInvalidValue);
        SUCCEEDS(cudaEventDestroy(event));
        SUCCEEDS(cudaFree(pointer));
        SUCCEEDS(cudaStreamDestroy(stream));
    }

    void pools_without_handles() {
        cudaMemPool_t pool = nullptr, other = nullptr;
        SUCCEEDS(cudaDeviceGetDefaultMemPool(&pool, 0));
        void *pointer = nullptr, *imported = nullptr;
        SUCCEEDS(cudaMallocAsync(&pointer, 64, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        int descriptor = -1;
        cudaMemPoolPtrExportData data{};
        ONE_OF(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0),
               cudaErrorInvalidValue, cudaErrorNotSupported);
        QCOMPARE(descriptor, -1);
        SAME_ERROR(cudaMemPoolExportToShareableHandle(&descriptor, nullptr, cudaMemHandleTypePosixFileDescriptor, 0),
                   cudaErrorInvalidValue);
        ONE_OF(cudaMemPoolExportPointer(&data, pointer), cudaErrorInvalidValue, cudaErrorNotSupported);
        SAME_ERROR(cudaMemPoolExportPointer(nullptr, pointer), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolImportFromShareableHandle(nullptr, nullptr, cudaMemHandleTypePosixFileDescriptor, 0),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolImportFromShareableHandle(&other, nullptr, cudaMemHandleTypePosixFileDescriptor, 1),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolImportPointer(&imported, pool, &data), cudaErrorInvalidValue); // it is this process's
        SAME_ERROR(cudaMemPoolImportPointer(nullptr, pool, &data), cudaErrorInvalidValue);
        SUCCEEDS(cudaFreeAsync(pointer, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
    }

    void pool_of_another_process() {
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
        properties.location.type = cudaMemLocationTypeDevice;
        int types = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
        cudaMemPool_t pool = nullptr;
        const cudaError_t made = cudaMemPoolCreate(&pool, &properties);
        if (!(types & cudaMemHandleTypePosixFileDescriptor)) {
            ONE_OF(made, cudaErrorNotSupported, cudaErrorInvalidValue);
            QSKIP("the device shares no pools by descriptors");
        }
        SAME_ERROR(made, cudaSuccess);
#ifndef _WIN32
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocFromPoolAsync(&pointer, kBytes, pool, nullptr));
        SUCCEEDS(cudaMemset(pointer, kHere, kBytes));
        SUCCEEDS(cudaDeviceSynchronize());
        int descriptor = -1;
        SAME_ERROR(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 1),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
        QVERIFY(descriptor >= 0);
        cudaMemPoolPtrExportData data{};
        SUCCEEDS(cudaMemPoolExportPointer(&data, pointer));
        const int inherited = dup(descriptor); // which stays open in programs that are started
        QCOMPARE(other_process({"--pool", QString::number(inherited), to_text(data)}), QByteArray("done"));
        QVERIFY(filled(pointer, kThere));
        (void)close(inherited);
        (void)close(descriptor);
        SUCCEEDS(cudaFreeAsync(pointer, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
#endif
        SUCCEEDS(cudaMemPoolDestroy(pool));
    }

    void wrong_external_memory() {
        cudaExternalMemory_t memory = nullptr;
        cudaExternalMemoryHandleDesc handle{};
        SAME_ERROR(cudaImportExternalMemory(nullptr, &handle), cudaErrorInvalidValue);
        SAME_ERROR(cudaImportExternalMemory(&memory, nullptr), cudaErrorInvalidValue);
        handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
        handle.handle.fd = -1;
        handle.size = kBytes;
        // What a descriptor of nothing gives is not said.
        ONE_OF(cudaImportExternalMemory(&memory, &handle), cudaErrorInvalidValue, cudaErrorInvalidResourceHandle,
               cudaErrorOperatingSystem, cudaErrorNotSupported, cudaErrorUnknown);
        QVERIFY(!memory);
        void* pointer = nullptr;
        cudaMipmappedArray_t levels = nullptr;
        cudaExternalMemoryBufferDesc buffer{};
        buffer.size = kBytes;
        cudaExternalMemoryMipmappedArrayDesc array{};
        array.formatDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
        array.extent = {16, 16, 0};
        array.numLevels = 1;
        SAME_ERROR(cudaExternalMemoryGetMappedBuffer(&pointer, nullptr, &buffer), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaExternalMemoryGetMappedMipmappedArray(&levels, nullptr, &array), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaDestroyExternalMemory(nullptr), cudaErrorInvalidResourceHandle);
    }

    void external_memory() {
#ifdef _WIN32
        QSKIP("takes descriptors of files");
#else
        std::size_t size = kBytes;
        const std::vector<int> descriptors = shared_allocation(size, 2);
        if (descriptors.empty()) QSKIP("the driver makes no memory that is shared");
        // The same memory twice: what is written by one is read by the other.
        cudaExternalMemory_t memory[2] = {};
        void* pointers[2] = {};
        cudaExternalMemoryHandleDesc handle{};
        handle.type = cudaExternalMemoryHandleTypeOpaqueFd;
        handle.size = size;
        cudaExternalMemoryBufferDesc buffer{};
        buffer.size = size;
        for (int i = 0; i < 2; ++i) {
            handle.handle.fd = descriptors[std::size_t(i)];
            const cudaError_t error = cudaImportExternalMemory(&memory[i], &handle);
            ONE_OF(error, cudaSuccess, cudaErrorNotSupported, cudaErrorInvalidValue, cudaErrorInvalidResourceHandle,
                   cudaErrorOperatingSystem);
            if (error != cudaSuccess) QSKIP("the driver's own memory is no external one");
            SAME_ERROR(cudaExternalMemoryGetMappedBuffer(nullptr, memory[i], &buffer), cudaErrorInvalidValue);
            SAME_ERROR(cudaExternalMemoryGetMappedBuffer(&pointers[i], memory[i], nullptr), cudaErrorInvalidValue);
            SUCCEEDS(cudaExternalMemoryGetMappedBuffer(&pointers[i], memory[i], &buffer));
        }
        SUCCEEDS(cudaMemset(pointers[0], kHere, kBytes));
        SUCCEEDS(cudaDeviceSynchronize());
        QVERIFY(filled(pointers[1], kHere));
        SUCCEEDS(cudaFree(pointers[0]));
        SUCCEEDS(cudaFree(pointers[1]));

        cudaExternalMemoryMipmappedArrayDesc description{};
        description.formatDesc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
        description.extent = {64, 64, 0};
        description.numLevels = 1;
        cudaMipmappedArray_t levels = nullptr;
        const cudaError_t error = cudaExternalMemoryGetMappedMipmappedArray(&levels, memory[0], &description);
        ONE_OF(error, cudaSuccess, cudaErrorInvalidValue, cudaErrorNotSupported);
        if (error == cudaSuccess) {
            cudaArray_t array = nullptr;
            SUCCEEDS(cudaGetMipmappedArrayLevel(&array, levels, 0));
            std::vector<unsigned> from(64UL * 64), to(64UL * 64);
            for (std::size_t i = 0; i < from.size(); ++i)
                from[i] = unsigned(3 * i + 1);
            SUCCEEDS(cudaMemcpy2DToArray(array, 0, 0, from.data(), 256, 256, 64, cudaMemcpyHostToDevice));
            SUCCEEDS(cudaMemcpy2DFromArray(to.data(), 256, array, 0, 0, 256, 64, cudaMemcpyDeviceToHost));
            QVERIFY(to == from);
            SUCCEEDS(cudaFreeMipmappedArray(levels));
        }
        SUCCEEDS(cudaDestroyExternalMemory(memory[0]));
        SUCCEEDS(cudaDestroyExternalMemory(memory[1]));
#endif
    }

    /// Only graphics interfaces make such.
    void wrong_semaphores() {
        cudaExternalSemaphore_t semaphore = nullptr;
        cudaExternalSemaphoreHandleDesc handle{};
        SAME_ERROR(cudaImportExternalSemaphore(nullptr, &handle), cudaErrorInvalidValue);
        SAME_ERROR(cudaImportExternalSemaphore(&semaphore, nullptr), cudaErrorInvalidValue);
        handle.type = cudaExternalSemaphoreHandleTypeOpaqueFd;
        handle.handle.fd = -1;
        ONE_OF(cudaImportExternalSemaphore(&semaphore, &handle), cudaErrorInvalidValue, cudaErrorInvalidResourceHandle,
               cudaErrorOperatingSystem, cudaErrorNotSupported, cudaErrorUnknown);
        QVERIFY(!semaphore);
        const cudaExternalSemaphoreSignalParams signal{};
        const cudaExternalSemaphoreWaitParams wait{};
        SAME_ERROR(cudaSignalExternalSemaphoresAsync(&semaphore, &signal, 1, nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaWaitExternalSemaphoresAsync(&semaphore, &wait, 1, nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaDestroyExternalSemaphore(nullptr), cudaErrorInvalidResourceHandle);
    }

    /// Only graphics interfaces make such.
    void wrong_resources() {
        cudaGraphicsResource_t none = nullptr;
        void* pointer = nullptr;
        std::size_t size = 0;
        cudaArray_t array = nullptr;
        cudaMipmappedArray_t levels = nullptr;
        SAME_ERROR(cudaGraphicsMapResources(1, &none, nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsUnmapResources(1, &none, nullptr), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsMapResources(-1, &none, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphicsUnmapResources(-1, &none, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaGraphicsResourceSetMapFlags(none, cudaGraphicsMapFlagsReadOnly), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsResourceGetMappedPointer(&pointer, &size, none), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsSubResourceGetMappedArray(&array, none, 0, 0), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsResourceGetMappedMipmappedArray(&levels, none), cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaGraphicsUnregisterResource(none), cudaErrorInvalidResourceHandle);
    }
};

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    if (argc == 4 && QByteArray(argv[1]) == "--memory") return use_memory(argv[2], argv[3]);
    if (argc == 4 && QByteArray(argv[1]) == "--pool") return use_pool(argv[2], argv[3]);
    SharingTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "sharing_test.moc"
