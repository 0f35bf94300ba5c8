// SPDX-License-Identifier: Apache-2.0
// Which loops do nothing but wait (ptx/waiting_loops.hpp).
#include "parsing.hpp"

#include "software/ptx/waiting_loops.hpp"

#include <algorithm>

using namespace warplight::ptx;

class WaitingLoopsTest : public QObject {
    Q_OBJECT

private slots:
    void loops_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("waits");
        const QString ask = "again:\nld.volatile.shared.u32 %r1, [%r2];\n", until =
                                                                                "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra "
                                                                                "again;";
        QTest::newRow("for a flag") << ask + until << true;
        QTest::newRow("at an object")
            << "again:\nmbarrier.test_wait.parity.shared.b64 %p1, [%r2], %r3;\n@!%p1 bra again;" << true;
        QTest::newRow("with a pause") << ask + "nanosleep.u32 40;\n" + until << true;
        QTest::newRow("with pauses that grow")
            << "again:\nsetp.lt.s32 %p3, %r5, 16;\n@%p3 bra more;\nmov.u64 %rd1, %globaltimer;\ncvt.u32.u64 %r6, "
               "%rd1;\nnanosleep.u32 %r6;\nbra.uni ask;\nmore:\nadd.s32 %r5, %r5, 1;\nask:\n"
               "mbarrier.test_wait.shared.b64 %p1, [%r2], %rd5;\n@!%p1 bra again;"
            << true;
        QTest::newRow("that asks in some rounds only")
            << "again:\nadd.s32 %r5, %r5, 1;\nsetp.lt.s32 %p3, %r5, 16;\n@%p3 bra again_2;\n"
               "ld.volatile.shared.u32 %r1, [%r2];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra done;\nagain_2:\n"
               "ld.volatile.shared.u32 %r4, [%r3];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra again;\ndone:"
            << false;
        QTest::newRow("within another loop") << "all:\nst.global.u32 [%rd1], %r5;\n" + ask + until +
                                                    "\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, "
                                                    "9;\n@%p2 bra all;"
                                             << true;
        QTest::newRow("so many times")
            << ask +
                   "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p2, %r5, 9;\nsetp.eq.and.u32 %p1, %r1, 0, %p2;\n@%p1 bra again;"
            << false;
        QTest::newRow("for a time")
            << ask + "mov.u64 %rd1, %globaltimer;\nsetp.lt.and.u64 %p1, %rd1, %rd2, %p2;\n@%p1 bra again;" << false;
        QTest::newRow("that writes") << ask + "st.shared.u32 [%r3], %r1;\n" + until << false;
        QTest::newRow("that takes a lock") << "again:\natom.shared.cas.b32 %r1, [%r2], 0, 1;\n" + until << false;
        QTest::newRow("with a barrier") << ask + "bar.sync 0;\n" + until << false;
        QTest::newRow("along a list")
            << "again:\nld.global.u64 %rd1, [%rd1];\nsetp.ne.u64 %p1, %rd1, 0;\n@%p1 bra again;" << false;
        QTest::newRow("over an array") << "again:\nld.global.u32 %r1, [%rd1];\nadd.u64 %rd1, %rd1, 4;\n" + until
                                       << false;
    }
    void loops() {
        QFETCH(QString, body);
        QFETCH(bool, waits);
        const Module module = parsed(kernel(body.toStdString()));
        QVERIFY(!module.functions.empty());
        const auto found = waiting_loops(module.functions.front());
        QCOMPARE(std::any_of(found.begin(), found.end(), [](std::uint32_t loop) { return loop != 0; }), waits);
    }

    void instructions_behind_are_not_in_it() {
        const Module module = parsed(kernel("mov.u32 %r2, 8;\nagain:\nld.volatile.shared.u32 %r1, [%r2];\n"
                                            "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra again;\nmov.u32 %r3, 1;"));
        const std::vector<std::uint32_t> expected{0, 1, 1, 1, 0, 0};
        QCOMPARE(waiting_loops(module.functions.front()), expected);
    }
};

QTEST_APPLESS_MAIN(WaitingLoopsTest)
#include "test_ptx_waiting_loops.moc"
