// SPDX-License-Identifier: Apache-2.0
// Which memory an address far off was meant for: told as certain where the PTX tells it, and only there.
#include "driver_fixture.hpp"

namespace {

constexpr std::size_t kBytes = 4096; ///< of each of the buffers a and b

/// %rd1 is a, %rd2 is b, which the table %rd3 holds too, twice; %rd4 is 0, and %p1 says whether `which` is not 0. BODY
/// makes %rd6 of them, where 8 MiB further on is nothing.
const char* const kKernel = R"(
.func (.reg .b64 %result) pass(.reg .b64 %from) {
  ld.volatile.global.u64 %result, [%from];
  ret;
}
.visible .entry k(.param .align 16 .b8 ab[16], .param .u64 table, .param .u32 which) {
  .reg .b64 %rd<12>; .reg .b32 %r<5>; .reg .f32 %f<3>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [ab]; ld.param.u64 %rd2, [ab+8]; ld.param.u64 %rd3, [table];
  ld.param.u32 %r1, [which];
  setp.ne.u32 %p1, %r1, 0;
  BODY
  ld.global.f32 %f1, [%rd6+8388608];
  st.global.f32 [%rd2], %f1;
  ret;
})";

enum class Meant : std::uint8_t { a, b, unknown };

} // namespace

class FaultOriginsTest : public QObject {
    Q_OBJECT
private slots:
    void areToldWhereTheyAreKnown_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("meant");
        const auto row = [](const char* name, const char* body, Meant meant) {
            QTest::newRow(name) << body << static_cast<int>(meant);
        };
        row("a parameter", "mov.u64 %rd6, %rd1;", Meant::a);
        row("a part of a vector of parameters", "ld.param.v2.u64 {%rd7, %rd6}, [ab];", Meant::b);
        row("with an offset that was loaded", "ld.volatile.global.u64 %rd7, [%rd3+16]; add.u64 %rd6, %rd1, %rd7;",
            Meant::a);
        row("grown in a loop",
            "mov.u64 %rd6, %rd1; mov.u32 %r2, 0; ld.volatile.global.u64 %rd7, [%rd3+16];\n"
            "$again: add.u64 %rd6, %rd6, %rd7; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 3; @%p2 bra $again;",
            Meant::a);
        row("twice the same", "add.u64 %rd7, %rd1, 8; selp.b64 %rd6, %rd7, %rd1, %p1;", Meant::a);
        // What an instruction writes that has several results, or none of its own.
        row("loaded as a vector", "mov.u64 %rd6, %rd1; ld.volatile.global.v2.u64 {%rd6, %rd7}, [%rd3];",
            Meant::unknown);
        row("loaded as a vector's second", "mov.u64 %rd6, %rd1; ld.volatile.global.v2.u64 {%rd7, %rd6}, [%rd3];",
            Meant::unknown);
        row("a call's result", "mov.u64 %rd6, %rd1; call (%rd6), pass, (%rd3);", Meant::unknown);
        // One of several, of which one is not known.
        row("a choice of one that was loaded", "ld.volatile.global.u64 %rd7, [%rd3]; selp.b64 %rd6, %rd1, %rd7, %p1;",
            Meant::unknown);
        row("a branch to one that was loaded",
            "mov.u64 %rd6, %rd1; @%p1 bra $on; ld.volatile.global.u64 %rd6, [%rd3];\n$on:", Meant::unknown);
        row("one that was loaded under a guard", "mov.u64 %rd6, %rd1; @!%p1 ld.volatile.global.u64 %rd6, [%rd3];",
            Meant::unknown);
        row("a choice of parameters", "selp.b64 %rd6, %rd1, %rd2, %p1;", Meant::unknown);
        row("a distance between pointers", "sub.u64 %rd7, %rd2, %rd1; add.u64 %rd6, %rd1, %rd7;", Meant::unknown);
        row("from a pointer that was loaded",
            "ld.volatile.global.u64 %rd8, [%rd3]; sub.u64 %rd7, %rd8, %rd1; add.u64 %rd6, %rd1, %rd7;", Meant::unknown);
    }
    void areToldWhereTheyAreKnown() {
        QFETCH(QString, body);
        QFETCH(int, meant);
        Session s;
        const CUfunction f = s.load(ptx(QString(kKernel).replace("BODY", body).toStdString()), "k");
        QVERIFY2(f, last_error_text().c_str());
        struct {
            CUdeviceptr a, b;
        } ab{s.allocate(kBytes), s.allocate(kBytes)};
        CUdeviceptr table = s.upload(std::vector<CUdeviceptr>{ab.b, ab.b, 64});
        unsigned which = 0;
        CU(s.launch(f, 1, 1, {&ab, &table, &which}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        const QString text = QString::fromStdString(last_error_text());
        const bool is_known = meant != static_cast<int>(Meant::unknown);
        QVERIFY2(text.contains(", the nearest memory") != is_known, qPrintable(text));
        const CUdeviceptr base = meant == static_cast<int>(Meant::b) ? ab.b : ab.a;
        const QString told = "past the end of the 4096 bytes at 0x" + QString::number(base, 16);
        if (is_known) QVERIFY2(text.contains(told), qPrintable(text));
    }
};

QTEST_APPLESS_MAIN(FaultOriginsTest)
#include "test_fault_origins.moc"
