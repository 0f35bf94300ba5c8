// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/form_dialog.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/editor/cuda_editor.hpp"
#include "ui/editor/editor_area.hpp"
#include "ui/lanes/lanes_view.hpp"
#include "ui/launch/launch_panel.hpp"
#include "ui/mainwindow/about_dialog.hpp"
#include "ui/mainwindow/banner.hpp"
#include "ui/mainwindow/command_palette.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/run_controller.hpp"
#include "ui/mainwindow/window_host.hpp"
#include "ui/program/program_runner.hpp"
#include "ui/settings/settings_dialog.hpp"
#include "ui/settings/shortcuts_dialog.hpp"
#include "ui/versions/version_view.hpp"
#include "ui/welcome/examples.hpp"
#include "ui/welcome/welcome_page.hpp"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QDockWidget>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSet>
#include <QStackedWidget>

namespace warplight::ui {

QAction* MainWindow::addAction(const QString& name, const QString& iconName, const QString& text,
                               const QKeySequence& keys, const std::function<void()>& run) {
    auto* action = new QAction(iconName.isEmpty() ? QIcon() : icon(iconName), text, this);
    action->setObjectName(name);
    action->setShortcut(keys);
    const QString plain = QString(text).remove(QLatin1Char('&')).remove(QStringLiteral("…"));
    action->setToolTip(keys.isEmpty() ? plain
                                      : QStringLiteral("%1 (%2)").arg(plain, keys.toString(QKeySequence::NativeText)));
    QWidget::addAction(action); // works while no menu shows it
    connect(action, &QAction::triggered, this, run);
    actions_.insert(name, action);
    actionOrder_ << name;
    return action;
}

void MainWindow::createActions() {
    const auto key = [](QKeySequence::StandardKey standard, const char* fallback) {
        const QKeySequence sequence(standard);
        return sequence.isEmpty() ? QKeySequence(QLatin1String(fallback)) : sequence;
    };
    addAction(QStringLiteral("file.new"), QStringLiteral("new"), tr("&New Session"), key(QKeySequence::New, "Ctrl+N"),
              [this] { newSession(); });
    addAction(QStringLiteral("file.newProgram"), {}, tr("New &Program"), QKeySequence(QStringLiteral("Ctrl+Shift+N")),
              [this] { newProgram(); });
    addAction(QStringLiteral("file.open"), QStringLiteral("open"), tr("&Open…"), key(QKeySequence::Open, "Ctrl+O"),
              [this] { openDialog(); });
    addAction(QStringLiteral("file.save"), QStringLiteral("save"), tr("&Save"), key(QKeySequence::Save, "Ctrl+S"),
              [this] { save(); });
    addAction(QStringLiteral("file.saveAs"), {}, tr("Save Session &As…"), key(QKeySequence::SaveAs, "Ctrl+Shift+S"),
              [this] { saveSessionAsDialog(); });
    addAction(QStringLiteral("file.saveSourceAs"), {}, tr("Save Sou&rce As…"), {}, [this] {
        if (SourceFile* source = editors_->currentSource()) saveSourceAs(source);
    });
    addAction(QStringLiteral("file.properties"), {}, tr("Session Propert&ies…"), {}, [this] { editProperties(); });
    addAction(QStringLiteral("file.exercise"), {}, tr("E&dit Exercise…"), {}, [this] { editExercise(); });
    addAction(QStringLiteral("file.exportProgram"), QStringLiteral("export"), tr("E&xport as a Program…"), {},
              [this] { exportProgram(); });
    addAction(QStringLiteral("file.exportReport"), {}, tr("Export Repor&t…"), {}, [this] { exportReport(); });
    addAction(QStringLiteral("file.restoreOriginal"), {}, tr("Restore Ori&ginal…"), {}, [this] { restoreOriginal(); });
    addAction(QStringLiteral("file.close"), QStringLiteral("close"), tr("&Close Tab"),
              key(QKeySequence::Close, "Ctrl+W"), [this] {
                  SourceFile* source = centre_->currentWidget() == editors_ ? editors_->currentSource() : nullptr;
                  if (source)
                      closeSource(source);
                  else if (host_)
                      host_->closeTab(*this);
              });
    createTabActions();
    createVersionActions();
    addAction(QStringLiteral("file.quit"), QStringLiteral("quit"), tr("&Quit"), key(QKeySequence::Quit, "Ctrl+Q"),
              [this] {
                  if (host_)
                      host_->quit();
                  else
                      close();
              });

    addAction(QStringLiteral("edit.undoSession"), QStringLiteral("undo"), tr("Undo Launch Change"),
              QKeySequence(QStringLiteral("Ctrl+Alt+Z")), [this] { document().undoStack().undo(); });
    addAction(QStringLiteral("edit.redoSession"), QStringLiteral("redo"), tr("Redo Launch Change"),
              QKeySequence(QStringLiteral("Ctrl+Alt+Y")), [this] { document().undoStack().redo(); });
    addAction(QStringLiteral("edit.settings"), QStringLiteral("settings"), tr("Se&ttings…"),
              key(QKeySequence::Preferences, "Ctrl+,"), [this] { showSettings(); });

    addAction(QStringLiteral("view.palette"), QStringLiteral("palette"), tr("&Command Palette…"),
              QKeySequence(QStringLiteral("Ctrl+Shift+P")), [this] { showPalette(); });
    const auto zoom = [this](int steps) {
        Preferences p = preferences_;
        p.zoom = steps;
        setPreferences(p);
    };
    auto* zoomIn =
        addAction(QStringLiteral("view.zoomIn"), QStringLiteral("plus"), tr("Zoom &In"),
                  QKeySequence(QStringLiteral("Ctrl++")), [this, zoom] { zoom(workbench_.theme().zoom() + 1); });
    zoomIn->setShortcuts({QKeySequence(QStringLiteral("Ctrl++")), QKeySequence(QStringLiteral("Ctrl+="))});
    addAction(QStringLiteral("view.zoomOut"), QStringLiteral("minus"), tr("Zoom &Out"),
              QKeySequence(QStringLiteral("Ctrl+-")), [this, zoom] { zoom(workbench_.theme().zoom() - 1); });
    addAction(QStringLiteral("view.zoomReset"), {}, tr("&Normal Size"), QKeySequence(QStringLiteral("Ctrl+0")),
              [zoom] { zoom(0); });
    auto* themes = new QActionGroup(this);
    const auto theme = [&](const char* name, const char* iconName, const QString& text, Theme::Mode mode) {
        QAction* action = addAction(QLatin1String(name), QLatin1String(iconName), text, {}, [this, mode] {
            Preferences p = preferences_;
            p.theme = mode;
            setPreferences(p);
        });
        action->setCheckable(true);
        action->setData(static_cast<int>(mode));
        themes->addAction(action);
    };
    theme("view.theme.system", "settings", tr("As the &System"), Theme::Mode::System);
    theme("view.theme.light", "sun", tr("&Light"), Theme::Mode::Light);
    theme("view.theme.dark", "moon", tr("&Dark"), Theme::Mode::Dark);

    addAction(QStringLiteral("build.build"), QStringLiteral("build"), tr("&Build"),
              QKeySequence(QStringLiteral("Ctrl+B")), [this] { build(); });
    QAction* check = addAction(QStringLiteral("build.check"), {}, tr("&Check While Typing"), {}, [] {});
    check->setCheckable(true);
    connect(check, &QAction::toggled, this, [this](bool on) {
        Preferences p = preferences_;
        p.checkWhileTyping = on;
        setPreferences(p);
    });
    addAction(QStringLiteral("run.run"), QStringLiteral("run"), tr("&Run"), QKeySequence(Qt::Key_F5),
              [this] { run(); });
    QAction* asProgram = addAction(QStringLiteral("run.asProgram"), {}, tr("Source Is a &Program"), {}, [this] {
        const bool program = !document().isProgram();
        document().modify(program ? tr("Make It a Program") : tr("Make It a Kernel"), [&](session::Session& session) {
            session.compile.compiler = program ? "nvcc" : preferences_.compiler.toStdString();
            if (program)
                session.program.emplace();
            else
                session.program.reset();
        });
        updateActions();
    });
    asProgram->setCheckable(true);
    QAction* profile = addAction(QStringLiteral("run.profile"), QStringLiteral("profile"), tr("Pro&file"), {}, [this] {
        const bool on = findAction(QStringLiteral("run.profile"))->isChecked();
        document().modify(on ? tr("Profile") : tr("Do Not Profile"),
                          [on](session::Session& session) { session.profile = on; });
    });
    profile->setCheckable(true);
    profile->setToolTip(tr("Count what each line does, in one more run on the software device"));
    addAction(QStringLiteral("run.stop"), QStringLiteral("stop"), tr("&Stop"), QKeySequence(QStringLiteral("Shift+F5")),
              [this] { stop(); });

    addAction(QStringLiteral("run.checkSolution"), QStringLiteral("check"), tr("Chec&k My Solution"), {},
              [this] { checkSolution(); });
    addAction(QStringLiteral("run.lanes"), QStringLiteral("memory"), tr("&Lanes and Memory…"),
              QKeySequence(QStringLiteral("Ctrl+Shift+M")), [this] {
                  const SourceFile* source = editors_->currentSource();
                  const bool editing = centre_->currentWidget() == editors_ && source;
                  showLanes(editing ? source->path() : QString(), editing ? editors_->currentEditor()->caretLine() : 0);
              });

    addAction(QStringLiteral("run.compareBlocks"), QStringLiteral("compare"), tr("Co&mpare Block Sizes"), {},
              [this] { compareBlocks(); });
    addAction(QStringLiteral("run.sweep"), QStringLiteral("plot"), tr("S&weep…"), {}, [this] { showSweep(); });

    addAction(QStringLiteral("run.addMachine"), QStringLiteral("machine"), tr("Add Machi&ne…"), {},
              [this] { addMachine(); });

    addAction(QStringLiteral("window.next"), {}, tr("&Next Pane"), QKeySequence(Qt::Key_F6), [this] { cyclePanes(1); });
    addAction(QStringLiteral("window.previous"), {}, tr("&Previous Pane"), QKeySequence(QStringLiteral("Shift+F6")),
              [this] { cyclePanes(-1); });
    addAction(QStringLiteral("window.editor"), QStringLiteral("code"), tr("&Editor"),
              QKeySequence(QStringLiteral("Ctrl+E")), [this] {
                  showEditor();
                  editors_->setFocus();
                  if (SourceFile* source = editors_->currentSource()) editors_->setCurrentSource(source);
              });
    addAction(QStringLiteral("window.reset"), {}, tr("&Reset Layout"), {}, [this] { resetLayout(); });
    addAction(QStringLiteral("help.welcome"), QStringLiteral("home"), tr("&Welcome and Examples"),
              QKeySequence(Qt::Key_F1), [this] { showWelcome(); });
    addAction(QStringLiteral("help.guide"), QStringLiteral("help"), tr("User &Guide"),
              QKeySequence(QStringLiteral("Shift+F1")), [this] { emit workbench_.showGuide({}); });
    addAction(QStringLiteral("help.shortcuts"), {}, tr("&Keyboard Shortcuts"),
              QKeySequence(QStringLiteral("Ctrl+Shift+K")), [this] { showShortcuts(); });
    addAction(QStringLiteral("help.about"), QStringLiteral("info"), tr("&About Warplight"), {},
              [this] { showAbout(); });
    int digit = 1;
    for (const PanelDock& d : std::as_const(docks_)) {
        const QString panel = QLatin1String(d.row->name), iconName = QLatin1String(d.row->icon);
        d.dock->toggleViewAction()->setIcon(icon(iconName));
        // Shows, and never closes: who presses a key to see a panel may have it in front already.
        addAction(QStringLiteral("window.") + panel, iconName, tr(d.row->title),
                  QKeySequence(QStringLiteral("Alt+%1").arg(digit++ % 10)), [this, panel] { focusPanel(panel); });
    }
}

void MainWindow::createMenus() {
    const auto add = [this](QMenu* menu, std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (*name)
                menu->addAction(findAction(QLatin1String(name)));
            else
                menu->addSeparator();
    };
    QMenu* file = menuBar()->addMenu(tr("&File"));
    add(file, {"file.new", "file.newProgram", "file.newTab", "file.newWindow", "file.open"});
    QMenu* recent = file->addMenu(icon(QStringLiteral("history")), tr("Open R&ecent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecentMenu(recent); });
    add(file, {"", "file.save", "file.saveAs", "file.saveSourceAs", "file.restoreOriginal", "", "file.properties",
               "file.exercise", "", "file.exportProgram", "file.exportReport", "", "file.close", "file.closeSession",
               "file.closeWindow", "", "file.quit"});

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    edit->addActions(editors_->editActions());
    edit->addSeparator();
    add(edit, {"edit.undoSession", "edit.redoSession", "", "edit.settings"});

    QMenu* view = menuBar()->addMenu(tr("&View"));
    add(view, {"view.palette", ""});
    QMenu* theme = view->addMenu(icon(QStringLiteral("moon")), tr("&Theme"));
    add(theme, {"view.theme.system", "view.theme.light", "view.theme.dark"});
    add(view, {"view.zoomIn", "view.zoomOut", "view.zoomReset", ""});
    view->addActions(editors_->viewActions());

    view->addSeparator();
    QMenu* versions = view->addMenu(icon(QStringLiteral("compare")), tr("Com&pare Source With"));
    versions->setObjectName(QStringLiteral("versionMenu"));
    connect(versions, &QMenu::aboutToShow, this, [this, versions] { fillVersionMenu(versions); });
    add(view, {"view.endComparison"});

    QMenu* build = menuBar()->addMenu(tr("&Build"));
    add(build, {"build.build", "build.check"});
    build->addAction(panel<LaunchPanel>().compileOptionsAction());
    build->addSeparator();
    build->addActions(panelActions(PanelMenu::Build));
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    add(run, {"run.run", "run.stop", "run.checkSolution", "", "run.compareBlocks", "run.sweep", "", "run.profile",
              "run.lanes", "run.asProgram", "", "run.addMachine", ""});
    run->addActions(panelActions(PanelMenu::Run));
    QMenu* debug = menuBar()->addMenu(tr("&Debug"));
    debug->addActions(panelActions(PanelMenu::Debug));

    QMenu* window = menuBar()->addMenu(tr("&Window"));
    add(window, {"window.editor"});
    for (const PanelDock& d : std::as_const(docks_))
        window->addAction(findAction(QStringLiteral("window.") + QLatin1String(d.row->name)));
    window->addSeparator();
    QMenu* shown = window->addMenu(tr("&Show or Hide"));
    for (const PanelDock& d : std::as_const(docks_))
        shown->addAction(d.dock->toggleViewAction());
    window->addSeparator();
    add(window, {"window.next", "window.previous", "", "window.nextSession", "window.previousSession",
                 "window.moveSession", "", "window.reset"});

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    add(help, {"help.welcome", "help.guide", "help.shortcuts", "", "help.about"});
    connect(&document().undoStack(), &QUndoStack::indexChanged, this, &MainWindow::updateActions);
    shortcuts_.take(allActions());
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> all;
    for (const QString& name : actionOrder_)
        all << actions_.value(name);
    all << editors_->editActions() << editors_->viewActions() << panelActions(PanelMenu::Build)
        << panelActions(PanelMenu::Run) << panelActions(PanelMenu::Debug)
        << panel<LaunchPanel>().compileOptionsAction();
    for (const PanelDock& d : docks_)
        all << d.dock->toggleViewAction();
    all.removeIf([](const QAction* a) { return a->isSeparator(); });
    return all;
}

void MainWindow::updateActions() {
    if (!actions_.contains(QStringLiteral("help.about"))) return; // still being made
    const bool editing = centre_->currentWidget() == editors_;
    const SourceFile* source = editing ? editors_->currentSource() : nullptr;
    const bool busy = isBusy();
    const auto enable = [this](const char* name, bool on) { findAction(QLatin1String(name))->setEnabled(on); };
    const bool hasSource = !document().mainSource()->text().trimmed().isEmpty();
    enable("file.save", editing && !document().isReadOnly());
    enable("file.saveAs", editing);
    enable("file.properties", editing && !document().isReadOnly());
    enable("file.saveSourceAs", source != nullptr);
    enable("file.exportProgram", hasSource && !document().isProgram());
    enable("file.exportReport", document().hasReport());
    enable("file.close", source != nullptr || (host_ && !host_->isAlone(*this)));
    updateTabActions();
    for (const char* name : {"view.compareDisk", "view.compareFile"})
        enable(name, source != nullptr);
    enable("view.endComparison", versions_ && !versions_->isHidden());
    enable("build.build", hasSource && !busy);
    enable("run.run", hasSource && !isRunning() && !programs_->isBuilding());
    enable("run.stop", busy || !workbench_.activities().shown().isEmpty());
    enable("run.checkSolution", document().session().exercise && hasSource && !isRunning());
    enable("file.restoreOriginal", !document().isReadOnly() && !originalOf(document().path()).isEmpty());
    QUndoStack& undo = document().undoStack();
    enable("edit.undoSession", undo.canUndo());
    enable("edit.redoSession", undo.canRedo());
    findAction(QStringLiteral("edit.undoSession"))
        ->setText(undo.canUndo() ? tr("Undo “%1”").arg(undo.undoText()) : tr("Undo Launch Change"));
    findAction(QStringLiteral("edit.redoSession"))
        ->setText(undo.canRedo() ? tr("Redo “%1”").arg(undo.redoText()) : tr("Redo Launch Change"));
    findAction(QStringLiteral("run.asProgram"))->setChecked(document().isProgram());
    findAction(QStringLiteral("run.profile"))->setChecked(document().session().profile);
    enable("run.profile", hasSource && !document().isProgram());
    enable("run.compareBlocks", hasSource && !document().isProgram() && !isRunning());
    enable("run.sweep", hasSource && !document().isProgram());
    enable("run.asProgram", !busy && !document().mainSource()->isPtx());
    if (repeatBox_) repeatBox_->setEnabled(hasSource && !document().isProgram());
}

void MainWindow::fillRecentMenu(QMenu* menu) {
    menu->clear();
    for (const QString& path : recentFiles()) {
        if (!QFileInfo::exists(path)) continue;
        const QString shown = QString(path)
                                  .replace(QDir::homePath(), QStringLiteral("~"))
                                  .replace(QLatin1Char('&'), QStringLiteral("&&"));
        QAction* action = menu->addAction(shown);
        action->setProperty("file", true);
        connect(action, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    if (menu->isEmpty()) {
        menu->addAction(tr("Nothing was opened yet"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("&Clear")), &QAction::triggered, this, [this] {
        clearRecentFiles();
        welcome_->setRecentFiles({});
    });
}

void MainWindow::showPalette() {
    QList<ActionsModel::Entry> entries;
    QSet<QAction*> seen;
    const std::function<void(QMenu*, const QString&)> collect = [&](QMenu* menu, const QString& path) {
        for (QAction* action : menu->actions()) {
            if (action->isSeparator()) continue;
            const QString name = path + QString(action->text()).remove(QLatin1Char('&'));
            if (action->menu()) {
                if (action->menu()->isEmpty()) emit action->menu()->aboutToShow();
                collect(action->menu(), name + QStringLiteral(" › "));
            } else if (action->objectName() != QLatin1String("view.palette") && !seen.contains(action)) {
                seen << action;
                entries.append({action, name, action->property("file").toBool()});
            }
        }
    };
    for (QAction* top : menuBar()->actions())
        if (top->menu()) collect(top->menu(), QString(top->text()).remove(QLatin1Char('&')) + QStringLiteral(" › "));
    auto* palette = new CommandPalette(entries, this);
    palette->setObjectName(QStringLiteral("commandPalette"));
    palette->show();
}

void MainWindow::showShortcuts() {
    ShortcutsDialog(shortcuts_, this).exec();
    if (host_) host_->shortcutsChanged(*this);
}

void MainWindow::showLanes(const QString& file, int line) {
    if (!lanes_) {
        lanes_ = new LanesView(workbench_, this);
        lanes_->setWindowFlag(Qt::Tool);
        lanes_->resize(QSize(scaledPixels(880), scaledPixels(520)).boundedTo(roomForDialog(this)));
        connect(lanes_, &LanesView::recordRequested, this, [this](const QString& choice) {
            if (isRunning()) return;
            runner_->setRecordedWarp(choice);
            run();
        });
    }
    if (line > 0) lanes_->showLine(file, line);
    lanes_->show();
    lanes_->raise();
    lanes_->activateWindow();
}

void MainWindow::showAbout() {
    AboutDialog(workbench_.theme(), worker::walls_from_json(workbench_.worker().walls()), this).exec();
}

void MainWindow::showSettings() {
    const Preferences before = preferences_;
    SettingsDialog dialog(before, this);
    connect(&dialog, &SettingsDialog::edited, this, [&] { setPreferences(dialog.preferences()); });
    setPreferences(dialog.exec() == QDialog::Accepted ? dialog.preferences() : before);
    checkReach(); // an agreement may have been forgotten
}

void MainWindow::setPreferences(const Preferences& preferences) {
    const bool changed = !(preferences == preferences_);
    takePreferences(preferences);
    if (!changed) return;
    preferences_.save();
    if (host_) host_->preferencesChanged(*this);
}

void MainWindow::takePreferences(const Preferences& preferences) {
    preferences_ = preferences;
    Theme& theme = workbench_.theme();
    theme.setMode(preferences.theme);
    theme.setFontFamily(preferences.fontFamily);
    theme.setFontSize(preferences.fontSize);
    theme.setZoom(preferences.zoom);
    preferences_.zoom = theme.zoom(); // clipped
    runner_->setCheckWhileTyping(preferences.checkWhileTyping);
    workbench_.history().setKeeping(preferences.keepRuns, preferences.keptRuns);
    // A worker reads its environment when it starts.
    qputenv("WARPLIGHT_CACHE_LIMIT", QByteArray::number(static_cast<qint64>(preferences.cacheMiB) << 20));
    qputenv("WARPLIGHT_REMOTE_LINGER", QByteArray::number(preferences.lingerMinutes * 60));
    if (preferences.autosave)
        autosaveTimer_.start();
    else
        autosaveTimer_.stop();
    for (const char* name : {"view.theme.system", "view.theme.light", "view.theme.dark"})
        if (QAction* action = findAction(QLatin1String(name)))
            action->setChecked(action->data().toInt() == static_cast<int>(preferences.theme));
    if (QAction* check = findAction(QStringLiteral("build.check"))) check->setChecked(preferences.checkWhileTyping);
}

} // namespace warplight::ui
