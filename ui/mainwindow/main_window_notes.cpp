// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/notes/exercise_box.hpp"
#include "ui/notes/exercise_dialog.hpp"
#include "ui/notes/notes_panel.hpp"
#include "ui/notes/session_dialog.hpp"
#include "ui/welcome/examples.hpp"

#include "files/input_file.hpp"
#include "session/data_file.hpp"
#include "worker/run_request.hpp"

#include <QDockWidget>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <optional>

namespace warplight::ui {
namespace {

std::filesystem::path pathOf(const QString& path) { return {path.toStdU16String()}; }

/// An example as it came: its session, the text of its source, and that of its notes where they are in a file.
struct Original {
    session::Session session;
    QString text;
    std::optional<QString> notes;
};

Original readOriginal(const QString& path) {
    Original original{session::load(pathOf(path)), {}, {}};
    const auto read = [&](const std::string& name) {
        const auto file = pathOf(QFileInfo(path).absolutePath()) / session::path_from_utf8(name);
        return QString::fromStdString(files::read_text(file, files::Kind::source));
    };
    const session::Source& source = original.session.source;
    original.text = source.path.empty() ? QString::fromStdString(source.text) : read(source.path);
    if (const session::Notes& notes = original.session.notes; !notes.path.empty()) original.notes = read(notes.path);
    return original;
}

/// None where they cannot be read.
std::optional<QString> presentNotes(const Document& document) {
    try {
        return document.notesText();
    } catch (const session::SessionError&) {
        return std::nullopt;
    }
}

} // namespace

void MainWindow::connectNotes() {
    auto& notes = panel<NotesPanel>();
    connect(&notes, &NotesPanel::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(&notes, &NotesPanel::restoreRequested, this, &MainWindow::restoreOriginal);
    connect(&notes.exercise(), &ExerciseBox::checkRequested, this, &MainWindow::checkSolution);
    connect(&notes.exercise(), &ExerciseBox::busyChanged, this, &MainWindow::showBusy);
    connect(&notes.exercise(), &ExerciseBox::progressed, this, &MainWindow::showProgress);
    connect(&notes.exercise().link(), &JobLink::changed, this, &MainWindow::showLink);
}

void MainWindow::offerNotes() {
    const PanelDock& notes = dockOf<NotesPanel>();
    if (!panel<NotesPanel>().isWorthShowing()) return;
    // A dock that the user has closed stays closed for mere notes.
    if (document().session().exercise || (!notes.dock->isHidden() && !explorerAsked_)) showDock(notes.dock);
}

void MainWindow::editProperties() {
    SessionDialog dialog(document(), this);
    if (dialog.exec() != QDialog::Accepted) return;
    document().putBack(dialog.session(), document().mainSource()->text(), tr("Change Properties"), dialog.newNotes());
}

void MainWindow::editExercise() {
    ExerciseDialog dialog(workbench_, this);
    if (dialog.exec() != QDialog::Accepted) return;
    document().modify(tr("Change Exercise"), [&](session::Session& session) { session.exercise = dialog.exercise(); });
}

void MainWindow::checkSolution() {
    if (isRunning() || !document().session().exercise) return;
    if (runner_->areKernelsPending()) return runner_->whenKernelsKnown([this] { checkSolution(); });
    showEditor();
    showPanel<NotesPanel>();
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    whenDeviceIsFree([this] { panel<NotesPanel>().exercise().start(requestThere(), workbench_.worker().machine()); });
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
    const session::Session& present = document().session();
    session::Session session = original.session;
    session.source = present.source;
    const std::string withItsNotes = session::to_text(session);
    session.notes = present.notes;
    const std::string withPresentNotes = session::to_text(session);
    const bool sourceDiffers = original.text != document().mainSource()->text();
    const bool sessionDiffers = withPresentNotes != session::to_text(present);
    const bool notesDiffer =
        withItsNotes != withPresentNotes || (original.notes && original.notes != presentNotes(document()));
    if (!sourceDiffers && !sessionDiffers && !notesDiffer) {
        note(tr("Nothing differs from the original."), 5000);
        return;
    }
    QStringList lost;
    if (sourceDiffers) lost << tr("your changes of %1").arg(document().mainSource()->name());
    if (sessionDiffers) lost << tr("your changes of kernel, arguments and launch");
    if (notesDiffer) lost << tr("your changes of the notes");
    QMessageBox box(QMessageBox::Question, tr("Restore Original"),
                    tr("The original takes the place of %1.").arg(lost.join(tr(", and of "))), QMessageBox::NoButton,
                    this);
    box.setObjectName(QStringLiteral("restoreOriginal"));
    box.setInformativeText(tr("Edit › Undo brings them back until the session is closed. The files on disk change when "
                              "you save."));
    const QPushButton* all = box.addButton(tr("&Restore"), QMessageBox::AcceptRole);
    const QPushButton* sessionOnly = sourceDiffers && (sessionDiffers || notesDiffer)
                                         ? box.addButton(tr("&Keep My Source"), QMessageBox::AcceptRole)
                                         : nullptr;
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    const bool keepsSource = sessionOnly && box.clickedButton() == sessionOnly;
    if (box.clickedButton() != all && !keepsSource) return;
    document().putBack(original.session, keepsSource ? document().mainSource()->text() : original.text,
                       tr("Restore Original"), original.notes);
    banners_->close(QStringLiteral("run"));
    runBanner_ = RunBanner::Stays;
    panel<NotesPanel>().exercise().markStale();
    note(tr("The original is restored. Undo brings your version back."), 8000);
}

} // namespace warplight::ui
