// SPDX-License-Identifier: GPL-3.0-or-later
// Keys, search, indentation, the PTX beside the source, banners, the palette, examples: as a user meets them.
#include "window_fixture.hpp"

#include "ui/assembly/assembly_view.hpp"
#include "ui/assembly/ptx_view.hpp"
#include "ui/buffers/buffers_panel.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/hex_view.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/editor/indentation.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/settings/shortcuts.hpp"
#include "ui/settings/shortcuts_dialog.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QDockWidget>
#include <QFontInfo>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTreeWidget>
#include <qcustomplot.h>

using namespace warplight;
using namespace warplight::ui;

class TestKeyboard : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestKeyboard(const TestHome& home) : WindowFixture(home) {}

private slots:
    void init() {
        openWindow();
        window_->resize(1440, 900);
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    }
    void cleanup() { closeWindow(); }
    void panelKeysShowAndNeverClose();
    void escapeGoesBackToTheCode();
    void searchAsInOtherEditors();
    void replaceAllKeepsTheFocus();
    void indentation_data();
    void indentation();
    void enterIndents();
    void ptxOpensAtTheKernelAndStaysDimmed();
    void aBannerGoesWithItsCause();
    void aFreedSessionCanBeEdited();
    void paletteRanksCommands();
    void keysAreTheUsers();
    void keysInTheDialog();
    void examplesOpenWithOneClick();
    void outputIsMonospaced();
    void hexUsesItsWidth();
    void aFailedRunLeavesNoAxes();

private:
    void key(Qt::Key k, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* target = QApplication::focusWidget();
        QTest::keyClick(target ? target : window_.get(), k, modifiers);
    }
    bool focusIsIn(const char* panel) {
        const QWidget* focus = QApplication::focusWidget();
        const auto* dock = window_->findChild<QDockWidget*>(panel);
        return focus && window_->isInFront(dock) && dock->isAncestorOf(focus);
    }
    CudaEditor* editor() { return window_->editors().currentEditor(); }
    bool openSource(const char* text) { return window_->openFile(write("keys/k.cu", text)); }
};

void TestKeyboard::panelKeysShowAndNeverClose() {
    QVERIFY(openExample("saxpy"));
    const QList<const char*> names = panelNames();
    for (int twice = 0; twice < 2; ++twice)
        for (int i = 0; i < names.size(); ++i) {
            key(Qt::Key(Qt::Key_0 + (i + 1) % 10), Qt::AltModifier);
            QTRY_VERIFY2(window_->isInFront(window_->findChild<QDockWidget*>(names[i])), names[i]);
            // Pressed again, it is still there.
            key(Qt::Key(Qt::Key_0 + (i + 1) % 10), Qt::AltModifier);
            QVERIFY2(window_->isInFront(window_->findChild<QDockWidget*>(names[i])), names[i]);
        }
    // A panel with something in it takes the keyboard, also one that was closed.
    window_->findChild<QDockWidget*>("launch")->close();
    key(Qt::Key_2, Qt::AltModifier);
    QTRY_VERIFY(focusIsIn("launch"));
    key(Qt::Key_1, Qt::AltModifier);
    QTRY_VERIFY(focusIsIn("explorer"));
}

void TestKeyboard::escapeGoesBackToTheCode() {
    QVERIFY(openExample("saxpy"));
    key(Qt::Key_2, Qt::AltModifier);
    QTRY_VERIFY(focusIsIn("launch"));
    key(Qt::Key_Escape);
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(editor()));
}

void TestKeyboard::searchAsInOtherEditors() {
    QVERIFY(openSource("int alpha;\nint beta;\nint alpha2;\nint gamma, alpha3;\n"));
    FindBar* bar = window_->editors().findBar();
    editor()->setFocus();
    editor()->setSelection(0, 4, 0, 9); // alpha
    key(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    QCOMPARE(bar->findEdit()->text(), QString("alpha"));
    QCOMPARE(bar->findEdit()->selectedText(), QString("alpha"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(bar->findEdit()));
    QCOMPARE(bar->countText(), QString("1 of 3"));
    key(Qt::Key_Return);
    QCOMPARE(editor()->caretLine(), 3);
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(bar->findEdit()));
    key(Qt::Key_Return);
    QCOMPARE(editor()->caretLine(), 4);
    key(Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(editor()->caretLine(), 3);
    // Tab stays among the fields and buttons of the bar.
    key(Qt::Key_Tab);
    QVERIFY(bar->isAncestorOf(QApplication::focusWidget()));
    key(Qt::Key_Escape);
    QTRY_VERIFY(!bar->isVisible());
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(editor()));
    QCOMPARE(editor()->selectedText(), QString("alpha"));
    QCOMPARE(editor()->caretLine(), 3);
    // In the editor Escape closes the bar too.
    key(Qt::Key_F, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    editor()->setFocus();
    key(Qt::Key_Escape);
    QTRY_VERIFY(!bar->isVisible());
    key(Qt::Key_F3);
    QCOMPARE(editor()->caretLine(), 4);
}

void TestKeyboard::replaceAllKeepsTheFocus() {
    QVERIFY(openSource("one two one\n"));
    FindBar* bar = window_->editors().findBar();
    editor()->setFocus();
    key(Qt::Key_H, Qt::ControlModifier);
    QTRY_VERIFY(bar->isVisible());
    bar->findEdit()->setText("one");
    bar->replaceEdit()->setText("1");
    QPushButton* all = nullptr;
    for (QPushButton* button : bar->findChildren<QPushButton*>())
        if (button->text().contains("All")) all = button;
    QVERIFY(all);
    bar->replaceEdit()->setFocus();
    QTest::mouseClick(all, Qt::LeftButton);
    QCOMPARE(editor()->text(), QString("1 two 1\n"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(bar->replaceEdit()));
    // With the keyboard: the button keeps it, though there is nothing left to replace.
    bar->findEdit()->setText("two");
    all->setFocus(Qt::TabFocusReason);
    key(Qt::Key_Space);
    QCOMPARE(editor()->text(), QString("1 two 1\n").replace("two", "1"));
    QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(all));
}

void TestKeyboard::indentation_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("columns");
    QTest::newRow("statement") << "    int a;" << 4;
    QTest::newRow("block") << "void f() {" << 4;
    QTest::newRow("if with its statement") << "    if (a) return;" << 4;
    QTest::newRow("if with a call") << "    if (a) f(b);" << 4;
    QTest::newRow("if alone") << "    if (a)" << 8;
    QTest::newRow("if constexpr") << "    if constexpr (a<b>())" << 8;
    QTest::newRow("if over, after its statement") << "    if (a)\n        return;" << 4;
    QTest::newRow("nested heads") << "for (;;)\n    if (a)\n        f();" << 0;
    QTest::newRow("head in a block") << "{\n    for (int i = 0; i < n; ++i)\n        s += i;" << 4;
    QTest::newRow("else") << "    else" << 8;
    QTest::newRow("else over") << "    if (a)\n        b();\n    else\n        c();" << 4;
    QTest::newRow("brace else") << "    } else {" << 8;
    QTest::newRow("comment behind") << "    if (a) // why" << 8;
    QTest::newRow("brace in a comment") << "    f(); // {" << 4;
    QTest::newRow("brace in a string") << "    puts(\"{\");" << 4;
    QTest::newRow("empty line between") << "    if (a) return;\n" << 4;
    QTest::newRow("closed block") << "    }" << 4;
    QTest::newRow("call that looks like a head") << "    if (a) g(b)" << 4;
    QTest::newRow("word that begins like one") << "    iffy(a)" << 4;
}

void TestKeyboard::indentation() {
    QFETCH(QString, text);
    QFETCH(int, columns);
    QCOMPARE(indentationAfter(text.split('\n'), 4), columns);
}

void TestKeyboard::enterIndents() {
    QVERIFY(openSource(""));
    editor()->setFocus();
    QTest::keyClicks(editor(), "void f(int n) {");
    key(Qt::Key_Return);
    QTest::keyClicks(editor(), "if (n < 0) return;");
    key(Qt::Key_Return);
    QTest::keyClicks(editor(), "if (n > 5)");
    key(Qt::Key_Return);
    QTest::keyClicks(editor(), "n = 5;");
    key(Qt::Key_Return);
    QTest::keyClicks(editor(), "g(n);");
    key(Qt::Key_Return);
    QTest::keyClicks(editor(), "}");
    QCOMPARE(editor()->text(),
             QString("void f(int n) {\n    if (n < 0) return;\n    if (n > 5)\n        n = 5;\n    g(n);\n}"));
}

void TestKeyboard::ptxOpensAtTheKernelAndStaysDimmed() {
    NEEDS_DEVICE;
    workerIsReady();
    QVERIFY(openExample("saxpy"));
    trigger("build.build");
    QVERIFY(isCompiled());
    AssemblyView* assembly = window_->editors().assembly();
    PtxView* ptx = assembly->ptx();
    QVERIFY(ptx->text().contains(".entry saxpy"));
    QTest::qWait(100);
    QVERIFY2(ptx->text(ptx->firstVisibleLine()).contains(".entry saxpy"),
             qPrintable(ptx->text(ptx->firstVisibleLine())));
    const QString good = ptx->text(), source = window_->document().mainSource()->text();
    window_->document().mainSource()->setText(QString(source).replace("int i =", "int i = unknown +"));
    trigger("build.build");
    QVERIFY(isCompiled());
    QVERIFY(!window_->document().compileOutput().ok);
    QCOMPARE(ptx->text(), good);
    QVERIFY(ptx->isDimmed() && ptx->isVisible());
    const auto says = [&](const char* text) {
        const auto labels = assembly->findChildren<QLabel*>();
        return std::any_of(labels.cbegin(), labels.cend(),
                           [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
    };
    QVERIFY(says("does not compile"));
    window_->document().mainSource()->setText(source);
    trigger("build.build");
    QVERIFY(isCompiled());
    QVERIFY(!ptx->isDimmed() && !says("does not compile"));
    // Another session has nothing of it.
    window_->document().newSession("// empty\n");
    QTRY_VERIFY(!ptx->text().contains("saxpy"));
}

void TestKeyboard::aBannerGoesWithItsCause() {
    QVERIFY(openExample("saxpy"));
    window_->document().modify("block", [](session::Session& s) { s.launch.block = {2048, 1, 1}; });
    trigger("run.run");
    QVERIFY(window_->banners().isShown("run"));
    // Another change leaves it: the cause is still there.
    window_->document().modify("title", [](session::Session& s) { s.title = "other"; });
    QTest::qWait(50);
    QVERIFY(window_->banners().isShown("run"));
    window_->document().modify("block", [](session::Session& s) { s.launch.block = {256, 1, 1}; });
    QTRY_VERIFY(!window_->banners().isShown("run"));
    // A file that could not be saved, and then could.
    const QString path = write("keys/save.cu", "// text\n");
    window_->document().setReadOnly(true); // so that opening asks nothing
    QVERIFY(window_->openFile(path));
    QVERIFY(!window_->openFile(home_.path("keys/none.cu")));
    QVERIFY(window_->banners().isShown("file"));
    window_->document().mainSource()->setText("// other\n");
    QVERIFY(window_->save());
    QVERIFY(!window_->banners().isShown("file"));
}

void TestKeyboard::aFreedSessionCanBeEdited() {
    write("keys/two.cu", "__global__ void k() {}\n");
    const QString path = write("keys/two.warplight", R"({"warplight": 1, "source": "two.cu", "kernel": "k"})");
    auto first = std::make_unique<MainWindow>();
    first->show();
    QVERIFY(first->openFile(path));
    QVERIFY(window_->openFile(path));
    QVERIFY(window_->document().isReadOnly() && window_->banners().isShown("lock"));
    first->document().modify("grid", [](session::Session& s) { s.launch.grid = {7, 1, 1}; });
    QVERIFY(first->save());
    first->close();
    first.reset();
    QTRY_VERIFY_WITH_TIMEOUT(!window_->banners().isShown("lock"), 10000);
    QVERIFY(!window_->document().isReadOnly());
    QCOMPARE(window_->document().session().launch.grid[0], 7u);
}

void TestKeyboard::paletteRanksCommands() {
    // Files that were open have all letters of many commands.
    for (const char* name : {"keys/run.cu", "keys/zoom_in_theme_dark_build.cu"})
        QVERIFY(window_->openFile(write(name, "// nothing\n")));
    trigger("view.palette");
    auto* palette = window_->findChild<CommandPalette*>("commandPalette");
    QVERIFY(palette);
    const auto first = [&](const char* typed) {
        palette->filter()->clear();
        QTest::keyClicks(palette->filter(), typed);
        return palette->model().index(0, 0).data().toString();
    };
    QCOMPARE(first("run"), QString("Run › Run"));
    QCOMPARE(first("build"), QString("Build › Build"));
    QCOMPARE(first("zoom in"), QString("View › Zoom In"));
    QCOMPARE(first("buff"), QString("Window › Buffers"));
    QCOMPARE(first("dark"), QString("View › Theme › Dark"));
    // Every command with these letters stands before the file that has them in a row.
    palette->filter()->clear();
    QTest::keyClicks(palette->filter(), "run");
    QStringList shown;
    for (int row = 0; row < palette->model().rowCount(); ++row)
        shown << palette->model().index(row, 0).data().toString();
    const qsizetype file = shown.indexOf(QRegularExpression(".*keys/run\\.cu"));
    QVERIFY2(file > 1, qPrintable(shown.join("; ")));
    for (qsizetype row = 0; row < shown.size(); ++row)
        QVERIFY2((row < file) != shown[row].contains("Open Recent"), qPrintable(shown.join("; ")));
    QVERIFY(first("zoom_in_theme").contains("zoom_in_theme_dark_build.cu")); // what only a file has
    QCOMPARE(matchRank("run", "Run › Run"), 5);
    QCOMPARE(matchRank("zoom i", "View › Zoom In"), 4);
    QCOMPARE(matchRank("theme dark", "View › Theme › Dark"), 3);
    QCOMPARE(matchRank("oom", "View › Zoom In"), 2);
    QCOMPARE(matchRank("zmn", "View › Zoom In"), 1);
    QCOMPARE(matchRank("xyz", "View › Zoom In"), 0);
    palette->close();
}

void TestKeyboard::examplesOpenWithOneClick() {
    window_->showPanel("explorer");
    auto* list = window_->panel<ExplorerPanel>().findChild<QListWidget*>();
    QVERIFY(list && list->count() > 3);
    QSignalSpy asked(&window_->panel<ExplorerPanel>(), &ExplorerPanel::exampleRequested);
    const auto place = [&](int row) { return list->visualItemRect(list->item(row)).center(); };
    QTest::mouseClick(list->viewport(), Qt::LeftButton, Qt::NoModifier, place(0));
    QCOMPARE(asked.count(), 1);
    QVERIFY(window_->document().path().endsWith("saxpy.warplight"));
    list->setFocus();
    list->setCurrentRow(1);
    key(Qt::Key_Return);
    QCOMPARE(asked.count(), 2);
    QVERIFY(!window_->document().path().endsWith("saxpy.warplight"));
    trigger("run.stop");
}

void TestKeyboard::outputIsMonospaced() {
    QVERIFY(openExample("saxpy"));
    window_->panel<OutputPanel>().log().append(OutputLine::Printed, "one line\n");
    window_->showPanel("output");
    QPlainTextEdit* view = window_->panel<OutputPanel>().view();
    QTRY_VERIFY(view->isVisible() && view->toPlainText().contains("one line"));
    QTest::qWait(100);
    const QFontMetrics metrics = view->fontMetrics();
    QCOMPARE(metrics.horizontalAdvance("iiiiiiii"), metrics.horizontalAdvance("WWWWWWWW"));
    QCOMPARE(QFontInfo(view->font()).family(), QFontInfo(window_->workbench().theme().monospace()).family());
}

void TestKeyboard::hexUsesItsWidth() {
    HexView view;
    BufferInfo info;
    info.id = 1;
    info.type = ElementType(ElementKind::UInt8);
    info.shape = {4096};
    info.bytes = 4096;
    view.setBuffer(nullptr, info);
    QFont font = window_->workbench().theme().monospace();
    view.setLook({}, font);
    view.show();
    for (const int bytes : {8, 16, 32, 48, 64}) {
        // Offset, bytes in groups of eight, characters; margins and a scroll bar.
        const int letters = 10 + 3 * bytes + bytes / 8 + 1 + bytes;
        view.resize(letters * QFontMetrics(font).horizontalAdvance('0') + 48, 200);
        QTRY_COMPARE(view.bytesPerLine(), bytes);
    }
}

void TestKeyboard::aFailedRunLeavesNoAxes() {
    NEEDS_DEVICE;
    workerIsReady();
    QVERIFY(openExample("saxpy"));
    QVERIFY(run());
    window_->showPanel("timing");
    const auto plots = window_->panel<TimingPanel>().pages()->widget(0)->findChildren<QCustomPlot*>();
    QCOMPARE(plots.size(), 2);
    for (const QCustomPlot* plot : plots)
        QVERIFY(plot->xAxis->tickLabels() && plot->xAxis->label() != "Nothing was measured");
    window_->document().mainSource()->setText("oops\n" + window_->document().mainSource()->text());
    QVERIFY(run());
    window_->showPanel("timing");
    for (const QCustomPlot* plot : plots) {
        QVERIFY(!plot->xAxis->tickLabels() && !plot->yAxis->tickLabels());
        QCOMPARE(plot->xAxis->label(), QString("Nothing was measured"));
    }
}

/// Keys that were changed hold in the next window, and go to one command only.
void TestKeyboard::keysAreTheUsers() {
    Shortcuts& shortcuts = window_->shortcuts();
    QSet<QString> names;
    for (const QAction* action : shortcuts.actions()) {
        QVERIFY2(!names.contains(action->objectName()), qPrintable(action->objectName()));
        names << action->objectName();
        for (const QKeySequence& keys : action->shortcuts())
            QVERIFY2(!shortcuts.ownerOf(keys, action), qPrintable(action->objectName() + keys.toString()));
    }
    QVERIFY(names.size() > 60);
    const QKeySequence built(QStringLiteral("Ctrl+B"));
    shortcuts.set(window_->findAction("run.run"), built);
    closeWindow();
    openWindow();
    QCOMPARE(window_->findAction("run.run")->shortcut(), built);
    QVERIFY(window_->findAction("run.run")->toolTip().endsWith(QStringLiteral("(Ctrl+B)")));
    QVERIFY(window_->findAction("build.build")->shortcut().isEmpty());
    QVERIFY(!window_->findAction("build.build")->toolTip().contains(QLatin1Char('(')));
    // Texts name the keys as they are, or the entry in the menus.
    const auto hint = [&](const char* panel) {
        return window_->findChild<QDockWidget*>(QLatin1String(panel))
            ->findChild<QLabel*>(QStringLiteral("emptyNoteHint"))
            ->text();
    };
    QVERIFY2(hint("function").contains(QStringLiteral("Build (Build › Build)")), qPrintable(hint("function")));
    QVERIFY2(hint("function").contains(QStringLiteral("run (Ctrl+B)")), qPrintable(hint("function")));
    QVERIFY2(hint("buffers").contains(QStringLiteral("(Ctrl+B)")), qPrintable(hint("buffers")));
    window_->shortcuts().set(window_->findAction("edit.undoSession"), {});
    QCOMPARE(commandKeys("edit.undoSession"), QStringLiteral("Edit › Undo Launch Change"));
    // Ctrl+K alone would never be reached beside Ctrl+K, Ctrl+C.
    window_->shortcuts().set(window_->findAction("run.stop"), QKeySequence(QStringLiteral("Ctrl+K, Ctrl+C")));
    window_->shortcuts().set(window_->findAction("run.sweep"), QKeySequence(QStringLiteral("Ctrl+K")));
    QVERIFY(window_->findAction("run.stop")->shortcut().isEmpty());
    window_->shortcuts().restore(window_->findAction("build.build"));
    QVERIFY(window_->findAction("run.run")->shortcut().isEmpty());
    window_->shortcuts().restoreAll();
    closeWindow();
    openWindow();
    QCOMPARE(window_->findAction("run.run")->shortcut(), QKeySequence(Qt::Key_F5));
    QCOMPARE(window_->findAction("view.zoomIn")->shortcuts().size(), 2);
    QVERIFY(window_->findAction("run.run")->toolTip().endsWith(QStringLiteral("(F5)")));
    QVERIFY2(hint("buffers").contains(QStringLiteral("(F5)")), qPrintable(hint("buffers")));
    for (const QAction* action : window_->shortcuts().actions())
        QVERIFY2(!window_->shortcuts().isChanged(action), qPrintable(action->objectName()));
    for (const char* typed : {"A", "Shift+A", "Return", "Up", "Shift+Tab"})
        QVERIFY2(!Shortcuts::problem(QKeySequence(QLatin1String(typed))).isEmpty(), typed);
    for (const char* good : {"F9", "Alt+Up", "Ctrl+A", "Shift+F3", "Meta+B"})
        QVERIFY2(Shortcuts::problem(QKeySequence(QLatin1String(good))).isEmpty(), good);
}

void TestKeyboard::keysInTheDialog() {
    ShortcutsDialog dialog(window_->shortcuts(), window_.get());
    dialog.show();
    dialog.findChild<QLineEdit*>()->setText(QStringLiteral("lanes and"));
    auto* keys = dialog.findChild<QKeySequenceEdit*>();
    QCOMPARE(keys->keySequence(), QKeySequence(QStringLiteral("Ctrl+Shift+M")));
    auto* note = dialog.findChild<QLabel*>(QStringLiteral("shortcutNote"));
    const auto button = [&](const char* text) {
        for (QPushButton* each : dialog.findChildren<QPushButton*>())
            if (each->text() == QLatin1String(text)) return each;
        return static_cast<QPushButton*>(nullptr);
    };
    keys->setKeySequence(QKeySequence(Qt::Key_L));
    QVERIFY(note->text().contains(QStringLiteral("for typing")));
    QVERIFY(!button("&Set")->isEnabled());
    keys->setKeySequence(QKeySequence(Qt::Key_F5));
    QVERIFY2(note->text().startsWith(QStringLiteral("Run ")), qPrintable(note->text()));
    button("&Set")->click();
    QCOMPARE(window_->findAction("run.lanes")->shortcut(), QKeySequence(Qt::Key_F5));
    QVERIFY(window_->findAction("run.run")->shortcut().isEmpty());
    if (const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES"); !folder.isEmpty())
        QVERIFY(dialog.grab().save(folder + QStringLiteral("/shortcuts.png")));
    button("Restore &All")->click();
    QCOMPARE(window_->findAction("run.run")->shortcut(), QKeySequence(Qt::Key_F5));
    QVERIFY(!button("Restore &All")->isEnabled());
}

WARPLIGHT_UI_TEST_MAIN(TestKeyboard)
#include "test_keyboard.moc"
