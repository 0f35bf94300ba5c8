// SPDX-License-Identifier: Apache-2.0
// Runs on a GPU that are looked into on the software device beside it. Where there is no GPU, the software device
// stands in for NVIDIA's driver under the name that it has for programs.
#include "cli_fixture.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;

class BesideTest : public CliFixture {
    Q_OBJECT

    Result run_on_gpu(const QStringList& arguments) {
        QProcessEnvironment here = environment();
        if (device_ != "cuda") here.insert("LD_LIBRARY_PATH", temporary_.path());
        return cli(QStringList{"run"} + arguments + QStringList{"--device", "cuda:0", "--json"}, here);
    }
    /// y has three elements. Of a shift of 0 the thread behind it writes too.
    static QStringList kernel(const QString& shift) {
        return {"past.cu", "--kernel", "past",  "--grid",       "1",        "--block", "64", "--arg", "out=float32[3]",
                "--arg",   "i32=3",    "--arg", "i64=" + shift, "--repeat", "2"};
    }

private slots:
    void initTestCase() {
        device_ = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software");
        // A copy: the loader would take a link for the library that it has already.
        if (device_ != "cuda") QVERIFY(QFile::copy(WARPLIGHT_SOFTWARE_LIBRARY_FILE, path("libcuda.so.1")));
        write("past.cu", "extern \"C\" __global__ void past(float* y, int n, long long shift) {\n"
                         "    int i = threadIdx.x;\n"
                         "    if (i <= n)\n"
                         "        y[i + shift] = 2;\n"
                         "}\n");
    }

    void checks_run_beside() {
        for (const QStringList& manner : {QStringList(), QStringList{"--in-process"}}) {
            const auto result = run_on_gpu(kernel("0") + manner + QStringList{"--check", "all"});
            QVERIFY2(result.code == 5, qPrintable(result.all()));
            const auto report = json::parse(result.out.toStdString());
            QVERIFY(report["device"]["driver"] == "cuda");
            QVERIFY(report["status"] == "findings");
            QVERIFY(report["checked_beside"] == true);
            QVERIFY(!report.contains("checks_problem"));
            QCOMPARE(report["times"]["kernel_ms"].size(), std::size_t(2));
            QCOMPARE(report["findings"].size(), std::size_t(1));
            const json& finding = report["findings"][0];
            QVERIFY(finding["kind"] == "memory");
            QVERIFY(finding["line"] == 4);
            QVERIFY(finding["file"] == "past.cu");
            QVERIFY(finding["count"] == 1); // of one launch
        }
    }

    /// A fault ends the run on the GPU, and the checks say why.
    void checks_explain_a_fault() {
        const auto result = run_on_gpu(kernel("1099511627776") + QStringList{"--check", "memory"});
        QVERIFY2(result.code == 4, qPrintable(result.all()));
        const auto report = json::parse(result.out.toStdString());
        QVERIFY(report["error"]["code_name"] == "CUDA_ERROR_ILLEGAL_ADDRESS");
        QCOMPARE(report["findings"].size(), std::size_t(1));
        QVERIFY(report["findings"][0]["line"] == 4);
    }

    void profile_runs_beside() {
        for (const QStringList& manner : {QStringList(), QStringList{"--in-process"}}) {
            const auto result = run_on_gpu(kernel("0") + manner + QStringList{"--profile"});
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            const auto report = json::parse(result.out.toStdString());
            QVERIFY2(!report.contains("profile_problem"), qPrintable(result.all()));
            QVERIFY(report["profile"]["kernel"]["launches"] == 1);
            QVERIFY(report["profile"]["kernel"]["warps"] == 2);
            QVERIFY(report["times"]["kernel_ms"].size() == 2);
        }
    }
};

QTEST_GUILESS_MAIN(BesideTest)
#include "beside_test.moc"
