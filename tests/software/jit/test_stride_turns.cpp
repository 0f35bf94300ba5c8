// SPDX-License-Identifier: Apache-2.0
// Threads side by side against a thread at a time: grid-stride loops, whose rounds are done in turns of all threads.
#include "lane_program.hpp"
#include "software/jit/front/kernel_source.hpp"
#include "software/ptx/parser.hpp"

#include <variant>

using namespace warplight;

namespace {

/// What a loop counts by, and where it ends.
struct Counting {
    std::string type = "s32";                                ///< of the index
    std::string first = "0", step = "0", bound = "1000";     ///< step 0: as many as there are threads
    std::string test = "setp.lt.$ %p2, %i, %n; @%p2 bra L;"; ///< $: the type
    std::string in_front = {}, in_loop = {}, behind = {};    ///< more code
};

void replace_all(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// Each round changes one of the thread's results by an input, and by what was there before.
std::string stride_program(const Counting& c) {
    const bool wide = c.type.ends_with("64");
    const std::string first = wide ? "cvt.u64.u32 %i, %r3; add.s64 %i, %i, " : "add.u32 %i, %r3, ";
    const std::string step =
        c.step == "0" ? "mul.lo.u32 %r6, %r2, %r5;" : "sub.u32 %r15, %r5, %r5; add.u32 %r6, %r15, " + c.step + ";";
    std::string text =
        ".version 8.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
        ".reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .b" +
        std::string(wide ? "64" : "32") +
        " %i, %n, %s;\n"
        "ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u64 %rd8, [sums];\n"
        "mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %nctaid.x;\n"
        "mad.lo.u32 %r3, %r4, %r2, %r1;\n" // in its row of the grid
        "mov.u32 %r7, %tid.y; mov.u32 %r8, %ntid.y; mad.lo.u32 %r9, %r4, %r8, %r7; mad.lo.u32 %r9, %r9, %r2, %r1;\n"
        "mul.wide.u32 %rd3, %r9, " +
        std::to_string(4 * kRandomResults) + "; add.u64 %rd1, %rd1, %rd3;\n" + step +
        (wide ? "cvt.s64.s32 %s, %r6;" : "mov.u32 %s, %r6;") + "\n" + first + c.first + "; mov.b$ %n, " + c.bound +
        ";\nmov.u32 %r10, 0; mov.u32 %r14, 5;\n" + c.in_front +
        "\n"
        "L:\n" +
        (wide ? "cvt.u32.u64 %r11, %i;" : "mov.u32 %r11, %i;") +
        "and.b32 %r11, %r11, 1023; mul.wide.u32 %rd4, %r11, 4; add.u64 %rd4, %rd4, %rd2; ld.global.u32 %r12, [%rd4];\n"
        "and.b32 %r13, %r10, 7; mul.wide.u32 %rd5, %r13, 4; add.u64 %rd5, %rd5, %rd1; ld.global.u32 %r13, [%rd5];\n" +
        c.in_loop +
        "\n"
        "mad.lo.u32 %r13, %r13, 3, %r12; st.global.u32 [%rd5], %r13; add.u32 %r10, %r10, 1;\n"
        "add.s$ %i, %i, %s;\n" +
        c.test + "\n" + c.behind + "\nE: ret;\n}\n";
    replace_all(text, "b$", wide ? "b64" : "b32");
    replace_all(text, "s$", wide ? "s64" : "s32");
    replace_all(text, "$", c.type);
    return text;
}

bool has_turns(const std::string& text) {
    const auto parsed = ptx::parse(text);
    jit::Options options;
    options.width = 8;
    return jit::prepare_source(std::get<ptx::Module>(parsed), 0, options).has_turns;
}

} // namespace

class StrideTurnsTest : public QObject {
    Q_OBJECT

private slots:
    void comparisons_data() {
        QTest::addColumn<QString>("test");
        QTest::newRow("below") << "setp.lt.$ %p2, %i, %n; @%p2 bra L;";
        QTest::newRow("up to") << "setp.le.$ %p2, %i, %n; @%p2 bra L;";
        QTest::newRow("below, the other way round") << "setp.gt.$ %p2, %n, %i; @%p2 bra L;";
        QTest::newRow("up to, the other way round") << "setp.ge.$ %p2, %n, %i; @%p2 bra L;";
        QTest::newRow("not from") << "setp.ge.$ %p2, %i, %n; @!%p2 bra L;";
        QTest::newRow("not above") << "setp.gt.$ %p2, %i, %n; @!%p2 bra L;";
    }
    void comparisons() {
        QFETCH(QString, test);
        for (const char* type : {"s32", "u32", "s64", "u64"}) {
            Counting c;
            c.type = type;
            c.test = test.toStdString();
            QVERIFY(has_turns(stride_program(c)));
            compare(stride_program(c));
        }
    }

    void bounds_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("bound");
        const auto row = [](const char* type, const char* first, const char* step, const char* bound) {
            QTest::addRow("%s from %s by %s to %s", type, first, step, bound) << type << first << step << bound;
        };
        row("s32", "5000", "0", "1000"); // one round, as the loop asks behind each
        row("s32", "-700", "0", "333");
        row("s32", "-2147483648", "0", "-2147482000");
        row("s32", "0", "0", "-1");
        row("s32", "0x70000000", "0x08000000", "0x78000000"); // may leave the type's range
        row("s32", "0", "0x50000000", "0x70000000");          // does, and goes on with negative numbers
        row("s32", "0", "-1073741824", "0x30000000");
        row("s32", "0", "0x7fffffff", "100");
        row("u32", "0xfffff600", "0", "0xfffffb00");
        row("u32", "0", "0x90000000", "0xf0000000"); // goes on with small ones
        row("u32", "3", "0xfffffff0", "0");
        row("s64", "-100000000000", "0", "-99999999000");
        row("s64", "0", "0x40000000", "0x100000000");
        row("s64", "0", "-1", "-5");
        row("s64", "0x7fffffffffff0000", "0", "0x7fffffffffff0800");
        row("u64", "0", "0x40000001", "0x100000000");
        row("u64", "0x7fffffffffff0000", "0", "0x7fffffffffff0500");
    }
    /// Also where the number of rounds cannot be told, and where there is but one.
    void bounds() {
        QFETCH(QString, type);
        QFETCH(QString, first);
        QFETCH(QString, step);
        QFETCH(QString, bound);
        Counting c;
        c.type = type.toStdString();
        c.first = first.toStdString();
        c.step = step.toStdString();
        c.bound = bound.toStdString();
        QVERIFY(has_turns(stride_program(c)));
        compare(stride_program(c));
    }

    void bodies_data() {
        QTest::addColumn<QString>("in_front");
        QTest::addColumn<QString>("in_loop");
        QTest::addColumn<QString>("behind");
        QTest::newRow("threads that stay out") << "setp.ge.s32 %p1, %i, %n; @%p1 bra E;" << "" << "";
        QTest::newRow("threads that part")
            << "" << "setp.lt.s32 %p1, %r12, 0; @%p1 bra S; add.u32 %r12, %r12, %r10;\nS:" << "";
        QTest::newRow("a guard") << "" << "setp.lt.s32 %p1, %r12, 0; @%p1 add.u32 %r12, %r12, %i;" << "";
        QTest::newRow("a loop") << ""
                                << "mov.u32 %r17, 0;\nI: mad.lo.u32 %r12, %r12, 3, %r17; add.u32 %r17, %r17, 1;\n"
                                   "and.b32 %r16, %r12, 3; setp.lt.u32 %p1, %r17, %r16; @%p1 bra I;"
                                << "";
        QTest::newRow("code without an effect") << "" << "" << "add.u32 %r20, %i, 3;";
        QTest::newRow("sums that nobody reads")
            << "" << "red.global.add.u32 [%rd8], %r12; atom.global.add.u32 %r20, [%rd8+4], 3;" << "";
        QTest::newRow("the largest number") << "" << "red.global.max.s32 [%rd8], %r12;" << "";
    }
    void bodies() {
        QFETCH(QString, in_front);
        QFETCH(QString, in_loop);
        QFETCH(QString, behind);
        Counting c;
        c.in_front = in_front.toStdString();
        c.in_loop = in_loop.toStdString();
        c.behind = behind.toStdString();
        QVERIFY(has_turns(stride_program(c)));
        compare(stride_program(c));
    }

    void other_loops_data() {
        QTest::addColumn<QString>("in_front");
        QTest::addColumn<QString>("in_loop");
        QTest::addColumn<QString>("behind");
        QTest::newRow("a load in front") << "ld.global.u32 %r14, [%rd2];" << "" << "";
        QTest::newRow("a store in front") << "st.global.u32 [%rd1+32], %r1;" << "" << "";
        QTest::newRow("a store behind") << "" << "" << "st.global.u32 [%rd1+32], %r1;";
        QTest::newRow("a number that is carried on")
            << "" << "mad.lo.u32 %r14, %r14, 3, %r12; xor.b32 %r12, %r12, %r14;" << "";
        QTest::newRow("another way out") << "" << "setp.eq.u32 %p1, %r12, 0; @%p1 bra E;" << "";
        QTest::newRow("threads that end") << "" << "setp.eq.u32 %p1, %r12, 0; @%p1 ret;" << "";
        QTest::newRow("a sum that answers")
            << "" << "atom.global.add.u32 %r20, [%rd8], 3; and.b32 %r20, %r20, 0; add.u32 %r12, %r12, %r20;" << "";
        QTest::newRow("a sum of floats") << "" << "red.global.add.f32 [%rd8], 0f00000000;" << "";
        QTest::newRow("a sum and something else")
            << "" << "red.global.add.u32 [%rd8], 0; red.global.max.u32 [%rd8], 0;" << "";
        QTest::newRow("a step that the loop changes") << "" << "add.s32 %s, %s, 1;" << "";
        QTest::newRow("a step of the thread's own") << "add.s32 %s, %s, %r1;" << "" << "";
        QTest::newRow("a bound of the thread's own") << "add.s32 %n, %n, %r1;" << "" << "";
        QTest::newRow("a step of the block's extent") << "cvt.u64.u32 %rd9, %r2; cvt.u32.u64 %s, %rd9;" << "" << "";
        QTest::newRow("an index of two steps") << "" << "add.s32 %i, %i, 1;" << "";
    }
    /// None of these can be done in turns.
    void other_loops() {
        QFETCH(QString, in_front);
        QFETCH(QString, in_loop);
        QFETCH(QString, behind);
        Counting c;
        c.in_front = in_front.toStdString();
        c.in_loop = in_loop.toStdString();
        c.behind = behind.toStdString();
        QVERIFY(!has_turns(stride_program(c)));
        compare(stride_program(c));
    }
};

QTEST_GUILESS_MAIN(StrideTurnsTest)
#include "test_stride_turns.moc"
