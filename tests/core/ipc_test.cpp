// SPDX-License-Identifier: Apache-2.0
// Memory and events that two processes share: on the software device, or with WARPLIGHT_TEST_DRIVER=cuda on a GPU.
#include "gate.hpp"
#include "interface_kernels.hpp"
#include "other_process.hpp"
#include "warplight/function.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/module.hpp"
#include "warplight/result_code.hpp"

#include <QtTest>

#include <atomic>
#include <memory>
#include <optional>

using namespace warplight::driver;
using namespace array_fixture;
using other_process::Process;
using other_process::sum;
using other_process::to_handle;
using other_process::to_text;

namespace {

constexpr unsigned kShared = event_flags::INTERPROCESS | event_flags::DISABLE_TIMING;

IPCMemoryHandle open(const std::string& text) { return IPCMemoryHandle(to_handle<IPCMemoryHandle::Bytes>(text)); }
Event open_event(const std::string& text) { return Event::from_ipc_handle(to_handle<Event::IpcHandle>(text)); }

Bytes contents(DevicePointer pointer, std::size_t size) {
    Bytes bytes(size);
    memcpy_dtoh(bytes, pointer);
    return bytes;
}

} // namespace

class IpcTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::unique_ptr<Process> other_;
    std::string ask(const std::string& command) { return other_->ask(command); }

private slots:
    void initTestCase() {
        test_driver();
        if (!Device(0).find_attribute(device_attribute::IPC_EVENT_SUPPORTED).value_or(0))
            QSKIP("this device has no IPC");
        context_ = Device(0).make_context();
        other_ = std::make_unique<Process>();
    }
    void cleanupTestCase() {
        if (other_) QVERIFY(other_->ended_well());
        other_.reset();
        context_.reset();
    }

    // covers: mem_get_ipc_handle(devptr), IPCMemoryHandle(ipc_handle, flags=LAZY_ENABLE_PEER_ACCESS)
    // covers: IPCMemoryHandle.close(), IPCMemoryHandle.__int__, IPCMemoryHandle.__long__, IPCMemoryHandle.__index__
    void memory_of_the_other_process_data() {
        QTest::addColumn<std::size_t>("size");
        for (const std::size_t size : {1UL, 1000UL, 4096UL, 100000UL, (8UL << 20) + 4})
            QTest::addRow("%zu bytes", size) << size;
    }
    void memory_of_the_other_process() {
        QFETCH(std::size_t, size);
        const std::string bytes = " " + std::to_string(size);
        QCOMPARE(ask("alloc before" + bytes + " 1"), "ok");
        QCOMPARE(ask("alloc a" + bytes + " 2"), "ok");
        QCOMPARE(ask("alloc after" + bytes + " 3"), "ok");
        const std::string handle = ask("export a");
        QCOMPARE(handle.size(), std::size_t{128});
        QCOMPARE(ask("sum a" + bytes), sum(pattern(size, 2))); // as it was
        IPCMemoryHandle memory = open(handle);
        QVERIFY(memory.get() != 0 && static_cast<bool>(memory));
        QVERIFY(memory.size() >= size);
        QVERIFY(contents(memory, size) == pattern(size, 2));
        // Each sees what the other writes.
        memset_d8(memory + size / 2, 0x5a, size - size / 2);
        context_->synchronize();
        Bytes expected = pattern(size, 2);
        std::fill(expected.begin() + static_cast<std::ptrdiff_t>(size / 2), expected.end(), std::uint8_t{0x5a});
        QCOMPARE(ask("sum a" + bytes), sum(expected));
        QCOMPARE(ask("fill a" + bytes + " 17"), "ok");
        QVERIFY(contents(memory, size) == Bytes(size, 17));
        // Opened once more it is the same memory, which stays until both are closed.
        {
            const IPCMemoryHandle again = open(handle);
            QCOMPARE(again.get(), memory.get());
        }
        QVERIFY(contents(memory, size) == Bytes(size, 17));
        const device_ptr address = memory.get();
        IPCMemoryHandle moved = std::move(memory);
        QCOMPARE(moved.get(), address);
        QCOMPARE(memory.get(), device_ptr{0});
        moved.close();
        QVERIFY(!moved && moved.get() == 0 && moved.size() == 0);
        QVERIFY(refused([&] { moved.close(); }));
        QVERIFY(refused([&] { contents(moved, 1); }));
        QVERIFY(refused([&] { contents(address, 1); })); // the mapping is gone
        // The other process has what it had.
        QCOMPARE(ask("sum a" + bytes), sum(Bytes(size, 17)));
        QCOMPARE(ask("sum before" + bytes), sum(pattern(size, 1)));
        QCOMPARE(ask("sum after" + bytes), sum(pattern(size, 3)));
        for (const char* name : {"before", "a", "after"})
            QCOMPARE(ask(std::string("free ") + name), "ok");
    }

    // covers: mem_get_ipc_handle(devptr), IPCMemoryHandle(ipc_handle, flags=LAZY_ENABLE_PEER_ACCESS)
    void kernels_use_it() {
        const Module module = module_from_buffer(std::string_view(kKernels));
        const Function saxpy = module.get_function("saxpy");
        QCOMPARE(ask("alloc x 4000 5"), "ok");
        QCOMPARE(ask("fill x 4000 0"), "ok");
        const IPCMemoryHandle x = open(ask("export x"));
        const std::vector<float> ones(1000, 1.0f);
        memcpy_htod(x, ones);
        const DeviceAllocation y = to_device(ones);
        saxpy({.grid = {4}, .block = {256}}, 1000, 3.0f, y, x); // x = 3 y + x, written to the other's memory
        context_->synchronize();
        const std::vector<float> fours(1000, 4.0f);
        Bytes expected(4000);
        std::memcpy(expected.data(), fours.data(), 4000);
        QCOMPARE(ask("sum x 4000"), sum(expected));
        const DeviceAllocation copy = mem_alloc(4000);
        memcpy_dtod(copy, x, 4000);
        QVERIFY(contents(copy, 4000) == expected);
    }

    // covers: mem_get_ipc_handle(devptr)
    void memory_given_to_the_other_process() {
        const std::size_t size = 200000;
        DeviceAllocation memory = mem_alloc(size);
        const Stream stream;
        memset_d8(memory, 1, size);
        // Work that still runs is not lost.
        stream.launch_host_func([] { QTest::qSleep(100); });
        memset_d8_async(memory, 2, size / 2, &stream);
        const IPCMemoryHandle::Bytes handle = mem_get_ipc_handle(memory);
        stream.synchronize();
        QVERIFY(mem_get_ipc_handle(memory) == handle);
        Bytes expected(size, 1);
        std::fill_n(expected.begin(), size / 2, std::uint8_t{2});
        QVERIFY(ask("open b " + to_text(handle)).rfind("error", 0) != 0);
        QCOMPARE(ask("sum b " + std::to_string(size)), sum(expected));
        memset_d8_async(memory, 9, size, &stream);
        stream.synchronize();
        QCOMPARE(ask("sum b " + std::to_string(size)), sum(Bytes(size, 9)));
        QCOMPARE(ask("fill b 10 33"), "ok");
        QCOMPARE(ask("close b"), "ok");
        Bytes now(size, 9);
        std::fill_n(now.begin(), 10, std::uint8_t{33});
        QVERIFY(contents(memory, size) == now);
        memory.free();
        QVERIFY(ask("open b " + to_text(handle)).rfind("error", 0) == 0); // it is gone
    }

    // covers: mem_get_ipc_handle(devptr), IPCMemoryHandle(ipc_handle, flags=LAZY_ENABLE_PEER_ACCESS)
    void misuse_of_memory() {
        const DeviceAllocation memory = mem_alloc(1000);
        const IPCMemoryHandle::Bytes handle = mem_get_ipc_handle(memory);
        QCOMPARE(code_of([&] { IPCMemoryHandle{handle}; }), result_code::INVALID_CONTEXT); // of this process
        for (const device_ptr wrong : {device_ptr{0}, device_ptr{12345}})
            QCOMPARE(code_of([&] { mem_get_ipc_handle(wrong); }), result_code::INVALID_VALUE);
        const auto managed = managed_zeros({1024}, warplight::DType::float32());
        QVERIFY(refused([&] { mem_get_ipc_handle(host_pointer(managed).get_device_pointer()); }));
        const auto locked = pagelocked_zeros({1024}, warplight::DType::float32());
        QVERIFY(refused([&] { mem_get_ipc_handle(host_pointer(locked).get_device_pointer()); }));
        DeviceAllocation freed = mem_alloc(1000);
        const device_ptr address = freed.get();
        freed.free();
        QVERIFY(refused([&] { mem_get_ipc_handle(freed); }));
        QVERIFY(refused([&] { mem_get_ipc_handle(address); }));

        QCOMPARE(ask("alloc c 1000 4"), "ok");
        const std::string text = ask("export c");
        const auto good = to_handle<IPCMemoryHandle::Bytes>(text);
        for (const unsigned flags : {0U, 2U})
            QCOMPARE(code_of([&] { IPCMemoryHandle(good, flags); }), result_code::INVALID_VALUE);
        QVERIFY(refused([] { IPCMemoryHandle{IPCMemoryHandle::Bytes{}}; }));
        IPCMemoryHandle::Bytes all_set;
        all_set.fill(std::byte{0xff});
        QVERIFY(refused([&] { IPCMemoryHandle{all_set}; }));
        if (on_software()) { // a GPU's driver does not look at every byte
            for (std::size_t bit = 0; bit < 512; ++bit) {
                auto damaged = good;
                damaged[bit / 8] ^= std::byte(1U << (bit % 8));
                QVERIFY2(refused([&] { IPCMemoryHandle{damaged}; }), qPrintable(QString::number(bit)));
            }
        }
        if (on_software()) QVERIFY(refused([&] { Event::from_ipc_handle(good); })); // not of this kind
        const IPCMemoryHandle mapped = open(text);
        QVERIFY(contents(mapped, 1000) == pattern(1000, 4));
        QVERIFY(refused([&] { contents(mapped, mapped.size() + 1); }));
        QVERIFY(refused([&] { contents(mapped + 8, mapped.size()); }));
        QVERIFY(refused([&] { mem_get_ipc_handle(mapped); })); // it is not passed on
        if (!on_software()) return;                            // a GPU's driver maps what surrounds freed memory
        QCOMPARE(ask("alloc d 1000 4"), "ok");
        const std::string stale = ask("export d");
        QCOMPARE(ask("free d"), "ok");
        QVERIFY(refused([&] { open(stale); }));
        QCOMPARE(ask("alloc e 1000 6"), "ok"); // may well lie where the other was
        QVERIFY(refused([&] { open(stale); }));
    }

    // covers: IPCMemoryHandle(ipc_handle, flags=LAZY_ENABLE_PEER_ACCESS), IPCMemoryHandle.close()
    void contexts_of_mapped_memory() {
        Process other;
        QCOMPARE(other.ask("alloc a 1000 4"), "ok");
        const std::string text = other.ask("export a");
        Context context = Device(0).make_context();
        IPCMemoryHandle mapped = open(text);
        QVERIFY(contents(mapped, 1000) == pattern(1000, 4));
        { // one context of a device has the memory of a process
            const ContextScope scope(*context_);
            QCOMPARE(code_of([&] { open(text); }), result_code::INVALID_HANDLE);
        }
        context.detach(); // and takes its mappings with it
        QVERIFY(refused([&] { contents(mapped, 1); }));
        mapped.close(); // nothing is left to do
        const IPCMemoryHandle again = open(text);
        QVERIFY(contents(again, 1000) == pattern(1000, 4));
    }

    // covers: Event.ipc_handle(), Event.from_ipc_handle(handle)
    void events_of_the_other_process() {
        QCOMPARE(ask("alloc f 1000 1"), "ok");
        QCOMPARE(ask("event ready"), "ok");
        const IPCMemoryHandle memory = open(ask("export f"));
        const Event ready = open_event(ask("export-event ready"));
        QVERIFY(ready.query()); // nothing has been recorded
        ready.synchronize();
        const Stream stream(stream_flags::NON_BLOCKING);
        const DeviceAllocation copy = mem_alloc(1000);
        for (int round = 2; round < 6; ++round) {
            const std::string value = std::to_string(round);
            QCOMPARE(ask("work f 1000 " + value + " 150"), "ok");
            QCOMPARE(ask("record ready"), "ok");
            QVERIFY(!ready.query());
            if (round % 2) { // the host waits
                ready.synchronize();
                QVERIFY(ready.query());
                QVERIFY(contents(memory, 1000) == Bytes(1000, static_cast<std::uint8_t>(round)));
            } else { // a stream waits
                stream.wait_for_event(ready);
                memcpy_dtod_async(copy, memory, 1000, &stream);
                QVERIFY(!stream.is_done());
                stream.synchronize();
                QVERIFY(ready.query());
                QVERIFY(contents(copy, 1000) == Bytes(1000, static_cast<std::uint8_t>(round)));
            }
        }
        // It has no time.
        QVERIFY(refused([&] { ready.time_since(ready); }));
    }

    // covers: Event.ipc_handle(), Event.from_ipc_handle(handle)
    void events_given_to_the_other_process() {
        const DeviceAllocation memory = mem_alloc(4096);
        memset_d8(memory, 1, 4096);
        context_->synchronize();
        Event mine(kShared);
        const Event::IpcHandle handle = mine.ipc_handle();
        QCOMPARE(ask("open g " + to_text(mem_get_ipc_handle(memory))).rfind("error", 0), std::string::npos);
        QCOMPARE(ask("open-event mine " + to_text(handle)), "ok");
        QCOMPARE(ask("query mine"), "done");
        const Stream stream(stream_flags::NON_BLOCKING);
        const Gate gate;
        stream.launch_host_func(gate.wait());
        memset_d8_async(memory, 7, 4096, &stream);
        mine.record(stream);
        QCOMPARE(ask("query mine"), "running");
        // What it queues behind the event sees what is before it, and what follows here waits for that.
        QCOMPARE(ask("stream-wait mine"), "ok");
        QCOMPARE(ask("work g 2048 8 100"), "ok");
        QCOMPARE(ask("record mine"), "ok");
        QVERIFY(!mine.query()); // the last record is the other's
        gate.open();
        stream.wait_for_event(mine);
        const DeviceAllocation copy = mem_alloc(4096);
        memcpy_dtod_async(copy, memory, 4096, &stream);
        stream.synchronize();
        Bytes expected(4096, 7);
        std::fill_n(expected.begin(), 2048, std::uint8_t{8});
        QVERIFY(contents(copy, 4096) == expected);
        mine.synchronize();
        QCOMPARE(ask("query mine"), "done");
        QCOMPARE(ask("wait mine"), "ok");
        for (int i = 0; i < 200; ++i) { // what is done for one process is done for the other
            QCOMPARE(ask("record mine"), "ok");
            mine.synchronize();
            QCOMPARE(ask("query mine"), "done");
        }
        QCOMPARE(ask("forget-event mine"), "ok");
        mine.record(stream).synchronize(); // and it goes on here
        QCOMPARE(ask("close g"), "ok");
    }

    // covers: Event.ipc_handle(), Event.from_ipc_handle(handle)
    void misuse_of_events() {
        QVERIFY(refused([] { Event{event_flags::INTERPROCESS}; })); // such an event has no time
        const Event plain, timeless(event_flags::DISABLE_TIMING);
        QVERIFY(refused([&] { plain.ipc_handle(); }));
        QVERIFY(refused([&] { timeless.ipc_handle(); }));
        QVERIFY(refused([] { Event::from_ipc_handle({}); }));
        QCOMPARE(ask("event h"), "ok");
        const std::string text = ask("export-event h");
        const auto good = to_handle<Event::IpcHandle>(text);
        if (on_software()) {
            for (std::size_t bit = 0; bit < 512; ++bit) {
                auto damaged = good;
                damaged[bit / 8] ^= std::byte(1U << (bit % 8));
                QVERIFY2(refused([&] { Event::from_ipc_handle(damaged); }), qPrintable(QString::number(bit)));
            }
        }
        if (on_software()) QVERIFY(refused([&] { IPCMemoryHandle{good}; })); // not of this kind
        {
            const Event opened = Event::from_ipc_handle(good);
            QCOMPARE(code_of([&] { opened.ipc_handle(); }), result_code::INVALID_HANDLE); // it is not passed on
        }
        const Event mine(kShared);
        QCOMPARE(code_of([&] { Event::from_ipc_handle(mine.ipc_handle()); }), result_code::INVALID_CONTEXT);
        if (!on_software()) return; // a GPU's driver opens what has been there
        QCOMPARE(ask("forget-event h"), "ok");
        QVERIFY(refused([&] { Event::from_ipc_handle(good); }));
        QCOMPARE(ask("event i"), "ok"); // another one in its place
        QVERIFY(refused([&] { Event::from_ipc_handle(good); }));
    }

    // covers: IPCMemoryHandle(ipc_handle, flags=LAZY_ENABLE_PEER_ACCESS), Event.from_ipc_handle(handle)
    void the_other_process_dies() {
        auto doomed = std::make_unique<Process>();
        QCOMPARE(doomed->ask("alloc a 50000 8"), "ok");
        QCOMPARE(doomed->ask("alloc b 50000 9"), "ok");
        QCOMPARE(doomed->ask("event e"), "ok");
        const std::string a = doomed->ask("export a"), b = doomed->ask("export b");
        const std::string event = doomed->ask("export-event e");
        std::optional<IPCMemoryHandle> memory = open(a);
        Event recorded = open_event(event);
        QVERIFY(contents(*memory, 50000) == pattern(50000, 8));
        QCOMPARE(doomed->ask("work a 100 1 20000"), "ok");
        QCOMPARE(doomed->ask("record e"), "ok");
        QVERIFY(!recorded.query());
        doomed->kill();
        // What is mapped stays, and can be used.
        QVERIFY(contents(*memory, 50000) == pattern(50000, 8));
        memset_d8(*memory, 3, 50000);
        QVERIFY(contents(*memory, 50000) == Bytes(50000, 3));
        if (on_software()) { // a GPU's driver says nothing of this
            // What is not is gone, and what will never happen is not waited for.
            QVERIFY(refused([&] { open(b); }));
            QVERIFY(refused([&] { open_event(event); }));
            recorded.synchronize();
            memory.reset();
            QVERIFY(refused([&] { open(a); }));
        }
        // And the process beside it goes on.
        QCOMPARE(ask("alloc z 100 1"), "ok");
        const IPCMemoryHandle next = open(ask("export z"));
        QVERIFY(contents(next, 100) == pattern(100, 1));
    }
};

int main(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    if (argc > 1 && QByteArray(argv[1]) == other_process::kRole) return other_process::Commands().run();
    IpcTest test;
    QTEST_SET_MAIN_SOURCE_PATH
    return QTest::qExec(&test, argc, argv);
}
#include "ipc_test.moc"
