// SPDX-License-Identifier: Apache-2.0
// One kernel for each thing that kernels do wrong: the driver's code, and a message that says which kernel, where in
// its source, which block and thread, and what was there. Alone and behind a barrier, so that threads run in a plain
// loop and as coroutines; the program runs again with threads side by side everywhere and nowhere.
#include "driver_fixture.hpp"

namespace {

struct Wrong {
    const char* name;
    const char*
        body; ///< of thread 5 of block 1; %rd1 = 4096 bytes, %rd2 = 5 bytes further, -2^45 at [%rd1+8], %r1 = %tid.x
    CUresult code;
    const char* says;
    const char* at = "wrong.cu:7:3"; ///< where it is told to be
};

constexpr CUresult kIllegal = CUDA_ERROR_ILLEGAL_ADDRESS, kMisaligned = CUDA_ERROR_MISALIGNED_ADDRESS;

const char* const kFarPast = "1024.0 GiB past the end of the 4096 bytes at 0x";

const Wrong kWrong[] = {
    {"a load far from everything", "add.u64 %rd3, %rd1, 0x10000000000; ld.volatile.global.u32 %r3, [%rd3];", kIllegal,
     kFarPast},
    {"a load behind an allocation", "ld.volatile.global.u32 %r3, [%rd1+4100];", kIllegal,
     "4 bytes past the end of the 4096 bytes at 0x"},
    {"a store before an allocation", "st.global.u32 [%rd1+-256], %r1;", kIllegal,
     "256 bytes before the 4096 bytes at 0x"},
    {"a vector's store", "add.u64 %rd3, %rd1, 0x10000000000; st.global.v4.u32 [%rd3], {%r1, %r1, %r1, %r1};", kIllegal,
     kFarPast},
    {"an atomic operation", "add.u64 %rd3, %rd1, 0x10000000000; atom.global.add.u32 %r3, [%rd3], 1;", kIllegal,
     kFarPast},
    {"a reduction", "red.global.add.u32 [%rd1+4096], 1;", kIllegal, "0 bytes past the end"},
    {"a copy to shared memory", "mov.u32 %r3, s; cp.async.ca.shared.global [%r3], [%rd1+4096], 16; cp.async.wait_all;",
     kIllegal, "0 bytes past the end"},
    {"a null pointer", "mov.u64 %rd3, 16; st.u32 [%rd3], %r1;", kIllegal, "null pointer"},
    {"no address at all", "mov.u64 %rd3, 0x8000000000000000; ld.volatile.u32 %r3, [%rd3];", kIllegal,
     "outside of any address space"},
    {"a constant behind its bank",
     "mov.u64 %rd3, c; add.u64 %rd3, %rd3, 0x10000000000; ld.const.u32 %r3, [%rd3];"
     "st.global.u32 [%rd1], %r3;",
     kIllegal, "address 0x"},
    {"shared memory behind the window",
     "mov.u32 %r3, s; add.u32 %r3, %r3, 0x100000; st.volatile.shared.u32 [%r3], %r1;", kIllegal, "shared"},
    {"shared memory before the window", "mov.u32 %r3, s; sub.u32 %r3, %r3, 0x10000; ld.volatile.shared.u32 %r3, [%r3];",
     kIllegal, "shared"},
    {"shared memory before the window, by a register that wraps",
     "mov.u32 %r3, s; sub.u32 %r3, %r3, 0x10010; ld.volatile.shared.u32 %r3, [%r3+16];", kIllegal, "shared"},
    {"shared memory behind the window, by a register that wraps",
     "mov.u32 %r3, s; sub.u32 %r3, %r3, 0x10000; st.volatile.shared.u32 [%r3+0x120000], %r1;", kIllegal, "shared"},
    {"shared memory by a generic address",
     "mov.u64 %rd3, s; cvta.shared.u64 %rd3, %rd3; add.u64 %rd3, %rd3, 0x100000; st.u32 [%rd3], %r1;", kIllegal,
     "address 0x"},
    {"local memory",
     "ld.global.u64 %rd4, [%rd1+8]; mov.u64 %rd3, l; add.u64 %rd3, %rd3, %rd4; st.volatile.local.u32 [%rd3], %r1;",
     kIllegal, "address 0x"},
    {"an odd address in global memory", "st.global.u32 [%rd2], %r1;", kMisaligned, "not a multiple of 4"},
    {"an odd address of an atomic operation", "atom.global.add.u32 %r3, [%rd2], 1;", kMisaligned,
     "not a multiple of 4"},
    {"an odd address in shared memory", "mov.u32 %r3, s; add.u32 %r3, %r3, 2; st.volatile.shared.u32 [%r3], %r1;",
     kMisaligned, "not a multiple of 4"},
    {"an odd address in local memory", "mov.u64 %rd3, l; add.u64 %rd3, %rd3, 2; st.volatile.local.u32 [%rd3], %r1;",
     kMisaligned, "not a multiple of 4"},
    {"an odd address of constants",
     "mov.u64 %rd3, c; add.u64 %rd3, %rd3, 1; ld.const.u32 %r3, [%rd3];"
     "st.global.u32 [%rd1], %r3;",
     kMisaligned, "not a multiple of 4"},
    {"an odd generic address", "ld.volatile.u32 %r3, [%rd2];", kMisaligned, "not a multiple of 4"},
    {"an odd address of a copy", "mov.u32 %r3, s; cp.async.ca.shared.global [%r3], [%rd2], 4; cp.async.wait_all;",
     kMisaligned, "not a multiple of 4"},
    {"an address that is odd every other time",
     "mov.u32 %r3, 0; mov.u64 %rd3, %rd1; L: ld.global.u32 %r4, [%rd3]; st.global.u32 [%rd1], %r4; add.u64 %rd3, %rd3,"
     "6; add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 4; @%p3 bra L;",
     kMisaligned, "not a multiple of 4"},
    {"an address that was another one before",
     "mov.u32 %r3, 0; mov.u64 %rd3, %rd1; mov.u64 %rd4, %rd2; L: ld.global.u32 %r4, [%rd3]; st.global.u32 [%rd1], %r4;"
     "add.u64 %rd5, %rd3, 8; mov.u64 %rd3, %rd4; mov.u64 %rd4, %rd5; add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 4;"
     "@%p3 bra L;",
     kMisaligned, "not a multiple of 4"},
    {"a trap", "trap;", CUDA_ERROR_LAUNCH_FAILED, "trap"},
    {"a pointer that is no function", "P: .callprototype _ (); mov.u64 %rd3, 0x1230; call %rd3, (), P;",
     CUDA_ERROR_INVALID_PC, "no function"},
    {"a pointer to data that is no function", "Q: .callprototype _ (); call %rd1, (), Q;", CUDA_ERROR_INVALID_PC,
     "no function"},
    {"memory freed twice",
     "{ .param .b64 p; .param .b64 r; st.param.b64 [p], 64; call.uni (r), malloc, (p); ld.param.b64 %rd3, [r]; }"
     "{ .param .b64 p; st.param.b64 [p], %rd3; call.uni free, (p); }"
     "{ .param .b64 p; st.param.b64 [p], %rd3; call.uni free, (p); }",
     CUDA_ERROR_LAUNCH_FAILED, "freed"},
    {"memory freed that was never allocated", "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }",
     CUDA_ERROR_LAUNCH_FAILED, "freed"},
    {"a failed assertion",
     "mov.u64 %rd3, m; cvta.global.u64 %rd3, %rd3;"
     "{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4; st.param.b64 [p0], %rd3;"
     "st.param.b64 [p1], %rd3; st.param.b32 [p2], 12; st.param.b64 [p3], %rd3; st.param.b64 [p4], 1;"
     "call.uni __assertfail, (p0, p1, p2, p3, p4); }",
     CUDA_ERROR_ASSERT, "assert"},
    {"recursion without end", "{ .param .b64 p; st.param.b64 [p], %rd1; call.uni deeper, (p); }",
     CUDA_ERROR_HARDWARE_STACK_ERROR, "stack", ""},
};

std::string kernel(const char* body, const char* wait) {
    return ptx(std::string(R"(
.file 1 "wrong.cu"
.extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);
.extern .func (.param .b64 r) malloc (.param .b64 s);
.extern .func free (.param .b64 p);
.const .align 4 .b32 c[4] = {1, 2, 3, 4};
.global .align 1 .b8 m[6] = {120, 32, 62, 32, 48, 0};
.func deeper(.param .b64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.volatile.global.u32 %r1, [%rd1];
  { .param .b64 p0; st.param.b64 [p0], %rd1; call.uni deeper, (p0); }
  st.volatile.global.u32 [%rd1], %r1;
  ret;
}
.visible .entry k(.param .u64 data) {
  .shared .align 16 .b8 s[64]; .local .align 16 .b8 l[64];
  .reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; add.u64 %rd2, %rd1, 5;
  setp.eq.u32 %p1, %r1, 5; setp.eq.and.u32 %p2, %r2, 1, %p1;
  )") + wait + "\n@!%p2 bra DONE;\n.loc 1 7 3\n" +
               body + "\nDONE: ret;\n}\n");
}

void contains(const std::string& text, const char* part) {
    QVERIFY2(text.find(part) != std::string::npos, (text + "\nlacks: " + part).c_str());
}

/// Whole blocks that wait for ever.
struct Stuck {
    const char *name, *body, *first, *second;
};
const Stuck kStuck[] = {
    {"two barriers", "@%p1 bra A; .loc 1 4 1 \n bar.sync 1, 64; ret; A: .loc 1 6 1 \n bar.sync 2, 64; ret;",
     "at a barrier 1 at stuck.cu:4", "at a barrier 2 at stuck.cu:6"},
    {"a barrier of more than there are", ".loc 1 4 1 \n bar.sync 0, 96; ret;", "at a barrier 0 at stuck.cu:4",
     "64 threads"},
    {"half a warp at a barrier",
     "and.b32 %r2, %r1, 31; setp.lt.u32 %p1, %r2, 16; @%p1 bra A; .loc 1 4 1 \n bar.sync 0;"
     "ret; A: .loc 1 6 1 \n shfl.sync.idx.b32 %r3, %r1, 0, 31, -1; ret;",
     "at a barrier 0 at stuck.cu:4", "lanes of its warp (mask 0xffffffff) at stuck.cu:6"},
    {"two warp operations",
     "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; @%p1 bra A; .loc 1 4 1 \n"
     "bar.warp.sync -1; ret; A: .loc 1 6 1 \n vote.sync.ballot.b32 %r3, %p1, -1; ret;",
     "at stuck.cu:4", "at stuck.cu:6"},
};

} // namespace

class WrongKernelsTest : public QObject {
    Q_OBJECT
private slots:
    void wrong_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("wait");
        for (std::size_t k = 0; k < std::size(kWrong); ++k) {
            QTest::newRow(kWrong[k].name) << static_cast<int>(k) << "";
            QTest::newRow((std::string(kWrong[k].name) + ", behind a barrier").c_str())
                << static_cast<int>(k) << "bar.sync 0;";
        }
    }
    void wrong() {
        QFETCH(int, which);
        QFETCH(QString, wait);
        const Wrong& w = kWrong[which];
        Session s;
        const CUfunction f = s.load(kernel(w.body, qPrintable(wait)), "k");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<unsigned long long> words(512);
        words[1] = 0ULL - (1ULL << 45); // further than the process has anything
        CUdeviceptr data = s.upload(words);
        CU(s.launch(f, 3, 32, {&data}));
        CU_FAILS(cuCtxSynchronize(), w.code);
        const std::string text = last_error_text();
        // Memory may be so high that what lies far past it is no address.
        const bool no_address = w.says == kFarPast && (data + (1ULL << 40)) >> 47;
        contains(text, no_address ? "outside of any address space" : w.says);
        contains(text, "kernel 'k'");
        contains(text, w.at);
        contains(text, "block (1,0,0), thread (5,0,0)");
        // The context is lost, another one is not.
        CU_FAILS(s.launch(f, 3, 32, {&data}), w.code);
        CU_FAILS(cuMemFree(data), w.code);
        Session next;
        const CUfunction good = next.load(kernel("st.global.u32 [%rd1], 7;", qPrintable(wait)), "k");
        CUdeviceptr other = next.allocate(4096);
        CU(next.launch(good, 3, 32, {&other}));
        QCOMPARE(next.download<int>(other, 1)[0], 7);
    }

    void stuck_data() {
        QTest::addColumn<int>("which");
        for (std::size_t k = 0; k < std::size(kStuck); ++k)
            QTest::newRow(kStuck[k].name) << static_cast<int>(k);
    }
    void stuck() {
        QFETCH(int, which);
        const Stuck& w = kStuck[which];
        Session s;
        const CUfunction f = s.load(ptx(std::string(R"(
.file 1 "stuck.cu"
.visible .entry stuck() {
  .reg .b32 %r<6>; .reg .pred %p<2>;
  mov.u32 %r1, %tid.x; setp.ge.s32 %p1, %r1, 32;
)") + w.body + "\n}\n"),
                                    "stuck");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 3, 64, {}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
        const std::string text = last_error_text();
        contains(text, "deadlock in kernel 'stuck'");
        contains(text, w.first);
        contains(text, w.second);
    }

    /// Lanes of a vector cannot wait for each other.
    void a_warp_operation_that_names_others() {
        Session s;
        const CUfunction f = s.load(ptx(R"(
.file 1 "few.cu"
.visible .entry few() {
  .reg .b32 %r<4>; .reg .pred %p<2>;
  mov.u32 %r1, %laneid; setp.gt.u32 %p1, %r1, 3; @%p1 bra A;
  .loc 1 4 1
  vote.sync.ballot.b32 %r2, %p1, 0xff;
A: bar.sync 0; ret;
})"),
                                    "few");
        QVERIFY2(f, last_error_text().c_str());
        CU(s.launch(f, 3, 64, {}));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_FAILED);
        contains(last_error_text(), "few.cu:4");
    }

    /// A heap that is empty gives null, and what is given back is there again.
    void an_empty_heap() {
        Session s;
        const CUfunction f = s.load(ptx(R"(
.extern .func (.param .b64 r) malloc (.param .b64 s);
.extern .func free (.param .b64 p);
.visible .entry k(.param .u64 data) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [data]; mov.u32 %r1, 0; mov.u64 %rd4, 0;
A: { .param .b64 p; .param .b64 r; st.param.b64 [p], 1048000; call.uni (r), malloc, (p); ld.param.b64 %rd3, [r]; }
  setp.eq.u64 %p1, %rd3, 0; @%p1 bra B;
  st.u64 [%rd3], %rd4; mov.u64 %rd4, %rd3; add.u32 %r1, %r1, 1;
  bra A;
B: setp.eq.u64 %p1, %rd4, 0; @%p1 bra C;
  ld.u64 %rd5, [%rd4];
  { .param .b64 p; st.param.b64 [p], %rd4; call.uni free, (p); }
  mov.u64 %rd4, %rd5; bra B;
C: st.global.u32 [%rd1], %r1;
  ret;
})"),
                                    "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr data = s.allocate(4);
        for (int round = 0; round < 3; ++round) {
            CU(s.launch(f, 1, 1, {&data}));
            CU(cuCtxSynchronize());
            QCOMPARE(s.download<unsigned>(data, 1)[0], 8U); // of 8 MiB
        }
    }

    /// All ones, as on a GPU; what has no result in its type wraps.
    void division_by_zero() {
        Session s;
        const CUfunction f = s.load(ptx(R"(
.visible .entry k(.param .u64 data) {
  .reg .b32 %r<16>; .reg .b64 %rd<16>;
  ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 64; add.u64 %rd2, %rd1, %rd2;
  ld.global.u32 %r2, [%rd2]; ld.global.u32 %r3, [%rd2+4]; ld.global.u64 %rd3, [%rd2+8]; ld.global.u64 %rd4, [%rd2+16];
  div.u32 %r4, %r2, %r3; rem.u32 %r5, %r2, %r3; div.s32 %r6, %r2, %r3; rem.s32 %r7, %r2, %r3;
  st.global.u32 [%rd2+24], %r4; st.global.u32 [%rd2+28], %r5; st.global.u32 [%rd2+32], %r6;
  st.global.u32 [%rd2+36], %r7;
  div.u64 %rd5, %rd3, %rd4; rem.u64 %rd6, %rd3, %rd4; st.global.u64 [%rd2+40], %rd5; st.global.u64 [%rd2+48], %rd6;
  ret;
})"),
                                    "k");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<unsigned> words(32 * 16);
        for (unsigned t = 0; t < 32; ++t) {
            words[t * 16] = t == 3 ? 0x80000000U : 1000 + t;
            words[t * 16 + 1] = t == 3 ? 0xffffffffU : 0;
            words[t * 16 + 2] = 77 + t;
        }
        const CUdeviceptr data = s.upload(words);
        CU(s.launch(f, 1, 32, {const_cast<CUdeviceptr*>(&data)}));
        CU(cuCtxSynchronize());
        const auto found = s.download<unsigned>(data, words.size());
        for (unsigned t = 0; t < 32; ++t) {
            const unsigned* w = found.data() + t * 16;
            if (t == 3) {
                QCOMPARE(w[8], 0x80000000U); // the least number by -1
                QCOMPARE(w[9], 0U);
                continue;
            }
            for (unsigned k = 6; k < 14; ++k)
                QCOMPARE(w[k], 0xffffffffU);
        }
    }
};

QTEST_GUILESS_MAIN(WrongKernelsTest)
#include "test_wrong_kernels.moc"
