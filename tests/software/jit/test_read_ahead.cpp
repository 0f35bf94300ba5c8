// SPDX-License-Identifier: Apache-2.0
// Which accesses fetch what other threads will read or write, in the code that LLVM gets.
#include "vector_code.hpp"

#include <QTest>

namespace {

/// %r1 to %r4 are tid.x, ctaid.x, ntid.x and a parameter; %rd1 to %rd3 point to results, rows and values.
std::string kernel(const QString& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u32 n, .param .u64 out, .param .u64 rows, .param .u64 in)\n{\n"
           ".reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<12>; .reg .f32 %f<8>;\n"
           "ld.param.u32 %r4, [n]; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [rows]; ld.param.u64 %rd3, [in];\n"
           "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n" +
           body.toStdString() + "\n}\n";
}

} // namespace

class ReadAheadTest : public QObject {
    Q_OBJECT

private slots:
    void from_block_to_block_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("prefetches"); // lines
        const QString index = "mad.lo.s32 %r5, %r2, %r3, %r1;";
        const QString address = "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd3, %rd4; add.s64 %rd6, %rd1, %rd4;";
        const QString load = "ld.global.f32 %f1, [%rd5];", store = "st.global.f32 [%rd6], %f1; ret;";
        QTest::newRow("an element a thread") << index + address + load + store << 2U;
        QTest::newRow("within bounds") << index + "setp.ge.s32 %p1, %r5, %r4; @%p1 bra A;" + address + load + store +
                                              "A: ret;"
                                       << 4U; // whole vectors, and the last one
        QTest::newRow("in two steps") << "mul.lo.s32 %r6, %r3, %r2; add.s32 %r5, %r6, %r1;" + address + load + store
                                      << 2U;
        QTest::newRow("blocks of a known size") << "mad.lo.s32 %r5, %r2, 256, %r1;" + address + load + store << 2U;
        QTest::newRow("by a shift") << "shl.b32 %r6, %r2, 8; or.b32 %r7, %r6, 128; add.s32 %r5, %r7, %r1;" + address +
                                           load + store
                                    << 2U;
        QTest::newRow("by a bit field") << "bfi.b32 %r6, %r2, 5, 8, 24; add.s32 %r5, %r6, %r1;" + address + load + store
                                        << 2U;
        QTest::newRow("from two places") << index + address + load +
                                                "ld.global.f32 %f2, [%rd6]; add.f32 %f1, %f1, %f2;" + store
                                         << 3U;
        QTest::newRow("two a thread, a block apart")
            << "shl.b32 %r6, %r3, 1; mad.lo.s32 %r5, %r2, %r6, %r1;" + address + load +
                   "mul.wide.s32 %rd7, %r3, 4; add.s64 %rd8, %rd5, %rd7; ld.global.f32 %f2, [%rd8];"
                   "add.f32 %f1, %f1, %f2;" +
                   store
            << 3U;
        QTest::newRow("four at once") << index +
                                             "mul.wide.s32 %rd4, %r5, 16; add.s64 %rd5, %rd3, %rd4; add.s64 %rd6,"
                                             "%rd1, %rd4; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd5];" +
                                             store
                                      << 4U;
        QTest::newRow("three a thread, in a block of a known size")
            << "mad.lo.s32 %r5, %r2, 4096, %r1;" + address + load +
                   "ld.global.f32 %f2, [%rd5+4096]; ld.global.f32 %f3, [%rd5+8192]; add.f32 %f1, %f1, %f2;"
                   "add.f32 %f1, %f1, %f3;" +
                   store
            << 4U;
        const QString ticket = ".shared .b32 tile; ld.shared.u32 %r6, [tile]; mad.lo.s32 %r5, %r6, 256, %r1;";
        QTest::newRow("the next tile") << ticket + address + load + store << 2U;
        // What blocks to come read is elsewhere, or the same.
        QTest::newRow("the same in all blocks") << "mov.u32 %r5, %r1;" + address + load + store << 0U;
        QTest::newRow("a row a block") << "mad.lo.s32 %r5, %r2, %r4, %r1;" + address + load + store << 0U;
        QTest::newRow("too long a row a block") << "mad.lo.s32 %r5, %r2, 32768, %r1;" + address + load + store << 0U;
        QTest::newRow("rows of blocks")
            << "mov.u32 %r6, %ctaid.y; mad.lo.s32 %r5, %r6, %r4, %r1; mad.lo.s32 %r5, %r2, %r3, %r5;" + address + load +
                   store
            << 0U;
        QTest::newRow("the other way") << "sub.s32 %r6, %r4, %r2; mad.lo.s32 %r5, %r6, %r3, %r1;" + address + load +
                                              store
                                       << 0U;
        QTest::newRow("an index that was read")
            << "ld.global.u32 %r6, [%rd2]; mad.lo.s32 %r5, %r6, %r3, %r1;" + address + load + store << 0U;
        QTest::newRow("a stride in a loop") << index + "A:" + address + load +
                                                   "st.global.f32 [%rd6], %f1; mad.lo.s32 %r5, %r3, 32, %r5;"
                                                   "setp.lt.s32 %p1, %r5, %r4; @%p1 bra A; ret;"
                                            << 0U;
    }
    void from_block_to_block() {
        QFETCH(QString, body);
        QTEST(vector_code(kernel(body), 16).prefetches, "prefetches");
    }

    void from_round_to_round_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("prefetches");
        const QString begin = "mad.lo.s32 %r5, %r2, %r3, %r1; mov.u32 %r8, 0; mov.f32 %f1, 0f00000000;"
                              "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd3, %rd4; add.s64 %rd6, %rd1, %rd4;"
                              "mul.wide.s32 %rd7, %r4, 4; L: ";
        const QString read = "ld.global.f32 %f2, [%rd5]; add.f32 %f1, %f1, %f2;";
        const QString by_register = "add.s64 %rd5, %rd5, %rd7;", by_constant = "add.s64 %rd5, %rd5, 64;";
        const QString repeat = "add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, %r4; @%p1 bra L;";
        const QString wait = "bar.sync 0;", end = "st.global.f32 [%rd6], %f1; ret;";
        // Loops that threads leave and come back to have their code twice.
        QTest::newRow("in turns") << begin + read + by_register + repeat + wait + end << 3U;
        QTest::newRow("in turns, in rows of blocks")
            << "mov.u32 %r9, %ctaid.y;" + begin + read + by_register + repeat + wait + end << 3U;
        QTest::newRow("without turns") << begin + read + by_register + repeat + end << 1U;
        QTest::newRow("neighbours") << begin + read + by_constant + repeat + wait + end << 2U;
        QTest::newRow("tiles") << begin + read + wait + by_register + repeat + end << 3U;
        QTest::newRow("tiles side by side") << begin + read + wait + by_constant + repeat + end << 1U;
        QTest::newRow("tiles by an index")
            << begin + "mul.wide.s32 %rd8, %r5, 4; add.s64 %rd9, %rd3, %rd8; ld.global.f32 %f2, [%rd9];" +
                   "add.f32 %f1, %f1, %f2; bar.sync 0; add.s32 %r5, %r5, %r4;" + repeat + end
            << 3U;
    }
    void from_round_to_round() {
        QFETCH(QString, body);
        QTEST(vector_code(kernel(body), 16).prefetches, "prefetches");
    }

    /// A block goes through a row.
    void from_row_of_a_block_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("prefetches");
        const QString of_block = "mul.lo.s32 %r5, %r2, %r4;", of_all = "mov.u32 %r5, 64;",
                      from_memory = "mul.wide.s32 %rd9, %r2, 4; add.s64 %rd9, %rd2, %rd9; ld.global.u32 %r5, [%rd9];";
        const auto row = [](const QString& step) {
            return "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd3, %rd3, %rd4; add.s64 %rd1, %rd1, %rd4; mov.u32 %r6, %r1;"
                   "A: mul.wide.s32 %rd5, %r6, 4; add.s64 %rd6, %rd3, %rd5; add.s64 %rd7, %rd1, %rd5;"
                   "ld.global.f32 %f1, [%rd6]; st.global.f32 [%rd7], %f1; add.s32 %r6, %r6, " +
                   step + "; setp.lt.s32 %p1, %r6, %r4; @%p1 bra A; ret;";
        };
        // Both accesses, in code for all lanes and in code under a mask.
        QTest::newRow("by its threads") << of_block + row("%r3") << 4U;
        QTest::newRow("by a number") << of_block + row("128") << 4U;
        QTest::newRow("by a number that was read") << from_memory + row("%r3") << 4U;
        // The index itself is not affine, as it is read behind the loop, but what it was at first is.
        QTest::newRow("from the first value of an index")
            << of_block + "add.s32 %r6, %r5, %r1; setp.ge.s32 %p1, %r6, %r4; @%p1 bra B;"
                          "mul.wide.s32 %rd4, %r6, 4; add.s64 %rd5, %rd3, %rd4; mov.f32 %f1, 0f00000000;"
                          "A: ld.global.f32 %f2, [%rd5]; add.f32 %f1, %f1, %f2; add.s64 %rd5, %rd5, 512;"
                          "add.s32 %r6, %r6, 128; setp.lt.s32 %p1, %r6, %r4; @%p1 bra A;"
                          "B: cvt.rn.f32.s32 %f3, %r6; add.f32 %f1, %f1, %f3; st.global.f32 [%rd1], %f1; ret;"
            << 2U;
        QTest::newRow("by less than the lanes") << of_block + row("8") << 0U;
        QTest::newRow("by what nobody knows") << of_block + row("%r4") << 0U;
        QTest::newRow("the same for all") << of_all + row("%r3") << 0U;
    }
    void from_row_of_a_block() {
        QFETCH(QString, body);
        QTEST(vector_code(kernel(body), 16).prefetches, "prefetches");
    }

    void from_row_to_row_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("prefetches");
        const QString index = "mad.lo.s32 %r5, %r2, %r3, %r1; mul.wide.s32 %rd4, %r5, 4;"
                              "add.s64 %rd5, %rd2, %rd4; add.s64 %rd1, %rd1, %rd4; mov.f32 %f1, 0f00000000;";
        const QString row = index + "ld.global.u32 %r6, [%rd5]; ld.global.u32 %r7, [%rd5+4];"
                                    "setp.ge.s32 %p1, %r6, %r7; @%p1 bra B;"
                                    "mul.wide.s32 %rd6, %r6, 4; add.s64 %rd6, %rd3, %rd6;";
        const QString loop = "A: ld.global.f32 %f2, [%rd6]; fma.rn.f32 %f1, %f2, %f1, %f2;";
        const QString again = "add.s32 %r6, %r6, 1; setp.lt.s32 %p1, %r6, %r7; @%p1 bra A;"
                              "B: st.global.f32 [%rd1], %f1; ret;";
        QTest::newRow("rows") << row + loop + "add.s64 %rd6, %rd6, 4;" + again << 1U;
        QTest::newRow("two of its places") << row + loop +
                                                  "ld.global.f32 %f3, [%rd6+4]; add.f32 %f1, %f1, %f3;"
                                                  "add.s64 %rd6, %rd6, 8;" +
                                                  again
                                           << 1U;
        QTest::newRow("backwards") << row + loop + "add.s64 %rd6, %rd6, -4;" + again << 0U;
        QTest::newRow("a line and more at a time") << row + loop + "add.s64 %rd6, %rd6, 256;" + again << 0U;
        QTest::newRow("the same rows for all")
            << index + "mov.u32 %r6, 0; mov.u32 %r7, %r4; mov.u64 %rd6, %rd3;" + loop + "add.s64 %rd6, %rd6, 4;" + again
            << 0U;
        QTest::newRow("as far as that from thread to thread")
            << index +
                   "mul.lo.s32 %r6, %r5, %r4; add.s32 %r7, %r6, %r4; mul.wide.s32 %rd6, %r6, 4;"
                   "add.s64 %rd6, %rd3, %rd6;" +
                   loop + "add.s64 %rd6, %rd6, 4;" + again
            << 0U;
    }
    void from_row_to_row() {
        QFETCH(QString, body);
        QTEST(vector_code(kernel(body)).prefetches, "prefetches");
    }
};

QTEST_APPLESS_MAIN(ReadAheadTest)
#include "test_read_ahead.moc"
