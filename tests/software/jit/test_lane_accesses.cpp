// SPDX-License-Identifier: Apache-2.0
// Threads side by side against a thread at a time: accesses whose addresses turn out to be neighbours, or not, as the
// code runs, and atomic operations of all lanes on one element.
#include "lane_program.hpp"

#include <cstdlib>
#include <utility>

namespace {

/// Sets %r20 to an index below 256, made of the thread's number in ways of which the compiler knows nothing.
struct Index {
    const char* name;
    const char* text;
};
const Index kIndices[] = {
    {"all of a power of two", "mov.u32 %r21, 255; and.b32 %r22, %r2, 0; add.u32 %r21, %r21, %r22;"
                              "and.b32 %r20, %r11, %r21;"},
    {"eight at a time", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 7; and.b32 %r20, %r11, %r22;"},
    {"twice less what is left", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 63; and.b32 %r21, %r1, %r22;"
                                "add.u32 %r20, %r1, %r1; sub.u32 %r20, %r20, %r21; and.b32 %r20, %r20, 255;"},
    {"backwards", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 255; xor.b32 %r20, %r11, %r22;"},
    {"pairs the other way round", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 1; xor.b32 %r20, %r11, %r22;"},
    {"blocks the other way round", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 32; xor.b32 %r20, %r11, %r22;"
                                   "and.b32 %r20, %r20, 255;"},
    {"a remainder", "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 100; rem.u32 %r20, %r11, %r22;"},
    {"all but one", "setp.eq.u32 %p6, %r11, 3; selp.u32 %r21, 5, 0, %p6; add.u32 %r20, %r11, %r21;"
                    "and.b32 %r20, %r20, 255;"},
};

} // namespace

class LaneAccessesTest : public QObject {
    Q_OBJECT

private slots:
    /// LLVM 19 took elements that come from short vectors for undefined.
    void elements_of_short_vectors() {
        const std::string own = ".local .align 32 .b8 own[64];\n";
        const std::string stores = "add.s32 %r20, %r3, 7; add.s32 %r21, %r3, 9;\n"
                                   "st.local.v4.u32 [own], {%r3, %r20, %r21, %r1};\n"
                                   "st.local.v4.u32 [own+16], {%r21, %r1, %r20, %r3};\n";
        const std::string results = "bar.sync 0; st.global.u64 [%rd1], %rd8; st.global.u64 [%rd1+8], %rd9; ret;";
        compare(program(own + stores + "ld.volatile.local.v4.u64 {%rd6, %rd7, %rd8, %rd9}, [own];\n" + results));
        compare(program(own + stores + "ld.volatile.local.v2.u64 {%rd8, %rd9}, [own+16];\n" + results));
    }

    void addresses_of_which_nothing_is_known_data() {
        QTest::addColumn<QString>("index");
        QTest::addColumn<QString>("guard");
        for (const Index& index : kIndices)
            for (const auto& [name, guard] :
                 {std::pair{"all", ""}, {"some", "@%p1 "}, {"none but few", "@%p2 "}, {"none", "@%p3 "}})
                QTest::addRow("%s, %s", index.name, name) << index.text << guard;
    }
    void addresses_of_which_nothing_is_known() {
        QFETCH(QString, index);
        QFETCH(QString, guard);
        const std::string g = guard.toStdString();
        std::string body = "mov.u32 %r30, 0;\nA:\n" + index.toStdString() +
                           "setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13;"
                           "setp.gt.u32 %p3, %r11, 5000;\nmov.u32 %r4, 77; mov.u64 %rd9, 78; mov.u32 %r5, 79;\n"
                           "mul.wide.u32 %rd6, %r20, 4; add.u64 %rd7, %rd3, %rd6; add.u64 %rd8, %rd7, %rd6;\n" +
                           g + "ld.global.u32 %r4, [%rd7];\n" + g + "ld.global.u64 %rd9, [%rd8+16];\n" +
                           "mul.wide.u32 %rd10, %r20, 1; add.u64 %rd10, %rd10, %rd3;\n" + g +
                           "ld.global.u8 %r5, [%rd10+3];\n" +
                           "st.global.u32 [%rd1], %r4; st.global.u64 [%rd1+8], %rd9; st.global.u32 [%rd1+4], %r5;\n";
        // To shared memory, where of several threads the last one's value stays, and back.
        body += "shl.b32 %r23, %r20, 2; mov.u32 %r24, tile; add.u32 %r23, %r23, %r24;\n" + g +
                "st.shared.u32 [%r23], %r3;\nbar.sync 0;\n" + g + "ld.shared.u32 %r25, [%r23];\n" + g +
                "st.global.u32 [%rd1+16], %r25;\nbar.sync 0;\n" +
                "add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\nret;";
        compare(program(body));
        // To memory of the block, without barriers.
        compare(program("mov.u32 %r30, 0;\nA:\n" + index.toStdString() +
                        "setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13;"
                        "setp.gt.u32 %p3, %r11, 5000; mul.wide.u32 %rd6, %r20, 4; add.u64 %rd11, %rd4, %rd6;\n" +
                        g + "st.global.u32 [%rd11], %r10;\n" +
                        "add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\nret;"));
    }

    /// A loop that a compiler has written out four times, behind one for the rounds that are left: lanes with a round
    /// more than others are a round ahead of them.
    void loops_written_out_data() {
        QTest::addColumn<QString>("end");
        for (const int least : {1, 9, 40, 61, 64, 90})
            QTest::addRow("the same end, %d", least)
                << QString("and.b32 %r20, %r2, 7; add.u32 %r20, %r20, %1;").arg(least);
        QTest::newRow("ends of their own") << "and.b32 %r20, %r3, 63; add.u32 %r20, %r20, 30;";
        QTest::newRow("ends near to each other") << "and.b32 %r20, %r3, 7; add.u32 %r20, %r20, 60;";
    }
    void loops_written_out() {
        QFETCH(QString, end);
        const std::string four[] = {"-64", "-32", "0", "32"};
        std::string body = end.toStdString() +
                           "and.b32 %r30, %r2, 15; and.b32 %r21, %r1, 31; add.s32 %r31, %r30, %r21; mov.u32 %r22, 0;"
                           "add.s32 %r20, %r20, %r30; setp.ge.s32 %p1, %r31, %r20; @%p1 bra D;\n"
                           "sub.s32 %r23, %r20, %r31; add.s32 %r23, %r23, -1; shr.u32 %r24, %r23, 3;"
                           "add.s32 %r24, %r24, 1; and.b32 %r25, %r24, 3; setp.eq.s32 %p2, %r25, 0; @%p2 bra B;\n"
                           "mul.wide.s32 %rd6, %r31, 4; add.s64 %rd7, %rd3, %rd6;\n"
                           "A: ld.global.u32 %r26, [%rd7]; mad.lo.u32 %r22, %r22, 3, %r26; add.s32 %r31, %r31, 8;"
                           "add.s64 %rd7, %rd7, 32; add.s32 %r25, %r25, -1; setp.ne.s32 %p3, %r25, 0; @%p3 bra A;\n"
                           "B: setp.lt.u32 %p4, %r23, 24; @%p4 bra D;\n"
                           "mul.wide.s32 %rd8, %r31, 4; add.s64 %rd9, %rd3, %rd8; add.s64 %rd9, %rd9, 64;\nC:";
        for (const std::string& offset : four)
            body += "ld.global.u32 %r26, [%rd9+" + offset + "]; mad.lo.u32 %r22, %r22, 3, %r26;\n";
        body += "add.s64 %rd9, %rd9, 128; add.s32 %r31, %r31, 32; setp.lt.s32 %p5, %r31, %r20; @%p5 bra C;\n"
                "D: st.global.u32 [%rd1], %r22; ret;";
        compare(program(body));
    }

    /// Two or four words of a thread at places that are far from each other.
    void scattered_pairs_data() {
        QTest::addColumn<QString>("guard");
        for (const auto& [name, guard] : {std::pair{"all", ""}, {"some", "@%p1 "}, {"none but few", "@%p2 "}})
            QTest::newRow(name) << guard;
    }
    void scattered_pairs() {
        QFETCH(QString, guard);
        const std::string g = guard.toStdString();
        // An odd factor: the places of threads differ.
        compare(program("setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13;"
                        "mul.lo.u32 %r20, %r11, 37; and.b32 %r20, %r20, 63; mul.wide.u32 %rd6, %r20, 8;"
                        "add.u64 %rd7, %rd3, %rd6; mul.wide.u32 %rd8, %r20, 16; add.u64 %rd9, %rd3, %rd8;"
                        "mov.u32 %r21, 1; mov.u32 %r22, 2; mov.u32 %r23, 3; mov.u32 %r24, 4; mov.u32 %r32, 0;\nA:\n" +
                        g + "ld.global.v2.u32 {%r21, %r22}, [%rd7];\n" + g +
                        "ld.global.v4.u32 {%r25, %r26, %r23, %r24}, [%rd9];\n"
                        "add.u32 %r21, %r21, %r25; add.u32 %r22, %r22, %r26;"
                        "and.b32 %r27, %r20, 15; mov.u32 %r28, tile; mad.lo.u32 %r28, %r27, 8, %r28;\n" +
                        g + "st.shared.v2.u32 [%r28], {%r21, %r22};\nbar.sync 0;\n" + g +
                        "ld.shared.v2.u32 {%r29, %r30}, [%r28];\nbar.sync 0;\n"
                        "add.u32 %r32, %r32, 1; setp.lt.u32 %p5, %r32, 2; @%p5 bra A;\n"
                        "st.global.v2.u32 [%rd1], {%r29, %r30}; st.global.v2.u32 [%rd1+8], {%r23, %r24}; ret;"));
    }

    /// As processors of compute capability 10.0 have them. PTX knows them for all.
    void eight_elements_of_a_thread() {
        compare(program("mul.wide.u32 %rd6, %r11, 32; add.u64 %rd7, %rd4, %rd6; mov.u32 %r31, %r1;\n"
                        "ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%rd3];\n"
                        "st.global.v8.b32 [%rd7], {%r3, %r20, %r31, %r21, %r11, %r22, %r1, %r23};\n"
                        "ld.global.v8.b32 {%r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31}, [%rd7];\n"
                        "add.u32 %r24, %r24, %r28; st.global.u32 [%rd7], %r24; ret;"));
    }

    void places_that_are_known_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("guard");
        const std::pair<const char*, const char*> places[] = {
            {"halves", "and.b32 %r21, %r26, 7; shl.b32 %r32, %r26, 1; sub.u32 %r20, %r32, %r21;"},
            {"quarters from behind", "and.b32 %r21, %r26, 3; mul.lo.u32 %r32, %r26, 2; sub.u32 %r33, %r32, %r21;"
                                     "sub.u32 %r20, 100, %r33;"},
            {"pairs changed", "xor.b32 %r20, %r26, 1;"},
            {"sixteen changed", "xor.b32 %r32, %r26, 21; or.b32 %r20, %r32, 64;"},
            {"bits moved", "and.b32 %r32, %r26, 3; shl.b32 %r33, %r32, 3; shr.u32 %r34, %r26, 2; and.b32 %r35, %r34, 7;"
                           "add.u32 %r20, %r35, %r33;"},
            {"every third", "mul.lo.u32 %r20, %r26, 3;"},
            {"every second", "shl.b32 %r32, %r26, 1; add.u32 %r20, %r32, 5;"},
            {"before the start", "and.b32 %r21, %r26, 3; mad.lo.u32 %r32, %r26, 2, -9; sub.u32 %r20, %r32, %r21;"},
            {"two at each", "shr.u32 %r20, %r26, 1;"},
            {"backward", "sub.u32 %r20, 40, %r26;"},
            {"backward to the start", "sub.u32 %r20, 31, %r26;"},
            {"backward beyond the start", "sub.u32 %r20, 20, %r26;"},
        };
        for (const auto& [name, place] : places)
            for (const auto& [which, guard] :
                 {std::pair{"all", "setp.ge.s32 %p4, %r20, 0;"},
                  {"some", "setp.gt.s32 %p1, %r3, 0; setp.ge.s32 %p4, %r20, 0; and.pred %p4, %p4, %p1;"},
                  {"few", "and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13; setp.ge.s32 %p4, %r20, 0;"
                          "and.pred %p4, %p4, %p2;"}})
                QTest::addRow("%s, %s", name, which) << place << guard;
    }
    /// Registers are written once, as compilers do it: otherwise nothing would be known. In shared memory by addresses
    /// of 32 and of 64 bits, elements of 4 and 8 bytes; in global memory three apart.
    void places_that_are_known() {
        QFETCH(QString, place);
        QFETCH(QString, guard);
        const std::string g = "@%p4 ";
        std::string body = "mov.u32 %r30, 0; mov.u32 %r4, 77; mov.u32 %r5, 78; mov.u64 %rd9, 79; mov.u64 %rd10, 80;\n"
                           "and.b32 %r26, %r1, 31; cvt.u64.u32 %rd11, %r3;\nA:\n" +
                           place.toStdString() + guard.toStdString() +
                           "\nshl.b32 %r22, %r20, 2; mov.u32 %r24, tile; add.u32 %r23, %r22, %r24;\n"
                           "mul.wide.s32 %rd14, %r20, 8; mov.u64 %rd13, tile; add.s64 %rd12, %rd14, %rd13;\n"
                           "@!%p4 bra B; st.shared.u32 [%r23], %r3;\nB: bar.sync 0;\n" +
                           g + "ld.shared.u32 %r4, [%r23];\nbar.sync 0;\n" + // together, and by a branch
                           g +
                           "st.shared.u64 [%rd12], %rd11; bar.sync 0;\n@!%p4 bra C; ld.shared.u64 %rd9, [%rd12];\n"
                           "ld.shared.u32 %r5, [%r23];\nC: bar.sync 0;\n"
                           "st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u64 [%rd1+8], %rd9;\n"
                           "bar.sync 0; add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\nret;";
        compare(program(body));
        // An array of three words each.
        compare(program("mov.u32 %r30, 0; mov.u32 %r26, %r1; mov.u32 %r20, 1;\nA:\n" + guard.toStdString() +
                        "mul.wide.u32 %rd6, %r11, 12; add.u64 %rd7, %rd4, %rd6;\n" + g +
                        "st.global.u32 [%rd7], %r10;\n" + g + "st.global.u32 [%rd7+8], %r3;\n" + g +
                        "ld.global.u32 %r4, [%rd7+8];\n" + g + "st.global.u32 [%rd7+4], %r4;\n" +
                        "add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\nret;"));
    }

    void elements_that_follow_one_another_data() {
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("loads");
        // %r20: bytes from the first lane's row.
        const std::pair<const char*, const char*> steps[] = {
            {"nine words apart", "mul.lo.u32 %r20, %r26, 36;"},
            {"backwards", "mad.lo.s32 %r20, %r26, -20, 620;"},
            {"three words each", "mul.lo.u32 %r20, %r26, 12;"},
            {"five pairs apart", "mul.lo.u32 %r20, %r26, 40;"},
            {"as far as a number says",
             "and.b32 %r22, %r2, 3; mad.lo.u32 %r22, %r22, 4, 12; mul.lo.u32 %r20, %r26, %r22;"},
            {"neighbours that are not known",
             "and.b32 %r22, %r2, 0; add.u32 %r22, %r22, 4; mul.lo.u32 %r20, %r26, %r22;"},
            {"scattered", "and.b32 %r22, %r3, 127; mul.lo.u32 %r20, %r22, 4;"},
            {"pairs, shuffled", "and.b32 %r22, %r3, 31; mul.lo.u32 %r20, %r22, 32;"},
        };
        // `V` loads a word, `D` two words; `S` and `O` store, `I` changes the address.
        const std::pair<const char*, const char*> loads[] = {
            {"three", "V4 V8 V0"},
            {"four", "V0 V4 V8 V12"},
            {"nine", "V0 V4 V8 V12 V16 V20 V24 V28 V32"},
            {"in another order", "V12 V0 V16 V8 V4 V20"},
            {"a hole", "V0 V4 V12 V16 V24 V20"},
            {"some twice", "V0 V4 V8 V0 V12 V4"},
            {"two of eight bytes", "D0 D8 D16 V4"},
            {"another register in between", "V0 V4 I V8 V12 V0 V4"},
            {"a store to the row in between", "V0 V4 S V8 V12 V16 V20"},
            {"a store elsewhere in between", "V0 V4 O V8 V12 V16 V20"},
        };
        for (std::size_t k = 0; k < std::size(steps); ++k)
            for (std::size_t n = 0; n < std::size(loads); ++n) {
                const auto& [step, text] = steps[k];
                const auto& [name, which] = loads[n];
                if (which[0] == 'D' && !QByteArray(step).contains("pairs")) continue;                 // alignment
                if (QByteArray(which).contains('S') && !QByteArray(step).contains("apart")) continue; // rows overlap
                if (k == 0 || n == 0 || (k + n) % 3 == 0) QTest::addRow("%s, %s", step, name) << text << which;
            }
    }
    /// In a loop, as other code is not worth it; in shared memory by addresses of 32 and of 64 bits, and in global
    /// memory.
    void elements_that_follow_one_another() {
        QFETCH(QString, step);
        QFETCH(QString, loads);
        const auto body_of = [&](const std::string& space, const std::string& address, const std::string& bits) {
            std::string body;
            for (const QString& one : loads.split(' ')) {
                const std::string at = "[" + address + "+" + one.mid(1).toStdString() + "]";
                if (one[0] == 'V') body += "ld." + space + ".u32 %r5, " + at + "; mad.lo.u32 %r4, %r4, 31, %r5;\n";
                if (one[0] == 'D')
                    body += "ld." + space + ".u64 %rd9, " + at + "; mad.lo.u64 %rd10, %rd10, 31, %rd9;\n";
                if (one[0] == 'I') body += "add.u" + bits + " " + address + ", " + address + ", 4;\n";
                if (one[0] == 'S' && space == "shared") body += "st.shared.u32 [" + address + "+8], %r24;\n";
                if (one[0] == 'O') body += "st.global.u32 [%rd1+16], %r4;\n";
            }
            return body;
        };
        // Every thread fills the whole tile with the same words.
        compare(
            program("and.b32 %r26, %r1, 31; mov.u32 %r4, 77; mov.u64 %rd10, 78; mov.u32 %r30, 0; mov.u32 %r31, 0;\n" +
                    step.toStdString() +
                    "\nmov.u32 %r23, tile; mov.u64 %rd12, tile; mul.wide.u32 %rd6, %r20, 1; add.u64 %rd7, %rd3, %rd6;\n"
                    "mov.u32 %r24, 7; add.u64 %rd12, %rd12, %rd6;\nF: mad.lo.u32 %r32, %r31, 4, %r23;"
                    "mul.wide.u32 %rd11, %r31, 4; add.u64 %rd11, %rd11, %rd3; ld.global.u32 %r33, [%rd11];"
                    "st.shared.u32 [%r32], %r33; add.u32 %r31, %r31, 1; setp.lt.u32 %p4, %r31, 512; @%p4 bra F;\n"
                    "bar.sync 0;\nA: add.u64 %rd8, %rd7, 16;\n" +
                    body_of("global", "%rd8", "64") + "add.u32 %r21, %r20, %r23; add.u32 %r21, %r21, 16;\n" +
                    body_of("shared", "%r21", "32") + "bar.sync 0; add.u64 %rd13, %rd12, 16;\n" +
                    body_of("shared", "%rd13", "64") +
                    "bar.sync 0; add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 2; @%p5 bra A;\n"
                    "st.global.u32 [%rd1], %r4; st.global.u64 [%rd1+8], %rd10; ret;"));
    }

    void branches_that_the_extent_decides_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("bounded");
        // Blocks have 64, 16 and 256 threads in x; with whole warps 64, 32 and 256. Eight lanes, sixteen and a warp.
        QTest::addRow("a limit above") << "setp.ge.s32 %p1, %r1, 40; @%p1 bra E; add.u32 %r20, %r20, %r3; E:" << 3;
        QTest::addRow("a limit at the extent")
            << "setp.lt.u32 %p1, %r1, 64; @!%p1 bra E; add.u32 %r20, %r20, %r3; E:" << 6;
        QTest::addRow("above all threads")
            << "setp.gt.u32 %p1, %r1, 1023; @%p1 bra E; add.u32 %r20, %r20, %r3; E:" << 0;
        QTest::addRow("the end") << "setp.gt.u32 %p1, %r1, 300; @%p1 ret; add.u32 %r20, %r20, %r3;" << 9;
        QTest::addRow("without a sign") << "sub.u32 %r21, %r1, 1; setp.lt.u32 %p1, %r21, 63; @%p1 bra E;"
                                           "add.u32 %r20, %r20, %r3; E:"
                                        << 0;
        // As compilers write out `for (x = tid; x < 38; x += 32)`: rounds left over of four, then four at a time.
        QTest::addRow("an edge")
            << "max.s32 %r21, %r1, 6; add.s32 %r22, %r21, 31; sub.s32 %r23, %r22, %r1; shr.u32 %r24, %r23, 5;"
               "add.s32 %r25, %r24, 1; and.b32 %r26, %r25, 3; setp.gt.s32 %p2, %r1, 37; @%p2 bra E;\n"
               "mov.u32 %r30, %r1; setp.eq.s32 %p3, %r26, 0; @%p3 bra C; add.u32 %r20, %r20, %r30; setp.eq.s32 %p4, "
               "%r26, 1;"
               "add.u32 %r30, %r1, 32; @%p4 bra C;\nmad.lo.u32 %r20, %r20, 3, %r30; setp.eq.s32 %p5, %r26, 2;"
               "add.u32 %r30, %r1, 64; @%p5 bra C;\nmad.lo.u32 %r20, %r20, 5, %r30; add.u32 %r30, %r1, 96;\n"
               "C: setp.lt.u32 %p6, %r23, 96; @%p6 bra E;\nD: mad.lo.u32 %r20, %r20, 7, %r30; add.u32 %r30, %r30, 128;"
               "setp.lt.s32 %p7, %r30, 38; @%p7 bra D;\nE:"
            << 3;
        QTest::addRow("a number that another branch excludes, unless it changes")
            << "and.b32 %r21, %r3, 1; mov.u32 %r31, 0; setp.gt.u32 %p1, %r1, 255; @%p1 bra E;\nL: and.b32 %r22, %r2, 1;"
               "xor.b32 %r23, %r22, %r31; and.b32 %r24, %r23, 1; setp.eq.u32 %p2, %r24, 0; @%p2 bra M;\n"
               "add.u32 %r20, %r20, 9; setp.eq.u32 %p3, %r24, 1; @%p3 bra M; add.u32 %r20, %r20, 100;\n"
               "M: add.u32 %r31, %r31, 1; setp.lt.u32 %p4, %r31, 4; @%p4 bra L;\nE:"
            << 9;
        QTest::addRow("written under a condition")
            << "setp.gt.u32 %p1, %r1, 255; @%p1 bra E; setp.gt.s32 %p2, %r3, 0; @%p2 mov.u32 %r21, 5;"
               "setp.eq.u32 %p3, %r21, 5; @%p3 bra E; add.u32 %r20, %r20, %r3;\nE:"
            << 9;
        QTest::addRow("sums, products and shifts")
            << "shl.b32 %r21, %r1, 2; mad.lo.s32 %r22, %r21, -3, 5; shr.s32 %r23, %r22, 1; min.s32 %r24, %r23, 7;"
               "setp.lt.s32 %p1, %r24, -3000; selp.b32 %r25, %r1, 3, %p1; cvt.u64.u32 %rd10, %r25;"
               "cvt.u32.u64 %r26, %rd10; setp.gt.s32 %p2, %r26, 900; or.pred %p3, %p1, %p2; @%p3 bra E;"
               "add.u32 %r20, %r20, %r3;\nE:"
            << 9;
    }
    void branches_that_the_extent_decides() {
        QFETCH(QString, text);
        QFETCH(int, bounded);
        const unsigned shapes =
            compare(program("mov.u32 %r20, 1;\n" + text.toStdString() + "\nst.global.u32 [%rd1], %r20; ret;"));
        QCOMPARE(shapes, static_cast<unsigned>(bounded));
    }

    void memory_of_a_threads_own_data() {
        QTest::addColumn<QString>("guard");
        QTest::newRow("all") << "";
        QTest::newRow("some") << "@%p1 ";
        QTest::newRow("few") << "@%p2 ";
    }
    /// By the variable's name, through registers, at places that differ, of every size.
    void memory_of_a_threads_own() {
        QFETCH(QString, guard);
        const std::string g = guard.toStdString();
        const std::string body =
            "setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13; cvt.u64.u32 %rd10, %r3;\n"
            "mov.u32 %r4, 1; mov.u32 %r5, 2; mov.u64 %rd9, 3; mov.u32 %r14, 4; mov.u32 %r15, 5;\n"
            "st.local.v4.u32 [own], {%r4, %r5, %r14, %r15}; st.local.u64 [own+16], %rd9; st.local.u64 [own+24], %rd9;\n"
            "st.local.u32 [odd], %r4; st.local.u32 [odd+4], %r5; st.local.u32 [odd+8], %r5;\n"
            "mov.u64 %rd12, own; mov.u64 %rd13, odd; cvta.local.u64 %rd14, %rd12; and.b32 %r20, %r3, 3;\n"
            "mul.wide.u32 %rd6, %r20, 4; add.u64 %rd7, %rd12, %rd6; add.u64 %rd8, %rd14, %rd6;\n"
            "bar.sync 0;\n" + // the arrays outlive it
            g +
            "st.local.u32 [own+8], %r3;\n" + g + "st.local.u64 [own+16], %rd10;\n" + g + "st.local.u8 [odd+5], %r3;\n" +
            g + "st.local.u32 [%rd7], %r10;\n" + g + "st.local.u16 [%rd13+2], %r3;\n" + g +
            "ld.local.u32 %r4, [own+4];\n" + g + "ld.u32 %r5, [%rd8+4];\n" + g + "ld.local.u64 %rd9, [%rd12+16];\n" +
            g + "ld.local.v2.u32 {%r14, %r15}, [own];\n" + g +
            "ld.local.u32 %r16, [%rd7];\n"
            "ld.local.u32 %r17, [odd]; ld.local.u32 %r18, [%rd13+4]; ld.local.u32 %r19, [odd+8];\n"
            "st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r5; st.global.u64 [%rd1+8], %rd9;\n"
            "st.global.u32 [%rd1+16], %r14; st.global.u32 [%rd1+20], %r15; st.global.u32 [%rd1+28], %r17;\n"
            "st.global.u32 [%rd1+32], %r18; st.global.u32 [%rd1+36], %r19;\n" +
            g + "st.global.u32 [%rd1+24], %r16;\nret;";
        compare(program(body, ".local .align 16 .b8 own[32]; .local .b32 odd[3];"));
    }

    void bytes_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("fit") << "sub.s32 %r24, %r20, %r21; shl.b32 %r25, %r22, 1; add.s32 %r26, %r24, %r25;"
                                "sub.s32 %r27, %r26, %r23; abs.s32 %r28, %r27; min.s32 %r29, %r28, 255;"
                                "max.s32 %r30, %r27, -7; mul.lo.s32 %r31, %r20, 128;";
        QTest::newRow("do not fit") << "mul.lo.s32 %r24, %r20, 129; mul.lo.s32 %r25, %r20, %r21; add.s32 %r26, %r25, 9;"
                                       "sub.s32 %r27, %r26, 40000; abs.s32 %r28, %r27; min.s32 %r29, %r28, 255;"
                                       "shl.b32 %r30, %r22, 9; add.s32 %r31, %r30, %r20;";
        QTest::newRow("signed") << "sub.s32 %r24, %r23, 128; shr.s32 %r25, %r23, 2; shr.u32 %r26, %r23, 3;"
                                   "xor.b32 %r27, %r23, %r20; and.b32 %r28, %r23, -4; or.b32 %r29, %r24, %r25;"
                                   "min.u32 %r30, %r23, %r20; max.u32 %r31, %r24, %r22;";
        QTest::newRow("compared") << "sub.s32 %r24, %r20, %r21; sub.s32 %r25, %r22, %r23; setp.lt.s32 %p3, %r24, %r25;"
                                     "selp.b32 %r26, %r24, %r25, %p3; setp.lt.u32 %p4, %r24, %r25;"
                                     "selp.b32 %r27, %r20, 300, %p4; setp.gt.s32 %p5, %r24, 70000;"
                                     "selp.b32 %r28, 70000, %r24, %p5; add.s32 %r29, %r26, %r27;"
                                     "cvt.rn.f32.s32 %f1, %r29; mov.b32 %r30, %f1; mov.u32 %r31, %r28;";
    }
    /// Arithmetic on bytes, whose results may fit in 16 bits, stored as words and as bytes.
    void bytes() {
        QFETCH(QString, text);
        std::string body = "cvt.u64.u32 %rd6, %r10; add.u64 %rd6, %rd6, %rd3; ld.global.u8 %r20, [%rd6];\n"
                           "ld.global.u8 %r21, [%rd6+1]; ld.global.u8 %r22, [%rd6+7]; ld.global.s8 %r23, [%rd6+2];\n" +
                           text.toStdString() + "\n";
        for (int k = 0; k < 8; ++k)
            body += "st.global.u32 [%rd1+" + std::to_string(4 * k) + "], %r" + std::to_string(24 + k) +
                    "; st.global.u8 [%rd1+" + std::to_string(32 + k) + "], %r" + std::to_string(24 + k) + ";\n";
        compare(program(body + "ret;", ".reg .f32 %f<2>;"));
    }

    void one_lane_of_all_data() {
        QTest::addColumn<QString>("condition");
        QTest::newRow("the first") << "setp.ne.s32 %p1, %r1, 0;";
        QTest::newRow("one of them") << "add.s32 %r20, %r1, 1; setp.ne.s32 %p1, %r20, 7;";
        QTest::newRow("the other way round") << "shl.b32 %r20, %r1, 1; setp.eq.s32 %p2, 10, %r20; not.pred %p1, %p2;";
        QTest::newRow("all but one") << "setp.eq.s32 %p1, %r1, 3;";
    }
    /// One lane reads and writes an edge of a tile.
    void one_lane_of_all() {
        QFETCH(QString, condition);
        compare(program(
            "mul.lo.u32 %r14, %r6, 72; mov.u32 %r15, tile; add.u32 %r14, %r14, %r15; and.b32 %r16, %r1, 15;\n"
            "mad.lo.u32 %r17, %r16, 4, %r14; and.b32 %r18, %r6, 7; mad.lo.u32 %r18, %r18, 72, %r15;\n"
            "st.shared.u32 [%r18+68], %r18; st.shared.u32 [%r18+64], %r2; add.u32 %r25, %r18, %r2; bar.sync 0;\n" +
            condition.toStdString() +
            "\n@%p1 bra DONE;\nld.global.u32 %r21, [%rd2+8]; add.u32 %r22, %r21, %r1;\n"
            "st.global.u32 [%rd1+8], %r22; st.global.u32 [%rd1+12], %r1;\nDONE:\n"
            "@%p1 bra ALL;\nld.global.u32 %r23, [%rd2+4];\nst.shared.u32 [%r18+64], %r25;\n"
            "st.global.u32 [%rd1+16], %r23;\nALL:\n"
            "bar.sync 0; ld.shared.u32 %r24, [%r18+68]; ld.shared.u32 %r26, [%r18+64]; add.u32 %r24, %r24, %r26; "
            "st.global.u32 [%rd1], %r24; ret;"));
    }

    void atomic_operations_on_one_element_data() {
        QTest::addColumn<QString>("guard");
        QTest::newRow("all") << "";
        QTest::newRow("some") << "@%p1 ";
        QTest::newRow("few") << "@%p2 ";
        QTest::newRow("none") << "@%p3 ";
    }
    /// What each thread finds is told as well: a thread at a time they come in the order of their numbers.
    void atomic_operations_on_one_element() {
        QFETCH(QString, guard);
        const std::string g = guard.toStdString();
        std::string body = "setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13;"
                           "setp.gt.u32 %p3, %r11, 5000;\nmov.u32 %r4, 77; mov.u64 %rd9, 78; cvt.u64.u32 %rd10, %r3;\n";
        int sum = 0, result = 0;
        const auto answer = [&](const char* operation, const char* value) {
            body += "mov.u32 %r4, 77;\n" + g + "atom.global." + operation + " %r4, [%rd5+" + std::to_string(4 * sum++) +
                    "], " + value + ";\nst.global.u32 [%rd1+" + std::to_string(4 * result++) + "], %r4;\n";
        };
        answer("add.u32", "1");
        answer("add.u32", "%r2");
        answer("add.s32", "%r3");
        answer("add.s32", "-5");
        for (const char* operation : {"and.b32", "or.b32", "xor.b32", "min.u32", "min.s32", "max.u32", "max.s32"})
            for (const char* value : {"%r3", "%r2"})
                body += g + "red.global." + operation + " [%rd5+" + std::to_string(4 * sum++) + "], " + value + ";\n";
        sum += sum % 2;
        body += g + "atom.global.add.u64 %rd9, [%rd5+" + std::to_string(4 * sum) + "], %rd10;\n" + g +
                "red.global.max.s64 [%rd5+" + std::to_string(4 * sum + 8) +
                "], %rd10;\nst.global.u64 [%rd1+16], %rd9;\n";
        body += "mov.u32 %r24, tile; setp.eq.u32 %p5, %r11, 0; @%p5 st.shared.u32 [tile], 0; bar.sync 0;\n" + g +
                "atom.shared.add.u32 %r4, [tile], %r1;\nst.global.u32 [%rd1+24], %r4;\n";
        // Sums of floats tell in which order they were made.
        body += "cvt.rn.f32.s32 %r26, %r3; mul.f32 %r26, %r26, 0f3DCCCCCD; cvt.rn.f32.s32 %r27, %r2;\n"
                "cvt.f64.f32 %rd11, %r26; @%p5 st.shared.u64 [tile+8], 0; mov.u32 %r5, 79; bar.sync 0;\n" +
                g + "atom.global.add.f32 %r5, [%rd5+" + std::to_string(4 * sum + 16) + "], %r26;\n" + g +
                "red.global.add.f32 [%rd5+" + std::to_string(4 * sum + 20) + "], %r27;\n" + g +
                "atom.shared.add.f64 %rd9, [tile+8], %rd11;\nst.global.u32 [%rd1+28], %r5; "
                "st.global.u64 [%rd1+32], %rd9;\nret;";
        QVERIFY(sum + 6 <= static_cast<int>(kRandomSums) && 10 <= kRandomResults);
        compare(program(body));
    }

    void places_that_are_counted_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("guard");
        for (const auto& [place, text] :
             {std::pair{"the next one", "atom.global.add.u32 %r20, [%rd5], 1; sub.u32 %r20, %r20, 0xdeadbeef;"},
              {"the one after the next", "atom.global.add.u32 %r20, [%rd5], 2; sub.u32 %r20, %r20, 0xdeadbeef;"},
              {"as many as its bits", "popc.b32 %r20, %r3; add.u32 %r20, %r20, 3;"}})
            for (const auto& [name, guard] : {std::pair{"all", ""},
                                              {"some", "setp.gt.s32 %p1, %r3, 0; @%p1 bra B;"},
                                              {"few", "and.b32 %r31, %r11, 13; setp.ne.u32 %p1, %r31, 13; @%p1 bra B;"},
                                              {"none", "setp.lt.u32 %p1, %r11, 5000; @%p1 bra B;"}})
                QTest::addRow("%s, %s", place, name) << text << guard;
    }
    /// Active threads put their numbers to places that they count. Sums begin as 0xdeadbeef.
    void places_that_are_counted() {
        QFETCH(QString, place);
        QFETCH(QString, guard);
        compare(
            program("ld.param.u64 %rd6, [out];\n" + guard.toStdString() + place.toStdString() +
                    "mul.wide.u32 %rd7, %r20, 4; add.u64 %rd7, %rd7, %rd6; st.global.u32 [%rd7+4], %r10;\nB:\nret;"));
    }

    void atomic_operations_on_several_elements_data() {
        QTest::addColumn<QString>("index");
        QTest::addColumn<QString>("guard");
        for (const auto& [index, text] : {std::pair{"anywhere", "and.b32 %r20, %r3, 15;"},
                                          {"in runs", "shr.u32 %r20, %r11, 2; and.b32 %r20, %r20, 15;"},
                                          {"often the same", "and.b32 %r20, %r3, 15; min.u32 %r20, %r20, 9;"
                                                             "max.u32 %r20, %r20, 8;"},
                                          {"the same", "and.b32 %r20, %r3, 0; add.u32 %r20, %r20, 3;"},
                                          {"neighbours", "and.b32 %r20, %r11, 15;"}})
            for (const auto& [name, guard] :
                 {std::pair{"all", ""}, {"some", "@%p1 "}, {"few", "@%p2 "}, {"none", "@%p3 "}})
                if (*index == 'a' || *name != 'f') QTest::addRow("%s, %s", index, name) << text << guard;
    }
    /// Each operation has 16 elements of its own. What threads find in shared memory is told as well, and sums of
    /// floats tell in which order they were made.
    void atomic_operations_on_several_elements() {
        QFETCH(QString, index);
        QFETCH(QString, guard);
        const std::string g = guard.toStdString();
        std::string body = "setp.gt.s32 %p1, %r3, 0; and.b32 %r31, %r11, 13; setp.eq.u32 %p2, %r31, 13;"
                           "setp.gt.u32 %p3, %r11, 5000;\nmov.u32 %r24, tile; mad.lo.u32 %r24, %r11, 4, %r24;"
                           "setp.lt.u32 %p5, %r11, 256; @%p5 st.shared.u32 [%r24], %r11; bar.sync 0;\n" +
                           index.toStdString() +
                           "mov.u32 %r25, tile; mad.lo.u32 %r26, %r20, 4, %r25; mad.lo.u32 %r27, %r20, 8, %r25;"
                           "cvt.rn.f32.s32 %r28, %r3; cvt.u64.u32 %rd10, %r3; mul.wide.u32 %rd11, %r20, 4;"
                           "add.u64 %rd11, %rd11, %rd5;\n";
        int words = 0, result = 0;
        for (const char* operation :
             {"add.u32 %r4, [%r26+@], 1", "add.u32 %r4, [%r26+@], %r3", "inc.u32 %r4, [%r26+@], 5",
              "exch.b32 %r4, [%r26+@], %r11", "cas.b32 %r4, [%r26+@], %r20, %r11", "max.s32 %r4, [%r26+@], %r3",
              "add.f32 %r4, [%r26+@], %r28"}) {
            std::string text = operation;
            text.replace(text.find('@'), 1, std::to_string(64 * words++));
            body += "mov.u32 %r4, 77;\n" + g + "atom.shared." + text + ";\nst.global.u32 [%rd1+" +
                    std::to_string(4 * result++) + "], %r4;\n";
        }
        for (const char* operation : {"min.u32", "xor.b32", "or.b32"})
            body += g + "red.shared." + operation + " [%r26+" + std::to_string(64 * words++) + "], %r3;\n";
        body += g + "red.shared.add.u64 [%r27+" + std::to_string(64 * words) + "], %rd10;\n";
        words = 0;
        for (const char* operation :
             {"red.global.add.u32", "red.max.s32", "red.global.and.b32", "atom.global.add.u32 %r5,"})
            body += g + operation + " [%rd11+" + std::to_string(64 * words++) + "], %r3;\n";
        body += "bar.sync 0; @%p5 ld.shared.u32 %r32, [%r24]; @%p5 st.global.u32 [%rd1+28], %r32;\nret;";
        QVERIFY(16 * words <= static_cast<int>(kRandomSums) && 8 <= kRandomResults);
        compare(program(body));
    }

    void members_of_structures_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("elements");
        QTest::addColumn<bool>("masked");
        for (const auto& [bytes, elements] : {std::pair{1, 3}, {2, 5}, {4, 2}, {4, 3}, {4, 8}, {4, 9}, {8, 3}, {8, 8}})
            QTest::addRow("%d of %d bytes", elements, bytes) << bytes << elements << false;
        QTest::newRow("3 of 4 bytes, some threads") << 4 << 3 << true;
    }
    /// Structures side by side in shared and in global memory: members are written, read, and changed one by one.
    void members_of_structures() {
        QFETCH(const int, bytes);
        QFETCH(const int, elements);
        QFETCH(const bool, masked);
        const std::string bits = std::to_string(8 * bytes), step = std::to_string(bytes * elements);
        const std::string value = bytes == 8 ? "%rd9" : "%r18", read = bytes == 8 ? "%rd10" : "%r19";
        constexpr int kMostRead = 32; // bytes a thread, of what there is to read
        const std::string guard = masked ? "@%p1 " : "";
        const auto at = [&](const char* address, int element) {
            return "[" + std::string(address) + "+" + std::to_string(element * bytes) + "]";
        };
        const auto store = [&](const char* space, const char* address, int element) {
            return "add.u32 %r18, %r30, " + std::to_string(37 * element) + "; cvt.u64.u32 %rd9, %r18;\n" + guard +
                   "st." + space + ".u" + bits + " " + at(address, element) + ", " + value + ";\n";
        };
        const auto load = [&](const char* space, const char* address, int element) {
            return guard + "ld." + space + ".u" + bits + " " + read + ", " + at(address, element) + ";\n" +
                   (bytes == 8 ? "cvt.u32.u64 %r19, %rd10; " : "") + "mad.lo.u32 %r31, %r31, 31, %r19;\n";
        };
        std::string body = "setp.ne.u32 %p1, %r1, 5; mov.u32 %r17, rows; mad.lo.u32 %r20, %r1, " + step +
                           ", %r17; mul.lo.u32 %r30, %r1, 1001; mov.u32 %r31, 0; mov.u32 %r19, 0; mov.u64 %rd10, 0;\n"
                           "mad.wide.u32 %rd6, %r1, " +
                           step + ", %rd3; mad.wide.u32 %rd7, %r11, " + step + ", %rd4;\n";
        for (int k = 0; k < elements; ++k)
            body += store("shared", "%r20", k) + (bytes * elements <= kMostRead ? load("global", "%rd6", k) : "");
        body += "bar.sync 0;\n" + load("shared", "%r20", 1) + load("shared", "%r20", elements) +
                load("shared", "%r20", 0) + "bar.sync 0;\nadd.u32 %r30, %r30, 3;\n" + store("shared", "%r20", 1) +
                "bar.sync 0;\n" + load("shared", "%r20", 1) + load("shared", "%r20", 0) + "mov.u32 %r30, %r31;\n";
        for (int k = 0; k < elements; ++k)
            body += store("global", "%rd7", k);
        compare(program(body + "ret;", " .shared .align 8 .b8 rows[16384];"));
    }

    void structures_data() {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("elements");
        QTest::addColumn<QString>("accesses");
        // `L` loads an element of the structure to be read, `M` one of that to be written, and `S` stores it.
        const std::pair<const char*, const char*> accesses[] = {
            {"three", "L0 L1 L2 S0 S1 S2"},
            {"in another order", "L2 L0 L1 S1 S2 S0"},
            {"a hole", "L0 L2 S0 S2"},
            {"one after the other", "L0 S0 L1 S1 L2 S2"},
            {"read in between", "L0 L1 L2 S0 M0 S1 M2 S2 M1 S1"},
            {"in place", "L0 L1 L2 M0 S0 M1 S1 M2 S2"},
            {"in place, and read again", "L0 L1 L2 M0 S0 M1 S1 M0 M2 S2 M1"},
            {"stored twice", "L0 L1 L2 S0 S0 S1 S2"},
        };
        for (const int bytes : {1, 2, 4})
            for (const auto& [name, text] : accesses)
                QTest::addRow("%s, of %d", name, bytes) << bytes << 3 << text;
        QTest::newRow("five bytes") << 1 << 5 << "L0 L1 L2 L3 L4 S0 S1 S2 S3 S4";
        QTest::newRow("six words") << 4 << 6 << "L0 L1 L2 L3 L4 L5 S0 S1 S2 S3 S4 S5";
    }
    /// One behind the other, from thread to thread.
    void structures() {
        QFETCH(const int, bytes);
        QFETCH(const int, elements);
        QFETCH(const QString, accesses);
        const std::string type = ".global.u" + std::to_string(8 * bytes) + " ";
        std::string body = "mul.lo.u32 %r20, %r11, " + std::to_string(bytes * elements) +
                           "; mul.wide.u32 %rd6, %r20, 1; add.u64 %rd7, %rd3, %rd6; add.u64 %rd8, %rd4, %rd6;\n"
                           "mov.u32 %r4, 9; mov.u32 %r5, 0;\n";
        for (const QString& one : accesses.split(' ')) {
            const int number = one.mid(1).toInt();
            const std::string offset = "+" + std::to_string(number * bytes) + "]", k = std::to_string(number);
            if (one[0] == 'L')
                body += "ld" + type + "%r2" + std::to_string(number + 1) + ", [%rd7" + offset + ";\n";
            else if (one[0] == 'M')
                body += "ld" + type + "%r5, [%rd8" + offset + "; add.u32 %r4, %r4, %r5;\n";
            else
                body += "mad.lo.u32 %r3" + k + ", %r2" + std::to_string(number + 1) + ", 5, %r4; st" + type + "[%rd8" +
                        offset + ", %r3" + k + ";\n";
        }
        compare(program(body + "ret;"));
    }

    void places_read_again_data() {
        QTest::addColumn<QString>("between");
        QTest::newRow("nothing") << "";
        QTest::newRow("a barrier of the warp") << "bar.warp.sync -1;";
        QTest::newRow("a store") << "add.u32 %r24, %r23, 9; st.shared.u32 [%r22], %r24;";
        QTest::newRow("a store by some") << "setp.lt.s32 %p3, %r3, 5; @%p3 st.shared.u32 [%r22], %r3;";
    }
    /// Lanes read places that they have from memory, and some of them change theirs.
    void places_read_again() {
        QFETCH(const QString, between);
        const std::string body =
            "mov.u32 %r17, tile; and.b32 %r20, %r3, 1; and.b32 %r21, %r11, 255; shl.b32 %r21, %r21, 1;\n"
            "add.u32 %r21, %r21, %r20; shl.b32 %r22, %r21, 2; add.u32 %r22, %r22, %r17;\n"
            "st.shared.u32 [%r22], %r11; bar.sync 0; mov.u32 %r30, 0;\nA: ld.shared.u32 %r23, [%r22];\n" +
            between.toStdString() +
            "\nsetp.gt.s32 %p1, %r3, 0; @!%p1 bra B;\n"
            "ld.shared.u32 %r25, [%r22]; mad.lo.u32 %r26, %r25, 3, %r23; st.shared.u32 [%r22], %r26;\n"
            "B: add.u32 %r30, %r30, 1; setp.lt.u32 %p2, %r30, 3; @%p2 bra A;\n"
            "bar.sync 0; ld.shared.u32 %r27, [%r22]; st.global.u32 [%rd1], %r27; ret;";
        if (!between.startsWith("bar")) {
            compare(program(body));
            return;
        }
        const Comparison of_warps = compare_program(program(body), 0, true);
        QVERIFY2(!of_warps.differ, of_warps.differ ? of_warps.differ->c_str() : "");
        QVERIFY(of_warps.side_by_side);
    }
};

QTEST_GUILESS_MAIN(LaneAccessesTest)
#include "test_lane_accesses.moc"
