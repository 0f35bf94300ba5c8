// SPDX-License-Identifier: Apache-2.0
// PTX texts through the whole device: load, launch, and look at what came out.
#include "driver_fixture.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

namespace {

const char* const kReverse = R"(
.extern .shared .align 4 .b8 buffer[];
.visible .entry reverse(.param .u64 data) {
  .reg .b32 %r<6>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [data];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ntid.x;
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
  ld.global.u32 %r3, [%rd2];
  mov.u32 %r4, buffer; shl.b32 %r5, %r1, 2; add.s32 %r4, %r4, %r5;
  st.shared.u32 [%r4], %r3;
  bar.sync 0;
  sub.s32 %r1, %r2, %r1; add.s32 %r1, %r1, -1;
  mov.u32 %r4, buffer; shl.b32 %r5, %r1, 2; add.s32 %r4, %r4, %r5;
  ld.shared.u32 %r3, [%r4];
  st.global.u32 [%rd2], %r3;
  ret;
})";

const char* const kWarpSum = R"(
.visible .entry warp_sum(.param .u64 data, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<5>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4; add.s64 %rd3, %rd1, %rd3; ld.global.u32 %r5, [%rd3];
  mov.u32 %r6, 16;
$loop:
  shfl.sync.down.b32 %r7, %r5, %r6, 31, -1;
  add.s32 %r5, %r5, %r7;
  shr.u32 %r6, %r6, 1;
  setp.ne.s32 %p1, %r6, 0;
  @%p1 bra $loop;
  and.b32 %r1, %r1, 31; setp.eq.s32 %p2, %r1, 0;
  @%p2 red.global.add.u32 [%rd2], %r5;
  ret;
})";

/// Adds one to the sum of each number, and the number to the long sum behind `long_sums`. Numbers may be negative.
const char* const kSums = R"(
.visible .entry sums(.param .u64 in, .param .u64 counts, .param .u64 long_sums) {
  .reg .b32 %r<8>; .reg .b64 %rd<12>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [counts]; ld.param.u64 %rd3, [long_sums];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd4, %rd1, %rd4; ld.global.s32 %r5, [%rd4];
  mul.wide.s32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5; red.global.add.u32 [%rd5], 1;
  mul.wide.s32 %rd6, %r5, 8; add.s64 %rd6, %rd3, %rd6; cvt.s64.s32 %rd7, %r5;
  atom.global.add.u64 %rd8, [%rd6], %rd7;
  ret;
})";

/// Each thread adds for the odd ones of several numbers.
const char* const kOddNumbers = R"(
.visible .entry count(.param .u64 in, .param .u32 size, .param .u64 counts) {
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u32 %r6, [size]; ld.param.u64 %rd2, [counts];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mov.u32 %r7, %nctaid.x; mul.lo.u32 %r7, %r7, %r3;
$next:
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd4, %rd1, %rd4; ld.global.u32 %r5, [%rd4];
  and.b32 %r8, %r5, 1; setp.eq.u32 %p1, %r8, 0;
  @%p1 bra $even;
  mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5; red.global.add.u32 [%rd5], @;
$even:
  add.u32 %r4, %r4, %r7; setp.lt.u32 %p2, %r4, %r6;
  @%p2 bra $next;
  ret;
})";

/// Does an atomic operation with the number of each thread, or of some. The operation, its type, bits and bytes of a
/// number and the last place that is left out stand between braces.
const char* const kKeep = R"(
.visible .entry keep(.param .u64 in, .param .u64 places, .param .u64 out) {
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .b{bits} %x;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [places]; ld.param.u64 %rd3, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd4, %r4, {bytes}; add.s64 %rd4, %rd1, %rd4; ld.global.b{bits} %x, [%rd4];
  mul.wide.u32 %rd5, %r4, 4; add.s64 %rd5, %rd2, %rd5; ld.global.u32 %r5, [%rd5];
  mul.wide.u32 %rd6, %r5, {bytes}; add.s64 %rd6, %rd3, %rd6;
  setp.lt.s32 %p, %r5, {left out};
  @%p bra $rest;
  red.global.{operation} [%rd6], %x;
$rest:
  ret;
})";

template <class T>
struct Kept {
    const char* operation;
    T (*result)(T, T);
};
/// Integers of all kinds. Floats that add up exactly, where workers may add in any order.
template <class T>
T kept_number(std::uint32_t random, bool in_order) {
    if constexpr (std::is_floating_point_v<T>)
        return in_order ? static_cast<T>(random) / 3 : static_cast<T>(random >> 24) - 100;
    else
        return static_cast<T>(random * std::uint64_t{0x9e3779b97f4a7c15}); // whose product may wrap
}

/// Each thread adds to a sum of its own and looks at it.
const char* const kSumsAndLooks = R"(
.visible .entry look(.param .u64 sums, .param .u64 out) {
  .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [sums]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4; add.s64 %rd6, %rd2, %rd4;
  red.global.add.u32 [%rd5], 5; ld.global.u32 %r5, [%rd6]; add.u32 %r5, %r5, 1; st.global.u32 [%rd6], %r5;
  ret;
})";

/// Every thread takes a lock, adds one to a plain counter, and lets go.
const char* const kLock = R"(
.global .align 4 .u32 lock;
.visible .global .align 4 .u32 counter;
.visible .entry spin() {
  .reg .b32 %r<4>; .reg .pred %p<2>;
$try:
  atom.global.cas.b32 %r1, [lock], 0, 1;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra $try;
  membar.gl;
  ld.volatile.global.u32 %r2, [counter]; add.s32 %r2, %r2, 1; st.volatile.global.u32 [counter], %r2;
  membar.gl;
  atom.global.exch.b32 %r3, [lock], 0;
  ret;
})";

/// Block b waits for block b - 1 and adds b to its result.
const char* const kLookBack = R"(
.visible .entry chain(.param .u64 results) {
  .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [results];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
  setp.ne.s32 %p1, %r2, 0; @%p1 bra $end;
  mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;
  mov.u32 %r3, 1;
  setp.eq.s32 %p2, %r1, 0; @%p2 bra $store;
$wait:
  ld.acquire.gpu.global.u32 %r3, [%rd2+-4];
  setp.eq.s32 %p3, %r3, 0; @%p3 bra $wait;
$store:
  add.s32 %r3, %r3, %r1;
  st.release.gpu.global.u32 [%rd2], %r3;
$end:
  bar.sync 0;
  ret;
})";

/// Each round a block adds what its right neighbour had before the round; a barrier of the grid lies between.
const char* const kGridSync = R"(
.visible .entry rounds(.param .u64 a, .param .u64 b, .param .u32 n) {
  .reg .b32 %r<14>; .reg .b64 %rd<10>; .reg .pred %p<6>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %nctaid.x; mov.u32 %r4, %tid.x;
  mov.u32 %r5, %envreg1; mov.u32 %r6, %envreg2; mov.b64 %rd3, {%r6, %r5};
  mul.wide.u32 %rd4, %r2, 4;
  add.s32 %r7, %r2, 1; rem.u32 %r7, %r7, %r3; mul.wide.u32 %rd5, %r7, 4;
  mov.u32 %r13, 0;
$round:
  setp.ne.s32 %p1, %r4, 0;
  add.s64 %rd6, %rd1, %rd5; ld.volatile.global.u32 %r8, [%rd6];
  add.s64 %rd7, %rd2, %rd4;
  @!%p1 st.volatile.global.u32 [%rd7], %r8;
  bar.sync 0;
  @%p1 bra $passed;
  mov.u32 %r9, 1;
  setp.eq.s32 %p2, %r2, 0;
  sub.s32 %r10, %r3, 1; sub.s32 %r10, 0x80000000, %r10;
  selp.b32 %r9, %r10, %r9, %p2;
  atom.add.acq_rel.gpu.u32 %r11, [%rd3+4], %r9;
$wait:
  ld.acquire.gpu.u32 %r12, [%rd3+4];
  xor.b32 %r12, %r12, %r11;
  setp.ge.s32 %p3, %r12, 0;
  @%p3 bra $wait;
$passed:
  bar.sync 0;
  mov.b64 %rd8, %rd1; mov.b64 %rd1, %rd2; mov.b64 %rd2, %rd8;
  add.s32 %r13, %r13, 1;
  setp.lt.s32 %p4, %r13, %r1;
  @%p4 bra $round;
  ret;
})";

/// Each thread keeps what its neighbour in the block knows of the block.
const char* const kManyBlocks = R"(
.visible .entry places(.param .u64 out, .param .u32 trapped) {
  .shared .align 4 .b32 kept[64];
  .reg .b32 %r<20>; .reg .b64 %rd<6>; .reg .pred %p<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r19, [trapped];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %clusterid.x; mov.u32 %r4, %tid.x;
  mov.u32 %r5, %nctaid.x; mad.lo.u32 %r6, %r2, %r5, %r1;
  mad.lo.u32 %r7, %r3, 1000, %r6; mov.u32 %r8, kept; shl.b32 %r9, %r4, 2; add.u32 %r10, %r8, %r9;
  st.shared.u32 [%r10], %r7;
  bar.sync 0;
  setp.eq.u32 %p1, %r6, %r19; setp.eq.and.u32 %p1, %r4, 7, %p1; @%p1 trap;
  xor.b32 %r11, %r9, 4; add.u32 %r11, %r8, %r11; ld.shared.u32 %r12, [%r11];
  bar.sync 0;
  sub.u32 %r12, %r12, %r6; mad.lo.u32 %r12, %r2, 1000000, %r12;
  shl.b32 %r14, %r6, 6; add.u32 %r14, %r14, %r4; mul.wide.u32 %rd2, %r14, 4; add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r12;
  ret;
}
.visible .entry rows(.param .u64 out, .param .u64 in, .param .u32 columns) {
  .reg .b32 %r<9>; .reg .b64 %rd<8>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in]; ld.param.u32 %r1, [columns];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %ctaid.x; mov.u32 %r6, 0; mov.u32 %r7, %r2;
  and.b32 %r8, %r4, 3; mul.lo.u32 %r8, %r8, %r1; shr.u32 %r8, %r8, 2;
A: mul.wide.u32 %rd3, %r7, 4; add.u64 %rd4, %rd2, %rd3; ld.global.u32 %r5, [%rd4]; add.u32 %r6, %r6, %r5;
  add.u32 %r7, %r7, %r3; setp.lt.u32 %p1, %r7, %r8; @%p1 bra A;
  bar.sync 0;
  mad.lo.u32 %r7, %r4, %r3, %r2; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd6, %rd1, %rd5;
  red.global.add.u32 [%rd6], %r6;
  ret;
}
.visible .entry stacks(.param .u64 out) {
  .reg .b32 %r<4>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;
  alloca.u64 %rd2, 262144; add.u32 %r3, %r1, %r2; st.local.u32 [%rd2], %r3;
  bar.sync 0;
  ld.local.u32 %r3, [%rd2];
  shl.b32 %r1, %r1, 2; add.u32 %r1, %r1, %r2; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd3, %rd1, %rd3;
  st.global.u32 [%rd3], %r3;
  ret;
})";

const char* const kPrint = R"(
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 format[20] = {37, 100, 32, 37, 46, 49, 102, 32, 37, 115, 10, 0};
.global .align 1 .b8 word[4] = {111, 107, 0};
.visible .entry print(.param .u32 n) {
  .local .align 8 .b8 arguments[24];
  .reg .b32 %r<3>; .reg .b64 %rd<6>;
  mov.u64 %rd1, arguments; cvta.local.u64 %rd2, %rd1;
  ld.param.u32 %r1, [n]; st.local.u32 [%rd1], %r1;
  mov.f64 %rd5, 0d3FF8000000000000; st.local.b64 [%rd1+8], %rd5;
  mov.u64 %rd3, word; cvta.global.u64 %rd3, %rd3; st.local.u64 [%rd1+16], %rd3;
  mov.u64 %rd4, format; cvta.global.u64 %rd4, %rd4;
  { .param .b64 p0; .param .b64 p1; .param .b32 r0;
    st.param.b64 [p0], %rd4; st.param.b64 [p1], %rd2;
    call.uni (r0), vprintf, (p0, p1);
    ld.param.b32 %r2, [r0]; }
  ret;
})";

const char* const kVariables = R"(
.visible .const .align 4 .u32 table[3] = {10, 20, 30};
.visible .global .align 8 .u64 pointer = generic(table) + 4;
.visible .global .align 4 .u32 value = 7;
.visible .entry read(.param .u64 out) {
  .reg .b32 %r<5>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.global.u64 %rd2, [pointer]; ld.u32 %r1, [%rd2];
  ld.const.u32 %r2, [table+8]; ld.global.u32 %r3, [value];
  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3;
  ret;
})";

} // namespace

class KernelsTest : public QObject {
    Q_OBJECT
    template <class T>
    void keep(const std::vector<Kept<T>>& operations) {
        QFETCH(unsigned, room);
        QFETCH(int, left_out);
        const bool in_order = qEnvironmentVariable("WARPLIGHT_SOFTWARE_WORKERS") == "1";
        constexpr unsigned blocks = 200, threads = 96, all = blocks * threads;
        Session s;
        std::vector<T> in(all), before(room);
        std::vector<unsigned> places(all);
        std::uint32_t random = 1;
        const auto next = [&] { return random = random * 1664525 + 1013904223; };
        for (unsigned k = 0; k < all; ++k) {
            in[k] = kept_number<T>(next(), in_order);
            places[k] = (next() >> 8) % room;
        }
        for (T& number : before)
            number = kept_number<T>(next(), in_order);
        if constexpr (std::is_floating_point_v<T>) before[0] = static_cast<T>(-0.0);
        for (const auto& [operation, result] : operations) {
            QString text = kKeep;
            text.replace("{operation}", operation).replace("{left out}", QString::number(left_out));
            text.replace("{bytes}", QString::number(sizeof(T))).replace("{bits}", QString::number(8 * sizeof(T)));
            const CUfunction f = s.load(ptx(text.toStdString()), "keep");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr numbers = s.upload(in), at = s.upload(places), out = s.upload(before);
            CU(s.launch(f, blocks, threads, {&numbers, &at, &out}));
            std::vector<T> expected = before;
            for (unsigned k = 0; k < all; ++k)
                if (static_cast<int>(places[k]) >= left_out) expected[places[k]] = result(expected[places[k]], in[k]);
            const std::vector<T> found = s.download<T>(out, room);
            QVERIFY2(std::memcmp(found.data(), expected.data(), room * sizeof(T)) == 0, operation);
        }
    }

private slots:
    void barriersAndDynamicShared() {
        Session s;
        const CUfunction f = s.load(ptx(kReverse), "reverse");
        QVERIFY2(f, last_error_text().c_str());
        for (const unsigned n : {1U, 31U, 32U, 100U, 1024U}) {
            std::vector<int> data(n);
            std::iota(data.begin(), data.end(), 0);
            CUdeviceptr d = s.upload(data);
            CU(s.launch(f, 1, n, {&d}, n * 4));
            const auto result = s.download<int>(d, n);
            for (unsigned i = 0; i < n; ++i)
                QCOMPARE(result[i], static_cast<int>(n - 1 - i));
        }
    }

    void shufflesAndAtomics() {
        Session s;
        const CUfunction f = s.load(ptx(kWarpSum), "warp_sum");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<std::uint32_t> data(64 * 256);
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] = static_cast<std::uint32_t>(i * 2654435761U);
        CUdeviceptr d = s.upload(data);
        CUdeviceptr out = s.upload(std::vector<std::uint32_t>{5});
        CU(s.launch(f, 64, 256, {&d, &out}));
        QCOMPARE(s.download<std::uint32_t>(out, 1)[0], std::accumulate(data.begin(), data.end(), 5U));
    }

    void spinLocksMakeProgress() {
        Session s;
        const CUfunction f = s.load(ptx(kLock), "spin");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 40, 96, {}));
        CUdeviceptr counter = 0;
        size_t bytes = 0;
        CU(cuModuleGetGlobal(&counter, &bytes, s.module, "counter"));
        QCOMPARE(bytes, size_t{4});
        QCOMPARE(s.download<int>(counter, 1)[0], 40 * 96);
    }

    void blocksMayWaitForEarlierBlocks() {
        Session s;
        const CUfunction f = s.load(ptx(kLookBack), "chain");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned n = 700;
        CUdeviceptr d = s.allocate(n * 4);
        CU(cuMemsetD32(d, 0, n));
        CU(s.launch(f, n, 32, {&d}));
        QCOMPARE(s.download<unsigned>(d, n)[n - 1], 1 + n * (n - 1) / 2);
    }

    /// The scheduler goes from one block to the next where nothing is to be kept account of.
    void blocksOfBarriersFollowEachOther() {
        Session s;
        const CUfunction f = s.load(ptx(kManyBlocks), "places");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned columns = 75, rows = 3, threads = 64, blocks = columns * rows;
        CUdeviceptr d = s.allocate(std::size_t{4} * blocks * threads);
        unsigned trapped = ~0U;
        void* arguments[] = {&d, &trapped};
        const auto launch = [&] {
            CU(cuLaunchKernel(f, columns, rows, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
        };
        launch();
        const auto out = s.download<unsigned>(d, std::size_t{blocks} * threads);
        for (unsigned i = 0; i < blocks * threads; ++i) {
            const unsigned block = i / threads;
            QCOMPARE(out[i], block / columns * 1000000 + block % columns * 1000);
        }
        // Blocks that take turns, and are done after different numbers of them.
        const CUfunction sum = s.load(ptx(kManyBlocks), "rows");
        QVERIFY2(sum, last_error_text().c_str());
        unsigned length = threads * 400;
        CUdeviceptr ones = s.upload(std::vector<unsigned>(length, 1));
        CU(cuMemsetD32(d, 0, blocks * threads));
        CU(s.launch(sum, blocks, threads, {&d, &ones, &length}));
        const auto counts = s.download<unsigned>(d, std::size_t{blocks} * threads);
        for (unsigned i = 0; i < blocks * threads; ++i)
            QCOMPARE(counts[i], std::max(i / threads % 4 * 100, 1U));
        const CUfunction stacks = s.load(ptx(kManyBlocks), "stacks");
        QVERIFY2(stacks, last_error_text().c_str());
        CU(s.launch(stacks, 1000, 4, {&d})); // a GiB of stacks in all blocks
        const auto sums = s.download<unsigned>(d, 4000);
        for (unsigned i = 0; i < 4000; ++i)
            QCOMPARE(sums[i], i / 4 + i % 4);
        trapped = 2 * columns + 41;
        launch();
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
        const std::string text = last_error_text();
        QVERIFY2(text.find("block (41,2,0), thread (7,0,0)") != std::string::npos, text.c_str());
    }

    void gridsSynchronise() {
        Session s;
        const CUfunction f = s.load(ptx(kGridSync), "rounds");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned blocks = 30;
        std::vector<unsigned> data(blocks);
        std::iota(data.begin(), data.end(), 100U);
        CUdeviceptr a = s.upload(data);
        CUdeviceptr b = s.upload(data);
        unsigned rounds = 20; // an even number: the result is in a
        void* arguments[] = {&a, &b, &rounds};
        CU(cuLaunchCooperativeKernel(f, blocks, 1, 1, 64, 1, 1, 0, nullptr, arguments));
        const auto result = s.download<unsigned>(a, blocks);
        for (unsigned i = 0; i < blocks; ++i)
            QCOMPARE(result[i], 100 + (i + rounds) % blocks);
        CU_FAILS(cuLaunchCooperativeKernel(f, 100000, 1, 1, 64, 1, 1, 0, nullptr, arguments),
                 CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    }

    void printf() {
        Session s;
        const CUfunction f = s.load(ptx(kPrint), "print");
        QVERIFY2(f, last_error_text().c_str());
        std::string text;
        cuxWarplightSetPrintf(
            [](const char* t, size_t size, void* user) { static_cast<std::string*>(user)->append(t, size); }, &text);
        int n = 42;
        CU(s.launch(f, 2, 1, {&n}));
        CU(cuCtxSynchronize());
        cuxWarplightSetPrintf(nullptr, nullptr);
        QCOMPARE(text, std::string("42 1.5 ok\n42 1.5 ok\n"));
    }

    /// Workers add to copies of their own, which must not show. Memory before the pointer and far behind it is not
    /// copied; where the numbers lie in the same allocation, nothing is.
    void sumsOfManyThreads_data() {
        QTest::addColumn<bool>("together");
        QTest::newRow("apart") << false;
        QTest::newRow("together") << true;
    }
    void sumsOfManyThreads() {
        QFETCH(bool, together);
        Session s;
        const CUfunction f = s.load(ptx(kSums), "sums");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned blocks = 300, threads = 96, all = blocks * threads, room = 70000, before = 8;
        std::vector<std::int32_t> in(all);
        std::uint32_t random = 1;
        for (std::int32_t& number : in) {
            random = random * 1664525 + 1013904223;
            number = random >> 30 == 0 ? static_cast<std::int32_t>(random >> 13 & 0xffff)
                                       : static_cast<std::int32_t>(random >> 20 & 63) - static_cast<int>(before);
        }
        std::vector<std::uint32_t> counts(room, 0xfffffffd); // their neighbours must not see them overflow
        std::vector<std::uint64_t> sums(room, 7);
        const std::size_t numbers_at = together ? counts.size() : 0;
        std::vector<std::uint32_t> memory = counts;
        memory.insert(memory.end(), in.begin(), in.end());
        const CUdeviceptr first = s.upload(memory), other = s.upload(in), long_first = s.upload(sums);
        CUdeviceptr numbers = together ? first + 4 * numbers_at : other;
        CUdeviceptr to_counts = first + 4 * before, to_sums = long_first + 8 * before;
        CU(s.launch(f, blocks, threads, {&numbers, &to_counts, &to_sums}));
        for (const std::int32_t number : in) {
            ++counts[static_cast<std::size_t>(number + static_cast<int>(before))];
            sums[static_cast<std::size_t>(number + static_cast<int>(before))] +=
                static_cast<std::uint64_t>(std::int64_t{number});
        }
        QCOMPARE(s.download<std::uint32_t>(first, room), counts);
        QCOMPARE(s.download<std::uint64_t>(long_first, room), sums);
    }

    /// Some of the threads add: to many places, to few, or mostly to one.
    void sumsOfSomeThreads_data() {
        QTest::addColumn<unsigned>("places");
        QTest::addColumn<unsigned>("often");
        QTest::addColumn<unsigned>("added");
        for (const unsigned places : {2U, 16U, 1000U, 69999U})
            for (const unsigned often : {0U, 3U, 4U})
                for (const unsigned added : {0U, 3U})
                    QTest::addRow("%u places%s, %s", places,
                                  often == 4 ? ", one"
                                  : often    ? ", mostly one"
                                             : "",
                                  added ? "counted" : "added")
                        << places << often << added;
    }
    void sumsOfSomeThreads() {
        QFETCH(unsigned, places);
        QFETCH(unsigned, often);
        QFETCH(unsigned, added); // 0: the number
        Session s;
        std::string text = kOddNumbers;
        text.replace(text.find('@', text.find("red.")), 1, added ? std::to_string(added) : "%r5");
        const CUfunction f = s.load(ptx(text), "count");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned threads = 128, few = 16;
        const unsigned room = places > few ? 70000 : few;
        const unsigned blocks = places > few ? 600 : 90; // so that several workers add the copies to the memory
        unsigned size = blocks * threads * 8;
        std::vector<std::uint32_t> in(size), counts(room, 0xfffffff0), expected = counts;
        std::uint32_t random = 1;
        for (std::uint32_t& number : in) {
            random = random * 1664525 + 1013904223;
            number = (random >> 28) % 4 < often ? 1 : (random >> 8) % places;
            if (number % 2) expected[number] += added ? added : number;
        }
        CUdeviceptr numbers = s.upload(in), to = s.upload(counts);
        CU(s.launch(f, blocks, threads, {&numbers, &size, &to}));
        QCOMPARE(s.download<std::uint32_t>(to, room), expected);
    }

    /// Whatever workers do with copies of their own: floats of one worker add up in the order of its threads.
    void numbersThatAreKept_data() {
        QTest::addColumn<unsigned>("room");
        QTest::addColumn<int>("left_out");
        QTest::newRow("few places") << 5U << 0;
        QTest::newRow("all threads") << 300U << 0;
        QTest::newRow("most threads") << 300U << 100;
        QTest::newRow("no thread") << 300U << 300;
        QTest::newRow("many places") << 40000U << 10000;
    }
    void numbersThatAreKept() {
        using F = float;
        using D = double;
        using U = std::uint32_t;
        using V = std::uint64_t;
        using S = std::int32_t;
        using L = std::int64_t;
        keep<F>({{"add.f32", [](F x, F y) { return x + y; }}});
        keep<D>({{"add.f64", [](D x, D y) { return x + y; }}});
        keep<S>({{"min.s32", [](S x, S y) { return std::min(x, y); }},
                 {"max.s32", [](S x, S y) { return std::max(x, y); }}});
        keep<L>({{"min.s64", [](L x, L y) { return std::min(x, y); }},
                 {"max.s64", [](L x, L y) { return std::max(x, y); }}});
        keep<U>({{"min.u32", [](U x, U y) { return std::min(x, y); }},
                 {"max.u32", [](U x, U y) { return std::max(x, y); }},
                 {"and.b32", [](U x, U y) { return x & y; }},
                 {"or.b32", [](U x, U y) { return x | y; }},
                 {"xor.b32", [](U x, U y) { return x ^ y; }}});
        keep<V>({{"min.u64", [](V x, V y) { return std::min(x, y); }},
                 {"max.u64", [](V x, V y) { return std::max(x, y); }},
                 {"and.b64", [](V x, V y) { return x & y; }},
                 {"or.b64", [](V x, V y) { return x | y; }},
                 {"xor.b64", [](V x, V y) { return x ^ y; }},
                 {"add.u64", [](V x, V y) { return x + y; }}});
    }

    void sumsThatTheKernelLooksAt() {
        Session s;
        const CUfunction f = s.load(ptx(kSumsAndLooks), "look");
        QVERIFY2(f, last_error_text().c_str());
        constexpr unsigned all = 256 * 64;
        CUdeviceptr sums = s.upload(std::vector<std::uint32_t>(all, 2)), out = sums; // the same memory by two pointers
        CU(s.launch(f, 256, 64, {&sums, &out}));
        QCOMPARE(s.download<std::uint32_t>(sums, all), std::vector<std::uint32_t>(all, 8));
    }

    void variablesAndTheirInitialValues() {
        Session s;
        const CUfunction f = s.load(ptx(kVariables), "read");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr out = s.allocate(12);
        CU(s.launch(f, 1, 1, {&out}));
        QCOMPARE(s.download<int>(out, 3), (std::vector<int>{20, 30, 7}));
        CUdeviceptr value = 0;
        size_t bytes = 0;
        CU(cuModuleGetGlobal(&value, &bytes, s.module, "value"));
        const int nine = 9;
        CU(cuMemcpyHtoD(value, &nine, 4));
        CU(s.launch(f, 1, 1, {&out}));
        QCOMPARE(s.download<int>(out, 3)[2], 9);
        CU_FAILS(cuModuleGetGlobal(&value, &bytes, s.module, "nothing"), CUDA_ERROR_NOT_FOUND);
    }

    void theLinkerTakesOneText() {
        Session s;
        CUlinkState state = nullptr;
        CU(cuLinkCreate(0, nullptr, nullptr, &state));
        std::string text = ptx(kVariables);
        CU(cuLinkAddData(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "a.ptx", 0, nullptr, nullptr));
        void* image = nullptr;
        size_t size = 0;
        CU(cuLinkComplete(state, &image, &size));
        CUmodule module = nullptr;
        CU(cuModuleLoadData(&module, image));
        CU(cuLinkDestroy(state));
        CUfunction f = nullptr;
        CU(cuModuleGetFunction(&f, module, "read"));
    }

    void argumentsInABuffer() {
        Session s;
        const CUfunction f = s.load(ptx(kReverse), "reverse");
        CUdeviceptr d = s.upload(std::vector<int>{1, 2, 3, 4});
        size_t size = sizeof d;
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &d, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
        CU(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 16, nullptr, nullptr, extra));
        QCOMPARE(s.download<int>(d, 4), (std::vector<int>{4, 3, 2, 1}));
        size = 4;
        CU_FAILS(cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 16, nullptr, nullptr, extra), CUDA_ERROR_INVALID_VALUE);
    }
};

QTEST_APPLESS_MAIN(KernelsTest)
#include "test_kernels.moc"
