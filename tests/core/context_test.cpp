// SPDX-License-Identifier: Apache-2.0
// Devices and contexts as values, and the preferences of a context: on the software device, or with
// WARPLIGHT_TEST_DRIVER=cuda on a GPU.
#include "array_fixture.hpp"
#include "warplight/device.hpp"
#include "warplight/function.hpp"
#include "warplight/memory.hpp"
#include "warplight/result_code.hpp"

#include <QtTest>

#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>

using namespace warplight::driver;
using namespace array_fixture;

class ContextTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_SOFTWARE_DEVICES", "2");
        test_driver();
        QVERIFY(Device::count() >= 1);
        if (on_software()) QCOMPARE(Device::count(), 2);
    }

    // covers: Device.__ne__, Device.__hash__, Device.__eq__
    void devices_as_keys() {
        const Device first(0), again(first.pci_bus_id());
        QVERIFY(first == again);
        QVERIFY(!(first != again));
        QCOMPARE(std::hash<Device>()(first), std::hash<Device>()(again));
        std::unordered_map<Device, std::string> names;
        for (int i = 0; i < Device::count(); ++i)
            names[Device(i)] = Device(i).pci_bus_id();
        names[again] = again.pci_bus_id(); // the same key
        QCOMPARE(static_cast<int>(names.size()), Device::count());
        QCOMPARE(names.at(first), first.pci_bus_id());
        if (Device::count() < 2) QSKIP("one device: there is no other to differ from");
        const Device second(1);
        QVERIFY(first != second);
        QVERIFY(!(first == second));
        QVERIFY(std::hash<Device>()(first) != std::hash<Device>()(second));
        QVERIFY(first.pci_bus_id() != second.pci_bus_id());
        QVERIFY(first.uuid() != second.uuid());
    }

    // covers: Context.handle, Context.__ne__, Context.__hash__, Context.__eq__
    void contexts_as_keys() {
        Context one = Device(0).make_context();
        std::optional<Context> two = Device(0).make_context();
        QVERIFY(one != *two);
        QVERIFY(!(one == *two));
        QVERIFY(one.handle() != nullptr && one.handle() != two->handle());
        const ContextRef current = Context::get_current();
        QVERIFY(current == *two);
        QVERIFY(!(current != *two));
        QCOMPARE(current.handle(), two->handle());
        QCOMPARE(std::hash<ContextRef>()(current), std::hash<Context>()(*two));
        std::unordered_set<ContextRef> set{one, *two, current};
        QCOMPARE(set.size(), std::size_t{2});
        QVERIFY(set.contains(one));
        // The primary context is one however often it is retained.
        const Context primary = Device(0).retain_primary_context(), once_more = Device(0).retain_primary_context();
        QVERIFY(primary == once_more && primary != one && primary != *two);
        QCOMPARE(primary.handle(), once_more.handle());
        QCOMPARE(std::hash<Context>()(primary), std::hash<Context>()(once_more));
        // What has ended has no handle, and is equal to nothing that lives.
        const ContextRef gone = *two;
        two.reset();
        QVERIFY(!gone && gone.handle() == nullptr && gone != one && gone == ContextRef());
        QVERIFY(Context::get_current() == one);
        one.detach();
        QVERIFY(one.handle() == nullptr);
        QVERIFY(!Context::get_current());
    }

    // covers: Context.attach(flags=0)
    void attach() {
        QVERIFY(refused([] { (void)Context::attach(); })); // none is current
        std::optional<Context> context = Device(0).make_context();
        QCOMPARE(code_of([] { (void)Context::attach(1); }), result_code::INVALID_VALUE);
        QCOMPARE(code_of([] { (void)Context::attach(~0U); }), result_code::INVALID_VALUE);
        {
            Context attached = Context::attach();
            QVERIFY(attached == *context);
            QVERIFY(attached.get_device() == Device(0));
            attached.synchronize();
            // It is one more owner: giving it up ends nothing.
            attached.detach();
            QVERIFY(refused([&] { attached.detach(); }));
            QVERIFY(!attached);
            context->synchronize();
        }
        {
            std::optional<Context> attached = Context::attach(0);
            const DeviceAllocation memory = to_device(pattern(64, 1));
            context.reset(); // the attached one keeps it
            QVERIFY(static_cast<bool>(*attached));
            Bytes back(64);
            memcpy_dtoh(back, memory);
            QVERIFY(back == pattern(64, 1));
            QVERIFY(Context::get_current() == *attached);
            attached->detach();
        }
        QVERIFY(!Context::get_current());
        // One that its maker ends has ended for all.
        context = Device(0).make_context();
        Context attached = Context::attach(Driver::get_default());
        context->detach();
        QVERIFY(!attached);
        QVERIFY(refused([&] { attached.synchronize(); }));
        QVERIFY(refused([&] { attached.detach(); }));
        // In a thread without one there is none to attach.
        context = Device(0).make_context();
        bool none = false;
        std::thread([&] { none = refused([] { (void)Context::attach(); }); }).join();
        QVERIFY(none);
        context->detach();
    }

    // covers: Context.get_cache_config(), Context.set_cache_config(cc)
    void cache_config() {
        Context one = Device(0).make_context(), two = Device(0).make_context();
        for (const auto config :
             {func_cache::PREFER_L1, func_cache::PREFER_SHARED, func_cache::PREFER_EQUAL, func_cache::PREFER_NONE}) {
            one.set_cache_config(config); // not the current one
            QCOMPARE(one.get_cache_config(), config);
            QCOMPARE(two.get_cache_config(), func_cache::PREFER_NONE);
        }
        two.set_cache_config(func_cache::PREFER_L1);
        QCOMPARE(one.get_cache_config(), func_cache::PREFER_NONE);
        QCOMPARE(code_of([&] { one.set_cache_config(static_cast<func_cache>(4)); }), result_code::INVALID_VALUE);
        QCOMPARE(code_of([&] { one.set_cache_config(static_cast<func_cache>(-1)); }), result_code::INVALID_VALUE);
        QCOMPARE(one.get_cache_config(), func_cache::PREFER_NONE);
        one.detach();
        QVERIFY(refused([&] { one.get_cache_config(); }));
        QVERIFY(refused([&] { one.set_cache_config(func_cache::PREFER_L1); }));
        QCOMPARE(two.get_cache_config(), func_cache::PREFER_L1);
    }

    // covers: Context.get_shared_config(), Context.set_shared_config(sc)
    void shared_config_of_a_context() {
        Context context = Device(0).make_context();
        QCOMPARE(context.get_shared_config(), shared_config::FOUR_BYTE_BANK_SIZE);
        for (const auto config : {shared_config::EIGHT_BYTE_BANK_SIZE, shared_config::DEFAULT_BANK_SIZE,
                                  shared_config::FOUR_BYTE_BANK_SIZE}) {
            context.set_shared_config(config); // a wish that no device has followed since 5.0
            QCOMPARE(context.get_shared_config(), shared_config::FOUR_BYTE_BANK_SIZE);
        }
        QCOMPARE(code_of([&] { context.set_shared_config(static_cast<shared_config>(3)); }),
                 result_code::INVALID_VALUE);
        QCOMPARE(code_of([&] { context.set_shared_config(static_cast<shared_config>(-1)); }),
                 result_code::INVALID_VALUE);
        context.detach();
        QVERIFY(refused([&] { context.get_shared_config(); }));
        QVERIFY(refused([&] { context.set_shared_config(shared_config::DEFAULT_BANK_SIZE); }));
    }
};

QTEST_GUILESS_MAIN(ContextTest)
#include "context_test.moc"
