// SPDX-License-Identifier: Apache-2.0
// Managed memory and what is known about addresses, on the device that WARPLIGHT_TEST_DRIVER names.
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/managed_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;
using attribute = mem_range_attribute;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

device_ptr address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

constexpr std::size_t kBytes = std::size_t{4} << 20;
constexpr std::size_t kPart = std::size_t{2} << 20; ///< a whole number of any device's pages
constexpr int kHost = -1, kNone = -2;

} // namespace

class ManagedMemoryTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    NdArray array_;
    DevicePointer memory_ = 0;

    int get(attribute which) const { return mem_range_get_attribute(memory_, kBytes, which); }

private slots:
    void initTestCase() {
        context_.emplace(Device(0, test_driver()).make_context());
        if (!context_->get_device().get_attribute(device_attribute::CONCURRENT_MANAGED_ACCESS))
            QSKIP("the device takes no advice");
    }
    void cleanupTestCase() {
        array_ = {};
        context_->detach();
    }
    void init() {
        array_ = managed_empty({kBytes}, DType::uint8());
        memory_ = host_memory<ManagedAllocation>(array_);
    }

    void nothing_was_said() {
        QCOMPARE(get(attribute::READ_MOSTLY), 0);
        QCOMPARE(get(attribute::PREFERRED_LOCATION), kNone);
        QCOMPARE(get(attribute::LAST_PREFETCH_LOCATION), kNone);
        QVERIFY(mem_range_get_accessed_by(memory_, kBytes).empty());
    }

    void read_mostly() {
        mem_range_advise(memory_, kBytes, mem_advise::SET_READ_MOSTLY);
        QCOMPARE(get(attribute::READ_MOSTLY), 1);
        mem_range_advise(memory_, kPart, mem_advise::UNSET_READ_MOSTLY);
        QCOMPARE(get(attribute::READ_MOSTLY), 0);
        QCOMPARE(mem_range_get_attribute(memory_, kPart, attribute::READ_MOSTLY), 0);
        QCOMPARE(mem_range_get_attribute(memory_ + kPart, kBytes - kPart, attribute::READ_MOSTLY), 1);
        // A few bytes stand for the pages that they are in.
        mem_range_advise(memory_ + 100, 10, mem_advise::SET_READ_MOSTLY);
        QCOMPARE(mem_range_get_attribute(memory_, 1, attribute::READ_MOSTLY), 1);
        QCOMPARE(mem_range_get_attribute(memory_ + kPart / 2, 1, attribute::READ_MOSTLY), 0);
    }

    void preferred_location() {
        const MemLocation device = MemLocation::device(Device(0, test_driver()));
        mem_range_advise(memory_, kBytes, mem_advise::SET_PREFERRED_LOCATION, device);
        QCOMPARE(get(attribute::PREFERRED_LOCATION), 0);
        mem_range_advise(memory_, kBytes, mem_advise::SET_PREFERRED_LOCATION, MemLocation::host());
        QCOMPARE(get(attribute::PREFERRED_LOCATION), kHost);
        mem_range_advise(memory_, kPart, mem_advise::SET_PREFERRED_LOCATION, device);
        QCOMPARE(get(attribute::PREFERRED_LOCATION), kNone);
        QCOMPARE(mem_range_get_attribute(memory_, kPart, attribute::PREFERRED_LOCATION), 0);
        mem_range_advise(memory_, kBytes, mem_advise::UNSET_PREFERRED_LOCATION, device);
        QCOMPARE(mem_range_get_attribute(memory_, kPart, attribute::PREFERRED_LOCATION), kNone);
    }

    /// The attributes of CUDA 12.2.
    void kinds_of_locations() {
        if (context_->get_driver().version() < 12020) QSKIP("takes CUDA 12.2");
        QVERIFY(mem_range_get_preferred_location(memory_, kBytes) == MemLocation{});
        QVERIFY(mem_range_get_last_prefetch_location(memory_, kBytes) == MemLocation{});
        QCOMPARE(get(attribute::PREFERRED_LOCATION_ID), kNone);
        mem_range_advise(memory_, kBytes, mem_advise::SET_PREFERRED_LOCATION, MemLocation::device(0));
        QVERIFY(mem_range_get_preferred_location(memory_, kBytes) == MemLocation::device(0));
        mem_range_advise(memory_, kBytes, mem_advise::SET_PREFERRED_LOCATION, MemLocation::host());
        QVERIFY(mem_range_get_preferred_location(memory_, kBytes) == MemLocation::host());
        QCOMPARE(get(attribute::PREFERRED_LOCATION_ID), kHost);
        mem_prefetch_async(memory_, kBytes, MemLocation::host_numa(0));
        context_->synchronize();
        QVERIFY(mem_range_get_last_prefetch_location(memory_, kBytes) == MemLocation::host_numa(0));
        QCOMPARE(get(attribute::LAST_PREFETCH_LOCATION), kHost);
        const attribute both[] = {attribute::READ_MOSTLY, attribute::LAST_PREFETCH_LOCATION_TYPE};
        QCOMPARE(mem_range_get_attributes(memory_, kBytes, both), (std::vector{0, 3}));
        QVERIFY(mem_range_get_attributes(memory_, kBytes, {}).empty());
        QCOMPARE(to_string(MemLocation::host_numa(1)), std::string("NUMA node 1 of the host"));
        QCOMPARE(to_string(MemLocation::device(2)), std::string("device 2"));
        QCOMPARE(to_string(MemLocation{}), std::string("no location"));
    }

    void accessed_by() {
        mem_range_advise(memory_, kBytes, mem_advise::SET_ACCESSED_BY);
        QCOMPARE(mem_range_get_accessed_by(memory_, kBytes), std::vector{0});
        mem_range_advise(memory_, kBytes, mem_advise::SET_ACCESSED_BY, MemLocation::host());
        QCOMPARE(mem_range_get_accessed_by(memory_, kBytes), (std::vector{0, kHost}));
        // Those that all of it is accessed by.
        mem_range_advise(memory_, kPart, mem_advise::UNSET_ACCESSED_BY);
        QCOMPARE(mem_range_get_accessed_by(memory_, kBytes), std::vector{kHost});
        QCOMPARE(mem_range_get_accessed_by(memory_ + kPart, kBytes - kPart), (std::vector{0, kHost}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)get(attribute::ACCESSED_BY));
    }

    void prefetch() {
        const Stream stream;
        mem_prefetch_async(memory_, kBytes, MemLocation::device(0), &stream);
        stream.synchronize();
        QCOMPARE(get(attribute::LAST_PREFETCH_LOCATION), 0);
        memset_d8(memory_, 42, kBytes);
        mem_prefetch_async(memory_, kPart, MemLocation::host());
        context_->synchronize();
        QCOMPARE(get(attribute::LAST_PREFETCH_LOCATION), kNone);
        QCOMPARE(mem_range_get_attribute(memory_, kPart, attribute::LAST_PREFETCH_LOCATION), kHost);
        QCOMPARE(array_.as<std::uint8_t>()[0], std::uint8_t{42});
        QCOMPARE(array_.as<std::uint8_t>()[kBytes - 1], std::uint8_t{42});
    }

    void misuse() {
        const MemLocation here = MemLocation::device(0), nowhere = MemLocation::device(99), none;
        const DeviceAllocation device = mem_alloc(kBytes);
        const NdArray locked = pagelocked_empty({kBytes}, DType::uint8());
        const auto advise = [&](DevicePointer start, std::size_t bytes, mem_advise advice, MemLocation where) {
            QVERIFY_THROWS_EXCEPTION(LogicError, mem_range_advise(start, bytes, advice, where));
        };
        const auto fetch = [&](DevicePointer start, std::size_t bytes, MemLocation where) {
            QVERIFY_THROWS_EXCEPTION(LogicError, mem_prefetch_async(start, bytes, where));
        };
        const auto query = [&](DevicePointer start, std::size_t bytes, attribute which) {
            try {
                (void)mem_range_get_attribute(start, bytes, which);
            } catch (const LogicError&) {
                return;
            }
            QFAIL(qPrintable(QString("attribute %1 of %2 bytes at %3 is told, though the memory is %4 bytes at %5")
                                 .arg(static_cast<int>(which))
                                 .arg(bytes)
                                 .arg(static_cast<qulonglong>(start.get()), 0, 16)
                                 .arg(kBytes)
                                 .arg(static_cast<qulonglong>(static_cast<DevicePointer>(memory_).get()), 0, 16)));
        };
        const auto set = mem_advise::SET_PREFERRED_LOCATION, by = mem_advise::SET_ACCESSED_BY;
        const auto mostly = attribute::READ_MOSTLY;
        advise(memory_, kBytes, set, nowhere);
        advise(memory_, kBytes, set, MemLocation::device(-1));
        advise(memory_, kBytes, set, none);
        advise(memory_, kBytes, by, nowhere);
        advise(memory_, kBytes, by, none);
        advise(memory_, kBytes, static_cast<mem_advise>(0), here);
        advise(memory_, kBytes, static_cast<mem_advise>(7), here);
        fetch(memory_, kBytes, nowhere);
        fetch(memory_, kBytes, none);
        for (const DevicePointer wrong : {DevicePointer(device), DevicePointer(0)}) {
            advise(wrong, kBytes, set, here);
            fetch(wrong, kBytes, here);
            query(wrong, kBytes, mostly);
        }
        constexpr std::size_t far = std::size_t{256} << 20;
        for (const std::size_t wrong : {std::size_t{0}, far, std::numeric_limits<std::size_t>::max()}) {
            advise(memory_, wrong, set, here);
            fetch(memory_, wrong, here);
            query(memory_, wrong, mostly);
        }
        query(memory_, kBytes, static_cast<attribute>(0));
        query(memory_, kBytes, static_cast<attribute>(99));
        if (context_->get_driver().version() >= 12020) {
            advise(memory_, kBytes, set, MemLocation::host_numa(99));
            advise(memory_, kBytes, by, MemLocation::host_numa(0)); // a device or the host
            fetch(memory_, kBytes, MemLocation::host_numa(99));
        }
        // Nothing of it was done.
        QCOMPARE(get(attribute::PREFERRED_LOCATION), kNone);
        QVERIFY(mem_range_get_accessed_by(memory_, kBytes).empty());
    }

    void not_in_a_capture() {
        const Stream stream;
        stream.begin_capture(stream_capture_mode::RELAXED);
        QVERIFY_THROWS_EXCEPTION(LogicError, mem_prefetch_async(memory_, kBytes, MemLocation::device(0), &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)stream.end_capture());
    }

    /// The same address does not bring back what was said about memory that is gone.
    void forgotten_with_the_memory() {
        for (int i = 0; i < 3; ++i) {
            const NdArray fresh = managed_empty({kBytes}, DType::uint8());
            const DevicePointer start = host_memory<ManagedAllocation>(fresh);
            QCOMPARE(mem_range_get_attribute(start, kBytes, attribute::READ_MOSTLY), 0);
            mem_range_advise(start, kBytes, mem_advise::SET_READ_MOSTLY);
        }
    }

    void pointer_attributes_of_managed_memory() {
        const device_ptr start = memory_.get();
        const auto ask = [&](pointer_attribute which) { return pointer_get_attribute(start + 16, which); };
        QCOMPARE(ask(pointer_attribute::MEMORY_TYPE), std::int64_t{2});
        QCOMPARE(ask(pointer_attribute::IS_MANAGED), std::int64_t{1});
        QCOMPARE(ask(pointer_attribute::DEVICE_POINTER), static_cast<std::int64_t>(start + 16));
        QCOMPARE(ask(pointer_attribute::HOST_POINTER), static_cast<std::int64_t>(start + 16));
        QCOMPARE(ask(pointer_attribute::DEVICE_ORDINAL), std::int64_t{0});
        QCOMPARE(ask(pointer_attribute::RANGE_START_ADDR), static_cast<std::int64_t>(start));
        QCOMPARE(ask(pointer_attribute::RANGE_SIZE), static_cast<std::int64_t>(kBytes));
        QCOMPARE(ask(pointer_attribute::MAPPED), std::int64_t{1});
        QCOMPARE(ask(pointer_attribute::ACCESS_FLAGS), std::int64_t{3});
        QCOMPARE(ask(pointer_attribute::MEMPOOL_HANDLE), std::int64_t{0});
        QCOMPARE(ask(pointer_attribute::CONTEXT), static_cast<std::int64_t>(address_of(context_->handle())));
    }

    void pointer_attributes() {
        const DeviceAllocation device = mem_alloc(1000), other = mem_alloc(1000);
        const NdArray locked = pagelocked_empty({1000}, DType::uint8());
        const device_ptr host = address_of(locked.data());
        const auto same = [](DevicePointer pointer, pointer_attribute which, std::int64_t expected) {
            const pointer_attribute one[] = {which};
            QCOMPARE(pointer_get_attribute(pointer, which), expected);
            QCOMPARE(pointer_get_attributes(pointer, one), std::vector{expected});
        };
        same(device, pointer_attribute::MEMORY_TYPE, 2);
        same(host, pointer_attribute::MEMORY_TYPE, 1);
        same(device, pointer_attribute::IS_MANAGED, 0);
        same(host + 999, pointer_attribute::HOST_POINTER, static_cast<std::int64_t>(host + 999));
        same(device + 999, pointer_attribute::RANGE_START_ADDR, static_cast<std::int64_t>(device.get()));
        same(device, pointer_attribute::RANGE_SIZE, 1000);
        same(host, pointer_attribute::RANGE_SIZE, 1000);
        same(device, pointer_attribute::DEVICE_ORDINAL, 0);
        same(device, pointer_attribute::ACCESS_FLAGS, 3);
        same(device, pointer_attribute::ALLOWED_HANDLE_TYPES, 0);
        QVERIFY(pointer_get_attribute(device, pointer_attribute::BUFFER_ID) !=
                pointer_get_attribute(other, pointer_attribute::BUFFER_ID));
        if (context_->get_driver().version() >= 12020) {
            const auto base = pointer_get_attribute(device, pointer_attribute::MAPPING_BASE_ADDR);
            const auto size = pointer_get_attribute(device, pointer_attribute::MAPPING_SIZE);
            const auto start = static_cast<std::int64_t>(device.get());
            QVERIFY(base <= start && start + 1000 <= base + size);
        }
        // Device memory has no address of the host: an error where one attribute is asked for, null in a list.
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pointer_get_attribute(device, pointer_attribute::HOST_POINTER));
        const pointer_attribute list[] = {pointer_attribute::HOST_POINTER, pointer_attribute::MEMORY_TYPE,
                                          pointer_attribute::DEVICE_ORDINAL, pointer_attribute::RANGE_SIZE};
        QCOMPARE(pointer_get_attributes(device, list), (std::vector<std::int64_t>{0, 2, 0, 1000}));
        // What the driver does not know: an error, and nothing in a list.
        std::vector<int> mine(4);
        const device_ptr unknown = address_of(mine.data());
        for (const auto which : list)
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)pointer_get_attribute(unknown, which));
        QCOMPARE(pointer_get_attributes(unknown, list),
                 (std::vector<std::int64_t>{static_cast<std::int64_t>(unknown), 0, -2, 0}));
        QVERIFY(pointer_get_attributes(unknown, {}).empty());
        const pointer_attribute wrong[] = {static_cast<pointer_attribute>(99)};
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pointer_get_attributes(device, wrong));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pointer_get_attribute(device, wrong[0]));
    }

    void synchronous_operations() {
        const DeviceAllocation device = mem_alloc(1000);
        const NdArray locked = pagelocked_empty({1000}, DType::uint8());
        const auto now = [](DevicePointer pointer) {
            return pointer_get_attribute(pointer, pointer_attribute::SYNC_MEMOPS);
        };
        pointer_set_sync_memops(device + 16, true);
        QCOMPARE(now(device), std::int64_t{1});
        pointer_set_sync_memops(device, false);
        QCOMPARE(now(device + 999), std::int64_t{0});
        pointer_set_sync_memops(address_of(locked.data()), true);
        QCOMPARE(now(address_of(locked.data())), std::int64_t{1});
        QVERIFY_THROWS_EXCEPTION(LogicError, pointer_set_sync_memops(0, true));
        std::vector<int> mine(4);
        QVERIFY_THROWS_EXCEPTION(LogicError, pointer_set_sync_memops(address_of(mine.data()), true));
    }
};

QTEST_GUILESS_MAIN(ManagedMemoryTest)
#include "managed_memory_test.moc"
