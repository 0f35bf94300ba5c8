// SPDX-License-Identifier: Apache-2.0
// Products and stencils whose rows of threads go in step, against a thread at a time.
#include "compare_programs.hpp"
#include "random_program.hpp"
#include "vector_code.hpp"

#include <QTest>

#include <string>

namespace {

/// %r1 and %r6 are the thread's column and row, %r2 a number that is the same in all, %r20 the sum; %rd1 points to the
/// thread's results, %rd3 to inputs, %r16 to the tile's element of this column, %r17 to that of this row.
std::string program(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 sums)\n{\n"
           ".reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n"
           ".shared .align 8 .b8 tile[8192];\n"
           "ld.param.u64 %rd1, [out]; ld.param.u64 %rd3, [in];\n"
           "mov.u32 %r1, %tid.x; mov.u32 %r6, %tid.y; mov.u32 %r7, %ntid.x; mov.u32 %r8, %ntid.y;\n"
           "mov.u32 %r9, %ctaid.x; mad.lo.u32 %r10, %r9, %r8, %r6; mad.lo.u32 %r10, %r10, %r7, %r1;\n"
           "mad.lo.u32 %r11, %r6, %r7, %r1; mad.wide.u32 %rd1, %r10, " +
           std::to_string(4 * kRandomResults) +
           ", %rd1;\nmul.wide.u32 %rd2, %r10, 4; add.u64 %rd2, %rd2, %rd3; ld.global.u32 %r3, [%rd2];\n"
           "ld.global.u32 %r2, [%rd3+64];\n"
           "mov.u32 %r14, tile; shl.b32 %r15, %r11, 2; add.u32 %r15, %r15, %r14; st.shared.u32 [%r15], %r3;\n"
           "add.u32 %r3, %r3, 7; st.shared.u32 [%r15+1024], %r3; st.shared.u32 [%r15+2048], %r3;\n"
           "shl.b32 %r16, %r1, 2; add.u32 %r16, %r16, %r14; shl.b32 %r17, %r6, 6; add.u32 %r17, %r17, %r14;\n"
           "mov.u32 %r20, 0;\nbar.sync 0;\n" +
           body + "st.global.u32 [%rd1], %r20;\n}\n";
}

std::string at(const char* base, int bytes) { return std::string("[") + base + "+" + std::to_string(bytes) + "]"; }

/// `count` products of a column's elements, `row` bytes apart, and elements of a row.
std::string products(int count, int row = 64, const char* own = "%r17") {
    std::string text;
    for (int k = 0; k < count; ++k)
        text += "ld.shared.u32 %r21, " + at("%r16", k * row) + "; ld.shared.u32 %r22, " + at(own, 4 * k) +
                "; mad.lo.u32 %r20, %r21, %r22, %r20;\n";
    return text;
}

} // namespace

class RowsInStepTest : public QObject {
    Q_OBJECT

private slots:
    void products_and_stencils_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("in_step");
        const auto row = [](const char* name, const std::string& body, bool in_step) {
            QTest::newRow(name) << QString::fromStdString(body) << in_step;
        };
        row("a product", products(16), true);
        row("few products", products(4), false);
        const auto loop = [](const std::string& rounds, const std::string& each) {
            return rounds + "mov.u32 %r25, 0;\nround:\n" + each +
                   "add.u32 %r16, %r16, 256; add.u32 %r17, %r17, 16; add.u32 %r25, %r25, 1;\n"
                   "setp.lt.u32 %p1, %r25, %r26; @%p1 bra round;\n";
        };
        row("in a loop", loop("mov.u32 %r26, 4;\n", products(4)), true);
        row("a loop of rounds that only run tells", loop("and.b32 %r26, %r2, 3; add.u32 %r26, %r26, 1;\n", products(4)),
            true);
        row("more rounds in other rows", loop("and.b32 %r26, %r6, 1; add.u32 %r26, %r26, 2;\n", products(4)), true);
        row("some rows leave before", "setp.ge.u32 %p1, %r6, 6; @%p1 bra done;\n" + products(12) + "done:\n", true);
        row("every other row leaves between",
            products(12) + "and.b32 %r23, %r6, 1; setp.eq.u32 %p1, %r23, 0; @%p1 bra done;\n" + products(2) + "done:\n",
            true);
        row("numbers of the row",
            "mad.lo.u32 %r23, %r6, 12, 5; sub.u32 %r24, %r23, %r6; cvt.u64.u32 %rd6, %r24; cvt.u32.u64 %r24, %rd6;\n" +
                products(12) + "add.u32 %r20, %r20, %r24; xor.b32 %r20, %r20, %r23;\n",
            true);
        row("writes behind it",
            products(12) + "red.global.add.u32 [%rd1+4], %r20; st.shared.u32 [%r15+4096], %r20;\n"
                           "ld.shared.u32 %r20, [%r15+4096];\n",
            true);
        row("of a column that depends on the row",
            "add.u32 %r16, %r16, %r17; sub.u32 %r16, %r16, %r14;\n" + products(12), false);
        for (const bool backward : {false, true}) {
            std::string stencil = "shl.b32 %r18, %r1, 2; add.u32 %r18, %r18, %r17;\n";
            for (int k = 0; k < 12; ++k) {
                const int row = backward ? 11 - k : k;
                for (const int column : {0, 4})
                    stencil += "ld.shared.u32 %r21, " + at("%r18", 64 * row + column) + "; ld.shared.u32 %r22, " +
                               at("%r14", 8 * row + column) + "; mad.lo.u32 %r20, %r20, %r22, %r21;\n";
            }
            row(backward ? "a stencil from its end" : "a stencil", stencil, true);
        }
        std::string same;
        for (int k = 0; k < 12; ++k)
            same += "ld.shared.u32 %r21, " + at("%r14", 4 * k) + "; mad.lo.u32 %r20, %r20, %r3, %r21;\n";
        row("the same in all", same, true);
        row("a barrier, and a product more", products(12) + "bar.sync 0; add.u32 %r20, %r20, %r1;\n" + products(12),
            true);
    }
    void products_and_stencils() {
        QFETCH(QString, body);
        const std::string text = program(body.toStdString());
        QFETCH(bool, in_step);
        QCOMPARE(vector_code(text, 4).loops_in_step > 0, in_step);
        for (const std::uint64_t seed : {1, 2}) { // eight lanes, and sixteen
            const Comparison comparison = compare_program(text, seed, false);
            QVERIFY2(!comparison.differ, comparison.differ ? comparison.differ->c_str() : "");
            QVERIFY(comparison.side_by_side);
        }
        const Comparison of_warps = compare_program(text, 0, true);
        QVERIFY2(!of_warps.differ, of_warps.differ ? of_warps.differ->c_str() : "");
    }
};

QTEST_GUILESS_MAIN(RowsInStepTest)
#include "test_rows_in_step.moc"
