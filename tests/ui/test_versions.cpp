// SPDX-License-Identifier: GPL-3.0-or-later
// Another version of a source beside its editor.
#include "window_fixture.hpp"

#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/versions/version_view.hpp"

#include <QMenu>
#include <QPushButton>
#include <QRandomGenerator>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const kernel = R"(extern "C" __global__ void fill(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i;
}
)";

QList<int> markedLines(const CodeView& view) {
    QList<int> lines;
    for (int line = view.markerFindNext(0, 1 << CodeView::Changed); line >= 0;
         line = view.markerFindNext(line + 1, 1 << CodeView::Changed))
        lines << line;
    return lines;
}

QString randomText(QRandomGenerator& random) {
    QStringList lines;
    for (auto left = random.bounded(12); left > 0; --left)
        lines << QStringLiteral("line %1").arg(random.bounded(4));
    const QString text = lines.join(QLatin1Char('\n'));
    return random.bounded(3) == 0 || text.isEmpty() ? text : text + QLatin1Char('\n');
}

/// Without an end of the last line, which no list of lines tells.
QString plain(QString text) {
    if (text.endsWith(QLatin1Char('\n'))) text.chop(1);
    return text;
}

} // namespace

class TestVersions : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestVersions(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() { openWindow(); }
    void cleanup() { closeWindow(); }

    void changesLeadFromOneTextToTheOther();
    void linesStandBesideEachOther();
    void theVersionOnDiskStandsBeside();
    void runsAreVersions();

private:
    CudaEditor& editor() { return *window_->editors().currentEditor(); }
};

void TestVersions::changesLeadFromOneTextToTheOther() {
    QRandomGenerator random(17);
    for (int round = 0; round < 500; ++round) {
        const QString present = randomText(random), other = randomText(random);
        const QList<TextChange> changes = changesBetween(present, other);
        QCOMPARE(changes.isEmpty(), plain(present) == plain(other) && present.isEmpty() == other.isEmpty());
        // From the last to the first, so that the lines of those before stay where they are.
        QString text = present;
        for (auto each = changes.crbegin(); each != changes.crend(); ++each)
            text = withTakenOver(text, other, *each);
        QCOMPARE(plain(text), plain(other));
        // One alone makes one fewer.
        if (changes.isEmpty()) continue;
        const auto chosen = random.bounded(int(changes.size()));
        const auto left = changesBetween(withTakenOver(present, other, changes[chosen]), other);
        QVERIFY(left.size() < changes.size());
    }
}

void TestVersions::linesStandBesideEachOther() {
    // b became x, y; d went; f is new in the other.
    const auto changes = changesBetween(QStringLiteral("a\nx\ny\nc\ne\n"), QStringLiteral("a\nb\nc\nd\ne\nf\n"));
    QCOMPARE(changes, (QList<TextChange>{{1, 2, 1, 1}, {4, 0, 3, 1}, {5, 0, 5, 1}}));
    const QList<int> there{0, 1, 1, 2, 4};
    for (int line = 0; line < there.size(); ++line)
        QCOMPARE(besideLine(changes, line), there[line]);
    const QList<int> back{0, 1, 3, 4, 4, 5};
    for (int line = 0; line < back.size(); ++line)
        QCOMPARE(besideLine(changes, line, true), back[line]);
}

void TestVersions::theVersionOnDiskStandsBeside() {
    QByteArray text = kernel;
    for (int i = 0; i < 200; ++i)
        text += "// line " + QByteArray::number(i) + " ä\n";
    QVERIFY(window_->openFile(write("versions/k.cu", text)));
    QVERIFY(!window_->findAction("view.endComparison")->isEnabled());
    trigger("view.compareDisk");
    VersionView& view = *window_->versions();
    QVERIFY(view.isVisible());
    QCOMPARE(view.summary(), QStringLiteral("No difference"));
    QCOMPARE(view.other()->text(), QString::fromUtf8(text));
    // Two edits: a line is another one, and three lines are new.
    editor().setSelection(2, 0, 2, 0);
    editor().insert(QStringLiteral("    // é\n    // changed\n    // again\n"));
    editor().setSelection(104, 0, 104, 2);
    editor().replaceSelectedText(QStringLiteral("/*"));
    QTRY_COMPARE(view.summary(), QStringLiteral("2 changes"));
    QCOMPARE(markedLines(editor()), (QList<int>{2, 3, 4, 104}));
    QCOMPARE(markedLines(*view.other()), (QList<int>{101}));
    // They scroll together, either way.
    editor().setFirstVisibleLine(60);
    QTRY_COMPARE(view.other()->firstVisibleLine(), 57);
    view.other()->setFirstVisibleLine(80);
    QTRY_COMPARE(editor().firstVisibleLine(), 83);
    // From change to change, around the end.
    editor().goTo(1);
    view.step(1);
    QCOMPARE(editor().caretLine(), 3);
    view.step(1);
    QCOMPARE(editor().caretLine(), 105);
    view.step(1);
    QCOMPARE(editor().caretLine(), 3);
    // The change at the caret is taken over, as one step of undo.
    const QString mine = editor().text();
    auto buttons = view.findChildren<QPushButton*>();
    QCOMPARE(buttons.size(), 2);
    buttons.front()->click();
    QCOMPARE(view.summary(), QStringLiteral("1 change"));
    QVERIFY(!editor().text().contains(QStringLiteral("again")));
    QVERIFY(editor().text().contains(QStringLiteral("/*")));
    editor().undo();
    QCOMPARE(editor().text(), mine);
    QTRY_COMPARE(view.summary(), QStringLiteral("2 changes"));
    buttons.back()->click();
    QCOMPARE(editor().text(), QString::fromUtf8(text));
    QCOMPARE(view.summary(), QStringLiteral("No difference"));
    QVERIFY(!buttons.front()->isEnabled());
    // The comparison ends with its source, and leaves no mark.
    editor().insertAt(QStringLiteral("// x\n"), 0, 0);
    QTRY_COMPARE(markedLines(editor()), QList<int>{0});
    trigger("view.endComparison");
    QVERIFY(!view.isVisible());
    QVERIFY(markedLines(editor()).isEmpty());
    trigger("view.compareDisk");
    QVERIFY(view.isVisible());
    QVERIFY(window_->document().openSource(write("versions/h.cuh", "// h\n"), nullptr));
    window_->editors().setCurrentSource(window_->document().sources().back());
    QVERIFY(!view.isVisible());
    // What was never saved has no version on disk.
    window_->document().setReadOnly(true);
    trigger("file.new");
    trigger("view.compareDisk");
    QVERIFY(!view.isVisible());
    QVERIFY(banner("file").contains("never saved"));
}

void TestVersions::runsAreVersions() {
    NEEDS_DEVICE;
    workerIsReady();
    QVERIFY(openExample(QStringLiteral("saxpy")));
    QVERIFY(run());
    const QString ran = window_->document().mainSource()->text();
    window_->document().mainSource()->setText(QStringLiteral("// edited\n") + ran);
    auto* menu = window_->findChild<QMenu*>(QStringLiteral("versionMenu"));
    QVERIFY(menu);
    QAction* found = nullptr;
    emit menu->aboutToShow();
    QVERIFY(QTest::qWaitFor(
        [&] {
            for (QAction* each : menu->actions())
                if (each->isEnabled() && each->text().contains(QLatin1String("saxpy"))) found = each;
            return found != nullptr;
        },
        patience));
    found->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(window_->versions() && window_->versions()->isVisible(), patience);
    QCOMPARE(window_->versions()->other()->text(), ran);
    QCOMPARE(window_->versions()->changes(), (QList<TextChange>{{0, 1, 0, 0}}));
    QVERIFY2(window_->versions()->name().contains(QLatin1String("1")), qPrintable(window_->versions()->name()));
    window_->versions()->takeOverAll();
    QCOMPARE(window_->document().mainSource()->text(), ran);
}

WARPLIGHT_UI_TEST_MAIN(TestVersions)
#include "test_versions.moc"
