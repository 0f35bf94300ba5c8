// SPDX-License-Identifier: Apache-2.0
// How a kernel runs, and the reason: kernels of each kind against the strategy that they should get.
#include "mini_runtime.hpp"
#include "software/jit/analysis/sums.hpp"
#include "software/jit/front/kernel_source.hpp"
#include "software/jit/host.hpp"
#include "software/jit/strategy.hpp"

#include <QTest>

using namespace warplight::jit;
using mini::Program;

namespace {

const std::string kFinish = "st.global.u32 [%rd3], %r3; ret;";
const std::string kLoad = "ld.global.u32 %r3, [%rd4];";

std::string times(int count, const std::string& text) {
    std::string all;
    for (int k = 0; k < count; ++k)
        all += text;
    return all;
}

/// A kernel that has its thread's elements of two arrays at %rd3 and %rd4, its index in %r1 and the stride in %r5.
std::string kernel(const std::string& body) {
    return ".version 8.0\n.target sm_80\n.address_size 64\n"
           ".visible .entry k(.param .u32 n, .param .u64 out, .param .u64 in)\n{\n"
           ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
           "ld.param.u32 %r2, [n]; ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [in];\n"
           "mov.u32 %r1, %tid.x; mov.u32 %r5, %ntid.x; mul.wide.u32 %rd3, %r1, 4;\n"
           "add.u64 %rd4, %rd2, %rd3; add.u64 %rd3, %rd1, %rd3; mov.u32 %r3, 0;\n" +
           body + "\n}\n";
}
const std::string kCompute = times(20, "mad.lo.u32 %r3, %r3, %r3, %r1;");
const std::string kSum = "ld.global.u32 %r4, [%rd4]; add.u32 %r3, %r3, %r4;";
const std::string kAgain = "setp.lt.u32 %p1, %r1, %r2; @%p1 bra A;";
const std::string kGridStride =
    "A: mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd2, %rd4;" + kSum + "add.u32 %r1, %r1, %r5;" + kAgain;

Strategy decide(const std::string& body, unsigned extent = 256, unsigned requested = 0, Options options = {}) {
    const Program program(kernel(body));
    const auto id = program.module().find_function("k").value();
    const Lanes lanes = lane_candidates(program.module().functions[id], requested).for_extent(extent);
    options.width = lanes.count;
    options.width_reason = lanes.reason;
    const KernelSource source = prepare_source(program.module(), id, options);
    const LanesOrObstacle found = plan_source(source, options.width);
    return choose_strategy({source.function(), source.analysis, found.plan ? &*found.plan : nullptr, found.obstacle},
                           options);
}

} // namespace

Q_DECLARE_METATYPE(warplight::jit::LanesReason)
Q_DECLARE_METATYPE(warplight::jit::ModeReason)

class StrategyTest : public QObject {
    Q_OBJECT
private slots:
    void kinds_of_kernels_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<unsigned>("lanes");
        QTest::addColumn<LanesReason>("lanes_reason");
        QTest::addColumn<ModeReason>("mode_reason");
        const unsigned vector = host_width();
        const auto row = [](const char* name, const std::string& body, unsigned lanes, LanesReason reason,
                            ModeReason mode) {
            QTest::newRow(name) << QString::fromStdString(body) << lanes << reason << mode;
        };
        using L = LanesReason;
        using M = ModeReason;
        row("arithmetic", kLoad + kCompute + kFinish, 2 * vector, L::two_vectors, M::nothing_waits);
        const bool vector_is_line = vector == 16;
        row("only copies", kLoad + kFinish, vector_is_line ? vector : 2 * vector,
            vector_is_line ? L::only_copies : L::two_vectors, M::nothing_waits);
        row("a warp operation", kLoad + "shfl.sync.down.b32 %r3, %r3, 1, 31, -1;" + kFinish, 32, L::warp_operations,
            M::nothing_waits);
        row("packed halves", kLoad + times(4, "add.f16x2 %r3, %r3, %r3;") + kFinish, vector, L::packed_halves,
            M::nothing_waits);
        row("long code", kLoad + times(20, kCompute) + kFinish, vector, L::much_code, M::nothing_waits);
        row("long code with barriers beside a loop", kGridStride + "bar.sync 0;" + times(20, kCompute) + kFinish,
            vector, L::much_code, M::barriers);
        row("long code with barriers in a loop",
            kGridStride + "B: bar.sync 0;" + times(20, kCompute) + "setp.lt.u32 %p2, %r5, %r2; @%p2 bra B;" + kFinish,
            2 * vector, L::two_vectors, M::barriers);
        row("many loops", times(6, "{ A: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra A; }") + kFinish,
            vector, L::much_code, M::nothing_waits);
        row("per-lane memory",
            ".local .b32 own[4]; mov.u64 %rd5, own; st.local.u32 [%rd5+4], %r1; ld.local.u32 %r3, [own+4];" + kCompute +
                kFinish,
            vector, L::much_code, M::nothing_waits);
        row("a barrier", kLoad + "bar.sync 0;" + kFinish, 32, L::barriers_in_loops, M::barriers);
        row("a barrier in the only loop",
            "A: bar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r2; @%p1 bra A;" + kFinish, 32,
            L::barriers_in_loops, M::barriers);
        row("a barrier beside a loop", kGridStride + "bar.sync 0;" + kFinish, 2 * vector, L::two_vectors, M::barriers);
        const auto counted = [&](unsigned bits) {
            const std::string k = std::to_string(bits), most = std::to_string((1U << bits) - 1);
            return "and.b32 %r6, %r1, " + most + "; shr.u32 %r7, %r1, " + k + "; mad.lo.u32 %r3, %r6, %r2, %r7;";
        };
        row("rows of a vector, by one number", counted(vector == 16 ? 4 : 3) + "bar.sync 0;" + kFinish, vector, L::rows,
            M::barriers);
        row("rows of 8", counted(3) + kCompute + kFinish, 8, L::rows, M::nothing_waits);
        row("rows of 8, by a number with a sign",
            "shr.s32 %r4, %r1, 31; shr.u32 %r4, %r4, 29; add.s32 %r6, %r1, %r4; and.b32 %r7, %r6, -8;"
            "sub.s32 %r7, %r1, %r7; shr.s32 %r6, %r6, 3; mad.lo.u32 %r3, %r6, %r2, %r7; bar.sync 0;" +
                kFinish,
            8, L::rows, M::barriers);
        row("rows of 4, too short", counted(2) + "bar.sync 0;" + kFinish, 32, L::barriers_in_loops, M::barriers);
        row("rows of 64", counted(6) + "bar.sync 0;" + kFinish, 32, L::barriers_in_loops, M::barriers);
        row("columns alone", "and.b32 %r3, %r1, 7; bar.sync 0;" + kFinish, 32, L::barriers_in_loops, M::barriers);
        row("a loop without barriers", kGridStride + kFinish, 2 * vector, L::two_vectors, M::nothing_waits);
        row("a spin loop",
            "A: ld.volatile.global.u32 %r4, [%rd1]; setp.eq.u32 %p1, %r4, 0; @%p1 bra A;" + kCompute + kFinish,
            2 * vector, L::two_vectors, M::spin_loops);
        row("scattered addresses",
            kLoad +
                "mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4; ld.global.u32 %r3, [%rd4];"
                "mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4; ld.global.u32 %r3, [%rd4];" +
                kFinish,
            1, L::no_gain, M::nothing_waits);
        const std::string strings = "mul.wide.u32 %rd4, %r1, 64; add.u64 %rd4, %rd2, %rd4;";
        row("bytes of each lane, up to the first zero",
            strings +
                "A: ld.global.u8 %r4, [%rd4]; add.u64 %rd4, %rd4, 1; add.u32 %r3, %r3, 1;"
                "setp.ne.u32 %p1, %r4, 0; @%p1 bra A;" +
                kFinish,
            1, L::no_gain, M::nothing_waits);
        row("a row of each lane, up to a column of its own",
            "bar.sync 0; mul.lo.u32 %r6, %r1, %r2; mul.wide.u32 %rd4, %r6, 4; add.u64 %rd4, %rd2, %rd4;"
            "A: ld.global.u32 %r4, [%rd4]; add.u32 %r4, %r4, %r2; st.global.u32 [%rd4], %r4;"
            "add.u64 %rd4, %rd4, 4; add.u32 %r3, %r3, 1; and.b32 %r6, %r1, 21; setp.le.u32 %p1, %r3, %r6; @%p1 bra A; "
            "bar.sync 0;" +
                kFinish,
            1, L::no_gain, M::threads_wait);
        row("arithmetic until each lane is done",
            kLoad + "A:" + times(6, "mad.lo.u32 %r3, %r3, %r3, %r1;") + "setp.ne.u32 %p1, %r3, 0; @%p1 bra A;" +
                kFinish,
            2 * vector, L::two_vectors, M::nothing_waits);
        const std::string own = ".local .b32 own[32]; mov.u64 %rd5, own;";
        const std::string stack = "and.b32 %r6, %r3, 31; mul.wide.u32 %rd6, %r6, 4; add.u64 %rd6, %rd5, %rd6;"
                                  "ld.local.u32 %r7, [%rd6]; add.u32 %r3, %r3, %r7; st.local.u32 [%rd6], %r3;";
        row("a stack of each thread",
            own + kLoad + "A:" + times(3, stack) + "setp.ne.u32 %p1, %r3, 0; @%p1 bra A;" + kFinish, 1, L::no_gain,
            M::nothing_waits);
        row("memory of threads' own for large angles only",
            own + "A:" + kLoad + times(3, "mad.lo.u32 %r3, %r3, %r3, %r1;") +
                "setp.ltu.f32 %p2, %r3, 0f47CE4780; @%p2 bra C;" + times(4, stack) +
                "C: add.u32 %r2, %r2, -1; setp.ne.u32 %p1, %r2, 0; @%p1 bra A;" + kFinish,
            vector, L::much_code, M::nothing_waits);
        row("no end", "A: bra A;", 1, L::obstacle, M::nothing_waits);
        row("an obstacle and a barrier", "bar.red.popc.u32 %r3, 0, %p1;" + kFinish, 1, L::obstacle, M::threads_wait);
    }
    void kinds_of_kernels() {
        QFETCH(QString, body);
        QFETCH(unsigned, lanes);
        QFETCH(LanesReason, lanes_reason);
        QFETCH(ModeReason, mode_reason);
        const Strategy strategy = decide(body.toStdString());
        QCOMPARE(strategy.lanes.count, lanes);
        QCOMPARE(strategy.lanes.reason, lanes_reason);
        QCOMPARE(strategy.mode_reason, mode_reason);
        QCOMPARE(strategy.mode, mode_reason == ModeReason::nothing_waits ? Mode::loop : Mode::coroutine);
        QCOMPARE(strategy.vectors == Vectors::emitted, lanes > 1);
        QCOMPARE(strategy.obstacle.empty(), lanes_reason != LanesReason::obstacle);
        QVERIFY(!strategy.why_not_wider().empty());
    }

    void rows_of_blocks_are_whole_vectors() {
        const std::string body = kLoad + kCompute + kFinish;
        const unsigned vector = host_width();
        QCOMPARE(decide(body, 3 * vector).lanes.count, vector);
        QCOMPARE(decide(body, 3 * vector).lanes.reason, LanesReason::extent);
        QCOMPARE(decide(body, 100).lanes.count, 1U);
        QCOMPARE(decide(body, 100).lanes.reason, LanesReason::extent);
        QCOMPARE(decide("shfl.sync.down.b32 %r3, %r3, 1, 31, -1;" + kFinish, 48).lanes.count, 1U);
        QCOMPARE(decide(body, 0).lanes.count, 2 * vector); // cuFuncLoad: the usual blocks
    }

    void rowsOfTheirOwn() {
        const auto stores = [](const std::string& places) {
            return "mul.lo.u32 %r4, %r1, %r2; mul.wide.u32 %rd5, %r4, 4; add.u64 %rd5, %rd1, %rd5; mov.u32 %r6, "
                   "0;\nA: " +
                   kCompute + kCompute + places +
                   "add.u64 %rd5, %rd5, 16; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, %r2; @%p1 bra A; ret;";
        };
        const std::string row = "st.global.u32 [%rd5], %r3; st.global.u32 [%rd5+4], %r3; st.global.u32 [%rd5+8], %r3;"
                                "st.global.u32 [%rd5+12], %r3;";
        QCOMPARE(decide(stores(row)).lanes.count, 8U);
        QCOMPARE(decide(stores(row)).lanes.reason, LanesReason::far_rows);
        QVERIFY(decide(stores("st.global.u32 [%rd3], %r3;")).lanes.count > 8);
    }

    void requests_are_obeyed() {
        const std::string body = kLoad + kCompute + kFinish, barrier = "bar.sync 0;" + kFinish;
        QCOMPARE(decide(body, 256, 4).lanes.count, 4U);
        QCOMPARE(decide(body, 256, 4).lanes.reason, LanesReason::requested);
        QCOMPARE(decide("shfl.sync.down.b32 %r3, %r3, 1, 31, -1;" + kFinish, 256, 4).lanes.count, 32U);
        Options options;
        options.mode = Mode::coroutine;
        QCOMPARE(decide(body, 256, 0, options).mode, Mode::coroutine);
        QCOMPARE(decide(body, 256, 0, options).mode_reason, ModeReason::requested);
        options.mode = Mode::loop;
        QCOMPARE(decide(body, 256, 0, options).mode, Mode::loop);
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, (void)decide(barrier, 256, 0, options));
        options = {};
        options.gain = Gain::ignored;
        const std::string scattered = kLoad +
                                      "mul.wide.u32 %rd4, %r3, 4; add.u64 %rd4, %rd2, %rd4;"
                                      "ld.global.u32 %r3, [%rd4];" +
                                      kFinish;
        QCOMPARE(decide(scattered).lanes.reason, LanesReason::no_gain);
        QVERIFY(decide(scattered, 256, 0, options).lanes.count > 1);
    }

    void one_lane() {
        const Strategy plain = decide(kLoad + kFinish, 256, 1), loop = decide(kGridStride + kFinish, 256, 1),
                       waits = decide("bar.sync 0;" + kFinish, 256, 1);
        QCOMPARE(plain.lanes.count, 1U);
        QCOMPARE(plain.vectors, Vectors::by_llvm); // of the loop over threads, which is the innermost
        QCOMPARE(loop.vectors, Vectors::none);
        QCOMPARE(loop.mode, Mode::loop);
        QCOMPARE(waits.vectors, Vectors::none);
        QCOMPARE(waits.mode, Mode::coroutine);
        QCOMPARE(waits.mode_reason, ModeReason::threads_wait);
    }

    void rows_of_narrow_blocks() {
        const auto loop = [](const std::string& rounds) {
            return "mov.u32 %r4, " + rounds +
                   "; A: mad.lo.u32 %r3, %r3, %r3, %r4; add.u32 %r4, %r4, -1;"
                   "setp.ne.u32 %p1, %r4, 0; @%p1 bra A;" +
                   kCompute + kFinish;
        };
        for (const std::string& same : {loop("9"), kCompute + "bar.sync 0;" + loop("%r1")}) {
            QCOMPARE(decide(same, 8).lanes.count, 8U);
            QCOMPARE(decide(same, 100).lanes.count, 4U);
            QCOMPARE(decide(same, 100).lanes.reason, LanesReason::extent);
            QCOMPARE(decide(same, 102).lanes.count, 1U);
        }
        QCOMPARE(decide(loop("%r1"), 8).lanes.count, 8U);
        QCOMPARE(decide(loop("%r1"), 100).lanes.count, 1U); // they leave one by one
    }

    void sentences() {
        QCOMPARE(decide("A: bra A;").sentence(), std::string("a thread at a time: code that never ends"));
        QCOMPARE(decide(kLoad + kCompute + kFinish, 100).sentence(),
                 std::string("a thread at a time: the block's extent in x is no multiple of more"));
        QCOMPARE(decide(kLoad + kFinish, 256, 1).sentence(),
                 std::string("a thread at a time, as a loop (no thread waits for another)"));
        QCOMPARE(decide("bar.sync 0;" + kFinish, 256, 8).sentence(),
                 std::string("8 threads side by side (as requested), as coroutines (threads wait at barriers)"));
    }

    /// Only where neighbours in y are neighbours in memory, those in x are not, and nobody can tell the order of
    /// threads.
    void lanesAlongY_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("along_y");
        const auto row = [](const char* name, const std::string& index, const std::string& more, bool along_y) {
            const std::string load = "mul.wide.u32 %rd5, %r4, 4; add.u64 %rd6, %rd2, %rd5; ld.global.u32 %r3, [%rd6];";
            const std::string store = "add.u64 %rd7, %rd1, %rd5; st.global.u32 [%rd7], %r3; ret;";
            QTest::newRow(name) << QString::fromStdString("mov.u32 %r6, %tid.y;" + index + load + more + store)
                                << along_y;
        };
        const std::string in_y = "mad.lo.u32 %r4, %r1, %r2, %r6;", in_x = "mad.lo.u32 %r4, %r6, %r2, %r1;";
        row("rows along x", in_y, "", true);
        row("rows of a known length along x", "mad.lo.u32 %r4, %r1, 64, %r6;", "", true);
        row("rows along y", in_x, "", false);
        row("both", "add.u32 %r4, %r1, %r6;", "", false);
        row("neither", "mul.lo.u32 %r4, %r1, %r6;", "", false);
        row("a lane's number", in_y, "mov.u32 %r7, %laneid; add.u32 %r3, %r3, %r7;", false);
        row("a time", in_y, "mov.u32 %r7, %clock; add.u32 %r3, %r3, %r7;", false);
        row("a sum whose old value is read", in_y, "atom.global.add.u32 %r3, [%rd1], %r3;", false);
        row("a shuffle", in_y, "shfl.sync.down.b32 %r3, %r3, 1, 31, -1;", false);
        row("a barrier", in_y, "bar.sync 0;", false);
        row("a fence", in_y, "membar.gl;", false);
    }
    void lanesAlongY() {
        QFETCH(QString, body);
        const Program program(kernel(body.toStdString()));
        QTEST(candidates_along_y(program.module(), 0, 0).has_value(), "along_y");
        QVERIFY(!candidates_along_y(program.module(), 0, 1).has_value());
    }

    void grid_stride_loops() {
        const std::string body = kGridStride + kFinish;
        Options options;
        options.grid_stride = GridStride::together;
        QCOMPARE(decide(body, 256, 0, options).mode, Mode::coroutine);
        QCOMPARE(decide(body, 256, 0, options).mode_reason, ModeReason::grid_stride);

        const Program program(kernel(body)), waits(kernel(kGridStride + "bar.sync 0;" + kFinish)),
            none(kernel(kLoad + kFinish));
        int questions = 0;
        const auto order = [&](const Program& of, std::array<unsigned, 3> grid, std::uint64_t bytes) {
            const auto compiled = of.compile("k", Mode::automatic, {}, 16);
            return grid_stride_order(
                {compiled->has_grid_stride_loops(), compiled->grid_stride(), grid, {256, 1, 1}, [&] {
                     ++questions;
                     return bytes;
                 }});
        };
        const std::uint64_t much = 2 * kCachedBytes;
        QCOMPARE(order(program, {64, 1, 1}, much), GridStride::together);
        QCOMPARE(order(program, {64, 1, 1}, kCachedBytes / 2), GridStride::alone);
        QCOMPARE(order(program, {1U << 20, 1, 1}, much), GridStride::alone); // a few rounds for each thread
        QCOMPARE(order(program, {64, 2, 1}, much), GridStride::together);    // planes
        QCOMPARE(questions, 4);
        QCOMPARE(order(waits, {64, 1, 1}, 0), GridStride::together); // coroutines in any case
        QCOMPARE(order(none, {64, 1, 1}, much), GridStride::alone);
        QCOMPARE(questions, 4);
    }

    /// %r6 and %r7 have taken over what %r3 held before it became a number of each lane's own, or are no negative
    /// numbers.
    void copiesOfANumberStayUniform_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("uniform");
        const auto row = [](const char* name, const std::string& copies, bool uniform) {
            QTest::newRow(name) << QString::fromStdString("mov.u32 %r3, 0;" + copies + kSum +
                                                          "st.global.u32 [%rd3], %r3; st.global.u32 [%rd1], %r7; ret;")
                                << uniform;
        };
        row("a copy of a copy", "mov.u32 %r6, %r3; add.u32 %r7, %r6, %r2;", true);
        row("a copy that may not be made", "setp.eq.u32 %p1, %r1, 0; @%p1 mov.u32 %r3, %r1; mov.u32 %r7, %r3;", false);
        row("a quotient of a thread's number as if it had a sign",
            "shr.s32 %r4, %r1, 31; shr.u32 %r4, %r4, 27; add.s32 %r6, %r1, %r4; shr.s32 %r7, %r6, 5;", true);
        row("a quotient of another number",
            "add.u32 %r5, %r1, 1; shr.s32 %r4, %r5, 31; shr.u32 %r4, %r4, 27; add.s32 %r6, %r5, %r4;"
            "shr.s32 %r7, %r6, 5;",
            false);
        row("in another block", "setp.eq.u32 %p1, %r2, 0; @%p1 bra A; A: mov.u32 %r7, %r3;", false);
        row("another size", "cvt.u64.u32 %rd5, %r3; cvt.u32.u64 %r7, %rd5;", false);
    }
    void copiesOfANumberStayUniform() {
        QFETCH(QString, body);
        const Program program(kernel(body.toStdString()));
        Options options;
        options.width = 16;
        const KernelSource source = prepare_source(program.module(), 0, options);
        const LanesOrObstacle found = plan_source(source, options.width);
        QVERIFY(found.plan);
        const auto& registers = source.function().registers;
        const auto r7 = std::find_if(registers.begin(), registers.end(), [](auto& r) { return r.name == "%r7"; });
        QVERIFY(r7 != registers.end());
        const bool is_uniform = found.plan->uniform(static_cast<warplight::ptx::RegisterId>(r7 - registers.begin()));
        QTEST(is_uniform, "uniform");
    }

    /// Of the first pointer, mostly.
    void memoryToWhichAKernelOnlyAdds_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<int>("pieces");
        const auto row = [](const char* name, const std::string& body, int pieces) {
            QTest::newRow(name) << QString::fromStdString(body + "ret;") << pieces;
        };
        const std::string add = "red.global.add.u32 [%rd3], %r1;", old = "atom.global.add.u32 %r4, [%rd3], %r1;";
        row("a sum", kLoad + add, 1);
        row("a sum whose old value nobody reads", old, 1);
        row("a sum whose old value is stored", old + "st.global.u32 [%rd4], %r4;", 0);
        row("two sums", add + "red.global.add.u64 [%rd4], %rd1;", 2);
        row("sums of two sizes", add + "red.global.add.u64 [%rd3], %rd1;", 0);
        row("floats", "red.global.add.f32 [%rd3], 0f3F800000;", 1);
        row("halves", "red.global.add.noftz.f16x2 [%rd3], %r1;", 0);
        row("a maximum", "red.global.max.u32 [%rd3], %r1;", 1);
        row("a sum and a maximum", add + "red.global.max.u32 [%rd3], %r1;", 0);
        row("maxima of two kinds", "red.global.max.s32 [%rd3], %r1; red.global.max.u32 [%rd3], %r1;", 0);
        row("an exchange", "atom.global.exch.b32 %r4, [%rd3], %r1;", 0);
        row("for all processors", "red.sys.global.add.u32 [%rd3], %r1;", 0);
        row("it looks at the sums", add + "ld.global.u32 %r3, [%rd3+4];", 0);
        row("a fence", add + "membar.gl;", 0);
        row("it waits for memory", add + "ld.acquire.gpu.global.u32 %r3, [%rd4];", 0);
        row("a pointer from memory", "ld.global.u64 %rd4, [%rd4]; st.global.u32 [%rd4], 1;" + add, 0);
        row("one pointer or the other", add + "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd4, %rd3, %rd4, %p1;" + kLoad, 0);
    }
    void memoryToWhichAKernelOnlyAdds() {
        QFETCH(QString, body);
        const Program program(kernel(body.toStdString()));
        const KernelSums sums = find_sums(program.module().functions[program.module().find_function("k").value()]);
        QTEST(static_cast<int>(sums.memory.size()), "pieces");
        QCOMPARE(sums.by_instruction.empty(), sums.memory.empty());
    }
};

QTEST_GUILESS_MAIN(StrategyTest)
#include "test_strategy.moc"
