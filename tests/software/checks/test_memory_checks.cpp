// SPDX-License-Identifier: Apache-2.0
// Accesses that are wrong: each is found at its line, with the first thread that makes it and how many do, and no
// correct one is. The same at every width and on every number of workers (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "memory_kernels.hpp"

using namespace warplight;
using memory_kernels::Kernel;

class MemoryChecksTest : public QObject {
    Q_OBJECT

    static std::string source_of(const Kernel& kernel, bool wrong) {
        return ::source_of(kernel.before, memory_kernels::kParameters, kernel.body, wrong);
    }

    /// What is found in a launch, which must end well.
    static void launch(const std::string& ptx, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        const std::vector<int> zeros(128);
        CUdeviceptr a = s.upload(zeros), b = s.upload(zeros), freed = s.upload(zeros), null = 0;
        CUdeviceptr quads = s.upload(zeros), six = s.upload(std::vector<unsigned char>(6));
        CUdeviceptr table = s.upload(std::vector<CUdeviceptr>{a, b, freed});
        CU(cuMemFree(freed));
        int n = 128;
        long long off = (static_cast<long long>(b) - static_cast<long long>(a)) / 4;
        (void)taken();
        CU(cuxWarplightRequestChecks("memory"));
        CU(s.launch(f, 2, 64, {&a, &b, &n, &off, &table, &freed, &null, &quads, &six}, 256));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(memory_kernels::all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(memory_kernels::all());
        const std::string source = source_of(kernel, true);
        findings::Findings found;
        launch(compiled(source), found);
        QVERIFY2(!found.all.empty(), "nothing was found");
        const std::string what = described(found);
        if (kernel.count > 0) QVERIFY2(found.all.size() == 1, what.c_str());
        for (const findings::Finding& f : found.all) {
            QCOMPARE(f.kind, "memory");
            QCOMPARE(f.severity, "error");
            QCOMPARE(f.kernel, "k");
            QVERIFY2(f.place.line == line_of_mistake(source), what.c_str());
            QVERIFY2(f.place.file.ends_with("k.cu"), what.c_str());
            QVERIFY(f.ptx_line > 0);
            QVERIFY2(f.block[0] == kernel.block && f.thread[0] == kernel.thread, what.c_str());
            if (*kernel.access) QVERIFY2(f.access == kernel.access, what.c_str());
            if (kernel.size > 0) QVERIFY2(f.size == kernel.size, what.c_str());
            if (kernel.count > 0) QVERIFY2(f.count == kernel.count, what.c_str());
            QVERIFY2(f.message.find(kernel.says) != std::string::npos, what.c_str());
            QVERIFY2(f.variable.find(kernel.variable) != std::string::npos, what.c_str());
        }
        QCOMPARE(found.more, 0U);
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(memory_kernels::all());
        findings::Findings found;
        launch(compiled(source_of(kernel, false)), found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }

    /// The place where it was inlined comes with it.
    void inlined_places() {
        for (const Kernel& kernel : memory_kernels::all()) {
            if (std::string_view(kernel.name) != "an inlined function") continue;
            findings::Findings found;
            launch(compiled(source_of(kernel, true)), found);
            QCOMPARE(found.all.size(), std::size_t{1});
            QCOMPARE(found.all[0].inlined_at.size(), std::size_t{1});
            QVERIFY(found.all[0].inlined_at[0].line > found.all[0].place.line);
        }
    }

    /// Wrong writes are left out, so that what lies there stays.
    void others_memory_is_spared() {
        Session s;
        const CUfunction f = s.load(ptx(R"(
            .visible .entry k(.param .u64 p, .param .u64 off) {
              .reg .b64 %rd<4>; .reg .b32 %r<3>;
              ld.param.u64 %rd1, [p]; ld.param.u64 %rd2, [off];
              mul.lo.u64 %rd2, %rd2, 1;
              add.u64 %rd3, %rd1, %rd2; mov.u32 %r1, 7;
              st.global.u32 [%rd3], %r1;
              st.global.u32 [%rd1], %r1;
              ret;
            })"),
                                    "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr a = s.upload(std::vector<int>{1, 1}), b = s.upload(std::vector<int>{2, 2});
        CUdeviceptr off = b - a;
        (void)taken();
        CU(cuxWarplightRequestChecks("memory"));
        CU(s.launch(f, 1, 1, {&a, &off}));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        const findings::Findings found = taken();
        QVERIFY2(found.all.size() == 1, described(found).c_str());
        QVERIFY(found.all[0].place.file.empty()); // without .loc the PTX line is all that is known
        QVERIFY(found.all[0].ptx_line > 0);
        QCOMPARE(s.download<int>(a, 2), (std::vector<int>{7, 1}));
        QCOMPARE(s.download<int>(b, 2), (std::vector<int>{2, 2}));
    }

    /// A million times is one finding.
    void many_times() {
        Session s;
        const CUfunction f = s.load(ptx(R"(
            .visible .entry k(.param .u64 p) {
              .reg .b64 %rd<2>; .reg .b32 %r<3>; .reg .pred %p<2>;
              ld.param.u64 %rd1, [p]; mov.u32 %r1, 0;
              $again: st.global.u32 [%rd1+4096], %r1;
              add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 1000; @%p1 bra $again;
              ret;
            })"),
                                    "k");
        CUdeviceptr a = s.allocate(4);
        (void)taken();
        CU(cuxWarplightRequestChecks("memory"));
        CU(s.launch(f, 4, 256, {&a}));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        const findings::Findings found = taken();
        QCOMPARE(found.all.size(), std::size_t{1});
        QCOMPARE(found.all[0].count, 1024U * 1000U);
        QCOMPARE(found.all[0].block[0], 0U);
        QCOMPARE(found.all[0].thread[0], 0U);
    }

    /// Blocks of the heap that nothing frees: of each malloc() one finding, in whichever kernel they might be freed.
    void leaks_of_the_heap() {
        const std::string source = "__device__ void* kept[64];\n"
                                   "extern \"C\" __global__ void take(int n) {\n"
                                   "    void* p = malloc(24);\n"
                                   "    *(volatile int*)p = n;\n"
                                   "    if (threadIdx.x % 2) free(p);\n"
                                   "    kept[threadIdx.x] = malloc(100);\n"
                                   "}\n"
                                   "extern \"C\" __global__ void give(int n) { free(kept[threadIdx.x + n]); }\n";
        Session s;
        const std::string code = compiled(source);
        const CUfunction take = s.load(code, "take");
        CUfunction give = nullptr;
        CU(cuModuleGetFunction(&give, s.module, "give"));
        QVERIFY2(take && give, last_error_text().c_str());
        int zero = 0, half = 32;
        (void)taken();
        CU(cuxWarplightRequestChecks("leak"));
        CU(s.launch(take, 1, 64, {&zero}));
        CU(s.launch(give, 1, 32, {&zero}));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks("")); // in a kernel that is not checked they are given back too
        CU(s.launch(give, 1, 31, {&half}));
        CU(cuCtxSynchronize());
        const findings::Findings found = taken();
        QVERIFY2(found.all.size() == 2, described(found).c_str());
        const findings::Finding& first = found.all[0];
        QCOMPARE(first.kind, "leak");
        QCOMPARE(first.access, "malloc");
        QCOMPARE(first.place.line, 3);
        QCOMPARE(first.size, 24U);
        QCOMPARE(first.count, 32U);
        QCOMPARE(first.thread[0], 0U);
        QCOMPARE(found.all[1].place.line, 6);
        QCOMPARE(found.all[1].count, 1U);
        QCOMPARE(found.all[1].thread[0], 63U);
        QVERIFY(taken().all.empty()); // each is told once
    }

    /// As many blocks as without checks, and no more.
    void a_full_heap() {
        Session s;
        const CUfunction f = s.load(compiled("extern \"C\" __global__ void k(unsigned* made, unsigned bytes) {\n"
                                             "    while (malloc(bytes)) ++*made;\n"
                                             "}\n"),
                                    "k");
        QVERIFY2(f, last_error_text().c_str());
        for (unsigned bytes : {48U, 4096U}) {
            CUdeviceptr made = s.upload(std::vector<unsigned>{0});
            CU(cuxWarplightRequestChecks("memory"));
            CU(s.launch(f, 1, 1, {&made, &bytes}));
            CU(cuCtxSynchronize());
            CU(cuxWarplightRequestChecks(""));
            const unsigned count = s.download<unsigned>(made, 1)[0];
            if (bytes == 48U)
                QCOMPARE(count, (8U << 20) / bytes);
            else
                QCOMPARE(count, 0U); // 32 bytes are left
        }
        QVERIFY2(taken().all.empty(), "nothing is wrong with that");
    }

    void unknown_checks_are_refused() {
        Session s;
        CU_FAILS(cuxWarplightRequestChecks("memory,nonsense"), CUDA_ERROR_INVALID_VALUE);
        QVERIFY(last_error_text().find("memory") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(MemoryChecksTest)
#include "test_memory_checks.moc"
