// SPDX-License-Identifier: GPL-3.0-or-later
// SASS beside the source, and the table of register limits, in the window. A script plays nvdisasm; where the real one
// is installed, it is used, too.
#include "window_fixture.hpp"

#include "compiler/toolkit.hpp"
#include "ui/assembly/assembly_view.hpp"
#include "ui/assembly/ptx_view.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/code/sass_lexer.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/function/register_dialog.hpp"
#include "ui/history/difference_view.hpp"
#include "ui/sass/sass_pane.hpp"
#include "ui/sass/sass_view.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeWidget>

using namespace warplight;
using namespace warplight::ui;

namespace {

const char* const source = R"(__device__ __forceinline__ float square(float x) { return x * x; }
extern "C" __global__ void __launch_bounds__(256, 2) sum(const float* x, float* y, int n) {
    __shared__ float s[256];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? square(x[i]) : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[blockIdx.x] = s[0];
}
)";

// What the script prints for the source; %1 is the source's file.
const char* const listing = R"(	.target	sm_90
	.section	.text.sum,"ax",@progbits
sum:
.text.sum:
	//## File "%1", line 4
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   S2R R0, SR_TID.X ;
	//## File "%1", line 1 inlined at "%1", line 5
	//## File "%1", line 5
        /*0020*/                   FMUL R4, R4, R4 ;
	//## File "%1", line 5
        /*0030*/                   STS [R6], R4 ;
.L_x_1:
	//## File "%1", line 8
        /*0040*/                   LDS R7, [R6] ;
        /*0050*/                   FADD R7, R7, R4 ;
	//## File "%1", line 7
        /*0060*/               @P0 BRA `(.L_x_1) ;
	//## File "%1", line 12
        /*0070*/                   EXIT ;
)";

/// To be looked at, where WARPLIGHT_PICTURES names a folder.
void photograph(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("WARPLIGHT_PICTURES");
    if (folder.isEmpty()) return;
    QDir().mkpath(folder);
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
}

} // namespace

class TestSass : public QObject, WindowFixture {
    Q_OBJECT
public:
    explicit TestSass(const TestHome& home)
        : WindowFixture(home), real_(!compiler::find_tool("nvdisasm").empty()), chosen_(qgetenv("WARPLIGHT_NVDISASM")) {
    }

private slots:
    void init();
    void cleanup();
    void namesHaveStyles();
    void sassIsMadeWhenItIsLookedAt();
    void linesAreLinkedBothWays();
    void branchesAreFollowed();
    void sidesAreCompared();
    void aMissingToolIsNamed();
    void sassOfThePastIsDim();
    void theRealToolIsRead();
    void limitsAreTried();
    void aSourceThatFailsHasNoTable();

private:
    /// The kernel, built, and the PTX beside it.
    void build();
    void showSass();
    void play(const QByteArray& script);
    void setSource(const QString& text) { window_->document().mainSource()->setText(text); }
    SassPane& pane() { return *window_->findChild<SassPane*>(); }
    AssemblyView& assembly() { return *window_->editors().assembly(); }
    CudaEditor& editor() { return *window_->editors().currentEditor(); }
    bool isMade() {
        return QTest::qWaitFor([&] { return pane().note().isEmpty() && !pane().view()->text().isEmpty(); }, patience);
    }
    int lineOf(const char* part) {
        const QStringList lines = pane().view()->text().split('\n');
        for (int i = 0; i < lines.size(); ++i)
            if (lines[i].contains(QLatin1String(part))) return i + 1;
        return 0;
    }

    bool real_;
    QByteArray chosen_;
};

void TestSass::play(const QByteArray& script) {
    const QString tool = write("tools/nvdisasm", "#!/bin/sh\n" + script);
    QVERIFY(QFile::setPermissions(tool, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    qputenv("WARPLIGHT_NVDISASM", tool.toUtf8());
}

void TestSass::init() {
#ifdef Q_OS_WIN
    QSKIP("the tool is a script");
#endif
    const QString text = QLatin1String(listing);
    write("tools/listing.txt", text.arg(home_.path("sass/sum.cu")).toUtf8());
    write("tools/short.txt", text.arg(home_.path("sass/sum.cu")).remove(QRegularExpression(".*FADD.*\n")).toUtf8());
    // For another architecture it prints one instruction less. The name of the architecture is in the CUBIN.
    play("here=$(dirname \"$0\")\n"
         "for last in \"$@\"; do :; done\n"
         "if grep -q sm_75 \"$last\"; then cat \"$here/short.txt\"; else cat \"$here/listing.txt\"; fi\n");
}

void TestSass::cleanup() {
    if (window_) closeWindow();
    if (chosen_.isEmpty())
        qunsetenv("WARPLIGHT_NVDISASM");
    else
        qputenv("WARPLIGHT_NVDISASM", chosen_);
}

void TestSass::build() {
    write("sass/sum.cu", source);
    write("sass/sum.warplight", QStringLiteral(R"({"warplight": 1, "source": "sum.cu", "kernel": "sum", "device": "%1",
        "arguments": [
          {"name": "x", "direction": "in", "source": {"kind": "zeros", "dtype": "float32", "shape": [1024]}},
          {"name": "y", "direction": "out", "source": {"kind": "zeros", "dtype": "float32", "shape": [4]}},
          {"name": "n", "direction": "scalar", "type": "i32", "value": 1024}],
        "launch": {"grid": [4, 1, 1], "block": [256, 1, 1]}})")
                                    .arg(driver())
                                    .toUtf8());
    openWindow();
    window_->resize(1440, 900);
    workerIsReady();
    QVERIFY(window_->openFile(home_.path("sass/sum.warplight")));
    window_->runner().setCheckWhileTyping(false);
    trigger("build.build");
    QVERIFY(isCompiled());
    if (!window_->document().compileOutput().ok) QSKIP("no NVRTC here");
}

void TestSass::showSass() {
    window_->editors().setAssemblyVisible(true);
    assembly().tabs()->setCurrentWidget(&pane());
}

void TestSass::namesHaveStyles() {
    const QByteArray text =
        "sum:\n.L_x_1:\n    /*0060*/     @!P0 LDG.E.64 R4, desc[UR4][R2.64+0x8] ;\n    BRA `(.L_x_1) ;\n";
    QStringList words;
    qsizetype at = 0;
    for (const PtxLexer::Run& run : SassLexer::sassRuns(text)) {
        if (run.style != PtxLexer::Default)
            words << QStringLiteral("%1 %2").arg(run.style).arg(QString::fromLatin1(text.mid(at, run.length)));
        at += run.length;
    }
    QCOMPARE(at, text.size());
    const auto has = [&](int style, const char* word) {
        return words.contains(QStringLiteral("%1 %2").arg(style).arg(QLatin1String(word)));
    };
    QVERIFY(has(PtxLexer::Label, "sum:"));
    QVERIFY(has(PtxLexer::Label, ".L_x_1:"));
    QVERIFY(has(PtxLexer::Comment, "/*0060*/"));
    QVERIFY(has(PtxLexer::SpecialRegister, "@!P0"));
    QVERIFY(has(PtxLexer::Opcode, "LDG"));
    QVERIFY(has(PtxLexer::Modifier, ".E.64"));
    QVERIFY(has(PtxLexer::Register, "R4"));
    QVERIFY(has(PtxLexer::Number, "0x8"));
    QVERIFY(has(PtxLexer::Label, "`(.L_x_1)"));
}

void TestSass::sassIsMadeWhenItIsLookedAt() {
    build();
    window_->editors().setAssemblyVisible(true);
    QTest::qWait(200);
    QVERIFY(pane().view()->text().isEmpty()); // a build makes none
    showSass();
    QVERIFY(isMade());
    QVERIFY(pane().view()->text().contains("@P0 BRA `(.L_x_1) ;"));
    QVERIFY2(pane().summary().contains("8 instructions"), qPrintable(pane().summary()));
    QTRY_VERIFY(pane().archBox()->findData("sm_90") > 0);

    // Another architecture, and another source.
    QSignalSpy made(&pane(), &SassPane::made);
    pane().archBox()->setCurrentIndex(pane().archBox()->findData("sm_75"));
    emit pane().archBox() -> activated(pane().archBox()->currentIndex());
    QVERIFY(made.wait(patience));
    QVERIFY2(pane().summary().contains("sm_75: 7 instructions"), qPrintable(pane().summary()));
    setSource(QLatin1String(source) + QStringLiteral("\n"));
    trigger("build.build");
    QVERIFY(made.wait(patience));
    QVERIFY(pane().note().isEmpty());

    pane().copyAll();
    QCOMPARE(QGuiApplication::clipboard()->text(), pane().view()->text());
    QCOMPARE(window_->editors().assembly()->findBar(), pane().findBar());
    pane().findBar()->open(false);
    pane().findBar()->findEdit()->setText("BRA");
    QTRY_COMPARE(pane().findBar()->matchCount(), 1);
}

void TestSass::linesAreLinkedBothWays() {
    build();
    showSass();
    QVERIFY(isMade());
    editor().setFocus();
    editor().goTo(8);
    QTRY_COMPARE(pane().view()->linkedLines(), (QList<int>{lineOf("LDS R7"), lineOf("FADD")}));
    QVERIFY2(pane().summary().startsWith("Line 8: 2 instructions (1 float32, 1 shared memory)"),
             qPrintable(pane().summary()));
    editor().setSelection(6, 0, 8, 0); // lines 7 and 8
    QTRY_VERIFY2(pane().summary().startsWith("Lines 7 to 8: 3 instructions"), qPrintable(pane().summary()));
    // Of inlined code the line of the function, which is in the same file.
    editor().goTo(1);
    QTRY_COMPARE(pane().view()->linkedLines(), QList<int>{lineOf("FMUL")});

    pane().view()->setFocus();
    pane().view()->goTo(lineOf("STS"));
    QTRY_COMPARE(editor().linkedLines(), QList<int>{5});
    QVERIFY2(pane().summary().startsWith("Line 5: 1 instruction (1 shared memory)"), qPrintable(pane().summary()));
    QVERIFY(!assembly().ptx()->linkedLines().isEmpty());
    photograph(*window_, "sass-linked");
}

void TestSass::branchesAreFollowed() {
    build();
    showSass();
    QVERIFY(isMade());
    SassView& view = *pane().view();
    view.setFocus();
    view.goTo(lineOf("BRA"));
    QCOMPARE(view.target(view.caretLine()), lineOf(".L_x_1:"));
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(view.caretLine(), lineOf(".L_x_1:"));
    QVERIFY(view.canGoBack());
    QTest::keyClick(&view, Qt::Key_Backspace);
    QCOMPARE(view.caretLine(), lineOf("BRA"));
    QVERIFY(!view.canGoBack());
    // By the pointer, on the name of the target.
    const long start =
        view.SendScintilla(QsciScintilla::SCI_POSITIONFROMLINE, static_cast<unsigned long>(lineOf("BRA") - 1));
    const long at = start + view.text(lineOf("BRA") - 1).indexOf(".L_x") + 1;
    const QPoint point(int(view.SendScintilla(QsciScintilla::SCI_POINTXFROMPOSITION, 0UL, at)) + 2,
                       int(view.SendScintilla(QsciScintilla::SCI_POINTYFROMPOSITION, 0UL, at)) + 4);
    QTest::mouseDClick(view.viewport(), Qt::LeftButton, {}, point);
    QCOMPARE(view.caretLine(), lineOf(".L_x_1:"));
}

void TestSass::sidesAreCompared() {
    build();
    showSass();
    QVERIFY(isMade());
    QTRY_VERIFY(pane().otherArchBox()->findData("sm_75") > 0);
    pane().otherArchBox()->setCurrentIndex(pane().otherArchBox()->findData("sm_75"));
    QSignalSpy made(&pane(), &SassPane::made);
    pane().compareButton()->click();
    QVERIFY(made.wait(patience));
    QTRY_VERIFY(pane().difference()->isVisible());
    QVERIFY2(pane().summary().contains("8 → 7 instructions"), qPrintable(pane().summary()));
    QVERIFY2(pane().summary().contains("float32 2 → 1"), qPrintable(pane().summary()));
    QCOMPARE(pane().difference()->changeCount(), 1);
    // The labels are no instructions, so both sides are aligned.
    QCOMPARE(pane().difference()->alignedText(0).count('\n'), pane().difference()->alignedText(1).count('\n'));
    photograph(pane(), "sass-compared");

    // An option that the compiler does not know is said beside.
    pane().otherOptions()->setText("--no-such-option");
    emit pane().otherOptions() -> textEdited("--no-such-option");
    QVERIFY(made.wait(patience));
    QTRY_VERIFY(!pane().difference()->note().isEmpty());
    pane().compareButton()->click();
    QVERIFY(pane().view()->isVisible());
}

void TestSass::aMissingToolIsNamed() {
    qputenv("WARPLIGHT_NVDISASM", home_.path("nowhere").toUtf8());
    qputenv("WARPLIGHT_CUOBJDUMP", home_.path("nowhere").toUtf8());
    build();
    showSass();
    QTRY_VERIFY_WITH_TIMEOUT(pane().note().contains("WARPLIGHT_NVDISASM"), patience);
    qunsetenv("WARPLIGHT_CUOBJDUMP");
    photograph(pane(), "sass-missing");
    QPushButton* install = nullptr;
    for (QPushButton* each : pane().findChildren<QPushButton*>())
        if (each->isVisible() && each->text().contains("Toolkit")) install = each;
    QVERIFY(install);
    install->click();
    QTRY_VERIFY(window_->findChild<ToolkitDialog*>());
    auto* dialog = window_->findChild<ToolkitDialog*>();
    const auto labels = dialog->findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels,
                                [](const QLabel* each) { return each->text().contains("read by NVIDIA's nvdisasm"); }));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->findChild<QLabel*>("announcement")->text().isEmpty(), patience);
    photograph(*dialog, "sass-install");
    dialog->reject();
}

void TestSass::sassOfThePastIsDim() {
    build();
    showSass();
    QVERIFY(isMade());
    const QString before = pane().view()->text();
    setSource(QLatin1String(source) + QStringLiteral("wrong\n"));
    trigger("build.build");
    QTRY_VERIFY_WITH_TIMEOUT(pane().view()->isDimmed(), patience);
    QCOMPARE(pane().view()->text(), before);
    // What is chosen now is made of the last source without errors.
    QSignalSpy made(&pane(), &SassPane::made);
    QTRY_VERIFY(pane().archBox()->findData("sm_75") > 0);
    pane().archBox()->setCurrentIndex(pane().archBox()->findData("sm_75"));
    emit pane().archBox() -> activated(pane().archBox()->currentIndex());
    QVERIFY(made.wait(patience));
    QVERIFY2(pane().summary().contains("sm_75: 7 instructions"), qPrintable(pane().summary()));
    QVERIFY(pane().view()->isDimmed());
    pane().otherArchBox()->setCurrentIndex(pane().otherArchBox()->findData("sm_90"));
    pane().compareButton()->click();
    QVERIFY(made.wait(patience));
    QVERIFY2(pane().summary().contains("7 → 8 instructions"), qPrintable(pane().summary()));
    pane().compareButton()->click();
    setSource(QLatin1String(source));
    trigger("build.build");
    QTRY_VERIFY_WITH_TIMEOUT(!pane().view()->isDimmed(), patience);
}

void TestSass::theRealToolIsRead() {
    if (!real_) QSKIP("no nvdisasm here");
    if (chosen_.isEmpty())
        qunsetenv("WARPLIGHT_NVDISASM");
    else
        qputenv("WARPLIGHT_NVDISASM", chosen_);
    build();
    showSass();
    QVERIFY2(isMade(), qPrintable(pane().note()));
    editor().setFocus();
    editor().goTo(8);
    QTRY_VERIFY2(!pane().view()->linkedLines().isEmpty(), qPrintable(pane().summary()));
    QVERIFY2(pane().summary().contains("shared memory"), qPrintable(pane().summary()));
    for (const char* look : {"light", "dark"}) {
        trigger((QByteArray("view.theme.") + look).constData());
        QTest::qWait(100);
        photograph(*window_, QStringLiteral("sass-real-") + QLatin1String(look));
    }
}

void TestSass::limitsAreTried() {
    build();
    auto& panel = window_->panel<FunctionPanel>();
    window_->showPanel("function");
    QVERIFY(panel.registersButton()->isVisible());
    panel.registersButton()->click();
    auto* dialog = window_->findChild<RegisterDialog*>();
    QVERIFY(dialog);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->rows()->topLevelItemCount() > 0, patience);
    const session::RegisterTable& table = dialog->table();
    QCOMPARE(std::size_t(dialog->rows()->topLevelItemCount()), session::kRegisterLimits.size());
    QCOMPARE(table.threads, 256);
    QCOMPARE(table.bound_registers, 128);
    QVERIFY2(dialog->noteText().contains("__launch_bounds__(256, 2): at most 128 registers"),
             qPrintable(dialog->noteText()));
    QVERIFY(!dialog->useButton()->isEnabled());
    dialog->rows()->setCurrentItem(dialog->rows()->topLevelItem(0)); // none: that of the session
    QVERIFY(!dialog->useButton()->isEnabled());
    QTRY_VERIFY(dialog->archBox()->findData("sm_90") > 0);
    for (const char* look : {"light", "dark"}) {
        trigger((QByteArray("view.theme.") + look).constData());
        QTest::qWait(100);
        photograph(*dialog, QStringLiteral("registers-") + QLatin1String(look));
        photograph(*window_->findChild<QDockWidget*>("function"), QStringLiteral("function-") + QLatin1String(look));
    }

    dialog->rows()->setCurrentItem(dialog->rows()->topLevelItem(3));
    QVERIFY(dialog->useButton()->isEnabled());
    dialog->useButton()->click();
    QCOMPARE(window_->document().session().compile.options, std::vector<std::string>{"--maxrregcount=64"});
    QVERIFY(dialog->rows()->topLevelItem(3)->text(0).contains("in use"));
    window_->document().undoStack().undo();
    QVERIFY(window_->document().session().compile.options.empty());

    // Another architecture is asked for at once.
    QSignalSpy filled(dialog, &RegisterDialog::filled);
    dialog->archBox()->setCurrentIndex(dialog->archBox()->findData("sm_90"));
    emit dialog->archBox()->activated(dialog->archBox()->currentIndex());
    QVERIFY(filled.wait(patience));
    QCOMPARE(dialog->table().arch, std::string("sm_90"));
    dialog->reject();
}

void TestSass::aSourceThatFailsHasNoTable() {
    build();
    setSource(QStringLiteral("wrong\n"));
    RegisterDialog dialog(window_->workbench());
    QSignalSpy filled(&dialog, &RegisterDialog::filled);
    QVERIFY(filled.wait(patience));
    QVERIFY(!dialog.table().ok);
    QCOMPARE(dialog.rows()->topLevelItemCount(), 0);
    const auto labels = dialog.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [](const QLabel* each) { return each->text().contains("does not compile"); }));
}

WARPLIGHT_UI_TEST_MAIN(TestSass)
#include "test_sass.moc"
