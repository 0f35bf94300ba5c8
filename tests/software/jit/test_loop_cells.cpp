// SPDX-License-Identifier: Apache-2.0
// Loops that store at the same address in each round: the store is done behind them, unless a load reads there.
#include "lane_program.hpp"
#include "software/jit/front/loop_cells.hpp"
#include "software/ptx/parser.hpp"

namespace {

/// A round: reads %r21, adds it up in %r32, stores that, and moves %rd6 on.
std::string rounds(const std::string& round, const std::string& count = "6") {
    return "mov.u32 %r20, 0;\nA: " + round + "add.s32 %r20, %r20, 1; setp.lt.s32 %p3, %r20, " + count +
           "; @%p3 bra A;\n";
}

/// Makes words that are the thread's own differ, and numbers that only the running code knows.
std::string with_words(const std::string& body) {
    std::string text = "mov.u32 %r32, 7; and.b32 %r30, %r2, 0; setp.gt.s32 %p1, %r3, 0; mov.u32 %r21, 1;\n";
    for (int k = 0; k < 12; ++k)
        text += "mad.lo.u32 %r31, %r3, " + std::to_string(k + 3) + ", %r1; st.global.u32 [%rd1+" +
                std::to_string(4 * k) + "], %r31;\n";
    return text + body + "st.global.u32 [%rd1+52], %r32; st.global.u32 [%rd1+56], %r21; ret;";
}

const std::string kAdd = "ld.global.u32 %r21, [%rd6]; add.s32 %r32, %r32, %r21; ";
const std::string kNext = "add.s64 %rd6, %rd6, 4; ";

std::string sum(const std::string& begin, const std::string& store, const std::string& next = kNext) {
    return begin + rounds(kAdd + store + next);
}

} // namespace

class LoopCellsTest : public QObject {
    Q_OBJECT

private slots:
    void threads_side_by_side_data() {
        QTest::addColumn<QString>("loop");
        QTest::addColumn<bool>("kept");
        const auto row = [](const char* name, const std::string& loop, bool kept = true) {
            QTest::newRow(name) << QString::fromStdString(loop) << kept;
        };
        const std::string own = "mov.u64 %rd6, %rd1; ", inputs = "mov.u64 %rd6, %rd3; ";
        row("apart", sum(inputs, "st.global.u32 [%rd1], %r32; "));
        row("among what is read", sum(own, "st.global.u32 [%rd1+12], %r32; "));
        row("the first that is read", sum(own, "st.global.u32 [%rd1], %r32; "));
        row("the last that is read", sum(own, "st.global.u32 [%rd1+20], %r32; "));
        row("behind what is read", sum(own, "st.global.u32 [%rd1+24], %r32; "));
        row("backward", sum("add.s64 %rd6, %rd1, 40; ", "st.global.u32 [%rd1+28], %r32; ", "add.s64 %rd6, %rd6, -4; "));
        row("backward, the last",
            sum("add.s64 %rd6, %rd1, 40; ", "st.global.u32 [%rd1+20], %r32; ", "add.s64 %rd6, %rd6, -4; "));
        row("backward, apart",
            sum("add.s64 %rd6, %rd1, 40; ", "st.global.u32 [%rd1+16], %r32; ", "add.s64 %rd6, %rd6, -4; "));
        row("of rows", "mad.wide.u32 %rd6, %r1, 28, %rd3; " + sum("", "st.global.u32 [%rd1], %r32; "));
        row("a step that is not known", sum("add.s32 %r22, %r30, 8; cvt.s64.s32 %rd7, %r22; " + own,
                                            "st.global.u32 [%rd1+32], %r32; ", "add.s64 %rd6, %rd6, %rd7; "));
        row("backward by a step that is not known",
            sum("add.s32 %r22, %r30, -8; cvt.s64.s32 %rd7, %r22; add.s64 %rd6, %rd1, 40; ",
                "st.global.u32 [%rd1+8], %r32; ", "add.s64 %rd6, %rd6, %rd7; "));
        row("a round written out",
            "add.s32 %r22, %r30, 4; cvt.s64.s32 %rd7, %r22; " + own +
                rounds(kAdd + "st.global.u32 [%rd1+20], %r32; add.s64 %rd8, %rd6, %rd7; ld.global.u32 %r21, [%rd8]; " +
                           "add.s32 %r32, %r32, %r21; st.global.u32 [%rd1+20], %r32; add.s64 %rd6, %rd8, %rd7; ",
                       "5"));
        row("a round written out, further than the next",
            "add.s32 %r22, %r30, 4; cvt.s64.s32 %rd7, %r22; " + own +
                rounds(kAdd + "add.s64 %rd8, %rd6, %rd7; add.s64 %rd9, %rd8, %rd7; ld.global.u32 %r21, [%rd9]; " +
                           "add.s32 %r32, %r32, %r21; st.global.u32 [%rd1+20], %r32; mov.u64 %rd6, %rd8; ",
                       "5"),
            false);
        row("a number and a place",
            "cvt.u64.u32 %rd7, %r30; add.s64 %rd9, %rd7, 4; mov.u64 %rd6, %rd1; " +
                rounds("add.s64 %rd8, %rd6, %rd9; ld.global.u32 %r21, [%rd8+4]; add.s32 %r32, %r32, %r21; "
                       "st.global.u32 [%rd1+24], %r32; " +
                       kNext));
        row("behind the step", "mov.u64 %rd6, %rd1; " + rounds(kNext + kAdd + "st.global.u32 [%rd1+24], %r32; "));
        row("behind the step, not the first",
            "mov.u64 %rd6, %rd1; " + rounds(kNext + kAdd + "st.global.u32 [%rd1], %r32; "));
        row("read as well", inputs + rounds("ld.global.u32 %r22, [%rd1+8]; " + kAdd +
                                            "add.s32 %r22, %r22, %r21; st.global.u32 [%rd1+8], %r22; " + kNext));
        row("read behind the store", inputs + rounds(kAdd + "st.global.u32 [%rd1+8], %r32; " + kNext +
                                                     "ld.global.u32 %r22, [%rd1+8]; add.s32 %r32, %r32, %r22; "));
        row("two", inputs + rounds("ld.global.u32 %r22, [%rd1+8]; " + kAdd + "add.s32 %r22, %r22, %r32; " +
                                   "st.global.u32 [%rd1+8], %r22; st.global.u32 [%rd1+16], %r32; " + kNext));
        row("two that are one",
            "cvt.u64.u32 %rd7, %r30; add.s64 %rd8, %rd1, %rd7; " + inputs +
                rounds("ld.global.u32 %r22, [%rd8]; " + kAdd + "add.s32 %r22, %r22, %r32; add.s32 %r32, %r32, %r22; " +
                       "st.global.u32 [%rd8], %r22; st.global.u32 [%rd1], %r32; " + kNext));
        row("two that share bytes",
            inputs + rounds(kAdd + "cvt.u64.u32 %rd7, %r32; st.global.u64 [%rd1], %rd7; " +
                            "st.global.u32 [%rd1+4], %r32; " + kNext),
            false);
        row("long", inputs + rounds(kAdd + "mul.wide.u32 %rd7, %r32, %r21; st.global.u64 [%rd1+8], %rd7; " + kNext));
        row("under a guard", own + rounds("@%p1 ld.global.u32 %r21, [%rd6]; add.s32 %r32, %r32, %r21; "
                                          "st.global.u32 [%rd1+8], %r32; " +
                                          kNext));
        row("stored under a guard", own + rounds(kAdd + "@%p1 st.global.u32 [%rd1+8], %r32; " + kNext), false);
        row("as often as memory tells",
            own + rounds(kAdd +
                         "st.global.u32 [%rd1+8], %r32; and.b32 %r33, %r21, 1; "
                         "add.s32 %r20, %r20, %r33; " +
                         kNext),
            false);
        row("at addresses from memory",
            inputs + rounds("ld.global.u32 %r22, [%rd6]; and.b32 %r22, %r22, 28; cvt.u64.u32 %rd7, %r22; "
                            "add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r21, [%rd8]; add.s32 %r32, %r32, %r21; "
                            "st.global.u32 [%rd1+8], %r32; " +
                            kNext),
            false);
        row("volatile", sum(inputs, "st.volatile.global.u32 [%rd1], %r32; "), false);
        row("only some lanes", "@%p1 bra B; " + sum(own, "st.global.u32 [%rd1+12], %r32; ") + "B: ");
        row("as often as lanes say", "and.b32 %r23, %r1, 5; add.s32 %r23, %r23, 1; " + own +
                                         rounds(kAdd + "st.global.u32 [%rd1+12], %r32; " + kNext, "%r23"));
        // The distance is made of a number that has changed since.
        row("at a distance that was",
            "mov.u32 %r33, 0; \nO: setp.eq.s32 %p4, %r33, 0; @%p4 bra S; add.s64 %rd10, %rd7, 4;\n"
            "S: mul.wide.u32 %rd7, %r33, 400; @%p4 bra N; mov.u64 %rd6, %rd1;\n" +
                rounds("add.s64 %rd8, %rd6, %rd10; ld.global.u32 %r21, [%rd8]; add.s32 %r32, %r32, %r21; "
                       "st.global.u32 [%rd1+16], %r32; " +
                       kNext) +
                "N: add.s32 %r33, %r33, 1; setp.lt.s32 %p5, %r33, 2; @%p5 bra O;\n");
        const std::string tile = "mov.u32 %r24, tile; rem.u32 %r25, %r11, 256; mad.lo.u32 %r24, %r25, 8, %r24; "
                                 "mov.u32 %r26, %r24; setp.ge.u32 %p2, %r11, 256; @%p2 bra B; "
                                 "st.shared.u32 [%r24], %r3; st.shared.u32 [%r24+4], %r1;\n";
        const auto shared = [&](const std::string& place) {
            return tile +
                   rounds("ld.shared.u32 %r21, [%r26]; add.s32 %r32, %r32, %r21; st.shared.u32 [%r24" + place +
                              "], %r32; add.s32 %r26, %r26, 4; ",
                          "2") +
                   "ld.shared.u32 %r21, [%r24" + place + "]; B: ";
        };
        row("shared memory", shared("+4"));
        row("shared memory, the first", shared(""));
    }
    void threads_side_by_side() {
        QFETCH(QString, loop);
        QFETCH(bool, kept);
        const std::string text = program(with_words(loop.toStdString()));
        const auto parsed = warplight::ptx::parse(text);
        const auto& functions = std::get<warplight::ptx::Module>(parsed).functions;
        QCOMPARE(warplight::jit::with_loop_cells(functions.front()).has_value(), kept);
        compare(text);
    }
};

QTEST_APPLESS_MAIN(LoopCellsTest)
#include "test_loop_cells.moc"
