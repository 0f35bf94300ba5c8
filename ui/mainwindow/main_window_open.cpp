// SPDX-License-Identifier: GPL-3.0-or-later
// Opening files. They are read beside the window: a disk may be slow, and a file large.
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/agreements.hpp"
#include "ui/common/data_files.hpp"
#include "ui/common/loading.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/file_kinds.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/window_host.hpp"
#include "ui/welcome/examples.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <utility>

namespace warplight::ui {

void MainWindow::openDialog() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open"), document().folder(),
                                     tr("Sessions and sources (*.warplight *.cu *.cuh *.ptx *.h *.hpp);;Data (%1);;All "
                                        "files (*)")
                                         .arg(dataPatterns()));
    if (!path.isEmpty()) openFile(path);
}

bool MainWindow::openFile(const QString& path, const Opened& then) {
    banners_->close(QStringLiteral("file"));
    if (isDataFile(path)) {
        panel<BuffersPanel>().openFile(path);
        showPanel<BuffersPanel>();
        if (then) then(this);
        return true;
    }
    if (!isText(path)) return openPage(path, then);
    const auto opened = std::make_shared<bool>(true);
    workbench_.openSource(path, [this, then, opened](SourceFile* source, const QString& problem) {
        *opened = source != nullptr;
        if (source) {
            showEditor();
            editors_->setCurrentSource(source);
        } else {
            fail(tr("The file was not opened"), problem);
        }
        if (then) then(source ? this : nullptr);
    });
    return *opened;
}

int MainWindow::readSessionOf(const QString& path, const std::function<void(OpenedSession)>& then,
                              const std::function<void()>& failed) {
    const QString name = QFileInfo(path).fileName();
    return workbench_.loading().load(
        tr("Opening %1").arg(name),
        [=, this]() -> Loading::Then {
            QString problem;
            auto read = isKernelSource(path) ? readSourceAsSession(path, &problem) : readSession(path, &problem);
            if (!read)
                return [=, this] {
                    fail(tr("%1 was not opened").arg(name), problem);
                    failed();
                };
            return [then, opened = std::make_shared<OpenedSession>(std::move(*read))] { then(std::move(*opened)); };
        },
        [=, this] {
            note(tr("%1 was not opened").arg(name), 5000);
            failed();
        });
}

bool MainWindow::openPage(const QString& path, const Opened& then) {
    const auto tell = [then](MainWindow* page) {
        if (then) then(page);
    };
    if (MainWindow* page = host_ ? host_->pageOf(path) : nullptr) {
        host_->show(*page);
        tell(page);
        return true;
    }
    const auto opened = std::make_shared<bool>(true);
    const auto refuse = [tell, opened] {
        *opened = false;
        tell(nullptr);
    };
    if (!host_) workbench_.loading().stop(opening_); // of two that were asked for the last one counts
    opening_ = readSessionOf(
        path,
        [this, path, tell, refuse](OpenedSession read) {
            // Meanwhile it may have been opened elsewhere.
            MainWindow* page = host_ ? host_->pageOf(path) : nullptr;
            if (page) {
                host_->show(*page);
            } else {
                page = pageForDocument();
                if (!page) return refuse();
                page->take(std::move(read), path);
            }
            tell(page);
        },
        refuse);
    return *opened;
}

void MainWindow::openHere(const QString& path, const std::function<void()>& then) {
    workbench_.loading().stop(openingHere_);
    openingPath_ = path;
    const bool modified = document().isModified();
    const auto ended = [this, then] {
        openingPath_.clear();
        if (then) then();
        emit tabChanged();
    };
    openingHere_ = readSessionOf(
        path,
        [this, path, modified, ended](OpenedSession read) {
            // What was typed meanwhile is not known to be unwanted.
            if (modified || mayReplaceDocument()) take(std::move(read), path);
            ended();
        },
        ended);
    emit tabChanged();
}

void MainWindow::take(OpenedSession read, const QString& path) {
    document().take(std::move(read));
    if (isKernelSource(path) && !document().isProgram()) takeCompilePreferences();
    afterOpen(path);
}

void MainWindow::afterOpen(const QString& path) {
    for (const char* key : {"file", "run", "lost"})
        banners_->close(QLatin1String(key));
    noteLabel_->clear();
    recovery_.keep(document());
    takeSessionLock();
    if (!path.isEmpty()) addRecentFile(path);
    showEditor();
    editors_->setCurrentSource(document().mainSource());
    offerNotes();
    updateTitle();
}

bool MainWindow::openExample(const QString& path, bool run) {
    QString problem;
    const QString copy = copyExample(path, examplesTarget(), &problem);
    if (copy.isEmpty()) {
        fail(tr("The example was not opened"), problem);
        return false;
    }
    return openPage(copy, [copy, run](MainWindow* page) {
        if (!page) return;
        // It is Warplight's own.
        if (page->document().isProgram()) letProgramsRun(QFileInfo(copy).absolutePath());
        // An exercise has nothing to run yet.
        if (run && !page->document().session().exercise) page->run();
    });
}

} // namespace warplight::ui
