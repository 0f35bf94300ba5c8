// SPDX-License-Identifier: Apache-2.0
// Rows of a block's threads in step: which loops go so, and that they leave what a thread at a time leaves. Blocks
// whose rows take turns.
#include "mini_runtime.hpp"
#include "vector_code.hpp"

#include <QTest>

#include <array>
#include <random>
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

/// A picture of 40 x 12 numbers. %rd6 points to a thread's number in `to`, %rd5 to its number in `from`. %r6: its
/// place.
/// @param has_rows whether it asks for its row in the block
std::string joined_kernel(const QString& code, bool has_rows) {
    return std::string(".version 8.0\n.target sm_80\n.address_size 64\n"
                       ".visible .entry k(.param .u32 width, .param .u64 from, .param .u64 to)\n{\n"
                       ".reg .pred %p<40>; .reg .b32 %r<30>; .reg .b64 %rd<12>; .shared .align 4 .b32 word;\n"
                       "ld.param.u32 %r3, [width]; ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
                       "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mov.u32 %r12, %tid.x; mad.lo.s32 %r1, %r10, "
                       "%r11, %r12;\n"
                       "mov.u32 %r13, %ctaid.y; mov.u32 %r14, %ntid.y; mov.u32 %r15, ") +
           (has_rows ? "%tid.y" : "1") +
           "; mad.lo.s32 %r2, %r13, %r14, %r15;\n"
           "mad.lo.s32 %r6, %r2, %r3, %r1; mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, "
           "%rd4;\n"
           "setp.ge.s32 %p1, %r1, %r3; @%p1 bra DONE;\n" +
           code.toStdString() + "\nst.global.u32 [%rd6], %r7;\nDONE: ret;\n}\n";
}

/// A thread whose `guard` %p1 does not send it to DONE writes its number. %r1 and %r2 are its x and y in the grid.
std::string guarded_kernel(const QString& guard, const char* end) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u32 width, .param .u64 to)\n{\n"
           ".reg .pred %p<40>; .reg .b32 %r<30>; .reg .b64 %rd<12>; .shared .align 4 .b32 word;\n"
           "ld.param.u32 %r3, [width]; ld.param.u64 %rd2, [to];\n"
           "mov.u32 %r10, %ctaid.x; mov.u32 %r11, %ntid.x; mov.u32 %r12, %tid.x; mad.lo.s32 %r1, %r10, %r11, %r12;\n"
           "mov.u32 %r13, %ctaid.y; mov.u32 %r14, %ntid.y; mov.u32 %r15, %tid.y; mad.lo.s32 %r2, %r13, %r14, %r15;\n"
           "mov.u32 %r16, %tid.z;\n" +
           guard.toStdString() +
           "\nmad.lo.s32 %r6, %r2, %r3, %r1; mul.wide.s32 %rd4, %r6, 4; add.s64 %rd6, %rd2, %rd4;\n"
           "add.s32 %r7, %r6, 1; st.global.u32 [%rd6], %r7;\n" +
           end + "DONE: ret;\n}\n";
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

    void joined_blocks_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("joined");
        QTest::addColumn<bool>("has_rows");
        const QString columns = "mad.lo.s32 %r8, %r1, 12, %r2; mul.wide.s32 %rd7, %r8, 128; and.b64 %rd7, %rd7, 1020;"
                                "add.s64 %rd7, %rd1, %rd7; ld.global.u32 %r7, [%rd7];";
        const QString sums = "mov.u32 %r8, 1; atom.global.add.u32 %r7, [%rd1], %r8;";
        const QString loop = "mov.u32 %r7, %r2;\nL: add.s32 %r7, %r7, -3; setp.gt.s32 %p2, %r7, 0; @%p2 bra L;";
        QTest::newRow("copy") << "ld.global.u32 %r7, [%rd5];" << true << true;
        QTest::newRow("clamped neighbour")
            << "add.s32 %r8, %r1, 1; sub.s32 %r9, %r3, 1; min.s32 %r20, %r8, %r9; mad.lo.s32 %r21, %r2, %r3, %r20;"
               "mul.wide.s32 %rd7, %r21, 4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r7, [%rd8];"
            << true << true;
        QTest::newRow("from right to left")
            << "not.b32 %r8, %r1; add.s32 %r20, %r8, %r3; mad.lo.s32 %r21, %r2, %r3, %r20;"
               "mul.wide.s32 %rd7, %r21, 4; add.s64 %rd8, %rd1, %rd7; ld.global.u32 %r7, [%rd8];"
            << true << true;
        QTest::newRow("weight") << "ld.global.u32 %r8, [%rd1]; ld.global.u32 %r9, [%rd5]; mul.lo.s32 %r7, %r9, %r8;"
                                << true << true;
        QTest::newRow("number of the block")
            << "mov.u32 %r8, %nctaid.x; mad.lo.s32 %r7, %r10, 100, %r8;" << true << true;
        QTest::newRow("columns") << columns << false << true;
        QTest::newRow("order of sums") << sums << false << true;
        QTest::newRow("shared memory") << "ld.shared.u32 %r8, [word]; and.b32 %r7, %r8, 0;" << false << true;
        QTest::newRow("loop") << loop << false << true;
        QTest::newRow("copy, one row") << "ld.global.u32 %r7, [%rd5];" << true << false;
        QTest::newRow("number of the block, one row") << "mad.lo.s32 %r7, %r10, 100, %r12;" << true << false;
        QTest::newRow("columns, one row") << columns << true << false;
        QTest::newRow("order of sums, one row") << sums << false << false;
        QTest::newRow("loop, one row") << loop << false << false;
    }
    /// A thread at a time and one block after the other, and side by side with joined blocks.
    void joined_blocks() {
        QFETCH(QString, code);
        QFETCH(bool, joined);
        QFETCH(bool, has_rows);
        const Program program(joined_kernel(code, has_rows));
        for (const std::array<std::uint32_t, 3> block : {std::array<std::uint32_t, 3>{8, 4, 1}, {8, 2, 3}}) {
            std::vector<std::vector<std::uint32_t>> results;
            for (const bool side_by_side : {false, true}) {
                std::string why_not;
                const auto compiled = side_by_side ? program.compile("k", Mode::loop, {}, 8, &why_not)
                                                   : program.compile("k", Mode::coroutine);
                QVERIFY2(compiled, why_not.c_str());
                QCOMPARE(compiled->joined_threads() != 0, side_by_side && joined);
                std::vector<std::uint32_t> from(40 * 12), to(from.size());
                for (std::uint32_t k = 0; k < from.size(); ++k)
                    from[k] = k * 7 + 3;
                const Launch launch{.grid = {(40 + block[0] - 1) / block[0], 12 / block[1], 1}, .block = block};
                const auto outcome =
                    mini::run(*compiled, launch, Parameters().add(std::uint32_t{40}).add(from.data()).add(to.data()));
                QVERIFY(!outcome.fault);
                results.push_back(to);
            }
            QCOMPARE(results[1], results[0]);
        }
    }

    void idle_rows_data() {
        QTest::addColumn<QString>("guard");
        QTest::addColumn<bool>("left");
        const QString join = "or.pred %p1, %p2, %p3; @%p1 bra DONE;";
        QTest::newRow("or") << "setp.ge.s32 %p2, %r1, 30; setp.ge.s32 %p3, %r2, 7;" + join << true;
        QTest::newRow("and") << "setp.lt.s32 %p2, %r1, 30; setp.lt.s32 %p3, %r2, 7; and.pred %p1, %p2, %p3;"
                                "@!%p1 bra DONE;"
                             << true;
        QTest::newRow("not") << "setp.lt.u32 %p2, %r1, 30; setp.hi.u32 %p3, %r2, 6; not.pred %p2, %p2;" + join << true;
        QTest::newRow("one after the other")
            << "setp.ge.s32 %p2, %r2, 7; @%p2 bra DONE; setp.le.s32 %p3, %r3, %r1; @%p3 bra DONE;" << true;
        QTest::newRow("both ends") << "setp.lt.s32 %p2, %r1, 3; setp.gt.s32 %p3, %r1, 17; or.pred %p4, %p2, %p3;"
                                      "setp.le.s32 %p2, %r2, 1; setp.gt.s32 %p3, %r2, 9; or.pred %p3, %p2, %p3;"
                                      "or.pred %p1, %p4, %p3; @%p1 bra DONE;"
                                   << true;
        QTest::newRow("the first blocks") << "setp.lt.s32 %p2, %r1, 17; setp.lt.s32 %p3, %r2, 6;" + join << true;
        QTest::newRow("downward")
            << "sub.s32 %r4, 29, %r1; setp.lt.s32 %p2, %r4, 0; mul.lo.s32 %r5, %r2, -3; setp.lt.s32 %p3, %r5, -15;" +
                   join
            << true;
        QTest::newRow("x wraps") << "add.s32 %r4, %r1, 0x7ffffff4; setp.ge.s32 %p1, %r4, 5; @%p1 bra DONE;" << true;
        QTest::newRow("x wraps without sign")
            << "add.s32 %r4, %r1, 0xfffffff4; setp.gt.u32 %p1, %r4, 5; @%p1 bra DONE;" << true;
        QTest::newRow("y wraps") << "add.s32 %r4, %r2, 0x7ffffffd; setp.ge.s32 %p1, %r4, 5; @%p1 bra DONE;" << true;
        QTest::newRow("y wraps without sign")
            << "shl.b32 %r5, %r2, 1; add.s32 %r4, %r5, 0xfffffff8; setp.gt.u32 %p1, %r4, 5; @%p1 bra DONE;" << true;
        QTest::newRow("blocks") << "setp.ge.u32 %p1, %r10, 2; @%p1 bra DONE;" << true;
        QTest::newRow("first threads of blocks") << "setp.ge.u32 %p1, %r12, 8; @%p1 bra DONE;" << true;
        QTest::newRow("last threads of blocks") << "setp.lt.u32 %p1, %r12, 8; @%p1 bra DONE;" << true;
        QTest::newRow("planes") << "setp.ge.u32 %p1, %r16, 1; @%p1 bra DONE;" << true;
        QTest::newRow("every second row")
            << "and.b32 %r4, %r2, 1; setp.eq.s32 %p2, %r4, 1; setp.ge.s32 %p3, %r1, 21;" + join << true;
        // They are the same in all lanes of a vector, and others in the next one.
        QTest::newRow("vectors of a row")
            << "mov.u32 %r8, 2; shr.u32 %r4, %r12, 3; setp.lt.u32 %p1, %r4, %r8; @%p1 bra DONE;" << true;
        QTest::newRow("upper bits of x")
            << "mov.u32 %r8, 16; and.b32 %r4, %r12, 24; setp.lt.u32 %p1, %r4, %r8; @%p1 bra DONE;" << true;
        // Threads that went around do not come to the second condition.
        QTest::newRow("a way around in x")
            << "setp.ge.s32 %p2, %r1, 16; @%p2 bra W; setp.ge.s32 %p3, %r1, 0; @%p3 bra DONE; W:" << false;
        QTest::newRow("a way around in y")
            << "setp.ge.s32 %p2, %r2, 3; @%p2 bra W; setp.ge.s32 %p3, %r2, 0; @%p3 bra DONE; W:" << false;
        QTest::newRow("x and y together") << "add.s32 %r4, %r1, %r2; setp.ge.s32 %p1, %r4, 20; @%p1 bra DONE;" << true;
        QTest::newRow("a memory access before")
            << "ld.global.u32 %r4, [%rd2]; setp.ge.s32 %p2, %r2, 7; @%p2 bra DONE;" << false;
    }
    /// Rows of threads that do nothing are left, and no others.
    void idle_rows() {
        QFETCH(QString, guard);
        QFETCH(bool, left);
        const char* const in_shared = "st.shared.u32 [word], %r7;\n"; // such blocks are not joined
        for (const char* end : {"", in_shared}) {
            const std::string text = guarded_kernel(guard, end);
            QCOMPARE(vector_code(text, 8).leaves_idle_rows, left);
            compare_widths(text);
        }
    }

    /// Conditions on threads and blocks, joined, one after the other and within each other.
    void random_guards() {
        std::mt19937 random(20261201);
        const auto below = [&](std::size_t n) { return random() % n; };
        int left = 0;
        for (int k = 0; k < 120; ++k) {
            QString guard = "add.s32 %r20, %r1, %r2; mul.lo.s32 %r21, %r2, -3; shr.u32 %r22, %r12, 3;"
                            "and.b32 %r23, %r12, 24; shr.u32 %r24, %r1, 4; sub.s32 %r25, %r3, %r1;"
                            "add.s32 %r26, %r2, 0x7ffffffb; add.s32 %r27, %r1, 0xfffffff0;"
                            "mov.u32 %r8, 2; mov.u32 %r9, 16;";
            int last = 0; // predicate, which is written once as compilers do, and label
            const auto condition = [&] {
                static constexpr std::array kNumbers{1,  1,  2,  2,  22, 23, 24, 10, 12, 15,
                                                     16, 20, 21, 22, 23, 24, 25, 26, 27};
                static constexpr std::array kOrders{"lt.s32", "le.s32", "gt.s32", "ge.s32",
                                                    "lo.u32", "hi.u32", "eq.s32"};
                static constexpr std::array kBounds{"0", "5", "16", "31", "%r8", "%r9", "%r3", "%r9"};
                const auto compare = [&] {
                    guard += QString("setp.%1 %p%2, %r%3, %4;")
                                 .arg(kOrders[below(kOrders.size())])
                                 .arg(++last)
                                 .arg(kNumbers[below(kNumbers.size())])
                                 .arg(kBounds[below(kBounds.size())]);
                    return last;
                };
                const int first = compare();
                if (below(2) == 0) return first;
                const int second = compare();
                guard += QString("%1.pred %p%2, %p%3, %p%4;")
                             .arg(below(2) == 0 ? "or" : "and")
                             .arg(++last)
                             .arg(first)
                             .arg(second);
                return last;
            };
            for (std::size_t conditions = 1 + below(3); conditions > 0; --conditions) {
                const bool is_within = below(2) == 0;
                const int around = ++last;
                if (is_within) guard += QString("@%p%1 bra W%2;").arg(condition()).arg(around);
                guard += QString("@%1%p%2 bra DONE;").arg(below(4) == 0 ? "!" : "").arg(condition());
                if (is_within) guard += QString("W%1:").arg(around);
            }
            const std::string text = guarded_kernel(guard, "");
            left += vector_code(text, 8).leaves_idle_rows;
            compare_widths(text);
            if (QTest::currentTestFailed()) qWarning("%s", qPrintable(guard));
        }
        QVERIFY2(left > 40, qPrintable(QString::number(left)));
    }

private:
    /// A thread at a time, and eight side by side.
    static void compare_widths(const std::string& text) {
        const Program program(text);
        for (const std::array<std::uint32_t, 3> block :
             {std::array<std::uint32_t, 3>{8, 4, 1}, {16, 2, 3}, {40, 6, 1}}) {
            std::vector<std::vector<std::uint32_t>> results;
            for (const unsigned lanes : {1, 8}) {
                const auto compiled = program.compile("k", Mode::loop, {}, lanes);
                QVERIFY(compiled);
                std::vector<std::uint32_t> to(48 * 12);
                const Launch launch{
                    .grid = {(40 + block[0] - 1) / block[0], 12 / block[1], 1}, .block = block, .static_shared = 4};
                const auto outcome = mini::run(*compiled, launch, Parameters().add(std::uint32_t{48}).add(to.data()));
                QVERIFY(!outcome.fault);
                results.push_back(to);
            }
            QCOMPARE(results[1], results[0]);
        }
    }
};

QTEST_APPLESS_MAIN(BlockRowsTest)
#include "test_block_rows.moc"
