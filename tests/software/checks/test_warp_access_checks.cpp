// SPDX-License-Identifier: Apache-2.0
// What a warp accesses together, and copies that go on by themselves: matrices in memory and bulk copies. Each mistake
// is found at its line, with the first thread that makes it and how many do, and no correct kernel has any.
#include "checks_fixture.hpp"
#include "warp_access_kernels.hpp"

using namespace warplight;
using warp_access_kernels::Kernel;

class WarpAccessChecksTest : public QObject {
    Q_OBJECT

    static std::vector<Kernel> all() {
        std::vector<Kernel> kernels;
        for (const auto& some :
             {warp_access_kernels::memory(), warp_access_kernels::init(), warp_access_kernels::race()})
            kernels.insert(kernels.end(), some.begin(), some.end());
        return kernels;
    }

    static std::string source_of(const Kernel& kernel, bool wrong) {
        using namespace warp_access_kernels;
        const std::string headers = kernel.body.find("wmma") == std::string::npos ? kHalves : kHalves + kTiles;
        return ::source_of(headers + kInstructions + kernel.before, kParameters, kernel.body, wrong);
    }

    static std::string compiled(const Kernel& kernel, const std::string& source) {
        return ::compiled(source, "compute_" + std::to_string(kernel.arch));
    }

    /// What is found in a launch, which must end well.
    static void launch(const std::string& ptx, const char* check, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        const std::vector<std::uint32_t> words(256, 0x3c003c00); // pairs of 1.0
        const std::vector<std::uint16_t> halves(256, 0x3c00);
        (void)taken();
        CU(cuxWarplightRequestChecks(check));
        CUdeviceptr a = s.upload(halves), b = s.upload(halves), c = s.upload(words), out = s.upload(words);
        CUdeviceptr freed = s.upload(halves), fresh = 0;
        CU(cuMemAlloc(&fresh, 1024));
        CU(cuMemFree(freed));
        int n = 128;
        CU(s.launch(f, 1, 64, {&a, &b, &c, &out, &n, &freed, &fresh}, 4096));
        CU(cuCtxSynchronize());
        std::vector<std::uint32_t> read(256);
        CU(cuMemcpyDtoH(read.data(), out, 1024));
        CU(cuMemcpyDtoH(read.data(), c, 1024));
        CU(cuxWarplightRequestChecks(""));
        CU(cuMemFree(fresh));
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(all());
        const std::string source = source_of(kernel, true);
        findings::Findings found;
        launch(compiled(kernel, source), kernel.check, found);
        QVERIFY2(!found.all.empty(), "nothing was found");
        const std::string what = described(found);
        if (kernel.count > 0) QVERIFY2(found.all.size() == 1, what.c_str());
        for (const findings::Finding& f : found.all) {
            QVERIFY2(f.kind == kernel.check, what.c_str());
            QCOMPARE(f.severity, "error");
            const findings::Place& place = f.inlined_at.empty() ? f.place : f.inlined_at.back(); // not mma.hpp's
            QVERIFY2(place.line == line_of_mistake(source), what.c_str());
            if (kernel.count > 0) QVERIFY2(f.count == kernel.count, what.c_str());
            if (kernel.count > 0) QVERIFY2(f.thread[0] == kernel.thread, what.c_str());
            if (*kernel.access) QVERIFY2(f.access == kernel.access, what.c_str());
            if (kernel.size > 0) QVERIFY2(f.size == kernel.size, what.c_str());
            QVERIFY2(f.message.find(kernel.says) != std::string::npos, what.c_str());
            QVERIFY2(f.variable.find(kernel.variable) != std::string::npos, what.c_str());
        }
        QCOMPARE(found.more, 0U);
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(all());
        const std::string ptx = compiled(kernel, source_of(kernel, false));
        for (const char* const check : {kernel.check, "all"}) {
            findings::Findings found;
            launch(ptx, check, found);
            QVERIFY2(found.all.empty(), described(found).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(WarpAccessChecksTest)
#include "test_warp_access_checks.moc"
