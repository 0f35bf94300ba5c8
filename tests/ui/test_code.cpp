// SPDX-License-Identifier: GPL-3.0-or-later
// The editor, its search bar and the PTX beside it in the window: keys, zoom, room, and where the PTX stays.
#include "window_fixture.hpp"

#include "ui/assembly/assembly_view.hpp"
#include "ui/assembly/ptx_view.hpp"
#include "ui/assembly/report_model.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/common/elided_box.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/theme.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/problems/problems_panel.hpp"

#include <Qsci/qscicommandset.h>

#include <QCheckBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPushButton>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QWheelEvent>

using namespace warplight;
using namespace warplight::ui;

namespace {

/// PTX of one helper and one kernel; `head` is how many lines more stand before them, `value` what differs.
QString ptxOf(int head, int value, const QString& kernel = QStringLiteral("scale")) {
    QStringList lines{"//", ".version 8.0", ".target sm_80", ".address_size 64"};
    for (int i = 0; i < 30 + head; ++i)
        lines << QStringLiteral("// line %1 of the head").arg(i);
    lines << ".func (.param .b32 r) helper(" << "	.param .b32 p" << ")" << "{" << "	ret;" << "}";
    lines << QStringLiteral(".visible .entry %1(").arg(kernel) << "	.param .u64 p0" << ")" << "{";
    for (int i = 0; i < 300; ++i)
        lines << QStringLiteral("	mov.u32 %r%1, %2;").arg(i).arg(value);
    lines << "	ret;" << "}" << "";
    return lines.join(QLatin1Char('\n'));
}

/// Lines from 1.
int lineWith(const QString& text, const QString& part) {
    return int(text.left(text.indexOf(part)).count(QLatin1Char('\n'))) + 1;
}

} // namespace

class TestCode : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestCode(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        openWindow();
        window_->resize(1440, 900);
        Preferences quiet;
        quiet.theme = Theme::Mode::Light;
        quiet.checkWhileTyping = false;
        window_->setPreferences(quiet);
        window_->resetLayout(); // panels that grew with large text leave the PTX no room
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void cleanup() {
        trigger("view.zoomReset");
        closeWindow();
    }
    void zoomKeysAreTheWindows();
    void noActionLosesItsKeyToTheEditor();
    void theWheelZoomsAsTheKeysDo();
    void lettersOfTheSearchBar();
    void aNarrowSearchBarShowsAllOfItself_data();
    void aNarrowSearchBarShowsAllOfItself();
    void lettersBelongToMenus();
    void searchGoesOnWhereItWasBegun();
    void ptxStaysWhereItWas();
    void ptxOfOneFunctionStaysToo();
    void aFunctionsNameEndsWithDots();
    void ptxGivesWayToTheSource();
    void theReportGrowsWithTheText();
    void notesLookRightAtOnce();
    void picturesOfTheSearchBar();

private:
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target ? target : window_.get(), k, modifiers);
    }
    CudaEditor* editor() { return window_->editors().currentEditor(); }
    AssemblyView* assembly() { return window_->editors().assembly(); }
    PtxView* ptx() { return assembly()->ptx(); }
    Theme& theme() { return window_->workbench().theme(); }
    bool openSource(const QByteArray& text) { return window_->openFile(write("code/k.cu", text)); }
    void wheel(QWidget* over, int delta) {
        const QPointF at = QRectF(over->rect()).center();
        QWheelEvent event(at, over->mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::ControlModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(over, &event);
    }
    /// As if the compiler had made this of the source, of which line 2 became the kernel's first instruction.
    void compiled(const QString& text) {
        CompileOutput output;
        output.valid = output.ok = true;
        output.ptx = text;
        output.arch = "sm_80";
        output.revision = window_->document().mainSource()->revision();
        compiler::LineMapping mapping;
        mapping.ptx_line = lineWith(text, "mov.u32 %r0,");
        mapping.source_line = 2;
        mapping.file = "k.cu";
        output.lines = {mapping};
        compiler::KernelResources resources;
        resources.name = resources.lowered = "scale";
        resources.registers = 8;
        output.resources = {resources};
        window_->document().setCompileOutput(output);
    }
    /// The line (from 1) at the top of the PTX.
    int top() {
        return int(ptx()->SendScintilla(QsciScintilla::SCI_DOCLINEFROMVISIBLE,
                                        static_cast<unsigned long>(ptx()->firstVisibleLine()))) +
               1;
    }
    void showPtx() {
        QVERIFY(openSource("__global__ void scale(float* x) {\n    x[0] = 1;\n}\n"));
        window_->editors().setAssemblyVisible(true);
        compiled(ptxOf(0, 1));
        QTRY_VERIFY(ptx()->isVisible());
        QTest::qWait(50);
    }
};

void TestCode::zoomKeysAreTheWindows() {
    showPtx();
    for (CodeView* view : std::initializer_list<CodeView*>{editor(), ptx()}) {
        view->setFocus();
        QCOMPARE(theme().zoom(), 0);
        QTest::keyClick(view, Qt::Key_Plus, Qt::ControlModifier);
        QCOMPARE(theme().zoom(), 1);
        QTest::keyClick(view, Qt::Key_Minus, Qt::ControlModifier);
        QTest::keyClick(view, Qt::Key_Minus, Qt::ControlModifier);
        QCOMPARE(theme().zoom(), -1);
        QTest::keyClick(view, Qt::Key_0, Qt::ControlModifier);
        QCOMPARE(theme().zoom(), 0);
        QCOMPARE(view->SendScintilla(QsciScintilla::SCI_GETZOOM), 0L);
    }
}

void TestCode::noActionLosesItsKeyToTheEditor() {
    QVERIFY(openSource("int a;\n"));
    // What they do in the editor is what the actions do.
    const QList<QKeySequence::StandardKey> same{QKeySequence::Undo, QKeySequence::Redo,  QKeySequence::Cut,
                                                QKeySequence::Copy, QKeySequence::Paste, QKeySequence::SelectAll};
    QStringList lost;
    for (const QAction* action : window_->allActions())
        for (const QKeySequence& keys : action->shortcuts()) {
            if (keys.count() != 1 || std::any_of(same.cbegin(), same.cend(), [&](QKeySequence::StandardKey key) {
                    return QKeySequence::keyBindings(key).contains(keys);
                }))
                continue;
            if (const QsciCommand* command = editor()->standardCommands()->boundTo(keys[0].toCombined()))
                lost << action->text() + ' ' + keys.toString() + ": " + command->description();
        }
    QCOMPARE(lost, QStringList());
    editor()->setFocus();
    QTest::keyClick(editor(), Qt::Key_Slash, Qt::ControlModifier);
    QCOMPARE(editor()->text(), QString("// int a;\n"));
}

void TestCode::theWheelZoomsAsTheKeysDo() {
    showPtx();
    wheel(editor()->viewport(), 120);
    QCOMPARE(theme().zoom(), 1);
    QCOMPARE(window_->preferences().zoom, 1);
    QCOMPARE(Preferences::load().zoom, 1);
    wheel(ptx()->viewport(), 120);
    QCOMPARE(Preferences::load().zoom, 2);
    // Another preference leaves it.
    trigger("view.theme.dark");
    QCOMPARE(theme().zoom(), 2);
    wheel(editor()->viewport(), -120);
    QCOMPARE(window_->preferences().zoom, 1);
    QCOMPARE(editor()->SendScintilla(QsciScintilla::SCI_GETZOOM), 0L);
}

void TestCode::lettersOfTheSearchBar() {
    QVERIFY(openSource("one two One\n__global__ void k(int n) {}\n"));
    FindBar* bar = window_->editors().findBar();
    auto* cooperative = [&]() -> QCheckBox* {
        for (auto* box : window_->findChildren<QCheckBox*>())
            if (box->text().contains("Cooper")) return box;
        return nullptr;
    }();
    QVERIFY(cooperative);
    window_->showPanel("launch");
    QTRY_VERIFY_WITH_TIMEOUT(cooperative->isVisible(), patience); // the worker finds the kernel
    editor()->setFocus();
    key(Qt::Key_H, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    bar->findEdit()->setText("one");
    bar->replaceEdit()->setText("1");
    for (QLineEdit* field : {bar->findEdit(), bar->replaceEdit()}) {
        field->setFocus();
        bar->setOptions({});
        QTest::keyClick(field, Qt::Key_C, Qt::AltModifier);
        QVERIFY(bar->options().caseSensitive);
        QTest::keyClick(field, Qt::Key_W, Qt::AltModifier);
        QVERIFY(bar->options().wholeWord);
        QTest::keyClick(field, Qt::Key_R, Qt::AltModifier);
        QVERIFY(bar->options().regularExpression);
        QTest::keyClick(field, Qt::Key_R, Qt::AltModifier);
        QVERIFY(!bar->options().regularExpression);
        QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(field));
    }
    QCOMPARE(bar->findEdit()->text(), QString("one"));
    QCOMPARE(bar->replaceEdit()->text(), QString("1"));
    // Also where a button of the bar has the focus.
    auto* close = bar->findChild<QToolButton*>();
    close->setFocus(Qt::TabFocusReason);
    QTest::keyClick(close, Qt::Key_R, Qt::AltModifier);
    QVERIFY(bar->options().regularExpression);
    bar->setOptions({});

    bar->findEdit()->setFocus();
    QTest::keyClick(bar->findEdit(), Qt::Key_A, Qt::AltModifier);
    QCOMPARE(editor()->text(), QString("1 two 1\n__global__ void k(int n) {}\n"));
    // With nothing to replace it does nothing, here or in another panel.
    const bool before = cooperative->isChecked();
    QTest::keyClick(bar->findEdit(), Qt::Key_A, Qt::AltModifier);
    QCOMPARE(editor()->text(), QString("1 two 1\n__global__ void k(int n) {}\n"));
    bar->open(false);
    bar->findEdit()->setText("two");
    QTest::keyClick(bar->findEdit(), Qt::Key_A, Qt::AltModifier);
    QCOMPARE(editor()->text(), QString("1 two 1\n__global__ void k(int n) {}\n"));
    QCOMPARE(bar->findEdit()->text(), QString("two"));
    QCOMPARE(cooperative->isChecked(), before);
    QVERIFY(!cooperative->hasFocus());
}

void TestCode::aNarrowSearchBarShowsAllOfItself_data() {
    QTest::addColumn<int>("zoom");
    for (const int zoom : {-3, 0, 4, 7})
        QTest::addRow("zoom %d", zoom) << zoom;
}

void TestCode::aNarrowSearchBarShowsAllOfItself() {
    QFETCH(int, zoom);
    QVERIFY(openSource("int alpha;\n"));
    Preferences p = window_->preferences();
    p.zoom = zoom;
    window_->setPreferences(p);
    QWidget frame;
    auto* column = new QVBoxLayout(&frame);
    column->setContentsMargins(0, 0, 0, 0);
    auto* view = new PtxView(theme(), &frame);
    view->setReadOnly(false);
    view->setMinimumSize(1, 1);
    auto* bar = new FindBar(theme(), &frame);
    column->addWidget(view, 1);
    column->addWidget(bar);
    bar->setView(view);
    frame.show();
    bar->open(true);
    bar->findEdit()->setText("nothing of it");
    const int letter = bar->fontMetrics().averageCharWidth();
    QVERIFY2(bar->minimumSizeHint().width() <= 42 * letter,
             qPrintable(QString::number(bar->minimumSizeHint().width())));
    for (const int width : {bar->minimumSizeHint().width(), 45 * letter, 60 * letter, 80 * letter, 140 * letter}) {
        frame.resize(width, 600);
        QTest::qWait(50);
        QCOMPARE(bar->width(), width);
        QRegion taken;
        for (QWidget* part : bar->findChildren<QWidget*>()) {
            // The parts of a field lie on it.
            if (!part->isVisible() || qobject_cast<QLineEdit*>(part->parentWidget())) continue;
            const bool holds = !part->findChildren<QWidget*>(Qt::FindDirectChildrenOnly).isEmpty();
            if (holds && !qobject_cast<QLineEdit*>(part)) continue;
            const QRect place(part->mapTo(bar, QPoint()), part->size());
            const QString state = QStringLiteral("%1 wide: %2 %3, %4 × %5 at %6, %7")
                                      .arg(width)
                                      .arg(part->metaObject()->className(), part->accessibleName())
                                      .arg(place.width())
                                      .arg(place.height())
                                      .arg(place.x())
                                      .arg(place.y());
            QVERIFY2(bar->rect().contains(place), qPrintable(state));
            QVERIFY2(!taken.intersects(place), qPrintable(state));
            taken += place;
            if (const auto* button = qobject_cast<QAbstractButton*>(part))
                QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(state));
            if (const auto* field = qobject_cast<QLineEdit*>(part))
                QVERIFY2(field->width() >= field->fontMetrics().horizontalAdvance("Replace with") + 2 * letter,
                         qPrintable(state));
        }
        // What is found is told at all widths.
        QVERIFY(!bar->countText().isEmpty());
        const auto* count = [&]() -> const ElidedLabel* {
            for (const QLabel* label : bar->findChildren<QLabel*>())
                if (label->text() == bar->countText()) return dynamic_cast<const ElidedLabel*>(label);
            return nullptr;
        }();
        QVERIFY(count && count->isVisible());
        if (width >= 55 * letter) QCOMPARE(count->shownText(), bar->countText());
        QVERIFY(bar->findEdit()->property("invalid").toBool());
    }
}

void TestCode::lettersBelongToMenus() {
    QStringList letters;
    for (const QAction* menu : window_->menuBar()->actions())
        letters << QKeySequence::mnemonic(menu->text()).toString();
    QVERIFY(letters.contains("Alt+R") && letters.contains("Alt+B"));
    QStringList taken;
    for (const auto* button : window_->editors().findChildren<QAbstractButton*>())
        if (const QKeySequence keys = QKeySequence::mnemonic(button->text()); !keys.isEmpty())
            taken << button->text() + ' ' + keys.toString();
    QCOMPARE(taken, QStringList());
}

void TestCode::searchGoesOnWhereItWasBegun() {
    showPtx();
    FindBar* bar = assembly()->findBar();
    FindBar* source = window_->editors().findBar();
    source->findEdit()->setText("x");
    editor()->setCursorPosition(0, 0);
    const int caret = editor()->caretLine();
    ptx()->setFocus();
    QTRY_VERIFY(ptx()->hasFocus());
    key(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    bar->findEdit()->setText("mov.u32");
    const int first = lineWith(ptx()->text(), "mov.u32");
    QCOMPARE(ptx()->caretLine(), first);
    key(Qt::Key_F3);
    QCOMPARE(ptx()->caretLine(), first + 1);
    key(Qt::Key_F3);
    key(Qt::Key_F3, Qt::ShiftModifier);
    QCOMPARE(ptx()->caretLine(), first + 1);
    QCOMPARE(editor()->caretLine(), caret);
    QVERIFY(!editor()->hasSelectedText());
    // In the text Escape closes the bar, as in the source.
    ptx()->setFocus();
    key(Qt::Key_F3);
    QCOMPARE(ptx()->caretLine(), first + 2);
    key(Qt::Key_Escape);
    QTRY_VERIFY(!bar->isVisible());
    QVERIFY(ptx()->hasFocus());
    editor()->setFocus();
    key(Qt::Key_F3);
    QVERIFY(editor()->hasSelectedText());
    QCOMPARE(ptx()->caretLine(), first + 2);
}

void TestCode::ptxStaysWhereItWas() {
    showPtx();
    QString text = ptx()->text();
    QCOMPARE(top(), lineWith(text, ".entry scale"));
    // Another text, with more and with less before the kernel.
    for (const int head : {7, 0, 3}) {
        text = ptxOf(head, 10 + head);
        compiled(text);
        QTest::qWait(50);
        QCOMPARE(ptx()->text(), text);
        QCOMPARE(top(), lineWith(text, ".entry scale"));
    }
    // Where somebody has scrolled to, it stays as well.
    ptx()->setFirstVisibleLine(ptx()->firstVisibleLine() + 100);
    text = ptxOf(9, 20);
    compiled(text);
    QTest::qWait(50);
    QCOMPARE(top(), lineWith(text, ".entry scale") + 100);
    // The source's line is still marked.
    editor()->goTo(2);
    QTest::qWait(50);
    text = ptxOf(1, 21);
    compiled(text);
    QTest::qWait(50);
    QCOMPARE(ptx()->linkedLines(), QList<int>{lineWith(text, "mov.u32 %r0,")});
    // What is no longer there: at the kernel.
    editor()->goTo(1);
    text = ptxOf(40, 22, "other");
    compiled(text);
    QTest::qWait(50);
    QCOMPARE(top(), lineWith(text, ".entry other"));
}

void TestCode::ptxOfOneFunctionStaysToo() {
    showPtx();
    QComboBox* box = assembly()->functionBox();
    box->setCurrentIndex(box->findData("scale"));
    ptx()->setFirstVisibleLine(60);
    const int below = top() - lineWith(ptx()->text(), ".entry scale");
    QVERIFY(below > 50);
    const QString text = ptxOf(5, 2);
    compiled(text);
    QTest::qWait(50);
    QCOMPARE(box->currentData().toString(), QString("scale"));
    QCOMPARE(top() - lineWith(text, ".entry scale"), below);
}

void TestCode::aFunctionsNameEndsWithDots() {
    showPtx();
    auto* box = dynamic_cast<ElidedBox*>(assembly()->functionBox());
    QVERIFY(box);
    box->setFixedWidth(90);
    QVERIFY2(box->shownText().endsWith("…"), qPrintable(box->shownText()));
}

void TestCode::ptxGivesWayToTheSource() {
    showPtx();
    QWidget frame; // which lets it be smaller than it would like, as the window does
    frame.resize(1000, 500);
    auto& area = *new EditorArea(window_->workbench(), &frame);
    area.resize(1000, 500);
    frame.show();
    area.setAssemblyVisible(true);
    const auto shows = [&] { return area.assembly()->isVisible(); };
    QVERIFY(shows());
    area.resize(200, 500);
    QTRY_VERIFY(!shows());
    area.resize(1000, 500);
    QTRY_VERIFY(shows());
    // Who asks for it, gets it.
    area.resize(200, 500);
    QTRY_VERIFY(!shows());
    area.setAssemblyVisible(true);
    QTest::qWait(50);
    QVERIFY(shows());
    // What was put away by hand stays away.
    area.setAssemblyVisible(false);
    area.resize(1000, 500);
    QTest::qWait(50);
    QVERIFY(!shows());
    area.setAssemblyVisible(true);
}

void TestCode::theReportGrowsWithTheText() {
    showPtx();
    assembly()->tabs()->setCurrentIndex(assembly()->tabs()->count() - 1);
    const auto* tree = assembly()->findChild<QTreeView*>();
    const QAbstractItemView* table = tree;
    QTRY_VERIFY(table->isVisible());
    for (const int zoom : {6, 0}) {
        Preferences p = window_->preferences();
        p.zoom = zoom;
        window_->setPreferences(p);
        QTest::qWait(100);
        const QHeaderView* header = tree->header();
        for (int i = 0; i < header->count(); ++i)
            QCOMPARE(header->sectionSize(i),
                     std::max({header->sectionSizeHint(i), table->sizeHintForColumn(i), header->minimumSectionSize()}));
    }
}

void TestCode::notesLookRightAtOnce() {
    const auto label = [](const QWidget& in, const char* text) -> QLabel* {
        for (QLabel* each : in.findChildren<QLabel*>())
            if (each->text().contains(QLatin1String(text))) return each;
        return nullptr;
    };
    const QLabel* title = label(window_->panel<ProblemsPanel>(), "Nothing built yet");
    QVERIFY(title && title->isVisible() && title->font().bold());
    showPtx();
    CompileOutput failed = window_->document().compileOutput();
    failed.ok = false;
    failed.ptx.clear();
    window_->document().setCompileOutput(failed);
    QLabel* stale = label(*assembly(), "does not compile");
    QVERIFY(stale);
    QTRY_VERIFY(stale->isVisible());
    QTest::qWait(50);
    QCOMPARE(stale->grab().toImage().pixelColor(1, 1), theme().colours().warningSoft);
}

void TestCode::picturesOfTheSearchBar() {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) QSKIP("WARPLIGHT_PICTURES names no folder");
    QDir().mkpath(folder);
    showPtx();
    FindBar* bar = window_->editors().findBar();
    for (const char* look : {"light", "dark"})
        for (const int zoom : {0, 4})
            for (const QSize size : {QSize(1440, 900), QSize(1000, 720)}) {
                trigger((QByteArray("view.theme.") + look).constData());
                Preferences p = window_->preferences();
                p.zoom = zoom;
                window_->setPreferences(p);
                window_->resize(size);
                editor()->setFocus();
                bar->open(true);
                bar->findEdit()->setText("nothing");
                QTest::qWait(200);
                QVERIFY(window_->grab().save(QStringLiteral("%1/find-%2-%3-%4.png")
                                                 .arg(folder, QLatin1String(look))
                                                 .arg(zoom)
                                                 .arg(size.width())));
            }
}

int main(int argc, char** argv) {
    TestHome home;
    // Large text makes the window larger than the screen of 800 × 800 that there is otherwise.
    const auto application = home.applicationOnScreen(argc, argv, {1600, 1000});
    if (!application) return 1;
    TestCode test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_code.moc"
