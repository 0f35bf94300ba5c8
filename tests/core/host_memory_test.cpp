// SPDX-License-Identifier: Apache-2.0
// Host memory that devices reach, and pointers of other libraries, on the device that WARPLIGHT_TEST_DRIVER names.
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <typeinfo>

#ifdef Q_OS_UNIX
#include <pthread.h>
#include <sys/mman.h>
#endif

using namespace warplight::driver;
using warplight::DType;
using warplight::MutableBuffer;
using warplight::NdArray;
using warplight::Order;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

/// Memory that belongs to somebody else.
class Borrowed : public PointerHolderBase {
public:
    explicit Borrowed(device_ptr address) : address_(address) {}
    device_ptr get_pointer() const override { return address_; }

private:
    device_ptr address_;
};

device_ptr address_of(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

} // namespace

class HostMemoryTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;

    /// y += 2 x over both arrays, which a kernel can reach.
    void saxpy(const Argument& x, const Argument& y, unsigned count) const {
        module_->get_function("saxpy")({.grid = {(count + 63) / 64}, .block = {64}}, count, 2.0F, x, y);
        context_->synchronize();
    }

private slots:
    void initTestCase() {
        context_.emplace(Device(0, test_driver()).make_context());
        module_.emplace(module_from_buffer(std::string_view(kKernels)));
    }
    void cleanupTestCase() {
        module_.reset();
        context_->detach();
    }

    // covers: DeviceAllocation.as_buffer(size, offset=0), DeviceAllocation.__int__, DeviceAllocation.__long__
    // covers: DeviceAllocation.__index__
    void device_allocation_as_a_buffer() {
        DeviceAllocation memory = mem_alloc(64);
        const device_ptr address = memory.get();
        QVERIFY(address != 0);
        QCOMPARE(DevicePointer(memory).get(), address);
        QCOMPARE((memory + 8).get(), address + 8);
        QCOMPARE(mem_get_address_range(address).base, address);
        const MutableBuffer whole = memory.as_buffer(64), part = memory.as_buffer(16, 48),
                            none = memory.as_buffer(0, 64);
        QCOMPARE(address_of(whole.data), address);
        QCOMPARE(whole.size, std::size_t{64});
        QCOMPARE(address_of(part.data), address + 48);
        QCOMPARE(part.size, std::size_t{16});
        QCOMPARE(none.size, std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.as_buffer(65));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.as_buffer(17, 48));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.as_buffer(0, 65));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.as_buffer(2, std::numeric_limits<std::size_t>::max()));
        memory.free();
        QCOMPARE(memory.get(), device_ptr{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.as_buffer(1));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)DeviceAllocation().as_buffer(0));
    }

    // covers: PointerHolderBase, PointerHolderBase.get_pointer(), PointerHolderBase.as_buffer(size, offset=0)
    // covers: PointerHolderBase.__int__, PointerHolderBase.__long__, PointerHolderBase.__index__
    void pointers_of_other_libraries() {
        const NdArray x = NdArray::from({1.0F, 2.0F, 3.0F, 4.0F}), y = NdArray::from({10.0F, 20.0F, 30.0F, 40.0F});
        const DeviceAllocation memory = to_device(x), other = to_device(y);
        const Borrowed left(memory.get()), right(other.get());
        const PointerHolderBase& base = left;
        QCOMPARE(base.get_pointer(), memory.get());
        QCOMPARE(base.get(), memory.get());
        QCOMPARE(static_cast<DevicePointer>(base).get(), memory.get());
        QCOMPARE((left + 4).get(), memory.get() + 4);
        // In copies, fills and launches as any other device memory.
        saxpy(left, right, 4);
        const NdArray back = from_device(right, {4}, DType::float32());
        QVERIFY(std::ranges::equal(back.as<float>(), std::vector<float>{12, 24, 36, 48}));
        memset_d32(left + 4, 0x40A00000U, 1); // 5
        memcpy_dtod(right, left, 8);
        QVERIFY(std::ranges::equal(from_device(right, {4}, DType::float32()).as<float>(),
                                   std::vector<float>{1, 5, 36, 48}));
        const MutableBuffer buffer = left.as_buffer(8, 4);
        QCOMPARE(address_of(buffer.data), memory.get() + 4);
        QCOMPARE(buffer.size, std::size_t{8});
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)Borrowed(0).as_buffer(4));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)left.as_buffer(1, std::numeric_limits<std::size_t>::max()));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)left.as_buffer(std::numeric_limits<std::size_t>::max()));
        // What is no memory of the device is refused by the driver.
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(Borrowed(0), 0, 1));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)mem_get_address_range(Borrowed(4096)));
        // Managed memory is the host's too.
        const NdArray managed = managed_zeros({4}, DType::float32());
        const Borrowed shared(host_memory<ManagedAllocation>(managed).get_device_pointer());
        memset_d32(shared, 0x3F800000U, 4);
        context_->synchronize();
        float values[4] = {};
        std::memcpy(values, shared.as_buffer(16).data, 16);
        QVERIFY(std::ranges::equal(values, std::vector<float>{1, 1, 1, 1}));
    }

    // covers: pagelocked_empty(shape, dtype, order="C", mem_flags=0), pagelocked_empty_like(array, mem_flags=0)
    // covers: pagelocked_zeros_like(array, mem_flags=0), HostPointer, HostPointer.get_device_pointer()
    void pagelocked() {
        const unsigned mapped = host_alloc_flags::DEVICEMAP;
        NdArray x = pagelocked_empty({8, 4}, DType::float32(), Order::F, mapped);
        QVERIFY(x.is_f_contiguous());
        QCOMPARE(x.nbytes(), std::size_t{128});
        std::iota(x.as_mutable<float>().begin(), x.as_mutable<float>().end(), 0.0F);
        const NdArray y = pagelocked_zeros_like(x, mapped), z = pagelocked_empty_like(x);
        QVERIFY(y.shape() == x.shape() && z.shape() == x.shape() && y.dtype() == x.dtype() && z.dtype() == x.dtype());
        QVERIFY(y.is_f_contiguous() && !y.is_c_contiguous() && z.is_f_contiguous());
        QVERIFY(std::ranges::all_of(y.as<float>(), [](float value) { return value == 0; }));
        const HostPointer& memory = host_pointer(x);
        QVERIFY(memory.data() == x.data());
        QVERIFY(memory.get_device_pointer() != 0);
        QVERIFY((host_memory<PagelockedHostAllocation>(x).get_flags() & mapped) != 0);
        saxpy(memory.get_device_pointer(), y, 32);
        for (unsigned i = 0; i < 32; ++i)
            QCOMPARE(y.as<float>()[i], 2.0F * static_cast<float>(i));
        // Views reach the same memory, at their own place.
        const NdArray row = x.transpose().slice(0, 1, 1);
        QVERIFY(&host_pointer(row) == &memory);
        // Misuse.
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pagelocked_empty_like(x.slice(0, 0, 2)));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pagelocked_empty({4}, DType::float32(), Order::C, 0x80));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)pagelocked_zeros_like(x, 0x80));
        QVERIFY_THROWS_EXCEPTION(std::bad_cast, (void)host_memory<ManagedAllocation>(x));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)host_pointer(NdArray::zeros({4}, DType::float32())));
        auto& owner = host_memory<PagelockedHostAllocation>(z);
        owner.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, owner.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)owner.get_device_pointer());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)owner.get_flags());
    }

    // covers: aligned_empty_like(array, alignment=4096), aligned_zeros_like(array, alignment=4096)
    // covers: AlignedHostAllocation, AlignedHostAllocation.free(), RegisteredHostMemory.base
    void aligned_and_registered() {
        const NdArray model = NdArray::zeros({16, 8}, DType::int32(), Order::F);
        const NdArray empty = aligned_empty_like(model), zeros = aligned_zeros_like(model, 1 << 16);
        QVERIFY(empty.is_f_contiguous() && empty.shape() == model.shape() && empty.dtype() == model.dtype());
        QCOMPARE(address_of(empty.data()) % 4096, device_ptr{0});
        QCOMPARE(address_of(zeros.data()) % (1 << 16), device_ptr{0});
        QVERIFY(std::ranges::all_of(zeros.as<std::int32_t>(), [](std::int32_t value) { return value == 0; }));
        auto& memory = host_memory<AlignedHostAllocation>(zeros);
        QCOMPARE(memory.alignment(), std::size_t{1} << 16);
        QVERIFY(memory.data() == zeros.data());
        for (const std::size_t wrong : {0U, 3U, 12U})
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)aligned_empty_like(model, wrong));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)aligned_zeros_like(model.slice(0, 0, 4)));
        {
            const unsigned mapped = mem_host_register_flags::DEVICEMAP;
            const NdArray registered = register_host_memory(zeros, mapped);
            auto& registration = host_memory<RegisteredHostMemory>(registered);
            QVERIFY(registration.base().data() == zeros.data());
            QVERIFY(registration.base().shape() == zeros.shape());
            QVERIFY(registration.base().base() == zeros.base());
            QVERIFY(registration.data() == zeros.data() && registered.data() == zeros.data());
            QVERIFY(registered.is_f_contiguous());
            // Under its other name it has a device address now too.
            QCOMPARE(memory.get_device_pointer(), registration.get_device_pointer());
            memset_d32(registration.get_device_pointer(), 7, 128);
            context_->synchronize();
            QVERIFY(std::ranges::all_of(zeros.as<std::int32_t>(), [](std::int32_t value) { return value == 7; }));
            registration.unregister();
            QVERIFY_THROWS_EXCEPTION(LogicError, registration.unregister());
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)registration.get_device_pointer());
        }
        memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.get_device_pointer());
    }

    /// Memory of the heap may begin where the stack of a thread ends. On Windows a stack cannot be placed.
    void registered_beside_a_stack() {
#ifdef Q_OS_UNIX
        constexpr std::size_t kStack = std::size_t{1} << 20, kPage = 4096, kCount = 256;
        void* const pages = mmap(nullptr, kStack + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        QVERIFY(pages != MAP_FAILED);
        struct Work {
            const Context& context;
            std::uint32_t* words;
            std::string wrong;
        } work{*context_, reinterpret_cast<std::uint32_t*>(static_cast<std::byte*>(pages) + kStack), {}};
        pthread_attr_t attributes;
        QCOMPARE(pthread_attr_init(&attributes), 0);
        QCOMPARE(pthread_attr_setstack(&attributes, pages, kStack), 0);
        pthread_t thread{};
        const auto body = [](void* data) -> void* {
            auto& [context, words, wrong] = *static_cast<Work*>(data);
            try {
                const ContextScope scope(context);
                const NdArray plain = NdArray::wrap(words, {kCount}, DType::uint32(), Order::C, nullptr);
                const NdArray registered = register_host_memory(plain, mem_host_register_flags::DEVICEMAP);
                memset_d32(host_memory<RegisteredHostMemory>(registered).get_device_pointer(), 7, kCount);
                context.synchronize();
            } catch (const std::exception& error) {
                wrong = error.what();
            }
            return nullptr;
        };
        QCOMPARE(pthread_create(&thread, &attributes, body, &work), 0);
        QCOMPARE(pthread_join(thread, nullptr), 0);
        pthread_attr_destroy(&attributes);
        QCOMPARE(work.wrong, std::string());
        QVERIFY(std::all_of(work.words, work.words + kCount, [](std::uint32_t word) { return word == 7; }));
        munmap(pages, kStack + kPage);
#else
        QSKIP("stacks are not placed here");
#endif
    }

    /// A fill without a stream is done when it returns, where the host reads the memory itself.
    void fills_of_host_memory_are_waited_for() {
        const NdArray pinned = pagelocked_zeros({256}, DType::int32(), Order::C, host_alloc_flags::DEVICEMAP);
        const NdArray managed = managed_zeros({256}, DType::int32());
        const device_ptr addresses[] = {host_memory<PagelockedHostAllocation>(pinned).get_device_pointer(),
                                        host_memory<ManagedAllocation>(managed).get_device_pointer()};
        const NdArray* arrays[] = {&pinned, &managed};
        const Stream stream;
        for (int i = 0; i < 2; ++i) {
            stream.launch_host_func([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
            memset_d32(Borrowed(addresses[i]), 7, 256);
            QVERIFY(std::ranges::all_of(arrays[i]->as<std::int32_t>(), [](std::int32_t value) { return value == 7; }));
            stream.launch_host_func([] { std::this_thread::sleep_for(std::chrono::milliseconds(30)); });
            memset_d2d8(Borrowed(addresses[i]), 512, 1, 512, 2);
            QVERIFY(std::ranges::all_of(arrays[i]->as<std::int32_t>(),
                                        [](std::int32_t value) { return value == 0x01010101; }));
        }
    }

    // covers: managed_empty(shape, dtype, order="C", mem_flags=0), managed_empty_like(array, mem_flags=0)
    // covers: managed_zeros_like(array, mem_flags=0), ManagedAllocation, ManagedAllocation.free()
    // covers: ManagedAllocation.get_device_pointer(), ManagedAllocation.attach(mem_flags, stream=None)
    // covers: ManagedAllocationOrStub
    void managed() {
        const unsigned count = 1000;
        const NdArray x = managed_empty({count}, DType::float32(), Order::C, mem_attach_flags::GLOBAL);
        const NdArray y = managed_zeros_like(x, mem_attach_flags::HOST), z = managed_empty_like(x);
        QVERIFY(y.shape() == x.shape() && y.dtype() == x.dtype() && z.nbytes() == x.nbytes());
        std::iota(x.as_mutable<float>().begin(), x.as_mutable<float>().end(), 0.0F);
        QVERIFY(std::ranges::all_of(y.as<float>(), [](float value) { return value == 0; }));
        auto& memory = host_memory<ManagedAllocationOrStub>(y);
        QCOMPARE(memory.get_device_pointer(), address_of(y.data()));
        QCOMPARE(static_cast<DevicePointer>(memory).get(), address_of(y.data()));
        QCOMPARE(memory.size(), std::size_t{4 * count});
        memory.attach(mem_attach_flags::GLOBAL);
        context_->synchronize();
        saxpy(x, y, count);
        for (unsigned i = 0; i < count; ++i)
            QCOMPARE(y.as<float>()[i], 2.0F * static_cast<float>(i));
        const Stream stream;
        memory.attach(mem_attach_flags::SINGLE, &stream);
        stream.synchronize();
        memory.attach(mem_attach_flags::HOST, &stream);
        memory.attach(mem_attach_flags::GLOBAL, &stream);
        stream.synchronize();
        // Misuse.
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.attach(0, &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.attach(mem_attach_flags::GLOBAL | mem_attach_flags::HOST, &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.attach(0x10, &stream));
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.attach(mem_attach_flags::SINGLE));
        for (const unsigned wrong : {0U, 4U, 3U, 8U})
            QVERIFY_THROWS_EXCEPTION(LogicError, (void)managed_empty({4}, DType::float32(), Order::C, wrong));
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)managed_zeros_like(x.slice(0, 0, 10, 2)));
        memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free());
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)memory.get_device_pointer());
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.attach(mem_attach_flags::GLOBAL));
        // Freed with the last array that uses it.
        const device_ptr address = address_of(z.data());
        QCOMPARE(mem_get_address_range(address).base, address);
        {
            const NdArray view = managed_zeros_like(x).slice(0, 4, 8);
            QCOMPARE(mem_get_address_range(address_of(view.data())).size, std::size_t{4 * count});
        }
    }

    /// Memory outlives its context harmlessly, and says so when it is used.
    void after_the_context() {
        Context other = Device(0, test_driver()).make_context();
        const NdArray locked = pagelocked_zeros({4}, DType::float32()), managed = managed_zeros({4}, DType::float32());
        auto& locked_memory = host_memory<PagelockedHostAllocation>(locked);
        auto& managed_memory = host_memory<ManagedAllocation>(managed);
        other.detach();
        QVERIFY_THROWS_EXCEPTION(LogicError, (void)locked_memory.get_flags());
        QVERIFY_THROWS_EXCEPTION(LogicError, managed_memory.attach(mem_attach_flags::GLOBAL));
        locked_memory.free();
        managed_memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, managed_memory.free());
    }
};

QTEST_GUILESS_MAIN(HostMemoryTest)
#include "host_memory_test.moc"
