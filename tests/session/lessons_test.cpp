// SPDX-License-Identifier: Apache-2.0
// All lessons, through the command line program: what each is about is seen in the first kernel, and not in the mended
// one.
#include "session/session.hpp"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>
#include <nlohmann/json.hpp>

using nlohmann::json;

class LessonsTest : public QObject {
    Q_OBJECT
    const QDir lessons_{QStringLiteral(WARPLIGHT_SOURCE_DIR "/resources/lessons")};

    struct Answer {
        int code;
        json report;
    };
    static Answer run(const QString& session, const QStringList& more = {}) {
        QProcess process;
        process.start(WARPLIGHT_CLI, QStringList{"run", session, "--device", "software", "--json"} + more);
        if (!process.waitForFinished(300000)) return {-1, {}};
        return {process.exitCode(), json::parse(process.readAllStandardOutput().toStdString(), nullptr, false)};
    }
    /// Where a text is first in the lesson's source; from 1.
    int line_of(const QString& lesson, const QByteArray& text) const {
        QFile source(lessons_.filePath(lesson + '/' + lesson + ".cu"));
        if (!source.open(QIODevice::ReadOnly)) return 0;
        const QByteArray all = source.readAll();
        const auto at = all.indexOf(text);
        return at < 0 ? 0 : static_cast<int>(all.left(at).count('\n')) + 1;
    }

private slots:
    void initTestCase() {
        if (!qEnvironmentVariableIsSet("WARPLIGHT_SOFTWARE_LIBRARY"))
            qputenv("WARPLIGHT_SOFTWARE_LIBRARY", WARPLIGHT_SOFTWARE_LIBRARY_FILE);
    }

    /// None is without a row below.
    void each_is_tried() {
        QCOMPARE(lessons_.entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringList({"bank_conflicts", "coalescing", "divergence", "missing_barrier", "off_by_one", "race"}));
    }

    void checks_find_the_mistake_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("check");
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("off by one") << "off_by_one" << "memory" << QByteArray("out[i] = in[i + 1]");
        QTest::newRow("race") << "race" << "race" << QByteArray("counts[data[i] & 15] += 1");
        QTest::newRow("missing barrier") << "missing_barrier" << "race" << QByteArray("out[first + t] = part");
    }
    void checks_find_the_mistake() {
        QFETCH(QString, lesson);
        QFETCH(QString, check);
        QFETCH(QByteArray, place);
        const auto [code, report] = run(lessons_.filePath(lesson + '/' + lesson + ".warplight"));
        QVERIFY(report.is_object());
        QVERIFY2(code == 5 || code == 6, report.dump(2).c_str()); // the results may be right by luck
        QVERIFY(!report["findings"].empty());
        for (const json& finding : report["findings"]) {
            QCOMPARE(QString::fromStdString(finding["kind"]), check);
            QCOMPARE(finding["line"].get<int>(), line_of(lesson, place));
        }
    }

    void profiles_show_the_cost_data() {
        QTest::addColumn<QString>("lesson");
        QTest::addColumn<QString>("figure");
        QTest::addColumn<QByteArray>("place");
        QTest::addColumn<double>("wrong"); // the figure over the fewest possible
        QTest::addColumn<double>("mended");
        QTest::newRow("coalescing") << "coalescing" << "sectors" << QByteArray("out[i] = factor") << 8.0 << 1.0;
        QTest::newRow("bank conflicts") << "bank_conflicts" << "wavefronts" << QByteArray("out[y * n + x] = tile")
                                        << 32.0 << 1.0;
    }
    void profiles_show_the_cost() {
        QFETCH(QString, lesson);
        QFETCH(QString, figure);
        QFETCH(QByteArray, place);
        QFETCH(double, wrong);
        QFETCH(double, mended);
        const std::string is = figure.toStdString(), ideal = is + "_ideal";
        const auto before = run(lessons_.filePath(lesson + '/' + lesson + ".warplight"));
        QCOMPARE(before.code, 0); // slow, not wrong
        const int line = line_of(lesson, place);
        double found = 0;
        for (const json& each : before.report["profile"]["lines"])
            if (each["line"] == line) found = each[is].get<double>() / each[ideal].get<double>();
        QCOMPARE(found, wrong);
        const auto after = run(lessons_.filePath(lesson + "/mended.warplight"));
        const json& all = after.report["profile"]["kernel"];
        QCOMPARE(all[is].get<double>() / all[ideal].get<double>(), mended);
    }
    void divergence_is_seen() {
        const auto before = run(lessons_.filePath("divergence/divergence.warplight"));
        const auto after = run(lessons_.filePath("divergence/mended.warplight"));
        QCOMPARE(before.code, 0);
        const auto lanes = [](const json& report) {
            const json& all = report["profile"]["kernel"];
            return all["active_lanes"].get<double>() / all["executions"].get<double>();
        };
        const auto branches = [](const json& report) {
            return report["profile"]["kernel"]["divergent_branches"].get<double>();
        };
        QVERIFY(lanes(before.report) < 0.8 * lanes(after.report));
        QVERIFY(branches(before.report) > 2 * branches(after.report));
    }

    void mended_is_right_data() {
        QTest::addColumn<QString>("lesson");
        for (const QString& lesson : lessons_.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            QTest::newRow(qPrintable(lesson)) << lesson;
    }
    void mended_is_right() {
        QFETCH(QString, lesson);
        const QString file = lessons_.filePath(lesson + "/mended.warplight");
        const auto [code, report] = run(file, {"--check", "all"});
        QVERIFY2(code == 0, report.dump(2).c_str());
        QVERIFY(report["findings"].empty());
        QCOMPARE(report["comparison"].size(), std::size_t(1));
        const auto wrong =
            warplight::session::load(lessons_.filePath(lesson + '/' + lesson + ".warplight").toStdString());
        const auto mended = warplight::session::load(file.toStdString());
        QVERIFY(wrong.kernel != mended.kernel);
        QCOMPARE(wrong.source.path, mended.source.path);
        QVERIFY2(wrong.description.find('`' + mended.kernel + '`') != std::string::npos, "it names the mended kernel");
    }
};

QTEST_GUILESS_MAIN(LessonsTest)
#include "lessons_test.moc"
