// SPDX-License-Identifier: Apache-2.0
// The wire format: what is accepted, and that hostile bytes are refused without harm.
#include "worker/message.hpp"

#include <QtTest>

#include <cmath>
#include <random>

using namespace warplight::worker;

namespace {
std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
    std::vector<std::byte> result;
    for (int value : values)
        result.push_back(static_cast<std::byte>(value));
    return result;
}
std::vector<std::byte> body(const json& message) {
    std::vector<std::byte> all = encode_message(message);
    return {all.begin() + 4, all.end()};
}

struct Stream {
    std::vector<std::byte> bytes;
    std::size_t at = 0;
    std::size_t most = SIZE_MAX; ///< a read gives no more at once
    static std::size_t read(void* self, std::byte* to, std::size_t size) {
        auto& stream = *static_cast<Stream*>(self);
        size = std::min({size, stream.most, stream.bytes.size() - stream.at});
        std::copy_n(stream.bytes.begin() + static_cast<std::ptrdiff_t>(stream.at), size, to);
        stream.at += size;
        return size;
    }
};
} // namespace

class WorkerMessageTest : public QObject {
    Q_OBJECT
private slots:
    void round_trip() {
        json message = {{"text", "Grüße"},
                        {"n", -5},
                        {"big", std::uint64_t{1} << 63},
                        {"x", 0.1},
                        {"list", {1, 2, {3}}},
                        {"null", nullptr},
                        {"yes", true},
                        {"inf", std::numeric_limits<double>::infinity()},
                        {"data", json::binary({0, 255, 10})},
                        {"empty", json::object()}};
        json decoded;
        std::string problem;
        QVERIFY2(decode_message(body(message), decoded, problem), problem.c_str());
        QVERIFY(decoded == message);
        message = {{"nan", std::nan("")}};
        QVERIFY(decode_message(body(message), decoded, problem));
        QVERIFY(std::isnan(decoded["nan"].get<double>()));
    }

    void hostile_data() {
        QTest::addColumn<QByteArray>("data");
        auto row = [](const char* name, std::initializer_list<int> values) {
            QByteArray data;
            for (int value : values)
                data.append(static_cast<char>(value));
            QTest::newRow(name) << data;
        };
        row("empty", {});
        row("a number", {0x05});
        row("a list", {0x80});
        row("a text as long as memory", {0xa1, 0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
        row("a list as long as memory", {0xa1, 0x61, 'a', 0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
        row("a map as long as memory", {0xbb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff});
        row("map that overflows when doubled", {0xbb, 0x80, 0, 0, 0, 0, 0, 0, 1});
        row("a list one too long", {0xa1, 0x61, 'a', 0x82, 0x01});
        row("key is a number", {0xa1, 0x01, 0x01});
        row("bytes after the end", {0xa0, 0xa0});
        row("cut in a number", {0xa1, 0x61, 'a', 0x1b, 0x00});
        row("a tag", {0xc1, 0xa0});
        row("a tag inside", {0xa1, 0x61, 'a', 0xc2, 0x41, 0x00});
        row("reserved head", {0xa1, 0x61, 'a', 0x1c});
        row("stop without a start", {0xff});
        row("stop as a value", {0xa1, 0x61, 'a', 0xff});
        row("endless map with half a pair", {0xbf, 0x61, 'a', 0xff});
        row("endless map without a stop", {0xbf});
        row("text of wrong chunks", {0xa1, 0x7f, 0x41, 0x00, 0xff, 0x01});
        row("text in a text without end", {0xa1, 0x7f, 0x7f, 0xff, 0xff, 0x01});
        row("undefined simple value", {0xa1, 0x61, 'a', 0xf7});
        QByteArray deep("\xa1\x61\x61", 3);
        deep += QByteArray(1000000, '\x81');
        QTest::newRow("a million lists in each other") << deep + QByteArray(1, '\x01');
        QByteArray endless("\xa1\x61\x61", 3);
        QTest::newRow("endless lists in each other") << endless + QByteArray(1000000, '\x9f');
        QTest::newRow("endless maps in each other") << QByteArray("\xbf\x61\x61").repeated(300000);
    }
    void hostile() {
        QFETCH(QByteArray, data);
        auto bytes = std::as_bytes(std::span(data.constData(), static_cast<std::size_t>(data.size())));
        json message;
        std::string problem;
        QVERIFY(!decode_message(bytes, message, problem));
        QVERIFY(!problem.empty());
    }

    void depth_limit_is_exact() {
        json message = json::object();
        for (int i = 1; i < kDeepestNesting; ++i)
            message = json{{"a", message}};
        json decoded;
        std::string problem;
        QVERIFY2(decode_message(body(message), decoded, problem), problem.c_str());
        QVERIFY(!decode_message(body(json{{"a", message}}), decoded, problem));
    }

    void every_cut_and_every_flip() {
        json message = {{"jsonrpc", "2.0"}, {"id", 1}, {"method", "x"}, {"params", {{"a", {1, 2.5, "t"}}}}};
        std::vector<std::byte> good = body(message);
        json decoded;
        std::string problem;
        for (std::size_t size = 0; size < good.size(); ++size)
            QVERIFY(!decode_message(std::span(good).first(size), decoded, problem));
        for (std::size_t i = 0; i < good.size(); ++i)
            for (int value = 0; value < 256; ++value) {
                std::vector<std::byte> bad = good;
                bad[i] = static_cast<std::byte>(value);
                decode_message(bad, decoded, problem); // any answer, no crash
            }
        std::mt19937 random(3);
        for (int round = 0; round < 20000; ++round) {
            std::vector<std::byte> noise(random() % 64);
            for (std::byte& b : noise)
                b = static_cast<std::byte>(random());
            if (!noise.empty()) noise[0] = static_cast<std::byte>(0xa0 + random() % 32);
            // What passes the check, the library decodes too.
            bool fine = check_cbor(noise).empty();
            QCOMPARE(decode_message(noise, decoded, problem), fine);
        }
    }

    void frames() {
        Stream stream;
        for (int i = 0; i < 3; ++i) {
            auto message =
                encode_message({{"i", i}, {"data", std::string(static_cast<std::size_t>(i) * 3000000, 'x')}});
            stream.bytes.insert(stream.bytes.end(), message.begin(), message.end());
        }
        stream.most = 1777;
        FrameReader reader(&Stream::read, &stream);
        std::vector<std::byte> message;
        json decoded;
        std::string problem;
        for (int i = 0; i < 3; ++i) {
            QVERIFY(reader.next(message) == FrameReader::Result::message);
            QVERIFY(decode_message(message, decoded, problem));
            QCOMPARE(decoded["i"].get<int>(), i);
        }
        QVERIFY(reader.next(message) == FrameReader::Result::end);
        for (auto bad : {bytes_of({1, 2}), bytes_of({5, 0, 0, 0, 1}), bytes_of({0xff, 0xff, 0xff, 0xff}),
                         bytes_of({0, 0, 0, 0x0f, 1, 2, 3})}) {
            Stream broken{bad};
            FrameReader frames(&Stream::read, &broken);
            QVERIFY(frames.next(message) == FrameReader::Result::broken);
        }
    }
};

QTEST_APPLESS_MAIN(WorkerMessageTest)
#include "worker_message_test.moc"
