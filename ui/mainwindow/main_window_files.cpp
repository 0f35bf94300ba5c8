// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/save_dialog.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/launch/arguments_model.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/file_kinds.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/mainwindow/window_host.hpp"
#include "ui/welcome/examples.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

namespace warplight::ui {
namespace {

const char* const startingSource = R"(// Each thread computes one element.
extern "C" __global__ void scale(float factor, const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * in[i];
}
)";

const char* const startingProgram = R"(#include <cstdio>

// Each thread computes one element.
__global__ void square(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

int main() {
    const int n = 8;
    int host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = i;

    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    square<<<1, 32>>>(in, out, n);
    cudaError_t error = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    for (int i = 0; i < n; ++i) std::printf("%d squared is %d\n", i, host[i]);
    cudaFree(in);
    cudaFree(out);
}
)";

} // namespace

void MainWindow::fail(const QString& title, const QString& text) {
    banners_->show(QStringLiteral("file"), BannerStack::Kind::Error, title, text);
}

bool MainWindow::mayReplaceDocument() {
    if (!document().isModified() || document().isReadOnly()) return true;
    QMessageBox box(QMessageBox::Warning, tr("Unsaved changes"),
                    tr("%1 has changes that are not saved.").arg(document().title()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setObjectName(QStringLiteral("unsavedChanges"));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save: return save() && !document().isModified();
    case QMessageBox::Discard: return true;
    default: return false;
    }
}

void MainWindow::newSession() {
    if (MainWindow* page = pageForDocument()) page->beginSession();
}

void MainWindow::newProgram() {
    if (MainWindow* page = pageForDocument()) page->beginProgram();
}

void MainWindow::beginSession() {
    document().newSession(QLatin1String(startingSource));
    takeCompilePreferences();
    afterOpen({});
}

void MainWindow::beginProgram() {
    document().newProgram(QLatin1String(startingProgram));
    afterOpen({});
}

void MainWindow::takeCompilePreferences() {
    document().follow([this](session::Session& s) {
        s.compile.compiler = preferences_.compiler.toStdString();
        s.compile.options.clear();
        for (const QString& option : preferences_.compileOptions)
            s.compile.options.push_back(option.toStdString());
        s.compile.line_info = preferences_.lineInfo;
    });
}

void MainWindow::takeSessionLock() {
    banners_->close(QStringLiteral("lock"));
    lockTimer_.stop();
    const QString path = document().path();
    if (sessionLock_.take(path)) return;
    document().setReadOnly(true);
    lockTimer_.start();
    banners_->show(QStringLiteral("lock"), BannerStack::Kind::Warning, tr("Another window has this session open"),
                   tr("It is read-only here, so that neither overwrites the other. When the other window has saved or "
                      "is closed, reload it."),
                   {{tr("Reload"), [this, path] { openHere(path); }}, {tr("Edit anyway"), [this] {
                                                                           lockTimer_.stop();
                                                                           document().setReadOnly(false);
                                                                       }}});
}

void MainWindow::retrySessionLock() {
    const QString path = document().path();
    if (!document().isReadOnly() || path.isEmpty() || !banners_->isShown(QStringLiteral("lock"))) {
        lockTimer_.stop();
        return;
    }
    if (!sessionLock_.take(path)) return;
    lockTimer_.stop();
    banners_->close(QStringLiteral("lock"));
    const auto edit = [this] {
        document().setReadOnly(false);
        note(tr("The other window has closed the session; it can be edited here."), 10000);
    };
    // Editing goes on from the other window's last save.
    if (document().changedOnDisk().isEmpty())
        edit();
    else
        openHere(path, edit);
}

bool MainWindow::save() {
    QString problem;
    SourceFile* current = editors_->currentSource();
    if (current && current != document().mainSource() && current->path().isEmpty()) return saveSourceAs(current);
    if (document().isReadOnly()) {
        fail(tr("The session is read-only"), tr("Another window has it open. Save it under another name."));
        return false;
    }
    if (!document().path().isEmpty()) return saveSessionAs(document().path());
    SourceFile* main = document().mainSource();
    if (main->path().isEmpty() || document().isSessionModified()) {
        saveSessionAsDialog();
        return !document().path().isEmpty();
    }
    // A kernel that was opened without a session: only its source.
    if (!mayOverwrite({})) return false;
    for (SourceFile* source : document().sources())
        if (source->isModified() && !source->save(&problem)) {
            fail(tr("The file was not saved"), problem);
            return false;
        }
    note(tr("Saved %1").arg(main->name()), 3000);
    banners_->close(QStringLiteral("file"));
    recovery_.keep(document());
    return true;
}

void MainWindow::saveSessionAsDialog() {
    QString proposal = document().path();
    if (proposal.isEmpty()) {
        const QString base = QFileInfo(document().mainSource()->name()).completeBaseName();
        proposal = document().folder() + QLatin1Char('/') + base + QStringLiteral(".warplight");
    }
    QString path = askWhereToSave(this, tr("Save Session"), proposal, tr("Warplight sessions (*.warplight)"));
    if (path.isEmpty()) return;
    if (!isSession(path)) path += QStringLiteral(".warplight");
    saveSessionAs(path);
}

bool MainWindow::mayOverwrite(const QString& path) {
    if (host_ && !path.isEmpty() && path != document().path())
        if (const MainWindow* other = host_->pageOf(path); other && other != this) {
            fail(tr("The session was not saved"),
                 tr("%1 is open in another tab. Close it there, or choose another name.")
                     .arg(QDir::toNativeSeparators(path)));
            return false;
        }
    if (path != document().path() && !document().path().isEmpty()) return true; // the dialog has asked
    const QStringList changed = document().changedOnDisk();
    if (changed.isEmpty()) return true;
    QMessageBox box(
        QMessageBox::Warning, tr("Changed by another window"),
        tr("%1 was changed by another window or program after it was opened here.").arg(changed.join(tr(" and "))),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setInformativeText(tr("Overwrite with what is here, or reload what is on disk and lose the changes here?"));
    box.setObjectName(QStringLiteral("changedOnDisk"));
    box.button(QMessageBox::Save)->setText(tr("&Overwrite"));
    box.button(QMessageBox::Discard)->setText(tr("&Reload"));
    box.setDefaultButton(QMessageBox::Cancel);
    switch (box.exec()) {
    case QMessageBox::Save: return true;
    case QMessageBox::Discard:
        openHere(document().path().isEmpty() ? document().mainSource()->path() : path);
        return false;
    default: return false;
    }
}

bool MainWindow::saveSessionAs(const QString& path) {
    if (!mayOverwrite(path)) return false;
    QString problem;
    if (!document().saveSession(path, &problem)) {
        fail(tr("The session was not saved"), problem);
        return false;
    }
    banners_->close(QStringLiteral("file"));
    if (document().isReadOnly() && sessionLock_.take(document().path())) document().setReadOnly(false);
    sessionLock_.take(document().path());
    addRecentFile(document().path());
    recovery_.keep(document());
    note(tr("Saved %1").arg(document().title()), 3000);
    return true;
}

bool MainWindow::saveSourceAs(SourceFile* source) {
    const QString proposal =
        source->path().isEmpty() ? document().folder() + QLatin1Char('/') + source->name() : source->path();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save Source"), proposal,
                                                      tr("CUDA and PTX (*.cu *.cuh *.ptx *.h);;All files (*)"));
    if (path.isEmpty()) return false;
    QString problem;
    if (!source->saveAs(path, &problem)) {
        fail(tr("The file was not saved"), problem);
        return false;
    }
    if (source == document().mainSource()) {
        const QString relative = QDir(document().folder()).relativeFilePath(path);
        document().modify(tr("Save Source As"), [&](session::Session& s) {
            s.source.path = relative.toStdString();
            s.source.text.clear();
        });
    }
    return true;
}

void MainWindow::closeSource(SourceFile* source) {
    if (source == document().mainSource()) {
        // The session's own source goes with the session.
        if (host_)
            host_->closeTab(*this);
        else if (mayReplaceDocument())
            clearSession();
        return;
    }
    if (source->isModified()) {
        const auto answer = QMessageBox::warning(this, tr("Unsaved changes"),
                                                 tr("%1 has changes that are not saved.").arg(source->name()),
                                                 QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
        if (answer == QMessageBox::Cancel) return;
        QString problem;
        if (answer == QMessageBox::Save &&
            !(source->path().isEmpty() ? saveSourceAs(source) : source->save(&problem))) {
            if (!problem.isEmpty()) fail(tr("The file was not saved"), problem);
            return;
        }
    }
    document().closeSource(source);
}

void MainWindow::autosave() {
    if (!recovery_.keep(document())) note(tr("Unsaved work could not be kept in %1").arg(recovery_.file()), 5000);
}

void MainWindow::offerRecovery() {
    if (host_ && !host_->offersRecovery()) return;
    const QList<Recovery::Found> found = recovery_.abandoned();
    if (found.isEmpty()) return;
    const Recovery::Found& newest = found.front();
    QStringList names;
    for (const Recovery::Found& each : found)
        if (host_ || names.isEmpty()) names << (each.path.isEmpty() ? each.title : each.path);
    const QString text =
        tr("%1, kept %2. The program did not end as it should.")
            .arg(names.join(QStringLiteral(", ")), QLocale().toString(newest.when, QLocale::ShortFormat));
    banners_->show(QStringLiteral("recovery"), BannerStack::Kind::Info, tr("There is unsaved work from before"), text,
                   {{tr("Restore"),
                     [this, found] {
                         if (host_) return restoreAll(found);
                         if (mayReplaceDocument() && restoreHere(found.front()))
                             offerRecovery(); // older ones, if there are
                     }},
                    {tr("Start clean"), [this, found] {
                         for (const Recovery::Found& one : found)
                             recovery_.remove(one);
                     }}});
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayReplaceDocument()) {
        event->ignore();
        return;
    }
    saveLayouts();
    saveLayout(QStringLiteral("geometry"), saveGeometry());
    preferences_.save();
    recovery_.discard();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        const QString path = url.toLocalFile();
        if (isSession(path) || isKernelSource(path) || isText(path) || isDataFile(path)) {
            event->acceptProposedAction();
            return;
        }
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) openFile(url.toLocalFile());
}

} // namespace warplight::ui
