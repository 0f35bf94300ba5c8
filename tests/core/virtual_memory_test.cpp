// SPDX-License-Identifier: Apache-2.0
// Addresses and physical memory apart from each other, on the device that WARPLIGHT_TEST_DRIVER names.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/managed_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"
#include "warplight/virtual_memory.hpp"

#include <QProcess>
#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

constexpr auto kReadWrite = mem_access_flags::PROT_READWRITE;
constexpr auto kReadOnly = mem_access_flags::PROT_READ;
constexpr auto kNoAccess = mem_access_flags::PROT_NONE;

std::vector<float> read(DevicePointer from, std::size_t count) {
    std::vector<float> values(count);
    memcpy_dtoh(values, from);
    return values;
}

} // namespace

class VirtualMemoryTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    MemLocation here_ = MemLocation::device(0);
    std::size_t unit_ = 0; ///< the granularity

public:
    /// y += 2 x with a kernel, four elements.
    static void saxpy(DevicePointer x, DevicePointer y) {
        const Module module = module_from_buffer(std::string_view(kKernels));
        module.get_function("saxpy")({.grid = {1}, .block = {32}}, 4U, 2.0F, x, y);
        Context::get_current().synchronize();
    }

private slots:
    void initTestCase() {
        context_.emplace(Device(0, test_driver()).make_context());
        if (!context_->get_device().get_attribute(device_attribute::VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED))
            QSKIP("the device has no virtual memory management");
        unit_ = mem_get_allocation_granularity(here_);
    }
    void cleanupTestCase() { context_->detach(); }

    void granularity() {
        QVERIFY(unit_ >= 4096 && (unit_ & (unit_ - 1)) == 0);
        QVERIFY(mem_get_allocation_granularity(here_, mem_allocation_granularity::RECOMMENDED) >= unit_);
        QVERIFY_THROWS_EXCEPTION(
            LogicError, (void)mem_get_allocation_granularity(here_, static_cast<mem_allocation_granularity>(9)));
    }

    void mapped_memory_is_memory() {
        VirtualAddressRange range(4 * unit_);
        QCOMPARE(range.size(), 4 * unit_);
        QCOMPARE(range.get() % unit_, device_ptr{0});
        const PhysicalMemory memory(2 * unit_, here_);
        QCOMPARE(memory.size(), 2 * unit_);
        QVERIFY(memory.location() == here_);
        QCOMPARE(memory.type(), mem_allocation_type::PINNED);
        range.map(0, memory);
        QCOMPARE(range.get_access(0, here_), kNoAccess);
        range.set_access(0, 2 * unit_, here_);
        QCOMPARE(range.get_access(0, here_), kReadWrite);
        QCOMPARE(range.get_access(2 * unit_ - 1, here_), kReadWrite);
        memset_d32(range, 0x40000000U, unit_ / 2); // all of it is 2
        const DeviceAllocation y = mem_alloc(16);
        memset_d32(y, 0x3F800000U, 4);
        saxpy(range + (2 * unit_ - 16), y);
        QCOMPARE(read(y, 4), (std::vector<float>{5, 5, 5, 5}));
        saxpy(y, range);
        QCOMPARE(read(range, 5), (std::vector<float>{12, 12, 12, 12, 2}));
        QCOMPARE(mem_get_address_range(range + 100).base, range.get());
        QCOMPARE(mem_get_address_range(range + 100).size, 2 * unit_);
        QCOMPARE(pointer_get_attribute(range + 100, pointer_attribute::MEMORY_TYPE), std::int64_t{2});
        QCOMPARE(pointer_get_attribute(range + 100, pointer_attribute::RANGE_SIZE),
                 static_cast<std::int64_t>(4 * unit_));
        range.unmap(0, 2 * unit_);
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)read(range, 1));
    }

    /// What is mapped twice is the same memory, and stays when its handle was given back.
    void in_several_places() {
        VirtualAddressRange range(4 * unit_), other(unit_);
        PhysicalMemory memory(unit_, here_), second(unit_, here_);
        range.map(0, memory);
        range.map(unit_, second);
        range.map(2 * unit_, memory);
        other.map(0, memory);
        range.set_access(0, 3 * unit_, here_);
        other.set_access(0, unit_, here_);
        memset_d32(range, 0x3F800000U, unit_ / 4);
        memset_d32(range + unit_, 0x40000000U, unit_ / 4);
        QCOMPARE(read(range + 2 * unit_, 2), (std::vector<float>{1, 1}));
        QCOMPARE(read(other + (unit_ - 8), 2), (std::vector<float>{1, 1}));
        // Copies and fills go over the borders.
        memset_d32(range + (2 * unit_ - 8), 0x40400000U, 4);
        QCOMPARE(read(range + (2 * unit_ - 12), 4), (std::vector<float>{2, 3, 3, 3}));
        QCOMPARE(read(other, 3), (std::vector<float>{3, 3, 1}));
        QCOMPARE(read(range, 1), std::vector<float>{3});
        memory.release();
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.release());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.location());
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(3 * unit_, memory));
        QCOMPARE(read(other, 1), std::vector<float>{3});
        // It can be had again by its address.
        const PhysicalMemory again = PhysicalMemory::of(other + 5), twice = PhysicalMemory::of(range);
        QVERIFY(again.handle() != 0);
        QCOMPARE(again.handle(), twice.handle());
        QVERIFY(PhysicalMemory::of(range + unit_).handle() == second.handle());
        QVERIFY(again.location() == here_);
        range.map(3 * unit_, unit_, again);
        range.set_access(3 * unit_, unit_, here_, kReadOnly);
        QCOMPARE(range.get_access(3 * unit_, here_), kReadOnly);
        QCOMPARE(read(range + 3 * unit_, 1), std::vector<float>{3});
        range.unmap(0, 4 * unit_);
        QCOMPARE(read(other, 1), std::vector<float>{3});
    }

    /// New mappings behind the old ones: an array that grows without being copied.
    void growing() {
        VirtualAddressRange range(8 * unit_);
        const std::size_t count = unit_ / 4;
        for (std::size_t i = 0; i < 8; ++i) {
            range.map(i * unit_, PhysicalMemory(unit_, here_));
            range.set_access(i * unit_, unit_, here_);
            memset_d32(range + i * unit_, static_cast<std::uint32_t>(i), count);
        }
        std::vector<std::uint32_t> values(8 * count);
        memcpy_dtoh(values, range);
        for (std::size_t i = 0; i < values.size(); i += 1000)
            QCOMPARE(values[i], static_cast<std::uint32_t>(i / count));
    }

    /// Each in a process of its own, which the error ends.
    void faults_without_access() {
        for (const char* what : {"reserved", "no access", "past the mapping", "read only", "taken away", "unmapped"}) {
            QProcess child;
            child.start(QCoreApplication::applicationFilePath(), {"--fault", what});
            QVERIFY(child.waitForFinished(60000));
            QCOMPARE(QString::fromUtf8(child.readAllStandardOutput()).trimmed(), QString("700"));
        }
    }

    void misuse() {
        constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
        for (const std::size_t wrong : {std::size_t{0}, std::size_t{100}, unit_ / 2, unit_ + 4096}) {
            QVERIFY_THROWS_EXCEPTION(LogicError, VirtualAddressRange{wrong});
            QVERIFY_THROWS_EXCEPTION(LogicError, (PhysicalMemory{wrong, here_}));
        }
        QVERIFY_THROWS_EXCEPTION(MemoryError, VirtualAddressRange{std::size_t{1} << 60});
        QVERIFY_THROWS_EXCEPTION(MemoryError, (PhysicalMemory{std::size_t{1} << 50, here_}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (VirtualAddressRange{unit_, 3}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (VirtualAddressRange{unit_, 0, 4097}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (PhysicalMemory{unit_, MemLocation::device(99)}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (PhysicalMemory{unit_, MemLocation{}}));
        const VirtualAddressRange aligned(unit_, unit_ * 64);
        QCOMPARE(aligned.get() % (unit_ * 64), device_ptr{0});

        VirtualAddressRange range(4 * unit_);
        const PhysicalMemory memory(2 * unit_, here_);
        const DeviceAllocation plain = mem_alloc(64);
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)PhysicalMemory::of(plain));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)PhysicalMemory::of(range));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)PhysicalMemory::of(0));
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(3 * unit_, memory)); // past the end
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(most - unit_ + 1, memory));
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(0, 0, memory));
        const auto refused = [&](std::size_t offset, std::size_t bytes, std::size_t memory_offset) {
            QVERIFY_THROWS_EXCEPTION(Error, range.map(offset, bytes, memory, memory_offset));
        };
        refused(4096, 2 * unit_, 0);
        refused(0, unit_ / 2, 0);
        refused(0, 4 * unit_, 0); // more than there is
        refused(0, unit_, unit_); // a part: no driver does that so far
        range.map(unit_, memory);
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(0, memory)); // half of that is taken
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(2 * unit_, memory));
        // A GPU finds out later, and its context is lost.
        const bool at_once = test_driver().name() == "software";
        if (at_once) {
            QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(range + unit_, 0, 16)); // no access yet
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)read(range + unit_, 1));
        }
        const auto no_access = [&](std::size_t offset, std::size_t bytes, MemLocation where, mem_access_flags access) {
            QVERIFY_THROWS_EXCEPTION(LogicError, range.set_access(offset, bytes, where, access));
        };
        no_access(0, 2 * unit_, here_, kReadWrite); // the first half is not mapped
        no_access(unit_, unit_, here_, kReadWrite); // half of a mapping
        no_access(unit_, 3 * unit_, here_, kReadWrite);
        no_access(unit_, 0, here_, kReadWrite);
        no_access(unit_, 4 * unit_, here_, kReadWrite);
        no_access(unit_, 2 * unit_, here_, static_cast<mem_access_flags>(2));
        no_access(unit_, 2 * unit_, MemLocation::device(99), kReadWrite);
        no_access(unit_, 2 * unit_, MemLocation{}, kReadWrite);
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)range.get_access(unit_, MemLocation::device(99)));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)range.get_access(0, here_)); // nothing there
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)range.get_access(4 * unit_, here_));
        QVERIFY_THROWS_EXCEPTION(LogicError, range.unmap(unit_, unit_)); // half of a mapping
        QVERIFY_THROWS_EXCEPTION(LogicError, range.unmap(0, 2 * unit_));
        QVERIFY_THROWS_EXCEPTION(LogicError, range.unmap(unit_, 0));
        QVERIFY_THROWS_EXCEPTION(LogicError, range.unmap(unit_, 4 * unit_));
        range.set_access(unit_, 2 * unit_, here_);
        memset_d8(range + unit_, 0, 2 * unit_);
        Context::get_current().synchronize(); // what uses the range has to be done before it goes
        if (at_once) QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(range + unit_, 0, 2 * unit_ + 1));
        range.free();
        QCOMPARE(range.size(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, range.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)range.get());
        QVERIFY_THROWS_EXCEPTION(LogicError, range.map(0, memory));
        VirtualAddressRange from(unit_);
        const VirtualAddressRange to = std::move(from);
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)from.get()); // NOLINT(bugprone-use-after-move)
        QCOMPARE(to.size(), unit_);
    }

    void what_is_free() {
        const std::size_t before = mem_get_info().free;
        {
            VirtualAddressRange range(16 * unit_);
            const PhysicalMemory memory(16 * unit_, here_);
            QVERIFY(mem_get_info().free + 16 * unit_ <= before);
            range.map(0, memory);
            QVERIFY(mem_get_info().free + 16 * unit_ <= before);
        }
        QVERIFY(mem_get_info().free + 8 * unit_ > before);
    }

    /// It is nobody's context's.
    void without_the_context() {
        Context other = Device(0, test_driver()).make_context();
        const PhysicalMemory memory(unit_, here_);
        VirtualAddressRange range(unit_);
        range.map(0, memory);
        range.set_access(0, unit_, here_);
        memset_d32(range, 0x3F800000U, 4);
        other.detach();
        QCOMPARE(read(range, 4), (std::vector<float>{1, 1, 1, 1}));
        range.unmap(0, unit_);
    }
};

namespace {

/// A kernel reads, or writes, what it may not. The error's code.
int fault(const std::string& what) {
    const Context context = Device(0, test_driver()).make_context();
    const MemLocation here = MemLocation::device(0);
    const std::size_t unit = mem_get_allocation_granularity(here);
    const PhysicalMemory memory(unit, here);
    VirtualAddressRange range(2 * unit);
    const DeviceAllocation good = mem_alloc(16);
    memset_d32(good, 0, 4);
    const auto kernel = [](DevicePointer x, DevicePointer y) { VirtualMemoryTest::saxpy(x, y); };
    if (what != "reserved") range.map(0, memory);
    if (what != "reserved" && what != "no access") range.set_access(0, unit, here);
    try {
        // With access it works, and reading does where only that is allowed.
        if (what == "read only") range.set_access(0, unit, here, kReadOnly);
        if (what != "reserved" && what != "no access") kernel(range, good);
        if (what == "taken away") range.set_access(0, unit, here, kNoAccess);
        if (what == "unmapped") range.unmap(0, unit);
    } catch (const Error& error) {
        return -error.code();
    }
    try {
        if (what == "read only")
            kernel(good, range);
        else
            kernel(what == "past the mapping" ? range + unit : range, good);
    } catch (const Error& error) {
        return error.code();
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc > 2 && std::string_view(argv[1]) == "--fault") {
        set_cleanup_reporter([](const Error&) {}); // the context ends with an error
        try {
            std::printf("%d\n", fault(argv[2]));
        } catch (const std::exception& error) {
            std::printf("%s\n", error.what());
        }
        return 0;
    }
    const QCoreApplication application(argc, argv);
    VirtualMemoryTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "virtual_memory_test.moc"
