// SPDX-License-Identifier: Apache-2.0
// The kernels of the folder planted, as practitioners write them: each with a mistake that the checks find at its line,
// and without it, where they find nothing. All checks run at once. The same at every width (see CMakeLists.txt).
#include "findings/toolkit_headers.hpp"
#include "planted_programs.hpp"

#include <map>

using namespace warplight;
using planted::Program;

class PlantedProgramsTest : public QObject {
    Q_OBJECT

    std::vector<Program> programs_ = planted::all(WARPLIGHT_PLANTED);
    std::map<std::string, std::string> ptx_;

    const std::string& ptx_of(const Program& program, bool wrong) {
        std::string& ptx = ptx_[program.file + (wrong ? " wrong" : "")];
        if (ptx.empty()) ptx = planted::compiled(program, wrong);
        return ptx;
    }

    void add_rows(bool wrong) const {
        QTest::addColumn<int>("number");
        int number = 0;
        for (const Program& each : programs_) {
            const bool is_ours = number % kShares == share() || share() < 0;
            if (is_ours && (!wrong || !each.marks.empty())) QTest::newRow(each.name.c_str()) << number;
            ++number;
        }
    }

    /// Compiling them takes long, so that ctest runs half of them at each width. Less than 0: all.
    static int share() {
        bool is_set = false;
        const int share = qEnvironmentVariableIntValue("WARPLIGHT_TEST_SHARE", &is_set);
        return is_set ? share % kShares : -1;
    }
    static constexpr int kShares = 6;

private slots:
    void init() { NEEDS_NVRTC; }

    void headers_of_the_toolkit_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("is_one");
        QTest::newRow("of a folder with a version")
            << "/usr/local/cuda-13.0/include/cccl/cuda/std/__atomic/api/reference.h" << true;
        QTest::newRow("of the system") << "/usr/include/cuda_fp16.hpp" << true;
        QTest::newRow("of Windows")
            << R"(C:\Program Files\NVIDIA GPU Computing Toolkit\CUDA\v12.4\include\cuda_fp16.hpp)" << true;
        QTest::newRow("of pip") << "/home/u/lib/site-packages/nvidia/cuda_runtime/include/cooperative_groups.h" << true;
        QTest::newRow("of NVRTC itself") << "/home/u/graphs/__nv_nvrtc_builtin_header.h" << true;
        QTest::newRow("of a project") << "/home/u/graphs/include/cuda/bfs.cuh" << false;
        QTest::newRow("of a project named so") << "/home/u/cuda-graphs/include/bfs.cuh" << false;
        QTest::newRow("a source") << "bfs.cu" << false;
    }
    void headers_of_the_toolkit() {
        QFETCH(QString, path);
        QFETCH(bool, is_one);
        QCOMPARE(findings::is_toolkit_header(path.toStdString()), is_one);
    }

    void mistakes_are_found_data() { add_rows(true); }
    void mistakes_are_found() {
        QFETCH(int, number);
        const Program& program = programs_.at(static_cast<std::size_t>(number));
        const findings::Findings found = planted::run(program, ptx_of(program, true), program.ends_with_error);
        const std::string what = described(found);
        const bool is_found = std::ranges::any_of(found.all, [&](const findings::Finding& f) {
            return f.kind == program.kind && program.marks.contains(f.place.line);
        });
        QVERIFY2(is_found, ("not found: " + program.where() + '\n' + what).c_str());
        for (const findings::Finding& f : found.all)
            QVERIFY2(program.may_be_told(f), ("elsewhere: " + program.where() + '\n' + findings::to_text(f)).c_str());
    }

    void mended_ones_are_silent_data() { add_rows(false); }
    void mended_ones_are_silent() {
        QFETCH(int, number);
        const Program& program = programs_.at(static_cast<std::size_t>(number));
        const findings::Findings found = planted::run(program, ptx_of(program, false), false);
        QVERIFY2(found.all.empty(), (program.where() + '\n' + described(found)).c_str());
    }
};

QTEST_GUILESS_MAIN(PlantedProgramsTest)
#include "test_planted_programs.moc"
