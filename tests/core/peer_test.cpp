// SPDX-License-Identifier: Apache-2.0
// Access to the memory of other devices, and copies between contexts: on two software devices, or with
// WARPLIGHT_TEST_DRIVER=cuda on GPUs. Where there is one device alone, the copies go between two contexts of it.
#include "array_fixture.hpp"
#include "gate.hpp"
#include "interface_kernels.hpp"
#include "warplight/array.hpp"
#include "warplight/array_copies.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/graph.hpp"
#include "warplight/memory.hpp"
#include "warplight/module.hpp"
#include "warplight/result_code.hpp"
#include "warplight/stream.hpp"
#include "warplight/structured_copy.hpp"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>

using namespace warplight::driver;
using namespace array_fixture;

namespace {

constexpr char kOneDevice[] = "this machine has one device";

Bytes contents(DevicePointer pointer, std::size_t size) {
    Bytes bytes(size);
    memcpy_dtoh(bytes, pointer);
    return bytes;
}

DeviceAllocation made_in(const Context& context, const Bytes& bytes) {
    const ContextScope scope(context);
    return to_device(bytes);
}

} // namespace

class PeerTest : public QObject {
    Q_OBJECT
    std::optional<Context> here_, there_; ///< the first is current

    static bool two_devices() { return Device::count() > 1; }
    /// Whether kernels here can use what is there.
    static bool reachable() { return two_devices() && Device(0).can_access_peer(Device(1)); }

private slots:
    void initTestCase() {
        qputenv("WARPLIGHT_SOFTWARE_DEVICES", "2");
        test_driver();
        if (on_software()) QCOMPARE(Device::count(), 2);
    }
    void init() {
        here_ = Device(0).make_context();
        there_ = Device(two_devices() ? 1 : 0).make_context();
        Context::pop();
        QVERIFY(Context::get_current() == *here_);
    }
    void cleanup() {
        there_.reset();
        here_.reset();
        QVERIFY(!Context::get_current());
    }

    // covers: Device.can_access_peer(dev)
    void devices() {
        const Device first(0);
        QVERIFY(!first.can_access_peer(first));
        QCOMPARE(code_of([&] { first.get_p2p_attribute(device_p2p_attribute::ACCESS_SUPPORTED, first); }),
                 result_code::INVALID_DEVICE);
        if (!two_devices()) QSKIP(kOneDevice);
        const Device second(1);
        if (on_software()) QVERIFY(first.can_access_peer(second) && second.can_access_peer(first));
        for (const auto& [from, to] : {std::pair(first, second), std::pair(second, first)}) {
            QCOMPARE(from.get_p2p_attribute(device_p2p_attribute::ACCESS_SUPPORTED, to) != 0, from.can_access_peer(to));
            QVERIFY(from.get_p2p_attribute(device_p2p_attribute::PERFORMANCE_RANK, to) >= 0);
            const int atomics = from.get_p2p_attribute(device_p2p_attribute::NATIVE_ATOMIC_SUPPORTED, to);
            QVERIFY(atomics == 0 || atomics == 1);
        }
        QCOMPARE(code_of([&] { first.get_p2p_attribute(static_cast<device_p2p_attribute>(99), second); }),
                 result_code::INVALID_VALUE);
        QCOMPARE(code_of([&] { first.get_p2p_attribute(static_cast<device_p2p_attribute>(0), second); }),
                 result_code::INVALID_VALUE);
    }

    // covers: Context.enable_peer_access(peer, flags=0), Context.disable_peer_access(peer)
    void no_peers() {
        Context beside = Device(0).make_context();
        Context::pop();
        for (const ContextRef& other : {ContextRef(*here_), ContextRef(beside)}) { // of the same device
            QCOMPARE(code_of([&] { here_->enable_peer_access(other); }), result_code::PEER_ACCESS_UNSUPPORTED);
            QCOMPARE(code_of([&] { here_->enable_peer_access(other, 1); }), result_code::INVALID_VALUE);
            QCOMPARE(code_of([&] { here_->disable_peer_access(other); }), result_code::PEER_ACCESS_NOT_ENABLED);
        }
        beside.detach();
        QVERIFY(refused([&] { here_->enable_peer_access(beside); }));
        QVERIFY(refused([&] { here_->disable_peer_access(beside); }));
        QVERIFY(refused([&] { beside.enable_peer_access(*here_); }));
        QVERIFY(refused([&] { here_->enable_peer_access(ContextRef()); }));
    }

    // covers: Context.enable_peer_access(peer, flags=0), Context.disable_peer_access(peer)
    void enable_and_disable() {
        if (!reachable()) QSKIP(two_devices() ? "the devices cannot reach each other" : kOneDevice);
        const auto enable = [](const ContextRef& from, const ContextRef& to) {
            return code_of([&] { from.enable_peer_access(to); });
        };
        const auto disable = [](const ContextRef& from, const ContextRef& to) {
            return code_of([&] { from.disable_peer_access(to); });
        };
        constexpr int fine = -1;
        QCOMPARE(disable(*here_, *there_), result_code::PEER_ACCESS_NOT_ENABLED);
        QCOMPARE(code_of([&] { here_->enable_peer_access(*there_, 1); }), result_code::INVALID_VALUE);
        QCOMPARE(enable(*here_, *there_), fine);
        QCOMPARE(enable(*here_, *there_), result_code::PEER_ACCESS_ALREADY_ENABLED);
        QCOMPARE(disable(*there_, *here_), result_code::PEER_ACCESS_NOT_ENABLED); // one way only
        QCOMPARE(enable(*there_, *here_), fine);
        QCOMPARE(disable(*here_, *there_), fine);
        QCOMPARE(disable(*here_, *there_), result_code::PEER_ACCESS_NOT_ENABLED);
        QCOMPARE(disable(*there_, *here_), fine);
        QVERIFY(Context::get_current() == *here_); // the calls leave the stack alone
        // A context that is made anew has no peers.
        QCOMPARE(enable(*here_, *there_), fine);
        there_->detach();
        QVERIFY(refused([&] { here_->disable_peer_access(*there_); }));
        there_ = Device(1).make_context();
        Context::pop();
        QCOMPARE(disable(*here_, *there_), result_code::PEER_ACCESS_NOT_ENABLED);
        QCOMPARE(enable(*here_, *there_), fine);
    }

    // covers: Context.enable_peer_access(peer, flags=0)
    void kernels_use_memory_of_the_peer() {
        if (!reachable()) QSKIP(two_devices() ? "the devices cannot reach each other" : kOneDevice);
        here_->enable_peer_access(*there_);
        const Module module = module_from_buffer(std::string_view(kKernels));
        std::vector<float> ramp(1000);
        for (std::size_t i = 0; i < ramp.size(); ++i)
            ramp[i] = static_cast<float>(i);
        const DeviceAllocation x = to_device(ramp);
        const ContextScope scope(*there_);
        const DeviceAllocation y = to_device(ramp);
        Context::pop();
        module.get_function("saxpy")({.grid = {4}, .block = {256}}, 1000, 2.0f, x, y);
        here_->synchronize();
        there_->push();
        std::vector<float> result(1000);
        memcpy_dtoh(result, y);
        for (std::size_t i = 0; i < ramp.size(); ++i)
            QCOMPARE(result[i], 3 * ramp[i]);
    }

    // covers: memcpy_peer(dest, src, size, dest_context=None, src_context=None)
    void copies_data() {
        QTest::addColumn<std::size_t>("size");
        for (const std::size_t size : {1UL, 7UL, 4096UL, 100003UL, (5UL << 20) + 3})
            QTest::addRow("%zu bytes", size) << size;
    }
    void copies() {
        QFETCH(std::size_t, size);
        const Bytes bytes = pattern(size + 5, 1), others = pattern(size + 5, 2);
        const DeviceAllocation mine = made_in(*here_, bytes), theirs = made_in(*there_, others);
        Bytes expected = others;
        std::copy_n(bytes.begin(), size, expected.begin() + 2);
        memcpy_peer(theirs + 2, mine, size); // the contexts are the allocations'
        QVERIFY(contents(theirs, size + 5) == expected);
        QVERIFY(contents(mine, size + 5) == bytes);
        memcpy_peer(theirs, mine, size, &*there_, &*here_); // said
        std::copy_n(bytes.begin(), size, expected.begin());
        QVERIFY(contents(theirs, size + 5) == expected);
        // Back, from plain addresses.
        memcpy_peer(mine.get() + 5, theirs.get(), size, &*here_, &*there_);
        Bytes back = bytes;
        std::copy_n(expected.begin(), size, back.begin() + 5);
        QVERIFY(contents(mine, size + 5) == back);
        // Within a context, as a copy like any other.
        const DeviceAllocation beside = to_device(others);
        memcpy_peer(beside, mine, size, &*here_, &*here_);
        QVERIFY(contents(beside, size) == Bytes(back.begin(), back.begin() + static_cast<std::ptrdiff_t>(size)));
        memcpy_peer(beside, mine, 0);
        QVERIFY(Context::get_current() == *here_);
    }

    // covers: memcpy_peer(dest, src, size, dest_context=None, src_context=None)
    // covers: memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, stream=None)
    void misuse() {
        const DeviceAllocation mine = made_in(*here_, pattern(1000, 1)), theirs = made_in(*there_, pattern(1000, 2));
        const Stream stream(stream_flags::NON_BLOCKING);
        const auto both_refuse = [&](DevicePointer to, DevicePointer from, std::size_t size) {
            return refused([&] { memcpy_peer(to, from, size); }) &&
                   refused([&] { memcpy_peer_async(to, from, size, nullptr, nullptr, &stream); });
        };
        QVERIFY(both_refuse(theirs, mine, 1001));
        QVERIFY(both_refuse(theirs + 1, mine, 1000));
        QVERIFY(both_refuse(theirs, mine + 999, 2));
        QVERIFY(both_refuse(theirs, mine, ~std::size_t{0}));
        QVERIFY(both_refuse(device_ptr{0}, mine, 16));
        QVERIFY(both_refuse(theirs, device_ptr{0}, 16));
        QVERIFY(both_refuse(device_ptr{12345}, mine, 16));
        DeviceAllocation freed = made_in(*there_, pattern(1000, 3));
        freed.free();
        QVERIFY(refused([&] { memcpy_peer(freed, mine, 16); }));
        Context gone = Device(0).make_context();
        Context::pop();
        gone.detach();
        QVERIFY(refused([&] { memcpy_peer(theirs, mine, 16, &gone, nullptr); }));
        QVERIFY(refused([&] { memcpy_peer(theirs, mine, 16, nullptr, &gone); }));
        QVERIFY(refused([&] { memcpy_peer_async(theirs, mine, 16, nullptr, &gone, &stream); }));
        const ContextRef none;
        QVERIFY(refused([&] { memcpy_peer(theirs, mine, 16, &none, nullptr); }));
        // Nothing of all this has moved a byte.
        QVERIFY(contents(mine, 1000) == pattern(1000, 1));
        QVERIFY(contents(theirs, 1000) == pattern(1000, 2));
        there_->detach();
        QVERIFY(refused([&] { memcpy_peer(theirs, mine, 16); }));
        QVERIFY(refused([&] { memcpy_peer(mine, theirs, 16); }));
        QVERIFY(refused([&] { memcpy_peer_async(mine, theirs, 16, nullptr, nullptr, &stream); }));
        stream.synchronize();
        QVERIFY(contents(mine, 1000) == pattern(1000, 1));
    }

    // covers: memcpy_peer(dest, src, size, dest_context=None, src_context=None)
    void the_copy_that_waits() {
        const DeviceAllocation mine = made_in(*here_, pattern(4096, 1)), theirs = made_in(*there_, pattern(4096, 2));
        // It comes after what the default stream and those in order with it were told before, in both contexts.
        for (const bool from_here : {true, false}) {
            const DeviceAllocation& source = from_here ? mine : theirs;
            const DeviceAllocation& destination = from_here ? theirs : mine;
            const ContextScope scope(from_here ? *here_ : *there_);
            const Stream stream;
            stream.launch_host_func([] { QTest::qSleep(100); });
            const auto value = static_cast<std::uint8_t>(from_here ? 11 : 12);
            memset_d8_async(source, value, 4096, &stream);
            memcpy_peer(destination, source, 4096);
            QVERIFY(contents(destination, 4096) == Bytes(4096, value));
            stream.synchronize();
        }
        { // on the side that is written to as well
            const ContextScope scope(*there_);
            const Stream stream;
            stream.launch_host_func([] { QTest::qSleep(100); });
            memset_d8_async(theirs, 13, 4096, &stream);
            memcpy_peer(theirs, mine, 4096);
            stream.synchronize();
            QVERIFY(contents(theirs, 4096) == Bytes(4096, 12));
        }
        // Other streams do not hold it up.
        const ContextScope scope(*there_);
        const Stream aside(stream_flags::NON_BLOCKING);
        const Gate gate;
        aside.launch_host_func(gate.wait());
        memcpy_peer(mine, theirs, 4096);
        QVERIFY(contents(mine, 4096) == Bytes(4096, 12));
        QVERIFY(!aside.is_done());
        gate.open();
        aside.synchronize();
    }

    // covers: memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, stream=None)
    void copies_in_streams() {
        const std::size_t size = std::size_t{1} << 20;
        const DeviceAllocation mine = made_in(*here_, pattern(size, 1)), theirs = made_in(*there_, pattern(size, 2));
        const DeviceAllocation beside = made_in(*there_, pattern(size, 3));
        const Stream stream(stream_flags::NON_BLOCKING);
        there_->push();
        const Stream other(stream_flags::NON_BLOCKING);
        Context::pop();

        // In the order of its stream, and the caller goes on meanwhile.
        const Gate gate;
        stream.launch_host_func(gate.wait());
        memset_d8_async(mine, 21, size, &stream);
        memcpy_peer_async(theirs, mine, size, &*there_, &*here_, &stream);
        memset_d8_async(mine, 22, size, &stream);
        QVERIFY(!stream.is_done());
        gate.open();
        stream.synchronize();
        QVERIFY(contents(theirs, size) == Bytes(size, 21));
        QVERIFY(contents(mine, size) == Bytes(size, 22));

        // Events order it with streams of the other context.
        for (int round = 0; round < 5; ++round) {
            const auto value = static_cast<std::uint8_t>(30 + round);
            Event made(event_flags::DISABLE_TIMING);
            stream.launch_host_func([] { QTest::qSleep(20); });
            memset_d8_async(mine, value, size, &stream);
            made.record(stream);
            other.wait_for_event(made);
            memcpy_peer_async(theirs, mine, size, nullptr, nullptr, &other); // a stream of the destination
            memcpy_dtod_async(beside, theirs, size, &other);
            other.synchronize();
            QVERIFY(contents(beside, size) == Bytes(size, value));
        }
        // With no stream it is the default one of the destination.
        memcpy_peer_async(theirs, mine, 100);
        there_->synchronize();
        QVERIFY(contents(theirs, 100) == Bytes(100, 34));
        QVERIFY(Context::get_current() == *here_);
    }

    // covers: memcpy_peer_async(dest, src, size, dest_context=None, src_context=None, stream=None)
    // covers: Memcpy3DPeer.__call__(stream)
    void not_in_captures() {
        const DeviceAllocation mine = made_in(*here_, pattern(64, 1)), theirs = made_in(*there_, pattern(64, 2));
        const Stream stream(stream_flags::NON_BLOCKING);
        Memcpy3DPeer box;
        box.set_src_device(mine);
        box.set_dst_device(theirs);
        box.set_src_context(*here_);
        box.set_dst_context(*there_);
        box.width_in_bytes = 64;
        box.height = box.depth = 1;
        for (const bool boxes : {false, true}) {
            stream.begin_capture(stream_capture_mode::RELAXED);
            QCOMPARE(code_of([&] {
                         if (boxes)
                             box(stream);
                         else
                             memcpy_peer_async(theirs, mine, 64, nullptr, nullptr, &stream);
                     }),
                     result_code::STREAM_CAPTURE_UNSUPPORTED);
            QCOMPARE(code_of([&] { (void)stream.end_capture(); }), result_code::STREAM_CAPTURE_INVALIDATED);
        }
        QVERIFY(contents(theirs, 64) == pattern(64, 2));
    }

    // covers: Memcpy3DPeer(), Memcpy3DPeer.set_src_context(ctx), Memcpy3DPeer.set_dst_context(ctx)
    // covers: Memcpy3DPeer.__call__(), Memcpy3DPeer.__call__(stream)
    void boxes_between_contexts() {
        std::mt19937 random(7);
        const auto below = [&](std::size_t end) { return random() % end; };
        const std::size_t size = 64 * 12 * 6;
        const Stream stream(stream_flags::NON_BLOCKING);
        for (int round = 0; round < 40; ++round) {
            const bool to_there = round % 2;
            const Bytes from = pattern(size, static_cast<unsigned>(round)), into = pattern(size, 1000);
            const DeviceAllocation source = made_in(to_there ? *here_ : *there_, from);
            const DeviceAllocation destination = made_in(to_there ? *there_ : *here_, into);
            Memcpy3DPeer copy;
            copy.set_src_device(source);
            copy.set_dst_device(destination);
            copy.set_src_context(to_there ? *here_ : *there_);
            copy.set_dst_context(to_there ? *there_ : *here_);
            copy.src_pitch = copy.dst_pitch = 64;
            copy.src_height = copy.dst_height = 12;
            copy.width_in_bytes = 1 + below(64);
            copy.height = 1 + below(12);
            copy.depth = 1 + below(6);
            copy.src_x_in_bytes = below(65 - copy.width_in_bytes);
            copy.dst_x_in_bytes = below(65 - copy.width_in_bytes);
            copy.src_y = below(13 - copy.height);
            copy.dst_y = below(13 - copy.height);
            copy.src_z = below(7 - copy.depth);
            copy.dst_z = below(7 - copy.depth);
            if (round % 4 < 2) {
                copy();
            } else {
                stream.launch_host_func([] { QTest::qSleep(2); });
                copy(stream);
                stream.synchronize();
            }
            Bytes expected = into;
            for (std::size_t z = 0; z < copy.depth; ++z)
                for (std::size_t y = 0; y < copy.height; ++y)
                    for (std::size_t x = 0; x < copy.width_in_bytes; ++x)
                        expected[((copy.dst_z + z) * 12 + copy.dst_y + y) * 64 + copy.dst_x_in_bytes + x] =
                            from[((copy.src_z + z) * 12 + copy.src_y + y) * 64 + copy.src_x_in_bytes + x];
            QVERIFY(contents(destination, size) == expected);
            QVERIFY(contents(source, size) == from);
            copy.set_dst_context(*here_);
        }
    }

    // covers: Memcpy3DPeer.__call__(), Memcpy3DPeer.set_dst_context(ctx)
    void boxes_out_of_range() {
        const DeviceAllocation mine = made_in(*here_, pattern(4096, 1)), theirs = made_in(*there_, pattern(4096, 2));
        const Stream stream(stream_flags::NON_BLOCKING);
        const auto copy_of = [&] {
            Memcpy3DPeer copy;
            copy.set_src_device(mine);
            copy.set_dst_device(theirs);
            copy.set_src_context(*here_);
            copy.set_dst_context(*there_);
            copy.src_pitch = copy.dst_pitch = 64;
            copy.src_height = copy.dst_height = copy.height = 8;
            copy.width_in_bytes = 64;
            copy.depth = 8;
            return copy;
        };
        copy_of()();
        QVERIFY(contents(theirs, 4096) == pattern(4096, 1));
        for (const auto& wrong : std::initializer_list<std::function<void(Memcpy3DPeer&)>>{
                 [](auto& c) { c.src_pitch = 32; }, [](auto& c) { c.dst_height = 4; },
                 [](auto& c) { c.set_dst_device(device_ptr{0}); }}) {
            Memcpy3DPeer copy = copy_of();
            wrong(copy);
            QVERIFY(refused([&] { copy(); }));
            QVERIFY(refused([&] { copy(stream); }));
        }
        stream.synchronize();
        Memcpy3DPeer late = copy_of();
        there_->detach();
        QVERIFY(refused([&] { late(); }));
        QVERIFY(refused([&] { late(stream); }));
        QVERIFY(refused([&] { late.set_dst_context(*there_); }));
    }
};

QTEST_GUILESS_MAIN(PeerTest)
#include "peer_test.moc"
