// SPDX-License-Identifier: Apache-2.0
// What each of some hundred cases leaves in memory, against a recording of an H100: recordings/h100.bin.
// recordings/open.txt lists the cases that are known to differ; it only ever gets shorter.
//   WARPLIGHT_TEST_DRIVER=cuda WARPLIGHT_RECORD=FILE recorded_test    writes a recording of this machine's GPU
// A recording: compressed by Qt; for each case its name and its bytes, with the length of each in 32 bits before it.
#include "array_fixture.hpp"
#include "recorded_cases.hpp"

#include <QFile>
#include <QHash>
#include <QtTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

using namespace warplight::driver;
using recorded::Bytes;
using recorded::Case;

namespace {

std::vector<Case> all_cases() {
    std::vector<Case> cases;
    recorded::add_copies(cases);
    recorded::add_textures(cases);
    recorded::add_instructions(cases);
    recorded::add_launches(cases);
    return cases;
}

void put(QByteArray& to, const void* data, std::size_t size) {
    const auto length = static_cast<std::uint32_t>(size);
    to.append(reinterpret_cast<const char*>(&length), sizeof length);
    to.append(static_cast<const char*>(data), static_cast<qsizetype>(size));
}
QByteArray take(const QByteArray& from, qsizetype& at) {
    std::uint32_t length = 0;
    if (from.size() - at < static_cast<qsizetype>(sizeof length)) return {};
    std::memcpy(&length, from.constData() + at, sizeof length);
    at += static_cast<qsizetype>(sizeof length);
    const QByteArray part = from.mid(at, length);
    at += length;
    return part;
}

/// How far filtered channels are apart: as numbers, or where the case's name says so as integers.
double distance(const QString& name, const Bytes& got, const std::uint8_t* expected) {
    const bool integers = name.contains("as integers") || name.contains("u32") || name.contains("s32");
    double most = 0;
    for (std::size_t at = 0; at + 4 <= got.size(); at += 4) {
        std::int32_t a = 0, b = 0;
        std::memcpy(&a, got.data() + at, 4);
        std::memcpy(&b, expected + at, 4);
        const double apart =
            integers ? static_cast<double>(a) - b
                     : static_cast<double>(std::bit_cast<float>(a)) - static_cast<double>(std::bit_cast<float>(b));
        most = std::max(most, std::fabs(apart));
    }
    return most;
}

/// The documented precision of filtering: weights have eight bits of fraction, so a 256th of the texels' range.
double precision(const QString& name) {
    static const std::pair<const char*, double> ranges[] = {{"u8x4 as integers", 256},
                                                            {"s8x2 as integers", 256},
                                                            {"u16 as integers", 65536},
                                                            {"s16x4 as integers", 65536},
                                                            {"u8x4", 1},
                                                            {"s8x2", 2},
                                                            {"u16", 1},
                                                            {"s16x4", 2},
                                                            {"u32", 0x1p32},
                                                            {"s32x2", 0x1p32},
                                                            {"half x4", 64},
                                                            {"float", 1024}};
    for (const auto& [format, range] : ranges)
        if (name.contains(format)) return range / 256;
    return 0;
}

} // namespace

class RecordedTest : public QObject {
    Q_OBJECT
    std::optional<Context> context_;
    std::vector<Case> cases_;
    QHash<QString, QByteArray> recording_;
    QSet<QString> open_; ///< cases that are known to differ
    QByteArray written_;

private slots:
    void initTestCase() {
        (void)array_fixture::test_driver();
        context_ = Device(0).make_context();
        cases_ = all_cases();
        if (qEnvironmentVariableIsSet("WARPLIGHT_RECORD")) return;
        QFile file(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/core/recordings/h100.bin"));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
        QFile open(QStringLiteral(WARPLIGHT_SOURCE_DIR "/tests/core/recordings/open.txt"));
        QVERIFY(open.open(QIODevice::ReadOnly));
        for (const QString& line : QString::fromUtf8(open.readAll()).split('\n', Qt::SkipEmptyParts))
            open_.insert(line);
        const QByteArray data = qUncompress(file.readAll());
        QVERIFY(!data.isEmpty());
        for (qsizetype at = 0; at < data.size();) {
            const QString name = QString::fromUtf8(take(data, at));
            recording_[name] = take(data, at);
        }
    }
    void cleanupTestCase() {
        Context::pop();
        context_.reset();
        if (!qEnvironmentVariableIsSet("WARPLIGHT_RECORD")) return;
        QFile file(qEnvironmentVariable("WARPLIGHT_RECORD"));
        QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.errorString()));
        QVERIFY(file.write(qCompress(written_, 9)) > 0);
    }

    void names_are_unique_and_many() {
        QSet<QString> names;
        for (const Case& each : cases_)
            QVERIFY2(!names.contains(QString::fromStdString(each.name)) &&
                         (names.insert(QString::fromStdString(each.name)), true),
                     each.name.c_str());
        QVERIFY2(names.size() >= 200, qPrintable(QString::number(names.size())));
    }

    void cases_data() {
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < cases_.size(); ++i)
            QTest::newRow(cases_[i].name.c_str()) << static_cast<int>(i);
    }
    void cases() {
        QFETCH(int, number);
        const Case& what = cases_[static_cast<std::size_t>(number)];
        const Bytes got = what.run();
        if (qEnvironmentVariableIsSet("WARPLIGHT_RECORD")) {
            put(written_, what.name.data(), what.name.size());
            put(written_, got.data(), got.size());
            return;
        }
        const QString name = QString::fromStdString(what.name);
        QVERIFY2(recording_.contains(name), "the recording has no such case");
        const QByteArray& expected = recording_[name];
        QCOMPARE(static_cast<qsizetype>(got.size()), expected.size());
        const auto* theirs = reinterpret_cast<const std::uint8_t*>(expected.constData());
        const auto [mine, other] = std::mismatch(got.begin(), got.end(), theirs);
        const bool on_software = array_fixture::on_software();
        if (mine == got.end()) {
            QVERIFY2(!on_software || !open_.contains(name), "it is equal now: strike it from open.txt");
            return;
        }
        if (on_software && open_.contains(name)) {
            QVERIFY2(name.contains(", linear"), "only filtered values may differ");
            const double apart = distance(name, got, theirs), most = precision(name);
            QVERIFY2(apart <= most, qPrintable(QString("%1 apart, %2 allowed").arg(apart).arg(most)));
            return;
        }
        const auto at = mine - got.begin();
        const auto start = at / 8 * 8;
        const auto hex = [start](const std::uint8_t* bytes, std::ptrdiff_t size) {
            return QByteArray(reinterpret_cast<const char*>(bytes) + start,
                              static_cast<qsizetype>(std::min<std::ptrdiff_t>(16, size - start)))
                .toHex(' ');
        };
        const auto size = static_cast<std::ptrdiff_t>(got.size());
        QFAIL(qPrintable(
            QString("%1 of %2 bytes differ, the first at %3: from %4 on %5, recorded %6")
                .arg(std::inner_product(got.begin(), got.end(), theirs, 0, std::plus<>(), std::not_equal_to<>()))
                .arg(size)
                .arg(at)
                .arg(start)
                .arg(hex(got.data(), size), hex(theirs, size))));
    }
};

QTEST_GUILESS_MAIN(RecordedTest)
#include "recorded_test.moc"
