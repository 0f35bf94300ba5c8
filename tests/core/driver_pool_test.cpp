// SPDX-License-Identifier: Apache-2.0
// The driver's memory pools, on the device that WARPLIGHT_TEST_DRIVER names.
#include "warplight/context.hpp"
#include "warplight/driver_memory_pool.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/graph.hpp"
#include "warplight/managed_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

using namespace warplight::driver;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

constexpr std::size_t kBytes = std::size_t{1} << 20;
constexpr std::uint64_t kKeepAll = std::numeric_limits<std::uint64_t>::max();

std::vector<std::uint8_t> read(DevicePointer from, std::size_t bytes, const Stream& stream) {
    std::vector<std::uint8_t> values(bytes);
    memcpy_dtoh_async(values, from, &stream);
    stream.synchronize();
    return values;
}

bool all_of(const std::vector<std::uint8_t>& values, std::uint8_t wanted) {
    return std::ranges::all_of(values, [&](std::uint8_t value) { return value == wanted; });
}

} // namespace

class DriverPoolTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Device> device_;

private slots:
    void initTestCase() {
        device_.emplace(0, test_driver());
        context_.emplace(device_->make_context());
        if (!device_->get_attribute(device_attribute::MEMORY_POOLS_SUPPORTED)) QSKIP("the device has no memory pools");
    }
    void cleanupTestCase() { context_->detach(); }

    void from_the_current_pool() {
        const Stream stream;
        StreamOrderedAllocation memory = mem_alloc_async(kBytes, &stream);
        QVERIFY(memory);
        QCOMPARE(memory.size(), kBytes);
        memset_d8_async(memory, 7, kBytes, &stream);
        QVERIFY(all_of(read(memory, kBytes, stream), 7));
        QCOMPARE(mem_get_address_range(memory).base, memory.get());
        QCOMPARE(mem_get_address_range(memory).size, kBytes);
        // Whose it is: a pool's, and no context's.
        const auto pool = pointer_get_attribute(memory, pointer_attribute::MEMPOOL_HANDLE);
        QCOMPARE(pool, static_cast<std::int64_t>(
                           reinterpret_cast<std::uintptr_t>(DriverMemoryPool::current_of(*device_).handle())));
        QCOMPARE(pointer_get_attribute(memory, pointer_attribute::CONTEXT), std::int64_t{0});
        memory.free();
        QVERIFY(!memory);
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.get());
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(memory, 0, 1));
        stream.synchronize();
        // The default stream, and its end by moving.
        StreamOrderedAllocation other = mem_alloc_async(100);
        const StreamOrderedAllocation moved = std::move(other);
        QVERIFY(moved);
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(moved, 0, 101)); // past its end
        memset_d8(moved, 0, 100);
    }

    void misuse() {
        const Stream stream;
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)mem_alloc_async(0, &stream));
        for (const std::size_t wrong : {std::size_t{1} << 50, std::numeric_limits<std::size_t>::max()})
            QVERIFY_THROWS_EXCEPTION(MemoryError, (void)mem_alloc_async(wrong, &stream));
        StreamOrderedAllocation none;
        QVERIFY(!none);
        QVERIFY_THROWS_EXCEPTION(LogicError, none.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)none.get());
        const Context other = device_->make_context();
        const Stream foreign;
        Context::pop();
        StreamOrderedAllocation memory = mem_alloc_async(kBytes, &stream);
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free(foreign));
        memory.free();
        const DriverMemoryPool pool(*device_);
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pool.allocate(0, &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, DriverMemoryPool::default_of(*device_).destroy());
    }

    void pools_of_a_device() {
        const auto first = DriverMemoryPool::default_of(*device_);
        QVERIFY(first == DriverMemoryPool::current_of(*device_));
        {
            const DriverMemoryPool mine(*device_);
            QVERIFY(!(mine == first));
            mine.set_current();
            QVERIFY(DriverMemoryPool::current_of(*device_) == mine);
            const Stream stream;
            const StreamOrderedAllocation memory = mem_alloc_async(kBytes, &stream);
            QCOMPARE(mine.used(), kBytes);
        }
        // It is gone, so the first one is the current one again.
        QVERIFY(DriverMemoryPool::current_of(*device_) == first);
        QCOMPARE(first.describe(), std::string("memory pool of device 0"));
    }

    void numbers() {
        const Stream stream;
        const DriverMemoryPool pool(*device_);
        QCOMPARE(pool.release_threshold(), std::uint64_t{0});
        QCOMPARE(pool.used() + pool.used_high() + pool.reserved() + pool.reserved_high(), std::uint64_t{0});
        pool.set_release_threshold(kKeepAll);
        QCOMPARE(pool.release_threshold(), kKeepAll);
        StreamOrderedAllocation a = pool.allocate(1000, &stream), b = pool.allocate(kBytes, &stream);
        QCOMPARE(pool.used(), std::uint64_t{1000 + kBytes});
        QCOMPARE(pool.used_high(), pool.used());
        QVERIFY(pool.reserved() >= pool.used());
        QCOMPARE(pool.reserved_high(), pool.reserved());
        const std::uint64_t reserved = pool.reserved();
        b.free();
        stream.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{1000});
        QCOMPARE(pool.used_high(), std::uint64_t{1000 + kBytes});
        QCOMPARE(pool.reserved(), reserved); // held
        pool.reset_used_high();
        QCOMPARE(pool.used_high(), std::uint64_t{1000});
        a.free();
        stream.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{0});
        pool.trim_to(pool.reserved());
        QCOMPARE(pool.reserved(), reserved);
        pool.trim_to(0);
        QCOMPARE(pool.reserved(), std::uint64_t{0});
        QCOMPARE(pool.reserved_high(), reserved);
        pool.reset_reserved_high();
        QCOMPARE(pool.reserved_high(), std::uint64_t{0});
    }

    void the_threshold() {
        const Stream stream;
        const DriverMemoryPool pool(*device_);
        (void)pool.allocate(kBytes, &stream); // given back at once
        stream.synchronize();
        QCOMPARE(pool.reserved(), std::uint64_t{0}); // nothing is kept over a synchronization
        pool.set_release_threshold(kKeepAll);
        (void)pool.allocate(kBytes, &stream);
        stream.synchronize();
        QVERIFY(pool.reserved() >= kBytes);
        (void)pool.allocate(kBytes, &stream);
        context_->synchronize();
        QVERIFY(pool.reserved() >= kBytes);
        pool.set_release_threshold(0);
        const StreamOrderedAllocation other = pool.allocate(100, &stream);
        stream.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{100});
    }

    void a_limit() {
        if (context_->get_driver().version() < 12020) QSKIP("takes CUDA 12.2");
        const Stream stream;
        const DriverMemoryPool pool(*device_, std::size_t{10} << 20);
        const StreamOrderedAllocation first = pool.allocate(std::size_t{9} << 20, &stream);
        QVERIFY_THROWS_EXCEPTION(MemoryError, (void)pool.allocate(std::size_t{40} << 20, &stream));
        QCOMPARE(pool.used(), std::uint64_t{9} << 20);
    }

    void reuse_flags() {
        const DriverMemoryPool pool(*device_);
        QVERIFY(pool.reuse_follow_event_dependencies() && pool.reuse_allow_opportunistic() &&
                pool.reuse_allow_internal_dependencies());
        pool.set_reuse_allow_opportunistic(false);
        QVERIFY(!pool.reuse_allow_opportunistic() && pool.reuse_allow_internal_dependencies());
        pool.set_reuse_follow_event_dependencies(false);
        pool.set_reuse_allow_internal_dependencies(false);
        pool.set_reuse_allow_opportunistic(true);
        QVERIFY(!pool.reuse_follow_event_dependencies() && pool.reuse_allow_opportunistic() &&
                !pool.reuse_allow_internal_dependencies());
    }

    /// A stream gets back at once what it gave, and work finds its own values there.
    void reuse_in_order() {
        const Stream stream;
        const DriverMemoryPool pool(*device_);
        pool.set_release_threshold(kKeepAll);
        const DeviceAllocation results = mem_alloc(16);
        device_ptr last = 0;
        for (std::uint8_t i = 0; i < 16; ++i) {
            const StreamOrderedAllocation memory = pool.allocate(kBytes, &stream);
            if (i > 0) QCOMPARE(memory.get(), last);
            last = memory.get();
            memset_d8_async(memory, i, kBytes, &stream);
            memcpy_dtod_async(results + i, memory + (kBytes - 1), 1, &stream);
        }
        std::vector<std::uint8_t> expected(16);
        for (std::uint8_t i = 0; i < 16; ++i)
            expected[i] = i;
        QCOMPARE(read(results, 16, stream), expected);
        QCOMPARE(pool.used_high(), kBytes);
    }

    /// Another stream may use it, and give it back, when it waits for what came before.
    void between_streams() {
        const Stream stream, other;
        const DriverMemoryPool pool(*device_);
        StreamOrderedAllocation memory = pool.allocate(kBytes, &stream);
        memset_d8_async(memory, 3, kBytes, &stream);
        Event ready;
        ready.record(&stream);
        other.wait_for_event(ready);
        const DeviceAllocation copy = mem_alloc(kBytes);
        memcpy_dtod_async(copy, memory, kBytes, &other);
        memory.free(other);
        QVERIFY(all_of(read(copy, kBytes, other), 3));
        stream.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{0});
        QCOMPARE(pool.reserved(), std::uint64_t{0});
    }

    /// Memory that many streams take from one pool is each one's own as long as it has it.
    void many_streams() {
        const DriverMemoryPool pool(*device_);
        pool.set_release_threshold(kKeepAll);
        std::vector<Stream> streams(4);
        constexpr std::size_t bytes = 64 << 10;
        const DeviceAllocation results = mem_alloc(4 * 32);
        for (std::size_t round = 0; round < 32; ++round) {
            for (std::size_t i = 0; i < streams.size(); ++i) {
                const StreamOrderedAllocation memory = pool.allocate(bytes, &streams[i]);
                memset_d8_async(memory, static_cast<std::uint8_t>(round * 4 + i), bytes, &streams[i]);
                memcpy_dtod_async(results + (round * 4 + i), memory + bytes / 2, 1, &streams[i]);
            }
        }
        context_->synchronize();
        const auto values = read(results, 4 * 32, streams[0]);
        for (std::size_t i = 0; i < values.size(); ++i)
            QCOMPARE(values[i], static_cast<std::uint8_t>(i));
        QCOMPARE(pool.used(), std::uint64_t{0});
    }

    void access() {
        const DriverMemoryPool pool(*device_);
        const MemLocation here = MemLocation::device(*device_);
        QCOMPARE(pool.get_access(here), mem_access_flags::PROT_READWRITE);
        pool.set_access(here, mem_access_flags::PROT_READWRITE);
        QVERIFY_THROWS_EXCEPTION(LogicError, pool.set_access(here, mem_access_flags::PROT_NONE));
        QVERIFY_THROWS_EXCEPTION(LogicError, pool.set_access(MemLocation{}, mem_access_flags::PROT_READWRITE));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pool.get_access(MemLocation{}));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pool.get_access(MemLocation::device(99)));
    }

    void destroyed_before_its_memory() {
        const Stream stream;
        DriverMemoryPool pool(*device_);
        const DriverMemoryPool same = pool;
        StreamOrderedAllocation memory = pool.allocate(kBytes, &stream);
        pool.destroy();
        QVERIFY(pool.handle() == nullptr && same.handle() == nullptr);
        QVERIFY_THROWS_EXCEPTION(LogicError, pool.destroy());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)same.used());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)same.allocate(kBytes, &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, same.set_current());
        // What was allocated stays until it is given back.
        memset_d8_async(memory, 9, kBytes, &stream);
        QVERIFY(all_of(read(memory, kBytes, stream), 9));
        memory.free();
        stream.synchronize();
    }

    /// In a capture it is memory of the graph.
    void captured() {
        const Stream stream;
        const DriverMemoryPool pool(*device_);
        const DeviceAllocation result = mem_alloc(4);
        stream.begin_capture(stream_capture_mode::RELAXED);
        StreamOrderedAllocation a = pool.allocate(kBytes, &stream), b = mem_alloc_async(kBytes, &stream);
        memset_d8_async(a, 5, kBytes, &stream);
        memcpy_dtod_async(b, a, kBytes, &stream);
        memcpy_dtod_async(result, b + 100, 4, &stream);
        a.free();
        b.free();
        const Graph graph = stream.end_capture();
        QCOMPARE(graph.get_nodes().size(), std::size_t{7});
        QCOMPARE(pool.used(), std::uint64_t{0});
        const GraphExec exec = graph.instantiate();
        for (int i = 0; i < 3; ++i) {
            memset_d8(result, 0, 4);
            exec.launch(&stream);
            QVERIFY(all_of(read(result, 4, stream), 5));
        }
        // Memory from outside cannot be given back in a capture.
        StreamOrderedAllocation outside = pool.allocate(kBytes, &stream);
        stream.begin_capture(stream_capture_mode::RELAXED);
        QVERIFY_THROWS_EXCEPTION(LogicError, outside.free());
        QVERIFY(stream.end_capture().get_nodes().empty()); // which goes on
        QVERIFY(outside);                                  // and so does the memory
        outside.free();
        stream.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{0});
    }

    void after_the_context() {
        const DriverMemoryPool pool(*device_);
        Context other = device_->make_context();
        StreamOrderedAllocation memory;
        {
            const Stream stream;
            memory = pool.allocate(kBytes, &stream);
        }
        memset_d8(memory, 1, kBytes); // the stream lives as long as its memory
        memory.free();
        other.synchronize();
        QCOMPARE(pool.used(), std::uint64_t{0});
        const StreamOrderedAllocation left = pool.allocate(kBytes);
        other.detach();
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(left, 1, kBytes));
    }
};

QTEST_GUILESS_MAIN(DriverPoolTest)
#include "driver_pool_test.moc"
