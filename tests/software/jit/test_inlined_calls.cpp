// SPDX-License-Identifier: Apache-2.0
// Calls that are put into a kernel so that its threads can run side by side, against a thread at a time with the calls
// as they are; and those that are not.
#include "compare_programs.hpp"
#include "mini_runtime.hpp"
#include "random_program.hpp"

#include <QTest>

namespace {

/// %r1 to %r4 are numbers that differ from thread to thread, and what the kernel stores at its end.
std::string program(const QString& functions, const QString& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n" + functions.toStdString() +
           "\n.visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
           ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .f32 %f<8>;\n"
           "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in];\n"
           "mov.u32 %r5, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y;\n"
           "mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6; mad.lo.u32 %r10, %r10, %r7, %r5;\n"
           "mad.wide.u32 %rd1, %r10, " +
           std::to_string(4 * kRandomResults) +
           ", %rd1; mul.wide.u32 %rd2, %r10, 4; add.u64 %rd2, %rd2, %rd3;\n"
           "ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2+4]; ld.global.u32 %r3, [%rd2+8]; mov.u32 %r4, %r10;\n" +
           body.toStdString() +
           "\nst.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;"
           "st.global.u32 [%rd1+12], %r4; ret;\n}\n";
}

const QString kTwice = ".func (.param .b32 r) twice(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x];"
                       "shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }\n";
/// Declares, passes %r1 and has the result in %r2.
const QString kCall = "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), FUNCTION, (a);"
                      "ld.param.b32 %r2, [b]; }\n";
QString call(const char* function) { return QString(kCall).replace("FUNCTION", function); }

} // namespace

class InlinedCallsTest : public QObject {
    Q_OBJECT

private slots:
    void calls_data() {
        QTest::addColumn<QString>("functions");
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("side_by_side");
        QTest::newRow("once") << kTwice << call("twice") << true;
        QTest::newRow("in a loop") << kTwice
                                   << "mov.u32 %r11, 0; A:" + call("twice") +
                                          "add.u32 %r1, %r2, %r11; add.u32 %r11, %r11, 1; and.b32 %r12, %r4, 7;"
                                          "setp.lt.u32 %p1, %r11, %r12; @%p1 bra A;"
                                   << true;
        QTest::newRow("by some") << kTwice
                                 << "setp.lt.u32 %p1, %r5, 11; @%p1 bra A;" + call("twice") + "A: add.u32 %r3, %r2, 1;"
                                 << true;
        QTest::newRow("in turn") << kTwice
                                 << "setp.lt.u32 %p1, %r5, 11; @%p1 bra A;" + call("twice") +
                                        "bra B; A: add.u32 %r1, %r1, 9;" + call("twice") + "B:"
                                 << true;
        QTest::newRow("under a guard")
            << kTwice
            << "setp.lt.u32 %p1, %r5, 11; mov.u32 %r2, 5; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;"
               "@!%p1 call (b), twice, (a); @!%p1 ld.param.b32 %r2, [b]; }"
            << true;
        QTest::newRow("under a guard, in registers")
            << ".func (.reg .b32 r) f(.reg .b32 x) { .reg .pred %p<2>; setp.lt.u32 %p1, x, 5; mov.u32 r, 3; @%p1 ret;"
               "add.u32 r, x, 1; ret; }"
            << "setp.lt.u32 %p1, %r5, 11; and.b32 %r1, %r1, 7; @%p1 call (%r2), f, (%r1); @!%p1 call (%r3), f, (%r1);"
            << true;
        QTest::newRow("one that calls another")
            << kTwice + ".func (.param .b32 r) more(.param .b32 x) { .reg .b32 %r<4>; ld.param.u32 %r1, [x];" +
                   call("twice") + "add.u32 %r3, %r1, %r2; st.param.b32 [r], %r3; ret; }"
            << call("more") + "mov.u32 %r1, %r2;" + call("more") << true;
        QTest::newRow("one that returns early, and loops")
            << ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %p<3>; .reg .b32 %r<4>; ld.param.u32 %r1, [x];"
               "and.b32 %r2, %r1, 15; setp.gt.u32 %p1, %r2, 9; st.param.b32 [r], %r2; @%p1 ret;"
               "A: mad.lo.u32 %r1, %r1, 3, 1; sub.u32 %r2, %r2, 1; setp.gt.s32 %p2, %r2, 0; @%p2 bra A;"
               "st.param.b32 [r], %r1; ret; }"
            << call("f") << true;
        QTest::newRow("parameters in registers")
            << ".func (.reg .b32 r) f(.reg .b32 x, .reg .b32 y) { mad.lo.u32 r, x, y, x; ret; }"
            << "call (%r3), f, (%r1, 77); call (%r2), f, (%r3, %r4);" << true;
        QTest::newRow("floats, also by their number")
            << ".func (.param .f32 r) f(.param .f32 x, .param .f32 y) { .reg .f32 %f<4>; ld.param.f32 %f1, [x];"
               "ld.param.f32 %f2, [y]; add.f32 %f3, %f1, %f2; st.param.f32 [r], %f3; ret; }"
            << "{ .param .b32 a; .param .b32 b; .param .b32 c; cvt.rn.f32.u32 %f1, %r1; st.param.f32 [a], %f1;"
               "st.param.f32 [b], 0f3F800000; call (c), f, (a, b); ld.param.f32 %f2, [c]; mov.b32 %r2, %f2; }"
            << true;
        QTest::newRow("parts, and vectors")
            << ".func (.param .align 16 .b8 r[32]) f(.param .align 8 .b8 x[8]) { .reg .b32 %r<4>;"
               "ld.param.v2.u32 {%r1, %r2}, [x]; add.u32 %r3, %r1, %r2; st.param.v4.b32 [r], {%r1, %r2, %r3, 7};"
               "st.param.b64 [r+16], 9; ret; }"
            << "{ .param .align 8 .b8 a[8]; .param .align 16 .b8 b[32]; st.param.b32 [a], %r1; st.param.b32 [a+4], %r2;"
               "call (b), f, (a); ld.param.v2.b32 {%r3, %r4}, [b+4]; ld.param.b64 %rd4, [b+16]; cvt.u32.u64 %r1, %rd4;"
               "add.u32 %r4, %r4, %r1; }"
            << true;
        QTest::newRow("halves") << ".func (.param .b16 r) f(.param .b16 x) { .reg .b16 %h<3>; ld.param.u16 %h1, [x];"
                                   "mul.lo.u16 %h2, %h1, 3; st.param.b16 [r], %h2; ret; }"
                                << "{ .param .b16 a; .param .b16 b; cvt.u16.u32 %h1, %r1; st.param.b16 [a], %h1;"
                                   "call (b), f, (a); ld.param.u16 %h2, [b]; cvt.u32.u16 %r2, %h2; }"
                                << true;
        QTest::newRow("memory of its own")
            << ".func (.param .b32 r) f(.param .b32 x) { .local .b32 own[4]; .reg .b32 %r<6>; .reg .b64 %rd<4>;"
               "ld.param.u32 %r1, [x]; and.b32 %r2, %r1, 3; mul.wide.u32 %rd1, %r2, 4; mov.u64 %rd2, own;"
               "st.local.u32 [own], %r1; st.local.u32 [own+4], %r2; st.local.u32 [own+8], 5; st.local.u32 [own+12], 6;"
               "add.u64 %rd3, %rd2, %rd1; ld.local.u32 %r3, [%rd3]; st.param.b32 [r], %r3; ret; }"
            << call("f") + "mov.u32 %r1, %r2;" + call("f") << true;
        QTest::newRow("one that ends the thread")
            << ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %p<2>; .reg .b32 %r<2>; ld.param.u32 %r1, [x];"
               "setp.lt.u32 %p1, %r1, 1000000000; @%p1 exit; st.param.b32 [r], %r1; ret; }"
            << "st.global.u32 [%rd1+16], %r1;" + call("f") << true;
        // Those that stay.
        QTest::newRow("bytes") << ".func (.param .b32 r) f(.param .b8 x) { .reg .b32 %r<2>; ld.param.u8 %r1, [x];"
                                  "st.param.b32 [r], %r1; ret; }"
                               << "{ .param .b8 a; .param .b32 b; st.param.b8 [a], %r1; call (b), f, (a);"
                                  "ld.param.b32 %r2, [b]; }"
                               << false;
        QTest::newRow("parts that are read in another way")
            << ".func (.param .b32 r) f(.param .align 8 .b8 x[8]) { .reg .b32 %r<3>; ld.param.u32 %r1, [x+4];"
               "st.param.b32 [r], %r1; ret; }"
            << "{ .param .align 8 .b8 a[8]; .param .b32 b; mov.b64 %rd4, {%r1, %r2}; st.param.b64 [a], %rd4;"
               "call (b), f, (a); ld.param.b32 %r3, [b]; }"
            << false;
        QTest::newRow("one variable for both")
            << ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r<3>; st.param.b32 [r], 3; ld.param.u32 %r1, [x];"
               "add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }"
            << "{ .param .b32 a; st.param.b32 [a], %r1; call (a), f, (a); }" << false;
        QTest::newRow("a parameter by its address")
            << ".func (.param .b32 r) f(.param .b32 x) { .reg .b32 %r<2>; .reg .b64 %rd<2>; mov.b64 %rd1, x;"
               "ld.local.u32 %r1, [%rd1]; st.param.b32 [r], %r1; ret; }"
            << call("f") << false;
        QTest::newRow("one that calls itself")
            << ".func (.param .b32 r) f(.param .b32 x) { .reg .pred %p<2>; .reg .b32 %r<4>; ld.param.u32 %r1, [x];"
               "and.b32 %r1, %r1, 7; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 1; @%p1 bra A; sub.u32 %r1, %r1, 1;" +
                   call("f") + "A: add.u32 %r2, %r2, 3; st.param.b32 [r], %r2; ret; }"
            << call("f") << false;
        QTest::newRow("through a pointer")
            << kTwice
            << "{ .param .b32 a; .param .b32 b; p: .callprototype (.param .b32 r) _ (.param .b32 x);"
               "mov.u64 %rd4, twice; st.param.b32 [a], %r1; call (b), %rd4, (a), p; ld.param.b32 %r2, [b]; }"
            << false;
    }
    void calls() {
        QFETCH(QString, functions);
        QFETCH(QString, body);
        QFETCH(bool, side_by_side);
        for (const std::uint64_t seed : {0, 1, 2}) {
            const Comparison comparison = compare_program(program(functions, body), seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QCOMPARE(comparison.side_by_side, side_by_side);
        }
    }

    /// Where a function stands in the kernel, its instructions are still its own.
    void where_it_went_wrong() {
        const mini::Program two(".version 8.0\n.target sm_80\n.address_size 64\n"
                                ".func stop(.param .b32 x) { .reg .pred %p<2>; .reg .b32 %r<2>; ld.param.u32 %r1, [x];"
                                "setp.eq.u32 %p1, %r1, 5; @%p1 trap; ret; }\n"
                                ".visible .entry k() { .reg .b32 %r<2>; .param .b32 a; mov.u32 %r1, %tid.x;"
                                "st.param.b32 [a], 1; call stop, (a); st.param.b32 [a], %r1; call stop, (a); ret; }\n");
        const auto kernel = two.compile("k", warplight::jit::Mode::automatic, {}, 16);
        QVERIFY(kernel && kernel->width() == 16);
        const auto outcome = mini::run(*kernel, {.block = {64, 1, 1}}, mini::Parameters());
        QVERIFY(outcome.fault);
        const auto site = kernel->site(outcome.fault->site);
        QCOMPARE(site.function, 0u);
        QCOMPARE(site.instruction, 2u);
        const auto [start, end] = kernel->code();
        bool found = false;
        for (const std::byte* at = start; at < end && !found; ++at)
            if (const auto here = kernel->site_at(at)) found = here->function == 0 && here->instruction == 2;
        QVERIFY(found);
    }
};

QTEST_APPLESS_MAIN(InlinedCallsTest)
#include "test_inlined_calls.moc"
