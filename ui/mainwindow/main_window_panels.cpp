// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/device_id.hpp"
#include "ui/common/format.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/panel_scroll.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/profile/profile_panel.hpp"
#include "ui/versions/version_view.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace warplight::ui {

void MainWindow::createCentre() {
    banners_ = new BannerStack(workbench_.theme());
    welcome_ = new WelcomePage(workbench_);
    editors_ = new EditorArea(workbench_);
    centre_ = new QStackedWidget;
    centre_->addWidget(welcome_);
    centre_->addWidget(editors_);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(banners_);
    column->addWidget(centre_, 1);
    middle->setMinimumSize(96, 64); // its content scrolls or is cut
    setCentralWidget(middle);
}

void MainWindow::createPanels() {
    for (const PanelRow& row : panelTable()) {
        auto* dock = new QDockWidget(tr(row.title), this);
        Panel* panel = row.make(workbench_);
        dock->setObjectName(QLatin1String(row.name));
        dock->setWidget(new PanelScroll(panel));
        dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                          QDockWidget::DockWidgetFloatable);
        addDockWidget(row.area, dock);
        docks_.append({&row, dock, panel});
        // After the layout has settled: a dock that is dragged is in no group meanwhile.
        const auto later = [this] { QTimer::singleShot(0, this, &MainWindow::updateTitleBars); };
        connect(dock, &QDockWidget::dockLocationChanged, this, later);
        connect(dock, &QDockWidget::topLevelChanged, this, later);
        connect(dock, &QDockWidget::visibilityChanged, this, later);
    }
    for (const PanelDock& d : docksOf(Qt::LeftDockWidgetArea))
        connect(d.dock, &QDockWidget::visibilityChanged, this, [this](bool visible) {
            if (!visible) return;
            // They are tabs of one column: where one is wanted, the others take no more room.
            for (const QString& name : std::exchange(leftGivenUp_, {}))
                findDock(name)->show();
        });
}

void MainWindow::connectCentre() {
    connect(welcome_, &WelcomePage::exampleRequested, this, [this](const QString& path) { openExample(path, true); });
    connect(welcome_, &WelcomePage::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(welcome_, &WelcomePage::newRequested, this, [this] { findAction(QStringLiteral("file.new"))->trigger(); });
    connect(welcome_, &WelcomePage::openDialogRequested, this,
            [this] { findAction(QStringLiteral("file.open"))->trigger(); });
    connect(editors_, &EditorArea::closeRequested, this, &MainWindow::closeSource);
    connect(editors_, &EditorArea::currentSourceChanged, this, &MainWindow::updateActions);
    // A version is one of a certain source.
    connect(editors_, &EditorArea::currentSourceChanged, this, [this] {
        if (versions_ && versions_->editor() != editors_->currentEditor()) endComparison();
    });
    connect(editors_, &EditorArea::zoomRequested, this, [this](int steps) {
        findAction(steps > 0 ? QStringLiteral("view.zoomIn") : QStringLiteral("view.zoomOut"))->trigger();
    });
    connect(editors_, &EditorArea::cursorMoved, this,
            [this](int line, int column) { cursorLabel_->setText(tr("Ln %1, Col %2").arg(line).arg(column)); });
}

void MainWindow::connectPanels() {
    // Requests that any panel may have are signals of the workbench. Here are those of one panel.
    auto& explorer = panel<ExplorerPanel>();
    connect(&explorer, &ExplorerPanel::exampleRequested, this, [this](const QString& path) {
        explorerAsked_ = true;
        openExample(path, true);
        explorerAsked_ = false;
    });
    connect(&explorer, &ExplorerPanel::devicesChanged, this, [this] {
        updateDeviceBox();
        updateStatus();
    });
    connect(&explorer, &ExplorerPanel::deviceChosen, this, [this](const QString& id) { chooseDevice(id); });
    connect(&explorer, &ExplorerPanel::memoryChanged, this, [this](const QString& id, quint64 free, quint64 total) {
        const DeviceId shown{workbench_.worker().driver(), workbench_.deviceOrdinal()};
        if (id == shown.text()) memoryLabel_->setText(tr("%1 of %2 free").arg(formatBytes(free), formatBytes(total)));
    });
    connectMachines();
    connectSass();
    connectSweep();
    connectNotes();
    auto& profile = panel<ProfilePanel>();
    connect(&profile, &ProfilePanel::heatMetricChanged, editors_, &EditorArea::setHeatMetric);
    editors_->setHeatMetric(profile.heatMetric());
    connect(&document(), &Document::argumentsRenamed, &panel<BuffersPanel>(), &BuffersPanel::followNames);
    connect(&panel<ProblemsPanel>(), &ProblemsPanel::countsChanged, this, [this](int errors, int warnings) {
        const PanelDock& problems = dockOf<ProblemsPanel>();
        const QString title = tr(problems.row->title);
        problems.dock->setWindowTitle(errors + warnings ? tr("%1 (%2)").arg(title).arg(errors + warnings) : title);
        const QString e = errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors);
        const QString w = warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings);
        problemLabel_->setText(errors && warnings ? tr("%1, %2").arg(e, w)
                               : errors           ? e
                               : warnings         ? w
                                                  : tr("No problems"));
    });
}

const MainWindow::PanelDock& MainWindow::sideDock(Qt::DockWidgetArea area) const {
    return *std::find_if(docks_.cbegin(), docks_.cend(), [area](const PanelDock& d) { return d.row->area == area; });
}

QList<MainWindow::PanelDock> MainWindow::docksOf(Qt::DockWidgetArea area) const {
    QList<PanelDock> found;
    std::copy_if(docks_.cbegin(), docks_.cend(), std::back_inserter(found),
                 [area](const PanelDock& d) { return d.row->area == area; });
    return found;
}

QDockWidget* MainWindow::findDock(const QString& name) const {
    const auto found = std::find_if(docks_.cbegin(), docks_.cend(),
                                    [&name](const PanelDock& d) { return name == QLatin1String(d.row->name); });
    return found == docks_.cend() ? nullptr : found->dock;
}

void MainWindow::showPanel(const QString& name) {
    if (QDockWidget* dock = findDock(name)) showDock(dock);
}

void MainWindow::showDock(QDockWidget* dock) {
    dock->show();
    dock->raise();
}

void MainWindow::focusPanel(const QString& name) {
    showPanel(name);
    if (QDockWidget* dock = findDock(name)) focusInto(dock->widget());
}

QList<QAction*> MainWindow::panelActions(PanelMenu menu) const {
    QList<QAction*> all;
    for (const PanelDock& d : docks_)
        if (d.row->menu == menu) all << d.panel->panelActions();
    return all;
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // Escape that no widget of the panel used goes back to the code, as in other editors.
    QWidget* focus = QApplication::focusWidget();
    const bool inPanel = std::any_of(docks_.cbegin(), docks_.cend(),
                                     [focus](const PanelDock& d) { return focus && d.dock->isAncestorOf(focus); });
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && inPanel &&
        centre_->currentWidget() == editors_) {
        editors_->setFocus();
        event->accept();
        return;
    }
    QMainWindow::keyPressEvent(event);
}

} // namespace warplight::ui
