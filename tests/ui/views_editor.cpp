// SPDX-License-Identifier: GPL-3.0-or-later
// Editor, search, PTX linked with its source, problems and output.
#include "annotation.hpp"
#include "ui/assembly/assembly_view.hpp"
#include "ui/assembly/line_map.hpp"
#include "ui/assembly/ptx_view.hpp"
#include "ui/assembly/report_model.hpp"
#include "ui/code/find_bar.hpp"
#include "ui/code/ptx_lexer.hpp"
#include "ui/code/text_search.hpp"
#include "ui/common/workbench.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/cuda_lexer.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_model.hpp"
#include "ui/problems/problems_panel.hpp"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

using namespace warplight;
using namespace warplight::ui;
using Tester = QAbstractItemModelTester;

namespace {

const char* const source = R"(__global__ void scale(float* x, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * a; // größer
}
)";

const char* const ptxText = R"(//
.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 r) helper(
	.param .b32 p
)
{
	ret;
}
.visible .entry scale(
	.param .u64 scale_param_0
)
{
	.reg .pred %p<2>;
	.reg .b32 %r<6>;
	.loc 1 2 5
	mov.u32 %r1, %ctaid.x;
	mad.lo.s32 %r5, %r1, 4, %r2;
	.loc 1 4 9
	@%p1 bra $L__BB0_2;
	mul.f32 %f3, %f1, 0f3F800000;
$L__BB0_2:
	ret;
}
)";

CompileOutput outputWithLines() {
    CompileOutput output;
    output.valid = true;
    output.ok = true;
    output.ptx = QString::fromUtf8(ptxText);
    output.arch = QStringLiteral("sm_80");
    const auto line = [&](int ptx, int src) {
        compiler::LineMapping mapping;
        mapping.ptx_line = ptx;
        mapping.source_line = src;
        mapping.file = "kernel.cu";
        output.lines.push_back(mapping);
    };
    line(18, 2);
    line(19, 2);
    line(21, 4);
    line(22, 4);
    compiler::KernelResources resources;
    resources.name = "scale";
    resources.lowered = "scale";
    resources.registers = 8;
    resources.spill_stores = 16;
    output.resources.push_back(resources);
    return output;
}

compiler::Diagnostic diagnostic(int line, int column, compiler::Severity severity, const char* message) {
    compiler::Diagnostic result;
    result.file = "kernel.cu";
    result.line = line;
    result.column = column;
    result.severity = severity;
    result.message = message;
    return result;
}

} // namespace

class ViewsEditor : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString write(const QString& name, const QByteArray& text) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
        return file.fileName();
    }
    // A document whose main source is kernel.cu.
    bool open(Workbench& workbench) {
        QString problem;
        return workbench.document().openSourceAsSession(write(QStringLiteral("kernel.cu"), source), &problem);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        QLocale::setDefault(QLocale::c());
    }

    void cudaStyles() {
        Theme theme;
        SourceFile file(QStringLiteral("/x/kernel.cu"), QString::fromUtf8(source));
        CudaEditor editor(&file, theme);
        editor.resize(600, 300);
        editor.show();
        editor.SendScintilla(QsciScintilla::SCI_COLOURISE, 0UL, -1L);
        const QByteArray text = editor.text().toUtf8();
        const auto styleOf = [&](const char* word) {
            return int(
                editor.SendScintilla(QsciScintilla::SCI_GETSTYLEAT, static_cast<unsigned long>(text.indexOf(word))));
        };
        QCOMPARE(styleOf("__global__"), int(CudaLexer::KeywordSet2));
        QCOMPARE(styleOf("threadIdx"), int(CudaLexer::GlobalClass));
        QCOMPARE(styleOf("float"), int(CudaLexer::Keyword));
        QCOMPARE(styleOf("// gr"), int(CudaLexer::CommentLine));
        QCOMPARE(styleOf("scale"), int(CudaLexer::Identifier));
    }

    void ptxStyles() {
        const QByteArray line = "\t@%p1 ld.global.f32 %f1, [%rd4+16]; // x\n$L1:\tmov.u32 %r1, %tid.x;\n";
        QString shape;
        int total = 0;
        for (const PtxLexer::Run& run : PtxLexer::runs(line)) {
            shape += QString(run.length, QLatin1Char("-cdomrsn\"l"[run.style]));
            total += run.length;
        }
        QCOMPARE(total, int(line.size()));
        const auto styleAt = [&](const char* what) { return shape[line.indexOf(what)]; };
        QCOMPARE(styleAt("ld.global"), QLatin1Char('o'));
        QCOMPARE(styleAt(".global"), QLatin1Char('m'));
        QCOMPARE(styleAt("%rd4"), QLatin1Char('r'));
        QCOMPARE(styleAt("%tid.x"), QLatin1Char('s'));
        QCOMPARE(styleAt(".x;"), QLatin1Char('s'));
        QCOMPARE(styleAt("16"), QLatin1Char('n'));
        QCOMPARE(styleAt("// x"), QLatin1Char('c'));
        QCOMPARE(styleAt("$L1"), QLatin1Char('l'));
        QCOMPARE(styleAt("mov"), QLatin1Char('o'));
        QCOMPARE(PtxLexer::runs("a */ b", true).first().style, int(PtxLexer::Comment));
        QCOMPARE(PtxLexer::runs("a */ b", true).first().length, 4);
    }

    void search() {
        const QString text = QStringLiteral("für x, X und xy; x");
        QCOMPARE(TextSearch(QStringLiteral("x"), {}).matches(text).size(), 4);
        QCOMPARE(TextSearch(QStringLiteral("x"), {true, false, false}).matches(text).size(), 3);
        QCOMPARE(TextSearch(QStringLiteral("x"), {false, true, false}).matches(text).size(), 3);
        // Places count bytes: ü has two.
        QCOMPARE(TextSearch(QStringLiteral("x"), {true, true, false}).matches(text).first().position, 5);
        const TextSearch swap(QStringLiteral("(\\w+), (\\w+)"), {true, false, true});
        QCOMPARE(swap.matches(text, QStringLiteral("\\2;\\1")).first().replacement, QStringLiteral("X;x"));
        QVERIFY(!TextSearch(QStringLiteral("("), {false, false, true}).isValid());
        QVERIFY(!TextSearch(QStringLiteral("("), {false, false, true}).problem().isEmpty());
        QCOMPARE(TextSearch(QStringLiteral("("), {}).matches(QStringLiteral("((")).size(), 2);
        QVERIFY(TextSearch(QStringLiteral("z*"), {false, false, true}).matches(text).isEmpty());
    }

    void replaceAllIsOneStep() {
        Theme theme;
        SourceFile file(QStringLiteral("/x/kernel.cu"), QStringLiteral("a b a\na ä a\n"));
        QWidget parent;
        auto* editor = new CudaEditor(&file, theme, &parent);
        auto* bar = new FindBar(theme, &parent);
        parent.show();
        bar->setView(editor);
        bar->open(true);
        bar->findEdit()->setText(QStringLiteral("a"));
        QCOMPARE(bar->matchCount(), 4);
        QCOMPARE(bar->countText(), QStringLiteral("1 of 4"));
        bar->findNext();
        QCOMPARE(bar->countText(), QStringLiteral("2 of 4"));
        bar->findPrevious();
        bar->findPrevious();
        QCOMPARE(bar->countText(), QStringLiteral("4 of 4"));
        bar->replaceEdit()->setText(QStringLiteral("long"));
        QCOMPARE(bar->replaceAll(), 4);
        QCOMPARE(editor->text(), QStringLiteral("long b long\nlong ä long\n"));
        QCOMPARE(file.text(), editor->text());
        editor->undo();
        QCOMPARE(editor->text(), QStringLiteral("a b a\na ä a\n"));
        bar->findEdit()->setText(QStringLiteral("nowhere"));
        QCOMPARE(bar->countText(), QStringLiteral("No matches"));
        QCOMPARE(bar->replaceAll(), 0);
    }

    void diagnosticsAreBoxed() {
        Theme theme;
        SourceFile file(QStringLiteral("/x/kernel.cu"), QString::fromUtf8(source));
        CudaEditor editor(&file, theme);
        auto other = diagnostic(1, 1, compiler::Severity::error, "elsewhere");
        other.file = "cuda_fp16.h";
        editor.setDiagnostics({diagnostic(2, 9, compiler::Severity::warning, "variable was declared"),
                               diagnostic(4, 5, compiler::Severity::error, "identifier is undefined"), other,
                               diagnostic(99, 1, compiler::Severity::error, "past the end")});
        QCOMPARE(editor.diagnosticLines(), (QList<int>{2, 4}));
        QVERIFY(annotationOf(editor, 3).contains(QStringLiteral("identifier is undefined")));
        // Lines before move the box; an edit of its line takes it away.
        editor.insertAt(QStringLiteral("// first\n"), 0, 0);
        QCOMPARE(editor.diagnosticLines(), (QList<int>{3, 5}));
        editor.insertAt(QStringLiteral(" "), 4, 4);
        QCOMPARE(editor.diagnosticLines(), QList<int>{3});
        QTRY_VERIFY(annotationOf(editor, 4).isEmpty());
        QVERIFY(!annotationOf(editor, 2).isEmpty());
        editor.clearDiagnostics();
        QVERIFY(editor.diagnosticLines().isEmpty());
    }

    void commenting() {
        Theme theme;
        SourceFile file(QStringLiteral("/x/kernel.cu"), QStringLiteral("  a();\n    b();\n\nc();\n"));
        CudaEditor editor(&file, theme);
        editor.setSelection(0, 0, 2, 0);
        editor.toggleComment();
        QCOMPARE(editor.text(), QStringLiteral("  // a();\n  //   b();\n\nc();\n"));
        editor.toggleComment();
        QCOMPARE(editor.text(), QStringLiteral("  a();\n    b();\n\nc();\n"));
    }

    void editorAndFileAgree() {
        Workbench workbench;
        QVERIFY(open(workbench));
        EditorArea area(workbench);
        area.resize(1000, 500);
        area.show();
        SourceFile* file = workbench.document().mainSource();
        QCOMPARE(area.currentSource(), file);
        CudaEditor* editor = area.currentEditor();
        QTest::keyClicks(editor, QStringLiteral("//"));
        QVERIFY(file->isModified());
        QVERIFY(file->text().startsWith(QStringLiteral("//__global__")));
        QVERIFY(area.tabs()->tabText(0).startsWith(QStringLiteral("●")));
        file->setText(QStringLiteral("int x;\n"));
        QCOMPARE(editor->text(), QStringLiteral("int x;\n"));
        editor->undo();
        QVERIFY(editor->text().startsWith(QStringLiteral("//__global__")));
    }

    void severalSources() {
        Workbench workbench;
        QVERIFY(open(workbench));
        EditorArea area(workbench);
        area.resize(800, 400);
        area.show();
        const QString second = write(QStringLiteral("helper.cuh"), "int a;\nint b;\n");
        QSignalSpy moved(&area, &EditorArea::cursorMoved);
        area.goTo(second, 2, 3);
        QCOMPARE(area.tabs()->count(), 2);
        QCOMPARE(area.currentSource()->path(), second);
        QTRY_COMPARE(moved.last()[0].toInt(), 2);
        QSignalSpy closing(&area, &EditorArea::closeRequested);
        emit area.tabs()->tabCloseRequested(1);
        QCOMPARE(closing.size(), 1);
        workbench.document().closeSource(area.currentSource());
        QCOMPARE(area.tabs()->count(), 1);
        QSignalSpy told(&workbench, &Workbench::statusMessage);
        area.goTo(folder_.filePath(QStringLiteral("nowhere.cu")), 1);
        QCOMPARE(told.size(), 1);
    }

    void diskChanges() {
        Workbench workbench;
        QVERIFY(open(workbench));
        EditorArea area(workbench);
        area.show();
        SourceFile* file = workbench.document().mainSource();
        write(QStringLiteral("kernel.cu"), "int other;\n");
        QTRY_COMPARE(file->text(), QStringLiteral("int other;\n")); // nothing to lose: read again
        file->setText(QStringLiteral("int mine;\n"));
        QSignalSpy changed(&area, &EditorArea::changedOnDisk);
        write(QStringLiteral("kernel.cu"), "int theirs;\n");
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(file->text(), QStringLiteral("int mine;\n"));
    }

    void functionsOfPtx() {
        const QList<PtxFunction> functions = ptxFunctions(QString::fromUtf8(ptxText));
        QCOMPARE(functions.size(), 2);
        QCOMPARE(functions[0].name, QStringLiteral("helper"));
        QVERIFY(!functions[0].kernel);
        QCOMPARE(functions[1].name, QStringLiteral("scale"));
        QVERIFY(functions[1].kernel);
        QCOMPARE(functions[1].first, 11);
        QCOMPARE(functions[1].last, 25);
        QVERIFY(ptxFunctions(QStringLiteral(".extern .func f();\n")).isEmpty());
    }

    void ptxIsLinked() {
        Workbench workbench;
        QVERIFY(open(workbench));
        EditorArea area(workbench);
        area.resize(1200, 500);
        area.show();
        area.setAssemblyVisible(true);
        CompileOutput output = outputWithLines();
        output.revision = workbench.document().mainSource()->revision();
        workbench.document().setCompileOutput(output);
        CudaEditor* editor = area.currentEditor();
        PtxView* ptx = area.assembly()->ptx();
        editor->goTo(2);
        QTRY_COMPARE(ptx->linkedLines(), (QList<int>{18, 19}));
        editor->goTo(4);
        QTRY_COMPARE(ptx->linkedLines(), (QList<int>{21, 22}));
        editor->goTo(5);
        QTRY_VERIFY(ptx->linkedLines().isEmpty());
        // Both sides of a link have the same strip.
        for (const auto& [src, asmLine] : {QPair{2, 18}, QPair{4, 22}})
            QCOMPARE(editor->markersAtLine(src - 1) & 255U, ptx->markersAtLine(asmLine - 1) & 255U);
        QVERIFY((editor->markersAtLine(1) & 255U) != (editor->markersAtLine(3) & 255U));
        // And back.
        QSignalSpy asked(area.assembly(), &AssemblyView::sourceLineRequested);
        area.activateWindow();
        ptx->setFocus();
        QTRY_VERIFY(ptx->hasFocus());
        ptx->goTo(22);
        QTRY_VERIFY(!asked.isEmpty() && asked.last()[0].toInt() == 4);
        QCOMPARE(editor->linkedLines(), QList<int>{4});
        QVERIFY(ptx->isReadOnly());
        // One function alone.
        area.assembly()->functionBox()->setCurrentIndex(
            area.assembly()->functionBox()->findData(QStringLiteral("scale")));
        QVERIFY(!ptx->SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 5UL));
        QVERIFY(ptx->SendScintilla(QsciScintilla::SCI_GETLINEVISIBLE, 18UL));
    }

    void report() {
        ReportModel model;
        Tester tester(&model, Tester::FailureReportingMode::QtTest);
        model.setResources(outputWithLines().resources);
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(model.hasSpills());
        QVERIFY(model.index(0, ReportModel::SpillStores).data(ReportModel::SpillRole).toBool());
        QVERIFY(model.index(0, ReportModel::SpillStores).data().toString().startsWith(QStringLiteral("16 B")));
        QVERIFY(!model.index(0, ReportModel::SpillLoads).data(ReportModel::SpillRole).toBool());
        QCOMPARE(model.index(0, ReportModel::Registers).data().toString(), QStringLiteral("8"));
        model.setResources({});
        QCOMPARE(model.rowCount(), 0);
    }

    void problems() {
        ProblemsModel model;
        Tester tester(&model, Tester::FailureReportingMode::QtTest);
        auto error = diagnostic(4, 5, compiler::Severity::error, "identifier \"y\" is undefined");
        error.notes = {"detected during instantiation at kernel.cu:12:3", "1 more"};
        model.setProblems(problemsOf(
            std::vector<compiler::Diagnostic>{error, diagnostic(2, 1, compiler::Severity::warning, "unused")}));
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.rowCount(model.index(0, 0)), 2);
        QCOMPARE(model.index(0, 0, model.index(0, 0)).data(ProblemsModel::LineRole).toInt(), 12);
        QCOMPARE(model.count(ProblemSeverity::Warning), 1);
        ProblemsFilter filter;
        Tester filterTester(&filter, Tester::FailureReportingMode::QtTest);
        filter.setSourceModel(&model);
        filter.setShown(ProblemSeverity::Warning, false);
        QCOMPARE(filter.rowCount(), 1);
        filter.setShown(ProblemSeverity::Warning, true);
        filter.setText(QStringLiteral("INSTANTIATION"));
        QCOMPARE(filter.rowCount(), 1);
        QCOMPARE(filter.rowCount(filter.index(0, 0)), 2);
        filter.setText(QString());
        filter.sort(ProblemsModel::Line);
        QCOMPARE(filter.index(0, 0).data().toString(), QStringLiteral("unused"));
        QVERIFY(model.index(0, 0)
                    .data(ProblemsModel::CopyRole)
                    .toString()
                    .startsWith(QStringLiteral("kernel.cu:4:5: error: ")));
    }

    void faultsOfRuns() {
        session::Report report;
        report.error.emplace();
        report.error->kind = "device";
        report.error->message = "an illegal address was read";
        report.error->details = "kernel scale, block (1,0,0), thread (3,0,0)\nkernel.cu:4:9 (PTX line 22: st.global)";
        report.error->code = 700;
        report.error->code_name = "CUDA_ERROR_ILLEGAL_ADDRESS";
        session::Comparison comparison;
        comparison.argument = "y";
        comparison.mismatches = 2;
        comparison.elements = 10;
        report.comparisons.push_back(comparison);
        const std::vector<Problem> problems = problemsOf(report);
        QCOMPARE(problems.size(), size_t(2));
        QCOMPARE(problems[0].file, QStringLiteral("kernel.cu"));
        QCOMPARE(problems[0].line, 4);
        QCOMPARE(problems[0].column, 9);
        QCOMPARE(problems[0].notes.size(), size_t(3));
        QVERIFY(problems[1].message.contains(QStringLiteral("2 of 10")));
        QVERIFY(problemsOf(session::Report{}).empty());
    }

    void findingsOfChecks() {
        session::Report report;
        findings::Finding finding;
        finding.kind = "memory";
        finding.message = "a write of 4 bytes beyond the end";
        finding.place = {"kernel.cu", 7, 3};
        finding.inlined_at = {{"kernel.cu", 12, 5}};
        finding.block = {1, 0, 0};
        finding.count = 3;
        finding.kernel = "k";
        finding.other.emplace();
        finding.other->access = "free";
        finding.other->place = {"kernel.cu", 5, 1};
        report.findings.all.push_back(finding);
        findings::Finding leak;
        leak.severity = "warning";
        leak.message = "4096 bytes were never given back";
        report.findings.all.push_back(leak);
        report.findings.more = 42;
        const std::vector<Problem> problems = problemsOf(report);
        QCOMPARE(problems.size(), size_t(3));
        QCOMPARE(problems[2].severity, ProblemSeverity::Note);
        QVERIFY2(problems[2].message.contains(QStringLiteral("42 more times")), qPrintable(problems[2].message));
        QCOMPARE(problems[1].severity, ProblemSeverity::Warning);
        QVERIFY(problems[1].notes.empty());
        QCOMPARE(problems[0].severity, ProblemSeverity::Error);
        QCOMPARE(problems[0].message, QStringLiteral("A write of 4 bytes beyond the end"));
        QCOMPARE(problems[0].line, 7);
        QVERIFY(problems[0].source.contains(QStringLiteral("memory")));
        QCOMPARE(problems[0].notes.size(), size_t(3));
        QVERIFY(problems[0].notes[2].message.startsWith(QStringLiteral("free here")));
        QCOMPARE(problems[0].notes[2].line, 5);
        QVERIFY(problems[0].notes[0].message.contains(QStringLiteral("block (1,0,0), thread (0,0,0), and 2 more")));
        QCOMPARE(problems[0].notes[1].line, 12);
    }

    void problemsPanelJumps() {
        Workbench workbench;
        QVERIFY(open(workbench));
        ProblemsPanel panel(workbench);
        QVERIFY(panel.isShowingEmptyNote());
        QSignalSpy counts(&panel, &ProblemsPanel::countsChanged);
        CompileOutput output;
        output.valid = true;
        output.diagnostics = {diagnostic(4, 5, compiler::Severity::error, "undefined"),
                              diagnostic(2, 1, compiler::Severity::warning, "unused")};
        workbench.document().setCompileOutput(output);
        QCOMPARE(panel.problemCount(), 2);
        QCOMPARE(counts.last()[0].toInt(), 1);
        QCOMPARE(counts.last()[1].toInt(), 1);
        QSignalSpy shown(&workbench, &Workbench::showSource);
        emit panel.view()->activated(panel.view()->model()->index(0, 0));
        QCOMPARE(shown.size(), 1);
        QCOMPARE(shown[0][1].toInt(), 4);
        QCOMPARE(shown[0][2].toInt(), 5);
    }

    void outputLines() {
        OutputLog log;
        QSignalSpy added(&log, &OutputLog::added);
        log.append(OutputLine::Printed, QStringLiteral("thread 0\nthr"));
        log.append(OutputLine::Printed, QStringLiteral("ead 1\r\n\nrest"));
        QCOMPARE(added.size(), 3);
        QCOMPARE(log.lines()[1].text, QStringLiteral("thread 1"));
        log.finish();
        QCOMPARE(log.lines().last().text, QStringLiteral("rest"));
        log.append(OutputLine::Printed, QString(3 * OutputLog::longestLine, QLatin1Char('x')));
        QCOMPARE(log.lines().last().text.size(), qsizetype(OutputLog::longestLine));
        log.clear();
        log.setLimit(100);
        for (int i = 0; i < 1000; ++i)
            log.append(OutputLine::Printed, QStringLiteral("%1\n").arg(i));
        QVERIFY(log.lines().size() <= 100);
        QCOMPARE(log.lines().last().text, QStringLiteral("999"));
        QCOMPARE(log.dropped() + log.lines().size(), qint64(1000));
    }

    void outputPanel() {
        Workbench workbench;
        OutputPanel panel(workbench);
        QVERIFY(panel.isShowingEmptyNote());
        panel.log().append(OutputLine::Printed, QStringLiteral("from kernel\n"));
        panel.log().append(OutputLine::Build, QStringLiteral("from build\n"));
        QTRY_VERIFY(panel.view()->toPlainText().contains(QStringLiteral("from build")));
        panel.filterEdit()->setText(QStringLiteral("KERNEL"));
        QTRY_VERIFY(!panel.view()->toPlainText().contains(QStringLiteral("from build")));
        QVERIFY(panel.view()->toPlainText().contains(QStringLiteral("from kernel")));
        QString problem;
        QVERIFY(panel.saveTo(folder_.filePath(QStringLiteral("out.txt")), &problem));
        QFile saved(folder_.filePath(QStringLiteral("out.txt")));
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QVERIFY(saved.readAll().contains("from kernel"));
        QVERIFY(!panel.saveTo(folder_.filePath(QStringLiteral("no/such/folder/out.txt")), &problem));
        QVERIFY(!problem.isEmpty());
        panel.clear();
        QVERIFY(panel.isShowingEmptyNote());
    }
};

QTEST_MAIN(ViewsEditor)
#include "views_editor.moc"
