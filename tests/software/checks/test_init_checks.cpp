// SPDX-License-Identifier: Apache-2.0
// Uses of memory that nothing wrote: each is found at its line, and none where it was written. The same at every width
// and on every number of workers (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "init_kernels.hpp"

#include <numeric>

using namespace warplight;
using init_kernels::Kernel;

class InitChecksTest : public QObject {
    Q_OBJECT

    static std::string source(const Kernel& kernel, bool wrong) {
        return source_of(kernel.before, init_kernels::kParameters, kernel.body, wrong);
    }

    static void launch(const std::string& ptx, const char* checks, findings::Findings& found) {
        (void)taken();
        CU(cuxWarplightRequestChecks(checks));
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<int> numbers(256);
        std::iota(numbers.begin(), numbers.end(), 0);
        CUdeviceptr out = s.allocate(1024), in = s.upload(numbers), values = s.allocate(1024), wide = s.allocate(2048);
        int n = 256;
        CU(s.launch(f, 2, 64, {&out, &in, &n, &values, &wide}, 1024));
        CU(cuCtxSynchronize());
        for (const CUdeviceptr each : {out, in, values})
            (void)s.download<int>(each, 256);
        (void)s.download<int>(wide, 512);
        CU(cuxWarplightRequestChecks(""));
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void uses_are_found_data() { add_rows_of(init_kernels::all()); }
    void uses_are_found() {
        const Kernel kernel = kernel_of_row(init_kernels::all());
        const std::string text = source(kernel, true);
        findings::Findings found;
        launch(compiled(text), "init", found);
        const std::string what = described(found);
        const auto meant = std::find_if(found.all.begin(), found.all.end(), [&](const findings::Finding& f) {
            return f.place.line == line_of_mistake(text);
        });
        QVERIFY2(meant != found.all.end(), what.empty() ? "nothing was found" : what.c_str());
        QCOMPARE(meant->kind, "init");
        QCOMPARE(meant->severity, "error");
        if (*kernel.access) QVERIFY2(meant->access == kernel.access, what.c_str());
        if (kernel.count) QVERIFY2(meant->count == kernel.count, what.c_str());
        QVERIFY2(meant->message.find(kernel.says) != std::string::npos, what.c_str());
        if (kernel.reads_there)
            QVERIFY2(meant->other && meant->other->place.line == line_of_mistake(text, "// THERE"), what.c_str());
    }

    void mended_ones_are_not_data() { uses_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(init_kernels::all());
        for (const char* checks : {"init", "memory,init"}) {
            findings::Findings found;
            launch(compiled(source(kernel, false)), checks, found);
            QVERIFY2(found.all.empty(), described(found).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(InitChecksTest)
#include "test_init_checks.moc"
