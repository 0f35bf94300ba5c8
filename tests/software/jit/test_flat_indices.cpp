// SPDX-License-Identifier: Apache-2.0
// Threads side by side against a thread at a time: a flat index divided by the length of a row. Lanes are in one row or
// in several, and go on in the code of either.
#include "lane_program.hpp"
#include "software/jit/front/kernel_source.hpp"
#include "software/ptx/parser.hpp"

#include <algorithm>
#include <optional>
#include <utility>

using namespace warplight;

namespace {

const std::string kRegisters =
    " .reg .b32 %i, %j, %n, %q, %c, %u, %v, %acc, %k, %f; .reg .b64 %a, %x64, %n64, %q64, %c64;";

/// The index, with an offset, and the length of a row, of which the compiler knows nothing.
std::string index_and_length(const std::string& offset, const std::string& length) {
    return "add.u32 %j, %r13, %r11; add.u32 %i, %j, " + offset + "; and.b32 %n, %r2, 0; add.u32 %n, %n, " + length +
           ";\n";
}

/// Reads an input by a column, which may be any number.
std::string read_column(const std::string& column, const std::string& to) {
    return "and.b32 %f, " + column + ", 1023; mul.wide.u32 %a, %f, 4; add.u64 %a, %a, %rd3; ld.global.u32 " + to +
           ", [%a];\n";
}

/// Reads an input by a column that is less than 1024 if the index and the length are plain numbers.
std::string read_plain(const std::string& column, const std::string& to) {
    return "mul.wide.u32 %a, " + column + ", 4; add.u64 %a, %a, %rd3; ld.global.u32 " + to + ", [%a];\n";
}

/// %q = %i / 4 and %c = %i % 4, as compilers write them for numbers with a sign. %b points to a row and %d to a column
/// of a matrix of 4 × 4 numbers among the inputs, whatever the index is.
std::string small_matrices(const std::string& offset) {
    return index_and_length(offset, "1") +
           "shr.s32 %s1, %i, 31; shr.u32 %s2, %s1, 30; add.s32 %s3, %i, %s2; shr.s32 %q, %s3, 2;\n"
           "and.b32 %s4, %s3, -4; sub.s32 %c, %i, %s4; and.b32 %s5, %q, 124; and.b32 %s6, %q, 127;\n"
           "mad.lo.s32 %s7, %s5, 4, %c; mul.wide.s32 %b, %s6, 16; add.u64 %b1, %b, %rd3;\n"
           "mul.wide.s32 %d, %s7, 4; add.u64 %d1, %d, %rd3;\n";
}
const std::string kMatrixRegisters = kRegisters + " .reg .b32 %s<8>; .reg .b64 %b, %b1, %d, %d1;";

} // namespace

class FlatIndicesTest : public QObject {
    Q_OBJECT

private slots:
    void rows_and_columns_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("offset");
        for (const char* type : {"u32", "s32", "u64", "s64"})
            for (const char* offset : {"0", "5", "-20", "0x7fffffe0", "0xffffffd8"})
                QTest::addRow("%s from %s", type, offset) << type << offset;
    }
    /// Quotients and remainders of any length of rows, also of no length, and where the index wraps.
    void rows_and_columns() {
        QFETCH(QString, type);
        QFETCH(QString, offset);
        const std::string t = type.toStdString();
        const bool wide = t.ends_with("64");
        const std::string x = wide ? "%x64, %n64" : "%i, %n", q = wide ? "%q64" : "%q", c = wide ? "%c64" : "%c";
        std::string body = "mov.u32 %acc, 1;\n";
        for (const char* length : {"1", "7", "16", "33", "56", "100", "1000", "0", "-1", "-3", "0x80000000"}) {
            body += index_and_length(offset.toStdString(), length);
            if (wide) body += "cvt.u64.u32 %x64, %i; add.u64 %x64, %x64, -8; cvt.s64.s32 %n64, %n;\n";
            body += "div." + t + " " + q + ", " + x + "; rem." + t + " " + c + ", " + x + ";\n";
            if (wide) body += "cvt.u32.u64 %q, %q64; cvt.u32.u64 %c, %c64;\n";
            body += read_column("%c", "%u") + read_column("%q", "%v");
            body += "mad.lo.u32 %acc, %acc, 31, %u; mad.lo.u32 %acc, %acc, 31, %v; mad.lo.u32 %acc, %acc, 31, %q;\n"
                    "mad.lo.u32 %acc, %acc, 31, %c;\n";
        }
        compare(program(body + "st.global.u32 [%rd1], %acc; ret;", kRegisters));
    }

    void ways_data() {
        QTest::addColumn<QString>("between");
        QTest::newRow("nothing") << "";
        QTest::newRow("a short block") << "setp.lt.s32 %p1, %u, 0; @%p1 bra S; add.u32 %acc, %acc, %c;\nS:\n";
        std::string longer = "setp.lt.s32 %p1, %u, 0; @%p1 bra S;\n";
        for (int k = 0; k < 10; ++k)
            longer += "mad.lo.u32 %acc, %acc, %q, %c; xor.b32 %acc, %acc, %i;\n";
        QTest::newRow("a long block") << QString::fromStdString(longer + "S:\n");
        QTest::newRow("one of two blocks") << "setp.gt.u32 %p1, %c, 20; @%p1 bra S; add.u32 %acc, %acc, %c; bra E;\n"
                                              "S: mad.lo.u32 %acc, %q, 3, %acc;\nE:\n";
        QTest::newRow("a guard") << "setp.lt.s32 %p1, %u, 0; @%p1 add.u32 %c, %c, 3; @%p1 add.u32 %q, %q, %u;\n";
        QTest::newRow("a row's end") << "setp.eq.u32 %p1, %c, 15; @%p1 bra S; add.u32 %acc, %acc, %c;\nS:\n";
        QTest::newRow("threads that end") << "setp.eq.u32 %p1, %u, 7; @%p1 ret;\n";
        QTest::newRow("a barrier") << "bar.sync 0;\n";
        QTest::newRow("one division by another's remainder")
            << "and.b32 %f, %r2, 0; add.u32 %f, %f, 5; div.u32 %v, %c, %f; add.u32 %acc, %acc, %v;\n";
        QTest::newRow("a loop") << "mov.u32 %f, 0;\nL: mad.lo.u32 %acc, %acc, 3, %q; add.u32 %acc, %acc, %c;\n"
                                   "add.u32 %f, %f, 1; setp.lt.u32 %p1, %f, %c; @%p1 bra L;\n";
    }
    /// Lanes part, meet and wait between a division and the use of its results, in a loop over several rows.
    void ways() {
        QFETCH(QString, between);
        for (const char* length : {"33", "16", "100"}) {
            const std::string body =
                "mov.u32 %acc, 1; mov.u32 %k, 0; mov.u32 %u, 0;\n" + index_and_length("0", length) +
                "A: div.u32 %q, %i, %n; rem.u32 %c, %i, %n;\n" + read_plain("%c", "%u") + between.toStdString() +
                "shr.u32 %v, %q, 1;\n" + read_column("%v", "%v") +
                "mad.lo.u32 %acc, %acc, 31, %u; mad.lo.u32 %acc, %acc, 31, %v; mad.lo.u32 %acc, %acc, 31, %c;\n"
                "mul.wide.u32 %a, %k, 4; add.u64 %a, %a, %rd1; st.global.u32 [%a], %acc;\n"
                "add.u32 %i, %i, %r7; add.u32 %k, %k, 1; setp.lt.u32 %p2, %k, 5; @%p2 bra A;\n"
                "st.global.u32 [%rd1+40], %acc; ret;";
            compare(program(body, kRegisters));
        }
    }

    void long_rows_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("behind");
        QTest::newRow("plain") << "" << "";
        QTest::newRow("threads that end") << "setp.ge.u32 %p1, %r10, 77; @%p1 bra E;\n" << "";
        QTest::newRow("a block that some leave out") << "setp.gt.u32 %p1, %r1, 30; @!%p1 bra E;\n" << "";
        QTest::newRow("a uniform branch") << "setp.eq.u32 %p1, %r2, 3; @%p1 bra E;\n" << "";
        QTest::newRow("rows whose length changes")
            << "shr.u32 %f, %r1, 5; mul.lo.u32 %f, %f, 100; add.u32 %n, %n, %f;\n"
            << "";
        QTest::newRow("an index that begins again") << "and.b32 %i, %r1, 15; add.u32 %i, %i, 40;\n" << "";
        QTest::newRow("an index that jumps") << "shl.b32 %f, %r1, 1; and.b32 %f, %f, 0xffffffc0; add.u32 %i, %i, %f;\n"
                                             << "";
        QTest::newRow("lanes that part") << ""
                                         << "setp.lt.s32 %p1, %u, 0; @%p1 bra S; add.u32 %acc, %acc, %c;\n"
                                            "mul.lo.u32 %acc, %acc, %q; xor.b32 %acc, %acc, 5; bra T;\n"
                                            "S: mad.lo.u32 %acc, %q, 3, %acc; xor.b32 %acc, %acc, %u;\nT:\n";
        QTest::newRow("threads that end later") << "" << "setp.lt.s32 %p1, %u, 0; @%p1 ret;\n";
        QTest::newRow("another row") << "" << "div.u32 %f, %i, 90; mad.lo.u32 %acc, %f, 7, %acc;\n";
    }
    /// The code of one vector of threads goes on with the next one.
    void long_rows() {
        QFETCH(QString, before);
        QFETCH(QString, behind);
        for (const char* length : {"200", "97", "4000"})
            for (const char* offset : {"0", "-20", "0x7fffffe0", "0xffffffd8"}) {
                const std::string body = "mov.u32 %acc, 1;\n" + index_and_length(offset, length) +
                                         before.toStdString() + "div.u32 %q, %i, %n; rem.u32 %c, %i, %n;\n" +
                                         read_column("%c", "%u") + read_column("%q", "%v") + behind.toStdString() +
                                         "mad.lo.u32 %acc, %acc, 31, %u; mad.lo.u32 %acc, %acc, 31, %v;\n"
                                         "mad.lo.u32 %acc, %acc, 31, %q; mad.lo.u32 %acc, %acc, 31, %c;\n"
                                         "mad.lo.u32 %acc, %acc, 31, %r1;\nE: st.global.u32 [%rd1], %acc; ret;";
                compare(program(body, kRegisters));
            }
    }

    /// That is so where nothing but numbers comes before the divisions.
    void row_loops() {
        const auto loops = [](const std::string& before) {
            const std::string body = index_and_length("0", "100") + before +
                                     "div.u32 %q, %i, %n; rem.u32 %c, %i, %n;\n" + read_plain("%c", "%u") +
                                     "mul.wide.u32 %b, %q, 4; add.u64 %b, %b, %rd5;\nst.global.u32 [%b], %u; ret;";
            const auto parsed = ptx::parse(program(body, kRegisters + " .reg .b64 %b;"));
            jit::Options options;
            options.width = 16;
            const auto source = jit::prepare_source(std::get<ptx::Module>(parsed), 0, options);
            const auto lanes = jit::plan_source(source, 16);
            return lanes.plan && lanes.plan->one_row && lanes.plan->one_row->loop;
        };
        QVERIFY(loops(""));
        QVERIFY(loops("setp.ge.u32 %p1, %i, 500; @%p1 ret;\n"));
        QVERIFY(!loops("setp.ge.s32 %p1, %r3, 500; @%p1 ret;\n"));
        QVERIFY(!loops("ld.global.u64 %rd5, [%rd3];\n"));
        QVERIFY(!loops("st.global.u32 [%rd1], %i;\n"));
        QVERIFY(!loops("add.u32 %i, %i, %acc;\n"));
    }

    /// What columns alone tell begins again in each row, so there is nothing further on.
    void prefetches_of_rows() {
        const auto prefetched = [](const std::string& place) {
            const std::string text =
                ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)\n{\n"
                ".reg .b32 %t, %b, %i, %n, %q, %c, %u, %v; .reg .b64 %in, %a, %o;\n"
                "ld.param.u64 %in, [in]; ld.param.u32 %n, [n]; mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x;\n"
                "mad.lo.u32 %i, %b, 256, %t; div.u32 %q, %i, %n;\n" +
                place +
                "mul.wide.u32 %a, %c, 4; add.u64 %a, %a, %in; ld.global.u32 %u, [%a];\n"
                "mul.wide.u32 %o, %i, 4; add.u64 %o, %o, %in; st.global.u32 [%o], %u; ret;\n}\n";
            const auto parsed = ptx::parse(text);
            jit::Options options;
            options.width = 16;
            const auto source = jit::prepare_source(std::get<ptx::Module>(parsed), 0, options);
            const auto lanes = jit::plan_source(source, 16);
            return lanes.plan && lanes.plan->one_row ? lanes.plan->one_row->plan.prefetches.likely.size() : 99;
        };
        QCOMPARE(prefetched("rem.u32 %c, %i, %n;\n"), 0U);
        QCOMPARE(prefetched("mul.lo.u32 %v, %q, %n; sub.u32 %c, %i, %v;\n"), 0U);
        QCOMPARE(prefetched("rem.u32 %v, %i, %n; mad.lo.u32 %c, %q, 112, %v;\n"), 1U);
    }

    /// Compilers make products of divisions by numbers that they know. The last ones look like divisions and are none.
    void divisions_by_known_numbers() {
        const auto with_sign = [](const char* factor, bool adds, int shift) {
            const std::string s = std::to_string(shift);
            return std::string("mul.hi.s32 %m, %i, ") + factor + ";\n" +
                   (adds ? "add.s32 %m, %m, %i;" : "mov.u32 %g, %m;") + " shr.u32 %g, %m, 31; shr.s32 %h, %m, " + s +
                   "; add.s32 %q, %h, %g;\n";
        };
        const auto without_sign = [](const char* factor, int first, int shift) {
            return (first ? "shr.u32 %m, %i, " + std::to_string(first) + "; mul.wide.u32 %x64, %m, "
                          : std::string("mul.wide.u32 %x64, %i, ")) +
                   factor + "; shr.u64 %q64, %x64, " + std::to_string(shift) + "; cvt.u32.u64 %q, %q64;\n";
        };
        for (const char* offset : {"0", "-40", "0x7fffffe0", "0xffffffd8"}) {
            std::string body = "mov.u32 %acc, 1;\n" + index_and_length(offset, "1");
            const std::pair<std::string, int> divisions[] = {
                {with_sign("1374389535", false, 5), 100}, {with_sign("-1840700269", true, 5), 56},
                {with_sign("1402438301", false, 8), 784}, {without_sign("613566757", 3, 32), 56},
                {without_sign("1374389535", 0, 37), 100}, {with_sign("1374389999", false, 5), 100},
                {without_sign("1374389999", 0, 37), 100}, {with_sign("-1840700269", false, 5), 56}};
            for (const auto& [quotient, length] : divisions)
                body += quotient + "mul.lo.u32 %c, %q, " + std::to_string(length) + "; sub.u32 %c, %i, %c;\n" +
                        read_column("%c", "%u") + read_column("%q", "%v") +
                        "mad.lo.u32 %acc, %acc, 31, %u; mad.lo.u32 %acc, %acc, 31, %v;\n"
                        "mad.lo.u32 %acc, %acc, 31, %q; mad.lo.u32 %acc, %acc, 31, %c;\n";
            compare(program(body + "st.global.u32 [%rd1], %acc; ret;", kRegisters + " .reg .b32 %m, %g, %h;"));
        }
    }

    /// Lanes whose addresses differ by known numbers, if no index is negative.
    void small_matrices_side_by_side() {
        for (const char* offset : {"0", "3", "16", "-20", "-1"}) {
            std::string body = "mov.u32 %acc, 1;\n" + small_matrices(offset);
            for (const char* at : {"%b1", "%b1+4", "%b1+8", "%d1+16", "%d1+32", "%d1+48"})
                body += std::string("ld.global.u32 %u, [") + at + "]; mad.lo.u32 %acc, %acc, 31, %u;\n";
            compare(program(body + "st.global.u32 [%rd1], %acc; ret;", kMatrixRegisters));
        }
    }

    void offsets_in_small_matrices() {
        const std::string body = small_matrices("0") + "ld.global.u32 %u, [%b1]; ld.global.u32 %v, [%d1];\n"
                                                       "add.u32 %u, %u, %v; st.global.u32 [%rd1], %u; ret;";
        const auto parsed = ptx::parse(program(body, kMatrixRegisters));
        jit::Options options;
        options.width = 8;
        const auto source = jit::prepare_source(std::get<ptx::Module>(parsed), 0, options);
        const auto lanes = jit::plan_source(source, 8);
        QVERIFY2(lanes.plan, lanes.obstacle.c_str());
        const auto& registers = source.function().registers;
        const auto offsets_of = [&](std::string_view name) {
            const auto r = std::ranges::find(registers, name, &ptx::Register::name) - registers.begin();
            const auto& all = lanes.plan->registers.likely_offsets;
            const auto found = all.find(static_cast<ptx::RegisterId>(r));
            return found == all.end() ? std::vector<std::int32_t>{} : found->second;
        };
        using Offsets = std::vector<std::int32_t>;
        QCOMPARE(offsets_of("%b1"), Offsets({0, 0, 0, 0, 16, 16, 16, 16}));
        QCOMPARE(offsets_of("%d1"), Offsets({0, 4, 8, 12, 0, 4, 8, 12}));
    }

    /// Where lanes are in one row, columns are affine and rows are uniform, and so are addresses made of them.
    void second_plan() {
        const std::string body = index_and_length("0", "100") + "div.u32 %q, %i, %n; rem.u32 %c, %i, %n;\n" +
                                 read_plain("%c", "%u") +
                                 "mul.wide.u32 %b, %q, 4; add.u64 %b, %b, %rd5;\n"
                                 "st.global.u32 [%b], %u; ret;";
        const auto parsed = ptx::parse(program(body, kRegisters + " .reg .b64 %b;"));
        jit::Options options;
        options.width = 16;
        const auto source = jit::prepare_source(std::get<ptx::Module>(parsed), 0, options);
        const auto lanes = jit::plan_source(source, 16);
        QVERIFY2(lanes.plan, lanes.obstacle.c_str());
        QVERIFY(lanes.plan->one_row);
        const auto& registers = source.function().registers;
        const auto stride_of = [&](std::string_view name) {
            const auto r = std::ranges::find(registers, name, &ptx::Register::name) - registers.begin();
            return std::pair(lanes.plan->stride(static_cast<ptx::RegisterId>(r)),
                             lanes.plan->one_row->plan.stride(static_cast<ptx::RegisterId>(r)));
        };
        using Strides = std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>;
        QCOMPARE(stride_of("%c"), Strides(std::nullopt, 1));
        QCOMPARE(stride_of("%q"), Strides(std::nullopt, 0));
        QCOMPARE(stride_of("%a"), Strides(std::nullopt, 4));
        QCOMPARE(stride_of("%b"), Strides(std::nullopt, 0));
    }
};

QTEST_GUILESS_MAIN(FlatIndicesTest)
#include "test_flat_indices.moc"
