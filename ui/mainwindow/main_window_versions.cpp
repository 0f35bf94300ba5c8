// SPDX-License-Identifier: GPL-3.0-or-later
// Another version of a source beside it: on disk, another file, a run of the history, another tab.
#include "history/history.hpp"
#include "ui/common/loading.hpp"
#include "ui/common/opened_session.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/history/run_text.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/window_host.hpp"
#include "ui/versions/version_view.hpp"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <memory>

namespace warplight::ui {
namespace {

constexpr std::size_t mostRuns = 12;

} // namespace

void MainWindow::createVersionActions() {
    addAction(QStringLiteral("view.compareDisk"), QStringLiteral("save"), tr("The Version on &Disk"), {},
              [this] { compareWithDisk(); });
    addAction(QStringLiteral("view.compareFile"), QStringLiteral("open"), tr("Another &File…"), {},
              [this] { compareWithFile(); });
    addAction(QStringLiteral("view.endComparison"), QStringLiteral("close"), tr("&End Comparison"), {},
              [this] { endComparison(); });
}

void MainWindow::fillVersionMenu(QMenu* menu) {
    menu->clear();
    menu->addAction(findAction(QStringLiteral("view.compareDisk")));
    menu->addAction(findAction(QStringLiteral("view.compareFile")));
    const auto plain = [](QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); };
    menu->addSection(tr("Other tabs"));
    bool any = false;
    for (MainWindow* page : host_ ? host_->pages() : QList<MainWindow*>()) {
        if (page == this || page->document().mainSource()->text().isEmpty()) continue;
        QAction* action = menu->addAction(plain(page->tabTitle()));
        connect(action, &QAction::triggered, this, [this, other = QPointer<MainWindow>(page)] {
            if (other) compareWithTab(*other);
        });
        any = true;
    }
    if (!any) menu->addAction(tr("No other session is open"))->setEnabled(false);
    menu->addSection(tr("Runs of this session"));
    QAction* waits = menu->addAction(tr("Looking for runs"));
    waits->setEnabled(false);
    history::Query query;
    query.session = document().path().toStdString();
    query.title = document().session().title;
    query.limit = mostRuns;
    workbench_.history().read(
        waits, // until the menu is filled anew
        [this, menu, waits, query](history::History& history) -> std::function<void()> {
            return [this, menu, waits, runs = history.find(query)] {
                if (runs.empty()) return waits->setText(tr("No run is kept"));
                for (const history::Entry& run : runs) {
                    const QString launch = QString::fromStdString(run.kernel) + QLatin1Char(' ') + runLaunch(run);
                    const QString label = run.label.empty() ? launch : QString::fromStdString(run.label);
                    QString text = tr("%1, %2: %3").arg(runName(run), runTime(run), label);
                    QAction* action = menu->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
                    connect(action, &QAction::triggered, this, [this, id = qint64(run.id)] { compareWithRun(id); });
                }
                menu->removeAction(waits);
                waits->deleteLater();
            };
        },
        [waits](const QString& problem) { waits->setText(problem.section(QLatin1Char('\n'), 0, 0)); });
}

void MainWindow::showVersion(const QString& name, const QString& text) {
    CudaEditor* editor = editors_->currentEditor();
    if (!editor) return;
    disconnect(comparedTo_);
    banners_->close(QStringLiteral("file"));
    if (!versions_) {
        versions_ = new VersionView(workbench_.theme());
        connect(versions_, &VersionView::closeRequested, this, &MainWindow::endComparison);
        connect(versions_->other(), &CodeView::zoomRequested, editors_, &EditorArea::zoomRequested);
    }
    showEditor();
    editors_->setBeside(versions_);
    versions_->compare(editor, name, text);
    updateActions();
}

void MainWindow::endComparison() {
    if (!versions_) return;
    disconnect(comparedTo_);
    versions_->clear();
    editors_->setBeside(nullptr);
    updateActions();
}

void MainWindow::compareWithDisk() {
    const SourceFile* source = editors_->currentSource();
    if (!source) return;
    if (source->path().isEmpty()) {
        // The session's own text, as it was saved.
        if (source == document().mainSource() && !document().path().isEmpty()) {
            const QString path = document().path();
            readVersion(path, tr("%1 on disk").arg(QFileInfo(path).fileName()), [path](QString* problem) {
                const auto saved = readSession(path, problem);
                return saved ? std::optional(saved->source.text) : std::nullopt;
            });
            return;
        }
        return fail(tr("There is no version on disk"), tr("The source was never saved."));
    }
    readVersion(source->path(), tr("%1 on disk").arg(source->name()), [path = source->path()](QString* problem) {
        const auto content = readSource(path, problem);
        return content ? std::optional(content->text) : std::nullopt;
    });
}

void MainWindow::readVersion(const QString& path, const QString& name,
                             const std::function<std::optional<QString>(QString* problem)>& read) {
    const QString file = QFileInfo(path).fileName();
    workbench_.loading().load(
        tr("Opening %1").arg(file),
        [this, file, name, read, source = QPointer(editors_->currentSource())]() -> Loading::Then {
            QString problem;
            const auto text = read(&problem);
            return [this, file, name, source, text, problem] {
                if (!text)
                    fail(tr("%1 was not opened").arg(file), problem);
                else if (source && source == editors_->currentSource())
                    showVersion(name, *text);
            };
        });
}

void MainWindow::compareWithFile() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare With"), document().folder(),
                                                      tr("CUDA and PTX (*.cu *.cuh *.ptx *.h *.hpp);;All files (*)"));
    if (path.isEmpty()) return;
    readVersion(path, QDir::toNativeSeparators(path), [path](QString* problem) {
        const auto content = readSource(path, problem);
        return content ? std::optional(content->text) : std::nullopt;
    });
}

void MainWindow::compareWithTab(MainWindow& page) {
    SourceFile* source = page.document().mainSource();
    showVersion(tr("Tab %1").arg(page.tabTitle()), source->text());
    comparedTo_ =
        connect(source, &SourceFile::textChanged, versions_, [this, source] { versions_->setText(source->text()); });
}

void MainWindow::compareWithRun(qint64 id) {
    workbench_.history().read(
        this,
        [this, id](history::History& history) -> std::function<void()> {
            return [this, run = std::make_shared<const history::Run>(history.get(id))] {
                editors_->setCurrentSource(document().mainSource());
                showVersion(tr("%1, %2").arg(runName(run->entry), runTime(run->entry)),
                            QString::fromStdString(run->document.source.text));
            };
        },
        [this](const QString& problem) { fail(tr("The run cannot be read"), problem); });
}

} // namespace warplight::ui
