// SPDX-License-Identifier: Apache-2.0
// Arithmetic that means nothing: each is found at its line, and no other is. The same at every width and on every
// number of workers (see CMakeLists.txt).
#include "arithmetic_kernels.hpp"
#include "checks_fixture.hpp"

#include <numeric>

using namespace warplight;
using arithmetic_kernels::Kernel;

class ArithmeticChecksTest : public QObject {
    Q_OBJECT

    static std::string source(const Kernel& kernel, bool wrong) {
        return source_of("", arithmetic_kernels::kParameters, kernel.body, wrong);
    }

    static void launch(const std::string& ptx, const char* checks, findings::Findings& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        std::vector<int> numbers(256);
        std::iota(numbers.begin(), numbers.end(), 0);
        std::vector<float> quarters(256);
        for (std::size_t k = 0; k < quarters.size(); ++k)
            quarters[k] = static_cast<float>(k) / 4.F - 8.F;
        CUdeviceptr out = s.allocate(1024), in = s.upload(numbers), real = s.upload(quarters),
                    results = s.allocate(1024), wide = s.allocate(2048);
        int n = 256, one = 1, zero = 0;
        (void)taken();
        CU(cuxWarplightRequestChecks(checks));
        CU(s.launch(f, 2, 64, {&out, &in, &real, &results, &wide, &n, &one, &zero}));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        found = taken();
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(arithmetic_kernels::all()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(arithmetic_kernels::all());
        const std::string text = source(kernel, true), code = compiled(text);
        findings::Findings found;
        launch(code, "arithmetic", found);
        const std::string what = described(found);
        const auto meant = std::find_if(found.all.begin(), found.all.end(), [&](const findings::Finding& f) {
            return f.place.line == line_of_mistake(text) && f.message.find(kernel.says) != std::string::npos;
        });
        QVERIFY2(meant != found.all.end(), what.empty() ? "nothing was found" : what.c_str());
        QCOMPARE(meant->kind, "arithmetic");
        if (kernel.count) QVERIFY2(meant->count == kernel.count, what.c_str());
        launch(code, "all", found);
        QVERIFY2(found.all.empty() == kernel.is_doubtful, described(found).c_str());
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        const Kernel kernel = kernel_of_row(arithmetic_kernels::all());
        findings::Findings found;
        launch(compiled(source(kernel, false)), "arithmetic,init", found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }
};

QTEST_GUILESS_MAIN(ArithmeticChecksTest)
#include "test_arithmetic_checks.moc"
