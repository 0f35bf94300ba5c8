// SPDX-License-Identifier: Apache-2.0
// No analysis and no pass takes a time that doubles with each branch of a program, or grows with the square of a long
// chain's length. Each program here has 64 of what may double, or some thousands of what may be looked through again
// and again; where one takes more than a time that is far above what it needs, something is wrong.
#include "mini_runtime.hpp"

#include <QTest>

#include <ctime>

using mini::Program;
using warplight::jit::Mode;

namespace {

constexpr int kDiamonds = 64;
constexpr double kMostSeconds = 15; ///< of a processor for one way to run it, with checks in the code

std::string program(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .u32 n)\n{\n"
           ".reg .pred %p<400>; .reg .b32 %r<8000>; .reg .b64 %rd<8000>;\n.shared .align 16 .b8 tile[4096];\n"
           "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u32 %r1, [n]; mov.u32 %r2, %tid.x;\n"
           "mov.u32 %r3, tile; shl.b32 %r4, %r2, 2; add.u32 %r5, %r3, %r4; mul.wide.u32 %rd3, %r2, 4;\n"
           "add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r6, [%rd2];\n" +
           body + "\nret;\n}\n";
}

std::string number(int k) { return std::to_string(k); }

/// `each(k)` for k below `count`.
template <class Each>
std::string repeat(int count, Each each) {
    std::string text;
    for (int k = 0; k < count; ++k)
        text += each(k) + "\n";
    return text;
}

/// Sets %p1 to bit k of something that is the same in all threads, or not.
std::string test_of_bit(int k, const std::string& from) {
    return "shr.u32 %r7, " + from + ", " + number(k % 31) + "; and.b32 %r7, %r7, 1; setp.eq.u32 %p1, %r7, 1;";
}

std::string diamonds(const std::string& from, const std::string& yes, const std::string& no) {
    return repeat(kDiamonds, [&](int k) {
        const std::string label = number(k);
        return test_of_bit(k, from) + "@!%p1 bra E" + label + ";" + yes + "bra.uni F" + label + ";\nE" + label + ": " +
               no + "\nF" + label + ":";
    });
}

} // namespace

class CompileTimeTest : public QObject {
    Q_OBJECT

private slots:
    void compiles_data() {
        QTest::addColumn<QString>("body");
        const auto add = [](const std::string& name, const std::string& body) {
            QTest::newRow(name.c_str()) << QString::fromStdString(body);
        };
        const std::string shared = "ld.shared.u32 %r10, [%r9]; ld.shared.v2.u32 {%r11, %r12}, [%r9+8];"
                                   "add.u32 %r10, %r10, %r11; st.global.u32 [%rd1], %r10;";
        const std::string global = "ld.global.u32 %r10, [%rd9]; ld.global.v4.u32 {%r11, %r12, %r13, %r14}, [%rd9+16];"
                                   "add.u32 %r10, %r10, %r14; st.global.u32 [%rd1], %r10;";
        for (const auto& [who, from] :
             {std::pair<std::string, std::string>{"all threads", "%r1"}, {"each thread", "%r6"}}) {
            add("phis of integers, " + who,
                "mov.u32 %r9, %r5;" + diamonds(from, "add.u32 %r9, %r9, 16;", "add.u32 %r9, %r9, 32;") + shared);
            add("phis of integers, one way empty, " + who,
                "mov.u32 %r9, %r5;" + diamonds(from, "add.u32 %r9, %r9, 16;", "") + shared);
            add("phis of pointers, " + who, "mov.u64 %rd9, %rd2;" +
                                                diamonds(from, "add.u64 %rd9, %rd9, 16;", "add.u64 %rd9, %rd9, 4096;") +
                                                global);
            add("two phis that change places, " + who,
                "mov.u64 %rd9, %rd2; mov.u64 %rd8, %rd1;" +
                    diamonds(from, "mov.u64 %rd7, %rd9; add.u64 %rd9, %rd8, 16; add.u64 %rd8, %rd7, 32;",
                             "add.u64 %rd9, %rd9, 16;") +
                    global);
            add("choices of integers, " + who, "mov.u32 %r9, %r5;" + repeat(kDiamonds, [&](int k) {
                                                   return test_of_bit(k, from) +
                                                          "add.u32 %r8, %r9, 16; selp.u32 %r9, %r8, %r9, %p1;";
                                               }) + shared);
            add("choices of pointers, " + who,
                "mov.u64 %rd9, %rd2; mov.u64 %rd8, %rd2;" + repeat(kDiamonds, [&](int k) {
                    return test_of_bit(k, from) + "add.u64 %rd7, %rd8, 16; selp.b64 %rd8, %rd9, %rd8, %p1;"
                                                  "selp.b64 %rd9, %rd7, %rd9, %p1;";
                }) + global);
            add("sums under guards, " + who, "mov.u64 %rd9, %rd2;" + repeat(kDiamonds, [&](int k) {
                                                 return test_of_bit(k, from) + "@%p1 add.u64 %rd9, %rd9, 16;";
                                             }) + global);
            add("masks of masks, " + who,
                "setp.lt.u32 %p2, %r2, 7; setp.gt.u32 %p3, %r6, 9;" + repeat(kDiamonds, [&](int k) {
                    return test_of_bit(k, from) +
                           "and.pred %p4, %p2, %p1; or.pred %p5, %p3, %p4; xor.pred %p2, %p2, %p5; not.pred %p3, %p4;"
                           "@%p2 st.global.u32 [%rd1+" +
                           number(128 * k) + "], %r6;";
                }));
            add("masks that come together, " + who,
                "setp.lt.u32 %p2, %r2, 7;" +
                    diamonds(from, "setp.gt.u32 %p3, %r6, 9; and.pred %p2, %p2, %p3;",
                             "setp.lt.u32 %p3, %r6, 5; or.pred %p2, %p2, %p3;") +
                    "@%p2 st.global.u32 [%rd1], %r6;");
            add("stores in each, " + who, diamonds(from, "st.global.u32 [%rd1], %r2;", "st.shared.u32 [%r5], %r2;") +
                                              "mov.u32 %r9, %r5;" + shared);
        }
        add("sums that are twice what was before",
            "mov.u64 %rd10, %rd2; mov.u64 %rd11, %rd3;" +
                repeat(kDiamonds,
                       [](int k) {
                           const std::string a = number(10 + 2 * k), b = number(11 + 2 * k), c = number(12 + 2 * k),
                                             d = number(13 + 2 * k);
                           return "add.u64 %rd" + c + ", %rd" + a + ", %rd" + b + "; sub.u64 %rd" + d + ", %rd" + c +
                                  ", %rd" + a + "; add.u64 %rd" + d + ", %rd" + d + ", %rd" + a + ";";
                       }) +
                "ld.global.u32 %r10, [%rd" + number(10 + 2 * kDiamonds) + "]; st.global.u32 [%rd1], %r10;");
        add("integers that are twice what was before",
            "mov.u32 %r10, %r5; mov.u32 %r11, %r6;" +
                repeat(kDiamonds,
                       [](int k) {
                           const std::string a = number(10 + 2 * k), b = number(11 + 2 * k), c = number(12 + 2 * k),
                                             d = number(13 + 2 * k);
                           return "add.u32 %r" + c + ", %r" + a + ", %r" + b + "; xor.b32 %r" + d + ", %r" + c +
                                  ", %r" + a + ";";
                       }) +
                "and.b32 %r9, %r" + number(11 + 2 * kDiamonds) + ", 1023; add.u32 %r9, %r9, %r3;" + shared);
        // Eight in each other, and diamonds in the middle.
        add("loops in loops", "mov.u64 %rd9, %rd2;" +
                                  repeat(8,
                                         [](int k) {
                                             return "mov.u32 %r" + number(20 + k) + ", 0;\nL" + number(k) +
                                                    ": add.u64 %rd9, %rd9, 16;";
                                         }) +
                                  diamonds("%r6", "add.u64 %rd9, %rd9, 16;", "") + global + repeat(8, [](int k) {
                                      const std::string loop = number(7 - k), counter = "%r" + number(27 - k);
                                      return "add.u32 " + counter + ", " + counter + ", 1; setp.lt.u32 %p9, " +
                                             counter + ", 2; @%p9 bra L" + loop + ";";
                                  }));
        add("a chain of pointers with a load at each", "mov.u64 %rd10, %rd2; mov.u32 %r9, 0;" + repeat(1000, [](int k) {
                                                           return "add.u64 %rd" + number(11 + k) + ", %rd" +
                                                                  number(10 + k) + ", %rd3; ld.global.u32 %r10, [%rd" +
                                                                  number(11 + k) + "]; add.u32 %r9, %r9, %r10;";
                                                       }) + "st.global.u32 [%rd1], %r9;");
        add("a long chain of pointers", "mov.u64 %rd10, %rd2;" + repeat(5000, [](int k) {
                                            return "add.u64 %rd" + number(11 + k) + ", %rd" + number(10 + k) + ", " +
                                                   (k % 2 ? "%rd3;" : "%rd2;");
                                        }) + "ld.global.u32 %r9, [%rd5010]; st.global.u32 [%rd1], %r9;");
        add("a long chain of indices", "mov.u32 %r10, %r6;" +
                                           repeat(5000,
                                                  [](int k) {
                                                      return (k % 2 ? "add.u32 %r" : "xor.b32 %r") + number(11 + k) +
                                                             ", %r" + number(10 + k) + ", " + (k % 3 ? "%r2;" : "64;");
                                                  }) +
                                           "and.b32 %r9, %r5010, 1020; add.u32 %r9, %r9, %r3; ld.shared.u32 %r9, "
                                           "[%r9]; st.global.u32 [%rd1], %r9;");
        add("a loop that waits, with much in it", "C: ld.volatile.global.u32 %r10, [%rd2]; setp.eq.u32 %p1, %r10, 0;" +
                                                      repeat(2500,
                                                             [](int k) {
                                                                 // from the end to the beginning
                                                                 return "add.u32 %r" + number(5000 - k) + ", %r" +
                                                                        number(5001 - k) + ", %r10;";
                                                             }) +
                                                      "mov.u32 %r5001, %r10; setp.eq.u32 %p2, %r2501, 5; and.pred %p1, "
                                                      "%p1, %p2; @%p1 bra C; st.global.u32 [%rd1], %r2501;");
    }
    void compiles() {
        QFETCH(QString, body);
        const Program made(program(body.toStdString()));
        struct Way {
            Mode mode;
            unsigned width;
        };
        for (const Way& way :
             {Way{Mode::automatic, 1}, {Mode::coroutine, 1}, {Mode::automatic, 8}, {Mode::automatic, 16}}) {
            const std::clock_t start = std::clock();
            (void)made.compile("k", way.mode, {}, way.width);
            const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
            if (qEnvironmentVariableIsSet("WARPLIGHT_TEST_TIMES"))
                qInfo("%s, width %u: %.2f s", QTest::currentDataTag(), way.width, seconds);
            QVERIFY2(seconds < kMostSeconds, qPrintable(QString("%1 s, width %2").arg(seconds).arg(way.width)));
        }
    }
};

QTEST_GUILESS_MAIN(CompileTimeTest)
#include "test_compile_time.moc"
