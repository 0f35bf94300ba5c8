// SPDX-License-Identifier: Apache-2.0
// Barriers and operations of warps that are used wrongly: each is found at its line, and no correct one is. The same at
// every width and on every number of workers (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "sync_kernels.hpp"

using namespace warplight;
using sync_kernels::Kernel;

class SyncChecksTest : public QObject {
    Q_OBJECT

    static std::string source(const Kernel& kernel, bool wrong) {
        return source_of(kernel.before, "int* a, const int* b, int n", kernel.body, wrong);
    }

    static void launch(const std::string& ptx, bool fails, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr a = s.upload(std::vector<int>(128)), b = s.upload(std::vector<int>(128));
        int n = 100;
        (void)taken();
        CU(cuxWarplightRequestChecks("sync"));
        CU(s.launch(f, 2, 64, {&a, &b, &n}));
        const CUresult end = cuCtxSynchronize();
        CU(cuxWarplightRequestChecks(""));
        QVERIFY2((end != CUDA_SUCCESS) == fails, last_error_text().c_str());
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(sync_kernels::all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(sync_kernels::all());
        const std::string text = source(kernel, true);
        findings::Findings found;
        launch(compiled(text), kernel.is_stuck, found);
        const std::string what = described(found);
        const auto meant = std::find_if(found.all.begin(), found.all.end(), [&](const findings::Finding& f) {
            return f.message.find(kernel.says) != std::string::npos && f.place.line == line_of_mistake(text);
        });
        QVERIFY2(meant != found.all.end(), what.c_str());
        QCOMPARE(meant->kind, "sync");
        if (meant->mend) QVERIFY2(meant->message.ends_with(advice_of(*meant->mend)), what.c_str());
        if (meant->other) QVERIFY2(meant->mend.has_value(), what.c_str());
        if (meant->message.starts_with("a deadlock")) QVERIFY2(meant->mend == findings::Mend::all_come, what.c_str());
        QCOMPARE(meant->severity, kernel.warns ? "warning" : "error");
        if (!kernel.is_stuck || kernel.count) QCOMPARE(meant->block[0], kernel.block);
        QVERIFY2(meant->thread[0] == kernel.thread, what.c_str());
        if (kernel.count) QVERIFY2(meant->count == kernel.count, what.c_str());
    }

    /// As current GPUs have it: a thread that has ended counts as arrived.
    void early_returns_are_no_mistakes() {
        const std::string text = source_of("", "int* a, const int* b, int n",
                                           "int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                           "if (i >= n) return;\n"
                                           "a[i] = i;\n__syncthreads();\na[i] += b[i];\n",
                                           false);
        findings::Findings found;
        launch(compiled(text), false, found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }

    /// The barrier of a grid, to which one block does not come.
    void barriers_of_the_grid() {
        for (const bool wrong : {true, false}) {
            const std::string text = source_of("#include <cooperative_groups.h>\n", "int* a",
                                               "int i = blockIdx.x * blockDim.x + threadIdx.x;\na[i] = i;\n"
                                               "if (WRONG(blockIdx.x == 0, true))\n"
                                               "    cooperative_groups::this_grid().sync(); // HERE\n"
                                               "a[i] += a[(i + 64) % 128];\n",
                                               wrong);
            Session s;
            const CUfunction f = s.load(compiled(text), "k");
            QVERIFY2(f, last_error_text().c_str());
            CUdeviceptr a = s.upload(std::vector<int>(128));
            void* parameters[] = {&a};
            (void)taken();
            CU(cuxWarplightRequestChecks("sync"));
            CU(cuLaunchCooperativeKernel(f, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters));
            const CUresult end = cuCtxSynchronize();
            CU(cuxWarplightRequestChecks(""));
            const findings::Findings found = taken();
            const std::string what = described(found);
            QVERIFY2((end != CUDA_SUCCESS) == wrong, last_error_text().c_str());
            QVERIFY2(found.all.empty() != wrong, what.c_str());
            if (!wrong) continue;
            QVERIFY2(std::any_of(found.all.begin(), found.all.end(),
                                 [&](const findings::Finding& each) {
                                     return line_in_kernel(each) == line_of_mistake(text) &&
                                            each.message.find("at the barrier of the grid for ever, and 1 block has "
                                                              "ended and never comes") != std::string::npos;
                                 }),
                     what.c_str());
        }
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(sync_kernels::all());
        findings::Findings found;
        launch(compiled(source(kernel, false)), false, found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }
};

QTEST_GUILESS_MAIN(SyncChecksTest)
#include "test_sync_checks.moc"
