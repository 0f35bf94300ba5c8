// SPDX-License-Identifier: Apache-2.0
// The device interface on a device: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a GPU.
#include "driver/entry_points.hpp"
#include "interface_kernels.hpp"
#include "warplight/context.hpp"
#include "warplight/error.hpp"
#include "warplight/event.hpp"
#include "warplight/file_io.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"
#include "warplight/version.hpp"

#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <filesystem>
#include <numeric>
#include <thread>

using namespace warplight::driver;
using warplight::DType;
using warplight::NdArray;
using warplight::Order;

namespace {

Driver test_driver() {
    const QByteArray name = qgetenv("WARPLIGHT_TEST_DRIVER");
    return Driver::from_name(name.isEmpty() ? "software" : name.toStdString());
}

template <class Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const LogicError& error) {
        return error.what();
    }
    return "";
}

std::vector<float> ramp(std::size_t count, float step) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<float>(i) * step;
    return values;
}

} // namespace

class InterfaceTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;

private slots:
    void initTestCase() {
        const Driver driver = test_driver();
        if (!driver.available())
            qFatal("driver %s: %s", driver.library().c_str(), driver.unavailable_because().c_str());
        Driver::set_default(driver);
        // A driver from 11.0 up has what is required, the software device everything.
        for (const std::string& name : driver.missing_entry_points(driver.name() == "software"))
            QVERIFY2(false, ("the driver lacks " + name).c_str());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kKernels));
    }
    void cleanupTestCase() {
        module_.reset();
        Context::pop();
        context_.reset();
        QVERIFY(!Context::get_current());
    }

    // covers: Device(number), Device(pci_bus_id), Device.count(), Device.name(), Device.pci_bus_id()
    // covers: Device.compute_capability(), Device.total_memory(), Device.get_attribute(attr)
    // covers: Device.get_attributes(), Device.<attribute>, Device.__eq__
    void devices() {
        const int count = Device::count();
        QVERIFY(count >= 1);
        for (int number = 0; number < count; ++number) {
            const Device device(number);
            QVERIFY(!device.name().empty());
            QVERIFY(device.total_memory() > (std::size_t{1} << 20));
            const auto [major, minor] = device.compute_capability();
            QVERIFY(major >= 5 && minor >= 0 && minor < 10);
            QCOMPARE(device.warp_size(), 32);
            const auto attributes = device.get_attributes();
            QVERIFY(attributes.size() > 80);
            const auto attribute = [&](device_attribute wanted) {
                for (const auto& [each, value] : attributes)
                    if (each == wanted) return value;
                return -1;
            };
            QCOMPARE(attribute(device_attribute::COMPUTE_CAPABILITY_MAJOR), major);
            QCOMPARE(attribute(device_attribute::MAX_THREADS_PER_BLOCK), 1024);
            QVERIFY(Device(device.pci_bus_id()) == device);
            QCOMPARE(device.uuid().size(), std::size_t{36});
        }
        QVERIFY_THROWS_EXCEPTION(LogicError, Device{count});
        QVERIFY_THROWS_EXCEPTION(LogicError, Device{-1});
        QVERIFY_THROWS_EXCEPTION(LogicError, Device{"no bus id"});
        QVERIFY(get_driver_version() >= 11000);
    }

    // covers: Device.make_context(flags=0), Device.retain_primary_context(), Context.detach(), Context.pop()
    // covers: Context.get_current(), Context.get_device(), Context.synchronize(), Context.set_limit(limit, value)
    // covers: Context.get_limit(limit), Context.get_api_version(), Context.__eq__
    void contexts() {
        QVERIFY(Context::get_current() == *context_);
        QVERIFY(context_->get_device() == Device(0));
        QVERIFY(context_->get_api_version() >= 3010);
        context_->synchronize();
        const std::size_t heap = context_->get_limit(limit::MALLOC_HEAP_SIZE);
        context_->set_limit(limit::MALLOC_HEAP_SIZE, 2 * heap);
        QVERIFY(context_->get_limit(limit::MALLOC_HEAP_SIZE) >= 2 * heap);
        context_->set_cache_config(func_cache::PREFER_L1);
        context_->get_cache_config();
        {
            Context other = Device(0).make_context();
            QVERIFY(Context::get_current() == other);
            const DeviceAllocation memory = mem_alloc(64);
            Context::pop();
            QVERIFY(Context::get_current() == *context_);
            // Memory of another context is used through its own.
            memcpy_htod(memory, std::vector<int>(16, 3));
            std::vector<int> back(16);
            memcpy_dtoh(back, memory);
            QCOMPARE(back[15], 3);
            other.detach();
            QVERIFY_THROWS_EXCEPTION(LogicError, other.synchronize());
            QVERIFY_THROWS_EXCEPTION(LogicError, memcpy_dtoh(back, memory));
        }
        const Context primary = Device(0).retain_primary_context();
        QVERIFY(Context::get_current() == *context_);
        {
            const ContextScope scope(primary);
            QVERIFY(Context::get_current() == primary);
            QVERIFY(mem_get_info().total > 0);
        }
        QVERIFY(Context::get_current() == *context_);
    }

    // covers: Stream(flags=0), Stream.synchronize(), Stream.is_done(), Stream.wait_for_event(evt), Event(flags=0)
    // covers: Event.record(stream=None), Event.synchronize(), Event.query(), Event.time_since(event)
    // covers: Event.time_till(event)
    void streams_and_events() {
        Stream one(stream_flags::NON_BLOCKING), two(stream_flags::NON_BLOCKING, -1);
        QVERIFY(one.describe().find("context") != std::string::npos);
        Event start, middle, end;
        const std::size_t bytes = std::size_t{16} << 20;
        const DeviceAllocation memory = mem_alloc(bytes);
        start.record(one);
        memset_d32_async(memory, 1, bytes / 4, &one);
        middle.record(one);
        two.wait_for_event(middle); // the second fill comes after the first
        memset_d32_async(memory, 2, bytes / 4, &two);
        end.record(two);
        end.synchronize();
        QVERIFY(end.query());
        QVERIFY(one.is_done());
        two.synchronize();
        QVERIFY(two.is_done());
        QVERIFY(middle.time_since(start) >= 0.0f);
        QVERIFY(start.time_till(end) >= start.time_till(middle));
        std::vector<std::uint32_t> values(bytes / 4);
        memcpy_dtoh(values, memory);
        QVERIFY(std::all_of(values.begin(), values.end(), [](auto v) { return v == 2; }));
        const Event never;
        QVERIFY_THROWS_EXCEPTION(LogicError, never.time_since(start));
        QVERIFY_THROWS_EXCEPTION(LogicError,
                                 Event(event_flags::DISABLE_TIMING).record().synchronize().time_since(start));
    }

    // covers: mem_get_info(), mem_alloc(bytes), mem_alloc_pitch(width, height, access_size)
    // covers: mem_get_address_range(ptr), DeviceAllocation.free(), memset_d2d8(dest, pitch, data, width, height)
    void memory() {
        const MemoryInfo before = mem_get_info();
        QVERIFY(before.free > 0 && before.free <= before.total);
        DeviceAllocation memory = mem_alloc(1 << 20);
        const AddressRange range = mem_get_address_range(memory + 1000);
        QCOMPARE(range.base, memory.get());
        QCOMPARE(range.size, std::size_t{1} << 20);
        memory.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, memory.free());
        QVERIFY_THROWS_EXCEPTION(MemoryError, mem_alloc(before.total * 2));
        QVERIFY_THROWS_EXCEPTION(LogicError, mem_alloc(0));
        const PitchedAllocation pitched = mem_alloc_pitch(100, 7, 4);
        QVERIFY(pitched.pitch >= 100);
        memset_d8(pitched.allocation, 0, pitched.pitch * 7);
        memset_d2d8(pitched.allocation, pitched.pitch, 9, 100, 7);
        std::vector<std::uint8_t> bytes(pitched.pitch * 7);
        memcpy_dtoh(bytes, pitched.allocation);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            QCOMPARE(bytes[i], i % pitched.pitch < 100 ? 9 : 0);
    }

    // covers: memset_d8(dest, data, size), memset_d16(dest, data, size), memset_d32(dest, data, size)
    // covers: memset_d8_async, memset_d16_async, memset_d32_async, memset_d2d8_async, memset_d2d16_async
    // covers: memset_d2d32_async, memset_d2d16, memset_d2d32
    void fills() {
        const DeviceAllocation memory = mem_alloc(64);
        std::vector<std::uint8_t> bytes(64);
        const auto check = [&](auto expected) {
            memcpy_dtoh(bytes, memory);
            for (std::size_t i = 0; i < bytes.size(); ++i)
                QCOMPARE(static_cast<int>(bytes[i]), expected(i));
        };
        memset_d8(memory, 0xab, 64);
        check([](std::size_t) { return 0xab; });
        memset_d16(memory + 2, 0x1234, 3);
        check([](std::size_t i) { return i < 2 || i >= 8 ? 0xab : i % 2 ? 0x12 : 0x34; });
        memset_d32(memory, 0x01020304, 16);
        check([](std::size_t i) { return 4 - static_cast<int>(i % 4); });
        const Stream stream;
        memset_d8_async(memory, 1, 64, &stream);
        memset_d16_async(memory, 0x0202, 16, &stream);
        memset_d32_async(memory, 0x03030303, 4, &stream);
        memset_d2d16_async(memory + 32, 16, 0x0404, 2, 2, &stream);
        memset_d2d32_async(memory + 36, 16, 0x05050505, 1, 2, &stream);
        memset_d2d8_async(memory + 40, 16, 6, 1, 2, &stream);
        stream.synchronize();
        check([](std::size_t i) {
            if (i < 16) return 3;
            if (i < 32) return 2;
            const std::size_t column = i % 16;
            return column < 4 ? 4 : column < 8 ? 5 : column < 9 ? 6 : 1;
        });
        memset_d2d16(memory, 32, 0x0707, 16, 2);
        memset_d2d32(memory, 32, 0x08080808, 1, 2);
        check([](std::size_t i) { return i % 32 < 4 ? 8 : 7; });
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d8(memory, 0, 65));
        QVERIFY_THROWS_EXCEPTION(LogicError, memset_d32(memory + 4, 0, 16));
    }

    // covers: to_device(buffer), from_device(devptr, shape, dtype, order="C"), from_device_like(devptr, other_ary)
    // covers: mem_alloc_like(ary), memcpy_htod(dest, src), memcpy_htod_async, memcpy_dtoh(dest, src)
    // covers: memcpy_dtoh_async, memcpy_dtod(dest, src, size), memcpy_dtod_async
    void copies() {
        const NdArray a = NdArray::from(ramp(1000, 0.5f), {10, 100});
        const DeviceAllocation memory = to_device(a), other = mem_alloc_like(a);
        memcpy_dtod(other, memory, a.nbytes());
        const NdArray back = from_device_like(other, a);
        QVERIFY(back.shape() == a.shape());
        QCOMPARE((back.at<float>(9, 99)), 499.5f);
        const NdArray fortran = from_device(other, {10, 100}, DType::float32(), Order::F);
        QCOMPARE((fortran.at<float>(1, 0)), 0.5f);
        const Stream stream;
        const NdArray b = NdArray::zeros({1000}, DType::float32());
        memcpy_htod_async(memory, b, &stream);
        memcpy_dtod_async(other, memory, 2000, &stream);
        memcpy_dtoh_async(b, other, &stream);
        stream.synchronize();
        QCOMPARE(b.item(499), 0.0);
        QCOMPARE(b.item(500), 250.0);
        QVERIFY_THROWS_EXCEPTION(LogicError, memcpy_htod(memory, std::vector<float>(1001)));
        QVERIFY_THROWS_EXCEPTION(LogicError, memcpy_dtoh(b.as_readonly(), memory));
        QVERIFY_THROWS_EXCEPTION(LogicError, memcpy_htod(memory, a.transpose().slice(0, 0, 5, 2)));
    }

    // covers: pagelocked_zeros, PagelockedHostAllocation, HostAllocation, PagelockedHostAllocation.free()
    // covers: PagelockedHostAllocation.get_flags(), aligned_zeros, aligned_empty
    // covers: register_host_memory(ary, flags=0), RegisteredHostMemory, RegisteredHostMemory.unregister()
    // covers: managed_zeros
    void host_memory() {
        const NdArray locked = pagelocked_zeros({256}, DType::float32(), Order::C, host_alloc_flags::DEVICEMAP);
        auto& allocation = warplight::driver::host_memory<PagelockedHostAllocation>(locked);
        QVERIFY(allocation.get_flags() & host_alloc_flags::DEVICEMAP);
        const Function saxpy = module_->get_function("saxpy");
        const DeviceAllocation x = to_device(ramp(256, 1));
        saxpy({.grid = {1}, .block = {256}}, 256, 2.0f, x, locked); // the array's own device address
        context_->synchronize();
        QCOMPARE(locked.at<float>(255), 510.0f);
        const NdArray plain = warplight::driver::aligned_zeros({1024}, DType::float32());
        QCOMPARE(reinterpret_cast<std::uintptr_t>(plain.data()) % 4096, std::uintptr_t{0});
        QVERIFY_THROWS_EXCEPTION(LogicError, aligned_empty({1}, DType::int8(), Order::C, 3));
        QVERIFY_THROWS_EXCEPTION(LogicError, host_pointer(NdArray::zeros({1}, DType::float32())));
        QVERIFY_THROWS_EXCEPTION(LogicError, host_pointer(plain).get_device_pointer()); // not yet
        {
            const NdArray registered = register_host_memory(plain, mem_host_register_flags::DEVICEMAP);
            saxpy({.grid = {1}, .block = {256}}, 256, 3.0f, x, registered);
            context_->synchronize();
            QCOMPARE(plain.at<float>(10), 30.0f); // the same memory
            QVERIFY_THROWS_EXCEPTION(LogicError, register_host_memory(plain));
            auto& memory = warplight::driver::host_memory<RegisteredHostMemory>(registered);
            memory.unregister();
            QVERIFY_THROWS_EXCEPTION(LogicError, memory.unregister());
        }
        register_host_memory(plain); // and once more, after it was given back
        const NdArray managed = managed_zeros({256}, DType::float32());
        saxpy({.grid = {1}, .block = {256}}, 256, 4.0f, x, managed);
        context_->synchronize();
        QCOMPARE(managed.at<float>(100), 400.0f);
        allocation.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, allocation.free());
    }

    // covers: Module.get_function(name), Module.get_global(name), module_from_file(filename)
    void modules() {
        const auto functions = module_->functions();
        for (const char* name : {"saxpy", "add_up", "reverse", "variables", "wild", "nothing"})
            QVERIFY2(std::count(functions.begin(), functions.end(), name) == 1, name);
        QVERIFY_THROWS_EXCEPTION(LogicError, module_->get_function("no_such_kernel"));
        QVERIFY(message_of([&] { module_->get_function("no_such_kernel"); }).find("saxpy") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(LogicError, module_->get_global("no_such_variable"));
        const Global counter = module_->get_global("counter"), table = module_->get_global("table");
        QCOMPARE(counter.size, std::size_t{4});
        QCOMPARE(table.size, std::size_t{16});
        const std::vector<float> new_table = {10, 20, 30, 40};
        std::vector<float> old_table(4);
        memcpy_dtoh(old_table, table.pointer);
        QCOMPARE(old_table[3], 4.0f);
        memcpy_htod(table.pointer, new_table);
        memcpy_htod(counter.pointer, std::vector<std::uint32_t>{7});
        const NdArray out = NdArray::zeros({4}, DType::float32());
        module_->get_function("variables")({.grid = {1}, .block = {4}}, Out(out));
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(out.item(i), static_cast<double>(new_table[i]) + 7);
        std::vector<std::uint32_t> count(1);
        memcpy_dtoh(count, counter.pointer);
        QCOMPARE(count[0], 8u);

        QTemporaryDir folder;
        const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "kernels.ptx";
        warplight::write_file_atomically(path, std::string_view(kKernels));
        module_from_file(path).get_function("nothing")({.grid = {1}, .block = {1}});
        QVERIFY_THROWS_EXCEPTION(FileError, module_from_file(path / "none"));

        bool success = true;
        std::string log;
        const std::string broken =
            std::string(kKernels).replace(std::string(kKernels).find("fma.rn.f32"), 10, "fmaa.rn.f32");
        const std::string text = message_of([&] {
            module_from_buffer(std::string_view(broken), {},
                               [&](bool ok, const std::string&, const std::string& error) {
                                   success = ok;
                                   log = error;
                               });
        });
        QVERIFY(!success);
        QVERIFY2(log.find("line 3") != std::string::npos || log.find("fmaa") != std::string::npos, log.c_str());
        QVERIFY2(text.find(log.substr(0, 20)) != std::string::npos, text.c_str());
        QVERIFY_THROWS_EXCEPTION(Error, module_from_buffer(std::string_view("no PTX at all")));
        QVERIFY_THROWS_EXCEPTION(Error, module_from_buffer(std::string_view(kKernels).substr(0, 900)));
        QVERIFY_THROWS_EXCEPTION(Error, module_from_buffer(std::string_view("")));
        QVERIFY_THROWS_EXCEPTION(LogicError,
                                 module_from_buffer(std::string_view(kKernels), {{jit_option::ERROR_LOG_BUFFER, 1}}));
        module_from_buffer(std::string_view(kKernels),
                           {{jit_option::OPTIMIZATION_LEVEL, 2}, {jit_option::MAX_REGISTERS, 32}});
    }

    // covers: Function.__call__, In(array), Out(array), InOut(array), argument types accepted
    void calls() {
        const Function saxpy = module_->get_function("saxpy");
        const std::size_t n = 10000;
        const std::vector<float> x = ramp(n, 1);
        std::vector<float> y = ramp(n, 0.25f);
        const LaunchConfig config{.grid = {40}, .block = {256}};
        QVERIFY(!saxpy(config, static_cast<int>(n), 2.0f, In(x), InOut(y)));
        for (std::size_t i = 0; i < n; ++i)
            QCOMPARE(y[i], 2.25f * static_cast<float>(i));
        const Stream stream(stream_flags::NON_BLOCKING);
        const NdArray z = NdArray::zeros({n}, DType::float32());
        const auto seconds = saxpy({.grid = {40}, .block = {256}, .stream = &stream, .time_kernel = true},
                                   static_cast<int>(n), 2.0f, In(x), InOut(z));
        QVERIFY(seconds && *seconds >= 0 && *seconds < 60);
        QCOMPARE(z.item(n - 1), 2.0 * static_cast<double>(n - 1));

        struct Pair {
            float f;
            int i;
        };
        const NdArray sum = NdArray::zeros({1}, DType::float64());
        const Function add_up = module_->get_function("add_up");
        add_up({.grid = {1}, .block = {1}}, Out(sum), std::uint8_t{200}, std::uint16_t{40000}, 0.5, Pair{0.25f, -3},
               -7LL);
        QCOMPARE(sum.item(0), 200 + 40000 + 0.5 + 0.25 - 3 - 7);

        std::vector<int> numbers(128);
        std::iota(numbers.begin(), numbers.end(), 0);
        module_->get_function("reverse")({.grid = {1}, .block = {128}, .shared = 512}, InOut(numbers));
        for (int i = 0; i < 128; ++i)
            QCOMPARE(numbers[static_cast<std::size_t>(i)], 127 - i);
        module_->get_function("nothing")({.grid = {3, 2, 2}, .block = {4, 2, 2}, .cooperative = true});
        context_->synchronize();
    }

    void wrong_calls() {
        const Function saxpy = module_->get_function("saxpy");
        saxpy.set_parameter_names({"n", "a", "x", "y"});
        const DeviceAllocation x = mem_alloc(1024);
        const LaunchConfig config{.grid = {1}, .block = {32}};
        QVERIFY(message_of([&] { saxpy(config, 256, 2.0, x, x); }).find("'a'") != std::string::npos);
        QVERIFY(message_of([&] { saxpy(config, 256, 2, x, x); }).find("'a'") != std::string::npos);
        const std::string large = message_of([&] { saxpy(config, 5'000'000'000LL, 2.0f, x, x); });
        QVERIFY2(large.find("'n' (.u32) of kernel saxpy cannot hold 5000000000 (int64)") != std::string::npos,
                 large.c_str());
        QVERIFY(message_of([&] { saxpy(config, 256, 2.0f, x); }).find("'y'") != std::string::npos);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy(config, 256, 2.0f, x, x, 1));
        QVERIFY(message_of([&] { saxpy({.grid = {1}, .block = {2048}}, 0, 2.0f, x, x); }).find("2048") !=
                std::string::npos);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy({.grid = {0}, .block = {32}}, 0, 2.0f, x, x));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy({.grid = {1}}, 0, 2.0f, x, x));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy({.grid = {1, 70000}, .block = {32}}, 0, 2.0f, x, x));
        const std::string shared =
            message_of([&] { saxpy({.grid = {1}, .block = {32}, .shared = 60000}, 0, 2.0f, x, x); });
        QVERIFY2(shared.find("60000") != std::string::npos, shared.c_str());
        saxpy(config, 0, 2.0f, x, x); // and it still works
        context_->synchronize();
    }

    void integers_of_another_size() {
        const Function saxpy = module_->get_function("saxpy");
        const DeviceAllocation x = to_device(ramp(64, 1)), y = to_device(ramp(64, 0));
        const std::vector<float> values(64);
        saxpy(Grid{2}, Block{32}, values.size(), 2.0f, x, y);
        saxpy({.grid = {2}, .block = {32}}, std::int64_t{64}, 1.0f, x, y);
        QCOMPARE(from_device(y, {64}, DType::float32()).item(10), 30.0);
        saxpy(Grid{2}, Block{32}, std::int64_t{-1}, 1.0f, x, y); // PTX does not tell signs
        saxpy(Grid{2}, Block{32}, std::size_t{0xffffffff}, 1.0f, x, y);
        const auto refused = [&](auto value) { return message_of([&] { saxpy({}, {1}, value, 1.0f, x, y); }); };
        QVERIFY(refused(std::size_t{0x100000000}).find("cannot hold 4294967296 (uint64)") != std::string::npos);
        QVERIFY(refused(-0x80000001LL).find("cannot hold -2147483649 (int64)") != std::string::npos);
        // As far as the PTX tells, a parameter of 8 bytes may be an address.
        const std::string pointer = message_of([&] { saxpy({}, {1}, 1, 1.0f, 5, y); });
        QVERIFY2(pointer.find("parameter 3") != std::string::npos, pointer.c_str());
        QVERIFY2(pointer.find("a 64-bit integer or pointer, not int32") != std::string::npos, pointer.c_str());
    }

    void memory_that_was_moved_from() {
        const Function saxpy = module_->get_function("saxpy");
        DeviceAllocation x = to_device(ramp(64, 1));
        const DeviceAllocation y = std::move(x);
        const std::string moved = message_of([&] { saxpy(Grid{2}, Block{32}, 64, 1.0f, y, x); });
        QVERIFY2(moved.find("parameter 4 'saxpy_y'") != std::string::npos, moved.c_str());
        QVERIFY2(moved.find("an allocation without memory: it was moved from") != std::string::npos, moved.c_str());
        x = to_device(ramp(64, 1));
        x.free();
        const std::string freed = message_of([&] { saxpy(Grid{2}, Block{32}, 64, 1.0f, x, y); });
        QVERIFY2(freed.find("parameter 3 'saxpy_x'") != std::string::npos, freed.c_str());
        QVERIFY2(freed.find("is device memory that was freed") != std::string::npos, freed.c_str());
        saxpy.prepare("ifPP");
        QVERIFY(message_of([&] { saxpy.prepared_call({2}, {32}, 64, 1.0f, y, x); }).find("freed") != std::string::npos);
        std::vector<float> host(64);
        // What is a handle only stays one.
        InOut both(host);
        const InOut kept = std::move(both);
        Function kernel = saxpy;
        const Function other = std::move(kernel);
        kernel(Grid{2}, Block{32}, 64, 1.0f, y, both);
        QCOMPARE(host[10], 10.0f);
        const Graph graph;
        const DeviceAllocation none;
        QVERIFY_THROWS_EXCEPTION(LogicError,
                                 graph.add_kernel_node({}, saxpy, {.grid = {2}, .block = {32}}, 64, 1.0f, y, none));
        (void)graph.add_kernel_node({}, saxpy, {.grid = {2}, .block = {32}}, host.size(), 1.0f, y, y);
        saxpy(Grid{1}, Block{1}, 0, 1.0f, nullptr, nullptr);
        context_->synchronize();
    }

    // covers: Function.prepare, Function.prepared_call, Function.prepared_async_call, Function.prepared_timed_call
    void prepared_calls() {
        const Function saxpy = module_->get_function("saxpy").prepare("ifPP");
        const DeviceAllocation x = to_device(ramp(64, 1)), y = to_device(ramp(64, 0));
        saxpy.prepared_call({2}, {32}, 64, 3, x, y); // 3 becomes 3.0f
        const Stream stream;
        context_->synchronize();
        saxpy.prepared_async_call({2}, {32}, &stream, 64, 1.0, x, y);
        stream.synchronize();
        const TimedCall timed = saxpy.prepared_timed_call({2}, {32}, 64, 1, x, y);
        QVERIFY(timed() >= 0);
        QCOMPARE(from_device(y, {64}, DType::float32()).item(10), 50.0);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, 64.5, 3, x, y));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, 64, 3, x));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, x, 3, x, y));
    }

    // covers: Function.prepare, Function.prepared_call
    void prepared_calls_of_the_very_types() {
        const Function saxpy = module_->get_function("saxpy").prepare("ifPP");
        DeviceAllocation x = to_device(ramp(64, 1)), y = to_device(ramp(64, 0));
        saxpy.prepared_call({2}, {32}, 64, 2.0f, x, DevicePointer(y));
        saxpy.prepare("qfPP"); // 64 bits where the kernel has 32: what does not fit is told at the call
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, std::int64_t{1} << 40, 2.0f, x, y));
        saxpy.prepare("ifP");
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, 64, 2.0f, x));
        saxpy.prepare("ifPP");
        QCOMPARE(saxpy.arg_format(), "ifPP");
        saxpy.prepared_call({2}, {32}, 64, 1.0f, x, y);
        QCOMPARE(from_device(y, {64}, DType::float32()).item(10), 30.0);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({0}, {32}, 64, 1.0f, x, y));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({1}, {0}, 64, 1.0f, x, y));
        const std::string text = message_of([&] { saxpy.prepared_call({1}, {4096}, 64, 1.0f, x, y); });
        QVERIFY2(text.find("the block's x is 4096, the device allows 1024") != std::string::npos, text.c_str());
        y.free();
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.prepared_call({2}, {32}, 64, 1.0f, x, y));
    }

    void calls_under_another_librarys_context() {
        // Launches do not ask which context is current. Where another library changed it, each still runs in the
        // kernel's own, on its own or the default stream, and what is current afterwards is what was.
        const Function saxpy = module_->get_function("saxpy");
        const DeviceAllocation x = to_device(std::vector<float>{1}), y = to_device(std::vector<float>{0});
        const Stream stream;
        const auto set = test_driver().state().functions.fn_cuCtxSetCurrent;
        const auto get = test_driver().state().functions.fn_cuCtxGetCurrent;
        const Context other = Device(0).make_context();
        Context::pop();
        float sum = 0;
        for (const Stream* on : {static_cast<const Stream*>(nullptr), &stream})
            for (CUcontext current : {other.handle(), context_->handle(), static_cast<CUcontext>(nullptr)}) {
                set(current);
                saxpy({.grid = {1}, .block = {1}, .stream = on}, 1U, 1.0F, x, y);
                CUcontext now = nullptr;
                get(&now);
                set(context_->handle());
                // A driver makes the stream's context current where none is.
                QVERIFY(now == current || (!current && now == context_->handle()));
                context_->synchronize();
                std::vector<float> got(1);
                memcpy_dtoh(got, y);
                QCOMPARE(got[0], ++sum);
            }
        // A stream of another context is refused as ever, whatever is current.
        const ContextScope scope(other);
        const Stream foreign;
        set(context_->handle());
        const std::string message =
            message_of([&] { saxpy({.grid = {1}, .block = {1}, .stream = &foreign}, 1U, 1.0F, x, y); });
        QVERIFY2(message.find("saxpy") != std::string::npos, message.c_str());
        set(other.handle());
    }

    // covers: Function.get_attribute(attr), Function.set_attribute(attr, value), Function.<attribute>
    // covers: Function.set_cache_config(fc), Function.local_size_bytes, Function.shared_size_bytes
    // covers: Function.num_regs
    void function_attributes() {
        const Function saxpy = module_->get_function("saxpy"), reverse = module_->get_function("reverse");
        QVERIFY(saxpy.num_regs() > 0 && saxpy.num_regs() <= 255);
        QVERIFY(saxpy.max_threads_per_block() >= 32 && saxpy.max_threads_per_block() <= 1024);
        QCOMPARE(saxpy.shared_size_bytes(), 0);
        QCOMPARE(saxpy.local_size_bytes(), 0);
        QCOMPARE(saxpy.ptx_version(), 75);
        QVERIFY(saxpy.get_attributes().size() >= 8);
        reverse.set_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000);
        QCOMPARE(reverse.get_attribute(function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES), 60000);
        std::vector<int> numbers(64);
        reverse({.grid = {1}, .block = {64}, .shared = 60000}, InOut(numbers));
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.set_attribute(function_attribute::NUM_REGS, 1));
        saxpy.set_cache_config(func_cache::PREFER_SHARED);
        const auto parameters = saxpy.parameters();
        QVERIFY(parameters && parameters->size() == 4);
        QCOMPARE((*parameters)[3].offset, std::size_t{16});
        QCOMPARE(saxpy.name(), "saxpy");
    }

    void occupancy() {
        const Function saxpy = module_->get_function("saxpy"), reverse = module_->get_function("reverse");
        const Device device(0);
        const int blocks = saxpy.max_active_blocks_per_multiprocessor(256);
        QVERIFY(blocks >= 1);
        QVERIFY(blocks * 256 <= device.max_threads_per_multiprocessor());
        const int most_shared = device.max_shared_memory_per_multiprocessor();
        QVERIFY(reverse.max_active_blocks_per_multiprocessor(32, 40000) <= most_shared / 40000);
        const BlockSize best = saxpy.max_potential_block_size();
        QVERIFY(best.block_size >= 32 && best.block_size <= 1024 && best.min_grid_size >= 1);
        QVERIFY(saxpy.max_potential_block_size(0, 64).block_size <= 64);
        QVERIFY_THROWS_EXCEPTION(LogicError, saxpy.max_active_blocks_per_multiprocessor(-1));
    }

    void objects_shared_by_threads() {
        // Each thread calls the same kernel, in streams and memory of its own and of another thread, with no context
        // of its own; objects made here die there and the other way round.
        const Function saxpy = module_->get_function("saxpy");
        constexpr std::size_t n = 5000, rounds = 50, count = 6;
        const DeviceAllocation x = to_device(ramp(n, 1));
        std::vector<DeviceAllocation> results(count);
        std::atomic<int> failures = 0;
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < count; ++t) {
            threads.emplace_back([&, t, given = Stream(stream_flags::NON_BLOCKING)]() mutable {
                try {
                    if (Context::get_current()) ++failures;
                    context_->push();
                    const Stream stream(std::move(given));
                    DeviceAllocation y = mem_alloc(n * 4);
                    memset_d32_async(y, 0, n, &stream);
                    for (std::size_t round = 0; round < rounds; ++round)
                        saxpy({.grid = {20}, .block = {256}, .stream = &stream}, static_cast<int>(n),
                              static_cast<float>(t), x, y);
                    Event event;
                    event.record(stream).synchronize();
                    results[t] = std::move(y);
                    Context::pop();
                    // Without a current context the objects still know theirs.
                    std::vector<float> back(n);
                    memcpy_dtoh(back, results[t]);
                    for (std::size_t i = 0; i < n; ++i)
                        if (back[i] != static_cast<float>(t * rounds * i)) ++failures;
                    if (!module_->get_function("nothing").handle()) ++failures;
                } catch (const std::exception& error) {
                    qWarning("%s", error.what());
                    ++failures;
                }
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(failures.load(), 0);
        QCOMPARE(from_device(results[3], {n}, DType::float32()).item(7), 3.0 * rounds * 7);
        QVERIFY(Context::get_current() == *context_);
    }

    // covers: Module
    void lifetimes() {
        // What is used keeps what it needs, in whatever order the owners go.
        std::optional<Function> function;
        std::optional<DeviceAllocation> memory;
        {
            const Context other = Device(0).make_context();
            const Module module = module_from_buffer(std::string_view(kKernels));
            function = module.get_function("saxpy");
            memory = to_device(ramp(32, 1));
            Context::pop();
        }
        (*function)({.grid = {1}, .block = {32}}, 32, 1.0f, *memory, *memory);
        QCOMPARE(from_device(*memory, {32}, DType::float32()).item(31), 62.0);
    }
};

QTEST_GUILESS_MAIN(InterfaceTest)
#include "interface_test.moc"
