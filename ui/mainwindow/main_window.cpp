// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/main_window.hpp"

#include "ui/common/style_sheet.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/guide_dialog.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QApplication>
#include <QDockWidget>
#include <QStackedWidget>

namespace warplight::ui {

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), preferences_(Preferences::load()), recovery_(stateFolder()), sessionLock_(stateFolder()),
      runner_(new RunController(workbench_, this)), programs_(new ProgramRunner(workbench_, this)) {
    menus_ = QMainWindow::menuBar();
    setObjectName(QStringLiteral("warplight"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/warplight.svg")));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setDockOptions(AnimatedDocks | AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setPreferences(preferences_);
    createCentre();
    createPanels();
    connectCentre();
    connectPanels();
    createActions();
    createToolBar();
    createStatusBar();
    createMenus();
    connectRunner();
    connectProgram();
    connectDebugger();
    connectHistory();

    resizeToScreen();
    if (restoreState(savedLayout(QStringLiteral("state")), layoutVersion())) {
        leftGivenUp_ =
            QString::fromLatin1(savedLayout(QStringLiteral("givenUp"))).split(QLatin1Char(','), Qt::SkipEmptyParts);
        leftGivenUp_.removeIf([this](const QString& name) { return !findDock(name); });
    } else {
        resetLayout();
    }
    restoreGeometry(savedLayout(QStringLiteral("geometry")));
    restoreSizes();
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
    connect(&doc, &Document::reportChanged, this, &MainWindow::updateActions);
    connect(&workbench_, &Workbench::workerChanged, this, [this] {
        updateStatus();
        askCompilers();
    });
    connect(&workbench_, &Workbench::statusMessage, this, [this](const QString& text) { note(text, 5000); });
    connect(&workbench_, &Workbench::showSource, this, [this](const QString& path, int line, int column) {
        showEditor();
        editors_->goTo(path, line, column);
    });
    connect(&workbench_, &Workbench::showGuide, this, [this](const QString& anchor) {
        auto* guide = findChild<GuideDialog*>();
        if (!guide) guide = new GuideDialog(this);
        guide->showSection(anchor);
        guide->show();
        guide->raise();
        guide->activateWindow();
    });
    connect(&workbench_, &Workbench::showLanes, this, &MainWindow::showLanes);
    connect(&workbench_, &Workbench::runRequested, this, &MainWindow::run);
    connect(&workbench_, &Workbench::buildRequested, this, &MainWindow::build);
    workbench_.forEachWorker(this, [this](WorkerConnection* worker) {
        connect(worker, &WorkerConnection::stateChanged, this, &MainWindow::updateStatus);
        connect(worker, &WorkerConnection::linkChanged, this, &MainWindow::updateStatus);
        connect(worker, &WorkerConnection::deviceProblemChanged, this, &MainWindow::updateStatus);
        connect(worker, &WorkerConnection::restarted, this, &MainWindow::askCompilers);
    });
    connect(&workbench_.theme(), &Theme::themeChanged, this, &MainWindow::restyle);

    lockTimer_.setInterval(2000);
    connect(&lockTimer_, &QTimer::timeout, this, &MainWindow::retrySessionLock);
    connect(&doc, &Document::sessionChanged, this, &MainWindow::checkRunBanner, Qt::QueuedConnection);
    connect(&doc, &Document::kernelsChanged, this, &MainWindow::checkRunBanner, Qt::QueuedConnection);
    connect(&doc, &Document::sessionReplaced, this, [this] { outsideShown_.clear(); });
    for (const auto changed : {&Document::sessionReplaced, &Document::sessionChanged, &Document::compiled,
                               &Document::pathChanged, &Document::reportChanged})
        connect(&doc, changed, this, &MainWindow::checkReach, Qt::QueuedConnection);
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
    disconnect(&workbench_.history(), nullptr, this, nullptr);
    disconnect(&workbench_.activities(), nullptr, nullptr, nullptr);
    disconnect(&workbench_.theme(), nullptr, this, nullptr);
    for (WorkerConnection* worker : workbench_.workers())
        disconnect(worker, nullptr, this, nullptr);
    delete programs_;
    delete runner_;
    for (const PanelDock& d : std::as_const(docks_)) {
        disconnect(d.dock, nullptr, this, nullptr);
        delete d.dock;
    }
    delete takeCentralWidget();
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    for (const QPointer<QWidget>& each : std::exchange(hiddenWithPage_, {}))
        if (each) each->show();
    // Text may have been made larger while another tab was in front.
    if (shown_ && textScale() != shownScale_) QTimer::singleShot(0, this, &MainWindow::restyle);
    if (shown_) return;
    shown_ = true;
    // What waits for other processes and files comes after the first paint.
    QTimer::singleShot(0, this, [this] {
        askCompilers();
        offerRecovery();
    });
}

void MainWindow::updateTitle() {
    const QString readOnly = document().isReadOnly() ? tr(" (read-only)") : QString();
    setWindowModified(document().isModified());
    setWindowFilePath(document().path());
    setWindowTitle(tr("%1[*]%2 – Warplight").arg(document().title(), readOnly));
    updateActions();
    emit tabChanged();
}

void MainWindow::askCompilers() {
    askedCompiler_ = document().session().compile.compiler;
    workbench_.helper().request(
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
    auto* dialog = new ToolkitDialog(withNvcc ? ToolkitDialog::Missing::Nvcc : ToolkitDialog::Missing::Nvrtc, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ToolkitDialog::installed, this, &MainWindow::build);
    connect(dialog, &QDialog::finished, this, &MainWindow::askCompilers); // a worker finds it without a new start
    dialog->open();
}

void MainWindow::showWelcome() {
    welcome_->setRecentFiles(recentFiles());
    centre_->setCurrentWidget(welcome_);
    updateActions();
    emit tabChanged();
}

void MainWindow::showEditor() {
    if (centre_->currentWidget() == editors_) return;
    centre_->setCurrentWidget(editors_);
    updateActions();
    emit tabChanged();
}

} // namespace warplight::ui
