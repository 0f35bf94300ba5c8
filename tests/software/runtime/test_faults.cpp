// SPDX-License-Identifier: Apache-2.0
// What kernels do wrong ends in the driver's error and a message, never in a crash; the context is lost, others are
// not.
#include "driver_fixture.hpp"

#include <array>

namespace {

/// Thread `which` of the grid writes far away, the others write their number. Line 7 of wild.cu.
const char* const kWild = R"(
.file 1 "wild.cu"
.visible .entry wild(.param .u64 data, .param .u32 which, .param .u64 distance) {
  .reg .b32 %r<6>; .reg .b64 %rd<6>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [which]; ld.param.u64 %rd2, [distance];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;
  mul.wide.u32 %rd3, %r5, 4; add.s64 %rd3, %rd1, %rd3;
  setp.ne.s32 %p1, %r5, %r1;
  @%p1 bra $write;
  add.s64 %rd3, %rd1, %rd2;
$write:
  .loc 1 7 5
  st.global.u32 [%rd3], %r5;
  ret;
})";

/// The same in a picture of 64 columns: blocks whose rows take turns.
const char* const kWildRow = R"(
.visible .entry wild_row(.param .u64 data, .param .u32 which, .param .u64 distance) {
  .reg .b32 %r<10>; .reg .b64 %rd<7>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [which]; ld.param.u64 %rd2, [distance];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;
  mov.u32 %r6, %tid.y; mad.lo.s32 %r7, %r6, 64, %r5;
  mul.wide.u32 %rd3, %r7, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd1, %rd2;
  setp.eq.s32 %p1, %r7, %r1; selp.b64 %rd6, %rd5, %rd4, %p1;
  st.global.u32 [%rd6], %r7;
  ret;
})";

/// Thread 20 writes to address 8 in a function that it calls for the second time. Line 21 of inside.cu.
const char* const kInside = R"(
.file 1 "inside.cu"
.func keep(.param .b64 where, .param .b32 what) {
  .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [where]; ld.param.u32 %r1, [what];
  .loc 1 21 3
  st.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry plain(.param .u64 data) {
  .reg .b32 %r<3>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  .loc 1 30 3
  { .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd3; st.param.b32 [p1], 5; call keep, (p0, p1); }
  BARRIER
  setp.eq.u32 %p1, %r1, 20; selp.b64 %rd3, 8, %rd3, %p1;
  .loc 1 31 3
  { .param .b64 p0; .param .b32 p1; st.param.b64 [p0], %rd3; st.param.b32 [p1], %r1; call keep, (p0, p1); }
  ret;
})";

const char* const kTrap = R"(
.visible .entry trap_in_one() {
  .reg .b32 %r<2>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 5;
  @%p1 trap;
  bar.sync 0;
  ret;
})";

const char* const kAssert = R"(
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.global .align 1 .b8 message[6] = {120, 32, 62, 32, 48, 0};
.global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};
.global .align 1 .b8 name[2] = {107, 0};
.visible .entry failing() {
  .reg .b32 %r<3>; .reg .b64 %rd<5>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x; setp.ne.s32 %p1, %r1, 9; @%p1 bra $end;
  mov.u64 %rd1, message; cvta.global.u64 %rd1, %rd1;
  mov.u64 %rd2, file; cvta.global.u64 %rd2, %rd2;
  mov.u64 %rd3, name; cvta.global.u64 %rd3, %rd3;
  { .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
    st.param.b64 [p0], %rd1; st.param.b64 [p1], %rd2; st.param.b32 [p2], 12; st.param.b64 [p3], %rd3;
    st.param.b64 [p4], 1;
    call.uni __assertfail, (p0, p1, p2, p3, p4); }
$end:
  ret;
})";

/// Half of the block waits at barrier 1 for 64 threads, half at barrier 2 for 64.
const char* const kDeadlock = R"(
.file 1 "stuck.cu"
.visible .entry stuck() {
  .reg .b32 %r<2>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x; setp.ge.s32 %p1, %r1, 32;
  @%p1 bra $other;
  .loc 1 4 1
  bar.sync 1, 64;
  ret;
$other:
  .loc 1 6 1
  bar.sync 2, 64;
  ret;
})";

const char* const kRecursion = R"(
.func (.param .b32 result) deeper(.param .b32 n) {
  .local .align 4 .b8 frame[256];
  .reg .b32 %r<6>; .reg .pred %p<2>; .reg .b64 %rd<2>;
  ld.param.u32 %r1, [n];
  st.volatile.local.u32 [frame], %r1;
  setp.eq.s32 %p1, %r1, 0; mov.u32 %r3, 0; @%p1 bra $end;
  sub.s32 %r2, %r1, 1;
  { .param .b32 p0; .param .b32 r0;
    st.param.b32 [p0], %r2;
    call.uni (r0), deeper, (p0);
    ld.param.b32 %r3, [r0]; }
$end:
  ld.volatile.local.u32 %r4, [frame]; add.s32 %r3, %r3, %r4;
  st.param.b32 [result], %r3;
  ret;
}
.visible .entry recurse(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<3>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n];
  { .param .b32 p0; .param .b32 r0;
    st.param.b32 [p0], %r1;
    call.uni (r0), deeper, (p0);
    ld.param.b32 %r2, [r0]; }
  st.global.u32 [%rd1], %r2;
  ret;
})";

const char* const kSharedOverrun = R"(
.visible .entry overrun(.param .u32 offset) {
  .shared .align 4 .b8 mine[64];
  .reg .b32 %r<4>;
  ld.param.u32 %r1, [offset]; mov.u32 %r2, mine; add.s32 %r2, %r2, %r1;
  st.volatile.shared.u32 [%r2], %r1;
  ret;
})";

/// b[i] = a[i - 1] with a[-1] outside, in lines 3 (the load) and 2 (the store) of shift.cu.
const char* const kShift = R"(
.file 1 "shift.cu"
.visible .entry shift(.param .u64 a, .param .u64 b) {
  .reg .f32 %f<2>; .reg .b32 %r<5>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.s32 %r4, %r2, %r3, %r1;
  mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  WAIT
  .loc 1 3 9
  ld.global.f32 %f1, [%rd4+-4];
  .loc 1 2 5
  st.global.f32 [%rd5], %f1;
  ret;
})";

/// Thread 9 adds up what it finds outside, in line 5, and stores to the same place twice, the first time in line 8.
const char* const kFolded = R"(
.file 1 "folded.cu"
.visible .entry folded(.param .u64 a, .param .u64 b, .param .u64 load, .param .u64 store) {
  .reg .f32 %f<4>; .reg .b32 %r<5>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd6, [load]; ld.param.u64 %rd7, [store];
  mov.u32 %r1, %tid.x; mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  setp.ne.u32 %p1, %r1, 9; selp.b64 %rd6, 0, %rd6, %p1; selp.b64 %rd7, 0, %rd7, %p1;
  add.s64 %rd6, %rd4, %rd6; add.s64 %rd7, %rd5, %rd7;
  WAIT
  .loc 1 4 9
  ld.global.f32 %f1, [%rd4];
  .loc 1 5 9
  ld.global.f32 %f2, [%rd6];
  .loc 1 6 9
  add.f32 %f3, %f1, %f2;
  .loc 1 8 5
  st.global.f32 [%rd7], %f1;
  .loc 1 9 5
  st.global.f32 [%rd7], %f3;
  ret;
})";

/// b[atomicAdd(counter, 1)] = i: where it ends depends on what the block itself has changed. Line 4 of grow.cu.
const char* const kGrow = R"(
.file 1 "grow.cu"
.visible .entry grow(.param .u64 counter, .param .u64 b) {
  .reg .b32 %r<5>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [counter]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;
  WAIT
  .loc 1 3 5
  atom.global.add.u32 %r2, [%rd1], 1;
  mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3;
  .loc 1 4 5
  st.global.u32 [%rd4], %r1;
  ret;
})";

/// Thread 7 stores 4 bytes at a distance from the block's 256 bytes, as a shared or as a generic address.
const char* const kPastShared = R"(
.visible .entry past(.param .u64 distance) {
  .shared .align 16 .b8 s[256];
  .reg .b32 %r<5>; .reg .b64 %rd<6>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [distance]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
  setp.eq.u32 %p1, %r1, 7; selp.b64 %rd2, %rd1, %rd2, %p1; mov.u64 %rd3, s; ADDRESS
  st.volatileSPACE.u32 [%rd3], %r1;
  ret;
})";

std::string with(std::string text, const std::string& mark, const std::string& instead) {
    return text.replace(text.find(mark), mark.size(), instead);
}

/// Every thread but `which` accesses its own element; that one is `off` bytes beside its own. %rd1 is the element's
/// address, in whatever space `access` is in; `wait` may make the threads coroutines. Line 4 of odd.cu.
std::string beside(const std::string& element, const std::string& access, const std::string& wait,
                   const std::string& address) {
    return ptx(R"(
.file 1 "odd.cu"
.visible .entry odd(.param .u64 data, .param .u32 which, .param .u32 off) {
  .shared .align 16 .b8 s[2048]; .local .align 16 .b8 l[64];
  .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [data]; ld.param.u32 %r1, [which]; ld.param.u32 %r8, [off];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;
)" + address + "mul.wide.u32 %rd2, %r2, " +
               element + "; setp.ne.u32 %p1, %r5, %r1; @%p1 mov.u32 %r8, 0; cvt.u64.u32 %rd3, %r8;\n" +
               "add.u64 %rd1, %rd1, %rd2; add.u64 %rd1, %rd1, %rd3; cvt.u32.u64 %r6, %rd1; mov.u64 %rd4, 0;\n" + wait +
               "\n.loc 1 4 2\n" + access + "\nret;\n}");
}

void contains(const std::string& text, const char* part) {
    QVERIFY2(text.find(part) != std::string::npos, (text + "\nlacks: " + part).c_str());
}

} // namespace

class FaultsTest : public QObject {
    Q_OBJECT
private slots:
    void wildWrites_data() {
        QTest::addColumn<qulonglong>("distance");
        QTest::addColumn<QString>("says");
        QTest::newRow("past the end") << qulonglong{4096} << "0 bytes past the end of the 4096 bytes at 0x";
        QTest::newRow("before") << static_cast<qulonglong>(-512) << "512 bytes before the 4096 bytes at 0x";
        QTest::newRow("no address") << qulonglong{0x8000000000000000} << "outside of any address space";
    }
    void wildWrites() {
        QFETCH(qulonglong, distance);
        QFETCH(QString, says);
        Session s;
        const CUfunction f = s.load(ptx(kWild), "wild");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(4096);
        unsigned which = 77;
        CU(s.launch(f, 16, 64, {&d, &which, &distance}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        const std::string text = last_error_text();
        contains(text, "kernel 'wild'");
        contains(text, "wild.cu:7:5");
        contains(text, "block (1,0,0), thread (13,0,0)");
        contains(text, says.toUtf8());
        // The context has had it, and says so to every call; a new one is fine.
        CUdeviceptr other = 0;
        CU_FAILS(cuMemAlloc(&other, 4), CUDA_ERROR_ILLEGAL_ADDRESS);
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        CU_FAILS(s.launch(f, 1, 1, {&d, &which, &distance}), CUDA_ERROR_ILLEGAL_ADDRESS);
        Session fresh;
        CU(cuMemAlloc(&other, 4));
    }

    void wildWritesInARow() {
        Session s;
        const CUfunction f = s.load(ptx(kWildRow), "wild_row");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(4096);
        unsigned which = 2 * 64 + 37;
        unsigned long long distance = 1ULL << 40;
        std::array<void*, 3> arguments{&d, &which, &distance};
        CU(cuLaunchKernel(f, 4, 1, 1, 16, 8, 1, 0, nullptr, arguments.data(), nullptr));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        contains(last_error_text(), "block (2,0,0), thread (5,2,0)");
    }

    /// Blocks that are done at once: which one it was.
    void misalignedInARow() {
        Session s;
        std::string text = ptx(kWildRow);
        const std::string store = "st.global.u32 [%rd6], %r7;";
        text.replace(text.find(store), store.size(),
                     "@%p1 st.global.u32 [%rd4+2], %r7; @!%p1 st.global.u32 [%rd4], %r7;");
        const CUfunction f = s.load(text, "wild_row");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(4096);
        unsigned which = 2 * 64 + 21;
        unsigned long long distance = 0;
        std::array<void*, 3> arguments{&d, &which, &distance};
        CU(cuLaunchKernel(f, 4, 1, 1, 16, 8, 1, 0, nullptr, arguments.data(), nullptr));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
        contains(last_error_text(), "block (1,0,0), thread (5,2,0)");
    }

    /// Told as of the function, whether it is called or stands in the kernel.
    void wildWritesInAFunction() {
        for (const char* barrier : {"", "bar.sync 0;"}) {
            Session s;
            std::string text = ptx(kInside);
            const std::string mark = "BARRIER";
            text.replace(text.find(mark), mark.size(), barrier);
            const CUfunction f = s.load(text, "plain");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr d = s.allocate(4096);
            CU(s.launch(f, 1, 64, {&d}));
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
            contains(last_error_text(), "kernel 'plain'");
            contains(last_error_text(), "inside.cu:21:3");
            contains(last_error_text(), "thread (20,0,0)");
        }
    }

    void theLoadOfACopyIsTold() {
        for (const char* wait : {"", "bar.sync 0;"}) {
            Session s;
            const CUfunction f = s.load(with(ptx(kShift), "WAIT", wait), "shift");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr a = s.allocate(4096), b = s.allocate(4096);
            CU(s.launch(f, 4, 256, {&a, &b}));
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
            const std::string text = last_error_text();
            contains(text, "shift.cu:3:9 (PTX line 13: ld.global.f32)");
            contains(text, "block (0,0,0), thread (0,0,0)");
            contains(text, QByteArray::number(a - 4, 16));
            contains(text, "4 bytes before the 4096 bytes at 0x");
        }
    }

    void accessesThatCodeJoinsAreTold() {
        for (const char* wait : {"", "bar.sync 0;"})
            for (const bool load : {true, false}) {
                Session s;
                const CUfunction f = s.load(with(ptx(kFolded), "WAIT", wait), "folded");
                QVERIFY2(f, last_error_text().c_str());
                CUdeviceptr a = s.allocate(4096), b = s.allocate(4096);
                std::uint64_t distance = std::uint64_t{1} << 33, none = 0;
                CU(s.launch(f, 1, 32, {&a, &b, load ? &distance : &none, load ? &none : &distance}));
                CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
                const std::string text = last_error_text();
                contains(text, load ? "folded.cu:5:9" : "folded.cu:8:5");
                contains(text, load ? "ld.global.f32" : "st.global.f32");
                contains(text, "block (0,0,0), thread (9,0,0)");
                contains(text, QByteArray::number((load ? a : b) + 36 + distance, 16));
            }
    }

    /// The block that is run again finds another counter: what is told must not be made up.
    void whatABlockHasChangedDoesNotMislead() {
        for (const char* wait : {"", "bar.sync 0;"}) {
            Session s;
            const CUfunction f = s.load(with(ptx(kGrow), "WAIT", wait), "grow");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr counter = s.upload(std::vector<unsigned>{1000}), b = s.allocate(4096);
            CU(s.launch(f, 1, 64, {&counter, &b}));
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
            const std::string text = last_error_text();
            contains(text, "grow.cu:4:5");
            contains(text, "st.global.u32");
            contains(text, QByteArray::number(b + 4096, 16));
            contains(text, "0 bytes past the end of the 4096 bytes at 0x");
            QVERIFY2(text.find("thread (0,0,0)") == std::string::npos, text.c_str());
        }
    }

    void sharedMemoryIsToldAsSuch_data() {
        QTest::addColumn<qulonglong>("distance");
        QTest::addColumn<QString>("says");
        QTest::newRow("at its end") << qulonglong{256} << "0 bytes past the 256 bytes of shared memory of the block";
        QTest::newRow("past it") << qulonglong{256 + 128}
                                 << "128 bytes past the 256 bytes of shared memory of the block";
        QTest::newRow("far past it") << (qulonglong{1} << 20)
                                     << "1048320 bytes past the 256 bytes of shared memory of the block";
        QTest::newRow("before it") << qulonglong(-8192)
                                   << "8192 bytes before the 256 bytes of shared memory of the block";
    }
    void sharedMemoryIsToldAsSuch() {
        QFETCH(qulonglong, distance);
        QFETCH(QString, says);
        for (const bool generic : {false, true}) {
            Session s;
            const std::string address = generic ? "cvta.shared.u64 %rd3, %rd3; add.u64 %rd3, %rd3, %rd2;"
                                                : "add.u64 %rd3, %rd3, %rd2; and.b64 %rd3, %rd3, 0xffffffff;";
            const CUfunction f =
                s.load(with(with(ptx(kPastShared), "ADDRESS", address), "SPACE", generic ? "" : ".shared"), "past");
            QVERIFY2(f, last_error_text().c_str());
            CU(s.launch(f, 1, 32, {&distance}));
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
            const std::string text = last_error_text();
            contains(text, "thread (7,0,0)");
            if (!generic)
                contains(text,
                         ("shared address 0x" + QByteArray::number(static_cast<unsigned>(distance), 16)).constData());
            contains(text, says.toUtf8());
        }
    }

    void memoryThatWasFreedIsToldAsSuch() {
        Session s;
        const CUfunction f = s.load(ptx(kWild), "wild");
        CUdeviceptr d = s.allocate(4096);
        CU(cuMemFree(d));
        CUdeviceptr other = s.allocate(4096); // does not take its place
        QVERIFY(other != d);
        unsigned which = 5000;
        unsigned long long distance = 0;
        CU(s.launch(f, 1, 32, {&d, &which, &distance}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        contains(last_error_text(), "byte 0 of the 4096 bytes at 0x");
        contains(last_error_text(), "(device memory), which was freed");
    }

    void nullPointers() {
        Session s;
        const CUfunction f = s.load(ptx(kWild), "wild");
        CUdeviceptr d = 0;
        unsigned which = 5000;
        unsigned long long distance = 0;
        CU(s.launch(f, 1, 32, {&d, &which, &distance}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        contains(last_error_text(), "null pointer");
    }

    void sharedMemoryHasAnEnd() {
        for (const unsigned offset : {64U, 1U << 20, 0x7FFFFFF0U}) {
            Session s;
            const CUfunction f = s.load(ptx(kSharedOverrun), "overrun");
            QVERIFY2(f, last_error_text().c_str());
            unsigned inside = 60;
            CU(s.launch(f, 1, 1, {&inside}));
            CU(cuCtxSynchronize());
            unsigned outside = offset;
            CU(s.launch(f, 1, 1, {&outside}));
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
        }
    }

    void misalignedAccesses_data() {
        QTest::addColumn<QString>("element");
        QTest::addColumn<QString>("access");
        QTest::addColumn<QString>("wait");
        QTest::addColumn<QString>("address");
        QTest::addColumn<unsigned>("off");
        struct Access {
            const char *element, *text;
            unsigned off;
        };
        const QString global = "cvta.to.global.u64 %rd1, %rd1;", shared = "mov.u64 %rd1, s;",
                      generic = "mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1;",
                      local = "mov.u64 %rd1, l; and.b32 %r2, %r2, 3;";
        const auto add = [](const QString& element, const QString& text, const QString& address, unsigned off) {
            for (const char* wait : {"", "bar.sync 0;"})
                QTest::newRow(qPrintable(text + ' ' + address + ' ' + wait))
                    << element << text << wait << address << off;
        };
        add("2", "ld.global.u16 %h1, [%rd1]; st.global.u16 [%rd1], %h1;", global, 1);
        add("4", "ld.global.u32 %r7, [%rd1+8]; st.global.u32 [%rd1], %r7;", global, 2);
        add("4", "ld.volatile.global.u32 %r7, [%rd1]; st.volatile.global.u32 [%rd1], %r7;", global, 3);
        add("4", "st.u32 [%rd1], %r1;", global, 1);
        add("8", "st.global.u64 [%rd1], %rd2;", global, 4);
        add("8", "st.global.v2.u32 [%rd1], {%r1, %r2};", global, 4);
        add("16", "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1]; st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};",
            global, 4);
        add("16", "st.global.v2.u64 [%rd1], {%rd2, %rd3};", global, 8);
        add("8", "atom.global.add.u64 %rd5, [%rd1], %rd2;", global, 4);
        add("4", "red.global.max.s32 [%rd1], %r1;", global, 2);
        add("4", "st.shared.u32 [%r6], %r1;", shared, 2);
        add("16", "st.shared.v4.u32 [%r6], {%r1, %r2, %r3, %r4};", shared, 8);
        add("4", "atom.shared.exch.b32 %r7, [%r6], %r1;", shared, 1);
        add("8", "mbarrier.init.shared.b64 [%r6], 1;", shared, 4);
        add("4", "st.u32 [%rd1], %r1;", generic, 2);
        add("4", "st.volatile.local.u32 [%rd1], %r1;", local, 2);
        add("16", "st.volatile.local.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};", local, 4);
    }
    void misalignedAccesses() {
        QFETCH(QString, element);
        QFETCH(QString, access);
        QFETCH(QString, wait);
        QFETCH(QString, address);
        QFETCH(unsigned, off);
        Session s;
        const CUfunction f = s.load(
            beside(element.toStdString(), access.toStdString(), wait.toStdString(), address.toStdString()), "odd");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(std::size_t{1} << 16);
        unsigned which = 5000, none = 0, which_one = 75;
        CU(s.launch(f, 4, 32, {&d, &which, &off}));
        CU(s.launch(f, 4, 32, {&d, &which_one, &none}));
        CU(cuCtxSynchronize());
        CU(s.launch(f, 4, 32, {&d, &which_one, &off}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
        const std::string text = last_error_text();
        contains(text, "misaligned address in kernel 'odd'");
        contains(text, "odd.cu:4:2");
        contains(text, "block (2,0,0), thread (11,0,0)");
        contains(text, ": not a multiple of ");
        if (address.contains("global")) {
            QCOMPARE(element.toUInt(), QByteArray::fromStdString(text).trimmed().split(' ').last().toUInt());
            contains(text, QByteArray::number(d + 11 * element.toUInt() + off + (access.contains("+8") ? 8 : 0), 16));
        }
    }

    /// Code for many threads tests a parameter instead of each address.
    void oddPointers_data() {
        QTest::addColumn<unsigned>("words");
        QTest::addColumn<unsigned>("bytes");
        QTest::addColumn<unsigned>("threads");
        QTest::addColumn<int>("error");
        QTest::newRow("of words") << 2U << 0U << 300U << int{CUDA_ERROR_MISALIGNED_ADDRESS};
        QTest::newRow("of words, few threads") << 1U << 0U << 7U << int{CUDA_ERROR_MISALIGNED_ADDRESS};
        QTest::newRow("of words, no thread") << 2U << 0U << 0U << int{CUDA_SUCCESS};
        QTest::newRow("of bytes") << 0U << 3U << 300U << int{CUDA_SUCCESS};
    }
    void oddPointers() {
        QFETCH(unsigned, words);
        QFETCH(unsigned, bytes);
        QFETCH(unsigned, threads);
        QFETCH(int, error);
        Session s;
        const CUfunction f = s.load(ptx(R"(
.file 1 "odd.cu"
.visible .entry odd_pointer(.param .u64 words, .param .u64 bytes, .param .u32 n) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [bytes]; ld.param.u32 %r1, [n];
  cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $end;
  cvt.s64.s32 %rd3, %r5; add.s64 %rd4, %rd2, %rd3;
  st.global.u8 [%rd4], %r5;
  mul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd1, %rd5;
  .loc 1 9 3
  ld.global.u32 %r6, [%rd6];
  add.s32 %r7, %r6, 1;
  st.global.u32 [%rd6], %r7;
$end:
  ret;
})"),
                                    "odd_pointer");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(4096), b = s.allocate(4096);
        CU(cuMemsetD8(d, 0, 4096));
        CUdeviceptr of_words = d + words, of_bytes = b + bytes;
        CU(s.launch(f, 4, 128, {&of_words, &of_bytes, &threads}));
        if (error == CUDA_SUCCESS) {
            CU(cuCtxSynchronize());
            std::vector<unsigned> result(512);
            CU(cuMemcpyDtoH(result.data(), d, 2048));
            for (unsigned i = 0; i < 512; ++i)
                QCOMPARE(result[i], i < threads ? 1U : 0U);
            return;
        }
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
        const std::string text = last_error_text();
        contains(text, "odd.cu:9:3");
        contains(text, "block (0,0,0), thread (0,0,0)");
        contains(text, QByteArray::number(of_words, 16));
    }

    /// Beside an access that the pointer must be aligned for lies one that it must not be aligned for.
    void pointersBesideElements_data() {
        QTest::addColumn<unsigned>("off");
        QTest::addColumn<unsigned>("beside");
        QTest::addColumn<bool>("aligned");
        QTest::newRow("at it, aligned") << 0U << 0U << true;
        QTest::newRow("at it") << 2U << 0U << false;
        QTest::newRow("beside it, aligned") << 0U << 1U << false;
        QTest::newRow("beside it") << 2U << 1U << true;
    }
    void pointersBesideElements() {
        QFETCH(unsigned, off);
        QFETCH(unsigned, beside);
        QFETCH(bool, aligned);
        Session s;
        const CUfunction f = s.load(ptx(R"(
.visible .entry beside(.param .u64 words, .param .u32 beside) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [words]; ld.param.u32 %r1, [beside];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r3, %r4, %r2;
  mul.wide.s32 %rd5, %r5, 4; add.s64 %rd6, %rd1, %rd5;
  setp.ne.s32 %p1, %r1, 0;
  @%p1 bra $beside;
  st.global.u32 [%rd6], %r5;
  bra $end;
$beside:
  st.global.u32 [%rd6+2], %r5;
$end:
  ret;
})"),
                                    "beside");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr d = s.allocate(4096), words = d + off;
        CU(s.launch(f, 2, 128, {&words, &beside}));
        if (!aligned) {
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
            return;
        }
        CU(cuCtxSynchronize());
        std::vector<unsigned> result(256);
        CU(cuMemcpyDtoH(result.data(), words + 2ULL * beside, 1024));
        for (unsigned i = 0; i < 256; ++i)
            QCOMPARE(result[i], i);
    }

    void anAddressThatIsWrongInBothWaysIsMisaligned() {
        Session s;
        const CUfunction f = s.load(ptx(kWild), "wild");
        CUdeviceptr d = s.allocate(4096);
        unsigned which = 3;
        unsigned long long distance = (1ULL << 40) + 2;
        CU(s.launch(f, 1, 64, {&d, &which, &distance}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_MISALIGNED_ADDRESS);
        contains(last_error_text(), "thread (3,0,0)");
    }

    void traps() {
        Session s;
        const CUfunction f = s.load(ptx(kTrap), "trap_in_one");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 1, 32, {}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
        contains(last_error_text(), "trap");
        contains(last_error_text(), "thread (5,0,0)");
    }

    void asserts() {
        Session s;
        const CUfunction f = s.load(ptx(kAssert), "failing");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 1, 32, {}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_ASSERT);
        contains(last_error_text(), "thread (9,0,0)");
    }

    void deadlocksTellWhereThreadsWait() {
        Session s;
        const CUfunction f = s.load(ptx(kDeadlock), "stuck");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 3, 64, {}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
        const std::string text = last_error_text();
        contains(text, "deadlock in kernel 'stuck'");
        contains(text, "32 threads, first (0,0,0), at a barrier 1 at stuck.cu:4");
        contains(text, "32 threads, first (32,0,0), at a barrier 2 at stuck.cu:6");
    }

    void endlessRecursionIsStopped() {
        Session s;
        const CUfunction f = s.load(ptx(kRecursion), "recurse");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr out = s.allocate(4);
        unsigned n = 100;
        CU(s.launch(f, 1, 1, {&out, &n}));
        QCOMPARE(s.download<int>(out, 1)[0], 5050);
        n = 4000000000U;
        CU(s.launch(f, 1, 1, {&out, &n}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_HARDWARE_STACK_ERROR);
    }

    void workBehindAFaultIsNotDone() {
        Session s;
        const CUfunction f = s.load(ptx(kTrap), "trap_in_one");
        void* p = nullptr;
        CU(cuMemAllocHost(&p, 4));
        auto* host = static_cast<volatile int*>(p);
        *host = 1;
        CUdeviceptr zero = s.upload(std::vector<int>{0});
        CU(s.launch(f, 1, 32, {}));
        (void)cuMemcpyDtoHAsync(p, zero, 4, nullptr);
        CU_FAILS(cuStreamSynchronize(nullptr), CUDA_ERROR_LAUNCH_FAILED);
        QCOMPARE(*host, 1);
    }

    void badModules_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto invalid = static_cast<int>(CUDA_ERROR_INVALID_PTX);
        QTest::newRow("unknown instruction")
            << QString::fromStdString(ptx(".visible .entry k() {\n  foo.s32;\n  ret;\n}")) << invalid << "line 5";
        QTest::newRow("cut in half") << QString::fromStdString(ptx(".visible .entry k() {\n  .reg .b3")) << invalid
                                     << "line";
        QTest::newRow("future version") << ".version 99.0\n.target sm_80\n.address_size 64\n"
                                        << static_cast<int>(CUDA_ERROR_UNSUPPORTED_PTX_VERSION) << "99";
        QTest::newRow("newer target") << ".version 7.8\n.target sm_90\n.address_size 64\n" << invalid << "sm_90";
        QTest::newRow("no PTX at all") << "hello" << static_cast<int>(CUDA_ERROR_INVALID_IMAGE) << "neither PTX";
        QTest::newRow("a cubin") << "\x7f"
                                    "ELF\x02\x01\x01"
                                 << static_cast<int>(CUDA_ERROR_NO_BINARY_FOR_GPU) << "CUBIN";
        QTest::newRow("too much static shared")
            << QString::fromStdString(ptx(".visible .entry k() {\n .shared .align 4 .b8 s[50000];\n .reg .b32 %r<2>;\n"
                                          " ld.shared.u32 %r1, [s];\n ret;\n}"))
            << invalid << "too much shared";
    }
    void badModules() {
        QFETCH(QString, text);
        QFETCH(int, code);
        QFETCH(QString, says);
        Session s;
        char log[1024] = "";
        CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
        void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
        CUmodule module = nullptr;
        CU_FAILS(cuModuleLoadDataEx(&module, text.toUtf8().constData(), 2, options, values),
                 static_cast<CUresult>(code));
        contains(log, says.toUtf8());
        QCOMPARE(reinterpret_cast<std::size_t>(values[1]), std::strlen(log));
        CU(cuCtxSynchronize()); // a module that does not load does no harm
    }
};

QTEST_APPLESS_MAIN(FaultsTest)
#include "test_faults.moc"
