// SPDX-License-Identifier: Apache-2.0
// All examples, through the command line program: each does what its description says.
#include "session/session.hpp"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using nlohmann::json;

class ExamplesTest : public QObject {
    Q_OBJECT
    QString device_;

    /// `run` names the way, and the way works.
    void runs_as_program(const QString& file, [[maybe_unused]] const warplight::session::Session& session) const {
        QProcess process;
        process.start(WARPLIGHT_CLI, {"run", file, "--device", device_});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 2);
        const QByteArray refusal = process.readAllStandardOutput() + process.readAllStandardError();
        QVERIFY2(refusal.contains("exec -- nvcc"), refusal.constData());
#if !defined(Q_OS_WIN) && !defined(WARPLIGHT_SANITIZED) // what nvcc makes is not instrumented
        const QTemporaryDir folder;
        const QString program = folder.filePath("program");
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(WARPLIGHT_CLI,
                      {"exec", "--", "nvcc",
                       QFileInfo(file).dir().filePath(QString::fromStdString(session.source.path)), "-o", program});
        QVERIFY(process.waitForFinished(300000));
        const QByteArray said = process.readAll();
        if (said.contains("there is no nvcc")) QSKIP("there is no nvcc to build it with");
        QVERIFY2(process.exitCode() == 0, said.constData());
        QStringList arguments{"exec", "--device", device_, "--", program};
        for (const auto& each : session.program->arguments)
            arguments << QString::fromStdString(each);
        process.start(WARPLIGHT_CLI, arguments);
        QVERIFY(process.waitForFinished(300000));
        QVERIFY2(process.exitCode() == 0, process.readAll().constData());
#endif
    }

    /// Checks find the mistake of the one that has one, and nothing in the others.
    void is_checked(const QString& file) const {
        QProcess process;
        process.start(WARPLIGHT_CLI, {"run", file, "--device", device_, "--check", "all", "--json"});
        QVERIFY(process.waitForFinished(300000));
        const auto text = process.readAllStandardOutput();
        const auto report = json::parse(text.toStdString(), nullptr, false);
        QVERIFY2(report.is_object(), process.readAllStandardError().constData());
        if (!file.contains("faulty")) {
            QVERIFY2(process.exitCode() == 0 && report["findings"].empty(), text.constData());
            return;
        }
        QCOMPARE(process.exitCode(), 5);
        QCOMPARE(report["findings"].size(), std::size_t(1));
        QVERIFY(report["findings"][0]["line"] == 10);
        QVERIFY(report["findings"][0]["access"] == "read");
    }

private slots:
    void initTestCase() {
        device_ = qEnvironmentVariable("WARPLIGHT_TEST_DRIVER", "software");
        if (!qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
    }

    void runs_data() {
        QTest::addColumn<QString>("file");
        const QDir examples(QStringLiteral(WARPLIGHT_SOURCE_DIR "/resources/examples"));
        int count = 0;
        for (const auto& folder : examples.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
            const QDir inside(examples.filePath(folder));
            for (const auto& file : inside.entryList({"*.warplight"})) {
                QTest::newRow(qPrintable(folder)) << inside.filePath(file);
                ++count;
            }
        }
        QVERIFY(count >= 9);
    }
    void runs() {
        QFETCH(QString, file);
        const auto session = warplight::session::load(file.toStdString());
        QVERIFY(!session.title.empty());
        QVERIFY(session.description.size() > 100);
        QVERIFY(warplight::session::parse(warplight::session::to_text(session)).kernel == session.kernel);
        int expectations = 0;
        for (const auto& argument : session.arguments) {
            expectations += argument.expect.has_value();
            QVERIFY2(argument.save.empty(), "examples may lie in a folder that is read-only");
        }

        if (session.program) return runs_as_program(file, session);
        if (device_ == "software") is_checked(file);
        if (QTest::currentTestFailed()) return;

        QProcess process;
        process.start(WARPLIGHT_CLI, {"run", file, "--device", device_, "--json"});
        QVERIFY(process.waitForFinished(300000));
        const auto text = process.readAllStandardOutput();
        const auto report = json::parse(text.toStdString(), nullptr, false);
        QVERIFY2(report.is_object(), process.readAllStandardError().constData());
        if (file.contains("faulty")) {
            QCOMPARE(process.exitCode(), 4);
            QCOMPARE(report["status"].get<std::string>(), std::string("device_error"));
            QCOMPARE(report["error"]["code_name"].get<std::string>(), std::string("CUDA_ERROR_ILLEGAL_ADDRESS"));
            if (device_ == "software") {
                const auto details = QString::fromStdString(report["error"].value("details", ""));
                QVERIFY2(details.contains("\n  at faulty.cu:10:") && details.contains("ld.global.f32") &&
                             details.contains("thread"),
                         qPrintable(details));
            }
            return;
        }
        QVERIFY2(process.exitCode() == 0, text.constData());
        QCOMPARE(report["comparison"].size(), std::size_t(expectations));
        QVERIFY(expectations > 0);
        for (const auto& each : report["comparison"])
            QVERIFY(each["passed"].get<bool>());
        QCOMPARE(report["times"]["kernel_ms"].size(), std::size_t(session.repeat));
        if (file.contains("printf")) QVERIFY(report["output"].get<std::string>().find('\n') != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(ExamplesTest)
#include "examples_test.moc"
