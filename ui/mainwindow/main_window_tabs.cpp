// SPDX-License-Identifier: GPL-3.0-or-later
// What a page does as a tab of a window.
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/window_host.hpp"

#include <QAction>
#include <QDockWidget>
#include <QFileInfo>
#include <QStackedWidget>
#include <algorithm>

namespace warplight::ui {

void MainWindow::createTabActions() {
    const auto add = [this](const char* name, const char* iconName, const QString& text, const char* keys, auto act) {
        addAction(QLatin1String(name), QLatin1String(iconName), text, QKeySequence(QLatin1String(keys)), [this, act] {
            if (host_) act(*host_, *this);
        });
    };
    add("file.newTab", "plus", tr("New Ta&b"), "Ctrl+T", [](WindowHost& host, MainWindow& page) { host.addTab(page); });
    add("file.newWindow", "", tr("New &Window"), "Ctrl+Alt+N",
        [](WindowHost& host, MainWindow& page) { host.newWindow(page); });
    add("file.closeSession", "", tr("Clos&e Session"), "Ctrl+Shift+W",
        [](WindowHost& host, MainWindow& page) { host.closeTab(page); });
    add("file.closeWindow", "", tr("C&lose Window"), "",
        [](WindowHost& host, MainWindow& page) { host.closeWindow(page); });
    add("window.nextSession", "", tr("Ne&xt Session"), "Ctrl+F6",
        [](WindowHost& host, MainWindow& page) { host.stepTab(page, 1); });
    add("window.previousSession", "", tr("Previo&us Session"), "Ctrl+Shift+F6",
        [](WindowHost& host, MainWindow& page) { host.stepTab(page, -1); });
    add("window.moveSession", "", tr("&Move to New Window"), "",
        [](WindowHost& host, MainWindow& page) { host.moveToNewWindow(page); });
}

void MainWindow::updateTabActions() {
    const auto enable = [this](const char* name, bool on) { findAction(QLatin1String(name))->setEnabled(on); };
    const bool several = host_ && !host_->isAlone(*this);
    for (const char* name : {"file.newTab", "file.newWindow", "file.closeWindow"})
        enable(name, host_ != nullptr);
    enable("file.closeSession", several || (host_ && !isUntouched()));
    for (const char* name : {"window.nextSession", "window.previousSession", "window.moveSession"})
        enable(name, several);
}

void MainWindow::setHost(WindowHost* host) {
    host_ = host;
    updateActions();
}

bool MainWindow::isUntouched() {
    const Document& document = this->document();
    return centre_->currentWidget() != editors_ && filePath().isEmpty() && !document.isModified() && !isBusy();
}

QString MainWindow::tabTitle() {
    if (!openingPath_.isEmpty()) return QFileInfo(openingPath_).completeBaseName();
    if (isUntouched()) return tr("Welcome");
    const QString title = document().title();
    return title == QFileInfo(document().path()).fileName() ? QFileInfo(title).completeBaseName() : title;
}

QString MainWindow::filePath() {
    if (!openingPath_.isEmpty()) return openingPath_;
    const Document& document = this->document();
    if (!document.path().isEmpty() || !document.mainSource()) return document.path();
    return document.mainSource()->path();
}

void MainWindow::clearSession() {
    document().newSession({});
    sessionLock_.take({});
    banners_->close(QStringLiteral("lock"));
    recovery_.keep(document());
    showWelcome();
}

void MainWindow::endSession() {
    autosaveTimer_.stop();
    lockTimer_.stop();
    recovery_.discard();
    sessionLock_.take({});
}

MainWindow* MainWindow::pageForDocument() {
    if (!host_) return mayReplaceDocument() ? this : nullptr;
    return isUntouched() ? this : &host_->addTab(*this);
}

bool MainWindow::restoreHere(const Recovery::Found& found) {
    QString problem;
    if (!recovery_.restore(found, document(), &problem)) {
        fail(tr("The unsaved work cannot be read"), problem);
        return false;
    }
    recovery_.remove(found);
    takeSessionLock();
    showEditor();
    editors_->setCurrentSource(document().mainSource());
    recovery_.keep(document());
    updateTitle();
    return true;
}

void MainWindow::restoreAll(const QList<Recovery::Found>& found) {
    // The newest comes last, and is in front then.
    for (auto each = found.crbegin(); each != found.crend(); ++each) {
        MainWindow* page = each->path.isEmpty() ? nullptr : host_->pageOf(each->path);
        // A tab from last time has the session as it was saved.
        if (page) host_->show(*page);
        if (page && !page->mayReplaceDocument()) continue;
        if (!page) page = pageForDocument();
        if (page) page->restoreHere(*each);
    }
}

void MainWindow::hideEvent(QHideEvent* event) {
    QMainWindow::hideEvent(event);
    // What floats belongs to the tab.
    if (!host_ || isWindow()) return;
    for (QWidget* each : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        const bool floats = qobject_cast<QDockWidget*>(each) || each->windowType() == Qt::Tool;
        if (!each->isWindow() || !floats || !each->isVisible()) continue;
        hiddenWithPage_ << each;
        each->hide();
    }
}

} // namespace warplight::ui
