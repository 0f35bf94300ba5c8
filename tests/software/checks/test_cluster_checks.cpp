// SPDX-License-Identifier: Apache-2.0
// Mistakes of blocks that form clusters: each is found at its line, and no correct kernel has one. The same at every
// width and on every number of workers (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "cluster_kernels.hpp"

using namespace warplight;
using cluster_kernels::Kernel;

class ClusterChecksTest : public QObject {
    Q_OBJECT

    static std::string source(const Kernel& kernel, bool wrong) {
        std::string text = source_of(cluster_kernels::before(), "int* a, const int* b, int n", kernel.body, wrong);
        text.replace(text.find("__global__ "), 11, "__global__ __cluster_dims__(2) ");
        return text;
    }

    static void launch(const std::string& ptx, const char* checks, bool fails, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr a = s.upload(std::vector<int>(1024)), b = s.upload(std::vector<int>(128));
        int n = 100;
        (void)taken();
        CU(cuxWarplightRequestChecks(checks));
        CU(s.launch(f, 4, 64, {&a, &b, &n}));
        const CUresult end = cuCtxSynchronize();
        CU(cuxWarplightRequestChecks(""));
        QVERIFY2((end != CUDA_SUCCESS) == fails, last_error_text().c_str());
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(cluster_kernels::all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(cluster_kernels::all());
        const std::string text = source(kernel, true);
        findings::Findings found;
        launch(compiled(text, "compute_90"), kernel.check, kernel.is_stuck, found);
        const std::string what = described(found);
        const auto meant = std::find_if(found.all.begin(), found.all.end(), [&](const findings::Finding& f) {
            return f.message.find(kernel.says) != std::string::npos && line_in_kernel(f) == line_of_mistake(text);
        });
        QVERIFY2(meant != found.all.end(), what.c_str());
        QCOMPARE(meant->kind, kernel.check);
        if (!kernel.is_stuck) QCOMPARE(meant->block[0], kernel.block); // the first one ends the launch
        QCOMPARE(meant->thread[0], kernel.thread);
        if (text.find("// THERE") != std::string::npos) {
            QVERIFY2(meant->other, what.c_str());
            QCOMPARE(line_in_kernel(*meant->other), line_of_mistake(text, "// THERE"));
        }
        if (meant->mend) QVERIFY2(meant->message.ends_with(advice_of(*meant->mend)), what.c_str());
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    /// With all checks, but for the mistakes that belong to another.
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(cluster_kernels::all());
        findings::Findings found;
        launch(compiled(source(kernel, false), "compute_90"), "all", false, found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }
};

QTEST_GUILESS_MAIN(ClusterChecksTest)
#include "test_cluster_checks.moc"
