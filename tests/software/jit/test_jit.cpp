// SPDX-License-Identifier: Apache-2.0
// Small PTX programs, compiled in every mode they allow, run by a scheduler of the test's own, and compared with C++.
#include "mini_runtime.hpp"
#include "saxpy.hpp"
#include "software/jit/host.hpp"
#include "vector_code.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>
#include <set>

using mini::Launch;
using mini::Outcome;
using mini::Parameters;
using mini::Program;
using warplight::jit::Mode;

namespace {

std::string header() { return ".version 8.0\n.target sm_80\n.address_size 64\n"; }

constexpr Mode kBothModes[] = {Mode::loop, Mode::coroutine};

/// %r1 = global thread number, in a kernel with 1-D blocks.
const char* const kThreadNumber = R"(
    mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r1, %r2, %r3, %r4;
)";

const char* const kRegisters = R"(
    .reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<16>; .reg .f64 %fd<8>;
)";

std::string kernel(const std::string& name, const std::string& parameters, const std::string& body) {
    return ".visible .entry " + name + "(" + parameters + ")\n{\n" + kRegisters + body + "\n}\n";
}

/// A kernel that stores %r10 at out[thread].
std::string storing(const std::string& body) {
    return kernel("k", ".param .u64 out",
                  std::string(kThreadNumber) + body +
                      "ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1; mul.wide.s32 %rd2, %r1, 4;"
                      "add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r10; ret;");
}

std::vector<std::uint32_t> results(const std::string& ptx, Mode mode, unsigned threads = 64, Launch launch = {}) {
    const Program program(header() + ptx);
    const auto kernel = program.compile("k", mode);
    std::vector<std::uint32_t> out(threads, 0xdeadbeef);
    launch.block = {threads, 1, 1};
    const Outcome outcome = mini::run(*kernel, launch, Parameters().add(out.data()));
    if (outcome.fault) throw std::runtime_error("fault " + std::to_string(static_cast<int>(outcome.fault->reason)));
    if (outcome.deadlock) throw std::runtime_error("deadlock");
    return out;
}

template <class Expected>
void check(const std::vector<std::uint32_t>& out, Expected expected) {
    for (std::uint32_t k = 0; k < out.size(); ++k)
        if (out[k] != static_cast<std::uint32_t>(expected(k)))
            QFAIL(qPrintable(
                QString("thread %1: %2, expected %3").arg(k).arg(out[k]).arg(static_cast<std::uint32_t>(expected(k)))));
}

} // namespace

class TestJit : public QObject {
    Q_OBJECT

private slots:
    void saxpy() {
        const Program program(header() + kSaxpy);
        for (const Mode mode : kBothModes) {
            const auto kernel = program.compile("saxpy", mode);
            const std::int32_t n = 1000;
            std::vector<float> x(n + 24), y(n + 24, 1.0f);
            std::iota(x.begin(), x.end(), 0.0f);
            const Outcome outcome = mini::run(*kernel, {.grid = {8, 1, 1}, .block = {128, 1, 1}},
                                              Parameters().add(n).add(2.0f).add(x.data()).add(y.data()));
            QVERIFY(!outcome.fault);
            for (std::int32_t k = 0; k < n + 24; ++k)
                QCOMPARE(y[k], k < n ? 2.0f * static_cast<float>(k) + 1.0f : 1.0f);
        }
    }

    /// LLVM 19 gets masked compares of vectors of halves wrong (jit/passes/half_compare_pass.hpp).
    void halves_are_compared_as_floats() {
        const std::string text = header() + R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
    .reg .pred %p<4>; .reg .b16 %h<2>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;
    ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
    ld.global.u32 %r2, [%rd2+12]; ld.global.v2.b16 {%h0, %h1}, [%rd2+8];
    cvt.f32.f16 %f1, %h0; cvt.f32.f16 %f2, %h1; setp.gt.s32 %p1, %r2, 6;
    setp.gt.and.f32 %p2, %f1, %f2, %p1; setp.lt.and.f32 %p3, %f1, %f2, %p1;
    selp.b32 %r3, 1, 0, %p2; @%p3 add.u32 %r3, %r3, 2;
    st.global.u32 [%rd1], %r3; ret;
}
)";
        QCOMPARE(vector_code(text, 16).half_compares, 0U);
    }
    /// Sums of bytes are computed in 16 bits, as long as they fit.
    void bytes_are_added_in_16_bits() {
        const auto sums = [](const std::string& factor) {
            return vector_code(header() + R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
    .reg .b16 %h<4>; .reg .b32 %r<12>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x; cvt.u64.u32 %rd3, %r1;
    add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
    ld.global.u8 %r2, [%rd2]; ld.global.u8 %r3, [%rd2+1]; ld.global.u8 %r4, [%rd2+2];
    sub.s32 %r5, %r2, %r3; mul.lo.s32 %r6, %r4, )" +
                                   factor + R"(; add.s32 %r7, %r5, %r6; sub.s32 %r8, %r7, %r3;
    abs.s32 %r9, %r8; min.s32 %r10, %r9, 255; st.global.u8 [%rd1], %r10; ret;
}
)",
                               16)
                .short_sums;
        };
        QVERIFY(sums("100") > 0);
        QCOMPARE(sums("1000"), 0U);
    }
    /// Long code behind an early return has one version, under a mask, where lanes seldom part in it.
    void long_code_of_some_lanes_is_there_once() {
        if (!warplight::jit::host_masks_anything()) QSKIP("a mask costs time");
        const auto products = [](unsigned between) {
            std::string body;
            for (const char* label : {"A", "B", "C", "D"}) {
                for (unsigned k = 0; k < between; ++k)
                    body += "fma.rn.f32 %f2, %f2, %f1, %f1;\n";
                body += std::string("setp.lt.f32 %p1, %f2, %f3; @%p1 bra ") + label +
                        "; st.global.f32 [%rd1], %f2; mul.rn.f32 %f2, %f2, %f1;\n" + label + ":\n";
            }
            return vector_code(header() + R"(
.visible .entry k(.param .u64 out, .param .u32 n, .param .f32 least)
{
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out]; ld.param.u32 %r4, [n]; ld.param.f32 %f3, [least]; mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd1, %rd3; ld.global.f32 %f1, [%rd1]; mov.f32 %f2, %f1;
    setp.ge.s32 %p1, %r1, %r4;
    @%p1 bra E;
)" + body + "E: ret;\n}\n",
                               16)
                .wide_products;
        };
        QCOMPARE(products(40), 4 * 40U);
        QVERIFY(products(20) > 4 * 20U);
    }
    /// What all lanes have read is not read again by some of them, unless something was written meanwhile.
    void lanes_read_a_place_once() {
        const auto gathers = [](const std::string& between) {
            return vector_code(header() + R"(
.visible .entry k(.param .u64 out, .param .u64 in)
{
    .reg .pred %p1; .reg .b32 %r<8>; .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3; add.s64 %rd4, %rd2, %rd3; ld.global.u32 %r2, [%rd4]; mul.wide.u32 %rd5, %r2, 4;
    add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6]; )" +
                                   between + R"( and.b32 %r4, %r2, 1; setp.eq.u32 %p1, %r4, 0; @!%p1 bra A;
    ld.global.u32 %r5, [%rd6]; mad.lo.u32 %r3, %r5, %r5, 7;
A:  st.global.u32 [%rd1], %r3; ret;
}
)",
                               16)
                .gathers;
        };
        const unsigned once = gathers("");
        QVERIFY(once <= 1);
        // Not every host gathers under a mask.
        QVERIFY(gathers("st.global.u32 [%rd1], %r3;") >= once);
    }
    /// Lanes that only the running code knows are picked from a vector.
    void shuffles_by_a_register_stay_in_registers() {
        if (warplight::jit::host_description().find("+avx2") == std::string::npos) QSKIP("no permutations");
        const std::string text = header() + R"(
.visible .entry k(.param .u64 out, .param .u32 by)
{
    .reg .b32 %r<8>; .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out]; ld.param.u32 %r2, [by]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd1, %rd1, %rd3; mul.lo.u32 %r3, %r1, %r1; shfl.sync.up.b32 %r4, %r3, %r2, 0, -1;
    st.global.u32 [%rd1], %r4; ret;
}
)";
        QCOMPARE(vector_code(text, 32).gathers, 0U);
    }
    void saxpy_is_vectorised() {
        const VectorCode code = vector_code(header() + kSaxpy);
        QVERIFY(code.wide_products > 0);
        QVERIFY(code.wide_stores > 0);
        QCOMPARE(code.calls, 1u);                               // behind the loop, where accesses were misaligned
        QCOMPARE(vector_code(header() + kSaxpy, 16).calls, 0U); // pointers are tested, and no access
    }

    void block_shapes() {
        // out[linear] = x + 100 y + 10000 z
        const Program program(header() + kernel("k", ".param .u64 out", R"(
            mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y;
            mad.lo.s32 %r6, %r3, %r5, %r2; mad.lo.s32 %r7, %r6, %r4, %r1;
            mad.lo.s32 %r8, %r2, 100, %r1; mad.lo.s32 %r8, %r3, 10000, %r8;
            ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r7, 4; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r8; ret;)"));
        for (const Mode mode : kBothModes) {
            std::vector<std::uint32_t> out(5 * 7 * 3);
            const auto kernel = program.compile("k", mode);
            QVERIFY(!mini::run(*kernel, {.block = {5, 7, 3}}, Parameters().add(out.data())).fault);
            check(out, [](std::uint32_t k) { return k % 5 + 100 * (k / 5 % 7) + 10000 * (k / 35); });
        }
    }

    void branches_and_loops() {
        // The length of the Collatz sequence of thread + 1.
        for (const Mode mode : kBothModes)
            check(results(storing(R"(
                add.s32 %r5, %r1, 1; mov.u32 %r10, 0;
            LOOP:
                setp.eq.s32 %p1, %r5, 1;
                @%p1 bra END;
                and.b32 %r6, %r5, 1;
                setp.eq.s32 %p2, %r6, 0;
                @%p2 bra EVEN;
                mad.lo.s32 %r5, %r5, 3, 1;
                bra.uni NEXT;
            EVEN:
                shr.u32 %r5, %r5, 1;
            NEXT:
                add.s32 %r10, %r10, 1;
                bra LOOP;
            END:)"),
                          mode),
                  [](std::uint32_t k) {
                      unsigned n = k + 1, steps = 0;
                      for (; n != 1; ++steps)
                          n = n % 2 ? 3 * n + 1 : n / 2;
                      return steps;
                  });
    }

    void guards() {
        for (const Mode mode : kBothModes)
            check(results(storing(R"(
                setp.lt.s32 %p1, %r1, 10; mov.u32 %r10, 1;
                @%p1 mov.u32 %r10, 2; @!%p1 add.s32 %r10, %r10, 7;)"),
                          mode),
                  [](std::uint32_t k) { return k < 10 ? 2 : 8; });
    }

    void indexed_branch() {
        for (const Mode mode : kBothModes)
            check(results(storing(R"(
                and.b32 %r5, %r1, 3;
            ts: .branchtargets L0, L1, L2, L3;
                brx.idx %r5, ts;
            L0: mov.u32 %r10, 40; bra E;
            L1: mov.u32 %r10, 41; bra E;
            L2: mov.u32 %r10, 42; bra E;
            L3: mov.u32 %r10, 43;
            E:)"),
                          mode),
                  [](std::uint32_t k) { return 40 + k % 4; });
    }

    void exit_in_a_function() {
        // Odd threads leave inside the callee and store nothing.
        const std::string ptx = R"(
            .func leave(.param .b32 who) {
                .reg .b32 %r<4>; .reg .pred %p;
                ld.param.u32 %r1, [who]; and.b32 %r2, %r1, 1; setp.eq.s32 %p, %r2, 1; @%p exit; ret;
            })" + storing(R"({ .param .b32 a; st.param.b32 [a], %r1; call.uni leave, (a); } mov.u32 %r10, 5;)");
        for (const Mode mode : kBothModes)
            check(results(ptx, mode), [](std::uint32_t k) { return k % 2 ? 0xdeadbeef : 5u; });
    }

    void calls_and_recursion() {
        const std::string ptx =
            R"(
            .func (.param .b32 result) fib(.param .b32 n) {
                .reg .b32 %r<8>; .reg .pred %p;
                ld.param.u32 %r1, [n]; setp.lt.s32 %p, %r1, 2; @%p bra SMALL;
                { .param .b32 a; .param .b32 r; sub.s32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni (r), fib, (a); ld.param.b32 %r3, [r]; }
                { .param .b32 a; .param .b32 r; sub.s32 %r2, %r1, 2; st.param.b32 [a], %r2; call.uni (r), fib, (a); ld.param.b32 %r4, [r]; }
                add.s32 %r1, %r3, %r4;
            SMALL:
                st.param.b32 [result], %r1; ret;
            })" +
            storing(
                R"({ .param .b32 a; .param .b32 r; st.param.b32 [a], %r1; call.uni (r), fib, (a); ld.param.b32 %r10, [r]; })");
        for (const Mode mode : kBothModes)
            check(results(ptx, mode, 20), [](std::uint32_t k) {
                std::uint32_t a = 0, b = 1;
                for (; k; --k)
                    b = std::exchange(a, b) + b;
                return a;
            });
    }

    void register_parameters() {
        const std::string ptx = R"(
            .func (.reg .u32 out) twice(.reg .u32 in) { add.u32 out, in, in; ret; })" +
                                storing("call.uni (%r10), twice, (%r1);");
        for (const Mode mode : kBothModes)
            check(results(ptx, mode), [](std::uint32_t k) { return 2 * k; });
    }

    void function_pointers() {
        const std::string ptx = R"(
            .func (.param .b32 r) plus(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; add.s32 %r2, %r1, 100; st.param.b32 [r], %r2; ret; }
            .func (.param .b32 r) times(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; mul.lo.s32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }
            .global .align 8 .u64 table[2] = {plus, times};
            )" + storing(R"(
            and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.s64 %rd5, %rd5, %rd6; ld.global.u64 %rd7, [%rd5];
            { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;
            proto: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (r), %rd7, (a), proto; ld.param.b32 %r10, [r]; })");
        for (const Mode mode : kBothModes)
            check(results(ptx, mode), [](std::uint32_t k) { return k % 2 ? 3 * k : k + 100; });
    }

    void pointer_to_nothing() {
        const std::string ptx = R"(
            .func (.param .b32 r) plus(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; st.param.b32 [r], %r1; ret; }
            .global .align 8 .u64 table[1] = {plus};
            )" + storing(R"(
            mov.u64 %rd6, table; ld.global.u64 %rd7, [%rd6]; setp.eq.s32 %p1, %r1, 3; @%p1 mov.u64 %rd7, 12345;
            { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;
            proto: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (r), %rd7, (a), proto; ld.param.b32 %r10, [r]; })");
        const Program program(header() + ptx);
        for (const Mode mode : kBothModes) {
            std::vector<std::uint32_t> out(64);
            const Outcome outcome =
                mini::run(*program.compile("k", mode), {.block = {64, 1, 1}}, Parameters().add(out.data()));
            QVERIFY(outcome.fault.has_value());
            QCOMPARE(outcome.fault->reason, warplight::software::Fault::invalid_pc);
            QCOMPARE(outcome.fault->linear, 3u);
        }
    }

    void barrier_in_a_called_function() {
        // A function that waits and is recursive runs as a coroutine of its own.
        const std::string ptx =
            R"(
            .func (.param .b32 result) down(.param .b32 n) {
                .reg .b32 %r<8>; .reg .pred %p;
                ld.param.u32 %r1, [n]; bar.sync 0; setp.eq.s32 %p, %r1, 0; mov.u32 %r3, 0; @%p bra SMALL;
                { .param .b32 a; .param .b32 r; sub.s32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni (r), down, (a); ld.param.b32 %r3, [r]; }
                add.s32 %r3, %r3, 2;
            SMALL:
                st.param.b32 [result], %r3; ret;
            })" +
            storing(
                R"({ .param .b32 a; .param .b32 r; st.param.b32 [a], 5; call.uni (r), down, (a); ld.param.b32 %r10, [r]; }
                add.s32 %r10, %r10, %r1;)");
        check(results(ptx, Mode::automatic), [](std::uint32_t k) { return 10 + k; });
    }

    void endless_recursion_that_waits() {
        const Program program(header() + R"(
            .func forever(.param .b32 n) {
                .reg .b32 %r<4>;
                ld.param.u32 %r1, [n]; bar.sync 0;
                { .param .b32 a; add.s32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni forever, (a); }
                st.param.b32 [n], %r2; ret;
            })" + kernel("k", "", "{ .param .b32 a; st.param.b32 [a], 0; call.uni forever, (a); } ret;"));
        const Outcome outcome = mini::run(*program.compile("k", Mode::automatic), {.block = {2, 1, 1}}, {});
        QVERIFY(outcome.fault.has_value());
        QCOMPARE(outcome.fault->reason, warplight::software::Fault::stack_overflow);
    }

    void barrier_behind_a_pointer() {
        const std::string ptx = R"(
            .func (.param .b32 r) waits(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; bar.sync 0; add.s32 %r2, %r1, 100; st.param.b32 [r], %r2; ret; }
            .func (.param .b32 r) plain(.param .b32 a) { .reg .b32 %r<4>; ld.param.u32 %r1, [a]; mul.lo.s32 %r2, %r1, 3; st.param.b32 [r], %r2; ret; }
            .global .align 8 .u64 table[2] = {waits, plain};
            )" + storing(R"(
            and.b32 %r5, %r1, 1; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.s64 %rd5, %rd5, %rd6; ld.global.u64 %rd7, [%rd5];
            { .param .b32 a; .param .b32 r; st.param.b32 [a], %r1;
            proto: .callprototype (.param .b32 _) _ (.param .b32 _);
            call (r), %rd7, (a), proto; ld.param.b32 %r10, [r]; })");
        check(results(ptx, Mode::automatic), [](std::uint32_t k) { return k % 2 ? 3 * k : k + 100; });
    }

    void memory_widths() {
        // Sub-word loads extend as their type says, into wider registers too.
        for (const Mode mode : kBothModes)
            check(results(".const .align 8 .b8 bytes[8] = {128, 255, 1, 2, 0, 128, 0, 0};" + storing(R"(
                mov.u64 %rd5, bytes; ld.const.u8 %r5, [%rd5]; ld.const.s8 %r6, [%rd5+1]; ld.const.s16 %r7, [bytes+4];
                ld.const.u16 %h1, [bytes]; cvt.u32.u16 %r8, %h1;
                add.s32 %r10, %r5, %r6; add.s32 %r10, %r10, %r7; add.s32 %r10, %r10, %r8;)"),
                          mode),
                  [](std::uint32_t) { return 128 - 1 - 32768 + 0xff80; });
    }

    void vectors() {
        const std::string ptx = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p];
            ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
            st.global.v2.u32 [%rd1+16], {%r4, %r3};
            ld.global.v2.u8 {%h1, %h2}, [%rd1]; cvt.u32.u16 %r5, %h2; st.global.u32 [%rd1+24], %r5;
            mov.b64 %rd2, {%r1, %r2}; st.global.u64 [%rd1+32], %rd2;
            mov.b64 {%r6, %r7}, %rd2; st.global.v4.u32 [%rd1+48], {%r7, %r6, 9, %r1}; ret;)");
        const Program program(header() + ptx);
        for (const Mode mode : kBothModes) {
            alignas(16) std::uint32_t m[16] = {0x11223344, 2, 3, 4};
            QVERIFY(!mini::run(*program.compile("k", mode), {}, Parameters().add(&m[0])).fault);
            const std::vector<std::uint32_t> expected{0x11223344, 2, 3, 4, 4, 3,          0x33, 0,
                                                      0x11223344, 2, 0, 0, 2, 0x11223344, 9,    0x11223344};
            QCOMPARE(std::vector<std::uint32_t>(m, m + 16), expected);
        }
    }

    void local_memory() {
        for (const Mode mode : kBothModes)
            check(results(storing(R"(
                .local .align 4 .b8 a[64];
                mov.u64 %rd5, a; cvta.local.u64 %rd6, %rd5; mov.u32 %r5, 0;
            FILL:
                mul.wide.u32 %rd7, %r5, 4; add.s64 %rd8, %rd5, %rd7; mad.lo.s32 %r6, %r5, %r5, %r1; st.local.u32 [%rd8], %r6;
                add.s32 %r5, %r5, 1; setp.lt.s32 %p1, %r5, 16; @%p1 bra FILL;
                and.b32 %r7, %r1, 15; mul.wide.u32 %rd7, %r7, 4; add.s64 %rd8, %rd6, %rd7; ld.u32 %r10, [%rd8];)"),
                          mode),
                  [](std::uint32_t k) { return (k % 16) * (k % 16) + k; });
    }

    void address_spaces() {
        // 1 shared, 2 local, 4 global, 8 constant
        check(results(".const .u32 c = 3; .shared .u32 s;" + storing(R"(
            .local .u32 l; ld.param.u64 %rd9, [out];
            mov.u64 %rd5, s; cvta.shared.u64 %rd5, %rd5; isspacep.shared %p1, %rd5; selp.u32 %r10, 1, 0, %p1;
            mov.u64 %rd6, l; cvta.local.u64 %rd6, %rd6; isspacep.local %p1, %rd6; selp.u32 %r5, 2, 0, %p1; add.s32 %r10, %r10, %r5;
            isspacep.global %p1, %rd9; selp.u32 %r5, 4, 0, %p1; add.s32 %r10, %r10, %r5;
            mov.u64 %rd7, c; cvta.const.u64 %rd7, %rd7; isspacep.const %p1, %rd7; selp.u32 %r5, 8, 0, %p1; add.s32 %r10, %r10, %r5;
            isspacep.global %p1, %rd5; selp.u32 %r5, 16, 0, %p1; add.s32 %r10, %r10, %r5;
            isspacep.shared %p1, %rd9; selp.u32 %r5, 32, 0, %p1; add.s32 %r10, %r10, %r5;)"),
                      Mode::automatic, 64, {.static_shared = 16}),
              [](std::uint32_t) { return 15; });
    }

    void shared_memory_and_barriers() {
        // Reverses the block through shared memory.
        check(results(".shared .align 4 .b8 s[256];" + storing(R"(
            mov.u32 %r5, s; mad.lo.s32 %r6, %r1, 4, %r5; st.shared.u32 [%r6], %r1;
            bar.sync 0;
            sub.s32 %r7, 63, %r1; mad.lo.s32 %r6, %r7, 4, %r5; ld.shared.u32 %r10, [%r6];)"),
                      Mode::automatic, 64, {.static_shared = 256}),
              [](std::uint32_t k) { return 63 - k; });
    }

    void barrier_reductions() {
        check(results(storing(R"(
            setp.lt.s32 %p1, %r1, 10;
            bar.red.popc.u32 %r10, 0, %p1;
            barrier.red.and.pred %p2, 1, %p1; selp.u32 %r5, 1000, 0, %p2; add.s32 %r10, %r10, %r5;
            bar.red.or.pred %p2, 1, 64, !%p1; selp.u32 %r5, 100, 0, %p2; add.s32 %r10, %r10, %r5;)"),
                      Mode::automatic),
              [](std::uint32_t) { return 110; });
    }

    void barrier_objects() {
        check(results(".shared .align 8 .b64 b; .shared .align 4 .b8 s[256];" + storing(R"(
            setp.ne.s32 %p1, %r1, 0; @%p1 bra READY; mbarrier.init.shared.b64 [b], 64;
        READY:
            bar.sync 0;
            mov.u32 %r5, s; mad.lo.s32 %r6, %r1, 4, %r5; st.shared.u32 [%r6], %r1;
            mbarrier.arrive.shared.b64 %rd5, [b];
        WAIT:
            mbarrier.test_wait.shared.b64 %p2, [b], %rd5; @!%p2 bra WAIT;
            xor.b32 %r7, %r1, 63; mad.lo.s32 %r6, %r7, 4, %r5; ld.shared.u32 %r10, [%r6];)"),
                      Mode::automatic, 64, {.static_shared = 272}),
              [](std::uint32_t k) { return k ^ 63; });
    }

    void warp_operations() {
        check(results(storing(R"(
            mov.u32 %r5, 16; mov.u32 %r10, %r1;
        HALVE:
            shfl.sync.bfly.b32 %r6, %r10, %r5, 31, -1; add.s32 %r10, %r10, %r6; shr.u32 %r5, %r5, 1;
            setp.ne.u32 %p1, %r5, 0; @%p1 bra HALVE;)"),
                      Mode::automatic),
              [](std::uint32_t k) { return k / 32 ? 496 + 32 * 32 : 496; });
        check(
            results(storing(R"(shfl.sync.up.b32 %r10|%p1, %r1, 1, 0, -1; @!%p1 mov.u32 %r10, 777;)"), Mode::automatic),
            [](std::uint32_t k) { return k % 32 ? k - 1 : 777; });
        check(results(storing(R"(setp.lt.s32 %p1, %r1, 3; vote.sync.ballot.b32 %r10, %p1, -1;)"), Mode::automatic),
              [](std::uint32_t k) { return k < 32 ? 7 : 0; });
        check(results(storing(R"(redux.sync.max.s32 %r10, %r1, -1;)"), Mode::automatic),
              [](std::uint32_t k) { return k | 31; });
        check(results(storing(R"(and.b32 %r5, %r1, 1; match.any.sync.b32 %r10, %r5, -1;)"), Mode::automatic),
              [](std::uint32_t k) { return k % 2 ? 0xaaaaaaaau : 0x55555555u; });
        check(
            results(storing(R"(setp.lt.s32 %p1, %r1, 5; mov.u32 %r10, 0; @%p1 activemask.b32 %r10;)"), Mode::automatic),
            [](std::uint32_t k) { return k < 5 ? 31 : 0; });
    }

    void atomics() {
        const std::string ptx = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
            atom.global.add.u32 %r2, [%rd1], 1;
            atom.global.max.s32 %r2, [%rd1+4], %r1;
            atom.global.min.u32 %r2, [%rd1+8], %r1;
            atom.global.inc.u32 %r2, [%rd1+12], 9;
            atom.global.dec.u32 %r2, [%rd1+16], 9;
            red.global.or.b32 [%rd1+20], %r1;
            cvt.rn.f32.u32 %f1, %r1; atom.add.f32 %f2, [%rd1+24], %f1;
            setp.eq.s32 %p1, %r1, 7; @%p1 atom.cas.b32 %r2, [%rd1+28], 5, 6;
            cvt.u64.u32 %rd2, %r1; red.add.u64 [%rd1+32], %rd2; ret;)");
        const Program program(header() + ptx);
        for (const Mode mode : kBothModes) {
            alignas(16) std::uint32_t m[10] = {0, 0x80000000u, 99, 0, 0, 0, 0, 5, 0, 0};
            QVERIFY(!mini::run(*program.compile("k", mode), {.block = {64, 1, 1}}, Parameters().add(&m[0])).fault);
            const std::vector<std::uint32_t> expected{64, 63, 0, 4, 6, 63, 0x44fc0000u /* 2016.0f */, 6, 2016, 0};
            QCOMPARE(std::vector<std::uint32_t>(m, m + 10), expected);
        }
    }

    void sums_of_halves_that_are_no_number() {
        const std::string ptx = ".version 8.0\n.target sm_90\n.address_size 64\n" + kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.b16 %h1, 0x3c00; mov.b32 %r1, 0x3c003c00; mov.b16 %h3, 0x3f80;
            atom.global.add.noftz.f16 %h2, [%rd1], %h1;
            atom.global.add.noftz.f16x2 %r2, [%rd1+4], %r1;
            atom.global.add.noftz.bf16 %h2, [%rd1+8], %h3; ret;)");
        const Program program(ptx);
        for (const Mode mode : kBothModes) {
            alignas(16) std::uint32_t m[3] = {0xfe01, 0xfe013c00, 0xff81};
            QVERIFY(!mini::run(*program.compile("k", mode), {.block = {1, 1, 1}}, Parameters().add(&m[0])).fault);
            const std::vector<std::uint32_t> expected{0x7fff, 0x7fff4000, 0x7fff};
            QCOMPARE(std::vector<std::uint32_t>(m, m + 3), expected);
        }
    }

    void shared_atomics() {
        check(results(".shared .align 4 .b8 s[16];" + storing(R"(
            mov.u32 %r5, s; atom.shared.add.u32 %r6, [%r5], %r1; atom.shared.exch.b32 %r7, [s+4], %r1;
            bar.sync 0; ld.shared.u32 %r10, [s];)"),
                      Mode::automatic, 64, {.static_shared = 16}),
              [](std::uint32_t) { return 2016; });
    }

    void spin_lock() {
        // Without a budget the first thread that waits would never let the owner run.
        const std::string ptx = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;
        AGAIN:
            atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra AGAIN;
            ld.volatile.global.u32 %r3, [%rd1+4]; nanosleep.u32 10; add.s32 %r3, %r3, 1; st.volatile.global.u32 [%rd1+4], %r3;
            membar.gl; atom.global.exch.b32 %r2, [%rd1], 0; ret;)");
        const Program program(header() + ptx);
        std::uint32_t m[2] = {0, 0};
        const auto kernel = program.compile("k", Mode::automatic);
        QCOMPARE(kernel->mode(), Mode::coroutine);
        QVERIFY(!mini::run(*kernel, {.block = {64, 1, 1}}, Parameters().add(&m[0])).fault);
        QCOMPARE(m[1], 64u);
    }

    void retry_loop_is_no_spin() {
        // Exchanging until it works needs no other thread: the kernel stays a loop.
        const std::string ptx = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; ld.global.u32 %r2, [%rd1];
        AGAIN:
            mov.u32 %r3, %r2; max.s32 %r4, %r3, %r1; atom.global.cas.b32 %r2, [%rd1], %r3, %r4;
            setp.ne.s32 %p1, %r2, %r3; @%p1 bra AGAIN; ret;)");
        const Program program(header() + ptx);
        std::uint32_t m[1] = {0};
        const auto kernel = program.compile("k", Mode::automatic);
        QCOMPARE(kernel->mode(), Mode::loop);
        QVERIFY(!mini::run(*kernel, {.block = {64, 1, 1}}, Parameters().add(&m[0])).fault);
        QCOMPARE(m[0], 63u);
    }

    void loops_that_end_by_themselves_are_no_spin() {
        // What the exchange says decides what is done, not for how long.
        const std::string search = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
        AGAIN:
            atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra SKIP;
            atom.global.add.u32 %r3, [%rd1+4], 5;
        SKIP:
            add.s32 %r1, %r1, 1; setp.lt.s32 %p2, %r1, 8; @%p2 bra AGAIN; ret;)");
        std::uint32_t m[2] = {0, 0};
        const Program program(header() + search);
        const auto loop = program.compile("k", Mode::automatic);
        QCOMPARE(loop->mode(), Mode::loop);
        QVERIFY(!mini::run(*loop, {.block = {64, 1, 1}}, Parameters().add(&m[0])).fault);
        QCOMPARE(m[1], 5u);
        // Here it is what counts: one after the other gets the lock.
        const std::string lock = kernel("k", ".param .u64 p", R"(
            ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
        AGAIN:
            atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.s32 %p1, %r2, 0; @%p1 bra SKIP;
            atom.global.add.u32 %r3, [%rd1+4], 5; atom.global.exch.b32 %r4, [%rd1], 0; add.s32 %r1, %r1, 1;
        SKIP:
            setp.lt.s32 %p2, %r1, 1; @%p2 bra AGAIN; ret;)");
        QCOMPARE(Program(header() + lock).compile("k", Mode::automatic)->mode(), Mode::coroutine);
    }

    void deadlock() {
        const Program program(
            header() +
            kernel("k", "", "mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; @%p1 bar.sync 1, 64; bar.sync 0, 64; ret;"));
        QVERIFY(mini::run(*program.compile("k", Mode::automatic), {.block = {64, 1, 1}}, {}).deadlock);
    }

    void trap_and_its_site() {
        const Program program(header() +
                              kernel("k", "", "mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 5; @%p1 trap; ret;"));
        for (const Mode mode : kBothModes) {
            const auto kernel = program.compile("k", mode);
            const Outcome outcome = mini::run(*kernel, {.block = {64, 1, 1}}, {});
            QVERIFY(outcome.fault.has_value());
            QCOMPARE(outcome.fault->reason, warplight::software::Fault::trap);
            QCOMPARE(outcome.fault->linear, 5u);
            QCOMPARE(kernel->site(outcome.fault->site).instruction, 2u);
        }
    }

    void sites_of_code() {
        // Somewhere in the code there is the store, which is instruction 11 of the kernel.
        const Program program(header() + kSaxpy);
        for (const Mode mode : kBothModes) {
            const auto kernel = program.compile("saxpy", mode);
            const auto* start = mode == Mode::loop ? reinterpret_cast<const char*>(kernel->run_block())
                                                   : reinterpret_cast<const char*>(kernel->start_thread());
            std::set<std::uint32_t> seen;
            for (std::size_t k = 0; k < kernel->code_size(); ++k)
                if (const auto site = kernel->site_at(start + k)) seen.insert(site->instruction);
            const auto& instructions = program.module().functions[0].instructions;
            bool store = false;
            for (const std::uint32_t k : seen)
                store |= instructions.at(k).opcode == warplight::ptx::Opcode::st;
            QVERIFY(store);
            QVERIFY(!kernel->site_at(&program));
        }
    }

    void printing() {
        const std::string ptx = R"(
            .extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
            .global .align 1 .b8 format[10] = {104, 105, 32, 37, 100, 10, 0};
            )" + kernel("k", "", R"(
            .local .align 8 .b8 args[8];
            mov.u32 %r1, %tid.x; mov.u64 %rd1, args; st.local.u32 [%rd1], %r1; cvta.local.u64 %rd1, %rd1;
            mov.u64 %rd2, format; cvta.global.u64 %rd2, %rd2;
            { .param .b64 p0; .param .b64 p1; .param .b32 r0; st.param.b64 [p0], %rd2; st.param.b64 [p1], %rd1;
            call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r2, [r0]; } ret;)");
        const Program program(header() + ptx);
        for (const Mode mode : kBothModes)
            QCOMPARE(mini::run(*program.compile("k", mode), {.block = {3, 1, 1}}, {}).printed,
                     std::string("hi 0\nhi 1\nhi 2\n"));
    }

    void object_cache() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        const Program program(header() + kSaxpy);
        const auto runs = [&](const warplight::jit::CompiledKernel& kernel) {
            std::vector<float> x(32, 3.0f), y(32, 1.0f);
            (void)mini::run(kernel, {.block = {32, 1, 1}}, Parameters().add(32).add(2.0f).add(x.data()).add(y.data()));
            return y == std::vector<float>(32, 7.0f);
        };
        for (const Mode mode : kBothModes) {
            QVERIFY(!program.compile("saxpy", mode, path)->from_cache());
            const auto again = program.compile("saxpy", mode, path);
            QVERIFY(again->from_cache());
            QVERIFY(runs(*again));
        }
        const QStringList files = QDir(folder.path()).entryList({"*.wlobj"});
        QCOMPARE(files.size(), 2);
        for (const QString& name : files) {
            // A byte that flipped, and a file cut short.
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadWrite));
            QByteArray bytes = file.readAll();
            bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
            file.resize(name == files[0] ? bytes.size() : bytes.size() / 3);
            file.seek(0);
            file.write(name == files[0] ? bytes : bytes.left(bytes.size() / 3));
        }
        for (const Mode mode : kBothModes) {
            const auto kernel = program.compile("saxpy", mode, path);
            QVERIFY(!kernel->from_cache());
            QVERIFY(runs(*kernel));
        }
    }

    /// A whole and valid entry, but another kernel's.
    void exchanged_entries_of_the_cache_are_not_run() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        const std::string writes = "ld.param.u64 %rd1, [k_param_0]; st.global.u32 [%rd1], ";
        const auto program_of = [&](int number) {
            return Program(header() + kernel("k", ".param .u64 k_param_0", writes + std::to_string(number) + "; ret;"));
        };
        const auto entries = [&] { return QDir(folder.path()).entryList({"*.wlobj"}, QDir::Files, QDir::Time); };
        const Program one = program_of(1), two = program_of(2);
        (void)one.compile("k", Mode::loop, path);
        const QString first = entries().value(0);
        (void)two.compile("k", Mode::loop, path);
        QCOMPARE(entries().size(), 2);
        const QString second = entries()[entries()[0] == first ? 1 : 0];
        QVERIFY(QFile::remove(folder.filePath(second)));
        QVERIFY(QFile::copy(folder.filePath(first), folder.filePath(second)));
        const auto compiled = two.compile("k", Mode::loop, path);
        QVERIFY(!compiled->from_cache());
        int written = 0;
        (void)mini::run(*compiled, {.block = {1, 1, 1}}, Parameters().add(&written));
        QCOMPARE(written, 2);
    }

    void what_is_not_supported_is_named() {
        const auto refuses = [](const std::string& body) -> std::string {
            try {
                const Program program(header() + kernel("k", "", body));
            } catch (const std::runtime_error& error) {
                return error.what();
            }
            return "";
        };
        QVERIFY(refuses(".reg .b32 r; multimem.red.add.u32 [0], r; ret;").find("multimem") != std::string::npos);
        QCOMPARE(refuses("bar.sync 0; ret;"), std::string());
    }

    void waiting_kernels_are_no_loops() {
        const Program program(header() + kernel("k", "", "bar.sync 0; ret;"));
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)program.compile("k", Mode::loop));
        QCOMPARE(program.compile("k", Mode::automatic)->mode(), Mode::coroutine);
    }
};

QTEST_GUILESS_MAIN(TestJit)
#include "test_jit.moc"
