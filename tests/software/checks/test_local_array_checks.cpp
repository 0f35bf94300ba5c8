// SPDX-License-Identifier: Apache-2.0
// Local arrays against their own bounds: each mistake is found at its line, and nothing in kernels without one. At
// every width and on any number of workers (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "debug/local_arrays.hpp"
#include "local_array_kernels.hpp"

using namespace warplight;
using memory_kernels::Kernel;

class LocalArrayChecksTest : public QObject {
    Q_OBJECT

    static std::string source_of(const Kernel& kernel, bool wrong) {
        return ::source_of(kernel.before, memory_kernels::kParameters, kernel.body, wrong);
    }

    /// Newer ones have another optimiser (WARPLIGHT_SOFTWARE_ARCH must be as new).
    static std::string arch() { return qEnvironmentVariable("WARPLIGHT_TEST_ARCH", "compute_80").toStdString(); }
    /// As sessions do.
    static std::string compiled_with_bounds(const std::string& source) {
        compiler::CompileRequest request;
        request.source = source;
        request.name = "k.cu";
        request.arch = arch();
        request.options = {"-std=c++17", "--device-debug"};
        request.line_info = false;
        const auto for_debugger = compiler::compile(request);
        return for_debugger.ok ? debug::with_local_arrays(compiled(source, arch()), for_debugger.ptx) : std::string();
    }

    static void launch(const std::string& ptx, const std::vector<std::string>& names, findings::Findings& found,
                       const char* checks = "memory") {
        Session s;
        QVERIFY(!ptx.empty());
        const std::vector<int> zeros(128);
        std::vector<CUfunction> kernels;
        for (const std::string& name : names) {
            CUfunction f = s.module ? nullptr : s.load(ptx, name.c_str());
            QVERIFY2(s.module, last_error_text().c_str());
            if (!f) CU(cuModuleGetFunction(&f, s.module, name.c_str()));
            QVERIFY2(f, last_error_text().c_str());
            kernels.push_back(f);
        }
        CUdeviceptr a = s.upload(zeros), b = s.upload(zeros), freed = s.upload(zeros), null = 0;
        CUdeviceptr quads = s.upload(zeros), six = s.upload(std::vector<unsigned char>(6));
        CUdeviceptr table = s.upload(std::vector<CUdeviceptr>{a, b, freed});
        CU(cuMemFree(freed));
        int n = 128;
        long long off = (static_cast<long long>(b) - static_cast<long long>(a)) / 4;
        (void)taken();
        CU(cuxWarplightRequestChecks(checks));
        for (const CUfunction f : kernels)
            CU(s.launch(f, 2, 64, {&a, &b, &n, &off, &table, &freed, &null, &quads, &six}, 256));
        CU(cuCtxSynchronize());
        CU(cuxWarplightRequestChecks(""));
        found = taken();
    }

    static std::vector<Kernel> wrong_ones() {
        std::vector<Kernel> all = local_array_kernels::all();
        for (Kernel& each : memory_kernels::all()) // other memory is checked as ever
            all.push_back(std::move(each));
        return all;
    }

private slots:
    void init() { NEEDS_NVRTC; }

    void mistakes_are_found_data() { add_rows_of(wrong_ones()); }
    void mistakes_are_found() {
        const Kernel kernel = kernel_of_row(wrong_ones());
        const std::string source = source_of(kernel, true);
        findings::Findings found;
        launch(compiled_with_bounds(source), {"k"}, found);
        QVERIFY2(!found.all.empty(), "nothing was found");
        const std::string what = described(found);
        if (kernel.count > 0) QVERIFY2(found.all.size() == 1, what.c_str());
        for (const findings::Finding& f : found.all) {
            QCOMPARE(f.kind, "memory");
            QVERIFY2(f.place.line == line_of_mistake(source), what.c_str());
            QVERIFY2(f.block[0] == kernel.block && f.thread[0] == kernel.thread, what.c_str());
            if (*kernel.access) QVERIFY2(f.access == kernel.access, what.c_str());
            if (kernel.count > 0) QVERIFY2(f.count == kernel.count, what.c_str());
            QVERIFY2(f.message.find(kernel.says) != std::string::npos, what.c_str());
            QVERIFY2(f.variable.find(kernel.variable) != std::string::npos, what.c_str());
        }
    }

    void mended_ones_are_not_data() { mistakes_are_found_data(); }
    void mended_ones_are_not() {
        findings::Findings found;
        launch(compiled_with_bounds(source_of(kernel_of_row(wrong_ones()), false)), {"k"}, found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }

    void what_nobody_can_tell_is_not_data() { add_rows_of(local_array_kernels::silent()); }
    void what_nobody_can_tell_is_not() {
        findings::Findings found;
        launch(compiled_with_bounds(source_of(kernel_of_row(local_array_kernels::silent()), true)), {"k"}, found);
        QVERIFY2(found.all.empty(), described(found).c_str());
    }

    /// The array that would be hit on a GPU.
    void neighbours() {
        const std::string source =
            ::source_of("", memory_kernels::kParameters,
                        "int i = threadIdx.x;\nint x[8];\nint y[8];\nfor (int k = 0; k < 8; ++k) x[k] = b[k] + i;\n"
                        "for (int k = 0; k < 8; ++k) y[k] = b[k] - i;\nx[b[i] + 8] = 3;\ny[b[i] + 8] = 3;\n"
                        "x[b[i] - 8] = 3;\ny[b[i] - 8] = 3;\na[i] = x[b[i] + 1] + y[b[i] + 2];\n",
                        true);
        findings::Findings found;
        launch(compiled_with_bounds(source), {"k"}, found);
        const std::string what = described(found);
        QVERIFY2(found.all.size() == 4, what.c_str());
        // One of the two lies behind the other.
        const auto says = [&](const char* text) { return what.find(text) != std::string::npos; };
        QVERIFY2(says("where 'y' (declared in line 5) lies") && says("where 'x' (declared in line 4) lies"),
                 what.c_str());
    }

    /// The differential part: whatever the compiler makes of them, there is no false alarm.
    void random_kernels_have_no_mistakes() {
        const int sources = qEnvironmentVariableIntValue("WARPLIGHT_TEST_SOURCES");
        const int first = qEnvironmentVariableIntValue("WARPLIGHT_TEST_FIRST");
        constexpr int kKernels = 8;
        std::vector<std::string> names;
        for (int k = 0; k < kKernels; ++k)
            names.push_back("k" + std::to_string(k));
        int depots = 0, divided = 0;
        for (int seed = first; seed < first + (sources > 0 ? sources : 1); ++seed) {
            const std::string source = local_array_kernels::random_source(static_cast<unsigned>(seed), kKernels);
            const std::string ptx = compiled_with_bounds(source);
            for (std::size_t at = 0; (at = ptx.find("__local_depot", at)) != std::string::npos; ++at)
                depots += ptx.find('[', at) < ptx.find('\n', at);
            for (std::size_t at = 0; (at = ptx.find(".b8 __local_array$", at)) != std::string::npos; ++at)
                divided += ptx.rfind('\n', at) == ptx.rfind("\n.local", at);
            findings::Findings found;
            launch(ptx, names, found);
            if (!found.all.empty()) qWarning("seed %d\n%s", seed, source.c_str());
            QVERIFY2(found.all.empty(), described(found).c_str());
        }
        qInfo("%d depots stay whole, %d arrays are variables", depots, divided);
        QVERIFY(divided > depots);
    }
};

QTEST_GUILESS_MAIN(LocalArrayChecksTest)
#include "test_local_array_checks.moc"
