// SPDX-License-Identifier: Apache-2.0
// Threads that go through rows of their own, side by side against a thread at a time: stores of 16 bytes of each lane,
// and loads between them that may read what was stored.
#include "lane_program.hpp"
#include "vector_code.hpp"

namespace {

/// %rd9 is where the thread's results begin. Nothing is known of the distance between lanes.
const std::string kRow = "mov.u32 %r20, %ntid.z; mul.lo.u32 %r21, %r10, %r20; ld.param.u64 %rd8, [out];\n"
                         "mad.wide.u32 %rd9, %r21, " +
                         std::to_string(4 * kRandomResults) + ", %rd8;\n";

/// Numbers of the thread's own in so many of its results.
std::string filled(int words) {
    std::string text = "mov.u32 %r22, %r3;\n";
    for (int k = 0; k < words; ++k)
        text += "mad.lo.u32 %r22, %r22, 1664525, " + std::to_string(k) + "; st.global.u32 [%rd1+" +
                std::to_string(4 * k) + "], %r22;\n";
    return text;
}

/// Running sums of four elements, a load and a store by turns, of what is at %rd12. Addresses are made behind the first
/// load, as compilers do.
std::string sums(int distance, const std::string& type, const std::string& sum, const std::string& value, int bytes) {
    std::string text = "add.u64 %rd12, %rd10, %rd11;\n";
    for (int k = 0; k < 16 / bytes; ++k) {
        const std::string place = std::to_string(k * bytes);
        text += "ld.global." + type + " " + value + ", [%rd12+" + place + "]; add." + type + " " + sum + ", " + sum +
                ", " + value + ";\n";
        if (k == 0) text += "add.s64 %rd13, %rd12, " + std::to_string(distance) + ";\n";
        text += "st.global." + type + " [%rd13+" + place + "], " + sum + ";\n";
    }
    return text;
}

std::string looped(const std::string& turn) {
    return "add.u64 %rd10, %rd9, 32; mov.u64 %rd11, 0; mov.u32 %r23, 0; mov.u32 %r24, 1; mov.u64 %rd15, 1;\nA:\n" +
           turn +
           "add.u64 %rd11, %rd11, 16; add.u32 %r23, %r23, 1; setp.lt.u32 %p1, %r23, 3; @%p1 bra A;\n"
           "st.global.u32 [%rd1], %r24;\nret;";
}

} // namespace

class RowRunsTest : public QObject {
    Q_OBJECT

private slots:
    void runningSums_data() {
        QTest::addColumn<int>("distance");
        for (const int distance : {0, 4, -4, 8, -8, 12, -12, 16, -16, 20, -20})
            QTest::addRow("%d bytes", distance) << distance;
    }
    /// In place, elsewhere, and where what is stored is loaded next.
    void runningSums() {
        QFETCH(int, distance);
        compare(program(kRow + filled(26) + looped(sums(distance, "u32", "%r24", "%r25", 4))));
        if (distance % 8 == 0) compare(program(kRow + filled(26) + looped(sums(distance, "u64", "%rd15", "%rd16", 8))));
    }

    /// Stores in another order, of pairs, and a load of the same row between them.
    void ordersAndPairs() {
        for (const char* stores :
             {"st.global.u32 [%rd12+8], %r24; st.global.u32 [%rd12], %r25; st.global.u32 [%rd12+12], %r3; "
              "st.global.u32 [%rd12+4], %r23;",
              "st.global.v2.u32 [%rd12+8], {%r24, %r25}; st.global.v2.u32 [%rd12], {%r3, %r23};",
              "st.global.v4.u32 [%rd12], {%r25, %r24, %r23, %r3};",
              "st.global.u32 [%rd12], %r24; ld.global.u32 %r25, [%rd12+16]; st.global.u32 [%rd12+4], %r25; "
              "ld.global.u32 %r25, [%rd12+8]; st.global.u32 [%rd12+8], %r24; st.global.u32 [%rd12+12], %r25;",
              "st.global.u32 [%rd12], %r24; st.global.u32 [%rd12+4], %r25; ld.global.u32 %r25, [%rd12]; "
              "st.global.u32 [%rd12+8], %r25; st.global.u32 [%rd12+12], %r24;"})
            compare(program(kRow + filled(26) +
                            looped("add.u64 %rd12, %rd10, %rd11; mad.lo.u32 %r24, %r24, 5, %r3; xor.b32 %r25, %r24, "
                                   "%r23;\n" +
                                   std::string(stores) + "\n")));
    }

    /// Only some of the lanes go through their rows.
    void someLanes() {
        compare(program(kRow + filled(26) + "and.b32 %r26, %r3, 1; setp.eq.u32 %p2, %r26, 0; @%p2 ret;\n" +
                        looped(sums(0, "u32", "%r24", "%r25", 4))));
    }

    void rowsAreStoredByPieces() {
        constexpr unsigned kLanes = 16;
        const VectorCode code = vector_code(program(kRow + looped(sums(64, "u32", "%r24", "%r25", 4))), kLanes);
        QVERIFY(code.wide_stores >= kLanes);
    }
};

QTEST_GUILESS_MAIN(RowRunsTest)
#include "test_row_runs.moc"
