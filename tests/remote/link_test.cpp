// SPDX-License-Identifier: Apache-2.0
// The link between machines on streams in memory: cuts at any byte, silence, slow lines, hostile bytes.
#include "remote/bulk_pace.hpp"
#include "remote/frame.hpp"
#include "remote/greeting.hpp"
#include "remote/link.hpp"
#include "remote/packing.hpp"

#include "memory_stream.hpp"

#include <QtTest>

#include <array>
#include <atomic>
#include <cstring>
#include <future>
#include <random>
#include <thread>

using namespace warplight::remote;
using namespace std::chrono_literals;

namespace {

constexpr auto kQuiet = 30s;

/// Content that tells its channel and number. Half of the packets can be compressed.
std::vector<std::byte> content(Channel channel, std::uint64_t number, std::size_t size) {
    std::mt19937_64 random(number * 4 + static_cast<std::uint64_t>(channel));
    std::vector<std::byte> bytes(size, static_cast<std::byte>(number / 2 + static_cast<std::uint64_t>(channel)));
    for (std::size_t at = 0; number % 2 && at < size; at += sizeof(std::uint64_t)) {
        const std::uint64_t value = random();
        std::memcpy(&bytes[at], &value, std::min(size - at, sizeof value));
    }
    return bytes;
}

std::size_t random_size(std::mt19937& random) {
    switch (random() % 8) {
    case 0: return 0;
    case 1: return kLargestFrame;
    case 2: return 60'000 + random() % 200'000;
    default: return random() % 2000;
    }
}

std::vector<std::byte> bytes_of_text(std::string_view text) {
    const auto* data = reinterpret_cast<const std::byte*>(text.data());
    return {data, data + text.size()};
}

/// Two links on one pair of streams.
struct Pair {
    explicit Pair(LinkLimits near_limits = {}, LinkLimits far_limits = {}) : near(near_limits), far(far_limits) {}
    ~Pair() {
        near.close();
        far.close();
        for (std::thread& thread : threads)
            thread.join();
    }
    void connect(std::chrono::milliseconds near_quiet = kQuiet, std::chrono::milliseconds far_quiet = kQuiet) {
        threads.emplace_back([this, near_quiet] { near_end = near.carry(streams.near, near_quiet); });
        threads.emplace_back([this, far_quiet] { far_end = far.carry(streams.far, far_quiet); });
    }
    MemoryStreams streams;
    Link near, far;
    std::atomic<Link::End> near_end{}, far_end{};
    std::vector<std::thread> threads;
};

/// The other side, byte by byte.
struct Hostile {
    MemoryStreams streams;
    Link link;
    std::future<Link::End> end;
    bool greeted = false;

    explicit Hostile(bool with_hello = true) {
        end = std::async(std::launch::async, [this] { return link.carry(streams.near, kQuiet); });
        if (with_hello) hello(kRemoteProtocol);
    }
    ~Hostile() {
        streams.near.close();
        link.close();
    }
    /// A good one waits for what the link tells first.
    void hello(std::uint32_t protocol) {
        std::array<std::byte, kFrameHead + 4> told{};
        for (std::size_t got = 0; !greeted && got < told.size();)
            got += streams.far.read(told.data() + got, told.size() - got);
        greeted = true;
        std::array<std::byte, 4> body{};
        std::memcpy(body.data(), &protocol, sizeof protocol);
        send({.type = FrameType::hello, .limit = std::uint64_t{1} << 20}, body);
    }
    void send(const FrameHead& head, std::span<const std::byte> body = {}) {
        const FrameHeadBytes bytes = encode_frame_head(head, body);
        streams.far.write(bytes.data(), bytes.size());
        streams.far.write(body.data(), body.size());
    }
    void piece(std::uint64_t sequence, bool first, bool last, std::span<const std::byte> body, bool packed = false,
               Channel channel = Channel::worker) {
        send({.type = FrameType::data,
              .channel = channel,
              .first = first,
              .last = last,
              .packed = packed,
              .sequence = sequence},
             body);
    }
};

} // namespace

class LinkTest : public QObject {
    Q_OBJECT

private slots:
    void packets_of_all_sizes_arrive() {
        Pair pair;
        pair.connect();
        const std::array sizes{std::size_t{0},    std::size_t{1},    kLargestFrame - 1,    kLargestFrame,
                               kLargestFrame + 1, std::size_t{5000}, std::size_t{20} << 20};
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            QVERIFY(pair.near.send(Channel::worker, content(Channel::worker, i, sizes[i])));
            const auto packet = pair.far.receive();
            QVERIFY(packet && packet->channel == Channel::worker);
            QVERIFY(packet->body == content(Channel::worker, i, sizes[i]));
        }
        // The last one is of one value.
        const LinkStatistics sent = pair.near.statistics(), received = pair.far.statistics();
        QVERIFY(sent.bytes_sent > 20'000'000 && sent.wire_bytes_sent < 1'000'000);
        QCOMPARE(received.bytes_received, sent.bytes_sent);
        QCOMPARE(received.packets_received, std::uint64_t{7});
        QVERIFY(sent.round_trip.has_value());
        QVERIFY_THROWS_EXCEPTION(
            std::length_error,
            pair.near.send(Channel::control, std::vector<std::byte>(largest_packet(Channel::control) + 1)));
    }

    void streams_cut_anywhere_lose_nothing_data() {
        QTest::addColumn<int>("cuts");
        QTest::addColumn<unsigned>("largest");
#ifdef Q_OS_WIN // where threads take long to start
        QTest::newRow("in heads") << 200 << 300U;
        QTest::newRow("in packets") << 150 << 60'000U;
#else
        QTest::newRow("in heads") << 1200 << 300U;
        QTest::newRow("in packets") << 700 << 60'000U;
#endif
        QTest::newRow("after many packets") << 40 << 3'000'000U;
    }
    void streams_cut_anywhere_lose_nothing() {
        QFETCH(int, cuts);
        QFETCH(unsigned, largest);
        LinkLimits limits;
        limits.window = std::size_t{512} << 10;
        limits.unacknowledged = {100'000, 300'000, 300'000};
        Link near(limits), far(limits);
        std::atomic<bool> done = false;
        std::atomic<int> wrong = 0;
        const auto sending = [&](Link& link, unsigned seed) {
            std::mt19937 random(seed);
            std::array<std::uint64_t, kChannels> number{};
            while (!done) {
                const auto channel = static_cast<Channel>(random() % kChannels);
                const std::uint64_t next = number[static_cast<std::size_t>(channel)]++;
                // The receiver knows the size by the same rule.
                std::mt19937 size(static_cast<unsigned>(next * 4 + static_cast<std::uint64_t>(channel)));
                if (!link.send(channel, content(channel, next, random_size(size)))) break;
            }
        };
        std::atomic<std::uint64_t> received = 0;
        const auto receiving = [&](Link& link) {
            std::array<std::uint64_t, kChannels> number{};
            while (auto packet = link.receive()) {
                const std::uint64_t next = number[static_cast<std::size_t>(packet->channel)]++;
                std::mt19937 size(static_cast<unsigned>(next * 4 + static_cast<std::uint64_t>(packet->channel)));
                if (packet->body != content(packet->channel, next, random_size(size))) ++wrong;
                ++received;
            }
        };
        std::vector<std::thread> threads;
        threads.emplace_back(sending, std::ref(near), 1);
        threads.emplace_back(sending, std::ref(far), 2);
        threads.emplace_back(receiving, std::ref(near));
        threads.emplace_back(receiving, std::ref(far));
        std::mt19937 random(3);
        int refused = 0;
        for (int cut = 0; cut < cuts; ++cut) {
            MemoryStreams streams;
            auto& first = random() % 2 ? streams.forth : streams.back;
            first->cut_after = 1 + random() % largest;
            if (random() % 4 == 0) streams.forth->most = 1000; // many small reads
            Link::End far_end{};
            std::thread other([&] {
                far_end = far.carry(streams.far, kQuiet);
                streams.far.close();
            });
            const Link::End near_end = near.carry(streams.near, kQuiet);
            other.join();
            for (const Link::End end : {near_end, far_end})
                if (end == Link::End::refused || end == Link::End::closed) ++refused;
        }
        done = true;
        near.close();
        far.close();
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(refused, 0);
        QCOMPARE(wrong.load(), 0);
        QVERIFY2(received > 50, qPrintable(QString::number(received.load())));
        QCOMPARE(near.statistics().streams, cuts);
        QVERIFY(near.statistics().wire_bytes_sent_again > 0);
    }

    void small_packets_overtake_files() {
        Pair pair;
        pair.streams.forth->bytes_a_second = 8 << 20;
        pair.connect();
        const std::vector<std::byte> piece(std::size_t{256} << 10);
        std::thread files([&] {
            for (int i = 0; i < 32 && pair.near.send(Channel::bulk, piece); ++i) {
            }
        });
        int pieces = 0, before = -1;
        while (pieces < 32) {
            const auto packet = pair.far.receive();
            if (!packet) break;
            if (packet->channel == Channel::bulk && ++pieces == 8)
                pair.near.send(Channel::control, bytes_of_text("stop"));
            if (packet->channel == Channel::control) before = pieces;
        }
        files.join();
        // Of the 24 that were waiting.
        QVERIFY2(before >= 8 && before <= 14, qPrintable(QString::number(before)));
    }

    void a_packet_may_keep_its_place() {
        Pair pair;
        QVERIFY(pair.near.send(Channel::worker, content(Channel::worker, 1, 500'000)));
        QVERIFY(pair.near.send(Channel::worker, content(Channel::worker, 3, 200'000)));
        QVERIFY(pair.near.send_after(Channel::worker, Channel::control, bytes_of_text("ended")));
        QVERIFY(pair.near.send(Channel::control, content(Channel::control, 1, 200'000)));
        pair.connect();
        std::vector<Channel> order;
        std::vector<std::size_t> sizes;
        for (int i = 0; i < 4; ++i) {
            const auto packet = pair.far.receive();
            QVERIFY(packet);
            order.push_back(packet->channel);
            sizes.push_back(packet->body.size());
        }
        QCOMPARE(sizes, (std::vector<std::size_t>{200'000, 500'000, 200'000, 5}));
        QVERIFY(order.front() == Channel::control && order.back() == Channel::control);
    }

    void who_does_not_read_bounds_the_sender() {
        LinkLimits small;
        small.window = std::size_t{256} << 10;
        small.unacknowledged = {100'000, 400'000, 400'000};
        Pair pair(small, small);
        pair.connect();
        std::atomic<int> sent = 0;
        pair.threads.emplace_back([&] {
            while (pair.near.send(Channel::worker, content(Channel::worker, 1, 10'000)))
                ++sent;
        });
        int before = -1;
        while (before != sent) {
            before = sent;
            QTest::qWait(200);
        }
        // The window, what is not confirmed, and what was being sent.
        QVERIFY2(sent >= 40 && sent < 80, qPrintable(QString::number(sent)));
        QVERIFY(pair.near.waiting() <= 400'000);
        QVERIFY(pair.far.statistics().wire_bytes_received < 400'000);
        QVERIFY(pair.near.connected() && pair.far.connected());
        for (int i = 0; i < 200; ++i)
            QVERIFY(pair.far.receive());
        QTRY_VERIFY(sent >= 200);
    }

    void silence_counts_as_loss() {
        Pair pair;
        pair.streams.forth->still = true;
        pair.connect(kQuiet, 300ms); // the near end is patient: it would end the stream first on a busy machine
        QTRY_VERIFY_WITH_TIMEOUT(pair.far.last_end().find("stood still for 0.3 s") != std::string::npos, 5000);
        QVERIFY(!pair.far.connected());
    }

    void a_sign_of_life_keeps_an_idle_line() {
        Pair pair;
        pair.connect(2500ms, 2500ms);
        QTest::qWait(3000);
        QVERIFY(pair.near.connected() && pair.far.connected());
    }

    void a_second_stream_takes_over() {
        Pair pair;
        pair.connect();
        QVERIFY(pair.near.send(Channel::worker, bytes_of_text("one")));
        QVERIFY(pair.far.receive());
        MemoryStreams others;
        std::thread near([&] { pair.near.carry(others.near, kQuiet); });
        std::thread far([&] { pair.far.carry(others.far, kQuiet); });
        QVERIFY(pair.near.send(Channel::worker, bytes_of_text("two")));
        const auto packet = pair.far.receive();
        QVERIFY(packet && packet->body == bytes_of_text("two"));
        QTRY_VERIFY(pair.streams.forth->closed);
        QVERIFY(pair.near_end == Link::End::broken || pair.far_end == Link::End::broken ||
                pair.near_end == Link::End::ended || pair.far_end == Link::End::ended);
        pair.near.close();
        near.join();
        far.join();
    }

    void closing_delivers_what_was_sent() {
        Pair pair;
        for (int i = 0; i < 50; ++i)
            QVERIFY(pair.near.send(Channel::worker, content(Channel::worker, 1, 30'000)));
        pair.connect();
        QTRY_VERIFY(pair.near.connected());
        pair.near.close();
        QVERIFY(!pair.near.send(Channel::worker, {}));
        int count = 0;
        while (pair.far.receive())
            ++count;
        QCOMPARE(count, 50);
        for (std::thread& thread : pair.threads)
            thread.join();
        pair.threads.clear();
        QCOMPARE(pair.near_end.load(), Link::End::closed);
        QCOMPARE(pair.far_end.load(), Link::End::closed);
        QVERIFY(!pair.near.receive());
    }

    void a_stream_that_comes_late_still_tells_of_the_end() {
        Pair pair;
        QVERIFY(pair.near.send(Channel::worker, bytes_of_text("last")));
        pair.near.close();
        pair.connect();
        QVERIFY(pair.far.receive());
        QVERIFY(!pair.far.receive());
        QTRY_COMPARE(pair.far_end.load(), Link::End::closed);
    }

    void an_answer_takes_little_time() {
        Pair pair;
        pair.connect();
        std::thread echo([&] {
            while (auto packet = pair.far.receive())
                pair.far.send(packet->channel, packet->body);
        });
        std::vector<double> times;
        const auto request = content(Channel::worker, 1, 300);
        for (int i = 0; i < 300; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            pair.near.send(Channel::worker, request);
            if (!pair.near.receive()) break;
            times.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        }
        pair.near.close();
        echo.join();
        QCOMPARE(times.size(), std::size_t{300});
        std::sort(times.begin(), times.end());
        qInfo("median %.3f ms, 99th of 100 %.3f ms", times[150], times[297]);
        QVERIFY2(times[150] < 5, qPrintable(QString::number(times[150]))); // 0.1 ms on an idle machine
    }

    void wrong_frames_end_the_stream_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("refused");
        QTest::addColumn<QString>("words");
        QTest::newRow("no frames at all") << 0 << false << "something else than frames";
        QTest::newRow("another protocol") << 1 << true << "version 77 of the protocol, this one 1";
        QTest::newRow("data before hello") << 2 << false << "at a wrong time";
        QTest::newRow("hello twice") << 3 << false << "at a wrong time";
        QTest::newRow("confirms what was never sent") << 4 << true << "never sent";
        QTest::newRow("a gap") << 5 << false << "missing";
        QTest::newRow("a changed byte") << 6 << false << "damaged";
        QTest::newRow("a piece without a beginning") << 7 << true << "wrong order";
        QTest::newRow("a beginning in a packet") << 8 << true << "wrong order";
        QTest::newRow("a larger packet than one may be") << 9 << true << "larger than one may be";
        QTest::newRow("a small packet that would be large") << 10 << true << "would be larger";
        QTest::newRow("a packet that is not compressed as it says") << 11 << true << "cannot be unpacked";
        QTest::newRow("more than the window") << 12 << true << "more came than may";
        QTest::newRow("a length beyond a frame's") << 13 << false << "wrong size";
        QTest::newRow("a head with a body") << 14 << false << "wrong size";
        QTest::newRow("half a frame") << 15 << false << "in the middle";
        QTest::newRow("an empty conversation that had more") << 16 << true << "lost what it had";
    }
    void wrong_frames_end_the_stream() {
        QFETCH(int, kind);
        QFETCH(bool, refused);
        QFETCH(QString, words);
        Hostile peer(kind != 1 && kind != 2 && kind != 16);
        const std::vector<std::byte> some(100, std::byte{7}), full(kLargestFrame);
        const auto write = [&](FrameHeadBytes bytes, std::span<const std::byte> body = {}) {
            peer.streams.far.write(bytes.data(), bytes.size());
            peer.streams.far.write(body.data(), body.size());
        };
        bool take = false;
        switch (kind) {
        case 0:
            peer.streams.far.write(bytes_of_text("Last login: Sunday, from somewhere else than here\n").data(), 48);
            break;
        case 1: peer.hello(77); break;
        case 2: peer.piece(0, true, true, some); break;
        case 3: peer.hello(kRemoteProtocol); break;
        case 4: peer.send({.type = FrameType::state, .received = 1}); break;
        case 5: peer.piece(1, true, true, some); break;
        case 6: {
            std::vector<std::byte> changed = some;
            changed[50] ^= std::byte{1};
            write(encode_frame_head({.type = FrameType::data, .first = true, .last = true}, some), changed);
            break;
        }
        case 7: peer.piece(0, false, true, some); break;
        case 8:
            peer.piece(0, true, false, some);
            peer.piece(1, true, false, some);
            break;
        case 9:
            for (std::uint64_t i = 0; i < 258 && peer.end.wait_for(0s) != std::future_status::ready; ++i)
                peer.piece(i, i == 0, false, full, false, Channel::control);
            break;
        case 10: {
            auto bomb = *pack(std::vector<std::byte>(largest_packet(Channel::control) + 1));
            peer.piece(0, true, true, bomb, true, Channel::control);
            break;
        }
        case 11: {
            auto broken = *pack(std::vector<std::byte>(50'000));
            broken.back() ^= std::byte{0xff};
            broken.resize(broken.size() - 2);
            peer.piece(0, true, true, broken, true);
            take = true;
            break;
        }
        case 12:
            for (std::uint64_t i = 0; i < 400 && peer.end.wait_for(0s) != std::future_status::ready; ++i)
                peer.piece(i, true, true, full);
            break;
        case 13: {
            FrameHeadBytes head = encode_frame_head({.type = FrameType::data, .first = true, .last = true}, {});
            head[7] = std::byte{0x7f};
            write(head);
            break;
        }
        case 14: write(encode_frame_head({.type = FrameType::state}, some), some); break;
        case 15:
            peer.streams.far.write(encode_frame_head({.type = FrameType::state}, {}).data(), 20);
            peer.streams.forth->close();
            peer.streams.back->close();
            break;
        case 16: {
            peer.hello(kRemoteProtocol);
            QVERIFY(peer.link.send(Channel::worker, some));
            QTRY_VERIFY(peer.link.statistics().wire_bytes_sent > 2 * kFrameHead + 100);
            peer.send({.type = FrameType::state, .received = 1});
            QTRY_COMPARE(peer.link.waiting(), std::uint64_t{0});
            peer.streams.near.close();
            QVERIFY(peer.end.get() != Link::End::refused);
            MemoryStreams next;
            peer.end = std::async(std::launch::async, [&] { return peer.link.carry(next.near, kQuiet); });
            std::array<std::byte, 4> body{std::byte{kRemoteProtocol}};
            const auto head = encode_frame_head({.type = FrameType::hello}, body);
            next.far.write(head.data(), head.size());
            next.far.write(body.data(), body.size());
            QCOMPARE(peer.end.get(), Link::End::refused);
            QVERIFY2(peer.link.last_end().find(words.toStdString()) != std::string::npos, peer.link.last_end().c_str());
            return;
        }
        default: QFAIL("no such kind");
        }
        if (take) QVERIFY(!peer.link.receive());
        QVERIFY(peer.end.wait_for(20s) == std::future_status::ready);
        QCOMPARE(peer.end.get(), refused ? Link::End::refused : Link::End::broken);
        QVERIFY2(peer.link.last_end().find(words.toStdString()) != std::string::npos, peer.link.last_end().c_str());
        QCOMPARE(peer.link.send(Channel::worker, some), !refused);
    }

    void the_pace_of_files_fits_the_line() {
        using namespace std::chrono;
        // A line of so many bytes a second, with a queue in front.
        const auto settle = [](double rate, double round_trip) {
            BulkPace pace(std::uint64_t{8} << 20);
            pace.round_trip(microseconds(static_cast<std::int64_t>(round_trip * 1e6)));
            LinkClock::time_point now{}, free{};
            struct OnWay {
                LinkClock::time_point arrives;
                BulkPace::Mark mark;
            };
            std::vector<OnWay> on_way;
            constexpr std::uint64_t frame = 65536;
            for (int i = 0; i < 4000; ++i) {
                while (pace.has_room(frame)) {
                    const BulkPace::Mark mark = pace.written(frame, now);
                    free = std::max(free, now) + duration_cast<LinkClock::duration>(duration<double>(frame / rate));
                    on_way.push_back({free + duration_cast<LinkClock::duration>(duration<double>(round_trip)), mark});
                }
                now = on_way.front().arrives;
                pace.arrived(frame, on_way.front().mark, now);
                on_way.erase(on_way.begin());
            }
            return static_cast<double>(pace.window());
        };
        QCOMPARE(settle(1e6, 0.05), 262144.0);                                               // the least
        QVERIFY2(settle(1e7, 0.05) > 1.2e6, qPrintable(QString::number(settle(1e7, 0.05)))); // fills the line
        QVERIFY(settle(1e7, 0.05) < 3e6);                                                    // and little more
        QCOMPARE(settle(1e9, 0.1), 8388608.0);                                               // the most
    }

    void greetings_are_found_behind_banners() {
        MemoryStreams streams;
        const std::string noise =
            "Welcome!\r\nWARPLIGHT-REMOTE {\"token\":\"other\"}\nWARPLIGHT-REMOTE nonsense\nno line feed ";
        const Greeting told{"t1", 1, "1.2.3", Greeting::State::gone, "It is \"gone\"."};
        const std::string text = noise + greeting_text(told).substr(1) + "rest";
        streams.far.write(bytes_of_text(text).data(), text.size());
        std::vector<std::string> banner;
        std::string problem;
        const auto found =
            read_greeting(streams.near, "t1", [&](std::string_view line) { banner.emplace_back(line); }, problem);
        QVERIFY(found);
        QCOMPARE(found->state, Greeting::State::gone);
        QCOMPARE(found->problem, told.problem);
        QCOMPARE(found->version, told.version);
        QCOMPARE(banner.size(), std::size_t{3});
        QCOMPARE(banner.front(), std::string("Welcome!"));
        std::array<std::byte, 4> rest{};
        QCOMPARE(streams.near.read(rest.data(), 4), std::size_t{4});
        QVERIFY(std::memcmp(rest.data(), "rest", 4) == 0);
        struct Noise : Stream {
            std::size_t read(std::byte* to, std::size_t size) override {
                std::fill_n(to, size, std::byte{'x'});
                return size;
            }
            bool write(const std::byte* /*from*/, std::size_t /*size*/) override { return true; }
            void close() override {}
        } endless;
        QVERIFY(!read_greeting(endless, "t1", {}, problem));
        QVERIFY(problem.find("1 MiB") != std::string::npos);
        streams.near.close();
        QVERIFY(!read_greeting(streams.near, "t1", {}, problem));
        QVERIFY(problem.find("ended before") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(LinkTest)
#include "link_test.moc"
