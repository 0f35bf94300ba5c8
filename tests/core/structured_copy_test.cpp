// SPDX-License-Identifier: Apache-2.0
// Structured copies against a model in plain C++: generated shapes, offsets and pitches between every pair of kinds of
// memory. On the device that WARPLIGHT_TEST_DRIVER names.
#include "array_fixture.hpp"
#include "warplight/array.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"
#include "warplight/structured_copy.hpp"

#include <cstring>
#include <optional>
#include <random>

using namespace warplight::driver;
using namespace array_fixture;
using warplight::ConstBuffer;
using warplight::DType;
using warplight::MutableBuffer;
using warplight::NdArray;
using warplight::Order;

namespace {

enum class Place { host, pagelocked, device, array, unified_host, unified_device };
constexpr Place kPlaces[] = {Place::host,  Place::pagelocked,   Place::device,
                             Place::array, Place::unified_host, Place::unified_device};
const char* const kNames[] = {"host", "pagelocked", "device", "array", "unified_host", "unified_device"};

std::size_t up_to(std::mt19937& random, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(0, most)(random);
}

/// One end of a copy: memory with rows and slices, and what it should hold.
class End {
public:
    /// @param element bytes of an array's element; offsets and widths are multiples of it
    End(Place place, bool volume, std::size_t width, std::size_t height, std::size_t depth, std::size_t element,
        unsigned seed, std::mt19937& random)
        : place_(place), x(up_to(random, 5) * element), y(up_to(random, 3)), z(volume ? up_to(random, 2) : 0),
          pitch(x + width + up_to(random, 4) * (place == Place::array ? element : 1)),
          rows(y + height + up_to(random, 3)), slices(z + depth + (volume ? up_to(random, 2) : 0)),
          model(pattern(pitch * rows * slices, seed)) {
        switch (place) {
        case Place::host:
        case Place::unified_host: host_ = NdArray::from(model); break;
        case Place::pagelocked:
            host_ = pagelocked_empty({model.size()}, DType::uint8());
            std::memcpy(host_.mutable_data(), model.data(), model.size());
            break;
        case Place::device:
        case Place::unified_device: device_ = to_device(model); break;
        case Place::array: make_array(volume, element); break;
        }
    }

    template <class Copy>
    void use_as_source(Copy& copy) const {
        switch (place_) {
        case Place::host:
        case Place::pagelocked: copy.set_src_host(ConstBuffer(host_)); break;
        case Place::device: copy.set_src_device(device_); break;
        case Place::array: copy.set_src_array(*array_); break;
        case Place::unified_host: copy.set_src_unified(ConstBuffer(host_)); break;
        case Place::unified_device: copy.set_src_unified(DevicePointer(device_)); break;
        }
        copy.src_x_in_bytes = x;
        copy.src_y = y;
        if (place_ != Place::array) copy.src_pitch = pitch;
    }
    template <class Copy>
    void use_as_destination(Copy& copy) const {
        switch (place_) {
        case Place::host:
        case Place::pagelocked: copy.set_dst_host(MutableBuffer(host_)); break;
        case Place::device: copy.set_dst_device(device_); break;
        case Place::array: copy.set_dst_array(*array_); break;
        case Place::unified_host: copy.set_dst_unified(MutableBuffer(host_)); break;
        case Place::unified_device: copy.set_dst_unified(DevicePointer(device_)); break;
        }
        copy.dst_x_in_bytes = x;
        copy.dst_y = y;
        if (place_ != Place::array) copy.dst_pitch = pitch;
    }

    std::size_t offset(std::size_t row, std::size_t slice) const { return ((z + slice) * rows + y + row) * pitch + x; }

    /// What the memory holds.
    Bytes contents() const {
        Bytes bytes(model.size());
        switch (place_) {
        case Place::host:
        case Place::pagelocked:
        case Place::unified_host: std::memcpy(bytes.data(), host_.data(), bytes.size()); break;
        case Place::device:
        case Place::unified_device: memcpy_dtoh(bytes, device_); break;
        case Place::array: {
            Memcpy3D copy;
            copy.set_src_array(*array_);
            copy.set_dst_host(bytes);
            whole(copy);
            copy.dst_pitch = pitch;
            copy.dst_height = rows;
            copy();
            break;
        }
        }
        return bytes;
    }

private:
    void whole(Memcpy3D& copy) const {
        copy.width_in_bytes = pitch;
        copy.height = rows;
        copy.depth = slices;
    }
    void make_array(bool volume, std::size_t element) {
        const unsigned channels = element % 4 == 0 ? static_cast<unsigned>(element / 4) : 1;
        const array_format format = element % 4 == 0 ? array_format::FLOAT
                                    : element == 2   ? array_format::UNSIGNED_INT16
                                                     : array_format::UNSIGNED_INT8;
        array_.emplace(ArrayDescriptor3D{pitch / element, rows, volume ? slices : 0, format, channels, 0});
        Memcpy3D copy;
        copy.set_src_host(model);
        copy.set_dst_array(*array_);
        whole(copy);
        copy.src_pitch = pitch;
        copy.src_height = rows;
        copy();
    }

    Place place_;
    NdArray host_;
    DeviceAllocation device_;
    std::optional<Array> array_;

public:
    std::size_t x, y, z, pitch, rows, slices;
    Bytes model;
};

struct Shape {
    std::size_t width, height, depth, element;
};

Shape any_shape(std::mt19937& random, bool volume) {
    constexpr std::size_t elements[] = {1, 2, 4, 8, 16};
    Shape s{};
    s.element = elements[up_to(random, 4)];
    s.width = (1 + up_to(random, 20)) * s.element;
    s.height = 1 + up_to(random, 6);
    s.depth = volume ? 1 + up_to(random, 4) : 1;
    return s;
}

/// The copy on the model.
void copy_model(const End& from, End& to, const Shape& s) {
    for (std::size_t z = 0; z < s.depth; ++z)
        for (std::size_t y = 0; y < s.height; ++y)
            std::memcpy(to.model.data() + to.offset(y, z), from.model.data() + from.offset(y, z), s.width);
}

} // namespace

class StructuredCopyTest : public QObject {
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

    // covers: Memcpy2D(), Memcpy2D.src_x_in_bytes, Memcpy2D.src_y, Memcpy2D.src_memory_type, Memcpy2D.src_device
    // covers: Memcpy2D.src_pitch, Memcpy2D.dst_x_in_bytes, Memcpy2D.dst_y, Memcpy2D.dst_memory_type
    // covers: Memcpy2D.dst_device, Memcpy2D.dst_pitch, Memcpy2D.width_in_bytes, Memcpy2D.height
    // covers: memory_type.HOST, memory_type.DEVICE, memory_type.ARRAY, memory_type.UNIFIED
    void fields() {
        Memcpy2D copy;
        QCOMPARE(copy.src_x_in_bytes + copy.src_y + copy.src_pitch + copy.dst_x_in_bytes + copy.dst_y + copy.dst_pitch +
                     copy.width_in_bytes + copy.height,
                 std::size_t{0});
        QCOMPARE(static_cast<int>(copy.src_memory_type), 0);
        QCOMPARE(static_cast<int>(memory_type::HOST), 1);
        QCOMPARE(static_cast<int>(memory_type::DEVICE), 2);
        QCOMPARE(static_cast<int>(memory_type::ARRAY), 3);
        QCOMPARE(static_cast<int>(memory_type::UNIFIED), 4);
        Bytes bytes(64);
        copy.set_src_host(bytes);
        QCOMPARE(copy.src_memory_type, memory_type::HOST);
        const DeviceAllocation memory = mem_alloc(64);
        copy.set_dst_device(memory);
        QCOMPARE(copy.dst_memory_type, memory_type::DEVICE);
        QCOMPARE(copy.dst_device, memory.get());
        copy.set_src_unified(DevicePointer(memory));
        QCOMPARE(copy.src_memory_type, memory_type::UNIFIED);
        QCOMPARE(copy.src_device, memory.get());
        copy.set_dst_unified(bytes);
        QCOMPARE(copy.dst_device, static_cast<device_ptr>(reinterpret_cast<std::uintptr_t>(bytes.data())));
        const Array array(ArrayDescriptor{16, 4, array_format::FLOAT, 1});
        copy.set_src_array(array);
        QCOMPARE(copy.src_memory_type, memory_type::ARRAY);

        // The fields alone are enough for device memory.
        const Bytes data = pattern(64, 5);
        const DeviceAllocation from = to_device(data);
        Memcpy2D plain;
        plain.src_memory_type = plain.dst_memory_type = memory_type::DEVICE;
        plain.src_device = from.get();
        plain.dst_device = memory.get();
        plain.src_pitch = plain.dst_pitch = plain.width_in_bytes = 16;
        plain.height = 4;
        plain();
        Bytes back(64);
        memcpy_dtoh(back, memory);
        QCOMPARE(back, data);
    }

    // covers: Memcpy2D.set_src_host(buffer), Memcpy2D.set_src_array(array), Memcpy2D.set_src_device(devptr)
    // covers: Memcpy2D.set_src_unified(buffer), Memcpy2D.set_dst_host(buffer), Memcpy2D.set_dst_array(array)
    // covers: Memcpy2D.set_dst_device(devptr), Memcpy2D.set_dst_unified(buffer)
    // covers: Memcpy2D.__call__(aligned), Memcpy2D.__call__(stream)
    void generated_2d_data() {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        for (int from = 0; from < 6; ++from)
            for (int to = 0; to < 6; ++to)
                QTest::addRow("%s to %s", kNames[from], kNames[to]) << from << to;
    }
    void generated_2d() {
        QFETCH(int, from);
        QFETCH(int, to);
        std::mt19937 random(static_cast<unsigned>(100 + from * 6 + to));
        const Stream stream;
        for (int round = 0; round < 8; ++round) {
            const Shape s = any_shape(random, false);
            const End source(kPlaces[from], false, s.width, s.height, 1, s.element, random(), random);
            End destination(kPlaces[to], false, s.width, s.height, 1, s.element, random(), random);
            Memcpy2D copy;
            source.use_as_source(copy);
            destination.use_as_destination(copy);
            copy.width_in_bytes = s.width;
            copy.height = s.height;
            switch (round % 4) {
            case 0: copy(true); break;
            case 1: copy(false); break;
            case 2: copy(stream); break;
            default: copy(static_cast<const Stream*>(nullptr)); break;
            }
            context_->synchronize();
            copy_model(source, destination, s);
            QVERIFY2(destination.contents() == destination.model, qPrintable(QString("round %1").arg(round)));
            QVERIFY(source.contents() == source.model);
        }
    }

    // covers: Memcpy3D(), Memcpy3D.src_z, Memcpy3D.src_lod, Memcpy3D.src_height, Memcpy3D.dst_z, Memcpy3D.dst_lod
    // covers: Memcpy3D.dst_height, Memcpy3D.depth, Memcpy3D.__call__(), Memcpy3D.__call__(stream)
    // covers: Memcpy3DPeer(), Memcpy3DPeer.set_src_context(ctx), Memcpy3DPeer.set_dst_context(ctx)
    // covers: Memcpy3DPeer.__call__(), Memcpy3DPeer.__call__(stream)
    void generated_3d_data() { generated_2d_data(); }
    void generated_3d() {
        QFETCH(int, from);
        QFETCH(int, to);
        std::mt19937 random(static_cast<unsigned>(500 + from * 6 + to));
        const Stream stream;
        for (int round = 0; round < 10; ++round) {
            const Shape s = any_shape(random, true);
            const End source(kPlaces[from], true, s.width, s.height, s.depth, s.element, random(), random);
            End destination(kPlaces[to], true, s.width, s.height, s.depth, s.element, random(), random);
            const auto describe = [&](auto& copy) {
                source.use_as_source(copy);
                destination.use_as_destination(copy);
                copy.src_z = source.z;
                copy.dst_z = destination.z;
                if (kPlaces[from] != Place::array) copy.src_height = source.rows;
                if (kPlaces[to] != Place::array) copy.dst_height = destination.rows;
                copy.width_in_bytes = s.width;
                copy.height = s.height;
                copy.depth = s.depth;
            };
            if (round % 5 < 3) {
                Memcpy3D copy;
                describe(copy);
                if (round % 5 == 0)
                    copy();
                else if (round % 5 == 1)
                    copy(stream);
                else
                    copy(static_cast<const Stream*>(nullptr));
            } else {
                Memcpy3DPeer copy;
                describe(copy);
                copy.set_src_context(*context_);
                copy.set_dst_context(*context_);
                if (round % 5 == 3)
                    copy();
                else
                    copy(stream);
            }
            context_->synchronize();
            copy_model(source, destination, s);
            QVERIFY2(destination.contents() == destination.model, qPrintable(QString("round %1").arg(round)));
            QVERIFY(source.contents() == source.model);
        }
    }

    void between_contexts() {
        const Bytes data = pattern(96, 9);
        const DeviceAllocation here = to_device(data);
        Context other = Device(Device::count() - 1).make_context();
        {
            const Array there(ArrayDescriptor3D{12, 2, 2, array_format::UNSIGNED_INT16, 1, 0});
            Memcpy3DPeer copy;
            copy.set_src_device(here);
            copy.set_src_context(*context_);
            copy.set_dst_array(there);
            copy.set_dst_context(other);
            copy.src_pitch = copy.width_in_bytes = 24;
            copy.src_height = copy.height = 2;
            copy.depth = 2;
            copy();
            Bytes back(96);
            Memcpy3D read;
            read.set_src_array(there);
            read.set_dst_host(back);
            read.width_in_bytes = 24;
            read.height = read.depth = 2;
            read();
            QCOMPARE(back, data);
        }
        Context::pop();
        other.detach();
        Memcpy3DPeer copy;
        QVERIFY(refused([&] { copy.set_src_context(other); }));
    }

    void layers() {
        const Array rows(ArrayDescriptor3D{8, 0, 5, array_format::FLOAT, 1, array3d_flags::LAYERED});
        const Bytes data = pattern(160, 11);
        Memcpy3D copy;
        copy.set_src_host(data);
        copy.set_dst_array(rows);
        copy.src_pitch = copy.width_in_bytes = 32;
        copy.src_height = copy.height = 1;
        copy.depth = 5;
        copy();
        Bytes back(64);
        Memcpy3D read;
        read.set_src_array(rows);
        read.set_dst_host(back);
        read.src_z = 2;
        read.dst_pitch = read.width_in_bytes = 32;
        read.dst_height = read.height = 1;
        read.depth = 2;
        read();
        QCOMPARE(back, Bytes(data.begin() + 64, data.begin() + 128));
        read.src_z = 4;
        QVERIFY(refused([&] { read(); }));
    }

    void large() {
        // Enough for every worker to have a part.
        const std::size_t width = 5000, height = 3000, pitch = 5120;
        const Bytes data = pattern(width * height, 21);
        const DeviceAllocation memory = mem_alloc(pitch * height);
        memset_d8(memory, 0xEE, pitch * height);
        Memcpy2D copy;
        copy.set_src_host(data);
        copy.set_dst_device(memory);
        copy.src_pitch = copy.width_in_bytes = width;
        copy.dst_pitch = pitch;
        copy.height = height;
        copy();
        Bytes all(pitch * height);
        memcpy_dtoh(all, memory);
        for (std::size_t y = 0; y < height; ++y) {
            QVERIFY(std::memcmp(all.data() + y * pitch, data.data() + y * width, width) == 0);
            QCOMPARE(int{all[y * pitch + width]}, 0xEE);
        }
    }

    void strides_of_arrays() {
        const NdArray whole = NdArray::from(pattern(10 * 24, 31), {10, 24});
        const NdArray part = whole.slice(0, 0, 5, 2).slice(1, 3, 16); // rows of 16 bytes, 48 apart
        const DeviceAllocation memory = mem_alloc(80);
        Memcpy2D copy;
        copy.set_src_host(part);
        QCOMPARE(copy.src_pitch, std::size_t{48});
        copy.set_dst_device(memory);
        copy.dst_pitch = copy.width_in_bytes = 16;
        copy.height = 5;
        copy();
        const NdArray back = from_device(memory, {5, 16}, DType::uint8());
        for (std::size_t i = 0; i < back.size(); ++i)
            QCOMPARE(back.item(i), part.item(i));

        // And into every other row.
        const NdArray target = NdArray::zeros({10, 24}, DType::uint8());
        Memcpy2D into;
        into.set_src_device(memory);
        into.src_pitch = into.width_in_bytes = 16;
        into.set_dst_host(target.slice(0, 1, 5, 2).slice(1, 8, 16));
        into.height = 5;
        into();
        for (std::size_t y = 0; y < 10; ++y)
            for (std::size_t x = 0; x < 24; ++x)
                QCOMPARE(target.item(y * 24 + x), y % 2 == 1 && x >= 8 ? part.item(y / 2 * 16 + x - 8) : 0.0);

        Memcpy3D slices;
        const NdArray volume = NdArray::zeros({4, 6, 8}, DType::float32());
        slices.set_src_host(volume.slice(1, 0, 3));
        QCOMPARE(slices.src_pitch, std::size_t{32});
        QCOMPARE(slices.src_height, std::size_t{6});
        Memcpy3D chosen;
        chosen.src_pitch = 64;
        chosen.src_height = 9;
        chosen.set_src_host(volume); // what is set already stays
        QCOMPARE(chosen.src_pitch, std::size_t{64});
        QCOMPARE(chosen.src_height, std::size_t{9});
        Memcpy2D wrong;
        QVERIFY(refused([&] { wrong.set_src_host(whole.slice(1, 0, 12, 2)); })); // rows that are not packed
        QVERIFY(refused([&] { wrong.set_dst_host(whole.as_readonly()); }));
    }

    void misuse() {
        Bytes host(4096);
        const DeviceAllocation memory = mem_alloc(4096);
        const Array array(ArrayDescriptor{16, 8, array_format::FLOAT, 1});
        const auto base = [&] {
            Memcpy2D copy;
            copy.set_src_host(host);
            copy.set_dst_array(array);
            copy.src_pitch = copy.width_in_bytes = 64;
            copy.height = 8;
            return copy;
        };
        base()();
        const auto code = [&](auto change) {
            Memcpy2D copy = base();
            change(copy);
            return code_of([&] { copy(true); });
        };
        QCOMPARE(code([](Memcpy2D& c) { c.width_in_bytes = 68, c.src_pitch = 68; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.dst_x_in_bytes = 4; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.dst_y = 1; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.height = 9; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.src_pitch = 60; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.src_memory_type = memory_type(9); }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.dst_y = SIZE_MAX; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.dst_x_in_bytes = SIZE_MAX - 3; }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.set_src_device(DevicePointer(0)); }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.set_src_host(ConstBuffer()); }), kInvalidValue);
        QCOMPARE(code([](Memcpy2D& c) { c.src_memory_type = memory_type::ARRAY; }), 0); // none was set
        // Nothing to copy is no error.
        QCOMPARE(code([](Memcpy2D& c) { c.height = 0; }), -1);
        QCOMPARE(code([](Memcpy2D& c) { c.width_in_bytes = 0; }), -1);
        if (on_software()) {
            QCOMPARE(code([](Memcpy2D& c) { c.dst_x_in_bytes = 2, c.width_in_bytes = 32; }), kInvalidValue);
            QCOMPARE(code([](Memcpy2D& c) { c.width_in_bytes = 62; }), kInvalidValue);
            QCOMPARE(code([&](Memcpy2D& c) { c.set_src_device(memory + 3600); }), kInvalidValue); // past its end
            QCOMPARE(code([](Memcpy2D& c) { c.src_y = SIZE_MAX / 64; }), kInvalidValue);
            QCOMPARE(code([](Memcpy2D& c) { c.src_pitch = std::size_t{1} << 31; }), kInvalidValue);
            // A device address that is none, and one that was given back.
            QCOMPARE(code([&](Memcpy2D& c) { c.set_src_device(reinterpret_cast<device_ptr>(host.data())); }),
                     kInvalidValue);
            DeviceAllocation gone = mem_alloc(4096);
            const device_ptr address = gone.get();
            gone.free();
            QCOMPARE(code([&](Memcpy2D& c) { c.set_src_device(address); }), kInvalidValue);
            const Array wide(ArrayDescriptor{16, 8, array_format::FLOAT, 2});
            QCOMPARE(code([&](Memcpy2D& c) { c.set_src_array(wide); }), kInvalidValue); // of other elements
        }
        Memcpy3D copy;
        copy.set_src_host(host);
        copy.set_dst_array(array);
        copy.src_pitch = copy.width_in_bytes = 64;
        copy.src_height = copy.height = 8;
        copy.depth = 1;
        copy();
        copy.depth = 2; // the array has none
        QCOMPARE(code_of([&] { copy(); }), kInvalidValue);
        copy.depth = 1;
        copy.dst_z = 1;
        QCOMPARE(code_of([&] { copy(); }), kInvalidValue);
        copy.dst_z = 0;
        copy.dst_lod = 1;
        QCOMPARE(code_of([&] { copy(); }), kInvalidValue);
        copy.dst_lod = 0;
        copy.set_dst_device(memory);
        copy.depth = 2;
        copy.src_height = 7; // less than is copied of a slice
        QCOMPARE(code_of([&] { copy(); }), kInvalidValue);

        Context other = Device(0).make_context();
        const Stream stream;
        Context::pop();
        Memcpy2D late = base();
        other.detach();
        QVERIFY(refused([&] { late(stream); }));
        QCOMPARE(code([](Memcpy2D&) {}), -1);
    }

    void order_with_a_stream() {
        // Copies that follow one another in a stream see what those before them did.
        const Stream stream;
        const NdArray host = pagelocked_zeros({64, 64}, DType::uint32());
        for (std::size_t i = 0; i < host.size(); ++i)
            host.set_item(i, static_cast<double>(i));
        const Array a(ArrayDescriptor{64, 64, array_format::UNSIGNED_INT32, 1});
        const Array b(ArrayDescriptor{64, 64, array_format::FLOAT, 1});
        const NdArray back = pagelocked_zeros({64, 64}, DType::uint32());
        Memcpy2D first, second, third;
        first.set_src_host(host);
        first.set_dst_array(a);
        second.set_src_array(a);
        second.set_dst_array(b);
        second.src_y = 1;
        third.set_src_array(b);
        third.set_dst_host(back);
        first.width_in_bytes = second.width_in_bytes = third.width_in_bytes = 256;
        first.height = third.height = 64;
        second.height = 63;
        for (int i = 0; i < 20; ++i) {
            first(stream);
            second(stream);
        }
        third(stream);
        stream.synchronize();
        for (std::size_t i = 0; i < std::size_t{63} * 64; ++i)
            QCOMPARE(back.item(i), static_cast<double>(i + 64));
    }
};

QTEST_GUILESS_MAIN(StructuredCopyTest)
#include "structured_copy_test.moc"
