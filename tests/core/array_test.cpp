// SPDX-License-Identifier: Apache-2.0
// Arrays: what is made, told and refused, and what matrices become. On the device that WARPLIGHT_TEST_DRIVER names.
#include "array_fixture.hpp"
#include "warplight/array.hpp"
#include "warplight/array_copies.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/structured_copy.hpp"

#include <complex>
#include <optional>

using namespace warplight::driver;
using namespace array_fixture;
using warplight::ConstBuffer;
using warplight::DType;
using warplight::NdArray;
using warplight::Order;
using warplight::Shape;

namespace {

constexpr array_format kFormats[] = {
    array_format::UNSIGNED_INT8, array_format::UNSIGNED_INT16, array_format::UNSIGNED_INT32, array_format::SIGNED_INT8,
    array_format::SIGNED_INT16,  array_format::SIGNED_INT32,   array_format::HALF,           array_format::FLOAT};

/// The bytes of an array, row after row and slice after slice.
Bytes read(const Array& array, std::size_t row_bytes, std::size_t rows, std::size_t slices = 1) {
    Bytes bytes(row_bytes * rows * slices);
    Memcpy3D copy;
    copy.set_src_array(array);
    copy.set_dst_host(bytes);
    copy.dst_pitch = row_bytes;
    copy.dst_height = rows;
    copy.width_in_bytes = row_bytes;
    copy.height = rows;
    copy.depth = slices;
    copy();
    return bytes;
}

/// The elements of a matrix with the last coordinate first (F) or last (C) varying fastest, as an array has them.
Bytes elements_in(const NdArray& matrix, Order order) {
    const NdArray packed = matrix.copy(order);
    const auto bytes = packed.bytes();
    const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
    return {first, first + bytes.size()};
}

template <class T>
NdArray numbered(const Shape& shape) {
    std::vector<T> values(warplight::count_elements(shape));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<T>(static_cast<float>(i % 100) + 1);
    return NdArray::from(values, shape);
}

} // namespace

class ArrayTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;

private slots:
    void initTestCase() {
        (void)test_driver();
        context_ = Device(0).make_context();
    }
    void cleanupTestCase() {
        Context::pop();
        context_.reset();
    }

    // covers: ArrayDescriptor(), ArrayDescriptor.width, ArrayDescriptor.height, ArrayDescriptor.format
    // covers: ArrayDescriptor.num_channels, Array(ArrayDescriptor), Array.get_descriptor(), Array.handle
    // covers: array_format.UNSIGNED_INT8, array_format.UNSIGNED_INT16, array_format.UNSIGNED_INT32
    // covers: array_format.SIGNED_INT8, array_format.SIGNED_INT16, array_format.SIGNED_INT32
    // covers: array_format.HALF, array_format.FLOAT
    void descriptors() {
        const ArrayDescriptor zero;
        QCOMPARE(zero.width + zero.height + zero.num_channels, std::size_t{0});
        QCOMPARE(static_cast<int>(zero.format), 0);
        const int values[] = {1, 2, 3, 8, 9, 10, 16, 32};
        int i = 0;
        for (const array_format format : kFormats) {
            QCOMPARE(static_cast<int>(format), values[i++]);
            for (const unsigned channels : {1U, 2U, 4U}) {
                for (const std::size_t height : {0, 5}) {
                    const Array array(ArrayDescriptor{12, height, format, channels});
                    QVERIFY(array.handle() != nullptr);
                    const ArrayDescriptor told = array.get_descriptor();
                    QCOMPARE(told.width, std::size_t{12});
                    QCOMPARE(told.height, height);
                    QCOMPARE(told.format, format);
                    QCOMPARE(told.num_channels, channels);
                    const ArrayDescriptor3D also = array.get_descriptor_3d();
                    QCOMPARE(also.height, height);
                    QCOMPARE(also.depth, std::size_t{0});
                }
            }
        }
    }

    // covers: ArrayDescriptor3D(), ArrayDescriptor3D.width, ArrayDescriptor3D.height, ArrayDescriptor3D.depth
    // covers: ArrayDescriptor3D.format, ArrayDescriptor3D.num_channels, ArrayDescriptor3D.flags
    // covers: Array(ArrayDescriptor3D), Array.get_descriptor_3d()
    // covers: array3d_flags.ARRAY3D_2DARRAY, array3d_flags.ARRAY3D_LAYERED, array3d_flags.2DARRAY
    // covers: array3d_flags.SURFACE_LDST, array3d_flags.CUBEMAP, array3d_flags.TEXTURE_GATHER
    void descriptors_3d() {
        QCOMPARE(array3d_flags::ARRAY3D_2DARRAY, 1U);
        QCOMPARE(array3d_flags::ARRAY3D_LAYERED, 1U);
        QCOMPARE(array3d_flags::_2DARRAY, 1U);
        QCOMPARE(array3d_flags::SURFACE_LDST, 2U);
        QCOMPARE(array3d_flags::CUBEMAP, 4U);
        QCOMPARE(array3d_flags::TEXTURE_GATHER, 8U);
        using namespace array3d_flags;
        const ArrayDescriptor3D shapes[] = {
            {7, 0, 0, array_format::FLOAT, 1, 0},
            {7, 5, 0, array_format::FLOAT, 2, SURFACE_LDST},
            {7, 5, 3, array_format::SIGNED_INT16, 4, 0},
            {7, 5, 3, array_format::UNSIGNED_INT32, 1, SURFACE_LDST},
            {7, 0, 3, array_format::UNSIGNED_INT8, 4, LAYERED},
            {7, 5, 3, array_format::HALF, 2, LAYERED | SURFACE_LDST},
            {8, 8, 6, array_format::FLOAT, 1, CUBEMAP},
            {8, 8, 12, array_format::UNSIGNED_INT8, 4, CUBEMAP | LAYERED | SURFACE_LDST},
            {16, 9, 0, array_format::FLOAT, 1, TEXTURE_GATHER},
        };
        for (const ArrayDescriptor3D& d : shapes) {
            const Array array(d);
            const ArrayDescriptor3D told = array.get_descriptor_3d();
            QCOMPARE(told.width, d.width);
            QCOMPARE(told.height, d.height);
            QCOMPARE(told.depth, d.depth);
            QCOMPARE(told.format, d.format);
            QCOMPARE(told.num_channels, d.num_channels);
            QCOMPARE(told.flags, d.flags);
        }
    }

    void refused_descriptors() {
        using namespace array3d_flags;
        const auto f = array_format::FLOAT;
        const auto make = [](const ArrayDescriptor3D& d) { return code_of([&] { const Array array(d); }); };
        const ArrayDescriptor3D wrong[] = {
            {0, 0, 0, f, 1, 0},
            {0, 4, 0, f, 1, 0},
            {4, 0, 4, f, 1, 0},
            {4, 4, 0, f, 0, 0},
            {4, 4, 0, f, 3, 0},
            {4, 4, 0, f, 5, 0},
            {4, 4, 5, f, 1, CUBEMAP},
            {4, 5, 6, f, 1, CUBEMAP},
            {4, 4, 13, f, 1, CUBEMAP | LAYERED},
            {4, 4, 0, f, 1, LAYERED},
            {4, 4, 4, f, 1, TEXTURE_GATHER},
            {4, 4, 0, array_format(0), 1, 0},
            {4, 4, 0, array_format(0x7777), 1, 0},
        };
        for (const ArrayDescriptor3D& d : wrong)
            QCOMPARE(make(d), kInvalidValue);
        // Past the device's limits.
        const Device device(0);
        const auto limit = [&](device_attribute a) { return static_cast<std::size_t>(device.get_attribute(a)) + 1; };
        const auto u8 = array_format::UNSIGNED_INT8;
        QCOMPARE(make({limit(device_attribute::MAXIMUM_TEXTURE1D_WIDTH), 0, 0, u8, 1, 0}), kInvalidValue);
        QCOMPARE(make({limit(device_attribute::MAXIMUM_TEXTURE2D_WIDTH), 2, 0, u8, 1, 0}), kInvalidValue);
        QCOMPARE(make({2, limit(device_attribute::MAXIMUM_TEXTURE2D_HEIGHT), 0, u8, 1, 0}), kInvalidValue);
        QCOMPARE(make({2, 2, limit(device_attribute::MAXIMUM_TEXTURE2D_LAYERED_LAYERS), u8, 1, LAYERED}),
                 kInvalidValue);
        QCOMPARE(make({SIZE_MAX, 2, 0, u8, 1, 0}), kInvalidValue);
        QVERIFY_THROWS_EXCEPTION(LogicError, Array(ArrayDescriptor{}));
        if (on_software()) { // a GPU has planar arrays
            QCOMPARE(make({64, 64, 0, array_format::NV12, 3, 0}), 801);
            QCOMPARE(make({64, 64, 0, f, 1, 0x4000}), kInvalidValue);
            QVERIFY_THROWS_EXCEPTION(MemoryError, Array(ArrayDescriptor3D{16384, 16384, 16384, f, 4, 0}));
        }
    }

    // covers: Array.free()
    void ends() {
        const MemoryInfo before = mem_get_info();
        Array array(ArrayDescriptor{1024, 1024, array_format::FLOAT, 4});
        if (on_software()) QCOMPARE(before.free - mem_get_info().free, std::size_t{1024 * 1024 * 16});
        const Bytes data(16, 1);
        array.free();
        QVERIFY(array.handle() == nullptr);
        array.free(); // the second time it does nothing
        if (on_software()) QCOMPARE(mem_get_info().free, before.free);
        QVERIFY(refused([&] { array.get_descriptor(); }));
        QVERIFY(refused([&] { array.get_descriptor_3d(); }));
        QVERIFY(refused([&] { memcpy_htoa(array, 0, data); }));
        Memcpy2D copy;
        QVERIFY(refused([&] { copy.set_src_array(array); }));
        // Freed after it was set.
        Array other(ArrayDescriptor{16, 4, array_format::FLOAT, 1});
        copy.set_dst_array(other);
        copy.set_src_host(data);
        copy.width_in_bytes = 16;
        copy.height = 1;
        copy(true);
        other.free();
        QVERIFY(refused([&] { copy(true); }));

        Array moved(ArrayDescriptor{16, 4, array_format::FLOAT, 1});
        const Array kept = std::move(moved);
        QVERIFY(refused([&] { moved.get_descriptor(); })); // NOLINT(bugprone-use-after-move)
        const Array borrowed = Array::from_native(kept.handle());
        QVERIFY(borrowed == kept);
        QCOMPARE(borrowed.get_descriptor().width, std::size_t{16});
    }

    void context_gone() {
        std::optional<Array> array;
        {
            Context other = Device(0).make_context();
            array.emplace(ArrayDescriptor{16, 0, array_format::FLOAT, 1});
            Context::pop();
            // Used through its own context, which is not current.
            memcpy_htoa(*array, 0, Bytes(64, 7));
            Bytes back(64);
            memcpy_atoh(back, *array, 0);
            QCOMPARE(back, Bytes(64, 7));
            other.detach();
        }
        QVERIFY(refused([&] { array->get_descriptor(); }));
        QVERIFY(refused([&] { memcpy_htoa(*array, 0, Bytes(64, 7)); }));
        array->free(); // it went with its context
        array.reset();
        QVERIFY(mem_get_info().free > 0);
    }

    void mipmapped() {
        MipmappedArray array({40, 20, 0, array_format::FLOAT, 2, array3d_flags::SURFACE_LDST}, 99);
        QCOMPARE(array.levels(), 6U);
        std::vector<Bytes> written;
        for (unsigned level = 0; level < array.levels(); ++level) {
            const Array part = array.get_level(level);
            const ArrayDescriptor3D d = part.get_descriptor_3d();
            QCOMPARE(d.width, std::max<std::size_t>(40U >> level, 1));
            QCOMPARE(d.height, std::max<std::size_t>(20U >> level, 1));
            QCOMPARE(d.num_channels, 2U);
            written.push_back(pattern(d.width * d.height * 8, level));
            Memcpy2D copy;
            copy.set_src_host(written.back());
            copy.set_dst_array(part);
            copy.src_pitch = copy.width_in_bytes = d.width * 8;
            copy.height = d.height;
            copy(true);
        }
        for (unsigned level = 0; level < array.levels(); ++level) {
            const Array part = array.get_level(level);
            const ArrayDescriptor3D d = part.get_descriptor_3d();
            QCOMPARE(read(part, d.width * 8, d.height), written[level]);
        }
        QVERIFY(array.get_level(2) == array.get_level(2));
        QVERIFY(refused([&] { array.get_level(6); }));
        const MipmappedArray volume({16, 8, 4, array_format::UNSIGNED_INT8, 1, 0}, 3);
        const ArrayDescriptor3D smallest = volume.get_level(2).get_descriptor_3d();
        QCOMPARE(smallest.depth, std::size_t{1});
        const MipmappedArray layers({16, 8, 4, array_format::UNSIGNED_INT8, 1, array3d_flags::LAYERED}, 3);
        QCOMPARE(layers.get_level(2).get_descriptor_3d().depth, std::size_t{4});
        QVERIFY(refused([] { const MipmappedArray none({0, 4, 0, array_format::FLOAT, 1, 0}, 1); }));
        array.free();
        array.free();
        QVERIFY(refused([&] { array.get_level(0); }));
    }

    // covers: memcpy_dtoa(ary, index, src, len), memcpy_atod(dest, ary, index, len), memcpy_htoa(ary, index, src)
    // covers: memcpy_atoh(dest, ary, index), memcpy_atoa(dest, dest_index, src, src_index, len)
    void bytes_of_arrays() {
        const Array a(ArrayDescriptor{64, 0, array_format::FLOAT, 1});
        const Array b(ArrayDescriptor{32, 0, array_format::UNSIGNED_INT8, 4});
        Bytes model_a = pattern(256, 1), model_b = pattern(128, 2);
        memcpy_htoa(a, 0, model_a);
        memcpy_htoa(b, 0, model_b);
        const Bytes part = pattern(40, 3);
        memcpy_htoa(a, 12, part);
        std::copy(part.begin(), part.end(), model_a.begin() + 12);
        const DeviceAllocation device = to_device(pattern(100, 4));
        const Bytes device_bytes = pattern(100, 4);
        memcpy_dtoa(b, 64, device + 20, 60);
        std::copy_n(device_bytes.begin() + 20, 60, model_b.begin() + 64);
        memcpy_atoa(a, 200, b, 68, 56);
        std::copy_n(model_b.begin() + 68, 56, model_a.begin() + 200);
        Bytes back(256);
        memcpy_atoh(back, a, 0);
        QCOMPARE(back, model_a);
        Bytes some(28);
        memcpy_atoh(some, b, 64);
        QCOMPARE(some, Bytes(model_b.begin() + 64, model_b.begin() + 92));
        memcpy_atod(device + 4, a, 16, 80);
        Bytes from_device(100);
        memcpy_dtoh(from_device, device);
        Bytes expected = device_bytes;
        std::copy_n(model_a.begin() + 16, 80, expected.begin() + 4);
        QCOMPARE(from_device, expected);
        // Nothing.
        memcpy_dtoa(a, 0, device, 0);

        QVERIFY(refused([&] { memcpy_htoa(a, 220, part); }));                  // past the end
        QVERIFY(refused([&] { memcpy_atoh(back, b, 0); }));                    // more than there is
        QVERIFY(refused([&] { memcpy_atod(device, a, 0, 260); }));             // past the end
        QVERIFY(refused([&] { memcpy_atoa(a, 0, b, 100, 32); }));              // of the source
        QVERIFY(refused([&] { memcpy_htoa(a, 0, ConstBuffer(nullptr, 4)); })); // no memory
        if (on_software()) {
            QVERIFY(refused([&] { memcpy_dtoa(a, 0, device + 90, 20); })); // past the allocation
            const Array wide(ArrayDescriptor{32, 0, array_format::FLOAT, 2});
            QCOMPARE(code_of([&] { memcpy_atoa(a, 0, wide, 0, 16); }), kInvalidValue);
        }
        memcpy_atoh(back, a, 0);
        QCOMPARE(back, model_a);

        // Of arrays with more than one row it is the first one, to any byte.
        for (const ArrayDescriptor3D& shape :
             {ArrayDescriptor3D{16, 4, 0, array_format::FLOAT, 1, 0},
              ArrayDescriptor3D{16, 4, 3, array_format::FLOAT, 1, 0},
              ArrayDescriptor3D{16, 4, 3, array_format::FLOAT, 1, array3d_flags::LAYERED}}) {
            const Array rows(shape);
            const Bytes whole = pattern(64, 9), changed = pattern(7, 10);
            memcpy_htoa(rows, 0, whole);
            memcpy_htoa(rows, 5, changed);
            Bytes expected_row = whole, row(64);
            std::copy(changed.begin(), changed.end(), expected_row.begin() + 5);
            memcpy_atoh(row, rows, 0);
            QCOMPARE(row, expected_row);
            QCOMPARE(code_of([&] { memcpy_htoa(rows, 16, whole); }), kInvalidValue);
            QCOMPARE(code_of([&] { memcpy_htoa(rows, 64, changed); }), kInvalidValue);
        }
    }

    // covers: dtype_to_array_format(dtype)
    void formats_of_types() {
        QCOMPARE(dtype_to_array_format(DType::uint8()), array_format::UNSIGNED_INT8);
        QCOMPARE(dtype_to_array_format(DType::uint16()), array_format::UNSIGNED_INT16);
        QCOMPARE(dtype_to_array_format(DType::uint32()), array_format::UNSIGNED_INT32);
        QCOMPARE(dtype_to_array_format(DType::int8()), array_format::SIGNED_INT8);
        QCOMPARE(dtype_to_array_format(DType::int16()), array_format::SIGNED_INT16);
        QCOMPARE(dtype_to_array_format(DType::int32()), array_format::SIGNED_INT32);
        QCOMPARE(dtype_to_array_format(DType::float16()), array_format::HALF);
        QCOMPARE(dtype_to_array_format(DType::float32()), array_format::FLOAT);
        for (const DType& other : {DType::boolean(), DType::float64(), DType::int64(), DType::complex64()})
            QVERIFY(refused([&] { dtype_to_array_format(other); }));
    }

    // covers: matrix_to_array(matrix, order, allow_double_hack=False)
    void matrices() {
        const NdArray matrix = numbered<float>({5, 7});
        for (const NdArray& m : {matrix, matrix.copy(Order::F), numbered<float>({10, 14}).slice(0, 1, 5, 2)}) {
            const std::size_t h = m.shape()[0], w = m.shape()[1];
            const Array c = matrix_to_array(m, Order::C);
            QCOMPARE(c.get_descriptor().width, w);
            QCOMPARE(c.get_descriptor().height, h);
            QCOMPARE(read(c, w * 4, h), elements_in(m, Order::C));
            const Array f = matrix_to_array(m, Order::F); // tex2D(x, y) is m[x, y]
            QCOMPARE(f.get_descriptor().width, h);
            QCOMPARE(f.get_descriptor().height, w);
            QCOMPARE(read(f, h * 4, w), elements_in(m, Order::F));
        }
        const NdArray doubles = numbered<double>({3, 4});
        QVERIFY(refused([&] { matrix_to_array(doubles, Order::C); }));
        const Array hacked = matrix_to_array(doubles, Order::C, true);
        QCOMPARE(hacked.get_descriptor().format, array_format::SIGNED_INT32);
        QCOMPARE(hacked.get_descriptor().num_channels, 2U);
        QCOMPARE(read(hacked, 32, 3), elements_in(doubles, Order::C));
        QVERIFY(refused([&] { matrix_to_array(numbered<float>({3}), Order::C); }));
        QVERIFY(refused([&] { matrix_to_array(numbered<float>({3, 3, 3}), Order::C); }));
        QVERIFY(refused([&] { matrix_to_array(NdArray::zeros({0, 3}, DType::float32()), Order::C); }));
    }

    // covers: np_to_array(nparray, order, allowSurfaceBind=False)
    void arrays_of_arrays() {
        const auto check = [](const NdArray& a, array_format format, unsigned channels) {
            for (const Order order : {Order::C, Order::F}) {
                for (const bool surface : {false, true}) {
                    const Array made = np_to_array(a, order, surface);
                    const ArrayDescriptor3D d = made.get_descriptor_3d();
                    Shape xyz = a.shape();
                    if (order == Order::C) std::reverse(xyz.begin(), xyz.end());
                    QCOMPARE(d.width, xyz[0]);
                    QCOMPARE(d.height, xyz[1]);
                    const std::size_t slices = xyz.size() == 3 ? xyz[2] : 1;
                    QCOMPARE(d.depth, xyz.size() == 3 ? xyz[2] : surface ? 1U : 0U);
                    QCOMPARE(d.format, format);
                    QCOMPARE(d.num_channels, channels);
                    QCOMPARE(d.flags, !surface          ? 0U
                                      : xyz.size() == 2 ? array3d_flags::SURFACE_LDST | array3d_flags::LAYERED
                                                        : array3d_flags::SURFACE_LDST);
                    QCOMPARE(read(made, xyz[0] * a.itemsize(), xyz[1], slices), elements_in(a, order));
                }
            }
        };
        check(numbered<float>({5, 7}), array_format::FLOAT, 1);
        check(numbered<std::uint8_t>({4, 3, 9}), array_format::UNSIGNED_INT8, 1);
        check(numbered<double>({3, 5, 2}), array_format::SIGNED_INT32, 2);
        check(numbered<std::complex<float>>({3, 5}), array_format::SIGNED_INT32, 2);
        check(numbered<std::complex<double>>({3, 5, 2}), array_format::SIGNED_INT32, 4);
        QVERIFY(refused([&] { np_to_array(numbered<float>({5}), Order::C); }));
        QVERIFY(refused([&] { np_to_array(numbered<std::int64_t>({5, 5}), Order::C); }));
    }

    // covers: gpuarray_to_array(gpuarray, order, allowSurfaceBind=False)
    void arrays_of_device_memory() {
        for (const Shape& shape : {Shape{5, 7}, Shape{3, 4, 6}}) {
            const NdArray a = numbered<float>(shape);
            for (const Order order : {Order::C, Order::F}) {
                const DeviceAllocation memory = to_device(a.copy(order));
                Shape xyz = shape;
                if (order == Order::C) std::reverse(xyz.begin(), xyz.end());
                const std::size_t slices = xyz.size() == 3 ? xyz[2] : 1;
                const Array made = gpuarray_to_array(memory, shape, DType::float32(), order);
                QCOMPARE(read(made, xyz[0] * 4, xyz[1], slices), elements_in(a, order));
                const Array surface = gpuarray_to_array(memory, shape, DType::float32(), order, true);
                QVERIFY((surface.get_descriptor_3d().flags & array3d_flags::SURFACE_LDST) != 0);
                QCOMPARE(read(surface, xyz[0] * 4, xyz[1], slices), elements_in(a, order));
                // It lies in the other order.
                if (shape.size() == 2)
                    QVERIFY(refused([&] {
                        gpuarray_to_array(memory, shape, DType::float32(), order == Order::C ? Order::F : Order::C,
                                          false, warplight::packed_strides(shape, 4, order));
                    }));
            }
        }
        // Every other row of a padded array.
        const NdArray big = numbered<float>({10, 16});
        const DeviceAllocation memory = to_device(big);
        const NdArray part = big.slice(0, 0, 5, 2).slice(1, 0, 7);
        const Array made = gpuarray_to_array(memory, part.shape(), DType::float32(), Order::C, false, part.strides());
        QCOMPARE(read(made, 28, 5), elements_in(part, Order::C));
    }

    // covers: make_multichannel_2d_array(ndarray, order)
    void channels() {
        const NdArray image = numbered<std::uint8_t>({6, 5, 4});
        const Array c = make_multichannel_2d_array(image, Order::C);
        QCOMPARE(c.get_descriptor().width, std::size_t{5});
        QCOMPARE(c.get_descriptor().height, std::size_t{6});
        QCOMPARE(c.get_descriptor().num_channels, 4U);
        QCOMPARE(read(c, 20, 6), elements_in(image, Order::C));
        const NdArray planes = numbered<float>({2, 5, 6}).copy(Order::F);
        const Array f = make_multichannel_2d_array(planes, Order::F);
        QCOMPARE(f.get_descriptor().width, std::size_t{5});
        QCOMPARE(f.get_descriptor().height, std::size_t{6});
        QCOMPARE(f.get_descriptor().num_channels, 2U);
        QCOMPARE(read(f, 40, 6), elements_in(planes, Order::F));
        QVERIFY(refused([&] { make_multichannel_2d_array(numbered<float>({6, 5, 3}), Order::C); }));
        QVERIFY(refused([&] { make_multichannel_2d_array(numbered<float>({6, 5}), Order::C); }));
    }

    // covers: array_cubemap_face.POSITIVE_X, array_cubemap_face.NEGATIVE_X, array_cubemap_face.POSITIVE_Y
    // covers: array_cubemap_face.NEGATIVE_Y, array_cubemap_face.POSITIVE_Z, array_cubemap_face.NEGATIVE_Z
    void cube_faces() {
        const Array cube(ArrayDescriptor3D{4, 4, 6, array_format::FLOAT, 1, array3d_flags::CUBEMAP});
        const array_cubemap_face faces[] = {array_cubemap_face::POSITIVE_X, array_cubemap_face::NEGATIVE_X,
                                            array_cubemap_face::POSITIVE_Y, array_cubemap_face::NEGATIVE_Y,
                                            array_cubemap_face::POSITIVE_Z, array_cubemap_face::NEGATIVE_Z};
        Bytes all;
        std::size_t z = 0;
        for (const array_cubemap_face face : faces) {
            QCOMPARE(static_cast<std::size_t>(face), z);
            const Bytes data = pattern(64, static_cast<unsigned>(z));
            Memcpy3D copy;
            copy.set_src_host(data);
            copy.src_pitch = copy.width_in_bytes = 16;
            copy.height = 4;
            copy.depth = 1;
            copy.dst_z = static_cast<std::size_t>(face);
            copy.set_dst_array(cube);
            copy();
            all.insert(all.end(), data.begin(), data.end());
            ++z;
        }
        QCOMPARE(read(cube, 16, 4, 6), all);
    }
};

QTEST_GUILESS_MAIN(ArrayTest)
#include "array_test.moc"
