// SPDX-License-Identifier: Apache-2.0
// Races that running kernels have: each is found with the lines of both accesses, and none in kernels that order them.
// The same at every width (see CMakeLists.txt).
#include "checks_fixture.hpp"
#include "race_kernels.hpp"

#include <map>
#include <set>
#include <string>
#include <tuple>

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
    void init() { NEEDS_NVRTC; }

    void races_are_found_data() { add_rows_of(race_kernels::all()); }
    void races_are_found() {
        const Kernel kernel = kernel_of_row(race_kernels::all());
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

    /// What is written is told as a number of its type.
    void values_are_numbers_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<QString>("number");
        QTest::addColumn<QString>("value");
        const auto row = [](const char* type, const char* wrong, const char* number, const char* value) {
            QTest::newRow(type) << QString(type) << QString(wrong) << QString(number) << QString(value);
        };
        row("float", "t * 0.5f + 1.0f", "1.5", "0x3fc00000");
        row("double", "t * -0.125", "-0.125", "0xbfc0000000000000");
        row("int", "t - 4", "-3 (unsigned 4294967293)", "0xfffffffd");
        row("unsigned", "t + 41u", "42", "0x0000002a");
        row("long long", "t - 9ll", "-8 (unsigned 18446744073709551608)", "0xfffffffffffffff8");
        row("short", "t * 300", "300", "0x012c");
        row("unsigned char", "t + 199", "-56 (unsigned 200)", "0xc8");
        row("float4", "make_float4(t, 2.0f, 3.0f, 4.0f)", "1", "0x3f800000");
    }
    void values_are_numbers() {
        QFETCH(QString, type);
        QFETCH(QString, wrong);
        const QString source = "extern \"C\" __global__ void k(int* a, const int* b, int n) {\n"
                               "    __shared__ %1 s[64];\n    int t = threadIdx.x;\n    if (t == 1) s[0] = %2;\n"
                               "    if (t == 40) ((%1*)a)[blockIdx.x] = s[0];\n}\n";
        std::vector<findings::Findings> found(1);
        launch(compiled(source.arg(type, wrong).toStdString()), found);
        const std::string what = described(found[0]);
        QVERIFY2(!found[0].all.empty() && found[0].all[0].other, what.c_str());
        const findings::Finding& race = found[0].all[0];
        QTEST(QString::fromStdString(race.other->number), "number");
        QTEST(QString::fromStdString(race.other->value), "value");
        QVERIFY(race.number.empty() && race.value.empty());
        QVERIFY2(what.find("What is written is " + race.other->number + '.') != std::string::npos, what.c_str());
    }
    void a_constant_has_the_type_of_the_other_access() {
        std::vector<findings::Findings> found(1);
        launch(compiled("extern \"C\" __global__ void k(float* a, const int* b, int n) {\n"
                        "    if (threadIdx.x == 1) a[blockIdx.x] = 2.5f;\n"
                        "    if (threadIdx.x == 40) a[blockIdx.x] = n * 0.25f;\n}\n"),
               found);
        const std::string what = described(found[0]);
        QCOMPARE(found[0].all.size(), std::size_t{1});
        QVERIFY2(what.find("This one writes 25, the other 2.5.") != std::string::npos, what.c_str());
    }
    void constants_alone_are_doubtful() {
        for (const auto& [type, first, last] :
             {std::tuple("int", "1", "2"), std::tuple("float", "0x3f800000", "0x40000000")}) {
            const std::string pointer = std::string("((") + type + "*)a)";
            std::vector<findings::Findings> found(1);
            launch(compiled("extern \"C\" __global__ void k(int* a, const int* b, int n) {\n"
                            "    if (threadIdx.x == 1) " +
                            pointer + "[blockIdx.x] = 1;\n    if (threadIdx.x == 40) " + pointer +
                            "[blockIdx.x] = 2;\n}\n"),
                   found);
            const std::string what = described(found[0]);
            const std::string says = std::string("This one writes ") + last + ", the other " + first + '.';
            QVERIFY2(what.find(says) != std::string::npos, what.c_str());
        }
    }
    void bits_without_a_type_stay_bits() {
        std::vector<findings::Findings> found(1);
        launch(ptx(".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n) {\n.reg .b64 %rd<3>;\n"
                   ".reg .b32 %r<4>;\nld.param.u64 %rd1, [a];\nmov.b32 %r1, 0x80000010;\n"
                   "st.global.b32 [%rd1], %r1;\nret;\n}\n"),
               found);
        const std::string what = described(found[0]);
        QCOMPARE(found[0].all.size(), std::size_t{1});
        QVERIFY2(found[0].all[0].number.empty() && what.find("Both write 0x80000010") != std::string::npos,
                 what.c_str());
    }

    void ordered_ones_are_not_data() { races_are_found_data(); }
    void ordered_ones_are_not() {
        const Kernel kernel = kernel_of_row(race_kernels::all());
        std::vector<findings::Findings> found(2);
        launch(compiled(source(kernel, false)), found);
        for (const findings::Findings& each : found)
            QVERIFY2(each.all.empty(), described(each).c_str());
    }
};

QTEST_GUILESS_MAIN(RaceChecksTest)
#include "test_race_checks.moc"
