// SPDX-License-Identifier: Apache-2.0
// What the runtime library answers here, and what NVIDIA's answered on a GPU.
#include <QFile>
#include <QProcess>
#include <QtTest>

namespace {

QStringList lines_of(const QByteArray& text, const QString& marks) {
    QStringList lines;
    for (const QByteArray& line : text.split('\n'))
        if (!line.isEmpty() && marks.contains(QLatin1Char(line[0]))) lines << QString::fromUtf8(line);
    return lines;
}

QByteArray read(const char* path) {
    QFile file(QString::fromLatin1(path));
    if (!file.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", path);
    return file.readAll();
}

} // namespace

class RecordedTest : public QObject {
    Q_OBJECT
private slots:
    void answers() {
        QProcess recorder;
        recorder.start(QStringLiteral(RECORDER), QStringList());
        QVERIFY2(recorder.waitForFinished(60'000), "the recorder does not end");
        QCOMPARE(recorder.exitStatus(), QProcess::NormalExit);
        const QStringList here = lines_of(recorder.readAllStandardOutput(), "=!");
        const QStringList there = lines_of(read(RECORDINGS "/h100_13.txt"), "=!");
        const QStringList open = lines_of(read(RECORDINGS "/open.txt"), "=");
        QVERIFY(there.size() > 600);
        QCOMPARE(here.size(), there.size());
        QStringList differ, met;
        for (qsizetype i = 0; i < here.size(); ++i) {
            if (here[i] == there[i]) continue;
            // NVIDIA's library crashes there.
            if (there[i].startsWith('!') && here[i].mid(1).startsWith(there[i].mid(1, there[i].lastIndexOf(':'))))
                continue;
            const auto known =
                std::find_if(open.begin(), open.end(), [&](const QString& each) { return here[i].startsWith(each); });
            if (known != open.end())
                met << *known;
            else
                differ << here[i] + "\n    there: " + there[i];
        }
        QVERIFY2(differ.isEmpty(), qPrintable("\n" + differ.join('\n')));
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
        return; // its variables of a function may lie in the heap, which can be registered
#endif
#endif
        for (const QString& each : open)
            QVERIFY2(met.contains(each), qPrintable(each + " does not differ any more: take it out of open.txt"));
    }
};

QTEST_GUILESS_MAIN(RecordedTest)
#include "recorded_test.moc"
