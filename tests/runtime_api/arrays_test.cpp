// SPDX-License-Identifier: Apache-2.0
// Arrays: planes, memory and tiles of those that have such, and copies and fills in the order of a stream.
#include "answers.hpp"
#include "kernels.hpp"

#include <QtTest>

#include <algorithm>
#include <numeric>

using namespace runtime_test;

namespace {

using Bytes = std::vector<unsigned char>;

Bytes numbers(std::size_t count, unsigned seed = 1) {
    Bytes result(count);
    for (auto& byte : result)
        byte = static_cast<unsigned char>((seed = seed * 1103515245 + 12345) >> 16);
    return result;
}

const cudaChannelFormatDesc kWord = {32, 0, 0, 0, cudaChannelFormatKindUnsigned};

/// Copies of an area; the rest of the target stays.
void put(Bytes& target, std::size_t pitch, std::size_t x, std::size_t y, const Bytes& source, std::size_t source_pitch,
         std::size_t width, std::size_t height) {
    for (std::size_t row = 0; row < height; ++row)
        for (std::size_t column = 0; column < width; ++column)
            target[(y + row) * pitch + x + column] = source[row * source_pitch + column];
}

} // namespace

class ArraysTest : public QObject {
    Q_OBJECT

    /// The default stream, which is each thread's own in one of the two programs, and one of the test's.
    void each_stream() {
        QTest::addColumn<bool>("own");
        QTest::newRow("default stream") << false;
        QTest::newRow("own stream") << true;
    }
    static cudaStream_t new_stream(bool own) {
        cudaStream_t stream = nullptr;
        if (own && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) return nullptr;
        return stream;
    }
    static void end_stream(cudaStream_t stream) {
        if (stream) SUCCEEDS(cudaStreamDestroy(stream));
    }

private slots:
    void planes() {
        cudaArray_t array = nullptr, plane = nullptr;
        SUCCEEDS(cudaMallocArray(&array, &kWord, 32, 16));
        // Of a format without planes.
        ONE_OF(cudaArrayGetPlane(&plane, array, 0), cudaErrorInvalidValue, cudaErrorNotSupported);
        SUCCEEDS(cudaFreeArray(array));
        ONE_OF(cudaArrayGetPlane(&plane, nullptr, 0), cudaErrorInvalidResourceHandle, cudaErrorInvalidValue,
               cudaErrorNotSupported);

        const cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindNV12);
        const cudaError_t made = cudaMallocArray(&array, &format, 32, 16);
        ONE_OF(made, cudaSuccess, cudaErrorNotSupported, cudaErrorInvalidValue, cudaErrorInvalidChannelDescriptor);
        (void)cudaGetLastError();
        if (made != cudaSuccess) QSKIP("the device has no arrays with planes");
        // One with all of the brightness, and one with half as many colours each way.
        for (unsigned number : {0U, 1U}) {
            SUCCEEDS(cudaArrayGetPlane(&plane, array, number));
            cudaChannelFormatDesc its{};
            cudaExtent extent{};
            SUCCEEDS(cudaArrayGetInfo(&its, &extent, nullptr, plane));
            QCOMPARE(its.f, cudaChannelFormatKindUnsigned);
            QCOMPARE(its.x, 8);
            QCOMPARE(its.y, number == 0 ? 0 : 8);
            QCOMPARE(its.z, 0);
            QCOMPARE(extent.width, std::size_t{number == 0 ? 32U : 16U});
            QCOMPARE(extent.height, std::size_t{number == 0 ? 16U : 8U});
        }
        SAME_ERROR(cudaArrayGetPlane(&plane, array, 2), cudaErrorInvalidValue);
        SUCCEEDS(cudaFreeArray(array));
    }

    void memory_requirements() {
        cudaArray_t array = nullptr;
        cudaMipmappedArray_t levels = nullptr;
        cudaArrayMemoryRequirements needs{};
        // Of arrays that have their memory already.
        SUCCEEDS(cudaMallocArray(&array, &kWord, 64, 64));
        ONE_OF(cudaArrayGetMemoryRequirements(&needs, array, 0), cudaErrorInvalidValue, cudaErrorNotSupported);
        SUCCEEDS(cudaFreeArray(array));
        SUCCEEDS(cudaMallocMipmappedArray(&levels, &kWord, {64, 64, 0}, 3));
        ONE_OF(cudaMipmappedArrayGetMemoryRequirements(&needs, levels, 0), cudaErrorInvalidValue,
               cudaErrorNotSupported);
        SUCCEEDS(cudaFreeMipmappedArray(levels));

        int supported = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&supported, cudaDevAttrDeferredMappingCudaArraySupported, 0));
        const cudaError_t made = cudaMallocArray(&array, &kWord, 64, 64, cudaArrayDeferredMapping);
        if (!supported) {
            ONE_OF(made, cudaErrorNotSupported, cudaErrorInvalidValue);
            QSKIP("the device has no arrays that get their memory later");
        }
        SAME_ERROR(made, cudaSuccess);
        SUCCEEDS(cudaArrayGetMemoryRequirements(&needs, array, 0));
        QVERIFY(needs.size >= 64UL * 64 * 4);
        QVERIFY(needs.alignment > 0 && (needs.alignment & (needs.alignment - 1)) == 0);
        SUCCEEDS(cudaFreeArray(array));
        const std::size_t one_level = needs.size;
        SUCCEEDS(cudaMallocMipmappedArray(&levels, &kWord, {64, 64, 0}, 3, cudaArrayDeferredMapping));
        SUCCEEDS(cudaMipmappedArrayGetMemoryRequirements(&needs, levels, 0));
        QVERIFY(needs.size >= one_level);
        QVERIFY(needs.alignment > 0);
        SUCCEEDS(cudaFreeMipmappedArray(levels));
    }

    void tiles_of_sparse_arrays() {
        cudaArray_t array = nullptr;
        cudaMipmappedArray_t levels = nullptr;
        cudaArraySparseProperties properties{};
        SUCCEEDS(cudaMallocArray(&array, &kWord, 64, 64)); // not sparse
        ONE_OF(cudaArrayGetSparseProperties(&properties, array), cudaErrorInvalidValue, cudaErrorNotSupported);
        SUCCEEDS(cudaFreeArray(array));
        SUCCEEDS(cudaMallocMipmappedArray(&levels, &kWord, {64, 64, 0}, 3));
        ONE_OF(cudaMipmappedArrayGetSparseProperties(&properties, levels), cudaErrorInvalidValue,
               cudaErrorNotSupported);
        SUCCEEDS(cudaFreeMipmappedArray(levels));

        int supported = 0;
        SUCCEEDS(cudaDeviceGetAttribute(&supported, cudaDevAttrSparseCudaArraySupported, 0));
        const cudaError_t made = cudaMallocArray(&array, &kWord, 1024, 1024, cudaArraySparse);
        if (!supported) {
            ONE_OF(made, cudaErrorNotSupported, cudaErrorInvalidValue);
            QSKIP("the device has no sparse arrays");
        }
        SAME_ERROR(made, cudaSuccess);
        SUCCEEDS(cudaArrayGetSparseProperties(&properties, array));
        QVERIFY(properties.tileExtent.width > 0 && properties.tileExtent.height > 0 && properties.tileExtent.depth > 0);
        QCOMPARE(properties.miptailFirstLevel, 0U);
        if (!(properties.flags & cudaArraySparsePropertiesSingleMipTail)) QCOMPARE(properties.miptailSize, 0ULL);
        SUCCEEDS(cudaFreeArray(array));
        SUCCEEDS(cudaMallocMipmappedArray(&levels, &kWord, {1024, 1024, 0}, 11, cudaArraySparse));
        cudaArraySparseProperties of_levels{};
        SUCCEEDS(cudaMipmappedArrayGetSparseProperties(&of_levels, levels));
        QCOMPARE(of_levels.tileExtent.width, properties.tileExtent.width);
        QVERIFY(of_levels.miptailSize > 0); // the last levels are smaller than a tile
        QVERIFY(of_levels.miptailFirstLevel < 11);
        SUCCEEDS(cudaFreeMipmappedArray(levels));
    }

    void widest_linear_texture() {
        std::size_t width = 0, of_four = 0;
        SAME_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(nullptr, &kWord, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(&width, nullptr, 0), cudaErrorInvalidValue);
        SAME_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(&width, &kWord, 1000), cudaErrorInvalidDevice);
        const cudaError_t error = cudaDeviceGetTexture1DLinearMaxWidth(&width, &kWord, 0);
        ONE_OF(error, cudaSuccess, cudaErrorNotSupported);
        (void)cudaGetLastError();
        if (error != cudaSuccess) QSKIP("the device does not tell");
        const cudaChannelFormatDesc words{32, 32, 32, 32, cudaChannelFormatKindUnsigned};
        SUCCEEDS(cudaDeviceGetTexture1DLinearMaxWidth(&of_four, &words, 0));
        QVERIFY(of_four >= 1UL << 16 && width >= of_four);
    }

    void areas_in_streams_data() { each_stream(); }
    void areas_in_streams() {
        QFETCH(bool, own);
        cudaStream_t stream = new_stream(own);
        constexpr std::size_t width = 64, height = 6, pitch = 70; // in bytes
        cudaArray_t array = nullptr;
        SUCCEEDS(cudaMallocArray(&array, &kWord, width / 4, height));
        const Bytes from = numbers(pitch * height), other = numbers(pitch * height, 7);
        Bytes to(pitch * height, 9), expected(pitch * height, 9), inside(width * height);
        put(inside, width, 0, 0, from, pitch, width, height);
        put(inside, width, 8, 2, other, pitch, 40, 3);
        put(expected, pitch, 0, 0, inside, width, width, height);
        SUCCEEDS(
            cudaMemcpy2DToArrayAsync(array, 0, 0, from.data(), pitch, width, height, cudaMemcpyHostToDevice, stream));
        SUCCEEDS(cudaMemcpy2DToArrayAsync(array, 8, 2, other.data(), pitch, 40, 3, cudaMemcpyDefault, stream));
        SUCCEEDS(
            cudaMemcpy2DFromArrayAsync(to.data(), pitch, array, 0, 0, width, height, cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QVERIFY(to == expected);
        // A part, to the device's memory.
        void* memory = nullptr;
        SUCCEEDS(cudaMalloc(&memory, 40UL * 3));
        SUCCEEDS(cudaMemcpy2DFromArrayAsync(memory, 40, array, 8, 2, 40, 3, cudaMemcpyDeviceToDevice, stream));
        Bytes part(40UL * 3), expected_part(40UL * 3);
        put(expected_part, 40, 0, 0, other, pitch, 40, 3);
        SUCCEEDS(cudaMemcpyAsync(part.data(), memory, part.size(), cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QVERIFY(part == expected_part);
        SUCCEEDS(cudaFree(memory));

        SAME_ERROR(
            cudaMemcpy2DToArrayAsync(nullptr, 0, 0, from.data(), pitch, width, height, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidResourceHandle);
        SAME_ERROR(
            cudaMemcpy2DToArrayAsync(array, 0, 0, from.data(), 16, width, height, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidPitchValue);
        SAME_ERROR(
            cudaMemcpy2DToArrayAsync(array, 8, 0, from.data(), pitch, width, height, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidValue); // beyond its rows
        SAME_ERROR(
            cudaMemcpy2DFromArrayAsync(to.data(), pitch, array, 0, 0, width, height, cudaMemcpyHostToDevice, stream),
            cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(
            cudaMemcpy2DFromArrayAsync(to.data(), 16, array, 0, 0, width, height, cudaMemcpyDeviceToHost, stream),
            cudaErrorInvalidPitchValue);
        (void)cudaGetLastError();
        end_stream(stream);
        SUCCEEDS(cudaFreeArray(array));
    }

    void bytes_in_streams_data() { each_stream(); }
    void bytes_in_streams() {
        QFETCH(bool, own);
        cudaStream_t stream = new_stream(own);
        constexpr std::size_t width = 64, height = 5;
        cudaArray_t array = nullptr;
        SUCCEEDS(cudaMallocArray(&array, &kWord, width / 4, height));
        const Bytes zeros(width * height);
        const Bytes from = numbers(200);
        Bytes to(width * height), part(148);
        SUCCEEDS(cudaMemcpyToArrayAsync(array, 0, 0, zeros.data(), zeros.size(), cudaMemcpyHostToDevice, stream));
        // From within a row to within another one.
        SUCCEEDS(cudaMemcpyToArrayAsync(array, 12, 1, from.data(), from.size(), cudaMemcpyHostToDevice, stream));
        SUCCEEDS(cudaMemcpyFromArrayAsync(to.data(), array, 0, 0, to.size(), cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaMemcpyFromArrayAsync(part.data(), array, 20, 1, part.size(), cudaMemcpyDefault, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        Bytes expected = zeros;
        std::copy(from.begin(), from.end(), expected.begin() + width + 12);
        QVERIFY(to == expected);
        QVERIFY(std::equal(part.begin(), part.end(), from.begin() + 8));

        SAME_ERROR(cudaMemcpyToArrayAsync(nullptr, 0, 0, from.data(), 8, cudaMemcpyHostToDevice, stream),
                   cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaMemcpyToArrayAsync(array, 0, 0, from.data(), 8, cudaMemcpyDeviceToHost, stream),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaMemcpyFromArrayAsync(to.data(), nullptr, 0, 0, 8, cudaMemcpyDeviceToHost, stream),
                   cudaErrorInvalidResourceHandle);
        SAME_ERROR(cudaMemcpyFromArrayAsync(to.data(), array, 0, 0, 8, cudaMemcpyHostToDevice, stream),
                   cudaErrorInvalidMemcpyDirection);
        SAME_ERROR(cudaMemcpyFromArrayAsync(to.data(), array, 0, height, 8, cudaMemcpyDeviceToHost, stream),
                   cudaErrorInvalidValue);
        (void)cudaGetLastError();
        end_stream(stream);
        SUCCEEDS(cudaFreeArray(array));
    }

    void fills_in_streams_data() { each_stream(); }
    void fills_in_streams() {
        QFETCH(bool, own);
        cudaStream_t stream = new_stream(own);
        constexpr std::size_t w = 20, h = 4, d = 3;
        cudaPitchedPtr volume{};
        SUCCEEDS(cudaMalloc3D(&volume, {w, h, d}));
        SUCCEEDS(cudaMemset3DAsync(volume, 1, {w, h, d}, stream));
        SUCCEEDS(cudaMemset3DAsync(volume, 0x102, {7, 3, 2}, stream)); // one byte counts
        SUCCEEDS(cudaMemset2DAsync(volume.ptr, volume.pitch, 3, 5, 2, stream));
        Bytes to(w * h * d), expected(w * h * d, 1);
        for (std::size_t z = 0; z < 2; ++z)
            for (std::size_t y = 0; y < 3; ++y)
                for (std::size_t x = 0; x < 7; ++x)
                    expected[(z * h + y) * w + x] = z == 0 && y < 2 && x < 5 ? 3 : 2;
        cudaMemcpy3DParms back{};
        back.srcPtr = volume;
        back.dstPtr = {to.data(), w, w, h};
        back.extent = {w, h, d};
        back.kind = cudaMemcpyDeviceToHost;
        SUCCEEDS(cudaMemcpy3DAsync(&back, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        QVERIFY(to == expected);
        // One row has no use for a pitch.
        SUCCEEDS(cudaMemset3DAsync({volume.ptr, 0, w, h}, 8, {w, 1, 1}, stream));
        SUCCEEDS(cudaMemset2DAsync(volume.ptr, 0, 9, 4, 1, stream));
        unsigned char row[w] = {};
        SUCCEEDS(cudaMemcpyAsync(row, volume.ptr, w, cudaMemcpyDeviceToHost, stream));
        SUCCEEDS(cudaStreamSynchronize(stream));
        for (std::size_t x = 0; x < w; ++x)
            QCOMPARE(int(row[x]), x < 4 ? 9 : 8);

        SAME_ERROR(cudaMemset3DAsync({volume.ptr, 8, w, h}, 1, {w, h, 1}, stream), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemset2DAsync(volume.ptr, 8, 1, w, 2, stream), cudaErrorInvalidValue);
        SAME_ERROR(cudaMemset2DAsync(nullptr, w, 1, w, 2, stream), cudaErrorInvalidValue);
        SUCCEEDS(cudaMemset2DAsync(nullptr, w, 1, 0, 2, stream));
        (void)cudaGetLastError();
        end_stream(stream);
        SUCCEEDS(cudaFree(volume.ptr));
    }

    void volumes_between_devices_data() { each_stream(); }
    void volumes_between_devices() {
        QFETCH(bool, own);
        constexpr std::size_t w = 24, h = 3, d = 2;
        const Bytes from = numbers(w * h * d);
        int count = 0;
        SUCCEEDS(cudaGetDeviceCount(&count));
        for (int target = 0; target < std::min(count, 2); ++target) {
            cudaPitchedPtr here{}, there{};
            SUCCEEDS(cudaSetDevice(target));
            SUCCEEDS(cudaMalloc3D(&there, {w, h, d}));
            SUCCEEDS(cudaMemset3D(there, 5, {w, h, d}));
            SUCCEEDS(cudaDeviceSynchronize());
            SUCCEEDS(cudaSetDevice(0));
            cudaStream_t stream = new_stream(own);
            SUCCEEDS(cudaMalloc3D(&here, {w, h, d}));
            SUCCEEDS(cudaMemcpy2D(here.ptr, here.pitch, from.data(), w, w, h * d, cudaMemcpyHostToDevice));
            cudaMemcpy3DPeerParms copy{};
            copy.srcDevice = 0;
            copy.srcPtr = here;
            copy.srcPos = {4, 1, 0};
            copy.dstDevice = target;
            copy.dstPtr = there;
            copy.dstPos = {0, 0, 1};
            copy.extent = {16, 2, 1};
            SUCCEEDS(cudaMemcpy3DPeerAsync(&copy, stream));
            SUCCEEDS(cudaStreamSynchronize(stream));
            Bytes to(w * h * d), expected(w * h * d, 5);
            for (std::size_t y = 0; y < 2; ++y)
                for (std::size_t x = 0; x < 16; ++x)
                    expected[(h + y) * w + x] = from[(y + 1) * w + x + 4];
            SUCCEEDS(cudaMemcpy2D(to.data(), w, there.ptr, there.pitch, w, h * d, cudaMemcpyDeviceToHost));
            QVERIFY(to == expected);

            SAME_ERROR(cudaMemcpy3DPeerAsync(nullptr, stream), cudaErrorInvalidValue);
            copy.dstDevice = 1000;
            SAME_ERROR(cudaMemcpy3DPeerAsync(&copy, stream), cudaErrorInvalidDevice);
            copy.dstDevice = target;
            copy.dstPtr.pitch = 8;
            SAME_ERROR(cudaMemcpy3DPeerAsync(&copy, stream), cudaErrorInvalidPitchValue);
            copy.extent.depth = 0;
            SUCCEEDS(cudaMemcpy3DPeerAsync(&copy, stream)); // nothing
            (void)cudaGetLastError();
            end_stream(stream);
            SUCCEEDS(cudaFree(here.ptr));
            SUCCEEDS(cudaFree(there.ptr));
        }
    }
};

QTEST_GUILESS_MAIN(ArraysTest)
#include "arrays_test.moc"
