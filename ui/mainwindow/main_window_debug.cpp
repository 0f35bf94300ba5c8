// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/debug/debug_panel.hpp"
#include "ui/debug/editor_marks.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/launch/launch_form.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"

#include <QFileInfo>

namespace warplight::ui {

void MainWindow::connectDebugger() {
    auto& debugger = panel<DebugPanel>();
    DebugSession& session = debugger.session();
    const auto mark = [this, &debugger](CudaEditor* editor) {
        auto* marks = new EditorMarks(*editor, debugger.breakpoints(), debugger.session(), workbench_.theme());
        connect(marks, &EditorMarks::lanesRequested, this, &MainWindow::showLanes);
    };
    for (CudaEditor* editor : editors_->editors())
        mark(editor);
    connect(editors_, &EditorArea::editorOpened, this, mark);
    connect(&debugger, &DebugPanel::startRequested, this, &MainWindow::debug);
    connect(&debugger, &DebugPanel::breakpointRequested, this, [this] {
        if (EditorMarks* marks = EditorMarks::of(editors_->currentEditor())) marks->toggleBreakpoint();
    });
    connect(&debugger, &DebugPanel::runToLineRequested, this, [this] {
        if (EditorMarks* marks = EditorMarks::of(editors_->currentEditor())) marks->runToLine();
    });
    connect(&session, &DebugSession::frameChanged, this, &MainWindow::showStanding);
    connect(&session, &DebugSession::stateChanged, this, [this, &session] {
        const bool starts = session.state() == DebugSession::State::Starting;
        debugging_.reset();
        if (starts || session.state() == DebugSession::State::Running)
            debugging_ = workbench_.activities().begin(
                starts ? tr("Starting the debugger") : tr("The debugged kernel runs"), [&session] { session.stop(); });
        if (session.state() != DebugSession::State::Starting) return;
        banners_->close(QStringLiteral("debug"));
        showPanel<DebugPanel>();
    });
    const auto again = BannerStack::Button{tr("Debug again"), [this] { debug(); }};
    connect(&session, &DebugSession::ended, this, [this, again](int exitCode, const QString& problem) {
        if (exitCode <= 1) return note(tr("The debugged kernel has ended"), 5000);
        QList<BannerStack::Button> buttons{again};
        // The usual build finds the same mistakes, and has them in Problems and at their lines.
        if (exitCode == 3) buttons.prepend({tr("Show problems"), [this] { build(); }});
        banners_->show(QStringLiteral("debug"), BannerStack::Kind::Error,
                       exitCode == 3   ? tr("The source does not compile, so it cannot be debugged")
                       : exitCode == 2 ? tr("The session cannot be debugged as it is")
                                       : tr("The debugged kernel has failed"),
                       problem.section(QLatin1Char('\n'), 0, 5), buttons);
    });
    connect(&session, &DebugSession::lost, this, [this, again](const QString& why) {
        banners_->show(QStringLiteral("debug"), BannerStack::Kind::Error, tr("The debugger ended"),
                       tr("%1 The session, its results and the breakpoints are as they were.").arg(why), {again});
    });
    connect(&document(), &Document::sessionReplaced, this, [this] { banners_->close(QStringLiteral("debug")); });
}

void MainWindow::debug() {
    DebugSession& session = panel<DebugPanel>().session();
    if (session.isActive() || document().isProgram() || document().mainSource()->text().trimmed().isEmpty()) return;
    showEditor();
    banners_->close(QStringLiteral("debug"));
    // Kernel and arguments follow the text, as for a run.
    if (runner_->areKernelsPending() && panel<LaunchPanel>().form().problem().isEmpty())
        return runner_->whenKernelsKnown([this] { debug(); });
    if (refuseLaunch()) return;
    session.start();
}

void MainWindow::showStanding() {
    const DebugSession& session = panel<DebugPanel>().session();
    const DebugFrame* frame = session.shownFrame();
    if (!frame || frame->source.isEmpty()) return;
    showEditor();
    CudaEditor* shown = nullptr;
    for (CudaEditor* editor : editors_->editors()) {
        const EditorMarks* marks = EditorMarks::of(editor);
        if (marks && marks->source() == frame->source) shown = editor;
    }
    if (!shown)
        return workbench_.openSource(frame->source, [this](SourceFile* source, const QString& problem) {
            if (!source) return note(problem, 5000);
            if (editors_->editor(source)) showStanding(); // where it stands by now
        });
    editors_->setCurrentSource(shown->file());
    const int line = session.lineNow(frame->source, frame->line);
    if (line > 0) shown->reveal(line);
}

} // namespace warplight::ui
