// SPDX-License-Identifier: GPL-3.0-or-later
// Stepping through kernels in the window: with a real debugger in its process, and with programs that only look like
// one. This program is such a program itself: test_ui_debug --fake HOW.
#include "kill_process.hpp"
#include "window_fixture.hpp"

#include "ui/buffers/buffer_grid.hpp"
#include "ui/buffers/hex_page.hpp"
#include "ui/buffers/hex_view.hpp"
#include "ui/buffers/table_page.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/number_box.hpp"
#include "ui/debug/debug_console.hpp"
#include "ui/debug/debug_panel.hpp"
#include "ui/debug/editor_marks.hpp"
#include "ui/debug/lanes_page.hpp"
#include "ui/debug/memory_page.hpp"
#include "ui/debug/variables_view.hpp"
#include "ui/debug/watches_page.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QHelpEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolTip>
#include <QTreeWidget>
#include <algorithm>
#include <cstdio>
#include <cstring>
#ifdef Q_OS_WIN
#include <fcntl.h>
#include <io.h>
#endif

using namespace warplight;
using namespace warplight::ui;

namespace {

constexpr auto kernelText = R"(__device__ int twice(int value) {
    int doubled = value * 2; // in twice
    return doubled;
}

extern "C" __global__ void steps(int n, const float* x, int* out) {
    __shared__ int tile[1024];
    int threads = blockDim.x * blockDim.y * blockDim.z; // first
    int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    int i = blockIdx.x * threads + t;
    tile[t] = i * 10; // fill
    __syncthreads();
    int sum = 0; // sum
    for (int k = 0; k < 4; ++k)
        sum += tile[(t + k) % threads]; // loop
    if (t % 2)
        sum += 1; // odd
    out[i] = twice(sum) + (int)x[i]; // store
}
)";

int lineOf(const QString& text, const char* mark) {
    return int(text.left(text.indexOf(QLatin1String(mark))).count(QLatin1Char('\n'))) + 1;
}

int lineOf(const char* mark) { return lineOf(QString::fromLatin1(kernelText), mark); }

QByteArray sessionText(const QByteArray& grid, const QByteArray& block, int elements) {
    const QByteArray count = QByteArray::number(elements);
    return R"({"warplight": 1, "source": "steps.cu", "kernel": "steps", "arguments": [
        {"name": "n", "direction": "scalar", "type": "i32", "value": )" +
           count + R"(},
        {"name": "x", "direction": "in", "source": {"kind": "arange", "dtype": "float32", "shape": [)" +
           count + R"(], "start": 0, "step": 0.5}},
        {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [)" +
           count + R"(]}}],
        "launch": {"grid": )" +
           grid + R"(, "block": )" + block + R"(}})";
}

/// A program in the place of the debugger.
int fake(const char* how) {
#ifdef Q_OS_WIN
    _setmode(_fileno(stdout), _O_BINARY); // the ends of lines are part of the protocol
#endif
    const auto send = [](const char* text) {
        std::printf("Content-Length: %zu\r\n\r\n%s", std::strlen(text), text);
        std::fflush(stdout);
    };
    const std::string_view wanted = how;
    if (wanted == "nonsense") std::puts("Hello! I am no debugger at all.");
    if (wanted == "no json") std::fputs("Content-Length: 5\r\n\r\nhello", stdout);
    if (wanted == "too long") std::fputs("Content-Length: 99999999999999\r\n\r\n{", stdout);
    if (wanted == "refuses")
        send(R"({"type":"response","request_seq":1,"success":false,"message":"I do not want to."})");
    if (wanted == "wrong types") {
        send(R"({"type":5,"event":{}})");
        send(R"({"type":"event","event":7,"body":[1]})");
        send(R"({"type":"event","event":"stopped","body":{"threadId":"one","reason":3}})");
        send(R"({"type":"event","event":"breakpoint","body":{"breakpoint":{"id":"x"}}})");
        send(R"({"type":"event","event":"breakpoint","body":{}})");
        send(R"({"type":"response","request_seq":"1","success":"yes"})");
        send(R"({"type":"event","event":"output","body":{"output":12}})");
        for (int k = 1; k < 9; ++k)
            std::printf("Content-Length: 90\r\n\r\n%-90s",
                        (R"({"type":"response","success":true,"body":{"scopes":3,"places":[1]},"request_seq":)" +
                         std::to_string(k) + "}")
                            .c_str());
    }
    std::fflush(stdout);
    std::fputs("something was wrong\n", stderr);
    // Until the window has read it all, or has given up.
    if (wanted != "ends")
        while (std::getchar() != EOF) {
        }
    return 7;
}

} // namespace

class TestDebug : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestDebug(const TestHome& home) : WindowFixture(home) {}

private slots:
    void initTestCase();
    void init();
    void cleanup();
    void cleanupTestCase();
    void linesOfEditedTexts();
    void messagesAndNonsense();
    void breakpointsAreKept();
    void breakpointsFollowTheirLines();
    void theWholeWay();
    void lanesAndBlocks();
    void watchesAndConsole();
    void conditionsAndRefusals();
    void memoryInTheViews();
    void runToALine();
    void aTextThatIsNotSaved();
    void ptxWithoutLines();
    void anEditedSource();
    void aKernelWithoutEnd();
    void sourcesThatDoNotCompile();
    void aFault();
    void anotherSession();
    void aKilledDebugger();
    void programsThatAreNone_data();
    void programsThatAreNone();
    void theTimeOfAStep();

private:
    DebugPanel& panel() const { return window_->panel<DebugPanel>(); }
    DebugSession& session() const { return panel().session(); }
    QString key() const { return Breakpoints::keyOf(*window_->document().mainSource()); }
    EditorMarks* marks() const { return EditorMarks::of(window_->editors().editor(window_->document().mainSource())); }
    bool openSteps(const QByteArray& grid = "[4]", const QByteArray& block = "[16, 2, 2]", int elements = 256);
    void press(const char* action) { panel().action(action)->trigger(); }
    /// Waits for the next stop and all that is shown of it.
    bool stood();
    /// Presses and waits.
    bool go(const char* action) {
        press(action);
        return stood();
    }
    int line() const { return session().shownFrame() ? session().shownFrame()->line : 0; }
    QModelIndex find(const QAbstractItemModel* model, const QStringList& names) const;
    QString value(const QStringList& names) const;
    bool ended() {
        return QTest::qWaitFor([&] { return !session().isActive(); }, patience);
    }
};

void TestDebug::initTestCase() { openWindow(); }
void TestDebug::cleanupTestCase() { closeWindow(); }

void TestDebug::init() {
    session().setProgram(qEnvironmentVariable("WARPLIGHT_WORKER"), {"debug", "--dap"});
    panel().breakpoints().clearAll();
}

void TestDebug::cleanup() {
    session().stop();
    window_->document().mainSource()->markModified(false);
    while (window_->document().undoStack().canUndo())
        window_->document().undoStack().undo();
}

bool TestDebug::openSteps(const QByteArray& grid, const QByteArray& block, int elements) {
    write("debug/steps.cu", kernelText);
    return window_->openFile(write("debug/steps.warplight", sessionText(grid, block, elements)));
}

bool TestDebug::stood() {
    QSignalSpy settled(&session(), &DebugSession::settled);
    return settled.wait(patience) && session().isStanding();
}

QModelIndex TestDebug::find(const QAbstractItemModel* model, const QStringList& names) const {
    QModelIndex at;
    for (const QString& name : names) {
        QModelIndex found;
        for (int row = 0; row < model->rowCount(at); ++row)
            if (model->index(row, 0, at).data().toString() == name) found = model->index(row, 0, at);
        if (!found.isValid()) return {};
        at = found;
    }
    return at;
}

QString TestDebug::value(const QStringList& names) const {
    return find(panel().variables()->model(), names).siblingAtColumn(VariablesModel::Value).data().toString();
}

// --- without a kernel

void TestDebug::linesOfEditedTexts() {
    EditedLines lines;
    lines.add({3, 2});  // two lines behind line 3
    lines.add({7, -2}); // lines 8 and 9 are gone
    QCOMPARE(lines.now(3), 3);
    QCOMPARE(lines.now(4), 6);
    QCOMPARE(lines.now(5), 7);
    QCOMPARE(lines.now(6), 0);
    QCOMPARE(lines.now(8), 8);
    QCOMPARE(lines.before(4), 0);
    QCOMPARE(lines.before(6), 4);
    QCOMPARE(lines.before(8), 8);
    QCOMPARE(lines.before(3), 3);
}

void TestDebug::messagesAndNonsense() {
    DapReader reader;
    reader.append("Content-Le");
    QVERIFY(!reader.next());
    reader.append("ngth: 8\r\n\r\n{\"a\"");
    QVERIFY(!reader.next());
    reader.append(": 1}content-length: 2\r\nMore: yes\r\n\r\n{}");
    const auto first = reader.next();
    QVERIFY(first && first->at("a").get<int>() == 1);
    QVERIFY(reader.next());
    QVERIFY(!reader.next() && reader.problem().isEmpty());
    for (const char* nonsense :
         {"Hello", "Content-Length: -1\r\n\r\n", "Content-Length: x\r\n\r\n{}", "Content-Length: 99999999999\r\n\r\n{}",
          "Content-Length: 3\r\n\r\n[1]", "Content-Length: 3\r\n\r\n{,}"}) {
        DapReader bad;
        bad.append(nonsense);
        QVERIFY2(!bad.next() && !bad.problem().isEmpty(), nonsense);
        bad.append("Content-Length: 2\r\n\r\n{}");
        QVERIFY(!bad.next());
    }
}

void TestDebug::breakpointsAreKept() {
    QVERIFY(openSteps());
    press("breakpoint"); // at the caret, which is in the first line
    QVERIFY(panel().breakpoints().at(key(), 1));
    panel().breakpoints().setCondition(key(), 5, " i == 3 ");
    panel().breakpoints().setEnabled(key(), 1, false);
    const Breakpoints later;
    QCOMPARE(later.of(key()).size(), 2);
    QVERIFY(!later.at(key(), 1)->enabled);
    QCOMPARE(later.at(key(), 5)->condition, QStringLiteral("i == 3"));
    press("breakpoint");
    press("clear");
    QVERIFY(Breakpoints().isEmpty());
    QVERIFY(!panel().action("clear")->isEnabled());
}

void TestDebug::breakpointsFollowTheirLines() {
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    CudaEditor* editor = window_->editors().editor(source);
    Breakpoints& all = panel().breakpoints();
    all.toggle(key(), 8);
    editor->insertAt(QStringLiteral("// one\n// two\n"), 3, 0);
    QVERIFY(all.at(key(), 10));
    QCOMPARE(editor->markersAtLine(9) & (1U << CodeView::FirstDebug), 1U << CodeView::FirstDebug);
    QCOMPARE(editor->markersAtLine(7) & (1U << CodeView::FirstDebug), 0U);
    editor->undo();
    QVERIFY(all.at(key(), 8));
    editor->setSelection(7, 4, 8, 4); // the end of this line and the begin of the next one
    editor->removeSelectedText();
    QVERIFY(all.at(key(), 8));
    editor->undo();
    editor->setSelection(6, 0, 9, 0);
    editor->removeSelectedText(); // its line too
    QVERIFY(all.at(key(), 6));
    editor->undo();
    // Another program has written the file.
    source->setText(QStringLiteral("// first\n") + source->text());
    QVERIFY(all.at(key(), 6));
    QCOMPARE(editor->markersAtLine(5) & (1U << CodeView::FirstDebug), 1U << CodeView::FirstDebug);
}

// --- with a kernel

void TestDebug::theWholeWay() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    window_->showPanel("debug");
    QVERIFY(panel().isShowingEmptyNote());
    QAbstractItemModelTester tester(panel().variables()->model(),
                                    QAbstractItemModelTester::FailureReportingMode::QtTest);
    CudaEditor* editor = window_->editors().editor(window_->document().mainSource());
    emit editor->marginClicked(CodeView::SymbolMargin, lineOf("// sum") - 1, Qt::NoModifier);
    QVERIFY(panel().breakpoints().at(key(), lineOf("// sum")));
    QVERIFY(panel().action("start")->isEnabled());
    QVERIFY(!panel().action("over")->isEnabled());

    QVERIFY(go("start"));
    QCOMPARE(session().reason(), QStringLiteral("breakpoint"));
    QCOMPARE(line(), lineOf("// sum"));
    QCOMPARE(panel().breakpoints().at(key(), line())->state, Breakpoint::State::Set);
    QCOMPARE(marks()->currentLine(), line());
    QCOMPARE(marks()->lanesAt(line()), 32);
    QVERIFY2(marks()->marginText(line()).contains("32 lanes of warp 0"), qPrintable(marks()->marginText(line())));
    QVERIFY2(panel().stateText().contains("block (0, 0, 0)"), qPrintable(panel().stateText()));
    QVERIFY(panel().stateText().contains("steps.cu line"));
    QCOMPARE(panel().stackView()->topLevelItemCount(), 1);
    QCOMPARE(panel().warpsView()->topLevelItemCount(), 2);
    QTRY_COMPARE(value({"Locals", "threads"}), QStringLiteral("64"));
    QCOMPARE(value({"Locals", "i"}), QStringLiteral("0"));
    panel().variables()->expand(find(panel().variables()->model(), {"Indices"}));
    QTRY_COMPARE(value({"Indices", "blockDim"}), QStringLiteral("{x = 16, y = 2, z = 2}"));

    press("breakpoint");
    panel().breakpoints().clearAll();
    QVERIFY(go("over"));
    QCOMPARE(session().reason(), QStringLiteral("step"));
    QVERIFY(line() > lineOf("// sum"));
    QTRY_COMPARE(value({"Locals", "sum"}), QStringLiteral("0"));
    const int forLine = line();
    QVERIFY(go("over"));
    QCOMPARE(line(), lineOf("// loop"));
    QVERIFY(go("back"));
    QCOMPARE(line(), forLine);
    panel().breakpoints().toggle(key(), lineOf("// store"));
    QVERIFY(go("start")); // continues
    QCOMPARE(line(), lineOf("// store"));
    panel().breakpoints().clearAll();
    QVERIFY(go("in"));
    QCOMPARE(line(), 1); // the function's head
    QVERIFY(go("over"));
    QCOMPARE(line(), lineOf("// in twice"));
    QCOMPARE(panel().stackView()->topLevelItemCount(), 2);
    // The caller's variables.
    QSignalSpy frames(&session(), &DebugSession::frameChanged);
    panel().stackView()->setCurrentItem(panel().stackView()->topLevelItem(1));
    QVERIFY(frames.wait(patience));
    QCOMPARE(marks()->currentLine(), lineOf("// store"));
    QTRY_COMPARE(value({"Locals", "sum"}), QStringLiteral("60"));
    QVERIFY(go("out"));
    QCOMPARE(panel().stackView()->topLevelItemCount(), 1);

    // Another warp, another block, and back.
    session().selectWarp(1);
    QVERIFY(stood());
    QCOMPARE(session().standing().thread, 32);
    QVERIFY(panel().stateText().contains("warp 1, lane 0"));
    session().goToBlock(3);
    QVERIFY(stood());
    QCOMPARE(session().standing().block, quint64(3));
    QTRY_COMPARE(panel().blockBox()->number(), quint64(3));
    QVERIFY(go("reverse")); // no breakpoint: the start
    QCOMPARE(session().standing().block, quint64(0));
    press("start");
    QVERIFY(ended());
    QVERIFY2(panel().stateText().contains("has ended"), qPrintable(panel().stateText()));
    QCOMPARE(marks()->currentLine(), 0);
    QVERIFY(panel().console()->view()->toPlainText().contains("The kernel has ended."));
    QVERIFY(window_->document().runs().empty()); // it is never timed, and no run
}

void TestDebug::lanesAndBlocks() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    panel().breakpoints().toggle(key(), lineOf("// odd"));
    QVERIFY(go("start"));
    QVERIFY(session().standing().lane % 2 == 1);
    // Only what is open is read.
    const QAbstractItemModel* variables = panel().variables()->model();
    QTRY_VERIFY(variables->rowCount(find(variables, {"Locals"})) > 3);
    QCOMPARE(variables->rowCount(find(variables, {"Registers"})), 0);
    QCOMPARE(marks()->lanesAt(lineOf("// odd")), 16);
    LanesPage* page = panel().lanes();
    panel().detailTabs()->setCurrentWidget(page);
    page->expression()->setText("t * 3");
    page->refresh();
    QTRY_COMPARE(page->picture()->values().size(), 32);
    const LaneValues lanes = page->picture()->values();
    QCOMPARE(lanes.numbers[5], 15.0);
    QCOMPARE(lanes.texts[31], QStringLiteral("93"));
    QVERIFY(lanes.here[5] && !lanes.here[4] && lanes.valid[4]);
    QCOMPARE(page->picture()->minimum(), 0.0);
    QCOMPARE(page->picture()->maximum(), 93.0);
    QVERIFY(page->picture()->text(4).contains("another line"));
    // A click on lane 4 shows its variables.
    page->picture()->resize(600, 200);
    const QPoint lane4 = page->picture()->cell(4).center();
    QTest::mouseClick(page->picture(), Qt::LeftButton, Qt::NoModifier, lane4);
    QVERIFY(stood());
    QCOMPARE(session().standing().lane, 4);
    QTRY_COMPARE(value({"Locals", "t"}), QStringLiteral("4"));
    // The block: 16 × 2 in two slices.
    page->kind()->setCurrentIndex(1);
    QTRY_COMPARE(page->picture()->values().size(), 64);
    QVERIFY(!page->slice()->isHidden());
    QCOMPARE(page->slice()->maximum(), 1);
    QCOMPARE(page->picture()->values().index(37)[2], 1U);
    QVERIFY(page->picture()->cell(37).isEmpty());
    page->slice()->setValue(1);
    QVERIFY(!page->picture()->cell(37).isEmpty());
    const QString text37 = page->picture()->text(37);
    QVERIFY2(text37.contains("lane 5 of warp 1, thread (5, 0, 1)") && text37.endsWith(": 111"), qPrintable(text37));
    page->show("nowhere");
    QTRY_VERIFY(page->note().contains("nowhere"));
    page->show("tile"); // no number
    QTRY_COMPARE(page->picture()->values().size(), 64);
    QVERIFY(std::isnan(page->picture()->values().numbers[0]));
    page->kind()->setCurrentIndex(0);
}

void TestDebug::watchesAndConsole() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    panel().breakpoints().toggle(key(), lineOf("// sum"));
    panel().watches()->add("i * 2 + 1");
    panel().watches()->add("tile");
    panel().watches()->add("no such thing");
    QVERIFY(go("start"));
    const VariablesModel* model = panel().watches()->model();
    const auto shown = [&](int row) { return model->index(row, VariablesModel::Value).data().toString(); };
    QTRY_COMPARE(shown(0), QStringLiteral("1"));
    QTRY_VERIFY(!shown(2).isEmpty());
    model->index(1, 0);
    panel().watches()->rename(0, "i + 7");
    QTRY_COMPARE(shown(0), QStringLiteral("7"));
    panel().watches()->remove(2);
    QCOMPARE(model->rowCount(), 2);

    const auto type = [&](const char* text) {
        panel().console()->line()->setText(text);
        QTest::keyClick(panel().console()->line(), Qt::Key_Return);
    };
    const auto said = [&] { return panel().console()->view()->toPlainText(); };
    type("threads + 36");
    QTRY_VERIFY(said().contains("> threads + 36\n100\n"));
    type("lane 7");
    QVERIFY(stood());
    QCOMPARE(session().standing().lane, 7);
    QTRY_COMPARE(shown(0), QStringLiteral("14"));
    type("block 2");
    QVERIFY(stood());
    QCOMPARE(session().standing().block, quint64(2));
    type("nothing at all");
    QTRY_VERIFY(said().count("nothing at all") == 1 && said().endsWith("\n"));
    QTest::keyClick(panel().console()->line(), Qt::Key_Up);
    QCOMPARE(panel().console()->line()->text(), QStringLiteral("nothing at all"));

    // They are kept by the source.
    QVERIFY(openSteps());
    QCOMPARE(panel().watches()->watches(), QStringList({"i + 7", "tile"}));
    panel().watches()->remove(1);
    panel().watches()->remove(0);
}

void TestDebug::conditionsAndRefusals() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    Breakpoints& all = panel().breakpoints();
    all.setCondition(key(), lineOf("// sum"), "i == 77");
    all.setCondition(key(), 5, "threadIdx.x == 1000"); // without code: it goes to the next line
    all.setCondition(key(), lineOf("// fill"), "((");
    all.toggle(key(), 19); // the brace at the end
    all.setEnabled(key(), 19, false);
    QVERIFY(go("start"));
    QCOMPARE(line(), lineOf("// sum"));
    QCOMPARE(session().standing().thread, 13);
    QCOMPARE(session().standing().block, quint64(1));
    QCOMPARE(all.at(key(), lineOf("// fill"))->state, Breakpoint::State::Refused);
    QVERIFY2(marks()->marginText(lineOf("// fill")).contains("condition"),
             qPrintable(marks()->marginText(lineOf("// fill"))));
    QCOMPARE(all.at(key(), lineOf("// sum"))->state, Breakpoint::State::Set);
    QVERIFY(marks()->marginText(19).contains("disabled"));
    QVERIFY2(marks()->marginText(5).contains("the next one with code"), qPrintable(marks()->marginText(5)));
    QCOMPARE(marks()->expressionAt(lineOf("// sum"), 9), QStringLiteral("sum"));
    QCOMPARE(marks()->expressionAt(lineOf("// first"), 27), QStringLiteral("blockDim.x"));
    QCOMPARE(marks()->expressionAt(lineOf("// sum"), 2), QString());
    // The value under the mouse.
    CudaEditor* editor = window_->editors().editor(window_->document().mainSource());
    const long at = editor->positionFromLineIndex(lineOf("// first") - 1, 9);
    const QPoint place(int(editor->SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, at)) + 2,
                       int(editor->SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, at)) + 4);
    QHelpEvent hover(QEvent::ToolTip, place, editor->viewport()->mapToGlobal(place));
    QCoreApplication::sendEvent(editor->viewport(), &hover);
    QTRY_COMPARE(QToolTip::text(), QStringLiteral("threads = 64"));
    QToolTip::hideText();
    // New ones while it stands.
    all.clearAll();
    all.toggle(key(), lineOf("// loop"));
    QTRY_COMPARE(all.at(key(), lineOf("// loop"))->state, Breakpoint::State::Set);
    session().stop();
    QCOMPARE(all.at(key(), lineOf("// loop"))->state, Breakpoint::State::Idle);
}

void TestDebug::memoryInTheViews() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    panel().breakpoints().toggle(key(), lineOf("// sum"));
    QVERIFY(go("start"));
    MemoryPage* page = panel().memory();
    QTRY_VERIFY(find(panel().variables()->model(), {"Locals", "x"}).isValid());
    const QModelIndex x = find(panel().variables()->model(), {"Locals", "x"});
    emit panel().variables() -> memoryRequested(panel().variables()->variables()->variable(x));
    QTRY_VERIFY2(page->note().isEmpty(), qPrintable(page->note()));
    QCOMPARE(page->type()->currentText(), QStringLiteral("float32"));
    QCOMPARE(page->count()->number(), quint64(256));
    BufferTableModel& values = page->table()->grid()->model();
    QTRY_VERIFY(values.pages().element(5));
    float fifth = 0;
    std::memcpy(&fifth, values.pages().element(5), sizeof fifth);
    QCOMPARE(fifth, 2.5f);
    QCOMPARE(page->hex()->view()->byteCount(), 1024);
    // Another type, and the memory of an expression.
    page->type()->setCurrentText("uint8");
    emit page->type()->activated(page->type()->currentIndex());
    QTRY_COMPARE(page->hex()->view()->byteCount(), 256);
    page->show("tile");
    QTRY_VERIFY(page->hex()->view()->byteCount() == 4096 || !page->note().isEmpty());
    page->show("0x10");
    QTRY_VERIFY2(page->note().contains("no memory"), qPrintable(page->note()));
    page->show("threads + 1");
    QTRY_VERIFY2(page->note().contains("not in memory"), qPrintable(page->note()));
    page->show("out");
    QTRY_COMPARE(page->type()->currentText(), QStringLiteral("int32"));
    QCOMPARE(MemoryPage::elementOf("const volatile unsigned long long *").name(), QStringLiteral("uint64"));
    QCOMPARE(MemoryPage::elementOf("float[16][16]").name(), QStringLiteral("float32"));
    QCOMPARE(MemoryPage::elementOf("Pair *").name(), QStringLiteral("uint8"));
    session().stop();
    QVERIFY(!page->note().isEmpty());
}

void TestDebug::runToALine() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    CudaEditor* editor = window_->editors().editor(window_->document().mainSource());
    editor->goTo(lineOf("// loop"));
    QVERIFY(go("line")); // starts
    QCOMPARE(line(), lineOf("// loop"));
    editor->goTo(lineOf("// store"));
    QVERIFY(go("line"));
    QCOMPARE(line(), lineOf("// store"));
    QVERIFY(panel().breakpoints().isEmpty());
    press("start");
    QVERIFY(ended()); // the lines do not stop again
}

void TestDebug::aTextThatIsNotSaved() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    source->setText(QStringLiteral("// Not saved.\n") + source->text());
    window_->document().modify("grid", [](session::Session& s) { s.launch.grid = {2, 1, 1}; });
    QVERIFY(go("start")); // without breakpoints: the first line
    QCOMPARE(session().reason(), QStringLiteral("entry"));
    QCOMPARE(line(), lineOf("void steps") + 1);
    QCOMPARE(session().standing().gridDim[0], 2U);
    session().stop();
    // A source that is in no file at all.
    const QString text = QString::fromLatin1(kernelText).remove("int n, const float* x, ").remove(" + (int)x[i]");
    window_->document().newSession(text);
    window_->showEditor();
    window_->document().modify("", [](session::Session& s) {
        s.kernel = "steps";
        s.arguments = session::parse(sessionText("[1]", "[32]", 32).toStdString()).arguments;
        s.arguments.erase(s.arguments.begin(), s.arguments.begin() + 2);
        s.launch.block = {32, 1, 1};
    });
    panel().breakpoints().toggle(key(), lineOf(text, "// store"));
    QVERIFY(go("start"));
    QCOMPARE(line(), lineOf(text, "// store"));
    QCOMPARE(marks()->currentLine(), line());
    QVERIFY(Breakpoints::isUnsaved(session().shownFrame()->source));
    // It is saved meanwhile.
    QString problem;
    const int before = line();
    QVERIFY(window_->document().mainSource()->saveAs(home_.path("debug/saved.cu"), &problem));
    QVERIFY(!Breakpoints::isUnsaved(key()));
    QCOMPARE(marks()->currentLine(), before);
    QVERIFY(panel().breakpoints().at(key(), before));
    QTRY_COMPARE(panel().breakpoints().at(key(), before)->state, Breakpoint::State::Set);
    QVERIFY(go("in"));
    QCOMPARE(marks()->currentLine(), 1);
}

void TestDebug::ptxWithoutLines() {
    NEEDS_DEVICE;
    const QByteArray text = ".version 7.0\n.target sm_80\n.address_size 64\n"
                            ".visible .entry plain(.param .u64 out) {\n"
                            "  .reg .b64 %p;\n  .reg .b32 %v;\n"
                            "  ld.param.u64 %p, [out];\n"
                            "  mov.u32 %v, 42;\n"
                            "  st.global.u32 [%p], %v;\n"
                            "  ret;\n}\n";
    const QByteArray document = R"({"warplight": 1, "source": "plain.ptx", "kernel": "plain", "arguments": [
        {"name": "out", "direction": "out", "source": {"kind": "zeros", "dtype": "int32", "shape": [1]}}]})";
    write("debug/plain.ptx", text);
    QVERIFY(window_->openFile(write("debug/plain.warplight", document)));
    panel().breakpoints().toggle(key(), 9);
    QVERIFY(go("start"));
    QCOMPARE(line(), 9);
    QCOMPARE(marks()->currentLine(), 9);
    panel().variables()->expand(find(panel().variables()->model(), {"Registers"}));
    QTRY_COMPARE(value({"Registers", "%v"}), QStringLiteral("42"));
    QVERIFY(go("over"));
    QCOMPARE(line(), 10);
}

void TestDebug::anEditedSource() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    CudaEditor* editor = window_->editors().editor(source);
    panel().breakpoints().toggle(key(), lineOf("// sum"));
    QVERIFY(go("start"));
    QVERIFY(panel().noteText().isEmpty());
    editor->insertAt(QStringLiteral("// a new line\n"), 0, 0);
    QVERIFY(session().isEdited());
    QVERIFY2(panel().noteText().contains("was edited"), qPrintable(panel().noteText()));
    QCOMPARE(marks()->currentLine(), lineOf("// sum") + 1);
    QVERIFY(panel().breakpoints().at(key(), lineOf("// sum") + 1));
    panel().breakpoints().clearAll();
    panel().breakpoints().toggle(key(), 1); // that the kernel does not have
    QCOMPARE(panel().breakpoints().at(key(), 1)->state, Breakpoint::State::Refused);
    panel().breakpoints().toggle(key(), lineOf("// store") + 1);
    QVERIFY(go("start"));
    QCOMPARE(line(), lineOf("// store"));
    QCOMPARE(marks()->currentLine(), lineOf("// store") + 1);
}

void TestDebug::aKernelWithoutEnd() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    source->setText(QString(source->text()).replace("int sum = 0;", "int sum = 0; while (n) sum += 1;"));
    panel().breakpoints().toggle(key(), lineOf("// fill"));
    QVERIFY(go("start"));
    panel().breakpoints().clearAll();
    press("start");
    QTest::qWait(300);
    QCOMPARE(session().state(), DebugSession::State::Running);
    QVERIFY(panel().action("pause")->isEnabled());
    QVERIFY(go("pause"));
    QCOMPARE(session().reason(), QStringLiteral("pause"));
    QCOMPARE(line(), lineOf("// sum"));
    press("start");
    press("stop");
    QVERIFY(!session().isActive());
    QCOMPARE(panel().stateText(), QStringLiteral("Stopped"));
    QVERIFY(go("start")); // another one at once
}

void TestDebug::sourcesThatDoNotCompile() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    source->setText(QString(source->text()).replace("int sum = 0;", "int sum = nothing;"));
    press("start");
    QVERIFY(QTest::qWaitFor([&] { return !banner("debug").isEmpty(); }, patience));
    QVERIFY2(banner("debug").contains("does not compile"), qPrintable(banner("debug")));
    QVERIFY2(banner("debug").contains("nothing"), qPrintable(banner("debug")));
    QVERIFY(!session().isActive());
    QVERIFY(panel().action("start")->isEnabled());
    // A file that the session may not read.
    source->markModified(false);
    QVERIFY(openSteps());
    session::FileSource elsewhere;
    elsewhere.path = write("elsewhere/x.npy", "no array").toStdString();
    window_->document().modify("", [&](session::Session& s) { s.arguments[1].source = elsewhere; });
    press("start");
    QVERIFY(QTest::qWaitFor([&] { return banner("debug").contains("as it is"); }, patience));
    QVERIFY2(banner("debug").contains("x.npy"), qPrintable(banner("debug")));
    // The user agrees, and now it is read: it is no array.
    agree(window_->document().folder(), home_.path("elsewhere"));
    press("start");
    QVERIFY(QTest::qWaitFor([&] { return banner("debug").contains("is no .npy file"); }, patience));
}

void TestDebug::aFault() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    SourceFile* source = window_->document().mainSource();
    source->setText(QString(source->text()).replace("out[i] =", "out[i << 24] ="));
    panel().breakpoints().toggle(key(), 1); // in the first line with code
    panel().breakpoints().setEnabled(key(), 1, false);
    QVERIFY(go("start"));
    QCOMPARE(session().reason(), QStringLiteral("exception"));
    QCOMPARE(line(), lineOf("// store"));
    QVERIFY2(panel().noteText().contains("address"), qPrintable(panel().noteText()));
    press("over");
    QTRY_VERIFY(panel().console()->view()->toPlainText().contains("can go back"));
    QVERIFY(session().isStanding());
    QVERIFY(go("back"));
    press("stop");
}

void TestDebug::anotherSession() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    QVERIFY(go("start"));
    [[maybe_unused]] const qint64 process = session().processId();
    QVERIFY(process > 0);
    QVERIFY(openExample("saxpy"));
    QVERIFY(!session().isActive());
    QVERIFY(panel().isShowingEmptyNote());
    QCOMPARE(panel().variables()->model()->rowCount(), 0);
    QVERIFY(banner("debug").isEmpty());
    // And a window that closes.
    QVERIFY(go("start"));
    [[maybe_unused]] const qint64 last = session().processId();
    closeWindow();
    openWindow();
#ifdef Q_OS_LINUX
    QVERIFY(!QFileInfo::exists(QStringLiteral("/proc/%1").arg(process)));
    QVERIFY(!QFileInfo::exists(QStringLiteral("/proc/%1").arg(last)));
#endif
}

void TestDebug::aKilledDebugger() {
    NEEDS_DEVICE;
    QVERIFY(openSteps());
    QVERIFY(go("start"));
    killProcess(session().processId());
    QVERIFY(QTest::qWaitFor([&] { return !banner("debug").isEmpty(); }, patience));
    QVERIFY2(banner("debug").contains("The debugger ended"), qPrintable(banner("debug")));
    QVERIFY(!session().isActive());
    QCOMPARE(marks()->currentLine(), 0);
    QVERIFY(window_->banners().press("debug", "Debug again"));
    QVERIFY(stood());
    QVERIFY(banner("debug").isEmpty());
}

void TestDebug::programsThatAreNone_data() {
    QTest::addColumn<QString>("said");
    QTest::newRow("nonsense") << "no message of the protocol";
    QTest::newRow("no json") << "no JSON object";
    QTest::newRow("too long") << "no message of the protocol";
    QTest::newRow("refuses") << "I do not want to.";
    QTest::newRow("ends") << "exit code 7. It said: something was wrong";
    QTest::newRow("wrong types") << "";
}

void TestDebug::programsThatAreNone() {
    QFETCH(QString, said);
    QVERIFY(openSteps());
    session().setProgram(QCoreApplication::applicationFilePath(), {"--fake", QTest::currentDataTag()});
    press("start");
    if (said.isEmpty()) { // it never gets as far as a kernel
        QTest::qWait(500);
        press("stop");
        QVERIFY(!session().isActive());
        return;
    }
    QVERIFY(QTest::qWaitFor([&] { return !banner("debug").isEmpty(); }, patience));
    QVERIFY2(banner("debug").contains(said), qPrintable(banner("debug")));
    QVERIFY(!session().isActive());
    session().setProgram(QStringLiteral("/no/such/program"), {});
    press("start");
    QVERIFY(QTest::qWaitFor([&] { return banner("debug").contains("cannot be started"); }, patience));
}

void TestDebug::theTimeOfAStep() {
    NEEDS_DEVICE;
    window_->showPanel("debug");
    struct Case {
        const char *grid, *block;
    };
    for (const Case& each : {Case{"[1024]", "[64]"}, Case{"[64]", "[32, 32]"}}) {
        QVERIFY(openSteps(each.grid, each.block, 65536));
        panel().breakpoints().clearAll();
        panel().breakpoints().setCondition(key(), lineOf("// sum"), "i == 40000");
        panel().watches()->add("tile[t]");
        panel().detailTabs()->setCurrentWidget(panel().lanes());
        panel().lanes()->kind()->setCurrentIndex(1);
        panel().lanes()->expression()->setText("sum");
        QVERIFY(go("start"));
        for (int unit = 0; unit < panel().unitBox()->count(); ++unit) {
            panel().unitBox()->setCurrentIndex(unit);
            QList<double> times;
            for (int k = 0; k < 12; ++k) {
                QEventLoop loop;
                const auto connection = connect(&session(), &DebugSession::settled, &loop, &QEventLoop::quit);
                QElapsedTimer clock;
                clock.start();
                press("over");
                loop.exec();
                QCoreApplication::sendPostedEvents();
                window_->repaint();
                times << double(clock.nsecsElapsed()) / 1e6;
                disconnect(connection);
                QVERIFY(session().isStanding());
            }
            std::sort(times.begin(), times.end());
            qInfo("65,536 threads in blocks of %s, step of a %s: median %.1f ms, longest %.1f ms", each.block,
                  qPrintable(panel().unitBox()->currentText().toLower()), times[times.size() / 2], times.last());
        }
        panel().watches()->remove(0);
    }
    panel().unitBox()->setCurrentIndex(1);
    panel().lanes()->kind()->setCurrentIndex(0);
}

int main(int argc, char** argv) {
    if (argc == 3 && std::strcmp(argv[1], "--fake") == 0) return fake(argv[2]);
    TestHome home;
    QApplication application(argc, argv);
    TestDebug test(home);
    return QTest::qExec(&test, argc, argv);
}
#include "test_debug.moc"
