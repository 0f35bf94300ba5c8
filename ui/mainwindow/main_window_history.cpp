// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/history.hpp"
#include "ui/common/command_keys.hpp"
#include "ui/common/run_history.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/history/history_page.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/timing/timing_panel.hpp"

#include <QDir>
#include <QFileInfo>

namespace warplight::ui {

void MainWindow::connectHistory() {
    RunHistory& history = workbench_.history();
    connect(&history, &RunHistory::kept, this, [this] {
        historyProblem_.clear();
        banners_->close(QStringLiteral("history"));
    });
    connect(&history, &RunHistory::notKept, this, [this](const QString& problem) {
        // Told once, not after each run.
        if (std::exchange(historyProblem_, problem) == problem) return;
        banners_->show(QStringLiteral("history"), BannerStack::Kind::Warning, tr("The run is not in the history"),
                       problem,
                       {{tr("Keep no runs"),
                         [this] {
                             Preferences p = preferences_;
                             p.keepRuns = false;
                             setPreferences(p);
                         }},
                        {tr("Close"), {}}});
    });
    const HistoryPage& page = panel<TimingPanel>().history();
    connect(&page, &HistoryPage::restoreRequested, this,
            [this](const std::shared_ptr<const history::Run>& run) { restoreRun(run); });
    connect(&page, &HistoryPage::failed, this, [this](const QString& problem) {
        banners_->show(QStringLiteral("history"), BannerStack::Kind::Warning, tr("The history did not do that"),
                       problem, {{tr("Close"), {}}});
    });
}

bool MainWindow::isOfDocument(const history::Run& run) {
    const SourceFile* source = document().mainSource();
    const QString name = QString::fromStdString(run.document.source.name);
    if (name.endsWith(QLatin1String(".ptx"), Qt::CaseInsensitive) != source->isPtx()) return false;
    const QString path = QDir::fromNativeSeparators(QString::fromStdString(run.entry.session));
    if (!path.isEmpty()) return path == document().path();
    return document().path().isEmpty() && document().session().title == run.entry.title && source->name() == name;
}

void MainWindow::restoreRun(const std::shared_ptr<const history::Run>& wanted) {
    const history::Run& run = *wanted;
    banners_->close(QStringLiteral("history"));
    if (isOfDocument(run) && document().isReadOnly()) {
        fail(tr("The session is read-only"), tr("Another window has it open. Restore the run there."));
        return;
    }
    if (!isOfDocument(run)) {
        const QString path = QDir::fromNativeSeparators(QString::fromStdString(run.entry.session));
        if (QFileInfo::exists(path))
            openPage(path, [this, wanted](MainWindow* page) { restoreIn(page, wanted); });
        else
            restoreIn(pageForDocument(), wanted);
        return;
    }
    // These tell of the session as a whole. They are no part of a run, and may have been written since.
    session::Session session = run.document;
    const session::Session& present = document().session();
    session.title = present.title;
    session.description = present.description;
    session.notes = present.notes;
    session.exercise = present.exercise;
    document().putBack(session, QString::fromStdString(run.document.source.text),
                       tr("Restore Run %1").arg(run.entry.id));
    showEditor();
    editors_->setCurrentSource(document().mainSource());
    note(
        tr("Run %1 is restored. %2 takes it back.").arg(QString::number(run.entry.id), commandKeys("edit.undoSession")),
        10000);
}

void MainWindow::restoreIn(MainWindow* page, const std::shared_ptr<const history::Run>& run) {
    if (!page) return;
    if (page->isOfDocument(*run)) return page->restoreRun(run);
    const QString path = QDir::fromNativeSeparators(QString::fromStdString(run->entry.session));
    const QString folder = QFileInfo(path).absolutePath();
    // A session that is another one by now keeps its tab.
    if (!page->filePath().isEmpty()) page = page->pageForDocument();
    if (!page) return;
    page->document().openUnsaved(run->document,
                                 !path.isEmpty() && QFileInfo(folder).isDir() ? folder : QDir::homePath());
    page->afterOpen({});
    page->note(tr("Run %1 is restored, as a session that is not saved").arg(run->entry.id), 10000);
}

} // namespace warplight::ui
