// SPDX-License-Identifier: Apache-2.0
// Kernels that never end are ended from outside, whatever they are doing, and say where they were.
#include "driver_fixture.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

constexpr auto kSoon = std::chrono::milliseconds(100);

using Clock = std::chrono::steady_clock;

int milliseconds(Clock::duration d) {
    return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(d).count());
}

/// A kernel `k(.u64 data)`, %rd1 = data, %r1 = %tid.x, %r2 = %ctaid.x. `globals` stand before it.
std::string kernel(const char* body, const char* globals) {
    return ptx(std::string(R"(.file 1 "endless.cu"
)") + globals + R"(
.visible .entry k(.param .u64 data) {
  .reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %d<4>;
  ld.param.u64 %rd1, [data]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
  .loc 1 7 3
)" + body + "\nret;\n}\n");
}

struct Endless {
    const char* name;
    const char* body;
    const char* globals = "";
    unsigned grid = 4, block = 64;
    bool cooperative = false;
    const char* says = "kernel 'k'"; ///< the message, besides that it was cancelled
};

const char* const kVprintf = ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                             ".global .align 1 .b8 text[3] = {104, 10, 0};\n";
const char* const kMalloc = ".extern .func (.param .b64 r) malloc (.param .b64 s);\n"
                            ".extern .func free (.param .b64 p);\n";
const char* const kDeeper = R"(
.func deeper(.param .b64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.volatile.global.u32 %r1, [%rd1];
  { .param .b64 p0; st.param.b64 [p0], %rd1; call.uni deeper, (p0); }
  st.volatile.global.u32 [%rd1], %r1;
  ret;
})";
const char* const kTurns = R"(
.func turns(.param .b64 p) {
  .reg .b64 %rd<2>; .reg .b32 %r<2>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [p];
A: ld.global.u32 %r1, [%rd1]; bar.sync 0; setp.ne.u32 %p1, %r1, 77; @%p1 bra A;
  ret;
})";

const Endless kEndless[] = {
    {"nothing but a jump", "A: bra A;", "", 4, 64, false, "at endless.cu:7:3"},
    {"a jump of one thread", "setp.ne.u32 %p1, %r1, 3; @%p1 bra B; A: bra A; B:"},
    {"arithmetic", "mov.u32 %r3, %r1; A: mad.lo.u32 %r3, %r3, %r3, 7; setp.ne.u32 %p1, %r3, 0; @%p1 bra A;"
                   "st.global.u32 [%rd1], %r3;"},
    {"arithmetic in one thread of a loop",
     "mov.u32 %r3, 3; setp.ne.u32 %p1, %r1, 5; @%p1 bra B;"
     "A: mad.lo.u32 %r3, %r3, 3, 0; setp.ne.u32 %p1, %r3, 0; @%p1 bra A; B: st.global.u32 [%rd1], %r3;"},
    {"stores", "mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1; mov.u32 %r3, 0;"
               "A: st.global.u32 [%rd2], %r3; add.u32 %r3, %r3, 2; setp.ne.u32 %p1, %r3, 1; @%p1 bra A;"},
    {"a loop behind a barrier", "bar.sync 0; mov.u32 %r3, %r1; A: mad.lo.u32 %r3, %r3, %r3, 7; setp.ne.u32 %p1, %r3, 0;"
                                "@%p1 bra A; bar.sync 0; st.global.u32 [%rd1], %r3;"},
    {"a wait for memory", "A: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra A;"},
    {"an atomic wait", "A: atom.global.add.u32 %r3, [%rd1], 0; setp.eq.u32 %p1, %r3, 0; @%p1 bra A;"},
    {"a lock that nobody frees", "A: atom.global.cas.b32 %r3, [%rd1], 0, 1; setp.ne.u32 %p1, %r3, 0; @%p1 bra A;"},
    {"a block that waits for one that never comes",
     "setp.eq.u32 %p2, %r2, 3; @%p2 bra B; add.u64 %rd2, %rd1, 4;"
     "A: ld.volatile.global.u32 %r3, [%rd2]; setp.eq.u32 %p1, %r3, 0; @%p1 bra A; B: bar.sync 0;"},
    {"barriers", "A: bar.sync 0; ld.global.u32 %r3, [%rd1]; setp.ne.u32 %p1, %r3, 77; @%p1 bra A;"},
    {"strides through memory", // all warps keep their turns
     "mov.u32 %r5, %ntid.x; mov.u32 %r3, %r1; bar.sync 0; A:"
     "mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd1, %rd3; ld.global.u32 %r6, [%rd2];"
     "add.u32 %r3, %r3, %r5; setp.ne.u32 %p1, %r6, 77; @%p1 bra A; bar.sync 0; st.global.u32 [%rd1], %r3;"},
    {"strides of some warps", // others are at the barrier
     "mov.u32 %r5, %ntid.x; mov.u32 %r3, %r1; bar.sync 0; setp.lt.u32 %p2, %r1, 32; @%p2 bra B;"
     "A: mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd1, %rd3; ld.global.u32 %r6, [%rd2];"
     "add.u32 %r3, %r3, %r5; setp.ne.u32 %p1, %r6, 77; @%p1 bra A; st.global.u32 [%rd1], %r3; B: bar.sync 0;"},
    {"barriers of large blocks", "A: bar.sync 0; bra A;", "", 2, 1024},
    {"barriers in a call", "{ .param .b64 p0; st.param.b64 [p0], %rd1; call.uni turns, (p0); }", kTurns},
    {"shuffles", "mov.u32 %r3, %r1; A: shfl.sync.bfly.b32 %r3, %r3, 1, 31, -1; setp.ne.u32 %p1, %r3, 77; @%p1 bra A;"
                 "st.global.u32 [%rd1], %r3;"},
    {"votes of half a warp", "and.b32 %r4, %r1, 31; setp.lt.u32 %p2, %r4, 16; @%p2 bra B;"
                             "A: vote.sync.ballot.b32 %r3, %p2, 0xffff0000; setp.ne.u32 %p1, %r3, 77; @%p1 bra A; B:"},
    {"single precision functions", "cvt.rn.f32.u32 %f1, %r1; A: sin.approx.f32 %f1, %f1; ex2.approx.f32 %f1, %f1;"
                                   "setp.ne.f32 %p1, %f1, 0f42F60000; @%p1 bra A; st.global.f32 [%rd1], %f1;"},
    {"double precision division",
     "cvt.rn.f64.u32 %d1, %r1; mov.f64 %d2, 0d3FF8000000000000; A: div.rn.f64 %d1, %d1, %d2;"
     "sqrt.rn.f64 %d1, %d1; setp.ne.f64 %p1, %d1, 0d405EC00000000000; @%p1 bra A;"
     "st.global.f64 [%rd1], %d1;"},
    {"printing",
     "mov.u64 %rd2, text; cvta.global.u64 %rd2, %rd2; mov.u64 %rd3, 0; A: { .param .b64 p0; .param .b64 p1;"
     ".param .b32 r0; st.param.b64 [p0], %rd2; st.param.b64 [p1], %rd3; call.uni (r0), vprintf, (p0, p1); }"
     "bra A;",
     kVprintf},
    {"memory of the heap",
     "A: { .param .b64 p0; .param .b64 r0; st.param.b64 [p0], 100; call.uni (r0), malloc, (p0);"
     "ld.param.b64 %rd2, [r0]; } { .param .b64 p0; st.param.b64 [p0], %rd2; call.uni free, (p0); }"
     "bra A;",
     kMalloc},
    {"a clock", "A: mov.u64 %rd2, %clock64; setp.ne.u64 %p1, %rd2, 0; @%p1 bra A;"},
    {"waiting a while", "A: nanosleep.u32 1000; bra A;"},
    {"more blocks than there is time for",
     "mov.u32 %r3, 0; A: add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1], %r3; setp.lt.u32 %p1, %r3, 10; @%p1 bra "
     "A;",
     "", 2000000000, 32},
    {"more blocks with barriers than there is time for", "bar.sync 0; st.global.u32 [%rd1], %r1; bar.sync 0;", "",
     2000000000, 64},
    {"a cooperative launch", "A: ld.volatile.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra A; bar.sync 0;",
     "", 4, 64, true},
};

CUresult launch(CUfunction f, const Endless& e, CUdeviceptr data, CUstream stream) {
    void* arguments[] = {&data};
    if (e.cooperative) return cuLaunchCooperativeKernel(f, e.grid, 1, 1, e.block, 1, 1, 0, stream, arguments);
    return cuLaunchKernel(f, e.grid, 1, 1, e.block, 1, 1, 0, stream, arguments, nullptr);
}

void ignore(const char*, size_t, void*) {}

} // namespace

class CancelTest : public QObject {
    Q_OBJECT

    /// Cancels what runs now, and how long that took until the stream's end was told.
    static Clock::duration cancel(CUcontext context, CUstream stream, CUresult& said) {
        std::atomic<bool> synchronizing = false;
        Clock::time_point end;
        std::thread other([&] {
            cuCtxSetCurrent(context);
            synchronizing = true;
            said = cuStreamSynchronize(stream);
            end = Clock::now();
        });
        while (!synchronizing)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const auto start = Clock::now();
        const CUresult result = cuxWarplightCancel(context);
        other.join();
        if (result != CUDA_SUCCESS) qWarning("cancelling: %s", last_error_text().c_str());
        return end - start;
    }

private slots:
    void initTestCase() {
        CU(cuInit(0));
        CU(cuxWarplightSetPrintf(ignore, nullptr));
    }
    void cleanupTestCase() { CU(cuxWarplightSetPrintf(nullptr, nullptr)); }

    void endless_data() {
        QTest::addColumn<int>("which");
        for (std::size_t k = 0; k < std::size(kEndless); ++k)
            QTest::newRow(kEndless[k].name) << static_cast<int>(k);
    }
    void endless() {
        QFETCH(int, which);
        const Endless& e = kEndless[which];
        // Others may have the processors just then: it counts that it can be soon.
        for (int attempt = 1;; ++attempt) {
            Session session;
            const CUfunction f = session.load(kernel(e.body, e.globals), "k");
            QVERIFY2(f, last_error_text().c_str());
            const CUdeviceptr data = Session::upload(std::vector<unsigned>(4096));
            CUstream stream = nullptr;
            CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
            CU(launch(f, e, data, stream));
            CUresult said = CUDA_SUCCESS;
            const auto took = cancel(session.context, stream, said);
            const std::string text = last_error_text();
            CU_FAILS(said, CUDA_ERROR_LAUNCH_TIMEOUT);
            QVERIFY2(text.find("cancelled") != std::string::npos, text.c_str());
            QVERIFY2(text.find(e.says) != std::string::npos, text.c_str());
            CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
            CU_FAILS(launch(f, e, data, stream), CUDA_ERROR_LAUNCH_TIMEOUT);
            if (took < kSoon || attempt == 5) {
                qInfo("%d ms, attempt %d: %s", milliseconds(took), attempt, text.c_str());
                QVERIFY(took < kSoon);
                break;
            }
        }
    }

    /// Recursion ends by itself, at the end of the stack.
    void endless_recursion() {
        Session session;
        const CUfunction f =
            session.load(kernel("{ .param .b64 p0; st.param.b64 [p0], %rd1; call.uni deeper, (p0); }", kDeeper), "k");
        QVERIFY2(f, last_error_text().c_str());
        const CUdeviceptr data = Session::upload(std::vector<unsigned>(16));
        void* arguments[] = {const_cast<CUdeviceptr*>(&data)};
        CU(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_HARDWARE_STACK_ERROR);
    }

    /// What is queued behind does not run, in this stream and in others; another context goes on.
    void others() {
        Session lost, kept;
        CUcontext now = nullptr;
        CU(cuCtxPopCurrent(&now));
        const auto count = ptx(R"(.visible .entry count(.param .u64 p) {
            .reg .b64 %rd<2>; .reg .b32 %r<2>; ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1; ret; })");
        const CUfunction counts_here = kept.load(count, "count");
        CU(cuCtxSetCurrent(kept.context));
        const CUfunction counts_kept = kept.load(count, "count");
        const CUdeviceptr sum_kept = Session::upload(std::vector<unsigned>(1));
        CU(cuCtxSetCurrent(lost.context));
        const CUfunction endless = lost.load(kernel(kEndless[0].body, ""), "k");
        const CUfunction counts_lost = lost.load(count, "count");
        Q_UNUSED(counts_here);
        const CUdeviceptr sum_lost = Session::upload(std::vector<unsigned>(1));
        CUstream first = nullptr, second = nullptr;
        CU(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
        CU(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
        CUevent event = nullptr;
        CU(cuEventCreate(&event, 0));
        void* nothing[] = {const_cast<CUdeviceptr*>(&sum_lost)};
        CU(cuLaunchKernel(endless, 1, 1, 1, 1, 1, 1, 0, first, nothing, nullptr));
        CU(cuEventRecord(event, first));
        CU(cuStreamWaitEvent(second, event, 0));
        CU(cuLaunchKernel(counts_lost, 1, 1, 1, 32, 1, 1, 0, second, nothing, nullptr));
        CU(cuCtxSetCurrent(kept.context));
        void* kept_arguments[] = {const_cast<CUdeviceptr*>(&sum_kept)};
        CU(cuLaunchKernel(counts_kept, 1, 1, 1, 32, 1, 1, 0, nullptr, kept_arguments, nullptr));
        CU(cuxWarplightCancel(lost.context));
        CU(cuCtxSynchronize());
        QCOMPARE(Session::download<unsigned>(sum_kept, 1), std::vector<unsigned>{32});
        CU(cuLaunchKernel(counts_kept, 1, 1, 1, 32, 1, 1, 0, nullptr, kept_arguments, nullptr));
        CU(cuCtxSynchronize());
        CU(cuCtxSetCurrent(lost.context));
        CU_FAILS(cuCtxSynchronize(), CUDA_ERROR_LAUNCH_TIMEOUT);
        CU_FAILS(cuStreamQuery(second), CUDA_ERROR_LAUNCH_TIMEOUT);
    }

    void a_wait_of_a_stream() {
        Session session;
        const CUdeviceptr data = Session::upload(std::vector<unsigned>(16));
        CUstream stream = nullptr;
        CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        CU(cuStreamWaitValue32(stream, data, 1, CU_STREAM_WAIT_VALUE_EQ));
        CUresult said = CUDA_SUCCESS;
        cancel(session.context, stream, said);
        CU_FAILS(said, CUDA_ERROR_LAUNCH_TIMEOUT);
    }

    void a_graph() {
        Session session;
        const CUfunction f = session.load(kernel(kEndless[0].body, ""), "k");
        const CUdeviceptr data = Session::upload(std::vector<unsigned>(16));
        CUstream stream = nullptr;
        CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        CU(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_RELAXED));
        CU(launch(f, kEndless[0], data, stream));
        CUgraph graph = nullptr;
        CU(cuStreamEndCapture(stream, &graph));
        CUgraphExec exec = nullptr;
        CU(cuGraphInstantiateWithFlags(&exec, graph, 0));
        CU(cuGraphLaunch(exec, stream));
        CUresult said = CUDA_SUCCESS;
        cancel(session.context, stream, said);
        CU_FAILS(said, CUDA_ERROR_LAUNCH_TIMEOUT);
    }

    void nothing_runs() {
        Session session;
        CU(cuxWarplightCancel(session.context));
        CU(cuxWarplightCancel(nullptr));
        CU(cuCtxSynchronize());
        const CUfunction f = session.load(kernel("st.global.u32 [%rd1], 5;", ""), "k");
        const CUdeviceptr data = Session::upload(std::vector<unsigned>(16));
        CU(Session::launch(f, 1, 1, {const_cast<CUdeviceptr*>(&data)}));
        CU(cuCtxSynchronize());
        QCOMPARE(Session::download<unsigned>(data, 1), std::vector<unsigned>{5});
        CU_FAILS(cuxWarplightCancel(reinterpret_cast<CUcontext>(&session)), CUDA_ERROR_INVALID_CONTEXT);
    }

    /// As it happens with a user who stops what would have been ready anyway: nothing hangs, and the answer is one of
    /// the two.
    void at_any_moment() {
        for (int round = 0; round < 60; ++round) {
            Session session;
            const CUfunction f =
                session.load(kernel("mov.u32 %r3, 0; A: add.u32 %r3, %r3, 1; ld.volatile.global.u32 %r4, [%rd1];"
                                    "setp.lt.u32 %p1, %r3, 500; @%p1 bra A; bar.sync 0; st.global.u32 [%rd1], %r1;",
                                    ""),
                             "k");
            QVERIFY2(f, last_error_text().c_str());
            const CUdeviceptr data = Session::upload(std::vector<unsigned>(16));
            std::thread other([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(round * 50));
                cuxWarplightCancel(session.context);
            });
            CUresult said = CUDA_SUCCESS;
            for (int k = 0; k < 50 && said == CUDA_SUCCESS; ++k)
                said = Session::launch(f, 4, 64, {const_cast<CUdeviceptr*>(&data)});
            const CUresult end = cuCtxSynchronize();
            other.join();
            QVERIFY(said == CUDA_SUCCESS || said == CUDA_ERROR_LAUNCH_TIMEOUT);
            QVERIFY(end == CUDA_SUCCESS || end == CUDA_ERROR_LAUNCH_TIMEOUT);
        }
    }
};

QTEST_GUILESS_MAIN(CancelTest)
#include "test_cancel.moc"
