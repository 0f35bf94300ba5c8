// SPDX-License-Identifier: Apache-2.0
// Streams and events on a device: the software device, or with WARPLIGHT_TEST_DRIVER=cuda a GPU.
#include "graph_kernels.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/host_memory.hpp"
#include "warplight/module.hpp"
#include "warplight/stream.hpp"

#include <QtTest>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

using namespace warplight::driver;

namespace {
constexpr unsigned kExternal = 1; // event_record_flags::EXTERNAL, event_wait_flags::EXTERNAL

/// Waits for something another thread does; far longer than it takes.
template <class Condition>
bool comes_true(const Condition& condition) {
    for (int i = 0; i < 20000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
}
} // namespace

class StreamTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::optional<Module> module_;
    std::optional<Function> add_;

private slots:
    void initTestCase() {
        Driver::set_default(test_driver());
        context_ = Device(0).make_context();
        module_ = module_from_buffer(std::string_view(kGraphKernels));
        add_ = module_->get_function("add");
    }
    void cleanupTestCase() {
        add_.reset();
        module_.reset();
        Context::pop();
        context_.reset();
    }

    // covers: Stream(flags=0), Stream.__del__, Stream.handle
    void making() {
        const StreamPriorityRange range = get_stream_priority_range();
        QVERIFY(range.least >= range.greatest);
        const Stream plain, other(stream_flags::NON_BLOCKING), urgent(stream_flags::NON_BLOCKING, range.greatest),
            beyond(stream_flags::DEFAULT, range.greatest - 100);
        QVERIFY(plain.handle() && plain.handle() != other.handle());
        QCOMPARE(plain.get_flags(), stream_flags::DEFAULT);
        QCOMPARE(other.get_flags(), stream_flags::NON_BLOCKING);
        QCOMPARE(plain.get_priority(), 0);
        QCOMPARE(urgent.get_priority(), range.greatest);
        QCOMPARE(beyond.get_priority(), range.greatest);
        QVERIFY(plain.get_id() != other.get_id() && plain.get_id() == plain.get_id());
        QVERIFY(plain.get_context() == *context_);
        QVERIFY(plain.describe().find("stream") != std::string::npos);
        QCOMPARE(code_of([] { const Stream stream(6u); }), kInvalidValue);
        Stream from = Stream(), to = std::move(from);
        QVERIFY(to.is_done());
        QCOMPARE(code_of([&] { from.synchronize(); }), -1); // moved from
        QCOMPARE(code_of([&] { from.get_priority(); }), -1);
        const Stream borrowed = Stream::from_native(plain.handle());
        QCOMPARE(borrowed.handle(), plain.handle());
        QCOMPARE(borrowed.get_id(), plain.get_id());
        QVERIFY(plain.is_done());
    }

    // covers: Stream.synchronize(), Stream.is_done()
    void order_and_waiting() {
        const DeviceAllocation memory = zeros(1 << 16);
        const Stream stream(stream_flags::NON_BLOCKING);
        for (unsigned i = 0; i < 20; ++i)
            (*add_)({.grid = {256}, .block = {256}, .stream = &stream}, memory, i, 1u << 16);
        stream.synchronize();
        QVERIFY(stream.is_done());
        const auto words = words_of(memory, 1 << 16);
        QVERIFY(std::all_of(words.begin(), words.end(), [](auto w) { return w == 190; }));
        std::atomic<bool> go = false;
        stream.launch_host_func([&] { comes_true([&] { return go.load(); }); });
        QVERIFY(!stream.is_done());
        go = true;
        stream.synchronize();
        QVERIFY(stream.is_done());
    }

    void blocking_streams_wait_for_the_default_stream() {
        const DeviceAllocation memory = zeros(4);
        const Stream blocking, free_running(stream_flags::NON_BLOCKING);
        const DeviceAllocation aside = zeros(4);
        std::atomic<bool> go = false;
        blocking.launch_host_func([&] { comes_true([&] { return go.load(); }); });
        // The default stream waits for the blocking one, and the one that does not block goes on.
        (*add_)({.grid = {1}, .block = {4}}, memory, 1u, 4u);
        Event after;
        after.record();
        // By no function of the host: one thread of a driver calls them all, one after the other.
        (*add_)({.grid = {1}, .block = {4}, .stream = &free_running}, aside, 7u, 4u);
        free_running.synchronize();
        QVERIFY(!after.query());
        go = true;
        after.synchronize();
        QCOMPARE(words_of(memory, 4), (std::vector<std::uint32_t>(4, 1)));
        QCOMPARE(words_of(aside, 4), (std::vector<std::uint32_t>(4, 7)));
    }

    // covers: Event(flags=0), Event.__del__, Event.record(stream=None), Event.synchronize(), Event.query()
    // covers: Stream.wait_for_event(evt)
    void events() {
        const Stream one(stream_flags::NON_BLOCKING), two(stream_flags::NON_BLOCKING);
        const DeviceAllocation memory = zeros(1024);
        Event event(event_flags::BLOCKING_SYNC);
        QVERIFY(event.query()); // nothing is recorded: there is nothing to wait for
        event.synchronize();
        two.wait_for_event(event);
        two.synchronize();
        std::atomic<bool> go = false;
        one.launch_host_func([&] { comes_true([&] { return go.load(); }); });
        (*add_)({.grid = {4}, .block = {256}, .stream = &one}, memory, 3u, 1024u);
        QVERIFY(&event.record(one) == &event);
        two.wait_for_event(event);
        const Function multiply = module_->get_function("multiply");
        multiply({.grid = {4}, .block = {256}, .stream = &two}, memory, 5u, 1024u);
        QVERIFY(!event.query());
        QVERIFY(!two.is_done());
        go = true;
        event.synchronize();
        QVERIFY(event.query());
        two.synchronize();
        QCOMPARE(words_of(memory, 1024), (std::vector<std::uint32_t>(1024, 15)));
        event.record_with_flags(&one, 0);
        event.synchronize();
        QCOMPARE(code_of([&] { event.record_with_flags(&one, 8); }), kInvalidValue);
        QVERIFY(code_of([&] { two.wait_for_event(event, 8); }) != 0);
        // An event of a graph's own is for streams that are captured.
        QVERIFY(code_of([&] { event.record_with_flags(&one, kExternal); }) != 0);
        QVERIFY(code_of([&] { two.wait_for_event(event, kExternal); }) != 0);
        QCOMPARE(code_of([] { const Event wrong(0x100u); }), kInvalidValue);
        QCOMPARE(code_of([] { const Event wrong(event_flags::INTERPROCESS); }), kInvalidValue);
    }

    // covers: Event.time_since(event), Event.time_till(event)
    void times() {
        const Stream stream;
        Event start, end, never;
        const Event untimed = std::move(Event(event_flags::DISABLE_TIMING).record(stream));
        start.record(stream);
        stream.launch_host_func([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
        end.record(stream);
        QVERIFY(code_of([&] { end.time_since(start); }) == 600 || end.query()); // not ready
        end.synchronize();
        QVERIFY(end.time_since(start) >= 15.0F && end.time_since(start) < 60000.0F);
        QCOMPARE(start.time_till(end), end.time_since(start));
        QVERIFY(start.time_since(end) <= 0.0F);
        QCOMPARE(code_of([&] { never.time_since(start); }), kInvalidHandle);
        QCOMPARE(code_of([&] { untimed.time_since(start); }), kInvalidHandle);
    }

    void events_of_another_context() {
        Context other = Device(0).make_context();
        Event foreign;
        const Stream theirs;
        foreign.record(theirs);
        Context::pop();
        const Stream mine;
        mine.wait_for_event(foreign); // allowed
        mine.synchronize();
        Event own;
        own.record(mine);
        QCOMPARE(code_of([&] { foreign.record(mine); }), kInvalidHandle);
        own.synchronize();
        other.detach();
        QVERIFY_THROWS_EXCEPTION(LogicError, foreign.query());
        QVERIFY_THROWS_EXCEPTION(LogicError, theirs.synchronize());
        QVERIFY_THROWS_EXCEPTION(LogicError, theirs.get_priority());
    }

    void host_functions() {
        const Stream stream(stream_flags::NON_BLOCKING);
        std::vector<int> order;
        int code = -1;
        std::thread::id thread;
        for (int i = 0; i < 10; ++i)
            stream.launch_host_func([&order, i] { order.push_back(i); });
        stream.add_callback([&](int result) {
            code = result;
            order.push_back(10);
            thread = std::this_thread::get_id();
        });
        stream.launch_host_func([&] { order.push_back(11); });
        stream.synchronize();
        std::vector<int> expected(12);
        for (int i = 0; i < 12; ++i)
            expected[static_cast<std::size_t>(i)] = i;
        QCOMPARE(order, expected);
        QCOMPARE(code, 0);
        QVERIFY_THROWS_EXCEPTION(LogicError, stream.launch_host_func(nullptr));
        QVERIFY_THROWS_EXCEPTION(LogicError, stream.add_callback(nullptr));
    }

    void attributes() {
        const Stream stream, other;
        QCOMPARE(static_cast<int>(stream.get_synchronization_policy()),
                 static_cast<int>(synchronization_policy::UNSET));
        QCOMPARE(int{stream.get_mem_sync_domain_map().default_domain}, 0);
        QCOMPARE(int{stream.get_mem_sync_domain_map().remote_domain}, 1);
        stream.set_synchronization_policy(synchronization_policy::SPIN);
        QCOMPARE(static_cast<int>(stream.get_synchronization_policy()), static_cast<int>(synchronization_policy::SPIN));
        other.copy_attributes(stream);
        QCOMPARE(static_cast<int>(other.get_synchronization_policy()), static_cast<int>(synchronization_policy::SPIN));
        const StreamPriorityRange range = get_stream_priority_range();
        stream.set_priority(range.greatest);
        stream.set_mem_sync_domain(launch_mem_sync_domain::DEFAULT);
        QCOMPARE(static_cast<int>(stream.get_mem_sync_domain()), 0);
        QVERIFY(code_of([&] { stream.set_synchronization_policy(static_cast<synchronization_policy>(77)); }) != 0);
        const DeviceAllocation memory = zeros(1024);
        const int most = Device(0).get_attribute(device_attribute::MAX_ACCESS_POLICY_WINDOW_SIZE);
        if (most >= 4096) {
            stream.set_access_policy_window(
                {memory.get(), 4096, 0.5F, access_property::PERSISTING, access_property::STREAMING});
            const AccessPolicyWindow window = stream.get_access_policy_window();
            QCOMPARE(window.base, memory.get());
            QCOMPARE(window.bytes, std::size_t{4096});
            QCOMPARE(window.hit_ratio, 0.5F);
        }
        stream.set_access_policy_window({});
        QCOMPARE(stream.get_access_policy_window().bytes, std::size_t{0});
        // They are hints: kernels run as ever.
        (*add_)({.grid = {4}, .block = {256}, .stream = &stream}, memory, 2u, 1024u);
        stream.synchronize();
        QCOMPARE(words_of(memory, 1024), (std::vector<std::uint32_t>(1024, 2)));
    }

    void values() {
        const DeviceAllocation memory = zeros(16);
        const Stream one(stream_flags::NON_BLOCKING), two(stream_flags::NON_BLOCKING);
        one.write_value_32(memory, 0xfffffff0u);
        one.synchronize();
        QCOMPARE(words_of(memory, 2), (std::vector<std::uint32_t>{0xfffffff0u, 0}));
        // Each wait is satisfied by what the other stream writes afterwards.
        struct Case {
            unsigned flags;
            std::uint32_t before, wanted, after;
        };
        for (const Case& c : {Case{stream_wait_value_flags::GEQ, 4, 5, 6}, Case{stream_wait_value_flags::EQ, 4, 7, 7},
                              Case{stream_wait_value_flags::AND, 4, 8, 12},
                              // greater-or-equal goes round: 2 is past 0xfffffff0
                              Case{stream_wait_value_flags::GEQ, 0xffffff00u, 0xfffffff0u, 2},
                              Case{stream_wait_value_flags::NOR, 0xffffffffu, 0, 0xfffffff0u}}) {
            if (c.flags == stream_wait_value_flags::NOR &&
                Device(0).get_attribute(device_attribute::CAN_USE_STREAM_WAIT_VALUE_NOR) == 0)
                continue;
            one.write_value_32(memory + 8, c.before);
            one.synchronize();
            std::atomic<bool> passed = false;
            one.wait_value_32(memory + 8, c.wanted, c.flags);
            one.launch_host_func([&] { passed = true; });
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            QVERIFY(!passed);
            two.write_value_32(memory + 8, c.after);
            one.synchronize();
            QVERIFY(passed);
        }
        if (Device(0).get_attribute(device_attribute::CAN_USE_64_BIT_STREAM_MEM_OPS)) {
            one.write_value_64(memory + 16, 0x123456789abcdef0u);
            one.wait_value_64(memory + 16, 0x123456789abcdef0u, stream_wait_value_flags::EQ);
            one.wait_value_64(memory + 16, 0x1000000000000000u, stream_wait_value_flags::AND);
            one.wait_value_64(memory + 16, 0x123456789abcde00u);
            one.synchronize();
            QCOMPARE(words_of(memory + 16, 2), (std::vector<std::uint32_t>{0x9abcdef0u, 0x12345678u}));
        }
        using Type = stream_batch_mem_op_type;
        std::vector<MemoryOperation> batch{{Type::WRITE_VALUE_32, memory.get() + 32, 5, 0},
                                           {Type::BARRIER, 0, 0, stream_memory_barrier_flags::GPU},
                                           {Type::WAIT_VALUE_32, memory.get() + 32, 5, stream_wait_value_flags::EQ},
                                           {Type::WRITE_VALUE_32, memory.get() + 36, 6, 0}};
        if (Device(0).get_attribute(device_attribute::CAN_FLUSH_REMOTE_WRITES))
            batch.push_back({Type::FLUSH_REMOTE_WRITES, 0, 0, 0});
        one.batch_mem_op(batch);
        one.synchronize();
        QCOMPARE(words_of(memory + 32, 2), (std::vector<std::uint32_t>{5, 6}));
        // Page-locked memory of the host, by its device address.
        const warplight::NdArray host =
            pagelocked_zeros({4}, warplight::DType::uint32(), warplight::Order::C, host_alloc_flags::DEVICEMAP);
        const device_ptr address = host_memory<PagelockedHostAllocation>(host).get_device_pointer();
        one.wait_value_32(address, 1, stream_wait_value_flags::EQ);
        one.write_value_32(address + 4, 9);
        QVERIFY(!one.is_done());
        std::atomic_ref(*static_cast<std::uint32_t*>(static_cast<void*>(host.mutable_bytes().data()))) = 1;
        one.synchronize();
        QCOMPARE((host.at<std::uint32_t>(1)), 9u);
    }

    void values_refused() {
        const DeviceAllocation memory = zeros(16);
        const Stream stream;
        QVERIFY(code_of([&] { stream.wait_value_32(memory + 2, 0); }) != 0);
        QVERIFY(code_of([&] { stream.write_value_64(memory + 4, 0); }) != 0);
        QVERIFY(code_of([&] { stream.write_value_32(device_ptr{0}, 0); }) != 0);
        QVERIFY(code_of([&] { stream.wait_value_32(memory, 0, 1U << 20); }) != 0);
        const std::vector<MemoryOperation> wrong{{static_cast<stream_batch_mem_op_type>(99), memory.get(), 0, 0}};
        QVERIFY(code_of([&] { stream.batch_mem_op(wrong); }) != 0);
        const std::vector<MemoryOperation> many(257, {stream_batch_mem_op_type::WRITE_VALUE_32, memory.get(), 1, 0});
        QVERIFY(code_of([&] { stream.batch_mem_op(many); }) != 0);
        stream.synchronize();
        QCOMPARE(words_of(memory, 4), (std::vector<std::uint32_t>(4, 0)));
    }
};

QTEST_GUILESS_MAIN(StreamTest)
#include "stream_test.moc"
