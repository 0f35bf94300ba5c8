// SPDX-License-Identifier: Apache-2.0
// Rows of a block's threads in step: which loops go so, and that they leave what a thread at a time leaves.
#include "mini_runtime.hpp"
#include "vector_code.hpp"

#include <QTest>

#include <array>
#include <vector>

using mini::Launch;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;

namespace {

constexpr unsigned kSize = 40; ///< rows and columns of all matrices

/// A product of matrices. %r1, %r2: column and row; %r3: the limit of both; %f1: the sum; %rd6 points to its place.
std::string kernel(const QString& before, const QString& at_end) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u32 limit, .param .u64 a, .param .u64 b, .param .u64 c)\n{\n"
           ".reg .pred %p<5>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<6>;\n"
           "ld.param.u32 %r3, [limit]; ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c];\n"
           "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r5, 40; mov.f32 %f1, 0f00000000;\n"
           "mul.lo.s32 %r4, %r2, 40; mul.wide.s32 %rd4, %r4, 4; add.s64 %rd4, %rd1, %rd4;\n"
           "mul.wide.s32 %rd5, %r1, 4; add.s64 %rd5, %rd2, %rd5;\n"
           "add.s32 %r6, %r4, %r1; mul.wide.s32 %rd6, %r6, 4; add.s64 %rd6, %rd3, %rd6;\n" +
           before.toStdString() +
           "\nL: ld.global.f32 %f2, [%rd4]; ld.global.f32 %f3, [%rd5]; fma.rn.f32 %f1, %f2, %f3, %f1;\n"
           "add.s64 %rd4, %rd4, 4; add.s64 %rd5, %rd5, 160; add.s32 %r5, %r5, -1; setp.ne.s32 %p1, %r5, 0; @%p1 bra "
           "L;\n" +
           at_end.toStdString() + "\nst.global.f32 [%rd6], %f1;\nDONE: ret;\n}\n";
}

std::vector<float> product(const Program& program, unsigned width, std::array<std::uint32_t, 3> block) {
    std::string why_not;
    const auto compiled = program.compile("k", Mode::loop, {}, width, &why_not);
    if (!compiled) throw std::runtime_error(why_not);
    std::vector<float> a(kSize * kSize), b(a.size()), c(a.size());
    for (unsigned k = 0; k < a.size(); ++k) {
        a[k] = static_cast<float>(k % 61) / 7 - 3;
        b[k] = static_cast<float>(k % 53) / 11 - 2;
        c[k] = static_cast<float>(k % 17);
    }
    const mini::Outcome outcome =
        mini::run(*compiled, Launch{.block = block},
                  Parameters().add(std::uint32_t{13}).add(a.data()).add(b.data()).add(c.data()));
    if (outcome.fault) throw std::runtime_error(outcome.fault->message);
    return c;
}

} // namespace

class BlockRowsTest : public QObject {
    Q_OBJECT

private slots:
    void products_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("at_end");
        QTest::addColumn<bool>("in_step");
        QTest::newRow("all") << "" << "" << true;
        QTest::newRow("within bounds")
            << "setp.ge.s32 %p2, %r1, %r3; setp.ge.s32 %p3, %r2, %r3; or.pred %p2, %p2, %p3; @%p2 bra DONE;" << ""
            << true;
        QTest::newRow("rows within bounds") << "setp.ge.s32 %p2, %r2, %r3; @%p2 bra DONE;" << "" << true;
        QTest::newRow("added to a matrix") << "" << "ld.global.f32 %f4, [%rd6]; add.f32 %f1, %f1, %f4;" << true;
        QTest::newRow("rows part behind the loop")
            << "" << "and.b32 %r7, %r2, 1; setp.eq.s32 %p2, %r7, 0; @%p2 bra DONE;" << true;
        QTest::newRow("a row goes on longer") << "and.b32 %r7, %r2, 7; sub.s32 %r5, %r5, %r7;" << "" << false;
        QTest::newRow("rows part behind a store")
            << ""
            << "st.global.f32 [%rd6], %f1; and.b32 %r7, %r2, 1; setp.eq.s32 %p2, %r7, 0; @%p2 bra DONE;"
               "ld.global.f32 %f4, [%rd2+8]; add.f32 %f1, %f1, %f4;"
            << false;
    }
    void products() {
        QFETCH(QString, before);
        QFETCH(QString, at_end);
        QFETCH(bool, in_step);
        const std::string text = kernel(before, at_end);
        const Program program(text);
        for (const std::array<std::uint32_t, 3> block :
             {std::array<std::uint32_t, 3>{16, 16, 1}, {16, 13, 1}, {16, 3, 1}, {32, 24, 1}, {16, 9, 3}})
            QCOMPARE(product(program, 16, block), product(program, 1, block));
        // Code for all lanes, and in most kernels under a mask.
        QCOMPARE(vector_code(text, 16).wide_products > 2, in_step);
    }
};

QTEST_APPLESS_MAIN(BlockRowsTest)
#include "test_block_rows.moc"
