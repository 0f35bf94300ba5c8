// SPDX-License-Identifier: Apache-2.0
// Pools of memory: the current one of a device and of a place, who may use theirs, and the memory of graphs. Managed
// memory: questions, streams and batches.
#include "answers.hpp"
#include "kernels.hpp"

#include <QtTest>

#include <algorithm>

using namespace runtime_test;

namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;

cudaMemLocation place(cudaMemLocationType type, int id = 0) {
    cudaMemLocation location{};
    location.type = type;
    location.id = id;
    return location;
}

cudaMemPool_t new_pool(int device = 0) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = place(cudaMemLocationTypeDevice, device);
    cudaMemPool_t pool = nullptr;
    return cudaMemPoolCreate(&pool, &properties) == cudaSuccess ? pool : nullptr;
}

std::uint64_t used(cudaMemPool_t pool) {
    std::uint64_t bytes = 0;
    return cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes) == cudaSuccess ? bytes : ~0ULL;
}

std::uint64_t of_graphs(cudaGraphMemAttributeType attribute) {
    std::uint64_t bytes = 0;
    return cudaDeviceGetGraphMemAttribute(0, attribute, &bytes) == cudaSuccess ? bytes : ~0ULL;
}

int last_place(const void* pointer, std::size_t size) {
    int number = -9;
    const cudaError_t error =
        cudaMemRangeGetAttribute(&number, sizeof number, cudaMemRangeAttributeLastPrefetchLocation, pointer, size);
    return error == cudaSuccess ? number : -99;
}

bool advice_is_taken() {
    int concurrent = 0;
    return cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0) == cudaSuccess && concurrent;
}

} // namespace

class PoolsTest : public QObject {
    Q_OBJECT
    cudaStream_t stream_ = nullptr;
    cudaMemPool_t default_ = nullptr;

private slots:
    void initTestCase() {
        int supported = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
        if (!supported) QSKIP("the device has no pools");
        SUCCEEDS(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        SUCCEEDS(cudaDeviceGetDefaultMemPool(&default_, 0));
    }
    void cleanupTestCase() {
        if (stream_) SUCCEEDS(cudaStreamDestroy(stream_));
    }
    void cleanup() { (void)cudaGetLastError(); }

    void current_pool_of_a_device() {
        cudaMemPool_t pool = new_pool(), current = nullptr;
        QVERIFY(pool);
        SUCCEEDS(cudaDeviceSetMemPool(0, pool));
        SUCCEEDS(cudaDeviceGetMemPool(&current, 0));
        QCOMPARE(current, pool);
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocAsync(&pointer, kBytes, stream_));
        QVERIFY(used(pool) >= kBytes);
        SUCCEEDS(cudaFreeAsync(pointer, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QCOMPARE(used(pool), std::uint64_t{0});

        SAME_ERROR(cudaDeviceSetMemPool(0, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceSetMemPool(1000, pool), cudaErrorInvalidDevice);
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        if (count > 1) SAME_ERROR(cudaDeviceSetMemPool(1, pool), cudaErrorInvalidValue); // another device's
        SUCCEEDS(cudaDeviceGetMemPool(&current, 0));
        QCOMPARE(current, pool);
        SUCCEEDS(cudaDeviceSetMemPool(0, default_));
        SUCCEEDS(cudaMemPoolDestroy(pool));
        SUCCEEDS(cudaDeviceGetMemPool(&current, 0));
        QCOMPARE(current, default_);
    }

    void pools_by_place() {
        cudaMemLocation here = place(cudaMemLocationTypeDevice), host = place(cudaMemLocationTypeHost);
        cudaMemPool_t pool = nullptr, own = new_pool();
        const cudaError_t error = cudaMemGetDefaultMemPool(&pool, &here, cudaMemAllocationTypePinned);
        ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
        if (error != cudaSuccess) {
            SAME_ERROR(cudaMemGetMemPool(&pool, &here, cudaMemAllocationTypePinned), error);
            SAME_ERROR(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, own), error);
            SUCCEEDS(cudaMemPoolDestroy(own));
            QSKIP("the device has no pools by their places");
        }
        QCOMPARE(pool, default_);
        SUCCEEDS(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, own));
        SUCCEEDS(cudaMemGetMemPool(&pool, &here, cudaMemAllocationTypePinned));
        QCOMPARE(pool, own);
        SUCCEEDS(cudaDeviceGetMemPool(&pool, 0)); // the same by another name
        QCOMPARE(pool, own);
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocAsync(&pointer, kBytes, stream_));
        QVERIFY(used(own) >= kBytes);
        SUCCEEDS(cudaFreeAsync(pointer, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));

        const auto no_type = static_cast<cudaMemAllocationType>(99);
        cudaMemLocation nowhere = place(static_cast<cudaMemLocationType>(99));
        SAME_ERROR(cudaMemGetDefaultMemPool(nullptr, &here, cudaMemAllocationTypePinned), cudaErrorInvalidValue);
        ONE_OF(cudaMemGetDefaultMemPool(&pool, &nowhere, cudaMemAllocationTypePinned), cudaErrorInvalidValue,
               cudaErrorNotSupported);
        SAME_ERROR(cudaMemGetMemPool(&pool, &here, no_type), cudaErrorInvalidValue);
        ONE_OF(cudaMemGetMemPool(&pool, &nowhere, cudaMemAllocationTypePinned), cudaErrorInvalidValue,
               cudaErrorNotSupported);
        SAME_ERROR(cudaMemSetMemPool(&host, cudaMemAllocationTypePinned, own), cudaErrorInvalidValue); // not its place
        SAME_ERROR(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, nullptr), cudaErrorInvalidValue);
        SUCCEEDS(cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, default_));
        SUCCEEDS(cudaMemPoolDestroy(own));
    }

    void access() {
        cudaMemPool_t pool = new_pool();
        cudaMemLocation here = place(cudaMemLocationTypeDevice), nowhere = place(cudaMemLocationTypeDevice, 1000);
        cudaMemAccessFlags flags{};
        SUCCEEDS(cudaMemPoolGetAccess(&flags, pool, &here));
        QCOMPARE(flags, cudaMemAccessFlagsProtReadWrite);
        cudaMemAccessDesc access{};
        access.location = here;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        SUCCEEDS(cudaMemPoolSetAccess(pool, &access, 1));
        SUCCEEDS(cudaMemPoolGetAccess(&flags, pool, &here));
        QCOMPARE(flags, cudaMemAccessFlagsProtReadWrite);

        SAME_ERROR(cudaMemPoolGetAccess(nullptr, pool, &here), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolGetAccess(&flags, nullptr, &here), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolGetAccess(&flags, pool, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolGetAccess(&flags, pool, &nowhere), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolSetAccess(nullptr, &access, 1), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemPoolSetAccess(pool, nullptr, 1), cudaErrorInvalidValue);
        access.location = nowhere;
        ONE_OF(cudaMemPoolSetAccess(pool, &access, 1), cudaErrorInvalidValue, cudaErrorInvalidDevice);
        SUCCEEDS(cudaMemPoolDestroy(pool));
    }

    void access_of_another_device() {
        int count = 0, can = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        if (count > 1) SUCCEEDS(cudaDeviceCanAccessPeer(&can, 1, 0));
        if (!can) QSKIP("no second device can use the first one's memory");
        const Kernels kernels;
        cudaMemPool_t pool = new_pool();
        cudaMemLocation other = place(cudaMemLocationTypeDevice, 1);
        cudaMemAccessFlags flags{};
        SUCCEEDS(cudaMemPoolGetAccess(&flags, pool, &other));
        QCOMPARE(flags, cudaMemAccessFlagsProtNone);
        cudaMemAccessDesc access{};
        access.location = other;
        access.flags = cudaMemAccessFlagsProtReadWrite;
        SUCCEEDS(cudaMemPoolSetAccess(pool, &access, 1));
        SUCCEEDS(cudaMemPoolGetAccess(&flags, pool, &other));
        QCOMPARE(flags, cudaMemAccessFlagsProtReadWrite);
        // A kernel of the other device writes there.
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocFromPoolAsync(&pointer, 256, pool, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        SUCCEEDS(cudaSetDevice(1));
        SUCCEEDS(launch_fill(static_cast<unsigned*>(pointer), 30, 64));
        SUCCEEDS(cudaDeviceSynchronize());
        SUCCEEDS(cudaSetDevice(0));
        unsigned last = 0;
        SUCCEEDS(cudaMemcpy(&last, static_cast<unsigned*>(pointer) + 63, sizeof last, cudaMemcpyDeviceToHost));
        QCOMPARE(last, 93U);
        SUCCEEDS(cudaFreeAsync(pointer, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        access.flags = cudaMemAccessFlagsProtNone;
        SUCCEEDS(cudaMemPoolSetAccess(pool, &access, 1));
        SUCCEEDS(cudaMemPoolGetAccess(&flags, pool, &other));
        QCOMPARE(flags, cudaMemAccessFlagsProtNone);
        SUCCEEDS(cudaMemPoolDestroy(pool));
    }

    void memory_of_graphs() {
        cudaGraph_t graph = nullptr;
        SUCCEEDS(cudaGraphCreate(&graph, 0));
        cudaGraphNode_t nodes[3] = {};
        cudaMemAllocNodeParams alloc{};
        alloc.poolProps.allocType = cudaMemAllocationTypePinned;
        alloc.poolProps.location = place(cudaMemLocationTypeDevice);
        alloc.bytesize = kBytes;
        SUCCEEDS(cudaGraphAddMemAllocNode(&nodes[0], graph, nullptr, 0, &alloc));
        cudaMemsetParams clear{};
        clear.dst = alloc.dptr;
        clear.elementSize = 1;
        clear.width = kBytes;
        clear.height = 1;
        SUCCEEDS(cudaGraphAddMemsetNode(&nodes[1], graph, &nodes[0], 1, &clear));
        SUCCEEDS(cudaGraphAddMemFreeNode(&nodes[2], graph, &nodes[1], 1, alloc.dptr));
        cudaGraphExec_t exec = nullptr;
        SUCCEEDS(cudaGraphInstantiate(&exec, graph, 0));
        SUCCEEDS(cudaGraphLaunch(exec, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QVERIFY(of_graphs(cudaGraphMemAttrUsedMemHigh) >= kBytes);
        QVERIFY(of_graphs(cudaGraphMemAttrReservedMemHigh) >= kBytes);
        SUCCEEDS(cudaGraphExecDestroy(exec));
        SUCCEEDS(cudaGraphDestroy(graph));
        SUCCEEDS(cudaDeviceGraphMemTrim(0));
        QVERIFY(of_graphs(cudaGraphMemAttrUsedMemHigh) >= kBytes); // still
        std::uint64_t zero = 0;
        SUCCEEDS(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
        QCOMPARE(of_graphs(cudaGraphMemAttrUsedMemHigh), of_graphs(cudaGraphMemAttrUsedMemCurrent));
        SUCCEEDS(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
        QCOMPARE(of_graphs(cudaGraphMemAttrReservedMemHigh), of_graphs(cudaGraphMemAttrReservedMemCurrent));

        SAME_ERROR(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceSetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(99), &zero),
                   cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceSetGraphMemAttribute(1000, cudaGraphMemAttrUsedMemHigh, &zero), cudaErrorInvalidDevice);
    }

    void questions_about_managed_memory() {
        if (!advice_is_taken()) QSKIP("the device takes no advice about managed memory");
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocManaged(&pointer, kBytes));
        const cudaMemLocation here = place(cudaMemLocationTypeDevice), host = place(cudaMemLocationTypeHost);
        SUCCEEDS(cudaMemAdvise(pointer, kBytes, cudaMemAdviseSetReadMostly, here));
        SUCCEEDS(cudaMemAdvise(pointer, kBytes, cudaMemAdviseSetPreferredLocation, here));
        SUCCEEDS(cudaMemAdvise(pointer, kBytes, cudaMemAdviseSetAccessedBy, host));
        SUCCEEDS(cudaMemPrefetchAsync(pointer, kBytes, here, 0, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        int mostly = -9, preferred = -9, accessed[3] = {-9, -9, -9}, last = -9, type = -9, number = -9;
        void* data[] = {&mostly, &preferred, accessed, &last, &type, &number};
        std::size_t sizes[] = {4, 4, sizeof accessed, 4, 4, 4};
        cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly,
                                              cudaMemRangeAttributePreferredLocation,
                                              cudaMemRangeAttributeAccessedBy,
                                              cudaMemRangeAttributeLastPrefetchLocation,
                                              cudaMemRangeAttributePreferredLocationType,
                                              cudaMemRangeAttributePreferredLocationId};
        SUCCEEDS(cudaMemRangeGetAttributes(data, sizes, attributes, 6, pointer, kBytes));
        QCOMPARE(mostly, 1);
        QCOMPARE(preferred, 0);
        QCOMPARE(accessed[0], cudaCpuDeviceId);
        QCOMPARE(accessed[1], cudaInvalidDeviceId);
        QCOMPARE(accessed[2], cudaInvalidDeviceId);
        QCOMPARE(last, 0);
        QCOMPARE(type, int(cudaMemLocationTypeDevice));
        QCOMPARE(number, 0);

        SAME_ERROR(cudaMemRangeGetAttributes(nullptr, sizes, attributes, 6, pointer, kBytes), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemRangeGetAttributes(data, nullptr, attributes, 6, pointer, kBytes), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemRangeGetAttributes(data, sizes, attributes, 6, &last, sizeof last), cudaErrorInvalidValue);
        sizes[0] = 0;
        SAME_ERROR(cudaMemRangeGetAttributes(data, sizes, attributes, 6, pointer, kBytes), cudaErrorInvalidValue);
        SUCCEEDS(cudaFree(pointer));
    }

    void memory_of_a_stream() {
        const Kernels kernels;
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocManaged(&pointer, kBytes, cudaMemAttachHost));
        auto* numbers = static_cast<unsigned*>(pointer);
        numbers[0] = numbers[63] = 1;
        SUCCEEDS(cudaStreamAttachMemAsync(stream_, pointer, 0, cudaMemAttachSingle));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        SUCCEEDS(launch_fill(numbers, 40, 64, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QCOMPARE(numbers[0], 40U);
        QCOMPARE(numbers[63], 103U);
        // Anyone's from now on: the default stream uses it.
        SUCCEEDS(cudaStreamAttachMemAsync(stream_, pointer, kBytes, cudaMemAttachGlobal));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        SUCCEEDS(launch_fill(numbers, 50, 64));
        SUCCEEDS(cudaDeviceSynchronize());
        QCOMPARE(numbers[63], 113U);

        SAME_ERROR(cudaStreamAttachMemAsync(stream_, nullptr, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamAttachMemAsync(stream_, numbers + 1, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamAttachMemAsync(stream_, pointer, 4096, cudaMemAttachSingle), cudaErrorInvalidValue);
        SAME_ERROR(cudaStreamAttachMemAsync(stream_, pointer, 0, 8), cudaErrorInvalidValue);
#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
        // The default stream is no single one.
        ONE_OF(cudaStreamAttachMemAsync(nullptr, pointer, 0, cudaMemAttachSingle), cudaErrorInvalidValue,
               cudaErrorInvalidResourceHandle);
#endif
        SUCCEEDS(cudaFree(pointer));
    }

    void batches_of_managed_memory() {
        if (!advice_is_taken()) QSKIP("the device takes no advice about managed memory");
        constexpr std::size_t part = 2 * kBytes;
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocManaged(&pointer, 3 * part));
        auto* const bytes = static_cast<unsigned char*>(pointer);
        for (std::size_t i = 0; i < 3; ++i)
            std::fill_n(bytes + i * part, part, static_cast<unsigned char>(i + 1));
        void* parts[] = {bytes, bytes + part, bytes + 2 * part};
        std::size_t sizes[] = {part, part, part}, firsts[] = {0, 2};
        cudaMemLocation places[] = {place(cudaMemLocationTypeDevice), place(cudaMemLocationTypeHost)};
        const cudaError_t error = cudaMemPrefetchBatchAsync(parts, sizes, 3, places, firsts, 2, 0, stream_);
        ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
        if (error != cudaSuccess) {
            SAME_ERROR(cudaMemDiscardBatchAsync(parts, sizes, 3, 0, stream_), error);
            SAME_ERROR(cudaMemDiscardAndPrefetchBatchAsync(parts, sizes, 3, places, firsts, 2, 0, stream_), error);
            SUCCEEDS(cudaFree(pointer));
            QSKIP("the device takes no batches");
        }
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QCOMPARE(last_place(parts[0], part), 0);
        QCOMPARE(last_place(parts[1], part), 0);
        QCOMPARE(last_place(parts[2], part), cudaCpuDeviceId);
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(int(bytes[(i + 1) * part - 1]), int(i + 1));
        // What is not discarded stays; what is can be written anew.
        SUCCEEDS(cudaMemDiscardBatchAsync(parts, sizes, 2, 0, stream_));
        SUCCEEDS(cudaMemDiscardAndPrefetchBatchAsync(parts, sizes, 1, places, firsts, 1, 0, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QCOMPARE(last_place(parts[0], part), 0);
        QCOMPARE(int(bytes[2 * part]), 3);
        SUCCEEDS(cudaMemsetAsync(bytes, 7, 2 * part, stream_));
        SUCCEEDS(cudaStreamSynchronize(stream_));
        QVERIFY(std::all_of(bytes, bytes + 2 * part, [](unsigned char byte) { return byte == 7; }));

        SAME_ERROR(cudaMemPrefetchBatchAsync(parts, sizes, 3, places, firsts, 2, 1, stream_), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemDiscardBatchAsync(parts, sizes, 3, 1, stream_), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemDiscardAndPrefetchBatchAsync(parts, sizes, 3, places, firsts, 2, 1, stream_),
                   cudaErrorInvalidValue);
        SUCCEEDS(cudaFree(pointer));
    }
};

QTEST_GUILESS_MAIN(PoolsTest)
#include "pools_test.moc"
