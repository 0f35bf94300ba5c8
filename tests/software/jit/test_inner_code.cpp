// SPDX-License-Identifier: Apache-2.0
// Indices that are clamped: code without that, for vectors of threads away from all edges.
#include "lane_program.hpp"
#include "vector_code.hpp"

namespace {

/// Makes %r30 of the thread's number in its row, %r1, and of %r20, which is the same in all: 0 to 63.
struct Bent {
    const char* name;
    const char* text;
};
const Bent kBent[] = {
    {"a clamp", "add.s32 %r21, %r1, -5; max.s32 %r22, %r21, 0; min.s32 %r30, %r22, %r20;"},
    {"the other way round", "add.s32 %r21, %r1, -5; min.s32 %r22, %r20, %r21; max.s32 %r30, 0, %r22;"},
    {"without a sign", "add.s32 %r21, %r1, 3; max.u32 %r22, %r21, 5; min.u32 %r30, %r22, %r20;"},
    {"below zero without a sign", "add.s32 %r21, %r1, -3; min.u32 %r30, %r21, %r20;"},
    {"wraps without a sign", "add.s32 %r21, %r1, -20; max.u32 %r22, %r21, 3; min.u32 %r30, %r22, %r20;"},
    {"wraps", "add.s32 %r21, %r1, 2147483640; max.s32 %r22, %r21, 1; min.s32 %r30, %r22, %r20;"},
    {"wraps from below", "add.s32 %r21, %r1, 2147483647; add.s32 %r22, %r21, 1; max.s32 %r23, %r22, 7;"
                         "min.s32 %r30, %r23, %r20;"},
    {"backward", "sub.s32 %r21, 40, %r1; max.s32 %r22, %r21, 0; min.s32 %r30, %r22, %r20;"},
    {"every third", "mul.lo.s32 %r21, %r1, 3; min.s32 %r30, %r21, %r20;"},
    {"two around a place", "add.s32 %r21, %r1, -2; max.s32 %r22, %r21, 0; add.s32 %r23, %r1, 2;"
                           "min.s32 %r24, %r23, %r20; add.s32 %r30, %r22, %r24;"},
    {"a sum of what is clamped", "max.s32 %r21, %r1, 4; add.s32 %r22, %r21, 1; min.s32 %r30, %r22, %r20;"},
    {"a bound that is written later", "max.s32 %r21, %r1, 4; add.s32 %r22, %r20, -9; min.s32 %r23, %r21, %r22;"
                                      "max.s32 %r30, %r23, 0;"},
    {"a bound from memory", "max.s32 %r21, %r1, 4; ld.global.u32 %r22, [%rd3+4]; and.b32 %r23, %r22, 127;"
                            "min.s32 %r30, %r21, %r23;"},
    {"a remainder", "add.s32 %r21, %r1, 3; rem.u32 %r30, %r21, 24;"},
    {"a remainder of what may be negative", "add.s32 %r21, %r1, -30; rem.s32 %r22, %r21, 24; add.s32 %r30, %r22, 24;"},
    {"a remainder that is not known", "rem.u32 %r22, %r1, %r20; min.u32 %r30, %r22, 90;"},
    {"a remainder by zero", "and.b32 %r21, %r20, 0; rem.u32 %r22, %r1, %r21; min.u32 %r30, %r22, 90;"},
    {"with a sign by zero", "and.b32 %r21, %r20, 0; rem.s32 %r22, %r1, %r21; max.s32 %r23, %r22, 0;"
                            "min.s32 %r30, %r23, 90;"},
    {"by what is negative", "sub.s32 %r21, 10, %r20; rem.s32 %r22, %r1, %r21; max.s32 %r23, %r22, 0;"
                            "min.s32 %r30, %r23, 90;"},
    {"by the least number", "and.b32 %r21, %r20, 0; add.s32 %r22, %r21, -2147483648; rem.s32 %r23, %r1, %r22;"
                            "div.s32 %r24, %r1, %r22; add.s32 %r30, %r23, %r24;"},
    {"a quotient and a remainder", "add.s32 %r21, %r1, 5; div.s32 %r22, %r21, 40; mul.lo.s32 %r23, %r22, 40;"
                                   "sub.s32 %r24, %r21, %r23; mad.lo.s32 %r30, %r24, 2, %r22;"},
    {"a quotient that is not known", "or.b32 %r21, %r20, 16; div.u32 %r30, %r1, %r21;"},
    {"two of a row", "or.b32 %r34, %r20, -8; add.s32 %r21, %r1, -1; max.s32 %r22, %r21, 8;"
                     "add.s32 %r23, %r22, %r34; mul.wide.s32 %rd8, %r23, 4; add.s64 %rd9, %rd3, %rd8;"
                     "ld.global.u32 %r24, [%rd9]; add.s32 %r25, %r1, 2; max.s32 %r26, %r25, 8;"
                     "add.s32 %r27, %r34, %r26; mul.wide.s32 %rd10, %r27, 4; add.s64 %rd11, %rd3, %rd10;"
                     "ld.global.u32 %r28, [%rd11]; add.s32 %r29, %r24, %r28; and.b32 %r30, %r29, 63;"},
    {"two of a row, without a sign",
     "or.b32 %r34, %r20, -8; add.s32 %r21, %r1, -1; max.s32 %r22, %r21, 8;"
     "add.s32 %r23, %r22, %r34; mul.wide.u32 %rd8, %r23, 4; add.s64 %rd9, %rd3, %rd8;"
     "ld.global.u32 %r24, [%rd9]; add.s32 %r25, %r1, 2; max.s32 %r26, %r25, 8;"
     "add.s32 %r27, %r34, %r26; mul.wide.u32 %rd10, %r27, 4; add.s64 %rd11, %rd3, %rd10;"
     "ld.global.u32 %r28, [%rd11]; add.s32 %r29, %r24, %r28; and.b32 %r30, %r29, 63;"},
    {"around an edge", "add.s32 %r21, %r20, 1; add.s32 %r22, %r1, %r21; add.s32 %r23, %r22, -1;"
                       "rem.s32 %r30, %r23, %r21;"},
    {"a torus", "add.s32 %r21, %r20, 40; add.s32 %r22, %r1, %r21; add.s32 %r23, %r22, -1; rem.s32 %r24, %r23, %r21;"
                "add.s32 %r25, %r1, 1; rem.s32 %r26, %r25, %r21; add.s32 %r30, %r24, %r26;"},
    {"a torus without a sign", "add.s32 %r21, %r20, 30; add.s32 %r23, %r21, -2; add.s32 %r22, %r23, %r1;"
                               "rem.u32 %r30, %r22, %r21;"},
    {"a torus of a known size", "add.s32 %r22, %r1, 39; rem.s32 %r30, %r22, 40;"},
    {"a divisor that wraps", "or.b32 %r21, %r20, 2147483600; add.s32 %r22, %r1, %r21; rem.s32 %r23, %r22, %r21;"
                             "and.b32 %r30, %r23, 63;"},
    {"a divisor that is no number with a sign", "or.b32 %r21, %r20, -200; add.s32 %r22, %r1, %r21;"
                                                "rem.u32 %r23, %r22, %r21; and.b32 %r30, %r23, 63;"},
    {"the last one again", "setp.gt.s32 %p4, %r1, 0; add.s32 %r21, %r1, -1; selp.b32 %r30, %r21, %r1, %p4;"},
    {"all but zero", "setp.ne.s32 %p4, %r1, 0; selp.b32 %r21, -1, 0, %p4; add.s32 %r30, %r1, %r21;"},
    {"less than one", "setp.lt.s32 %p4, %r1, 1; add.s32 %r21, %r1, -1; selp.b32 %r30, 5, %r21, %p4;"},
    {"at least a number", "setp.ge.s32 %p4, %r1, 3; add.s32 %r21, %r1, -3; selp.b32 %r30, %r21, 7, %p4;"},
    {"at most a number", "setp.le.u32 %p4, %r1, 2; add.s32 %r21, %r1, -3; selp.b32 %r30, 9, %r21, %p4;"},
    {"one or the next", "setp.lt.s32 %p4, %r1, %r20; add.s32 %r21, %r1, 1; selp.b32 %r30, %r21, %r20, %p4;"},
    {"but for the last one", "setp.eq.s32 %p4, %r1, %r20; add.s32 %r21, %r1, 1; selp.b32 %r30, 0, %r21, %p4;"},
    {"up to the last one", "setp.le.s32 %p4, %r1, %r20; add.s32 %r21, %r1, 1; selp.b32 %r30, %r21, 0, %p4;"},
    {"from the last one", "setp.ge.u32 %p4, %r1, %r20; add.s32 %r21, %r1, 1; selp.b32 %r30, 0, %r21, %p4;"},
    {"behind the last one", "setp.gt.s32 %p4, %r1, 30; add.s32 %r21, %r1, 1; selp.b32 %r30, 0, %r21, %p4;"},
    {"on both sides", "setp.eq.s32 %p4, %r1, 0; add.s32 %r21, %r1, -1; selp.b32 %r22, %r20, %r21, %p4;"
                      "add.s32 %r23, %r1, 1; setp.eq.s32 %p5, %r23, %r20; selp.b32 %r24, 0, %r23, %p5;"
                      "add.s32 %r30, %r22, %r24;"},
    {"by what wraps", "add.s32 %r21, %r1, 2147483640; setp.gt.s32 %p4, %r21, 0; add.s32 %r22, %r1, 1;"
                      "selp.b32 %r30, %r22, 3, %p4;"},
};

std::string code(const std::string& bent, const std::string& guard) {
    return bent + "mul.wide.u32 %rd6, %r30, 4; add.u64 %rd7, %rd3, %rd6;\n" + guard +
           "ld.global.u32 %r31, [%rd7+16];\nadd.s32 %r32, %r32, %r31;\n";
}

/// All registers of the indices are written once, as compilers do it, and some are read behind.
std::string once(const std::string& text) {
    return "and.b32 %r20, %r2, 63; mov.u32 %r32, 0; mov.u32 %r31, 1;\n" + text +
           "st.global.u32 [%rd1], %r32; st.global.u32 [%rd1+4], %r30; st.global.u32 [%rd1+8], %r22;"
           "st.global.u32 [%rd1+12], %r21; ret;";
}

} // namespace

class InnerCodeTest : public QObject {
    Q_OBJECT

private slots:
    void threads_side_by_side_data() {
        QTest::addColumn<QString>("bent");
        for (const Bent& bent : kBent)
            QTest::newRow(bent.name) << bent.text;
    }
    void threads_side_by_side() {
        QFETCH(QString, bent);
        const std::string all = code(bent.toStdString(), ""), some = code(bent.toStdString(), "@%p1 ");
        compare(program(once(all)));
        compare(program("setp.ge.s32 %p2, %r1, 41; @%p2 bra B;\n" + once(all) + "\nB: ret;"));
        compare(program("setp.gt.s32 %p1, %r3, 0;\n" + once(some)));
        compare(program("setp.gt.s32 %p1, %r3, 0; @!%p1 bra B;\n" + once(all) + "\nB: ret;"));
        // Read in the next turn, before it is written.
        compare(program("and.b32 %r20, %r2, 63; mov.u32 %r32, 0; mov.u32 %r33, 0;\nA: add.s32 %r32, %r32, %r30;\n" +
                        all +
                        "add.s32 %r32, %r32, %r22; add.s32 %r33, %r33, 1; setp.lt.s32 %p3, %r33, 3; @%p3 bra A;\n" +
                        "st.global.u32 [%rd1], %r32; ret;"));
    }

    /// The code is there twice: at the edges each element is where its own address says.
    void two_versions() {
        const auto kernel = [](const std::string& clamp) {
            std::string text = ".version 8.0\n.target sm_80\n.address_size 64\n"
                               ".visible .entry k(.param .u32 n, .param .u64 in, .param .u64 out)\n{\n"
                               ".reg .pred %p<4>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;\n"
                               "ld.param.u32 %r4, [n]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
                               "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
                               "mad.lo.s32 %r5, %r2, %r3, %r1; mov.f32 %f1, 0f00000000; cvt.rn.f32.s32 %f3, %r4;\n";
            for (int k = 0; k < 5; ++k) {
                const auto r = [&](int n) { return "%r" + std::to_string(10 + 5 * k + n); };
                const auto rd = [&](int n) { return "%rd" + std::to_string(10 + 5 * k + n); };
                text += "add.s32 " + r(0) + ", %r5, " + std::to_string(k - 2) + ";\n";
                text += clamp.empty()
                            ? "mov.u32 " + r(2) + ", " + r(0) + ";\n"
                            : "max.s32 " + r(1) + ", " + r(0) + ", 0; min.s32 " + r(2) + ", " + r(1) + ", %r4;\n";
                text += "mul.wide.s32 " + rd(0) + ", " + r(2) + ", 4; add.s64 " + rd(1) + ", %rd1, " + rd(0) +
                        "; ld.global.f32 %f2, [" + rd(1) + "]; fma.rn.f32 %f1, %f1, %f3, %f2;\n";
            }
            return text + "mul.wide.s32 %rd3, %r5, 4; add.s64 %rd4, %rd2, %rd3; st.global.f32 [%rd4], %f1; ret;\n}\n";
        };
        const unsigned once = vector_code(kernel(""), 16).wide_products;
        QVERIFY(vector_code(kernel("clamped"), 16).wide_products >= once + 4); // all but the last one
    }

    /// The code between two loads is there twice.
    void wrapped_neighbours() {
        const auto loads = [](const std::string& neighbour) {
            return vector_code(
                       ".version 8.0\n.target sm_80\n.address_size 64\n"
                       ".visible .entry k(.param .u32 n, .param .u64 in, .param .u64 out)\n{\n"
                       ".reg .pred %p<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
                       "ld.param.u32 %r4, [n]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
                       "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"
                       "mad.lo.s32 %r5, %r2, %r3, %r1;\n" +
                           neighbour +
                           "cvt.rn.f32.s32 %f3, %r4; mul.wide.s32 %rd3, %r9, 4; add.s64 %rd4, %rd1, %rd3;"
                           "ld.global.f32 %f1, [%rd4]; fma.rn.f32 %f2, %f1, %f3, %f1; ld.global.f32 %f4, [%rd4+4];"
                           "add.f32 %f5, %f2, %f4; mul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5;"
                           "st.global.f32 [%rd6], %f5; ret;\n}\n",
                       16)
                .wide_products;
        };
        const unsigned affine = loads("add.s32 %r9, %r5, -1;\n");
        for (const char* const neighbour : {"add.s32 %r6, %r5, %r4; add.s32 %r7, %r6, -1; rem.s32 %r9, %r7, %r4;\n",
                                            "add.s32 %r6, %r5, 1; rem.u32 %r9, %r6, %r4;\n"})
            QVERIFY(loads(neighbour) >= 2 * affine);
    }

    /// As `y == 0 ? x : i - n`: addresses stay those of neighbours.
    void one_of_two_rows() {
        const std::string chosen = "setp.gt.s32 %p4, %r20, 40; add.s32 %r21, %r1, 3; add.s32 %r22, %r1, 9;"
                                   "selp.b32 %r30, %r21, %r22, %p4;";
        compare(program(once(code(chosen, ""))));
        const std::string text =
            ".version 8.0\n.target sm_80\n.address_size 64\n"
            ".visible .entry k(.param .u32 n, .param .u64 in, .param .u64 out)\n{\n"
            ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"
            "ld.param.u32 %r4, [n]; ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
            "setp.eq.s32 %p1, %r4, 0; add.s32 %r2, %r1, %r4; selp.b32 %r3, %r1, %r2, %p1;\n"
            "mul.wide.s32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; ld.global.f32 %f1, [%rd4];\n"
            "mul.wide.s32 %rd5, %r1, 4; add.s64 %rd6, %rd2, %rd5; st.global.f32 [%rd6], %f1; ret;\n}\n";
        QCOMPARE(vector_code(text, 16).gathers, 0U);
    }
};

QTEST_APPLESS_MAIN(InnerCodeTest)
#include "test_inner_code.moc"
