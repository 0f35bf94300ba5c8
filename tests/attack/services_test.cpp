// SPDX-License-Identifier: Apache-2.0
// Kernels that give each service of the runtime addresses of the host's own memory, and handles, lengths and texts that
// are none. A wrong address ends the launch with the place in the kernel's source. Nothing of the host is read or
// written, and the next launch works.
#include "driver_fixture.hpp"
#include "host_addresses.hpp"
#include "services_calls.hpp"

#include <QElapsedTimer>

#include <cstring>
#include <memory>

namespace {

constexpr std::size_t kBytes = std::size_t{16} << 20; ///< of the kernel's own memory: copies of it use all workers

struct Attack {
    const char* name;
    std::string body;
};

const std::string kFormat = "mov.u64 %rd4, text;\n", kNumber = "mov.u64 %rd4, number;\n",
                  kWord = "mov.u64 %rd5, word;\n", kChild = "mov.u64 %rd6, child;\n";

std::string copy_parameters(const char* from, const char* to, const char* width, const char* depth, const char* rows) {
    // At [d]: cudaMemcpy3DParms, with pitches of 64 bytes.
    const auto put = [](int offset, const char* value) {
        return "mov.u64 %rd7, " + std::string(value) + "; st.global.u64 [%rd2+" + std::to_string(offset) + "], %rd7;\n";
    };
    return put(0, "0") + put(8, "0") + put(16, "0") + put(24, "0") + put(32, from) + put(40, "64") + put(48, "64") +
           put(56, rows) + put(64, "0") + put(72, "0") + put(80, "0") + put(88, "0") + put(96, to) + put(104, "64") +
           put(112, "64") + put(120, rows) + put(128, width) + put(136, "1") + put(144, depth) + put(152, "3");
}

/// Each follows the pointer %rd1.
const Attack kAttacks[] = {
    {"the format of printf", call("vprintf", {d("%rd1"), d("%rd2")})},
    {"the arguments of printf", kNumber + call("vprintf", {d("%rd4"), d("%rd1")})},
    {"a text of printf", kFormat + "st.global.u64 [%rd2], %rd1;\n" + call("vprintf", {d("%rd4"), d("%rd2")})},
    {"the message of an assertion",
     kWord + call("__assertfail", {d("%rd1"), d("%rd5"), w("1"), d("%rd5"), d("1")}, nullptr)},
    {"the file of an assertion",
     kWord + call("__assertfail", {d("%rd5"), d("%rd1"), w("1"), d("%rd5"), d("1")}, nullptr)},
    {"the function of an assertion",
     kWord + call("__assertfail", {d("%rd5"), d("%rd5"), w("1"), d("%rd1"), d("1")}, nullptr)},
    {"a copy from", call("cudaMemcpyAsync", {d("%rd2"), d("%rd1"), d("8"), w("3"), d("0")})},
    {"a copy to", call("cudaMemcpyAsync", {d("%rd1"), d("%rd2"), d("8"), w("3"), d("0")})},
    {"a large copy from", call("cudaMemcpyAsync", {d("%rd2"), d("%rd1"), d("16777216"), w("3"), d("0")})},
    {"a large copy to", call("cudaMemcpyAsync", {d("%rd1"), d("%rd2"), d("16777216"), w("3"), d("0")})},
    {"a copy of rows from",
     call("cudaMemcpy2DAsync", {d("%rd2"), d("64"), d("%rd1"), d("64"), d("8"), d("2"), w("3"), d("0")})},
    {"a copy of rows to",
     call("cudaMemcpy2DAsync", {d("%rd1"), d("64"), d("%rd2"), d("64"), d("8"), d("2"), w("3"), d("0")})},
    {"the parameters of a copy", call("cudaMemcpy3DAsync", {d("%rd1"), d("0")})},
    {"a copy of slices from",
     copy_parameters("%rd1", "%rd2", "8", "2", "1") + call("cudaMemcpy3DAsync", {d("%rd2"), d("0")})},
    {"a copy of slices to",
     copy_parameters("%rd2", "%rd1", "8", "2", "1") + call("cudaMemcpy3DAsync", {d("%rd2"), d("0")})},
    {"a fill", call("cudaMemsetAsync", {d("%rd1"), w("65"), d("8"), d("0")})},
    {"a large fill", call("cudaMemsetAsync", {d("%rd1"), w("65"), d("16777216"), d("0")})},
    {"a fill of rows", call("cudaMemset2DAsync", {d("%rd1"), d("64"), w("65"), d("8"), d("2"), d("0")})},
    {"a fill of slices",
     call("cudaMemset3DAsync", {words({"%rd1", "64", "64", "1"}), w("65"), words({"8", "1", "2"}), d("0")})},
    {"the number of devices", call("cudaGetDeviceCount", {d("%rd1")})},
    {"the device", call("cudaGetDevice", {d("%rd1")})},
    {"an attribute", call("cudaDeviceGetAttribute", {d("%rd1"), w("1"), w("0")})},
    {"a limit", call("cudaDeviceGetLimit", {d("%rd1"), w("1")})},
    {"the version", call("cudaRuntimeGetVersion", {d("%rd1")})},
    {"a new stream", call("cudaStreamCreateWithFlags", {d("%rd1"), w("1")})},
    {"a new event", call("cudaEventCreateWithFlags", {d("%rd1"), w("2")})},
    {"attributes of a kernel", kChild + call("cudaFuncGetAttributes", {d("%rd1"), d("%rd6")})},
    {"occupancy",
     kChild + call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", {d("%rd1"), d("%rd6"), w("32"), d("0")})},
    {"new memory", call("cudaMalloc", {d("%rd1"), d("64")})},
};

/// Each takes %rd1 for something that it is not, and answers with this error code.
struct Refusal {
    const char* name;
    std::string body;
    std::uint64_t answer;
};
const Refusal kRefusals[] = {
    {"parameters of a launch", call("cudaLaunchDeviceV2", {d("%rd1"), d("0")}), 1},
    {"parameters of an old launch",
     kChild + call("cudaLaunchDevice", {d("%rd6"), d("%rd1"), dim3_of("1"), dim3_of("1"), w("0"), d("0")}), 1},
    {"a kernel", call("cudaGetParameterBufferV2", {d("%rd1"), dim3_of("1"), dim3_of("1"), w("0")}, "b64"), 0},
    {"the stream of a launch",
     kChild + call("cudaGetParameterBufferV2", {d("%rd6"), dim3_of("1"), dim3_of("1"), w("0")}, "b64") +
         call("cudaLaunchDeviceV2", {d("%rd9"), d("%rd1")}),
     1},
    {"a grid",
     kChild + call("cudaGetParameterBufferV2", {d("%rd6"), dim3_of("0xffffffff"), dim3_of("1"), w("0")}, "b64"), 0},
    {"a block",
     kChild + call("cudaGetParameterBufferV2", {d("%rd6"), dim3_of("1"), dim3_of("0xffffffff"), w("0")}, "b64"), 0},
    {"the bytes of parameters", call("cudaGetParameterBuffer", {d("64"), d("%rd1")}, "b64"), 0},
    {"a stream to destroy", call("cudaStreamDestroy", {d("%rd1")}), 400},
    {"a stream that waits", call("cudaStreamWaitEvent", {d("%rd1"), d("%rd1"), w("0")}), 400},
    {"an event to record", call("cudaEventRecord", {d("%rd1"), d("0")}), 400},
    {"an event to destroy", call("cudaEventDestroy", {d("%rd1")}), 400},
    {"memory to free", call("cudaFree", {d("%rd1")}), 17},
    {"the stream of a copy", call("cudaMemcpyAsync", {d("%rd2"), d("%rd2"), d("8"), w("3"), d("%rd1")}), 400},
    {"a device", call("cudaDeviceGetAttribute", {d("%rd2"), w("1"), w("0xffffffff")}), 101},
    {"bytes of memory", call("malloc", {d("0xfffffffffffffff8")}, "b64"), 0},
    {"half of all bytes", call("malloc", {d("0x8000000000000000")}, "b64"), 0},
    {"bytes for cudaMalloc", call("cudaMalloc", {d("%rd2"), d("0xfffffffffffffff1")}), 2},
    {"slices without an end",
     call("cudaMemset3DAsync",
          {words({"%rd2", "64", "64", "0"}), w("65"), words({"8", "1", "0x7fffffffffffffff"}), d("0")}),
     1},
    {"slices of a copy without an end",
     copy_parameters("%rd2", "%rd2", "8", "0x7fffffffffffffff", "0") + call("cudaMemcpy3DAsync", {d("%rd2"), d("0")}),
     1},
    {"rows that overlap",
     call("cudaMemset2DAsync", {d("%rd2"), d("0"), w("65"), d("8"), d("0x7fffffffffffffff"), d("0")}), 1},
    {"rows around all addresses",
     call("cudaMemset2DAsync", {d("%rd2"), d("0x4000000000000000"), w("65"), d("8"), d("5"), d("0")}), 1},
};

/// A context with a kernel of services_module().
class Launcher {
public:
    explicit Launcher(const std::string& body, const std::string& more = "")
        : function_(session_.load(services_module(body, more), "k")), data(Session::allocate(kBytes)) {
        cuMemsetD8(data, 0, kBytes);
    }
    [[nodiscard]] bool loaded() const { return function_ && data; }
    CUresult run(std::uint64_t a) {
        std::uint64_t d = data;
        const CUresult launched = Session::launch(function_, 2, 32, {&a, &d});
        return launched == CUDA_SUCCESS ? cuCtxSynchronize() : launched;
    }

private:
    Session session_;
    CUfunction function_;

public:
    const CUdeviceptr data;
};

/// Stores the last answer at [d + 1024].
const std::string kKeep = "st.global.u64 [%rd2+1024], %rd9;\n";

std::uint64_t kept(const Launcher& launcher) { return Session::download<std::uint64_t>(launcher.data + 1024, 1).at(0); }

std::string printed;
void receive(const char* text, std::size_t size, void*) { printed.append(text, size); }

/// A launch in a new context, which prints, allocates and frees.
void check_next_launch() {
    Launcher next(kFormat + kWord + "st.global.u64 [%rd2], %rd5;\n" + call("vprintf", {d("%rd4"), d("%rd2")}) +
                  call("malloc", {d("64")}, "b64") + kKeep + call("free", {d("%rd9")}, nullptr));
    QVERIFY(next.loaded());
    printed.clear();
    CU(next.run(0));
    QCOMPARE(printed, std::string("word\nword\n"));
    QVERIFY(kept(next) != 0);
}

#ifdef _WIN32
/// Wine has no room for the window of kernels' addresses; no other system may lack it here.
bool reaches_host() {
    static const std::uint64_t secret = 0x5EC2E7;
    Launcher launcher("ld.global.u64 %rd9, [%rd1];\n" + kKeep);
    return launcher.loaded() && launcher.run(reinterpret_cast<std::uint64_t>(&secret)) == CUDA_SUCCESS &&
           kept(launcher) == secret;
}
#endif

} // namespace

class ServicesTest : public QObject {
    Q_OBJECT
private slots:
    void init() { cuxWarplightSetPrintf(receive, nullptr); }
    void cleanup() { cuxWarplightSetPrintf(nullptr, nullptr); }

    void addresses_of_the_host_data() {
        QTest::addColumn<int>("which");
        for (std::size_t k = 0; k < std::size(kAttacks); ++k)
            QTest::newRow(kAttacks[k].name) << static_cast<int>(k);
    }
    void addresses_of_the_host() {
#ifdef _WIN32
        if (reaches_host()) QSKIP("no window: the system leaves no room for it");
#endif
        QFETCH(int, which);
        const Attack& attack = kAttacks[which];
        const HostMemory host;
        for (const HostAddress& at : host.addresses()) {
            {
                Launcher launcher(attack.body + kKeep);
                QVERIFY2(launcher.loaded(), last_error_text().c_str());
                printed.clear();
                const CUresult result = launcher.run(at.address);
                const std::string what = at.name + ": " + last_error_text();
                QVERIFY2(result == CUDA_ERROR_ILLEGAL_ADDRESS, (code_name(result).toStdString() + " " + what).c_str());
                QVERIFY2(what.find("at services.cu:7:3") != std::string::npos, what.c_str());
                QVERIFY2(what.find("thread (0,0,0)") != std::string::npos, what.c_str());
                QVERIFY2(printed.empty(), printed.c_str());
            }
            QVERIFY2(host.is_unharmed(), at.name.c_str());
        }
        check_next_launch();
    }

    void things_that_are_none_data() {
        QTest::addColumn<int>("which");
        for (std::size_t k = 0; k < std::size(kRefusals); ++k)
            QTest::newRow(kRefusals[k].name) << static_cast<int>(k);
    }
    void things_that_are_none() {
        QFETCH(int, which);
        const Refusal& refusal = kRefusals[which];
        const HostMemory host;
        for (const HostAddress& at : host.addresses()) {
            Launcher launcher(refusal.body + kKeep);
            QVERIFY2(launcher.loaded(), last_error_text().c_str());
            CU(launcher.run(at.address));
            QCOMPARE(kept(launcher), refusal.answer);
            QVERIFY2(host.is_unharmed(), at.name.c_str());
        }
        check_next_launch();
    }

    void freed_pointers_of_the_host() {
        const HostMemory host;
        for (const HostAddress& at : host.addresses()) {
            Launcher launcher(call("free", {d("%rd1")}, nullptr));
            CU_FAILS(launcher.run(at.address), CUDA_ERROR_LAUNCH_FAILED);
            QVERIFY(last_error_text().find("freed") != std::string::npos);
        }
        QVERIFY(host.is_unharmed());
        check_next_launch();
    }

    /// A number that is no texture reads as 0, one that is no surface takes nothing.
    void textures_and_surfaces() {
        const HostMemory host;
        for (const HostAddress& at : host.addresses()) {
            Launcher launcher(R"(mov.u32 %r2, 0x41414141; mov.f32 %f1, 0f00000000;
                tex.2d.v4.u32.f32 {%r5, %r6, %r7, %r8}, [%rd1, {%f1, %f1}];
                sust.b.2d.b32.trap [%rd1, {%r1, %r1}], {%r2};
                suld.b.1d.b32.clamp {%r4}, [%rd1, {%r1}];
                txq.width.b32 %r3, [%rd1];
                or.b32 %r5, %r5, %r6; or.b32 %r5, %r5, %r4; or.b32 %r5, %r5, %r3; cvt.u64.u32 %rd9, %r5;)" +
                              kKeep);
            QVERIFY2(launcher.loaded(), last_error_text().c_str());
            CU(launcher.run(at.address));
            QCOMPARE(kept(launcher), std::uint64_t{0});
        }
        QVERIFY(host.is_unharmed());
    }

    void formats_data() {
        QTest::addColumn<QByteArray>("format");
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<qint64>("bytes");
        const auto row = [](const char* name, const QByteArray& format, const QByteArray& start, qint64 bytes) {
            QTest::newRow(name) << format << start << bytes;
        };
        constexpr qint64 kMost = 1 << 20;
        row("a count of what was printed", "%n", "%n", 2);
        row("a huge width", "%999999999d", "    ", 4096);
        row("a huge precision", "%.999999999f", "0.0000", 4098);
        row("a width of all bits", "%*d", "0   ", 2147);
        row("thousands of widths", QByteArray("%4096d").repeated(10'000), "    ", kMost);
        row("a long text", QByteArray("x").repeated(3 << 20), "xxxx", kMost);
        row("thousands of flags", "%" + QByteArray("-").repeated(100'000) + "d", "0", 1);
        row("thousands of sizes", "%" + QByteArray("l").repeated(100'000) + "d", "0", 1);
    }
    void formats() {
        QFETCH(QByteArray, format);
        QFETCH(QByteArray, start);
        QFETCH(qint64, bytes);
        // The arguments are zeros, but for a width of -2147. One thread prints.
        Launcher launcher("mov.u32 %r2, %ctaid.x; setp.ne.u32 %p1, %r2, 0; @%p1 bra DONE;\n" +
                          call("vprintf", {d("%rd1"), d("%rd2")}));
        const std::int32_t width = format == "%*d" ? -2147 : 0;
        CU(cuMemcpyHtoD(launcher.data, &width, sizeof width));
        const CUdeviceptr text = launcher.data + kBytes - static_cast<std::size_t>(format.size()) - 1;
        CU(cuMemcpyHtoD(text, format.constData(), static_cast<std::size_t>(format.size()) + 1));
        printed.clear();
        CU(launcher.run(text));
        QCOMPARE(static_cast<qint64>(printed.size()), bytes);
        QVERIFY(printed.starts_with(start.toStdString()));
    }

    /// A text without an end runs into the gap behind its allocation.
    void texts_without_an_end() {
        for (const std::string& body :
             {call("vprintf", {d("%rd1"), d("%rd2")}),
              kFormat + "st.global.u64 [%rd2], %rd1;\n" + call("vprintf", {d("%rd4"), d("%rd2")}),
              "add.u64 %rd3, %rd1, 3584;\n" +
                  call("__assertfail", {d("%rd3"), d("%rd1"), w("1"), d("%rd1"), d("1")}, nullptr)}) {
            Launcher launcher(body);
            const CUdeviceptr text = Session::upload(std::vector<char>(4096, 'x'));
            CU_FAILS(launcher.run(text), CUDA_ERROR_ILLEGAL_ADDRESS);
            QVERIFY2(last_error_text().find("services.cu:7:3") != std::string::npos, last_error_text().c_str());
        }
        check_next_launch();
    }

    /// The texts of errors are the device's memory, which printf may read.
    void error_texts() {
        Launcher launcher(call("cudaGetErrorString", {w("9")}, "b64") + kFormat + "st.global.u64 [%rd2], %rd9;\n" +
                          call("vprintf", {d("%rd4"), d("%rd2")}));
        printed.clear();
        CU(launcher.run(0));
        QCOMPARE(printed, std::string("invalid configuration argument\ninvalid configuration argument\n"));
    }

    /// Each thread may have as many streams as it likes, but not all memory of the host.
    void streams_without_an_end() {
        Launcher launcher("mov.u32 %r2, 0;\nL:\n" + call("cudaStreamCreateWithFlags", {d("%rd2"), w("1")}) + kKeep +
                          "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 100000; @%p2 bra L;");
        CU(launcher.run(0));
        QCOMPARE(kept(launcher), std::uint64_t{2}); // cudaErrorMemoryAllocation
        check_next_launch();
    }
    void fills_without_an_end() {
        Launcher launcher("mov.u32 %r2, 0;\nL:\n" + call("cudaMemsetAsync", {d("%rd2"), w("1"), d("4"), d("0")}) +
                          kKeep + "add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 200000; @%p2 bra L;");
        CU(launcher.run(0));
        QCOMPARE(Session::download<std::uint32_t>(launcher.data, 1).at(0), 0x01010101U);
    }

    /// Services at each depth of the stack: none may overflow it while it holds a lock.
    void services_at_the_end_of_the_stack() {
        Launcher launcher(call("deeper", {d("%rd2")}, nullptr), R"(
            .func deeper(.param .b64 p) {
              .reg .b64 %rd<10>; .reg .b32 %r<10>;
              ld.param.u64 %rd2, [p];
            )" + kNumber + call("vprintf", {d("%rd4"), d("%rd2")}) + call("malloc", {d("16")}, "b64") +
                                                                    R"(
              .loc 1 3 1
            )" + call("deeper", {d("%rd2")}, nullptr) + call("free", {d("%rd9")}, nullptr) +
                                                                    "st.volatile.global.u64 [%rd2], %rd9; ret; }");
        QVERIFY2(launcher.loaded(), last_error_text().c_str());
        CU_FAILS(launcher.run(0), CUDA_ERROR_HARDWARE_STACK_ERROR);
        printed.clear();
        check_next_launch();
    }

    /// The callee has 4096 bytes where its caller has four: it would reach the caller's stack.
    void calls_of_another_signature() {
        const std::string large = R"(
            .func (.param .align 8 .b8 r[4096]) large(.param .align 8 .b8 p[4096]) {
              .reg .b64 %rd; ld.param.u64 %rd, [p+2048]; st.param.b64 [r+2048], %rd; ret; }
            .func (.param .b64 r) small(.param .b64 p) { .reg .b64 %rd; ld.param.u64 %rd, [p]; st.param.b64 [r], %rd; ret; }
            .func few() { ret; }
            )";
        {
            Session session;
            QVERIFY(!session.load(services_module(call("large", {d("%rd1")}, "b64"), large), "k"));
            QVERIFY2(last_error_text().find("8 bytes where its function has 4096") != std::string::npos,
                     last_error_text().c_str());
        }
        const auto indirectly = [&](const char* function) {
            return "P: .callprototype (.param .b64 r) _ (.param .b64 p);\nmov.u64 %rd3, " + std::string(function) +
                   ";\n{ .param .b64 p; .param .b64 r; st.param.b64 [p], %rd1;\n"
                   "call (r), %rd3, (p), P; ld.param.b64 %rd9, [r]; }\n" +
                   kKeep;
        };
        for (const char* function : {"large", "few"}) {
            Launcher launcher(indirectly(function), large);
            QVERIFY2(launcher.loaded(), last_error_text().c_str());
            CU_FAILS(launcher.run(5), CUDA_ERROR_INVALID_PC);
            QVERIFY2(last_error_text().find("services.cu:7:3") != std::string::npos, last_error_text().c_str());
        }
        Launcher right(indirectly("small"), large);
        CU(right.run(5));
        QCOMPARE(kept(right), std::uint64_t{5});
    }

    void calls_of_services_with_small_variables() {
        for (const char* body : {"{ .param .b32 p; .param .b64 r; st.param.b32 [p], 1; call.uni (r), malloc, (p); }",
                                 "{ .param .b64 p; .param .b8 r; st.param.b64 [p], 1; call.uni (r), malloc, (p); }"}) {
            Launcher launcher(body);
            QVERIFY(!launcher.loaded() || launcher.run(0) != CUDA_SUCCESS);
            QVERIFY2(last_error_text().find("bytes where the function has 8") != std::string::npos,
                     last_error_text().c_str());
        }
    }

    void accesses_outside_of_parameters() {
        for (const char* body :
             {"ld.param.u64 %rd3, [a+4096];", "ld.param.u64 %rd3, [d+4];", "ld.param.u64 %rd3, [a+-8];",
              "{ .param .b64 p; st.param.b64 [p+64], %rd1; }", "{ .param .b64 p; atom.add.u64 %rd3, [p], %rd1; }"}) {
            Session session;
            QVERIFY2(!session.load(services_module(body), "k"), body);
            QVERIFY2(last_error_text().find("parameter") != std::string::npos, last_error_text().c_str());
        }
        Session session;
        QVERIFY(!session.load(services_module("{ .param .b8 p[1073741824]; st.param.b8 [p], 1; }"), "k"));
    }

    void branches_to_nowhere() {
        const std::string body = "cvt.u32.u64 %r2, %rd1;\nT: .branchtargets A, B;\nbrx.idx %r2, T;\n"
                                 "A: mov.u64 %rd9, 10; bra C;\nB: mov.u64 %rd9, 11;\nC:\n" +
                                 kKeep;
        for (const std::uint64_t index : {0, 1}) {
            Launcher launcher(body);
            CU(launcher.run(index));
            QCOMPARE(kept(launcher), 10 + index);
        }
        for (const std::uint64_t index : {2U, 0x7fffffffU, 0xffffffffU}) {
            Launcher launcher(body);
            CU_FAILS(launcher.run(index), CUDA_ERROR_ILLEGAL_INSTRUCTION);
            QVERIFY2(last_error_text().find("services.cu:7:3") != std::string::npos, last_error_text().c_str());
        }
    }
};

QTEST_APPLESS_MAIN(ServicesTest)
#include "services_test.moc"
