// SPDX-License-Identifier: Apache-2.0
// The debug engine on a kernel that NVRTC compiles for debuggers: where it stops, what variables hold, and going back.
#include "debugged_kernel.hpp"

using warplight::debug::Step;
using warplight::debug::Stop;
using warplight::debug::Unit;
using warplight::debug::Watch;

class TestDebugger : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void stops_at_a_breakpoint_with_all_lanes();
    void variables_have_their_values();
    void shared_arrays_have_the_type_of_their_accesses();
    void lanes_differ();
    void conditions_choose_threads();
    void steps_of_a_warp();
    void steps_of_a_thread();
    void steps_of_a_block();
    void steps_into_recursion();
    void pauses();
    void goes_back_a_line();
    void goes_back_to_breakpoints();
    void goes_back_to_writes();
    void stops_at_writes();
    void goes_to_blocks();
    void results_are_those_of_a_run();
    void wrong_breakpoints_say_why();
    void expressions_data();
    void expressions();
    void faults_stop();
    void ends_when_cancelled();

private:
    static constexpr unsigned kBlock = 64, kGrid = 3, kCount = kBlock * kGrid;
    /// Qt prints these when they differ.
    static QString shown(const std::string& text) { return QString::fromStdString(text); }
    [[nodiscard]] unsigned line(const char* text) const { return line_with(source_, text); }
    void start(DebuggedKernel& kernel) {
        kernel.start([this] {
            Session session;
            CUfunction f = session.load(ptx_, "steps");
            QVERIFY(f);
            CUdeviceptr x = Session::allocate(kCount * sizeof(float)), out = Session::allocate(kCount * sizeof(int));
            std::vector<float> values(kCount);
            for (unsigned k = 0; k < kCount; ++k)
                values[k] = static_cast<float>(k) / 2;
            CU(cuMemcpyHtoD(x, values.data(), kCount * sizeof(float)));
            int n = kCount;
            CU(Session::launch(f, kGrid, kBlock, {&n, &x, &out}));
            result_ = cuCtxSynchronize();
            error_ = last_error_text();
            out_.assign(kCount, 0);
            if (result_ != CUDA_SUCCESS) return;
            CU(cuMemcpyDtoH(out_.data(), out, kCount * sizeof(int)));
            CUdeviceptr total = 0;
            CU(cuModuleGetGlobal(&total, nullptr, session.module, "total"));
            CU(cuMemcpyDtoH(&total_, total, sizeof total_));
        });
    }
    /// Of the threads of a block, by plain C++.
    static int sum_of(unsigned block, unsigned thread) {
        int sum = 0;
        for (unsigned k = 0; k < 4; ++k)
            sum += static_cast<int>(block * kBlock + (thread + k) % kBlock) * 10;
        return sum;
    }
    static int out_of(unsigned i) {
        if (i == 5) return 120;
        float second = 2;
        if (i % 2) second += static_cast<float>(i) / 2;
        return 2 * sum_of(i / kBlock, i % kBlock) + static_cast<int>(second);
    }
    void check_results() {
        QCOMPARE(code_name(result_), QString("CUDA_SUCCESS"));
        for (unsigned i = 0; i < kCount; ++i)
            QCOMPARE(out_[i], out_of(i));
        QCOMPARE(total_, static_cast<int>(kCount));
    }

    std::string source_, ptx_;
    CUresult result_ = CUDA_SUCCESS;
    std::string error_;
    std::vector<int> out_;
    int total_ = 0;
};

void TestDebugger::initTestCase() {
    source_ = text_of_file("steps.cu");
    QVERIFY(!source_.empty());
    ptx_ = compile_to_debug(source_, "steps.cu");
    if (ptx_.empty()) QSKIP("there is no NVRTC here");
}

void TestDebugger::stops_at_a_breakpoint_with_all_lanes() {
    DebuggedKernel kernel;
    const auto set = kernel.debugger.set_breakpoints("steps.cu", {{line("// behind the barrier"), ""}});
    QVERIFY(!set.at(0).is_set);
    start(kernel);
    for (unsigned warp = 0; warp < kCount / 32; ++warp) {
        const auto stop = kernel.wait();
        QVERIFY(stop);
        QCOMPARE(stop->reason, Stop::Reason::breakpoint);
        QCOMPARE(stop->hits, std::vector{set[0].id});
        QCOMPARE(stop->thread / 32, warp % 2);
        for (unsigned lane = 0; lane < 32; ++lane)
            QCOMPARE(kernel.line(stop->thread / 32 * 32 + lane), line("// behind the barrier"));
        QCOMPARE(kernel.debugger.go(), "");
    }
    QVERIFY(kernel.ends());
    QVERIFY(kernel.breakpoints.at(0).is_set);
    check_results();
}

void TestDebugger::variables_have_their_values() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// call"), "blockIdx.x == 1"}});
    start(kernel);
    QVERIFY(kernel.wait());
    QCOMPARE(shown(kernel.value("i", 3)), shown("67"));
    QCOMPARE(shown(kernel.value("sum", 3)), shown(std::to_string(sum_of(1, 3))));
    QCOMPARE(shown(kernel.value("pair", 3)), shown("{first = 67, second = {1, 2, 3}}"));
    QCOMPARE(shown(kernel.value("pair.second[2]", 3)), shown("3"));
    QCOMPARE(shown(kernel.value("n", 3)), shown("192"));
    QCOMPARE(shown(kernel.value("x[i]", 3)), shown("33.5"));
    QCOMPARE(shown(kernel.value("*(x + 1)", 3)), shown("0.5"));
    QCOMPARE(shown(kernel.value("threadIdx", 3)), shown("{x = 3, y = 0, z = 0}"));
    QCOMPARE(shown(kernel.value("blockIdx.x", 3)), shown("1"));
    QCOMPARE(shown(kernel.value("gridDim.x * blockDim.x", 3)), shown("192"));
    QCOMPARE(shown(kernel.value("total", 3)), shown("64")); // of the block before
    QCOMPARE(shown(kernel.value("tile[3]", 3)), shown("670"));
    QCOMPARE(shown(kernel.value("((short*)tile)[6]", 3)), shown("670"));
    QCOMPARE(shown(kernel.value("out[i]", 3)), shown("0"));
    QCOMPARE(shown(kernel.value("nothing", 3)), shown("error: There is no 'nothing' here."));
    QCOMPARE(shown(kernel.value("*(int*)16", 3)), shown("error: There is no memory of kernels at 0x10."));
}

void TestDebugger::shared_arrays_have_the_type_of_their_accesses() {
    const std::string source = R"(struct Pair { int number; double value; };
extern "C" __global__ void k(float* a, int n) {
    __shared__ float f[32], constants[4];
    __shared__ int i[32], mixed[32];
    __shared__ double d[32];
    __shared__ unsigned char c[32];
    __shared__ short h[32];
    __shared__ float4 v[2];
    __shared__ Pair pairs[2];
    __shared__ bool flag;
    int t = threadIdx.x;
    f[t] = t * 0.5f;
    i[t] = -t;
    d[t] = t * 0.25;
    c[t] = 200 + t;
    h[t] = -2 * t;
    mixed[t] = t;
    ((float*)mixed)[t] += 1;
    flag = t >= 0;
    if (t < 4) constants[t] = 2.5f;
    if (t < 2) {
        v[t] = make_float4(t, 1, 2, 3);
        pairs[t].number = t;
        pairs[t].value = t;
    }
    __syncthreads();
    a[t] = f[t] + i[t] + d[t] + c[t] + h[t] + mixed[t] + flag + v[1].y + pairs[1].value; // here
    a[t] += constants[t & 3];
}
)";
    const std::string ptx = compile_to_debug(source, "k.cu");
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("k.cu", {{line_with(source, "// here"), ""}});
    kernel.start([&] {
        Session session;
        CUfunction f = session.load(ptx, "k");
        CUdeviceptr a = Session::allocate(128);
        int n = 3;
        CU(Session::launch(f, 1, 32, {&a, &n}));
        result_ = cuCtxSynchronize();
    });
    QVERIFY(kernel.wait());
    QCOMPARE(shown(kernel.value("f[3]", 0)), shown("1.5"));
    QCOMPARE(shown(kernel.value("i[3]", 0)), shown("-3"));
    QCOMPARE(shown(kernel.value("d[3]", 0)), shown("0.75"));
    QCOMPARE(shown(kernel.value("(int)c[3]", 0)), shown("203"));
    QCOMPARE(shown(kernel.value("h[3]", 0)), shown("-6"));
    QCOMPARE(shown(kernel.value("v[4]", 0)), shown("1")); // its elements are floats
    QCOMPARE(shown(kernel.value("constants[1]", 0)), shown("2.5"));
    QCOMPARE(shown(kernel.value("&pairs[16] - &pairs[0]", 0)), shown("16")); // bytes
    QCOMPARE(shown(kernel.value("&mixed[4] - &mixed[0]", 0)), shown("4"));
    QCOMPARE(shown(kernel.value("*(int*)&pairs[16]", 0)), shown("1"));
    QCOMPARE(shown(kernel.value("*((float*)mixed + 5)", 0)), shown("1"));
}

void TestDebugger::lanes_differ() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// odd"), ""}, {line("// store"), ""}});
    start(kernel);
    QVERIFY(kernel.wait());
    for (unsigned lane = 0; lane < 32; ++lane) // the even ones wait for their turn
        QCOMPARE(kernel.line(lane), lane % 2 ? line("// odd") : line("// even"));
    QCOMPARE(kernel.debugger.go(), "");
    const auto again = kernel.wait();
    QVERIFY(again);
    const unsigned first = again->thread / 32 * 32;
    if (first == 32) { // the other warp is at the first breakpoint
        QCOMPARE(kernel.line(33), line("// odd"));
        QCOMPARE(kernel.debugger.go(), "");
        QVERIFY(kernel.wait());
    }
    for (unsigned lane = 0; lane < 32; ++lane) { // they have met again
        QCOMPARE(kernel.line(lane), line("// store"));
        QCOMPARE(shown(kernel.value("sum", lane)), shown(std::to_string(sum_of(0, lane))));
    }
}

void TestDebugger::conditions_choose_threads() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// in the loop"), "i == 77 && k == 2"}});
    start(kernel);
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->thread, 13U);
    QCOMPARE(shown(kernel.value("i", 13)), shown("77"));
    QCOMPARE(shown(kernel.value("k", 13)), shown("2"));
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::steps_of_a_warp() {
    DebuggedKernel kernel;
    kernel.debugger.stop_at_entry(true);
    start(kernel);
    QVERIFY(kernel.wait());
    std::vector<unsigned> lines;
    while (lines.empty() || lines.back() != line("// behind the call")) {
        QVERIFY(lines.size() < 40);
        QCOMPARE(kernel.debugger.step(Step::over, Unit::warp, 0), "");
        const auto stop = kernel.wait();
        QVERIFY(stop);
        QCOMPARE(stop->reason, Stop::Reason::step);
        QCOMPARE(kernel.depth(0), std::size_t{1});
        lines.push_back(kernel.line(0));
    }
    const unsigned loop = line("// in the loop");
    QCOMPARE(std::count(lines.begin(), lines.end(), loop), 4);
    QCOMPARE(std::count(lines.begin(), lines.end(), line("// call")), 1);
    QVERIFY(std::is_sorted(lines.begin(), std::find(lines.begin(), lines.end(), loop)));
    QCOMPARE(shown(kernel.value("pair.first", 31)), shown(std::to_string(2 * sum_of(0, 31))));
}

void TestDebugger::steps_of_a_thread() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// call"), "i == 7"}});
    start(kernel);
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.debugger.step(Step::in, Unit::thread, 7), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.depth(7), std::size_t{2});
    QCOMPARE(kernel.line(7, 1), line("// call"));
    while (kernel.line(7) != line("// end of twice")) {
        QCOMPARE(kernel.debugger.step(Step::over, Unit::thread, 7), "");
        QVERIFY(kernel.wait());
    }
    QCOMPARE(shown(kernel.value("doubled", 7)), shown(std::to_string(2 * sum_of(0, 7))));
    QCOMPARE(shown(kernel.value("sum", 7, 1)), shown(std::to_string(sum_of(0, 7)))); // of the caller
    QCOMPARE(kernel.debugger.step(Step::out, Unit::thread, 7), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.depth(7), std::size_t{1});
    QCOMPARE(kernel.line(7), line("// call")); // what is left of it
    QCOMPARE(kernel.debugger.step(Step::over, Unit::thread, 7), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.line(7), line("// behind the call"));
}

void TestDebugger::steps_of_a_block() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// fill"), "i == 0"}});
    start(kernel);
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.debugger.step(Step::over, Unit::block, 0), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.debugger.step(Step::over, Unit::block, 0), "");
    QVERIFY(kernel.wait());
    for (unsigned t = 0; t < kBlock; ++t) // both warps are through the barrier
        QVERIFY(kernel.line(t) >= line("// barrier"));
    QCOMPARE(shown(kernel.value("((int*)tile)[63]", 0)), shown("630"));
}

void TestDebugger::steps_into_recursion() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// in factorial"), "n == 2"}});
    start(kernel);
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->thread, 5U);
    QCOMPARE(kernel.depth(5), std::size_t{5});
    for (unsigned call = 0; call < 4; ++call)
        QCOMPARE(shown(kernel.value("n", 5, call)), shown(std::to_string(2 + call)));
    QCOMPARE(kernel.line(5, 4), line("// recursion"));
    QCOMPARE(kernel.debugger.step(Step::out, Unit::thread, 5), "");
    QVERIFY(kernel.wait());
    QVERIFY(kernel.depth(5) < 5);
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::pauses() {
    DebuggedKernel kernel;
    kernel.debugger.pause();
    start(kernel);
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->reason, Stop::Reason::pause);
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.debugger.go() != "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::goes_back_a_line() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// store"), "i == 70"}});
    start(kernel);
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->thread, 6U);
    kernel.debugger.set_breakpoints("steps.cu", {});
    std::vector<unsigned> lines;
    while (kernel.line(6) != line("// first")) {
        QVERIFY(lines.size() < 40);
        QCOMPARE(kernel.debugger.step_back(6), "");
        QVERIFY(kernel.wait());
        QCOMPARE(shown(kernel.value("blockIdx.x", 6)), shown("1"));
        QCOMPARE(kernel.depth(6), std::size_t{1});
        lines.push_back(kernel.line(6));
    }
    QCOMPARE(lines.at(0), line("// even"));
    QCOMPARE(lines.at(1), line("// behind the call"));
    QCOMPARE(lines.at(2), line("// call"));
    QCOMPARE(std::count(lines.begin(), lines.end(), line("// in the loop")), 4);
    QCOMPARE(shown(kernel.value("total", 6)), shown("64"));
    QCOMPARE(shown(kernel.value("out[70]", 6)), shown("0"));
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::goes_back_to_breakpoints() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// in the loop"), "i == 9"}, {line("// count"), "i == 9"}});
    start(kernel);
    for (int k = 0; k < 5; ++k) {
        QVERIFY(kernel.wait());
        if (k < 4) QCOMPARE(kernel.debugger.go(), "");
    }
    QCOMPARE(kernel.line(9), line("// count"));
    for (int k = 3; k >= 0; --k) {
        QCOMPARE(kernel.debugger.go_back(), "");
        const auto stop = kernel.wait();
        QVERIFY(stop);
        QCOMPARE(stop->reason, Stop::Reason::breakpoint);
        QCOMPARE(shown(kernel.value("k", 9)), shown(std::to_string(k)));
    }
    QCOMPARE(kernel.debugger.go_back(), "");
    const auto begin = kernel.wait();
    QVERIFY(begin);
    QCOMPARE(begin->reason, Stop::Reason::begin);
    QCOMPARE(begin->round, std::uint64_t{1});
    kernel.debugger.set_breakpoints("steps.cu", {});
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::goes_back_to_writes() {
    const auto back_to = [&](DebuggedKernel& kernel, const char* expression, std::uint32_t thread) {
        std::optional<Watch> watch;
        kernel.debugger.look([&](const warplight::debug::Standing& now) {
            const auto calls = calls_of(now.block, thread, now.program);
            watch.emplace(1, expression, now.scope(thread, calls.at(0)), now.program, now.block, thread, 0);
        });
        if (!watch || !kernel.debugger.back_to_write(*watch).empty()) return std::optional<Stop>();
        return kernel.wait();
    };
    struct Case {
        const char *expression, *line;
        std::uint32_t thread;
    };
    const Case cases[] = {
        {"sum", "// in the loop", 11},       // a register
        {"pair.first", "// call", 11},       // local memory
        {"((int*)tile)[40]", "// fill", 40}, // shared memory, by another warp
        {"total", "// count", 31},           // global memory, by the block before
        {"pair.second[1]", "// odd", 11},
    };
    for (const Case& c : cases) {
        DebuggedKernel kernel;
        kernel.debugger.set_breakpoints("steps.cu", {{line("// store"), "i == 64 + 11"}});
        start(kernel);
        QVERIFY(kernel.wait());
        const auto stop = back_to(kernel, c.expression, 11);
        QVERIFY2(stop, c.expression);
        QCOMPARE(stop->reason, Stop::Reason::write);
        QCOMPARE(stop->thread, c.thread);
        // atomicAdd() is a function of a header.
        QCOMPARE(kernel.line(stop->thread, kernel.depth(stop->thread) - 1), line(c.line));
    }
}

void TestDebugger::stops_at_writes() {
    DebuggedKernel kernel;
    kernel.debugger.set_breakpoints("steps.cu", {{line("// behind the barrier"), "i == 0"}});
    start(kernel);
    QVERIFY(kernel.wait());
    kernel.debugger.look([&](const warplight::debug::Standing& now) {
        const auto calls = calls_of(now.block, 0, now.program);
        kernel.debugger_watches.emplace_back(7, "out[37]", now.scope(0, calls.at(0)), now.program, now.block, 0U, 0U);
    });
    kernel.debugger.set_watches(kernel.debugger_watches);
    QCOMPARE(kernel.debugger.go(), "");
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->reason, Stop::Reason::write);
    QCOMPARE(stop->hits, std::vector{7});
    QCOMPARE(stop->thread, 37U);
    QCOMPARE(shown(kernel.value("out[37]", 37)), shown(std::to_string(out_of(37))));
    QVERIFY(stop->text.find("has written out[37]") != std::string::npos);
}

void TestDebugger::goes_to_blocks() {
    DebuggedKernel kernel;
    kernel.debugger.stop_at_entry(true);
    start(kernel);
    QVERIFY(kernel.wait());
    for (const unsigned block : {2U, 0U, 1U}) {
        QCOMPARE(kernel.debugger.go_to_block(block), "");
        QVERIFY(kernel.wait());
        QCOMPARE(shown(kernel.value("blockIdx.x", 0)), shown(std::to_string(block)));
        QCOMPARE(shown(kernel.value("total", 0)), shown(std::to_string(block * kBlock)));
    }
    QVERIFY(kernel.debugger.go_to_block(kGrid) != "");
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::results_are_those_of_a_run() {
    DebuggedKernel kernel;
    start(kernel);
    QVERIFY(kernel.ends());
    check_results();
}

void TestDebugger::wrong_breakpoints_say_why() {
    DebuggedKernel kernel;
    const auto bad = kernel.debugger.set_breakpoints("steps.cu", {{20, "i =="}, {100000, ""}});
    QVERIFY(bad[0].problem.find("condition") != std::string::npos);
    kernel.debugger.set_breakpoints("none.cu", {{1, ""}});
    kernel.debugger.set_breakpoints("other/steps.cu", {{1, ""}});
    start(kernel);
    QVERIFY(kernel.ends());
    QCOMPARE(kernel.breakpoints.size(), std::size_t{4});
    for (const auto& b : kernel.breakpoints) {
        QVERIFY(!b.is_set);
        QVERIFY(!b.problem.empty());
    }
    check_results();
}

void TestDebugger::expressions_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* expression, const char* value) {
        QTest::newRow(expression) << expression << value;
    };
    row("1 + 2 * 3", "7");
    row("(1 + 2) * 3", "9");
    row("-7 / 2", "-3");
    row("-7 % 3", "-1");
    row("7 / 2.0", "3.5");
    row("1 << 5 | 3", "35");
    row("~0", "-1");
    row("0xffffffffu + 1", "0");
    row("-1 > 0u", "true");
    row("!i", "true");
    row("i == 0 && 1 / i", "error: Division by zero.");
    row("i != 0 && 1 / i", "false");
    row("i ? 1 : 2", "2");
    row("(float)7 / 2", "3.5");
    row("(unsigned char)300", "44");
    row("(int)2.9", "2");
    row("&pair.second[1] - &pair.second[0]", "1");
    row("*&pair.second[1]", "2");
    row("sizeof", "error: There is no 'sizeof' here.");
    row("i +", "error: The expression ends too early.");
    row("i = 3", "error: '=' is not understood here.");
    row(")", "error: ')' is not understood here.");
    row("pair + 1", "error: A Pair is no number.");
    row("pair.third", "error: A Pair has no member 'third'.");
    row("n.x", "error: A int has no member 'x'.");
    row("", "error: The expression ends too early.");
    row("18446744073709551616", "error: '18446744073709551616' is no number.");
    row("(-9223372036854775807 - 1) / -1", "-9223372036854775808");
    QTest::newRow("deep") << QString(1000, '(') << "error: The expression is nested too deeply.";
    QTest::newRow("long") << QString(10000, '1') << "error: The expression is too long.";
}

void TestDebugger::expressions() {
    static DebuggedKernel* kernel = nullptr; // one launch for all rows
    static std::optional<DebuggedKernel> owner;
    if (!kernel) {
        kernel = &owner.emplace();
        kernel->debugger.set_breakpoints("steps.cu", {{line("// behind the barrier"), ""}});
        start(*kernel);
        QVERIFY(kernel->wait());
    }
    QFETCH(QString, expression);
    QFETCH(QString, value);
    QCOMPARE(QString::fromStdString(kernel->value(expression.toStdString(), 0)), value);
    if (QString(QTest::currentDataTag()) == "long") owner.reset();
}

void TestDebugger::faults_stop() {
    const std::string source = "extern \"C\" __global__ void wild(int* p) {\n"
                               "    int mine = threadIdx.x;\n"
                               "    if (mine == 3)\n"
                               "        p[1 << 28] = mine;\n"
                               "    else\n"
                               "        p[mine] = mine;\n"
                               "}\n";
    const std::string ptx = compile_to_debug(source, "wild.cu");
    DebuggedKernel kernel;
    CUresult result = CUDA_SUCCESS;
    kernel.start([&] {
        Session session;
        CUfunction f = session.load(ptx, "wild");
        CUdeviceptr p = Session::allocate(1024);
        CU(Session::launch(f, 1, 32, {&p}));
        result = cuCtxSynchronize();
    });
    const auto stop = kernel.wait();
    QVERIFY(stop);
    QCOMPARE(stop->reason, Stop::Reason::failure);
    QCOMPARE(stop->thread, 3U);
    QVERIFY(stop->text.find("268435456") != std::string::npos || stop->text.find("address") != std::string::npos);
    QCOMPARE(kernel.line(3), 4U);
    QCOMPARE(shown(kernel.value("mine", 3)), shown("3"));
    QVERIFY(kernel.debugger.step(Step::over, Unit::warp, 3) != "");
    QCOMPARE(kernel.debugger.step_back(3), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.line(3), 4U); // before the line that failed
    QCOMPARE(kernel.debugger.step_back(3), "");
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.line(3), 3U);
    QCOMPARE(kernel.debugger.go(), "");
    const auto again = kernel.wait();
    QVERIFY(again);
    QCOMPARE(again->reason, Stop::Reason::failure);
    QCOMPARE(kernel.debugger.go(), "");
    QVERIFY(kernel.ends());
    QCOMPARE(code_name(result), QString("CUDA_ERROR_ILLEGAL_ADDRESS"));
}

void TestDebugger::ends_when_cancelled() {
    const std::string ptx = compile_to_debug("extern \"C\" __global__ void forever(volatile int* p) {\n"
                                             "    while (!p[0]) {\n"
                                             "    }\n"
                                             "}\n",
                                             "forever.cu");
    DebuggedKernel kernel;
    CUresult result = CUDA_SUCCESS;
    kernel.start([&] {
        Session session;
        CUfunction f = session.load(ptx, "forever");
        CUdeviceptr p = Session::allocate(4);
        CU(Session::launch(f, 1, 32, {&p}));
        result = cuCtxSynchronize();
    });
    QTest::qSleep(50);
    kernel.debugger.pause();
    QVERIFY(kernel.wait());
    QCOMPARE(kernel.debugger.go(), "");
    kernel.debugger.cancel();
    QVERIFY(kernel.ends());
    QCOMPARE(code_name(result), QString("CUDA_ERROR_LAUNCH_TIMEOUT"));
}

QTEST_APPLESS_MAIN(TestDebugger)
#include "test_debugger.moc"
