// SPDX-License-Identifier: Apache-2.0
// Memory pools on the device that WARPLIGHT_TEST_DRIVER names.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/memory_pool.hpp"
#include "warplight/module.hpp"

#include <QtTest>

#include <cstring>
#include <limits>
#include <thread>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

} // namespace

class InterfacePoolTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;

private slots:
    void initTestCase() { context_.emplace(Device(0, test_driver()).make_context()); }
    void cleanupTestCase() { context_->detach(); }

    // covers: bitlog2
    void bit_positions() {
        QCOMPARE(bitlog2(0), 0U);
        QCOMPARE(bitlog2(1), 0U);
        QCOMPARE(bitlog2(2), 1U);
        QCOMPARE(bitlog2(3), 1U);
        QCOMPARE(bitlog2(4), 2U);
        QCOMPARE(bitlog2(0xffff), 15U);
        QCOMPARE(bitlog2(0x10000), 16U);
        QCOMPARE(bitlog2(std::numeric_limits<std::uint64_t>::max()), 63U);
        for (unsigned bit = 1; bit < 64; ++bit) {
            QCOMPARE(bitlog2(std::uint64_t{1} << bit), bit);
            QCOMPARE(bitlog2((std::uint64_t{1} << bit) - 1), bit - 1);
        }
    }

    // covers: DeviceMemoryPool.bin_number(size), DeviceMemoryPool.alloc_size(bin)
    // covers: PageLockedMemoryPool.bin_number, PageLockedMemoryPool.alloc_size
    void bins() {
        QCOMPARE(DeviceMemoryPool::bin_number(0), 0U);
        QCOMPARE(DeviceMemoryPool::alloc_size(0), std::size_t{1});
        QCOMPARE(PageLockedMemoryPool::bin_number(1024), 10U << 4);
        QCOMPARE(PageLockedMemoryPool::alloc_size(10 << 4), std::size_t{1024 + 63});
        const auto check = [](std::size_t size) {
            const unsigned bin = MemoryPool::bin_number(size);
            const std::size_t bytes = MemoryPool::alloc_size(bin);
            // The block is large enough, wastes a sixteenth at most, and is the last of its bin.
            return bytes >= size && bytes - size <= size / 16 && MemoryPool::bin_number(bytes) == bin &&
                   (bytes == std::numeric_limits<std::size_t>::max() || MemoryPool::bin_number(bytes + 1) > bin);
        };
        for (std::size_t size = 1; size < 70000; ++size)
            QVERIFY2(check(size), qPrintable(QString::number(size)));
        for (unsigned bit = 17; bit < 64; ++bit)
            for (const std::size_t around : {-1, 0, 1})
                QVERIFY(check((std::size_t{1} << bit) + around));
        QVERIFY(check(std::numeric_limits<std::size_t>::max()));
        QVERIFY_THROWS_EXCEPTION(LogicError, MemoryPool::alloc_size(64 << 4));
    }

    // covers: DeviceMemoryPool(), DeviceMemoryPool.allocate(size), DeviceMemoryPool.held_blocks
    // covers: DeviceMemoryPool.active_blocks, DeviceMemoryPool.managed_bytes, DeviceMemoryPool.active_bytes
    // covers: DeviceMemoryPool.free_held(), PooledDeviceAllocation, PooledDeviceAllocation.free()
    // covers: PooledDeviceAllocation.__int__, PooledDeviceAllocation.__long__, PooledDeviceAllocation.__index__
    // covers: PooledDeviceAllocation.__len__
    void device_blocks_are_used_again() {
        DeviceMemoryPool pool;
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        PooledDeviceAllocation a = pool.allocate(1000);
        QCOMPARE(a.size(), std::size_t{1000});
        QVERIFY(a.get() != 0);
        QCOMPARE(pool.active_blocks(), std::size_t{1});
        QCOMPARE(pool.active_bytes(), std::size_t{1000});
        QCOMPARE(pool.managed_bytes(), MemoryPool::alloc_size(MemoryPool::bin_number(1000)));
        const device_ptr address = a.get();
        a.free();
        QCOMPARE(a.get(), device_ptr{0});
        QCOMPARE(a.size(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, a.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)static_cast<DevicePointer>(a));
        QVERIFY_THROWS_EXCEPTION(LogicError, PooledDeviceAllocation().free());
        QCOMPARE(pool.active_blocks(), std::size_t{0});
        QCOMPARE(pool.active_bytes(), std::size_t{0});
        QCOMPARE(pool.held_blocks(), std::size_t{1});
        {
            // Another size of the same bin gets the same block.
            const PooledDeviceAllocation b = pool.allocate(1001);
            QCOMPARE(b.get(), address);
            QCOMPARE(pool.held_blocks(), std::size_t{0});
            const PooledDeviceAllocation c = pool.allocate(1001);
            QVERIFY(c.get() != address);
            QCOMPARE(pool.active_blocks(), std::size_t{2});
        }
        QCOMPARE(pool.held_blocks(), std::size_t{2});
        const std::size_t managed = pool.managed_bytes();
        PooledDeviceAllocation large = pool.allocate(100000);
        QCOMPARE(pool.managed_bytes(), managed + MemoryPool::alloc_size(MemoryPool::bin_number(100000)));
        pool.free_held();
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        QCOMPARE(pool.managed_bytes(), MemoryPool::alloc_size(MemoryPool::bin_number(100000)));
        QVERIFY(pool.allocate(0).get() != 0);
    }

    // covers: DeviceMemoryPool.stop_holding()
    void stopped_pools_keep_nothing() {
        DeviceMemoryPool pool;
        PooledDeviceAllocation a = pool.allocate(5000), b = pool.allocate(5000);
        a.free();
        QCOMPARE(pool.held_blocks(), std::size_t{1});
        pool.stop_holding();
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        b.free();
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        QCOMPARE(pool.managed_bytes(), std::size_t{0});
        // It still gives memory out.
        PooledDeviceAllocation c = pool.allocate(10);
        QVERIFY(c);
        c.free();
        QCOMPARE(pool.managed_bytes(), std::size_t{0});
    }

    void pooled_memory_works_as_device_memory() {
        DeviceMemoryPool pool;
        const std::vector<float> x = {1, 2, 3, 4};
        std::vector<float> y = {10, 20, 30, 40};
        PooledDeviceAllocation dx = pool.allocate(16), dy = pool.allocate(16);
        memcpy_htod(dx, x);
        memcpy_htod(dy, y);
        const Module module = module_from_buffer(std::string_view(kKernels));
        module.get_function("saxpy")({.grid = {1}, .block = {32}}, 4, 2.0f, dx, dy);
        memcpy_dtoh(y, dy);
        QCOMPARE(y, (std::vector<float>{12, 24, 36, 48}));
        // What lies behind the bytes that were asked for belongs to the block, but not to the caller.
        std::vector<float> more(5);
        QVERIFY_THROWS_EXCEPTION(LogicError, memcpy_dtoh(more, dy));
        memset_d8(DevicePointer(dx) + 8, 0, 8);
        std::vector<float> back(4);
        memcpy_dtoh(back, dx);
        QCOMPARE(back, (std::vector<float>{1, 2, 0, 0}));
    }

    void out_of_memory_frees_what_is_held() {
        const MemoryInfo info = mem_get_info();
        DeviceMemoryPool pool;
        // Two blocks that together fill most of the device, in different bins.
        const std::size_t size = info.free / 5 * 2;
        std::optional<PooledDeviceAllocation> small = pool.allocate(4096);
        std::optional<PooledDeviceAllocation> a = pool.allocate(size);
        a.reset();
        small.reset();
        QCOMPARE(pool.held_blocks(), std::size_t{2});
        // Fits only without the first: the largest held block goes first, the small one stays.
        PooledDeviceAllocation b = pool.allocate(info.free / 4 * 3);
        QVERIFY(b);
        QCOMPARE(pool.held_blocks(), std::size_t{1});
        try {
            (void)pool.allocate(info.free / 4 * 3 + info.free / 8);
            QFAIL("more memory than the device has");
        } catch (const MemoryError& error) {
            QVERIFY2(std::strstr(error.what(), "1 blocks of the pool are in use"), error.what());
        }
        QCOMPARE(pool.held_blocks(), std::size_t{0}); // all were tried
        QCOMPARE(pool.active_blocks(), std::size_t{1});
        QVERIFY_THROWS_EXCEPTION(MemoryError, (void)pool.allocate(std::numeric_limits<std::size_t>::max() / 2));
        b.free();
        pool.free_held();
    }

    // covers: PageLockedAllocator(flags=0), PageLockedMemoryPool(allocator=PageLockedAllocator())
    // covers: PageLockedMemoryPool.allocate(shape, dtype, order="C"), PageLockedMemoryPool.held_blocks
    // covers: PageLockedMemoryPool.active_blocks, PageLockedMemoryPool.managed_bytes, PageLockedMemoryPool.active_bytes
    // covers: PageLockedMemoryPool.free_held, PageLockedMemoryPool.stop_holding
    // covers: PooledHostAllocation, PooledHostAllocation.free(), PooledHostAllocation.__len__
    void host_blocks() {
        const PageLockedAllocator allocator(host_alloc_flags::DEVICEMAP);
        QCOMPARE(allocator.flags(), host_alloc_flags::DEVICEMAP);
        PageLockedMemoryPool pool(allocator);
        {
            NdArray array = pool.allocate({4, 6}, DType::float32(), warplight::Order::F);
            QCOMPARE(array.shape(), (warplight::Shape{4, 6}));
            QCOMPARE(array.order(), warplight::Order::F);
            auto& memory = host_memory<PooledHostAllocation>(array);
            QCOMPARE(memory.size(), std::size_t{96});
            QCOMPARE(pool.active_blocks(), std::size_t{1});
            QCOMPARE(pool.active_bytes(), std::size_t{96});
            QCOMPARE(pool.managed_bytes(), MemoryPool::alloc_size(MemoryPool::bin_number(96)));
            // The host writes, the device reads the same memory.
            std::memset(memory.data(), 0x5a, 96);
            std::vector<unsigned char> bytes(96);
            memcpy_dtoh(bytes, memory.get_device_pointer());
            QCOMPARE(bytes, std::vector<unsigned char>(96, 0x5a));
        }
        QCOMPARE(pool.active_blocks(), std::size_t{0});
        QCOMPARE(pool.held_blocks(), std::size_t{1});
        NdArray again = pool.allocate({96}, DType::uint8());
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        auto& memory = host_memory<PooledHostAllocation>(again);
        memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.get_device_pointer());
        QCOMPARE(pool.held_blocks(), std::size_t{1});
        pool.free_held();
        QCOMPARE(pool.managed_bytes(), std::size_t{0});
        pool.stop_holding();
        {
            const NdArray last = pool.allocate({1}, DType::float64());
        }
        QCOMPARE(pool.held_blocks(), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pool.allocate({1ll << 40, 1ll << 40}, DType::float64()));
    }

    void pools_and_contexts() {
        std::optional<PooledDeviceAllocation> left;
        {
            Context other = Device(0, test_driver()).make_context();
            DeviceMemoryPool pool;
            left.emplace(pool.allocate(64));
            Context::pop();
            // The pool's own context is used, whatever is current.
            const PooledDeviceAllocation more = pool.allocate(64);
            QVERIFY(more);
            other.detach();
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)pool.allocate(1 << 20));
        }
        left.reset(); // gone with its context; nothing to complain about
        Context::pop();
        QVERIFY_THROWS_EXCEPTION(LogicError, DeviceMemoryPool());
        QVERIFY_THROWS_EXCEPTION(LogicError, PageLockedMemoryPool());
        context_->push();
    }

    void threads_share_a_pool() {
        DeviceMemoryPool pool;
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 200; ++i) {
                    const std::size_t size = static_cast<std::size_t>(i % 17 + t) * 40 + 1;
                    PooledDeviceAllocation a = pool.allocate(size);
                    if (a.size() != size) ++wrong;
                    if (i % 3 == 0) a.free();
                }
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(pool.active_blocks(), std::size_t{0});
        QCOMPARE(pool.active_bytes(), std::size_t{0});
        QVERIFY(pool.held_blocks() > 0);
    }
};

QTEST_GUILESS_MAIN(InterfacePoolTest)
#include "interface_pool_test.moc"
