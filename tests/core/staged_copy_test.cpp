// SPDX-License-Identifier: Apache-2.0
// Large copies through page-locked buffers, on the device that WARPLIGHT_TEST_DRIVER names.
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/file_io.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/npy.hpp"
#include "warplight/staged_copy.hpp"
#include "warplight/stream.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;
using warplight::Order;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

/// Bytes that tell their place.
NdArray pattern(std::size_t bytes) {
    NdArray array = NdArray::empty({bytes}, DType::uint8());
    std::uint64_t state = bytes;
    for (std::uint8_t& value : array.as_mutable<std::uint8_t>()) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<std::uint8_t>(state >> 56U);
    }
    return array;
}

bool on_device(DevicePointer memory, std::span<const std::byte> expected) {
    std::vector<std::byte> back(expected.size());
    if (!back.empty()) memcpy_dtoh(back, memory);
    return std::ranges::equal(back, expected);
}

} // namespace

class StagedCopyTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    QTemporaryDir folder_;

    std::filesystem::path path(const char* name) const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }

private slots:
    void initTestCase() { context_.emplace(Device(0, test_driver()).make_context()); }
    void cleanupTestCase() { context_->detach(); }

    /// Sizes around those of the buffers, any number of threads.
    void memory_of_any_size() {
        for (const unsigned threads : {0U, 1U, 3U, 8U}) {
            StagedCopier copier(10000, threads); // 12288 a buffer
            for (const std::size_t size : {0, 1, 4095, 12287, 12288, 12289, 24576, 24577, 1000000}) {
                const NdArray source = pattern(size);
                const DeviceAllocation memory = mem_alloc(size + 2);
                memset_d8(memory, 0xAA, size + 2);
                copier.copy(memory + 1, source);
                QVERIFY(on_device(memory + 1, source.bytes()));
                const std::byte guard[] = {std::byte{0xAA}};
                QVERIFY(on_device(memory, guard) && on_device(memory + (size + 1), guard));
            }
        }
    }

    /// More than a slice for each thread, several times over.
    void many_slices() {
        const NdArray source = pattern((std::size_t{13} << 20) + 777);
        const DeviceAllocation memory = mem_alloc(source.nbytes());
        for (const std::size_t chunk : {std::size_t{1} << 20, std::size_t{4} << 20, std::size_t{64} << 20}) {
            memset_d8(memory, 0, source.nbytes());
            StagedCopier copier(chunk, 4);
            copier.copy(memory, source);
            QVERIFY(on_device(memory, source.bytes()));
        }
        memset_d8(memory, 0, source.nbytes());
        memcpy_htod_staged(memory, source);
        QVERIFY(on_device(memory, source.bytes()));
        const NdArray locked = pagelocked_empty({source.nbytes()}, DType::uint8());
        std::memcpy(locked.mutable_data(), source.data(), source.nbytes());
        memset_d8(memory, 0, source.nbytes());
        memcpy_htod_staged(memory, locked);
        QVERIFY(on_device(memory, source.bytes()));
    }

    void part_of_a_file() {
        const NdArray source = pattern(100000);
        const auto file = path("raw.bin");
        warplight::write_file_atomically(file, {source.bytes()});
        const DeviceAllocation memory = mem_alloc(100000);
        StagedCopier copier(4096, 2);
        copier.copy(memory, file, 0, 100000);
        QVERIFY(on_device(memory, source.bytes()));
        copier.copy(memory, file, 12345, 50000);
        QVERIFY(on_device(memory, source.bytes().subspan(12345, 50000)));
        copier.copy(memory, file, 100000, 0);
        QVERIFY_THROWS_EXCEPTION(FileError, copier.copy(memory, file, 1, 100000));
        QVERIFY_THROWS_EXCEPTION(FileError, copier.copy(memory, file, 100001, 0));
        QVERIFY_THROWS_EXCEPTION(FileError, copier.copy(memory, path("none.bin"), 0, 1));
        QVERIFY_THROWS_EXCEPTION(FileError, copier.copy(memory, path("."), 0, 1));
        // It goes on working after a failure.
        copier.copy(memory, file, 0, 100000);
        QVERIFY(on_device(memory, source.bytes()));
    }

    void npy_files() {
        NdArray numbers = NdArray::empty({100, 300}, DType::float64(), Order::F);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers.set_item(i, static_cast<double>(i) / 7);
        warplight::save_npy(path("numbers.npy"), numbers);
        const NpyOnDevice device = npy_to_device(path("numbers.npy"));
        QVERIFY(device.header.dtype == DType::float64() && device.header.fortran_order);
        QVERIFY(device.header.shape == numbers.shape());
        QCOMPARE(device.memory.size(), numbers.nbytes());
        QVERIFY(on_device(device.memory, numbers.bytes()));
        warplight::save_npy(path("empty.npy"), NdArray::empty({0, 3}, DType::int32()));
        QVERIFY(!npy_to_device(path("empty.npy")).memory);
        QVERIFY_THROWS_EXCEPTION(FileError, (void)npy_to_device(path("none.npy")));
        // A file that is shorter than it says.
        const auto bytes = warplight::read_file(path("numbers.npy"));
        warplight::write_file_atomically(path("short.npy"), {std::span(bytes).first(bytes.size() - 1)});
        QVERIFY_THROWS_EXCEPTION(FileError, (void)npy_to_device(path("short.npy")));
    }

    /// Bytes in the other order are swapped on their way.
    void big_endian() {
        const NdArray numbers = NdArray::from({1.5, -2.25, 1e300, 0.0});
        const NdArray pairs = NdArray::from({std::complex<float>(1, 2), std::complex<float>(-3, 0.5F)});
        const auto swapped = [&](const NdArray& array, std::size_t word, const char* from, const char* to) {
            std::string header = warplight::make_npy_header(array);
            header.replace(header.find(from), std::strlen(from), to);
            std::vector<std::byte> data(array.bytes().begin(), array.bytes().end());
            for (std::size_t i = 0; i < data.size(); i += word)
                std::reverse(&data[i], &data[i] + word);
            warplight::write_file_atomically(path("swapped.npy"), {std::as_bytes(std::span(header)), data});
        };
        swapped(numbers, 8, "<f8", ">f8");
        QVERIFY(on_device(npy_to_device(path("swapped.npy")).memory, numbers.bytes()));
        swapped(pairs, 4, "<c8", ">c8");
        QVERIFY(on_device(npy_to_device(path("swapped.npy")).memory, pairs.bytes()));
    }

    /// Behind the work of the stream, which may be any.
    void in_order() {
        const NdArray source = pattern(1000000);
        const DeviceAllocation memory = mem_alloc(1000000), copy = mem_alloc(1000000);
        const Stream stream;
        StagedCopier copier(65536, 2);
        for (int i = 0; i < 5; ++i) {
            memset_d8_async(memory, static_cast<std::uint8_t>(i), 1000000, &stream);
            copier.copy(memory, source, &stream);
            memcpy_dtod_async(copy, memory, 1000000, &stream);
            memset_d8(memory, 0, 1000000); // the default stream's order holds too
            copier.copy(memory, source);
            QVERIFY(on_device(memory, source.bytes()) && on_device(copy, source.bytes()));
        }
    }

    void misuse() {
        const NdArray source = pattern(10000);
        DeviceAllocation memory = mem_alloc(9999);
        StagedCopier copier(4096);
        memset_d8(memory, 1, 9999);
        QVERIFY_THROWS_EXCEPTION(LogicError, copier.copy(memory, source));
        const std::byte untouched[] = {std::byte{1}};
        QVERIFY(on_device(memory, untouched));
        QVERIFY_THROWS_EXCEPTION(LogicError, copier.copy(memory + 10000, source));
        QVERIFY_THROWS_EXCEPTION(LogicError, copier.copy(0, source));
        const DevicePointer stale = memory;
        memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, copier.copy(stale, source));
        Context other = Device(0, test_driver()).make_context();
        StagedCopier gone(4096);
        const DeviceAllocation there = mem_alloc(10000);
        gone.copy(there, source);
        const device_ptr address = there.get();
        other.detach();
        QVERIFY_THROWS_EXCEPTION(LogicError, gone.copy(address, source));
    }
};

QTEST_GUILESS_MAIN(StagedCopyTest)
#include "staged_copy_test.moc"
