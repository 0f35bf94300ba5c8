// SPDX-License-Identifier: Apache-2.0
// Programs that compile by NVRTC, below `warplight-cli exec`: they get PTX where they ask for a GPU's code.
#include "exec_environment.hpp"
#include "nvrtc/architecture_options.hpp"

#include <QDir>
#include <QFileInfo>
#include <QTest>

using namespace warplight;

namespace {
#ifdef Q_OS_WIN
const QStringList libraries{"nvrtc64_120_0.dll", "nvrtc64_130_0.dll"};
#else
const QStringList libraries{"libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"};
#endif
const QString of13 = libraries[1];
} // namespace

class ExecNvrtcTest : public QObject {
    Q_OBJECT

private slots:
    void options_data() {
        QTest::addColumn<QStringList>("given");
        QTest::addColumn<QStringList>("expected");
        QTest::addColumn<bool>("changed");
        QTest::newRow("long") << QStringList{"--gpu-architecture=sm_80"} << QStringList{"--gpu-architecture=compute_80"}
                              << true;
        QTest::newRow("short") << QStringList{"-arch=sm_90a", "-O3"} << QStringList{"-arch=compute_90a", "-O3"} << true;
        QTest::newRow("in two") << QStringList{"-arch", "sm_75"} << QStringList{"-arch", "compute_75"} << true;
        QTest::newRow("blank") << QStringList{" --gpu-architecture sm_75"}
                               << QStringList{" --gpu-architecture compute_75"} << true;
        QTest::newRow("virtual") << QStringList{"-arch=compute_80"} << QStringList{"-arch=compute_80"} << false;
        QTest::newRow("others") << QStringList{"-DX=sm_80", "sm_80", "-architecture=sm_80"}
                                << QStringList{"-DX=sm_80", "sm_80", "-architecture=sm_80"} << false;
        QTest::newRow("ends") << QStringList{"-arch"} << QStringList{"-arch"} << false;
        QTest::newRow("empty") << QStringList{"", "-arch=", "sm_80"} << QStringList{"", "-arch=", "sm_80"} << false;
    }
    void options() {
        QFETCH(QStringList, given);
        QFETCH(QStringList, expected);
        QFETCH(bool, changed);
        std::vector<QByteArray> bytes;
        std::vector<const char*> pointers;
        for (const QString& each : given)
            bytes.push_back(each.toUtf8());
        for (const QByteArray& each : bytes)
            pointers.push_back(each.constData());
        const auto result = nvrtc::for_virtual_architecture(pointers);
        QStringList texts;
        for (const char* each : result.pointers())
            texts << each;
        QCOMPARE(texts, expected);
        QCOMPARE(result.changed, changed);
    }

    void compiles_data() {
        QTest::addColumn<QStringList>("program");
        QTest::addColumn<QString>("answer");
        for (const QString& library : libraries) {
            const QStringList start{NVRTC_PROGRAM, library};
            QTest::addRow("%s for a GPU", qPrintable(library))
                << start + QStringList{"--gpu-architecture=sm_80"} << "CUBIN yes, PTX yes";
            QTest::addRow("%s in two", qPrintable(library))
                << start + QStringList{"-lineinfo", "-arch", "sm_75"} << "CUBIN yes, PTX yes";
            QTest::addRow("%s virtual", qPrintable(library))
                << start + QStringList{"-arch=compute_80"} << "CUBIN no, PTX yes";
        }
        if (!QByteArray(NVRTC_LINKED).isEmpty())
            QTest::newRow("linked") << QStringList{NVRTC_LINKED, "", "-arch=sm_80"} << "CUBIN yes, PTX yes";
    }
    void compiles() {
        QFETCH(QStringList, program);
        QFETCH(QString, answer);
        const auto result = cli(QStringList{"exec", "--"} + program);
        QVERIFY2(result.code == 0, qPrintable(result.all()));
        QCOMPARE(result.out, answer + "\nscaled\n");
        QCOMPARE(result.err, QString()); // nothing of missing versions either
    }

    /// The errors are NVRTC's own.
    void wrong_option() {
        const auto result = cli({"exec", "--", NVRTC_PROGRAM, of13, "-arch=sm_80", "--no-such-option"});
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("NVRTC_ERROR_INVALID_OPTION"), qPrintable(result.err));
    }

    void no_nvrtc() {
        auto environment = plain_environment();
        environment.insert("WARPLIGHT_NVRTC", "/no/such/library");
        const auto result = cli({"exec", "--", NVRTC_PROGRAM, of13, "-arch=sm_80"}, environment);
        QCOMPARE(result.code, 1);
        QCOMPARE(result.err.count("warplight-cli toolkit install"), 1);
        QVERIFY2(result.err.contains(of13), qPrintable(result.err));
    }

    /// It never opens itself, nor its twin.
    void not_itself() {
        auto environment = plain_environment();
        const QString folder = QFileInfo(SOFTWARE_DRIVER).dir().canonicalPath() + "/exec/";
        environment.insert("WARPLIGHT_NVRTC", folder + libraries[0]);
        const auto result = cli({"exec", "--", NVRTC_PROGRAM, of13, "-arch=sm_80"}, environment);
        QCOMPARE(result.code, 1);
        QVERIFY2(result.err.contains("was not found"), qPrintable(result.err));
    }
};

QTEST_GUILESS_MAIN(ExecNvrtcTest)
#include "exec_nvrtc_test.moc"
