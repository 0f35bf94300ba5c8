// SPDX-License-Identifier: Apache-2.0
// Stores that a worker makes later, by themselves.
#include "software/runtime/held_stores.hpp"

#include <QtTest>

#include <array>
#include <cstdint>
#include <vector>

using namespace warplight::software;

namespace {

constexpr std::uint32_t kLanes = 32;

/// Lines of memory, and what vectors of lanes store there.
class Columns {
public:
    explicit Columns(std::uint64_t stride)
        : stride_(stride), memory_(stride * kLanes / sizeof(Line) + 2), begin_(address_of(memory_.data())),
          held(HeldRange{begin_, begin_ + memory_.size() * sizeof(Line)}) {}

    bool hold(std::uint32_t column, std::uint32_t value) {
        std::array<std::uint64_t, kLanes> addresses;
        std::array<std::uint32_t, kLanes> values;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            addresses[lane] = begin_ + lane * stride_ + column * sizeof(std::uint32_t);
            values[lane] = value + lane;
        }
        return held.hold(addresses.data(), values.data(), kLanes);
    }
    [[nodiscard]] std::uint32_t at(std::uint32_t lane, std::uint32_t column) const {
        return *reinterpret_cast<const std::uint32_t*>(begin_ + lane * stride_ + column * sizeof(std::uint32_t));
    }

private:
    struct alignas(64) Line {
        std::array<std::uint32_t, 16> words{};
    };
    static std::uint64_t address_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

    std::uint64_t stride_;
    std::vector<Line> memory_;
    std::uint64_t begin_;

public:
    HeldStores held;
};

} // namespace

class HeldStoresTest : public QObject {
    Q_OBJECT

private slots:
    void whole_lines() {
        Columns columns(2048);
        for (std::uint32_t column = 0; column < 15; ++column)
            QVERIFY(columns.hold(column, 100 * column));
        QCOMPARE(columns.at(3, 2), 0U);
        QVERIFY(columns.hold(15, 1500)); // the line is whole
        QCOMPARE(columns.at(3, 2), 203U);
        QVERIFY(columns.hold(16, 1600));
        QCOMPARE(columns.at(31, 16), 0U);
        columns.held.make_all();
        QCOMPARE(columns.at(31, 16), 1631U);
    }
    /// Nobody asks again where lanes store to no lines of their own, as from row to row of a picture.
    void other_strides() {
        Columns columns(100);
        for (std::uint32_t k = 0; !columns.held.gave_up(); ++k) {
            QVERIFY(k < 1000);
            QVERIFY(!columns.hold(k % 16, k));
        }
    }
    void few_columns_of_a_line() {
        Columns columns(4096);
        std::uint32_t k = 0;
        for (; !columns.held.gave_up(); ++k) {
            QVERIFY(k < 1000);
            QVERIFY(columns.hold(k * 16 % 1024, k)); // each in another line
        }
        QVERIFY(!columns.hold(0, k));
    }
    void most_are_taken() {
        Columns columns(4096);
        for (std::uint32_t k = 0; k < 10000; ++k) {
            QVERIFY(columns.hold(k % 1024, k));
            QVERIFY(!columns.held.gave_up());
        }
    }
};

QTEST_GUILESS_MAIN(HeldStoresTest)
#include "test_held_stores.moc"
