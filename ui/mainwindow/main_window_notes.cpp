// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/welcome/examples.hpp"

#include "files/input_file.hpp"
#include "session/data_file.hpp"

#include <QDockWidget>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

namespace warplight::ui {
namespace {

std::filesystem::path pathOf(const QString& path) { return {path.toStdU16String()}; }

/// An example as it came: its session, and the text of its source.
struct Original {
    session::Session session;
    QString text;
};

Original readOriginal(const QString& path) {
    Original original{session::load(pathOf(path)), {}};
    const session::Source& source = original.session.source;
    if (source.path.empty()) {
        original.text = QString::fromStdString(source.text);
        return original;
    }
    const auto file = pathOf(QFileInfo(path).absolutePath()) / session::path_from_utf8(source.path);
    original.text = QString::fromStdString(files::read_text(file, files::Kind::source));
    return original;
}

} // namespace

void MainWindow::connectNotes() {
    auto& notes = panel<NotesPanel>();
    connect(&notes, &NotesPanel::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(&notes, &NotesPanel::restoreRequested, this, &MainWindow::restoreOriginal);
    connect(&notes.exercise(), &ExerciseBox::checkRequested, this, &MainWindow::checkSolution);
    connect(&notes.exercise(), &ExerciseBox::busyChanged, this, &MainWindow::showBusy);
    connect(&notes.exercise(), &ExerciseBox::progressed, this, &MainWindow::showProgress);
}

void MainWindow::offerNotes() {
    const PanelDock& notes = dockOf<NotesPanel>();
    if (!panel<NotesPanel>().isWorthShowing()) return;
    // A dock that the user has closed stays closed for mere notes.
    if (document().session().exercise || (!notes.dock->isHidden() && !explorerAsked_)) showDock(notes.dock);
}

void MainWindow::checkSolution() {
    if (isRunning() || !document().session().exercise) return;
    if (runner_->areKernelsPending()) return runner_->whenKernelsKnown([this] { checkSolution(); });
    showEditor();
    showPanel<NotesPanel>();
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    panel<NotesPanel>().exercise().start(runner_->request());
}

void MainWindow::restoreOriginal() {
    const QString path = originalOf(document().path());
    if (path.isEmpty() || document().isReadOnly()) return;
    Original original;
    try {
        original = readOriginal(path);
    } catch (const std::exception& error) {
        fail(tr("The original cannot be read"), QString::fromUtf8(error.what()));
        return;
    }
    session::Session session = original.session;
    session.source = document().session().source;
    const bool sourceDiffers = original.text != document().mainSource()->text();
    const bool sessionDiffers = session::to_text(session) != session::to_text(document().session());
    if (!sourceDiffers && !sessionDiffers) {
        note(tr("Nothing differs from the original."), 5000);
        return;
    }
    QStringList lost;
    if (sourceDiffers) lost << tr("your changes of %1").arg(document().mainSource()->name());
    if (sessionDiffers) lost << tr("your changes of kernel, arguments, launch and notes");
    QMessageBox box(QMessageBox::Question, tr("Restore Original"),
                    tr("The original takes the place of %1.").arg(lost.join(tr(", and of "))), QMessageBox::NoButton,
                    this);
    box.setObjectName(QStringLiteral("restoreOriginal"));
    box.setInformativeText(tr("Edit › Undo brings them back until the session is closed. The files on disk change when "
                              "you save."));
    const QPushButton* all = box.addButton(tr("&Restore"), QMessageBox::AcceptRole);
    const QPushButton* sessionOnly =
        sourceDiffers && sessionDiffers ? box.addButton(tr("&Keep My Source"), QMessageBox::AcceptRole) : nullptr;
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    const bool keepsSource = sessionOnly && box.clickedButton() == sessionOnly;
    if (box.clickedButton() != all && !keepsSource) return;
    document().putBack(original.session, keepsSource ? document().mainSource()->text() : original.text,
                       tr("Restore Original"));
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    panel<NotesPanel>().exercise().markStale();
    note(tr("The original is restored. Undo brings your version back."), 8000);
}

} // namespace warplight::ui
