// SPDX-License-Identifier: Apache-2.0
// warplight-cli where something is missing: a device, a driver, NVRTC.
#include "cli_fixture.hpp"

#include <QDir>
#include <nlohmann/json.hpp>

using nlohmann::json;

class CliBareMachineTest : public CliFixture {
    Q_OBJECT

private slots:
    void initTestCase() { write_scale(); }

    void help_and_version_need_nothing() {
        QProcessEnvironment bare;
#ifdef _WIN32 // which looks there for the compiler's libraries
        bare.insert("PATH", qEnvironmentVariable("PATH"));
#else
        bare.insert("PATH", "/nowhere");
#endif
        bare.insert("CUDA_PATH", "/nowhere");
        bare.insert("WARPLIGHT_SOFTWARE_LIBRARY", "/nowhere/none.so");
        QCOMPARE(cli({"--version"}, bare).code, 0);
        QVERIFY(cli({"--version"}, bare).out.startsWith("warplight-cli "));
        const auto help = cli({"--help"}, bare);
        QCOMPARE(help.code, 0);
        for (const char* command : {"devices", "compile", "inspect", "run", "toolkit", "worker"}) {
            QVERIFY(help.out.contains(command));
            QCOMPARE(cli({command, "--help"}, bare).code, 0);
        }
    }

    void no_device() {
        auto none = environment();
        none.insert("WARPLIGHT_SOFTWARE_LIBRARY", "/nowhere/none.so");
        auto result = cli(QStringList{"run", "good.warplight", "--device", "software"}, none);
        QVERIFY2(result.code == 4, qPrintable(result.all()));
        result = cli(QStringList{"run", "good.warplight", "--device", "software", "--in-process"}, none);
        QVERIFY2(result.code == 4, qPrintable(result.all()));
        QVERIFY(result.all().contains(QDir::toNativeSeparators("/nowhere/none.so")));
        result = cli({"run", "good.warplight", "--device", "software:9"});
        QVERIFY2(result.code == 4, qPrintable(result.all()));
        QCOMPARE(cli({"run", "good.warplight", "--device", "fpga"}).code, 2);
    }

    void a_driver_without_a_device_is_not_chosen_data() {
        QTest::addColumn<QString>("driver");
        QTest::newRow("an empty file") << QString();
        QTest::newRow("no device") << QString(FAKE_DRIVER);
    }
    void a_driver_without_a_device_is_not_chosen() {
        if (device_ != "software") QSKIP("there is a GPU");
        QFETCH(QString, driver);
        const QString library = path("driver/libcuda.so.1");
        QVERIFY(QDir(temporary_.path()).mkpath("driver"));
        QFile::remove(library);
        if (driver.isEmpty())
            write("driver/libcuda.so.1", "");
        else
            QVERIFY(QFile::link(driver, library));
        auto useless = environment();
        useless.insert("LD_LIBRARY_PATH", path("driver"));
        useless.insert("FAKE_DRIVER_DEVICES", "0");
        for (const QStringList& more : {QStringList{}, QStringList{"--in-process"}}) {
            const auto result = cli(QStringList{"run", "good.warplight"} + more, useless);
            QVERIFY2(result.code == 0, qPrintable(result.all()));
            QVERIFY2(result.out.contains("software:0"), qPrintable(result.all()));
        }
        const auto devices = cli({"devices"}, useless);
        QVERIFY2(devices.code == 0, qPrintable(devices.all()));
        QVERIFY2(devices.out.contains("software:0") && !devices.out.contains("cuda:0"), qPrintable(devices.all()));
    }

    void toolkit_is_installed_found_and_removed() {
        // A pip that makes empty wheels: what it downloads is install_toolkit_test.py's to look at.
        QVERIFY(QDir(temporary_.path()).mkpath("python/pip"));
        write("python/pip/__init__.py", "");
        write("python/pip/__main__.py", R"(
import sys, zipfile
if "--version" not in sys.argv:
    folder = sys.argv[sys.argv.index("-d") + 1]
    with zipfile.ZipFile(folder + "/nvidia_cuda_nvrtc-13-py3-none-any.whl", "w") as wheel:
        wheel.writestr("nvidia/cu13/include/nvrtc.h", "")
)");
        auto with_pip = environment();
        with_pip.insert("PYTHONPATH", path("python"));
        with_pip.insert("WARPLIGHT_CACHE_DIR", path("toolkit cache"));
        QCOMPARE(cli({"toolkit", "remove"}, with_pip).code, 2);
        auto result = cli({"toolkit", "install"}, with_pip);
        if (result.err.contains("Python 3 is missing")) QSKIP("no Python here");
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("--yes"), qPrintable(result.all()));
        result = cli({"toolkit", "install", "--yes", "--progress"}, with_pip);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QVERIFY2(result.out.contains("progress 1.000"), qPrintable(result.out));
        QVERIFY(QFile::exists(path("toolkit cache/toolkit/include/nvrtc.h")));
        const auto shown = json::parse(cli({"toolkit", "show", "--json"}, with_pip).out.toStdString());
        QCOMPARE(shown["installed"]["version"].get<std::string>(), std::string("13.0"));
        QVERIFY(cli({"toolkit"}, with_pip).out.contains("NVRTC"));
        QCOMPARE(cli({"toolkit", "remove"}, with_pip).code, 0);
        QVERIFY(!QFile::exists(path("toolkit cache/toolkit")));
    }

    void missing_nvrtc_is_told_once() {
        auto none = environment();
        none.insert("WARPLIGHT_NVRTC", "/nowhere/libnvrtc.so");
        for (const QStringList& command :
             {QStringList{"run", "good.warplight", "--device", device_}, QStringList{"compile", "scale.cu"}}) {
            const auto result = cli(command, none);
            QCOMPARE(result.code, 3);
            QCOMPARE(result.all().count("NVRTC, the CUDA run-time compiler, was not found"), 1);
            QCOMPARE(result.all().count("`warplight-cli toolkit install`"), 1);
            QCOMPARE(result.all().count("error:"), 1);
        }
        QCOMPARE(cli({"toolkit"}, none).code, 3);
    }
};

QTEST_GUILESS_MAIN(CliBareMachineTest)
#include "cli_bare_machine_test.moc"
