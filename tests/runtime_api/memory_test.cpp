// SPDX-License-Identifier: Apache-2.0
// Memory of all kinds, copies and fills of every shape, arrays and textures. Results are compared with what the same
// calls would do in plain C++.
#include "kernels.hpp"

#include <QtTest>

#include <numeric>

using namespace runtime_test;

namespace {

std::vector<unsigned char> numbers(std::size_t count, unsigned seed = 1) {
    std::vector<unsigned char> result(count);
    for (auto& byte : result)
        byte = static_cast<unsigned char>((seed = seed * 1103515245 + 12345) >> 16);
    return result;
}

template <class T>
T* device(std::size_t count) {
    void* pointer = nullptr;
    return cudaMalloc(&pointer, count * sizeof(T)) == cudaSuccess ? static_cast<T*>(pointer) : nullptr;
}

} // namespace

class MemoryTest : public QObject {
    Q_OBJECT

private slots:
    void kinds() {
        void* pointer = &pointer;
        SUCCEEDS(cudaMalloc(&pointer, 0));
        QVERIFY(!pointer);
        SUCCEEDS(cudaFree(nullptr));
        SUCCEEDS(cudaFreeHost(nullptr));
        cudaPointerAttributes attributes{};
        int local = 0;
        SUCCEEDS(cudaPointerGetAttributes(&attributes, &local));
        QCOMPARE(attributes.type, cudaMemoryTypeUnregistered);
        QCOMPARE(attributes.device, cudaInvalidDeviceId);
        QVERIFY(!attributes.devicePointer);

        SUCCEEDS(cudaMalloc(&pointer, 100));
        SUCCEEDS(cudaPointerGetAttributes(&attributes, static_cast<char*>(pointer) + 5));
        QCOMPARE(attributes.type, cudaMemoryTypeDevice);
        QCOMPARE(attributes.device, 0);
        QCOMPARE(attributes.devicePointer, static_cast<void*>(static_cast<char*>(pointer) + 5));
        SUCCEEDS(cudaFree(pointer));

        SUCCEEDS(cudaMallocHost(&pointer, 100));
        SUCCEEDS(cudaPointerGetAttributes(&attributes, pointer));
        QCOMPARE(attributes.type, cudaMemoryTypeHost);
        QCOMPARE(attributes.hostPointer, pointer);
        unsigned flags = 99;
        SUCCEEDS(cudaHostGetFlags(&flags, pointer));
        SUCCEEDS(cudaFreeHost(pointer));

        SUCCEEDS(cudaMallocManaged(&pointer, 100));
        std::memset(pointer, 1, 100);
        SUCCEEDS(cudaPointerGetAttributes(&attributes, pointer));
        QCOMPARE(attributes.type, cudaMemoryTypeManaged);
        SUCCEEDS(cudaFree(pointer));
        SUCCEEDS(cudaMallocManaged(&pointer, 0));

        std::vector<char> own(8192);
        SUCCEEDS(cudaHostRegister(own.data(), own.size(), cudaHostRegisterMapped));
        SAME_ERROR(cudaHostRegister(own.data(), own.size(), cudaHostRegisterMapped),
                   cudaErrorHostMemoryAlreadyRegistered);
        SUCCEEDS(cudaHostGetDevicePointer(&pointer, own.data(), 0));
        SUCCEEDS(cudaHostUnregister(own.data()));
        SAME_ERROR(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);

        std::size_t free = 0, total = 0;
        SUCCEEDS(cudaMemGetInfo(&free, &total));
        QVERIFY(free > 0 && free <= total);
    }

    void linear() {
        const auto from = numbers(1000);
        std::vector<unsigned char> to(1000);
        auto* a = device<unsigned char>(1000);
        auto* b = device<unsigned char>(1000);
        SUCCEEDS(cudaMemcpy(a, from.data(), 1000, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaMemcpy(b, a, 1000, cudaMemcpyDeviceToDevice));
        SUCCEEDS(cudaMemset(b + 10, 0x1ff, 20)); // one byte counts
        SUCCEEDS(cudaMemcpy(to.data(), b, 1000, cudaMemcpyDefault));
        auto expected = from;
        std::fill_n(expected.begin() + 10, 20, 0xff);
        QVERIFY(to == expected);
        SUCCEEDS(cudaMemcpy(to.data(), from.data(), 1000, cudaMemcpyHostToHost));
        QVERIFY(to == from);
        SUCCEEDS(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));

        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreate(&stream));
        std::fill(to.begin(), to.end(), 0);
        SUCCEEDS(cudaMemsetAsync(a, 3, 500, stream));
        SUCCEEDS(cudaMemcpyAsync(b, a, 1000, cudaMemcpyDeviceToDevice, stream));
        SUCCEEDS(cudaMemcpyAsync(to.data(), b, 1000, cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        expected = from;
        std::fill_n(expected.begin(), 500, 3);
        QVERIFY(to == expected);
        SUCCEEDS(cudaMemcpyPeer(a, 0, b, 0, 1000));
        SUCCEEDS(cudaMemcpyPeerAsync(b, 0, a, 0, 1000, stream));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(a));
        SUCCEEDS(cudaFree(b));
    }

    void areas() {
        constexpr std::size_t width = 37, height = 11, host_pitch = 50;
        const auto from = numbers(host_pitch * height);
        void* area = nullptr;
        std::size_t pitch = 0;
        SUCCEEDS(cudaMallocPitch(&area, &pitch, width, height));
        QVERIFY(pitch >= width);
        SUCCEEDS(cudaMemset2D(area, pitch, 9, width, height));
        SUCCEEDS(cudaMemcpy2D(area, pitch, from.data(), host_pitch, width, height - 1, cudaMemcpyHostToDevice));
        std::vector<unsigned char> to(host_pitch * height, 7), expected = to;
        SUCCEEDS(cudaMemcpy2D(to.data(), host_pitch, area, pitch, width, height, cudaMemcpyDeviceToHost));
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x)
                expected[y * host_pitch + x] = y + 1 < height ? from[y * host_pitch + x] : 9;
        QVERIFY(to == expected);
        std::fill(to.begin(), to.end(), 7);
        SUCCEEDS(cudaMemcpy2DAsync(to.data(), host_pitch, area, pitch, width, height, cudaMemcpyDefault, nullptr));
        SUCCEEDS(cudaDeviceSynchronize());
        QVERIFY(to == expected);
        SUCCEEDS(cudaFree(area));
    }

    void volumes() {
        constexpr std::size_t w = 20, h = 6, d = 5;
        const auto from = numbers(w * h * d);
        cudaPitchedPtr volume{};
        SUCCEEDS(cudaMalloc3D(&volume, {w, h, d}));
        QCOMPARE(volume.xsize, w);
        QCOMPARE(volume.ysize, h);
        SUCCEEDS(cudaMemset3D(volume, 1, {w, h, d}));
        // A part, into the middle.
        cudaMemcpy3DParms copy{};
        copy.srcPtr = {const_cast<unsigned char*>(from.data()), w, w, h};
        copy.srcPos = {2, 1, 0};
        copy.dstPtr = volume;
        copy.dstPos = {3, 0, 2};
        copy.extent = {10, 4, 3};
        copy.kind = cudaMemcpyHostToDevice;
        SUCCEEDS(cudaMemcpy3D(&copy));
        SUCCEEDS(cudaMemset3D(volume, 2, {4, 3, 2})); // fewer rows than there are
        std::vector<unsigned char> to(w * h * d), expected(w * h * d, 1);
        const auto at = [&](std::size_t x, std::size_t y, std::size_t z) { return (z * h + y) * w + x; };
        for (std::size_t z = 0; z < 3; ++z)
            for (std::size_t y = 0; y < 4; ++y)
                for (std::size_t x = 0; x < 10; ++x)
                    expected[at(x + 3, y, z + 2)] = from[at(x + 2, y + 1, z)];
        for (std::size_t z = 0; z < 2; ++z)
            for (std::size_t y = 0; y < 3; ++y)
                std::fill_n(expected.begin() + static_cast<long>(at(0, y, z)), 4, 2);
        cudaMemcpy3DParms back{};
        back.srcPtr = volume;
        back.dstPtr = {to.data(), w, w, h};
        back.extent = {w, h, d};
        back.kind = cudaMemcpyDeviceToHost;
        SUCCEEDS(cudaMemcpy3DAsync(&back));
        SUCCEEDS(cudaDeviceSynchronize());
        QVERIFY(to == expected);

        // The same through an array of elements of four bytes.
        cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
        cudaArray_t array = nullptr;
        SUCCEEDS(cudaMalloc3DArray(&array, &format, {w / 4, h, d}));
        cudaChannelFormatDesc its{};
        cudaExtent extent{};
        unsigned flags = 7;
        SUCCEEDS(cudaArrayGetInfo(&its, &extent, &flags, array));
        QCOMPARE(its.x, 32);
        QCOMPARE(extent.width, w / 4);
        QCOMPARE(extent.depth, d);
        QCOMPARE(flags, 0U);
        cudaMemcpy3DParms in{};
        in.srcPtr = volume;
        in.dstArray = array;
        in.extent = {w / 4, h, d};
        in.kind = cudaMemcpyDeviceToDevice;
        SUCCEEDS(cudaMemcpy3D(&in));
        std::fill(to.begin(), to.end(), 0);
        cudaMemcpy3DParms out{};
        out.srcArray = array;
        out.dstPtr = {to.data(), w, w, h};
        out.extent = {w / 4, h, d};
        out.kind = cudaMemcpyDeviceToHost;
        SUCCEEDS(cudaMemcpy3D(&out));
        QVERIFY(to == expected);
        cudaMemcpy3DPeerParms peer{};
        peer.srcPtr = volume;
        peer.dstPtr = volume;
        peer.extent = {w, h, 1};
        peer.dstPos = {0, 0, 4};
        SUCCEEDS(cudaMemcpy3DPeer(&peer));
        SUCCEEDS(cudaFreeArray(array));
        SUCCEEDS(cudaFree(volume.ptr));
    }

    void arrays() {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        cudaArray_t a = nullptr, b = nullptr;
        SUCCEEDS(cudaMallocArray(&a, &format, 16, 4));
        SUCCEEDS(cudaMallocArray(&b, &format, 16, 4));
        std::vector<float> from(64), to(64);
        std::iota(from.begin(), from.end(), 1.5F);
        SUCCEEDS(cudaMemcpy2DToArray(a, 0, 0, from.data(), 64, 64, 4, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 4));
        SUCCEEDS(cudaMemcpy2DFromArray(to.data(), 64, b, 0, 0, 64, 4, cudaMemcpyDeviceToHost));
        QVERIFY(to == from);
        // Bytes that begin and end within rows.
        std::fill(to.begin(), to.end(), 0.0F);
        SUCCEEDS(cudaMemcpyToArray(b, 12, 1, from.data(), 160, cudaMemcpyHostToDevice));
        SUCCEEDS(cudaMemcpyFromArray(to.data(), b, 12, 1, 160, cudaMemcpyDeviceToHost));
        QVERIFY(std::equal(to.begin(), to.begin() + 40, from.begin()));
        SUCCEEDS(cudaMemcpyArrayToArray(a, 8, 0, b, 12, 1, 160));
        SUCCEEDS(cudaMemcpyFromArray(to.data(), a, 8, 0, 160, cudaMemcpyDeviceToHost));
        QVERIFY(std::equal(to.begin(), to.begin() + 40, from.begin()));
        cudaChannelFormatDesc its{};
        SUCCEEDS(cudaGetChannelDesc(&its, a));
        QCOMPARE(its.f, cudaChannelFormatKindFloat);
        SAME_ERROR(cudaMemcpy2DToArray(nullptr, 0, 0, from.data(), 64, 64, 4, cudaMemcpyHostToDevice),
                   cudaErrorInvalidResourceHandle);
        SUCCEEDS(cudaFreeArray(a));
        SUCCEEDS(cudaFreeArray(b));
        cudaMipmappedArray_t levels = nullptr;
        SUCCEEDS(cudaMallocMipmappedArray(&levels, &format, {16, 16, 0}, 3));
        cudaArray_t level = nullptr;
        SUCCEEDS(cudaGetMipmappedArrayLevel(&level, levels, 2));
        cudaExtent extent{};
        SUCCEEDS(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
        QCOMPARE(extent.width, std::size_t{4});
        SUCCEEDS(cudaFreeMipmappedArray(levels));
    }

    void textures() {
        const Kernels kernels;
        const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
        cudaArray_t array = nullptr;
        SUCCEEDS(cudaMallocArray(&array, &format, 8, 2));
        float from[16];
        std::iota(std::begin(from), std::end(from), 100.0F);
        SUCCEEDS(cudaMemcpy2DToArray(array, 0, 0, from, 32, 32, 2, cudaMemcpyHostToDevice));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
        description.borderColor[0] = -1;
        description.filterMode = cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        cudaTextureObject_t texture = 0;
        SUCCEEDS(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        auto* out = device<float>(10);
        float row = 1;
        void* arguments[] = {static_cast<void*>(&out), &texture, &row};
        SUCCEEDS(cudaLaunchKernel(&fetch, dim3(1), dim3(10), arguments, 0, nullptr));
        float to[10] = {};
        SUCCEEDS(cudaMemcpy(to, out, sizeof to, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 10; ++i)
            QCOMPARE(to[i], i < 8 ? 108.0F + static_cast<float>(i) : -1.0F);
        cudaTextureDesc its{};
        SUCCEEDS(cudaGetTextureObjectTextureDesc(&its, texture));
        std::copy(std::begin(description.borderColor), std::end(description.borderColor), its.borderColor); // not told
        QVERIFY(std::memcmp(&its, &description, sizeof its) == 0);
        cudaResourceDesc what{};
        SUCCEEDS(cudaGetTextureObjectResourceDesc(&what, texture));
        QCOMPARE(what.res.array.array, array);
        SUCCEEDS(cudaDestroyTextureObject(texture));

        // Linear memory with a pitch: the format goes into the description and comes out again.
        auto* memory = device<float>(64);
        resource = {};
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory;
        resource.res.pitch2D.desc = format;
        resource.res.pitch2D.width = 4;
        resource.res.pitch2D.height = 2;
        resource.res.pitch2D.pitchInBytes = 128;
        SUCCEEDS(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
        SUCCEEDS(cudaGetTextureObjectResourceDesc(&what, texture));
        QCOMPARE(what.res.pitch2D.pitchInBytes, std::size_t{128});
        QCOMPARE(what.res.pitch2D.desc.f, cudaChannelFormatKindFloat);
        SUCCEEDS(cudaDestroyTextureObject(texture));
        SUCCEEDS(cudaFree(memory));
        SUCCEEDS(cudaFree(out));
        SUCCEEDS(cudaFreeArray(array));
    }

    void surfaces() {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
        cudaArray_t array = nullptr;
        SUCCEEDS(cudaMallocArray(&array, &format, 8, 2, cudaArraySurfaceLoadStore));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaSurfaceObject_t surface = 0;
        SUCCEEDS(cudaCreateSurfaceObject(&surface, &resource));
        cudaResourceDesc what{};
        SUCCEEDS(cudaGetSurfaceObjectResourceDesc(&what, surface));
        QCOMPARE(what.res.array.array, array);
        SUCCEEDS(cudaDestroySurfaceObject(surface));
        SUCCEEDS(cudaFreeArray(array));
    }

    void pools() {
        cudaMemPool_t pool = nullptr, other = nullptr;
        SUCCEEDS(cudaDeviceGetDefaultMemPool(&pool, 0));
        SUCCEEDS(cudaDeviceGetMemPool(&other, 0));
        QCOMPARE(other, pool);
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreate(&stream));
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocAsync(&pointer, 4096, stream));
        SUCCEEDS(cudaMemsetAsync(pointer, 5, 4096, stream));
        unsigned char last = 0;
        SUCCEEDS(cudaMemcpyAsync(&last, static_cast<char*>(pointer) + 4095, 1, cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaFreeAsync(pointer, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QCOMPARE(last, static_cast<unsigned char>(5));
        cudaMemPoolProps properties{};
        properties.allocType = cudaMemAllocationTypePinned;
        properties.location.type = cudaMemLocationTypeDevice;
        properties.location.id = 0;
        SUCCEEDS(cudaMemPoolCreate(&other, &properties));
        SUCCEEDS(cudaMallocFromPoolAsync(&pointer, 100, other, stream));
        std::uint64_t threshold = 1 << 20, its = 0;
        SUCCEEDS(cudaMemPoolSetAttribute(other, cudaMemPoolAttrReleaseThreshold, &threshold));
        SUCCEEDS(cudaMemPoolGetAttribute(other, cudaMemPoolAttrReleaseThreshold, &its));
        QCOMPARE(its, threshold);
        SUCCEEDS(cudaFreeAsync(pointer, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        SUCCEEDS(cudaMemPoolTrimTo(other, 0));
        SUCCEEDS(cudaMemPoolDestroy(other));
        SUCCEEDS(cudaStreamDestroy(stream));
    }

    void batches() {
        cudaStream_t stream = nullptr;
        SUCCEEDS(cudaStreamCreate(&stream));
        const auto from = numbers(300);
        std::vector<unsigned char> to(300);
        auto* memory = device<unsigned char>(300);
        const void* sources[] = {from.data(), from.data() + 100, from.data() + 200};
        void* targets[] = {memory, memory + 100, memory + 200};
        const std::size_t sizes[] = {100, 100, 100};
        cudaMemcpyAttributes attributes{};
        attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        std::size_t first = 0;
        SUCCEEDS(cudaMemcpyBatchAsync(targets, sources, sizes, 3, &attributes, &first, 1, stream));
        SUCCEEDS(cudaMemcpyAsync(to.data(), memory, 300, cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QVERIFY(to == from);
        cudaMemcpy3DBatchOp volume{};
        volume.src.type = volume.dst.type = cudaMemcpyOperandTypePointer;
        volume.src.op.ptr.ptr = memory;
        volume.src.op.ptr.rowLength = 30;
        volume.dst.op.ptr.ptr = to.data();
        volume.extent = {10, 10, 1};
        volume.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        SUCCEEDS(cudaMemcpy3DBatchAsync(1, &volume, 0, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        for (std::size_t y = 0; y < 10; ++y)
            QVERIFY(std::equal(to.begin() + static_cast<long>(10 * y), to.begin() + static_cast<long>(10 * y + 10),
                               from.begin() + static_cast<long>(30 * y)));
        SUCCEEDS(cudaStreamDestroy(stream));
        SUCCEEDS(cudaFree(memory));
    }

    void managed_advice() {
        int concurrent = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
        if (!concurrent) QSKIP("the device gives no advice about managed memory");
        void* pointer = nullptr;
        SUCCEEDS(cudaMallocManaged(&pointer, 1 << 20));
        cudaMemLocation here{};
        here.type = cudaMemLocationTypeDevice;
        SUCCEEDS(cudaMemAdvise(pointer, 1 << 20, cudaMemAdviseSetPreferredLocation, here));
        SUCCEEDS(cudaMemPrefetchAsync(pointer, 1 << 20, here, 0));
        int preferred = -9;
        SUCCEEDS(cudaMemRangeGetAttribute(&preferred, sizeof preferred, cudaMemRangeAttributePreferredLocation, pointer,
                                          1 << 20));
        QCOMPARE(preferred, 0);
        SUCCEEDS(cudaDeviceSynchronize());
        SUCCEEDS(cudaFree(pointer));
    }
};

QTEST_GUILESS_MAIN(MemoryTest)
#include "memory_test.moc"
