// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/main_window.hpp"

#include "ui/buffers/buffers_panel.hpp"
#include "ui/common/elided_label.hpp"
#include "ui/common/format.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/devices/devices_model.hpp"
#include "ui/devices/explorer_panel.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/function/function_panel.hpp"
#include "ui/launch/kernel_box.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/panel_scroll.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/output/output_panel.hpp"
#include "ui/problems/problems_panel.hpp"
#include "ui/timing/timing_panel.hpp"
#include "ui/toolkit/toolkit_dialog.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QScreen>
#include <QScrollArea>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

namespace warplight::ui {
namespace {

/// Raise it when docks are added or renamed: older layouts are then not restored.
constexpr int layoutVersion = 1;

} // namespace

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
    if (!restoreState(savedLayout(QStringLiteral("state")), layoutVersion)) resetLayout();
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

void MainWindow::createToolBar() {
    bar_ = addToolBar(tr("Main"));
    bar_->setObjectName(QStringLiteral("bar"));
    bar_->setMovable(false);
    bar_->setFloatable(false);
    bar_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    const auto named = [](QComboBox* box, const QString& name, int characters) {
        box->setAccessibleName(name);
        box->setToolTip(name);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(characters);
        box->view()->setTextElideMode(Qt::ElideNone);
        return box;
    };
    kernelBox_ = new KernelBox(document());
    connect(kernelBox_, &KernelBox::refused, this, [this](const QString& why) { note(why, 8000); });
    deviceBox_ = named(new QComboBox, tr("Device"), 24);
    archBox_ = named(new QComboBox, tr("Architecture to compile for"), 12);
    kernelBox_->setObjectName(QStringLiteral("kernelBox"));
    deviceBox_->setObjectName(QStringLiteral("deviceBox"));
    archBox_->setObjectName(QStringLiteral("archBox"));
    repeatBox_ = new NumberBox(tr("Repeats of a run"));
    repeatBox_->setHelp(tr("Repeats of a run"));
    repeatBox_->setPrefix(QStringLiteral("× "));

    for (const char* name : {"file.new", "file.open", "file.save"})
        bar_->addAction(findAction(QLatin1String(name)));
    bar_->addSeparator();
    for (QComboBox* box : {static_cast<QComboBox*>(kernelBox_), deviceBox_, archBox_}) {
        bar_->addWidget(box);
        auto* gap = new QWidget;
        gap->setFixedWidth(Theme::half);
        bar_->addWidget(gap);
    }
    bar_->addSeparator();
    for (const char* name : {"build.build", "run.run"}) {
        QAction* action = findAction(QLatin1String(name));
        bar_->addAction(action);
        qobject_cast<QToolButton*>(bar_->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    bar_->addWidget(repeatBox_);
    bar_->addAction(findAction(QStringLiteral("run.stop")));
    qobject_cast<QToolButton*>(bar_->widgetForAction(findAction(QStringLiteral("run.stop"))))
        ->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    connect(deviceBox_, &QComboBox::activated, this, [this](int index) {
        const QString id = deviceBox_->itemData(index).toString();
        document().modify(tr("Choose Device"), [&](session::Session& s) { s.device = id.toStdString(); });
    });
    connect(archBox_, &QComboBox::activated, this, [this](int index) {
        const QString arch = archBox_->itemData(index).toString();
        document().modify(tr("Choose Architecture"), [&](session::Session& s) { s.compile.arch = arch.toStdString(); });
        runner_->build();
    });
    connect(repeatBox_, &NumberBox::edited, this, [this](quint64 value) {
        const bool fits = value >= 1 && value <= quint64(std::numeric_limits<int>::max());
        repeatBox_->setProblem(fits ? QString() : tr("A run has from 1 to 2 147 483 647 repeats."));
        if (fits)
            document().modify(
                tr("Change Repeats"), [&](session::Session& s) { s.repeat = int(value); }, QStringLiteral("repeat"));
    });
}

void MainWindow::createStatusBar() {
    QStatusBar* bar = statusBar();
    bar->setSizeGripEnabled(false);
    workerIcon_ = new QLabel;
    workerLabel_ = new ElidedLabel;
    progressLabel_ = new ElidedLabel;
    progress_ = new QProgressBar;
    progress_->setMinimumWidth(48);
    progress_->setMaximumWidth(160);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    memoryLabel_ = new ElidedLabel;
    memoryLabel_->setToolTip(tr("Memory of the selected device"));
    archLabel_ = new ElidedLabel;
    archLabel_->setToolTip(tr("Architecture of the last build"));
    problemLabel_ = new ElidedLabel(tr("No problems"));
    cursorLabel_ = new ElidedLabel;
    bar->addWidget(workerIcon_);
    bar->addWidget(workerLabel_);
    bar->addWidget(progress_);
    bar->addWidget(progressLabel_);
    noteLabel_ = new ElidedLabel;
    noteLabel_->setContentsMargins(Theme::grid, 0, Theme::grid, 0);
    bar->addWidget(noteLabel_, 1);
    noteTimer_.setSingleShot(true);
    connect(&noteTimer_, &QTimer::timeout, noteLabel_, &QLabel::clear);
    for (QLabel* label : {memoryLabel_, archLabel_, problemLabel_, cursorLabel_}) {
        label->setContentsMargins(Theme::grid, 0, Theme::grid, 0);
        bar->addPermanentWidget(label);
    }
    workerIcon_->setContentsMargins(Theme::grid, 0, 0, 0);
    progress_->hide();
}

void MainWindow::note(const QString& text, int ms) {
    noteLabel_->setText(text);
    noteTimer_.start(ms);
}

void MainWindow::updateTitleBars() {
    // Tabbed docks have their names on their tabs; a title above says it twice.
    for (QDockWidget* dock : docks_) {
        const bool tabbed = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        if (QWidget* old = dock->titleBarWidget()) {
            dock->setTitleBarWidget(nullptr);
            old->deleteLater();
        } else {
            dock->setTitleBarWidget(new QWidget(dock));
        }
    }
}

void MainWindow::resetLayout() {
    for (QDockWidget* dock : docks_) {
        dock->setFloating(false);
        dock->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, docks_[QStringLiteral("explorer")]);
    addDockWidget(Qt::RightDockWidgetArea, docks_[QStringLiteral("launch")]);
    QDockWidget* first = docks_[QStringLiteral("problems")];
    addDockWidget(Qt::BottomDockWidgetArea, first);
    for (const char* name : {"output", "buffers", "timing", "function"}) {
        addDockWidget(Qt::BottomDockWidgetArea, docks_[QLatin1String(name)]);
        tabifyDockWidget(first, docks_[QLatin1String(name)]);
    }
    first->raise();
    // On a small screen, or with large text, the code comes before the list of devices.
    docks_[QStringLiteral("explorer")]->setVisible(width() >= scaledPixels(720));
    const int left = std::min(scaledPixels(264), width() / 5), right = std::min(scaledPixels(448), width() / 3);
    resizeDocks({docks_[QStringLiteral("explorer")], docks_[QStringLiteral("launch")]}, {left, right}, Qt::Horizontal);
    resizeDocks({first}, {std::min(scaledPixels(304), height() * 2 / 5)}, Qt::Vertical);
    shownScale_ = textScale();
}

void MainWindow::resizeToScreen() {
    const QSize wanted(scaledPixels(1440), scaledPixels(900));
    const QSize room = screen()->availableGeometry().size();
    constexpr int frame = 48; // of the window manager: title and borders
    if (wanted.width() + frame <= room.width() && wanted.height() + frame <= room.height()) {
        resize(wanted);
        return;
    }
    // As large as it gets; this size is what a window manager goes back to.
    resize(wanted.boundedTo(room - QSize(frame, frame)));
    setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitToolBar();
}

void MainWindow::fitToolBar() {
    if (!bar_ || !kernelBox_) return;
    struct Step {
        int kernel, device, arch; ///< letters in the boxes
        bool words;               ///< beside the pictures
    };
    const int letter = QFontMetrics(QApplication::font()).averageCharWidth(), rest = scaledPixels(52);
    for (const Step& step : {Step{22, 30, 14, true}, Step{16, 18, 12, true}, Step{12, 12, 10, true},
                             Step{10, 10, 8, false}, Step{6, 5, 5, false}}) {
        // Not the boxes' own length in letters: they keep the size that they had for it first.
        kernelBox_->setFixedWidth(step.kernel * letter + rest);
        deviceBox_->setFixedWidth(step.device * letter + rest);
        archBox_->setFixedWidth(step.arch * letter + rest);
        int needed = 3 * Theme::grid;
        for (QAction* action : bar_->actions()) {
            QWidget* widget = bar_->widgetForAction(action);
            if (auto* button = qobject_cast<QToolButton*>(widget); button && action->objectName().contains('.'))
                if (!action->objectName().startsWith(QLatin1String("file.")))
                    button->setToolButtonStyle(step.words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
            if (widget) // a fixed width rules over what a box would like
                needed += (widget->minimumWidth() ? widget->minimumWidth() : widget->sizeHint().width()) + Theme::half;
        }
        if (needed <= width()) return;
    }
}

void MainWindow::fitDocks(double ratio) {
    const auto fit = [&](std::initializer_list<const char*> names, Qt::Orientation orientation, double most) {
        QList<QDockWidget*> docks;
        QList<int> sizes;
        const int room = orientation == Qt::Horizontal ? width() : height();
        for (const char* name : names) {
            QDockWidget* dock = docks_.value(QLatin1String(name));
            if (dock->isFloating() || !isInFront(dock)) continue;
            const int size = orientation == Qt::Horizontal ? dock->width() : dock->height();
            docks << dock;
            sizes << std::min(int(size * ratio), int(room * most));
        }
        if (!docks.isEmpty()) resizeDocks(docks, sizes, orientation);
    };
    fit({"explorer"}, Qt::Horizontal, 0.22);
    fit({"launch"}, Qt::Horizontal, 0.36);
    fit({"problems", "output", "buffers", "timing", "function"}, Qt::Vertical, 0.42);
}

void MainWindow::restyle() {
    const Colours& c = workbench_.theme().colours();
    const int side = QFontMetrics(QApplication::font()).height();
    bar_->setIconSize(QSize(side + 2, side + 2));
    findAction(QStringLiteral("run.run"))->setIcon(icon(QStringLiteral("run"), c.success));
    findAction(QStringLiteral("run.stop"))->setIcon(icon(QStringLiteral("stop"), c.error));
    // A column of a list that is pressed keeps room for some letters; the list scrolls.
    const int few = QFontMetrics(QApplication::font()).averageCharWidth() * 6;
    for (QHeaderView* header : findChildren<QHeaderView*>()) {
        if (header->orientation() != Qt::Horizontal) continue;
        header->setMinimumSectionSize(few);
        QMetaObject::invokeMethod(header, "resizeSections", Qt::QueuedConnection); // it does not by itself
    }
    if (const double ratio = textScale() / shownScale_; isVisible() && ratio != 1) {
        shownScale_ = textScale();
        // After the widgets have taken their new fonts.
        QTimer::singleShot(0, this, [this, ratio] {
            fitToolBar();
            fitDocks(ratio);
            // Larger than the screen, nothing could be reached any more.
            const QSize room = screen()->availableGeometry().size(), least = minimumSizeHint();
            if (workbench_.theme().zoom() > 0 && (least.width() > room.width() || least.height() > room.height())) {
                Preferences smaller = preferences_;
                --smaller.zoom;
                setPreferences(smaller);
                note(tr("Text cannot be larger on this screen."), 5000);
            } else if (width() > room.width() || height() > room.height()) {
                resize(size().boundedTo(room)); // the larger text had pushed it out
            }
        });
    }
    updateStatus();
}

void MainWindow::updateTitle() {
    const QString readOnly = document().isReadOnly() ? tr(" (read-only)") : QString();
    setWindowTitle(tr("%1[*]%2 – Warplight").arg(document().title(), readOnly));
    setWindowModified(document().isModified());
    setWindowFilePath(document().path());
    setWindowTitle(tr("%1[*]%2 – Warplight").arg(document().title(), readOnly));
    updateActions();
}

void MainWindow::updateRepeatBox() {
    repeatBox_->setNumber(quint64(document().session().repeat));
    repeatBox_->setProblem({});
    updateActions();
}

void MainWindow::updateDeviceBox() {
    const QString current = QString::fromStdString(document().session().device);
    deviceBox_->clear();
    deviceBox_->addItem(icon(QStringLiteral("device")), tr("Best device"), QStringLiteral("auto"));
    for (const DeviceInfo& device : explorer_->devicesModel().devices())
        deviceBox_->addItem(icon(QStringLiteral("device")), QStringLiteral("%1 (%2)").arg(device.name, device.id),
                            device.id);
    // "software" and "software:0" are the same device.
    int index = deviceBox_->findData(current);
    if (index < 0) index = deviceBox_->findData(current + QStringLiteral(":0"));
    if (index < 0) {
        deviceBox_->addItem(icon(QStringLiteral("warning")), current, current);
        index = deviceBox_->count() - 1;
    }
    deviceBox_->setCurrentIndex(index);
}

void MainWindow::updateArchBox() {
    const QString current = QString::fromStdString(document().session().compile.arch);
    archBox_->clear();
    archBox_->addItem(tr("Device's arch"), QStringLiteral("auto"));
    for (const QString& arch : architectures_)
        archBox_->addItem(arch, arch);
    if (archBox_->findData(current) < 0) archBox_->addItem(current, current);
    archBox_->setCurrentIndex(archBox_->findData(current));
}

void MainWindow::askCompilers() {
    workbench_.worker().request(QStringLiteral("compilers"), nlohmann::json::object(), QStringLiteral("compilers"),
                                this, [this](const WorkerReply& reply) {
                                    if (!reply.ok) return;
                                    const nlohmann::json& nvrtc = reply.result.value("nvrtc", nlohmann::json::object());
                                    architectures_.clear();
                                    for (const auto& arch : nvrtc.value("architectures", nlohmann::json::array()))
                                        if (arch.is_number())
                                            architectures_ << QStringLiteral("sm_%1").arg(arch.get<int>());
                                    updateArchBox();
                                    if (!nvrtc.value("found", true))
                                        banners_->show(QStringLiteral("compiler"), BannerStack::Kind::Warning,
                                                       tr("No CUDA compiler was found"),
                                                       tr("Kernels can be written, but not compiled. Warplight can "
                                                          "download NVIDIA's run-time compiler; an installed CUDA "
                                                          "toolkit is found as well, also through CUDA_PATH."),
                                                       {{tr("Install…"), [this] { offerToolkit(); }}});
                                    else
                                        banners_->close(QStringLiteral("compiler"));
                                });
}

void MainWindow::offerToolkit() {
    auto* dialog = new ToolkitDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ToolkitDialog::installed, runner_, &RunController::build);
    connect(dialog, &QDialog::finished, this, &MainWindow::askCompilers); // a worker finds it without a new start
    dialog->open();
}

QString MainWindow::workerText() const { return workerLabel_->text(); }

void MainWindow::updateStatus() {
    const WorkerConnection& worker = workbench_.worker();
    const Colours& c = workbench_.theme().colours();
    const QString name = worker.driver() == QLatin1String("cuda") ? tr("GPU") : tr("Software device");
    QString text, symbol;
    QColor colour;
    switch (worker.state()) {
    case WorkerConnection::State::Stopped:
        text = tr("%1: not started"), symbol = QStringLiteral("info"), colour = c.mutedText;
        break;
    case WorkerConnection::State::Starting:
        text = tr("%1: starting"), symbol = QStringLiteral("refresh"), colour = c.mutedText;
        break;
    case WorkerConnection::State::Ready:
        text = tr("%1: ready"), symbol = QStringLiteral("success"), colour = c.success;
        break;
    case WorkerConnection::State::Busy:
        text = tr("%1: working"), symbol = QStringLiteral("run"), colour = c.accent;
        break;
    case WorkerConnection::State::Dead:
        text = tr("%1: not running"), symbol = QStringLiteral("error"), colour = c.error;
        break;
    }
    workerLabel_->setText(text.arg(name));
    workerLabel_->setToolTip(worker.reason());
    const int side = scaledPixels(16);
    workerIcon_->setPixmap(icon(symbol, colour).pixmap(QSize(side, side), devicePixelRatioF()));
    archLabel_->setText(document().compileOutput().arch);
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

bool MainWindow::isInFront(const QDockWidget* dock) const {
    // Of tabbed docks all are shown, and those behind lie outside of the window.
    return dock->isVisible() && (dock->isFloating() || rect().intersects(dock->geometry()));
}

QList<QWidget*> MainWindow::panes() const {
    QList<QWidget*> all{centre_->currentWidget()};
    for (const char* name : {"launch", "problems", "output", "buffers", "timing", "function", "explorer"}) {
        QDockWidget* dock = docks_.value(QLatin1String(name));
        if (isInFront(dock)) all << dock->widget();
    }
    return all;
}

void MainWindow::cyclePanes(int step) {
    const QList<QWidget*> all = panes();
    qsizetype current = -1;
    for (qsizetype i = 0; i < all.size(); ++i)
        if (const QWidget* focus = QApplication::focusWidget();
            focus && (all[i] == focus || all[i]->isAncestorOf(focus)))
            current = i;
    focusInto(all[(current + step + all.size()) % all.size()]);
}

void MainWindow::focusInto(QWidget* pane) {
    const auto takesKeys = [pane](const QWidget* child) {
        return child != pane && child->isVisibleTo(pane) && child->isEnabled() && (child->focusPolicy() & Qt::TabFocus);
    };
    // Where it was last; else the first list or table, which is what a panel is about; else the first of all.
    QWidget* target = pane->focusWidget();
    if (!target || !takesKeys(target)) {
        target = pane;
        const QList<QWidget*> children = pane->findChildren<QWidget*>();
        const auto list = std::find_if(children.cbegin(), children.cend(), [&](const QWidget* child) {
            return takesKeys(child) && qobject_cast<const QAbstractItemView*>(child);
        });
        const auto any = std::find_if(children.cbegin(), children.cend(), takesKeys);
        if (list != children.cend())
            target = *list;
        else if (any != children.cend())
            target = *any;
    }
    target->setFocus(Qt::TabFocusReason);
}

} // namespace warplight::ui
