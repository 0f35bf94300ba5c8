// SPDX-License-Identifier: Apache-2.0
// Races that running kernels have: each is found with the lines of both accesses, and none in kernels that order them.
// The same at every width (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "race_kernels.hpp"

#include <map>
#include <set>
#include <string>

using namespace warplight;
using race_kernels::Kernel;

class RaceChecksTest : public QObject {
    Q_OBJECT

    static std::string source(const Kernel& kernel, bool wrong) {
        return source_of(kernel.before, "int* a, const int* b, int n", kernel.body, wrong);
    }

    /// What the kernels are examples of.
    static const std::map<std::string, findings::Mend>& mends() {
        using enum findings::Mend;
        static const std::map<std::string, findings::Mend> all{
            {"a value read before it is there", barrier}, {"lanes that are taken to run in step", syncwarp},
            {"a counter that is read too early", atomic}, {"elements of another block", flag},
            {"a fence for the block alone", fence},       {"atomic operations of a block", scope},
        };
        return all;
    }

    /// What each of several launches of the same memory has.
    static void launch(const std::string& ptx, std::vector<findings::Findings>& found) {
        Session s;
        const CUfunction f = s.load(ptx, "k");
        QVERIFY2(f, last_error_text().c_str());
        CUdeviceptr a = s.allocate(4096), b = s.upload(std::vector<int>(128));
        int n = 100;
        (void)taken();
        for (findings::Findings& each : found) {
            CU(cuMemsetD32(a, 0, 1024));
            CU(cuxWarplightRequestChecks("race"));
            CU(s.launch(f, 2, 64, {&a, &b, &n}, 1024));
            const CUresult end = cuCtxSynchronize();
            CU(cuxWarplightRequestChecks(""));
            QVERIFY2(end == CUDA_SUCCESS, last_error_text().c_str());
            each = taken();
        }
    }

private slots:
    void init() {
        if (const auto info = compiler::compiler_info(compiler::Backend::nvrtc); !info.found)
            QSKIP(info.problem.c_str());
    }

    void races_are_found_data() {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Kernel& each : race_kernels::all())
            QTest::newRow(each.name) << number++;
    }
    void races_are_found() {
        QFETCH(int, number);
        const Kernel kernel = race_kernels::all().at(static_cast<std::size_t>(number));
        const std::string text = source(kernel, true);
        std::multiset<int> lines{line_of_mistake(text)};
        lines.insert(text.find("// THERE") == std::string::npos ? line_of_mistake(text)
                                                                : line_of_mistake(text, "// THERE"));
        std::vector<findings::Findings> several(3);
        launch(compiled(text), several);
        const findings::Findings& found = several.front();
        const std::string what = described(found);
        const auto meant = std::find_if(found.all.begin(), found.all.end(), [&](const findings::Finding& f) {
            return f.message.find(kernel.says) != std::string::npos && f.other &&
                   std::multiset<int>{f.place.line, f.other->place.line} == lines;
        });
        QVERIFY2(meant != found.all.end(), what.c_str());
        QCOMPARE(meant->kind, "race");
        QVERIFY2(meant->mend && meant->message.ends_with(advice_of(*meant->mend)), what.c_str());
        if (const auto known = mends().find(kernel.name); known != mends().end())
            QVERIFY2(meant->mend == known->second, what.c_str());
        for (const findings::Event* each : {static_cast<const findings::Event*>(&*meant), &*meant->other})
            QVERIFY2(each->access != "read" || each->value.empty(), what.c_str());
        QVERIFY2(meant->severity == (kernel.warns ? "warning" : "error"), what.c_str());
        for (const findings::Finding& each : found.all)
            QVERIFY2(std::multiset<int>({each.place.line, each.other->place.line}) == lines, what.c_str());
        for (const findings::Findings& again : several)
            QCOMPARE(described(again), what);
    }

    void ordered_ones_are_not_data() { races_are_found_data(); }
    void ordered_ones_are_not() {
        QFETCH(int, number);
        const Kernel kernel = race_kernels::all().at(static_cast<std::size_t>(number));
        std::vector<findings::Findings> found(2);
        launch(compiled(source(kernel, false)), found);
        for (const findings::Findings& each : found)
            QVERIFY2(each.all.empty(), described(each).c_str());
    }
};

QTEST_GUILESS_MAIN(RaceChecksTest)
#include "test_race_checks.moc"
