// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/main_window.hpp"

#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/format.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/panel_scroll.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/timing/timing_panel.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), preferences_(Preferences::load()), recovery_(stateFolder()), sessionLock_(stateFolder()),
      runner_(new RunController(workbench_, this)) {
    setObjectName(QStringLiteral("warplight"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/warplight.svg")));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setPreferences(preferences_);
    createPanels();
    createActions();
    createToolBar();
    createStatusBar();
    createMenus();
    connectRunner();

    resizeToScreen();
    defaultLayout_ = saveState(layoutVersion);
    if (restoreState(savedLayout(QStringLiteral("state")), layoutVersion))
        explorerGivenUp_ = !savedLayout(QStringLiteral("givenUp")).isEmpty();
    else
        resetLayout();
    restoreGeometry(savedLayout(QStringLiteral("geometry")));
    shownScale_ = textScale();

    Document& doc = document();
    connect(&doc, &Document::modifiedChanged, this, &MainWindow::updateTitle);
    connect(&doc, &Document::pathChanged, this, &MainWindow::updateTitle);
    connect(&doc, &Document::readOnlyChanged, this, &MainWindow::updateTitle);
    connect(&doc, &Document::sessionChanged, this, [this] {
        updateRepeatBox();
        updateDeviceBox();
        updateArchBox();
        updateActions();
        if (shown_ && document().session().compile.compiler != askedCompiler_) askCompilers();
    });
    connect(&doc, &Document::compiled, this, &MainWindow::updateStatus);
    connect(&workbench_, &Workbench::workerChanged, this, [this] {
        updateStatus();
        askCompilers();
    });
    connect(&workbench_, &Workbench::showPanel, this, &MainWindow::showPanel);
    connect(&workbench_, &Workbench::statusMessage, this, [this](const QString& text) { note(text, 5000); });
    connect(&workbench_, &Workbench::showSource, this, [this](const QString& path, int line, int column) {
        showEditor();
        editors_->goTo(path, line, column);
    });
    connect(&workbench_, &Workbench::runRequested, this, &MainWindow::run);
    connect(&workbench_, &Workbench::buildRequested, runner_, &RunController::build);
    for (WorkerConnection* worker : workbench_.workers()) {
        connect(worker, &WorkerConnection::stateChanged, this, &MainWindow::updateStatus);
        connect(worker, &WorkerConnection::restarted, this, &MainWindow::askCompilers);
    }
    connect(&workbench_.theme(), &Theme::themeChanged, this, &MainWindow::restyle);

    lockTimer_.setInterval(2000);
    connect(&lockTimer_, &QTimer::timeout, this, &MainWindow::retrySessionLock);
    connect(&doc, &Document::sessionChanged, this, &MainWindow::checkRunBanner, Qt::QueuedConnection);
    connect(&doc, &Document::kernelsChanged, this, &MainWindow::checkRunBanner, Qt::QueuedConnection);
    autosaveTimer_.setInterval(30000);
    connect(&autosaveTimer_, &QTimer::timeout, this, &MainWindow::autosave);
    if (preferences_.autosave) autosaveTimer_.start();
    welcome_->setRecentFiles(recentFiles());
    updateTitle();
    updateRepeatBox();
    updateDeviceBox();
    updateArchBox();
    updateStatus();
    updateActions();
    restyle();
    showWelcome();
}

MainWindow::~MainWindow() {
    // Panels refer to the workbench, which as a member would go before the window's children do.
    disconnect(&document().undoStack(), nullptr, this, nullptr);
    disconnect(&document(), nullptr, this, nullptr);
    disconnect(&workbench_, nullptr, this, nullptr);
    disconnect(&workbench_.theme(), nullptr, this, nullptr);
    for (WorkerConnection* worker : workbench_.workers())
        disconnect(worker, nullptr, this, nullptr);
    delete runner_;
    for (QDockWidget* dock : docks_) {
        disconnect(dock, nullptr, this, nullptr);
        delete dock;
    }
    delete takeCentralWidget();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (shown_) return;
    shown_ = true;
    // What waits for other processes and files comes after the first paint.
    QTimer::singleShot(0, this, [this] {
        askCompilers();
        offerRecovery();
    });
}

QDockWidget* MainWindow::addPanel(const QString& name, const QString& title, QWidget* panel, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(new PanelScroll(panel));
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    addDockWidget(area, dock);
    docks_.insert(name, dock);
    // After the layout has settled: a dock that is dragged is in no group meanwhile.
    const auto later = [this] { QTimer::singleShot(0, this, &MainWindow::updateTitleBars); };
    connect(dock, &QDockWidget::dockLocationChanged, this, later);
    connect(dock, &QDockWidget::topLevelChanged, this, later);
    connect(dock, &QDockWidget::visibilityChanged, this, later);
    return dock;
}

void MainWindow::createPanels() {
    banners_ = new BannerStack(workbench_.theme());
    welcome_ = new WelcomePage(workbench_);
    editors_ = new EditorArea(workbench_);
    explorer_ = new ExplorerPanel(workbench_);
    launch_ = new LaunchPanel(workbench_);
    problems_ = new ProblemsPanel(workbench_);
    output_ = new OutputPanel(workbench_);
    buffers_ = new BuffersPanel(workbench_);
    timing_ = new TimingPanel(workbench_);
    function_ = new FunctionPanel(workbench_);

    centre_ = new QStackedWidget;
    centre_->addWidget(welcome_);
    centre_->addWidget(editors_);
    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(banners_);
    column->addWidget(centre_, 1);
    middle->setMinimumSize(96, 64); // what is in there scrolls, or is cut
    setCentralWidget(middle);

    addPanel(QStringLiteral("explorer"), tr("Explorer"), explorer_, Qt::LeftDockWidgetArea);
    connect(docks_[QStringLiteral("explorer")], &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible) explorerGivenUp_ = false;
    });
    addPanel(QStringLiteral("launch"), tr("Launch"), launch_, Qt::RightDockWidgetArea);
    addPanel(QStringLiteral("problems"), tr("Problems"), problems_, Qt::BottomDockWidgetArea);
    addPanel(QStringLiteral("output"), tr("Output"), output_, Qt::BottomDockWidgetArea);
    addPanel(QStringLiteral("buffers"), tr("Buffers"), buffers_, Qt::BottomDockWidgetArea);
    addPanel(QStringLiteral("timing"), tr("Timing"), timing_, Qt::BottomDockWidgetArea);
    addPanel(QStringLiteral("function"), tr("Function"), function_, Qt::BottomDockWidgetArea);

    connect(welcome_, &WelcomePage::exampleRequested, this, [this](const QString& path) { openExample(path, true); });
    connect(welcome_, &WelcomePage::openRequested, this, [this](const QString& path) { openFile(path); });
    connect(welcome_, &WelcomePage::newRequested, this, [this] { findAction(QStringLiteral("file.new"))->trigger(); });
    connect(welcome_, &WelcomePage::openDialogRequested, this,
            [this] { findAction(QStringLiteral("file.open"))->trigger(); });
    connect(explorer_, &ExplorerPanel::exampleRequested, this,
            [this](const QString& path) { openExample(path, true); });
    connect(explorer_, &ExplorerPanel::devicesChanged, this, [this] {
        updateDeviceBox();
        updateStatus();
    });
    connect(explorer_, &ExplorerPanel::deviceChosen, this, [this](const QString& id) {
        document().modify(tr("Choose Device"), [&](session::Session& s) { s.device = id.toStdString(); });
    });
    connect(explorer_, &ExplorerPanel::memoryChanged, this, [this](const QString& id, quint64 free, quint64 total) {
        const QString shown =
            workbench_.worker().driver() + QLatin1Char(':') + QString::number(workbench_.deviceOrdinal());
        if (id == shown) memoryLabel_->setText(tr("%1 of %2 free").arg(formatBytes(free), formatBytes(total)));
    });
    connect(editors_, &EditorArea::closeRequested, this, &MainWindow::closeSource);
    connect(editors_, &EditorArea::currentSourceChanged, this, &MainWindow::updateActions);
    connect(editors_, &EditorArea::zoomRequested, this, [this](int steps) {
        findAction(steps > 0 ? QStringLiteral("view.zoomIn") : QStringLiteral("view.zoomOut"))->trigger();
    });
    connect(editors_, &EditorArea::cursorMoved, this,
            [this](int line, int column) { cursorLabel_->setText(tr("Ln %1, Col %2").arg(line).arg(column)); });
    connect(problems_, &ProblemsPanel::countsChanged, this, [this](int errors, int warnings) {
        docks_[QStringLiteral("problems")]->setWindowTitle(
            errors + warnings ? tr("Problems (%1)").arg(errors + warnings) : tr("Problems"));
        const QString e = errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors);
        const QString w = warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings);
        problemLabel_->setText(errors && warnings ? tr("%1, %2").arg(e, w)
                               : errors           ? e
                               : warnings         ? w
                                                  : tr("No problems"));
    });
}

void MainWindow::updateTitle() {
    const QString readOnly = document().isReadOnly() ? tr(" (read-only)") : QString();
    setWindowModified(document().isModified());
    setWindowFilePath(document().path());
    setWindowTitle(tr("%1[*]%2 – Warplight").arg(document().title(), readOnly));
    updateActions();
}

void MainWindow::askCompilers() {
    askedCompiler_ = document().session().compile.compiler;
    workbench_.worker().request(
        QStringLiteral("compilers"), nlohmann::json::object(), QStringLiteral("compilers"), this,
        [this, withNvcc = askedCompiler_ == "nvcc"](const WorkerReply& reply) {
            if (!reply.ok) return;
            const nlohmann::json nvrtc = reply.result.value("nvrtc", nlohmann::json::object());
            architectures_.clear();
            for (const auto& arch : nvrtc.value("architectures", nlohmann::json::array()))
                if (arch.is_number()) architectures_ << QStringLiteral("sm_%1").arg(arch.get<int>());
            updateArchBox();
            const nlohmann::json wanted = withNvcc ? reply.result.value("nvcc", nlohmann::json::object()) : nvrtc;
            if (wanted.value("found", true)) {
                banners_->close(QStringLiteral("compiler"));
                return;
            }
            banners_->show(QStringLiteral("compiler"), BannerStack::Kind::Warning,
                           withNvcc ? tr("nvcc was not found") : tr("No CUDA compiler was found"),
                           withNvcc ? tr("This session compiles with nvcc. Warplight can download it from NVIDIA; an "
                                         "installed CUDA toolkit is found as well, also through CUDA_PATH.")
                                    : tr("Kernels can be written, but not compiled. Warplight can download NVIDIA's "
                                         "run-time compiler; an installed CUDA toolkit is found as well, also through "
                                         "CUDA_PATH."),
                           {{tr("Install…"), [this, withNvcc] { offerToolkit(withNvcc); }}});
        });
}

void MainWindow::offerToolkit(bool withNvcc) {
    auto* dialog = new ToolkitDialog(withNvcc, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ToolkitDialog::installed, runner_, &RunController::build);
    connect(dialog, &QDialog::finished, this, &MainWindow::askCompilers); // a worker finds it without a new start
    dialog->open();
}

void MainWindow::showWelcome() {
    welcome_->setRecentFiles(recentFiles());
    centre_->setCurrentWidget(welcome_);
    updateActions();
}

void MainWindow::showEditor() {
    if (centre_->currentWidget() == editors_) return;
    centre_->setCurrentWidget(editors_);
    updateActions();
}

void MainWindow::showPanel(const QString& name) {
    QDockWidget* dock = docks_.value(name);
    if (!dock) return;
    dock->show();
    dock->raise();
}

void MainWindow::focusPanel(const QString& name) {
    showPanel(name);
    if (QDockWidget* dock = docks_.value(name)) focusInto(dock->widget());
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
    // Nobody in the panel had a use for it: back to the code, as editors do.
    QWidget* focus = QApplication::focusWidget();
    const bool inPanel = std::any_of(docks_.cbegin(), docks_.cend(),
                                     [focus](const QDockWidget* dock) { return focus && dock->isAncestorOf(focus); });
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier && inPanel &&
        centre_->currentWidget() == editors_) {
        editors_->setFocus();
        event->accept();
        return;
    }
    QMainWindow::keyPressEvent(event);
}

} // namespace warplight::ui
