// SPDX-License-Identifier: GPL-3.0-or-later
// The folders and files of ui include each other in one direction.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

/// What a folder or file includes.
using Graph = QMap<QString, QSet<QString>>;

/// The names on a cycle, the first again at the end; empty when there is none.
QStringList cycleFrom(const Graph& graph, const QString& name, QStringList& path, QSet<QString>& done) {
    if (const qsizetype at = path.indexOf(name); at >= 0) return path.mid(at) << name;
    if (done.contains(name)) return {};
    path << name;
    for (const QString& next : graph.value(name))
        if (QStringList cycle = cycleFrom(graph, next, path, done); !cycle.isEmpty()) return cycle;
    path.removeLast();
    done << name;
    return {};
}

QStringList cycleIn(const Graph& graph) {
    QStringList path;
    QSet<QString> done;
    for (const QString& name : graph.keys())
        if (QStringList cycle = cycleFrom(graph, name, path, done); !cycle.isEmpty()) return cycle;
    return {};
}

} // namespace

class TestIncludes : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void aCycleIsFound();
    void foldersHaveNone();
    void filesHaveNone();

private:
    Graph folders_, files_;
};

void TestIncludes::initTestCase() {
    const QDir root(QStringLiteral(WARPLIGHT_SOURCE_DIR));
    static const QRegularExpression include(QStringLiteral("^#include \"(ui/[^\"]+)\""),
                                            QRegularExpression::MultilineOption);
    QDirIterator sources(root.filePath("ui"), {"*.cpp", "*.hpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (sources.hasNext()) {
        QFile file(sources.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString name = root.relativeFilePath(file.fileName());
        for (auto matches = include.globalMatch(QString::fromUtf8(file.readAll())); matches.hasNext();) {
            const QString included = matches.next().captured(1);
            files_[name] << included;
            const QString from = name.section('/', 0, 1), to = included.section('/', 0, 1);
            if (from != to) folders_[from] << to;
        }
    }
    QVERIFY(folders_.size() > 5);
}

void TestIncludes::aCycleIsFound() {
    QVERIFY(cycleIn({{"a", {"b", "c"}}, {"b", {"c"}}}).isEmpty());
    QCOMPARE(cycleIn({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), QStringList({"b", "c", "b"}));
}

void TestIncludes::foldersHaveNone() {
    QVERIFY2(cycleIn(folders_).isEmpty(), qPrintable(cycleIn(folders_).join(" → ")));
}

void TestIncludes::filesHaveNone() { QVERIFY2(cycleIn(files_).isEmpty(), qPrintable(cycleIn(files_).join(" → "))); }

QTEST_APPLESS_MAIN(TestIncludes)
#include "test_includes.moc"
