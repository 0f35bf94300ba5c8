// SPDX-License-Identifier: Apache-2.0
// Threads side by side against a thread at a time: trees, scans and other steps in which part of the threads takes
// part, at strides that only the running code knows.
#include "lane_program.hpp"
#include "software/jit/host.hpp"
#include "vector_code.hpp"

#include <utility>

namespace jit = warplight::jit;

class LaneStepsTest : public QObject {
    Q_OBJECT

private slots:
    void steps_of_a_tree_data() {
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QString>("guard");
        for (const int bytes : {4, 8})
            for (const int stride : {2, 3, 4, 7, -2, -5}) {
                if (std::abs(stride) * bytes > 32) continue; // 32 places in the tile
                for (const auto& [name, guard] : {std::pair{"all of a row", "setp.eq.u32 %p4, %r6, 0;"},
                                                  {"the first", "setp.lt.u32 %p4, %r26, %r27;"},
                                                  {"some", "setp.gt.s32 %p4, %r3, 0;"},
                                                  {"few", "and.b32 %r31, %r26, 13; setp.eq.u32 %p4, %r31, 13;"},
                                                  {"none", "setp.gt.u32 %p4, %r26, 500;"}})
                    QTest::addRow("%d elements of %d, %s", stride, bytes, name) << stride << bytes << guard;
            }
    }
    /// Elements far from each other are read, changed and written behind a branch, together with a register that lanes
    /// keep and one that they read behind it. Their neighbours stay as they are.
    void steps_of_a_tree() {
        QFETCH(int, stride);
        QFETCH(int, bytes);
        QFETCH(QString, guard);
        const std::string bits = std::to_string(8 * bytes);
        const std::string step = std::to_string(stride * bytes), next = std::to_string(bytes);
        const std::string a = bytes == 4 ? "%r4" : "%rd9", c = bytes == 4 ? "%r5" : "%rd10",
                          d = bytes == 4 ? "%r14" : "%rd11";
        const auto sum = [&](const std::string& to, const std::string& x, const std::string& y) {
            return "add.u" + bits + " " + to + ", " + x + ", " + y + ";";
        };
        // 32 places of the tile, and the one that a thread reads at the end.
        std::string body =
            "mov.u32 %r24, tile; and.b32 %r26, %r1, 31; and.b32 %r27, %r2, 31; cvt.u64.u32 %rd12, %r3;\n"
            "and.b32 %r21, %r11, 127; shl.b32 %r22, %r21, 3; add.u32 %r22, %r22, %r24;\n"
            "mov.u32 %r4, 70; mov.u32 %r5, 71; mov.u32 %r14, 72; mov.u32 %r30, 0;\n"
            "mov.u64 %rd9, 73; mov.u64 %rd10, 74; mov.u64 %rd11, 75;\n"
            "st.shared.u64 [%r22], %rd12; bar.sync 0;\nA:\n" +
            guard.toStdString() + "\nmad.lo.s32 %r23, %r26, " + step + ", " +
            std::to_string(stride < 0 ? -31 * stride * bytes : 0) + "; add.u32 %r23, %r23, %r24;\n@!%p4 bra B;\n" +
            "ld.shared.u" + bits + " " + a + ", [%r23]; ld.shared.u" + bits + " " + c + ", [%r23+" + next + "];\n" +
            sum(d, a, c) + "st.shared.u" + bits + " [%r23], " + c + "; st.shared.u" + bits + " [%r23+" + next + "], " +
            d + ";\nB: bar.sync 0;\n" + sum(d, d, c) + "ld.shared.u64 %rd13, [%r22]; st.global.u64 [%rd1], %rd13;\n" +
            (bytes == 4 ? "st.global.u32 [%rd1+8], %r4; st.global.u32 [%rd1+12], %r5;"
                          "st.global.u32 [%rd1+16], %r14;\n"
                        : "st.global.u64 [%rd1+8], %rd9; st.global.u64 [%rd1+16], %rd10;"
                          "st.global.u64 [%rd1+24], %rd11;\n") +
            "bar.sync 0; add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\nret;";
        compare(program(body));
    }

    void code_of_one_lane_data() {
        QTest::addColumn<QString>("code");
        const QString behind = "@!%p1 bra B;\n", positive = "setp.gt.s32 %p2, %r3, 0;";
        const QString branch = behind + positive + "mov.u32 %r4, 1; @%p2 bra C;\nld.global.u32 %r4, [%rd9];\n" +
                               "C: st.shared.u32 [%r22], %r4; add.u32 %r5, %r3, %r4; setp.lt.u32 %p3, %r5, 9;\nB:\n";
        const QString loop = behind + "and.b32 %r32, %r3, 7; mov.u32 %r30, 0;\nL: ld.shared.u32 %r31, [%r22];" +
                             "add.u32 %r5, %r5, %r31; st.shared.u32 [%r22], %r5; add.u32 %r30, %r30, 1;" +
                             "setp.lt.u32 %p2, %r30, %r32; @%p2 bra L;\nB:\n";
        const QString other = "@!%p1 bra E;\n" + positive + "st.shared.u32 [%r22], %r3; @%p2 bra B;\nmov.u32 %r4, 3;" +
                              "bra B;\nE: xor.b32 %r5, %r3, 4; setp.lt.u32 %p3, %r5, 90;\nB:\n";
        const QString end = behind + positive + "st.global.u32 [%rd1+12], %r3; @%p2 bra B;\nret;\nB:\n";
        const QString rounds = "mov.u32 %r33, 0; and.b32 %r34, %r3, 3;\nA: CHOICE " + branch +
                               "add.u32 %r33, %r33, 1; setp.le.u32 %p4, %r33, %r34; @%p4 bra A;\n";
        for (const auto& [name, choice] : {std::pair{"a number", "setp.eq.u32 %p1, %r1, 5;"},
                                           {"one of the block", "setp.eq.u32 %p1, %r1, %r27;"},
                                           {"a multiple", "mul.lo.u32 %r26, %r1, 3; setp.eq.u32 %p1, %r27, %r26;"},
                                           {"from above", "sub.u32 %r26, 30, %r1; setp.eq.u32 %p1, %r26, %r27;"},
                                           {"with a condition", "setp.eq.u32 %p5, %r1, %r27; setp.gt.s32 %p6, %r3, 0;"
                                                                "and.pred %p1, %p6, %p5;"},
                                           {"unless some hold", "setp.ne.u32 %p5, %r1, 5; setp.gt.s32 %p6, %r3, 0;"
                                                                "or.pred %p5, %p5, %p6; setp.gt.u32 %p6, %r10, 90;"
                                                                "or.pred %p5, %p6, %p5; not.pred %p1, %p5;"}}) {
            const QString chosen = choice;
            QTest::addRow("%s, a branch", name) << chosen + branch;
            QTest::addRow("%s, a loop", name) << chosen + loop;
            QTest::addRow("%s, two ways", name) << chosen + other;
            QTest::addRow("%s, an end", name) << chosen + end;
            QTest::addRow("%s, in rounds", name) << QString(rounds).replace("CHOICE", chosen);
        }
    }
    /// One lane executes code with branches of its own. Others keep their registers.
    void code_of_one_lane() {
        QFETCH(QString, code);
        const std::string text = program(
            "mov.u32 %r24, tile; and.b32 %r21, %r11, 127; shl.b32 %r22, %r21, 2; add.u32 %r22, %r22, %r24;\n"
            "st.shared.u32 [%r22], %r10; mov.u32 %r4, 70; mov.u32 %r5, 71; and.b32 %r27, %r2, 31;\n"
            "setp.gt.u32 %p3, %r3, 7; and.b32 %r31, %r3, 63; mul.wide.u32 %rd9, %r31, 4; add.u64 %rd9, %rd9, %rd3;\n" +
            code.toStdString() +
            "selp.u32 %r6, 1, 2, %p3; ld.shared.u32 %r7, [%r22]; st.global.u32 [%rd1], %r4;\n"
            "st.global.u32 [%rd1+4], %r5; st.global.u32 [%rd1+8], %r6; st.global.u32 [%rd1+16], %r7; ret;");
        compare(text);
        QVERIFY(vector_code(text, 16).gathers <= 1); // of what all read at the end
    }

    /// Steps between barriers in which few threads have anything to do: those whose index in their row is small.
    void threads_that_steps_leave_out() {
        static constexpr const char* kIdle[] = {
            "ge.u32 %p1, %r1, 32",  "gt.u32 %p1, %r1, 39",   "ne.u32 %p1, %r1, 0",
            "ge.s32 %p1, %r1, 128", "ne.u32 %p1, %r14, 0",   "lt.u32 %p1, %r1, 32",
            "gt.u32 %p1, %r14, 3",  "ge.u32 %p1, %r1, %r15", "ge.u32 %p1, %r11, 64"};
        std::string body = "and.b32 %r16, %r11, 511; shl.b32 %r16, %r16, 2; mov.u32 %r17, tile; add.u32 %r16, %r16, "
                           "%r17; shr.u32 %r14, %r1, 5; shr.u32 %r15, %r7, 1; st.shared.u32 [%r16], %r3;\n";
        int step = 0;
        for (const char* idle : kIdle) {
            const std::string label = "L" + std::to_string(++step);
            body += std::string("bar.sync 0; setp.") + idle + "; @%p1 bra " + label +
                    "; ld.shared.u32 %r18, [%r16]; mad.lo.u32 %r18, %r18, 5, " + std::to_string(step) +
                    "; st.shared.u32 [%r16], %r18;\n" + label + ":\n";
        }
        compare(program(body + "bar.sync 0; ld.shared.u32 %r18, [%r16]; st.global.u32 [%rd1], %r18; ret;"));
    }

    void loops_around_barriers_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("behind");
        const auto row = [](const char* name, const char* before, const char* body, const char* behind) {
            QTest::newRow(name) << before << body << behind;
        };
        const char* const change =
            "ld.shared.u32 %r18, [%r16]; mad.lo.u32 %r18, %r18, 5, %r20; st.shared.u32 [%r16], %r18;\n";
        const std::string below = std::string("setp.ge.u32 %p1, %r1, %r20; @%p1 bra B;\n") + change + "B:\n";
        const std::string halve = "shr.u32 %r20, %r20, 1; setp.ne.u32 %p2, %r20, 0; bar.sync 0;\n";
        row("fewer and fewer", "shr.u32 %r20, %r7, 1;", below.c_str(), halve.c_str());
        row("by signed numbers", "shr.u32 %r20, %r7, 1;",
            (std::string("setp.lt.s32 %p1, %r1, %r20; @!%p1 bra B;\n") + change + "B:\n").c_str(),
            "add.s32 %r20, %r20, -9; setp.gt.s32 %p2, %r20, -30; bar.sync 0;\n");
        row("more and more", "mov.u32 %r20, 1;", below.c_str(),
            "shl.b32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, %r7; bar.sync 0;\n");
        for (const char* compare : {"ge.u32", "gt.s32"}) {
            const std::string product =
                std::string("mul.lo.u32 %r27, %r1, %r20; setp.") + compare + " %p1, %r27, %r7; @%p1 bra B;\n" + change;
            QTest::addRow("an index times the step, %s", compare)
                << "mov.u32 %r20, 1;" << QString::fromStdString(product + "B:\n")
                << "shl.b32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, %r7; bar.sync 0;\n";
            QTest::addRow("an index times a step that wraps, %s", compare)
                << "mov.u32 %r20, 0x300001;" << QString::fromStdString(product + "B:\n")
                << "mul.lo.u32 %r20, %r20, 5; add.u32 %r25, %r25, 1; setp.lt.u32 %p2, %r25, 9; bar.sync 0;\n";
        }
        row("the last ones", "mov.u32 %r20, 1;",
            (std::string("setp.lt.u32 %p1, %r1, %r20; @%p1 bra B;\n") + change + "B:\n").c_str(),
            "shl.b32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, %r7; bar.sync 0;\n");
        row("a step that threads have of their own",
            "shr.u32 %r20, %r7, 1; setp.lt.u32 %p1, %r1, 32; @%p1 add.u32 %r20, %r20, 4;", below.c_str(),
            "shr.u32 %r20, %r20, 1; add.u32 %r25, %r25, 1; setp.lt.u32 %p2, %r25, 5; bar.sync 0;\n");
        row("a step that some change", "shr.u32 %r20, %r7, 1;",
            (below + "setp.lt.u32 %p1, %r1, 32; @%p1 bra C; shr.u32 %r20, %r20, 1; C:\n").c_str(),
            "add.u32 %r25, %r25, 1; setp.lt.u32 %p2, %r25, 5; bar.sync 0;\n");
        row("another barrier in some blocks", "shr.u32 %r20, %r7, 1;",
            (below + "setp.lt.u32 %p4, %r9, 1; @%p4 bra C; bar.sync 0; add.u32 %r26, %r26, %r20; bra D;\n"
                     "C: bar.sync 0; D:\n")
                .c_str(),
            halve.c_str());
        row("some blocks end earlier", "shr.u32 %r20, %r7, 1;",
            (below + "setp.ge.u32 %p4, %r9, 1; setp.eq.u32 %p3, %r20, 8; and.pred %p5, %p4, %p3; @%p5 bra E;\n")
                .c_str(),
            halve.c_str());
        row("in a loop", "mov.u32 %r25, 0; O: shr.u32 %r20, %r7, 1;", below.c_str(),
            (halve +
             "@%p2 bra A; add.u32 %r26, %r26, %r25; add.u32 %r25, %r25, 1; setp.lt.u32 %p3, %r25, 3; bar.sync 0;\n"
             "@%p3 bra O; setp.ne.u32 %p2, %r7, %r7;\n")
                .c_str());
        // Threads yield to each other after 33 rounds, which only the first ones exceed, or all.
        for (const int more : {9, 2000}) {
            const std::string stride = "mad.lo.u32 %r29, %r7, 33, " + std::to_string(more) +
                                       "; mov.u32 %r28, %r1;\nG: ld.global.u32 %r30, [%rd2]; mad.lo.u32 %r26, %r26, 3, "
                                       "%r30; add.u32 %r28, %r28, %r7;\nsetp.lt.u32 %p4, %r28, %r29; @%p4 bra G;\n";
            QTest::addRow("behind a loop of %d more", more)
                << "shr.u32 %r20, %r7, 1;" << QString::fromStdString(below)
                << QString::fromStdString(halve + "@%p2 bra A;\n" + stride +
                                          "st.shared.u32 [%r16], %r26; bar.sync 0;\nshr.u32 %r20, %r7, 1;\nC: setp.ge."
                                          "u32 %p1, %r1, %r20; @%p1 bra D;\n" +
                                          change + "D: " + halve + "@%p2 bra C; setp.ne.u32 %p2, %r7, %r7;\n");
            QTest::addRow("around a loop of %d more", more)
                << "shr.u32 %r20, %r7, 1;" << QString::fromStdString(below)
                << QString::fromStdString(stride + "st.shared.u32 [%r16], %r26; add.u32 %r25, %r25, %r20;\n" + halve);
        }
    }
    /// What threads keep from one barrier to the next is the same for all of them, or is not.
    void loops_around_barriers() {
        QFETCH(const QString, before);
        QFETCH(const QString, body);
        QFETCH(const QString, behind);
        compare(
            program("and.b32 %r16, %r11, 511; shl.b32 %r16, %r16, 2; mov.u32 %r17, tile; add.u32 %r16, %r16, %r17;\n"
                    "mov.u32 %r25, 0; mov.u32 %r26, 0; add.u32 %r3, %r3, 1; st.shared.u32 [%r16], %r3; bar.sync 0;\n" +
                    before.toStdString() + "\nA:\n" + body.toStdString() + behind.toStdString() +
                    "@%p2 bra A;\nE: ld.shared.u32 %r18, [%r16]; st.global.u32 [%rd1], %r18; st.global.u32 [%rd1+4], "
                    "%r25; st.global.u32 [%rd1+8], %r26; ret;"));
    }

    void rows_with_gaps_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<QString>("active");
        for (const int bytes : {1, 4, 8})
            for (const auto& [name, active] :
                 {std::pair{"every second", "and.b32 %r25, %r1, 1; setp.eq.u32 %p1, %r25, 0;"},
                  {"some", "setp.gt.u32 %p1, %r28, 50;"},
                  {"the last", "setp.ge.u32 %p1, %r1, %r27;"}})
                QTest::addRow("%s, of %d", name, bytes) << bytes << active;
    }
    /// Rows of elements of which lanes leave some out, all over two pages, so that some vectors would go beyond a page.
    void rows_with_gaps() {
        QFETCH(const int, bytes);
        QFETCH(const QString, active);
        const std::string bits = std::to_string(8 * bytes), size = std::to_string(bytes);
        const std::string value = bytes == 8 ? "%rd9" : "%r18", read = bytes == 8 ? "%rd10" : "%r19";
        const auto at = [&](int lanes) { return "[%r20+" + std::to_string(lanes * bytes) + "]"; };
        const auto load = [&](const std::string& guard, int lanes) {
            return guard + "ld.shared.u" + bits + " " + read + ", " + at(lanes) + ";\n" +
                   (bytes == 8 ? "cvt.u32.u64 %r19, %rd10;" : "") + " mad.lo.u32 %r30, %r30, 31, %r19;\n";
        };
        const std::string store = "st.shared.u" + bits + " ";
        const std::string body =
            "mul.lo.u32 %r28, %r1, 37; and.b32 %r28, %r28, 127; sub.u32 %r27, %r7, 3; mov.u32 %r30, 0;\n" +
            active.toStdString() + "\nmov.u32 %r17, rows; mad.lo.u32 %r20, %r1, " + size +
            ", %r17; add.u32 %r20, %r20, "
            "256; mul.lo.u32 %r21, %r7, " +
            size +
            "; mov.u32 %r22, 0; mov.u32 %r19, 0; mov.u64 %rd10, 0;\n"
            "A: add.u32 %r18, %r28, %r22; cvt.u64.u32 %rd9, %r18;\n" +
            store + at(0) + ", " + value + "; bar.sync 0;\n" + load("@%p1 ", 1) + load("@%p1 ", -3) +
            "bar.sync 0; add.u32 %r18, %r28, 100; cvt.u64.u32 %rd9, %r18;\n@!%p1 bra B;\n" + store + at(2) + ", " +
            value + ";\nB: bar.sync 0;\n" + load("", 0) +
            "add.u32 %r20, %r20, %r21; add.u32 %r22, %r22, %r21; setp.lt.u32 %p2, %r22, 8192; bar.sync 0; @%p2 bra A;\n"
            "st.global.u32 [%rd1], %r30; ret;";
        compare(program(body, " .shared .align 8 .b8 rows[12288];"));
    }

    /// Volatile elements in a row, of all lanes and of some.
    void volatile_rows() {
        const std::string text =
            "mov.u32 %r17, tile; mad.lo.u32 %r16, %r11, 4, %r17; setp.gt.s32 %p1, %r3, 0;\n"
            "st.volatile.shared.u32 [%r16], %r3; bar.sync 0; ld.volatile.shared.u32 %r18, [%r16+12];\n"
            "ld.volatile.shared.u32 %r19, [%r16]; add.u32 %r18, %r18, %r19; bar.sync 0;\n"
            "st.volatile.shared.u32 [%r16], %r18; @%p1 bra A; ld.volatile.shared.u32 %r18, [%r16];\n"
            "mad.lo.u32 %r18, %r18, 3, 1; st.volatile.shared.u32 [%r16], %r18;\nA: bar.sync 0;\n"
            "ld.volatile.shared.u32 %r20, [%r16+4]; st.global.u32 [%rd1], %r20; st.global.u32 [%rd1+4], %r19; ret;";
        compare(program(text));
    }

    void divisions_by_one_number_data() {
        QTest::addColumn<QString>("type");
        for (const char* type : {"u16", "s16", "u32", "s32", "u64", "s64"})
            QTest::newRow(type) << type;
    }
    /// By powers of two and others, of which the compiler knows nothing.
    void divisions_by_one_number() {
        QFETCH(const QString, type);
        const std::string t = type.toStdString();
        std::string body = "cvt.s64.s32 %x64, %r3; mov.b32 {%x16, %h}, %r3; mov.u32 %x32, %r3;\nmov.u32 %r30, 0;\n";
        const std::string x = "%x" + t.substr(1), y = "%y" + t.substr(1), z = "%z" + t.substr(1);
        const std::string take =
            t.substr(1) == "32" ? "mov.u32 %r19, %z32;" : "cvt.u32.u" + t.substr(1) + " %r19, " + z + ";";
        const auto divide = [&](const char* way) {
            return std::string(way) + "." + t + " " + z + ", " + x + ", " + y + "; " + take +
                   " mad.lo.u32 %r30, %r30, 31, %r19;\n";
        };
        for (const char* divisor : {"1", "2", "64", "4096", "0x8000", "0x80000000", "3", "0", "-1", "-4", "100"})
            body += "and.b32 %r20, %r2, 0; add.u32 %r20, %r20, " + std::string(divisor) +
                    "; cvt.s64.s32 %y64, %r20; mov.b32 {%y16, %h}, %r20; mov.u32 %y32, %r20;\n" + divide("div") +
                    divide("rem");
        compare(program(body + "st.global.u32 [%rd1], %r30; ret;",
                        " .reg .b16 %h, %x16, %y16, %z16; .reg .b32 %x32, %y32, %z32; .reg .b64 %x64, %y64, %z64;"));
    }

    void groups_of_elements_data() {
        QTest::addColumn<int>("elements");
        QTest::addColumn<int>("left");
        QTest::addColumn<int>("right");
        QTest::addColumn<QString>("index");
        QTest::addColumn<bool>("known");
        for (const int elements : {2, 4, 8})
            for (const char* index : {"%r1", "%r11"})
                for (const bool known : {true, false}) {
                    const char* const by = known ? "a number" : "a register";
                    QTest::addRow("last of %d, %s by %s", elements, index, by)
                        << elements << elements / 2 - 1 << elements - 1 << index << known;
                    QTest::addRow("first of %d, %s by %s", elements, index, by)
                        << elements << elements / 2 << 0 << index << known;
                }
    }
    /// Steps of a scan that goes down: tile[n * t + right] = left + right, tile[n * t + left] = right. They read and
    /// write whole groups, and leave all else as it is.
    void groups_of_elements() {
        QFETCH(const int, elements);
        QFETCH(const int, left);
        QFETCH(const int, right);
        QFETCH(const QString, index);
        QFETCH(const bool, known);
        const std::string n = std::to_string(elements), l = std::to_string(4 * left), r = std::to_string(4 * right);
        // Of a block's rows, those by %r1 have the same elements, so one of them goes on.
        std::string body = "mov.u32 %r17, tile; and.b32 %r27, %r2, 0; add.u32 %r24, %r27, " + n +
                           "; mul.lo.u32 %r25, " + index.toStdString() + ", " + (known ? n : "%r24") +
                           "; shl.b32 %r26, %r25, 2; add.u32 %r16, %r26, %r17; setp.ge.u32 %p2, %r11, " +
                           std::to_string(512 / elements) + ";\n" +
                           (index == "%r1" ? "setp.ne.or.u32 %p1, %r6, 0, %p2;" : "mov.pred %p1, %p2;") +
                           "mov.u32 %r20, 0; @%p1 bra B;\n";
        for (int k = 0; k < elements; ++k)
            body += "mad.lo.u32 %r18, %r3, 3, " + std::to_string(k) + "; st.shared.u32 [%r16+" + std::to_string(4 * k) +
                    "], %r18;\n";
        body += "B: bar.sync 0; @%p1 bra C;\n"
                "ld.shared.u32 %r21, [%r16+" +
                l + "]; ld.shared.u32 %r22, [%r16+" + r +
                "];\n"
                "st.shared.u32 [%r16+" +
                l +
                "], %r22; add.u32 %r23, %r21, %r22;\n"
                "st.shared.u32 [%r16+" +
                r +
                "], %r23;\n"
                "C: bar.sync 0; @%p1 bra D;\n";
        for (int k = 0; k < elements; ++k)
            body += "ld.shared.u32 %r18, [%r16+" + std::to_string(4 * k) + "]; mad.lo.u32 %r20, %r20, 31, %r18;\n";
        const std::string text = program(body + "D: st.global.u32 [%rd1], %r20; ret;");
        compare(text);
        if (jit::host_masks_anything()) QVERIFY(vector_code(text, 16).whole_stores >= static_cast<unsigned>(elements));
    }

    /// Both elements of each lane are stored at once, though the second one is loaded behind the first store.
    void pairs_of_elements() {
        const std::string text = program("ld.param.u64 %rd11, [out]; mul.wide.u32 %rd10, %r10, 8;\n"
                                         "add.u64 %rd9, %rd11, %rd10; mov.u32 %r17, tile; "
                                         "shl.b32 %r16, %r11, 3; add.u32 %r16, %r16, %r17; mul.lo.u32 %r18, %r3, 5;\n"
                                         "st.shared.u32 [%r16], %r3; st.shared.u32 [%r16+4], %r18; bar.sync 0;\n"
                                         "ld.shared.u32 %r19, [%r16]; st.global.u32 [%rd9], %r19;\n"
                                         "ld.shared.u32 %r20, [%r16+4]; st.global.u32 [%rd9+4], %r20; ret;");
        compare(text);
        QVERIFY(vector_code(text, 16).whole_stores >= 2);
        QCOMPARE(vector_code(text, 16).gap_stores, 0U);
    }

    void trees_of_any_step_data() {
        QTest::addColumn<bool>("gaps");
        QTest::addColumn<bool>("between");
        QTest::newRow("in a row") << false << false;
        QTest::newRow("with a gap behind 32") << true << false;
        QTest::newRow("an address made between the accesses") << false << true;
        QTest::newRow("one with a gap made there") << true << true;
    }
    /// tile[step * (2 * t + 2) - 1] += tile[step * (2 * t + 1) - 1], where the step doubles as the code runs.
    void trees_of_any_step() {
        QFETCH(const bool, gaps);
        QFETCH(const bool, between);
        // Each register has one writer, as compilers have it.
        int made = 0;
        const auto address_of = [&](const std::string& index) {
            const std::string k = std::to_string(made++);
            return (gaps ? "shr.u32 %w" + k + ", " + index + ", 5; add.u32 %s" + k + ", %w" + k + ", " + index + ";"
                         : "mov.u32 %s" + k + ", " + index + ";") +
                   " shl.b32 %u" + k + ", %s" + k + ", 2; add.u32 %v" + k + ", %u" + k + ", %r17;\n";
        };
        const std::string own = address_of("%r11"), left = address_of("%r24"), right = address_of("%r25");
        const std::string body =
            "mov.u32 %r17, tile; " + own +
            "st.shared.u32 [%v0], %r3; mov.u32 %r20, 1; shr.u32 %r21, %r12, 1;\n"
            "shl.b32 %r22, %r11, 1; add.u32 %r22, %r22, 1;\n"
            "A: bar.sync 0; setp.ge.u32 %p1, %r11, %r21; @%p1 bra B;\n"
            "mul.lo.u32 %r23, %r20, %r22; add.u32 %r24, %r23, -1; add.u32 %r25, %r24, %r20;\n" +
            left + (between ? "" : right) + "ld.shared.u32 %r27, [%v1];\n" +
            (!between ? ""
             : gaps   ? right
                      : "shl.b32 %r30, %r20, 2; add.u32 %v2, %v1, %r30;\n") +
            "ld.shared.u32 %r28, [%v2]; mad.lo.u32 %r29, %r28, 3, %r27;\n"
            "st.shared.u32 [%v2], %r29;\n"
            "B: shl.b32 %r20, %r20, 1; shr.u32 %r21, %r21, 1; setp.ne.u32 %p2, %r21, 0; @%p2 bra A;\n"
            "bar.sync 0; ld.shared.u32 %r18, [%v0]; st.global.u32 [%rd1], %r18; ret;";
        const std::string text = program(body, " .reg .b32 %s<3>, %u<3>, %v<3>, %w<3>;");
        compare(text);
        // Where the step is two or four words, whole vectors are stored.
        QCOMPARE(vector_code(text, 16).gap_stores > 0, !gaps && jit::host_masks_anything());
    }

    void last_steps_of_trees_data() {
        QTest::addColumn<QString>("enter");
        QTest::addColumn<bool>("loops");
        QTest::newRow("first lanes") << "setp.lt.and.u32 %p1, %r11, %r20, %p3;" << true;
        QTest::newRow("lanes apart")
            << "shl.b32 %r22, %r20, 1; rem.u32 %r23, %r11, %r22; setp.eq.and.u32 %p1, %r23, 0, %p3;" << true;
        QTest::newRow("lanes that memory tells") << "setp.lt.and.u32 %p4, %r11, %r20, %p3; and.b32 %r22, %r3, 1;"
                                                    "setp.eq.and.u32 %p1, %r22, 0, %p4;"
                                                 << false;
    }
    /// if (…) tile[t] += tile[t + step], where few lanes are left at last.
    void last_steps_of_trees() {
        QFETCH(const QString, enter);
        QFETCH(const bool, loops);
        const std::string text =
            program("mov.u32 %r17, tile; shl.b32 %r14, %r11, 2; add.u32 %r14, %r14, %r17; st.shared.u32 [%r14], %r3;\n"
                    "mov.u32 %r20, 128; A: bar.sync 0; add.u32 %r24, %r11, %r20; setp.lt.u32 %p3, %r24, %r12;\n" +
                    enter.toStdString() +
                    "@!%p1 bra B; shl.b32 %r16, %r20, 2; add.u32 %r15, %r16, %r14; ld.shared.u32 %r28, [%r14];\n"
                    "ld.shared.u32 %r19, [%r15]; mad.lo.u32 %r29, %r19, 3, %r28; st.shared.u32 [%r14], %r29;\n"
                    "B: shr.u32 %r20, %r20, 1; setp.ne.u32 %p2, %r20, 0; @%p2 bra A;\n"
                    "bar.sync 0; ld.shared.u32 %r18, [%r14]; st.global.u32 [%rd1], %r18; ret;");
        compare(text);
        QCOMPARE(vector_code(text, 16).lane_loops > 0, loops && jit::host_masks_anything());
    }

    void steps_within_a_warp_data() {
        QTest::addColumn<QList<int>>("distances");
        QTest::newRow("ahead") << QList<int>{16, 8, 4, 2, 1};
        QTest::newRow("behind") << QList<int>{-1, -2, -4, -8, -16};
        QTest::newRow("both ways, and others") << QList<int>{3, 32, 4, -4, 0, -32, 17, 1};
    }
    /// if (t < 32) { tile[t] += tile[t + distance]; … }: most of what is read was just stored.
    void steps_within_a_warp() {
        QFETCH(const QList<int>, distances);
        std::string body = "mov.u32 %r17, tile; shl.b32 %r16, %r11, 2; add.u32 %r14, %r16, %r17;\n"
                           "st.shared.u32 [%r14+128], %r3; setp.ge.u32 %p1, %r11, 32; bar.sync 0; @%p1 bra B;\n";
        for (const int distance : distances)
            body += "ld.shared.u32 %r20, [%r14+128]; ld.shared.u32 %r21, [%r14+" + std::to_string(128 + 4 * distance) +
                    "]; mad.lo.u32 %r22, %r21, 3, %r20; bar.warp.sync -1; st.shared.u32 [%r14+128], %r22;\n"
                    "bar.warp.sync -1;\n";
        const std::string text =
            program(body + "B: bar.sync 0; ld.shared.u32 %r18, [%r14+128]; st.global.u32 [%rd1], %r18; ret;");
        const Comparison comparison = compare_program(text, 0, true);
        QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
        QVERIFY(vector_code(text, 32).short_loads >= 3);
    }

    void last_turns_of_loops_data() {
        QTest::addColumn<QString>("body");
        // 1,984 words of the input lie behind %rd6. All loops end after at most 63 turns.
        const char* const next = "and.b32 %r16, %r15, 1023; mul.wide.u32 %rd7, %r16, 4; add.u64 %rd7, %rd6, %rd7;"
                                 "ld.global.u32 %r17, [%rd7];";
        const QString search = QString("A: setp.ge.u32 %p1, %r14, 60; @%p1 bra B; add.u32 %r15, %r10, %r14;") + next;
        const QString again = "setp.gt.u32 %p2, %r17, %r18; add.u32 %r14, %r14, 1;";
        QTest::newRow("two ways out") << search + "and.b32 %r19, %r17, 7; setp.eq.u32 %p3, %r19, 3; @%p3 bra C;" +
                                             again + "bra A; B: mov.u32 %r20, 7; bra D; C: add.u32 %r20, %r17, 1; D:";
        QTest::newRow("a register that some turns write")
            << search + again +
                   "@%p2 mov.u32 %r20, %r17; setp.lt.u32 %p3, %r18, %r17; xor.b32 %r21, %r17, %r21;"
                   "and.b32 %r19, %r17, 7; setp.ne.u32 %p4, %r19, 3; @%p4 bra A; B:";
        QTest::newRow("predicates, long words and floats")
            << search + again +
                   "cvt.rn.f32.u32 %f1, %r17; add.f32 %f2, %f2, %f1; mad.wide.u32 %rd9, %r17, %r17, %rd9;"
                   "setp.gt.and.f32 %p5, %f1, 0f4E000000, %p2; selp.u32 %r22, %r14, %r22, %p5;"
                   "and.b32 %r19, %r17, 7; setp.ne.u32 %p4, %r19, 3; @%p4 bra A;"
                   "B: mov.b32 %r20, %f2; cvt.u32.u64 %r21, %rd9; selp.u32 %r22, %r22, 5, %p5;";
        QTest::newRow("stores and atomics")
            << search + again +
                   "and.b32 %r19, %r17, 47; mul.wide.u32 %rd8, %r19, 4; add.u64 %rd8, %rd1, %rd8;"
                   "st.global.u32 [%rd8], %r14; atom.global.add.u32 %r23, [%rd5], 1;"
                   "and.b32 %r19, %r17, 7; setp.ne.u32 %p4, %r19, 3; @%p4 bra A; B: bra E; E: ret; F:";
        QTest::newRow("a loop in a loop")
            << QString("mov.u32 %r24, 0; O: mov.u32 %r14, %r24;\n") + search + again +
                   "and.b32 %r19, %r17, 3; setp.eq.u32 %p3, %r19, 0; @%p3 bra B; add.u32 %r20, %r20, %r17; bra A;"
                   "B: add.u32 %r21, %r21, %r14; add.u32 %r24, %r24, 5; and.b32 %r25, %r17, 63;"
                   "setp.lt.u32 %p4, %r24, %r25; @%p4 bra O;";
        QTest::newRow("all turns, in code of some lanes")
            << QString("and.b32 %r19, %r3, 7; setp.ne.u32 %p3, %r19, 0; @%p3 bra B; mov.u32 %r14, 0; A:"
                       "mad.lo.u32 %r15, %r14, 7, %r3;") +
                   next +
                   "add.u32 %r20, %r20, %r17; add.u32 %r14, %r14, 1; setp.lt.u32 %p1, %r14, 9; @%p1 bra A;"
                   "add.u32 %r21, %r14, %r3; B:";
        QTest::newRow("memory of the threads' own")
            << search + again +
                   "and.b32 %r19, %r17, 7; mul.wide.u32 %rd8, %r19, 4; add.u64 %rd8, %rd10, %rd8;"
                   "ld.local.u32 %r23, [%rd8]; add.u32 %r20, %r23, %r20; st.local.u32 [%rd8], %r20;"
                   "setp.ne.u32 %p4, %r19, 3; @%p4 bra A; B: ld.local.u32 %r21, [%rd10+12];";
    }
    /// Lanes leave a loop one by one. The last ones go on to its end one after the other.
    void last_turns_of_loops() {
        QFETCH(const QString, body);
        const std::string own = body.contains("%rd10") ? " .local .align 16 .b8 own[32];" : "";
        std::string clear;
        for (int k = 0; !own.empty() && k < 32; k += 4)
            clear += "st.local.u32 [%rd10+" + std::to_string(k) + "], 0;";
        compare(program("add.u64 %rd6, %rd3, 256; mov.u32 %r14, 0; mov.u32 %r18, 0x7fffffff; mov.u32 %r20, 1;\n"
                        "mov.u32 %r21, 2; mov.u32 %r22, 3; mov.u64 %rd9, 5; mov.f32 %f2, 0f00000000;"
                        "setp.eq.u32 %p5, %r1, 3;\n" +
                            (own.empty() ? std::string() : "mov.u64 %rd10, own;" + clear) + body.toStdString() +
                            "\nst.global.u32 [%rd1], %r20; st.global.u32 [%rd1+4], %r21;"
                            "st.global.u32 [%rd1+8], %r22; st.global.u32 [%rd1+12], %r14; ret;",
                        " .reg .f32 %f<3>;" + own));
    }

    /// Threads put their numbers where their digit begins, and as many places further on as a count says. Lanes with
    /// one such beginning are mostly neighbours, those whose beginnings lie in a table are not.
    void places_behind_those_of_a_table() {
        const auto kernel = [](const std::string& index) {
            return program("ld.global.u32 %r23, [%rd4];\n" + index +
                           "mul.wide.u32 %rd8, %r22, 4; add.u64 %rd8, %rd8, %rd3; ld.global.u32 %r20, [%rd8];"
                           "and.b32 %r20, %r20, 7; popc.b32 %r21, %r3; add.u32 %r21, %r21, %r20;"
                           "ld.param.u64 %rd6, [out]; mul.wide.u32 %rd7, %r21, 4; add.u64 %rd7, %rd7, %rd6;"
                           "st.global.u32 [%rd7], %r10; ret;");
        };
        const std::string same = kernel("and.b32 %r22, %r2, 15;"), table = kernel("and.b32 %r22, %r3, 15;");
        compare(same);
        compare(table);
        QVERIFY(vector_code(same, 16).wide_stores > 0);
        QCOMPARE(vector_code(table, 16).wide_stores, 0U);
    }

    /// In front of a loop around a barrier, elements with gaps are no gathers either.
    void in_front_of_barriers() {
        const std::string looped =
            program("mul.wide.u32 %rd7, %r1, 8; add.u64 %rd7, %rd7, %rd3; ld.global.u32 %r20, [%rd7];"
                    "ld.global.u32 %r21, [%rd7+4]; mov.u32 %r14, 0;\nA: bar.sync 0; add.u32 %r21, %r21, %r20;"
                    "add.u32 %r14, %r14, 1; setp.lt.u32 %p1, %r14, 5; @%p1 bra A;"
                    "xor.b32 %r20, %r20, %r21; st.global.u32 [%rd1], %r20; ret;");
        compare(looped);
        QCOMPARE(vector_code(looped, 16).gathers, 0U);
    }
};

QTEST_GUILESS_MAIN(LaneStepsTest)
#include "test_lane_steps.moc"
