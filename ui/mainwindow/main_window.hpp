// SPDX-License-Identifier: GPL-3.0-or-later
/// The window: menus, toolbar, docks around the editor, status bar. Split over files by concept: its start
/// (main_window.cpp), the editor and the panels (…_panels.cpp), toolbar and status bar (…_bars.cpp), sizes and places
/// (…_layout.cpp), its actions (…_actions.cpp), opening files (…_open.cpp), files (…_files.cpp), building and running
/// (…_run.cpp), programs (…_program.cpp), sweeps (…_sweep.cpp), stepping through kernels (…_debug.cpp), the history of
/// runs (…_history.cpp), notes and exercises (…_notes.cpp), being a tab (…_tabs.cpp). In the program it is the page of
/// a tab (tab_window.hpp).
#pragma once

#include "ui/common/device_turns.hpp"
#include "ui/common/panel.hpp"
#include "ui/common/workbench.hpp"
#include "ui/mainwindow/panel_table.hpp"
#include "ui/mainwindow/recovery.hpp"
#include "ui/settings/preferences.hpp"
#include "ui/settings/shortcuts.hpp"

#include <QHash>
#include <QList>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>

namespace warplight::worker {
struct RunRequest;
}

namespace warplight::history {
struct Run;
}

class QComboBox;
class QDockWidget;
class QMenuBar;
class QLabel;
class QStackedWidget;

namespace warplight::ui {

class ActivityBar;
class BannerStack;
class EditorArea;
class KernelBox;
class LanesView;
class NumberBox;
class ProgramRunner;
struct ProgramRun;
class ReportWriter;
class RunController;
class VersionView;
class WelcomePage;
class WindowHost;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& workbench() { return workbench_; }
    Document& document() { return workbench_.document(); }
    RunController& runner() { return *runner_; }
    ProgramRunner& programs() { return *programs_; }
    BannerStack& banners() { return *banners_; }
    Shortcuts& shortcuts() { return shortcuts_; }
    EditorArea& editors() { return *editors_; }
    /// The panel of a class that panel_table.cpp has a row of.
    template <class P>
    P& panel() const {
        return *qobject_cast<P*>(dockOf<P>().panel);
    }
    /// Writes the last run's report: HTML, or PDF by the file's name.
    void writeReport(const QString& path);
    /// By its object name: "file.open", "run.run", …
    QAction* findAction(const QString& name) const { return actions_.value(name); }
    QList<QAction*> allActions() const;

    /// Told the page that has the file; null where it was not opened, or was stopped.
    using Opened = std::function<void(MainWindow*)>;
    /// Opens a session, a source or data. A session goes to the tab that has it, else to a new one; without tabs it
    /// takes the place of the open one, after asking about unsaved changes. False when it was not opened; a banner says
    /// why. A file that is not read at once is opened later, if nobody presses Stop; it is true then.
    bool openFile(const QString& path, const Opened& then = {});
    /// Opens a session or a source in this page, at once or later, without asking about changes that are there already.
    /// A banner says why it was not opened. `then` comes in any case.
    void openHere(const QString& path, const std::function<void()>& then = {});
    /// Copies the example to a writable folder, opens it, and runs it if `run` is set.
    bool openExample(const QString& document, bool run);
    bool save();
    bool saveSessionAs(const QString& path);
    void setPreferences(const Preferences& preferences);
    /// Those that another page has saved.
    void takePreferences(const Preferences& preferences);
    const Preferences& preferences() const { return preferences_; }

    // As a tab
    /// Null: it is a window by itself.
    void setHost(WindowHost* host);
    /// Where the menus are now: the window around the tabs shows them above the tabs.
    QMenuBar* menuBar() const { return menus_; }
    /// Nothing was opened, begun or run here.
    bool isUntouched();
    QString tabTitle();
    /// Of the session, or of the source where there is none; empty where nothing was saved.
    QString filePath();
    /// A kernel or a program is being built or runs.
    bool isBusy() const;
    /// Asks about unsaved changes. False: the user wants to stay.
    bool mayReplaceDocument();
    /// Goes back to the welcome page, without asking.
    void clearSession();
    /// Lets go of the session's lock and of unsaved work, before it is deleted.
    void endSession();
    /// For the next page, window or start.
    void saveLayouts();
    /// Gives the docks the sizes that saveLayouts() has kept, as far as there is room now.
    void restoreSizes();
    /// The actions for tabs depend on how many there are.
    void showTabActions() { updateActions(); }
    /// Writes unsaved work to the recovery store now.
    void autosave();
    void showWelcome();
    void showEditor();
    /// Brings a panel to the front.
    void showPanel(const QString& name);
    /// Brings a panel to the front and gives it the focus, at the widget that had it last.
    void focusPanel(const QString& name);
    void resetLayout();
    /// Null before it was shown.
    LanesView* lanes() const { return lanes_; }
    /// Another version beside the source; null before one was shown.
    VersionView* versions() const { return versions_; }
    /// True when the dock is visible. Of tabbed docks only one is.
    bool isInFront(const QDockWidget* dock) const;

signals:
    /// tabTitle(), filePath(), isBusy(), or whether it is modified.
    void tabChanged();

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct PanelDock {
        const PanelRow* row;
        QDockWidget* dock;
        Panel* panel;
    };

    // main_window.cpp
    void updateTitle();
    /// Offers to install the session's compiler where it is missing.
    void askCompilers();
    void offerToolkit(bool withNvcc);
    // main_window_panels.cpp
    void createCentre();
    void connectCentre();
    /// A panel for each row of the table.
    void createPanels();
    /// What the window does for the signals of a panel.
    void connectPanels();
    template <class P>
    const PanelDock& dockOf() const {
        for (const PanelDock& d : docks_)
            if (qobject_cast<P*>(d.panel)) return d;
        qFatal("%s has no row in panel_table.cpp", P::staticMetaObject.className());
    }
    /// Null when no panel has that name.
    QDockWidget* findDock(const QString& name) const;
    /// The panels of that area in a new window, wherever they are now.
    QList<PanelDock> docksOf(Qt::DockWidgetArea area) const;
    /// The only one of that area in a new window.
    const PanelDock& sideDock(Qt::DockWidgetArea area) const;
    template <class P>
    void showPanel() {
        showDock(dockOf<P>().dock);
    }
    static void showDock(QDockWidget* dock);
    /// The panels' own actions for that menu.
    QList<QAction*> panelActions(PanelMenu menu) const;
    // main_window_bars.cpp
    void createToolBar();
    void createStatusBar();
    void changeRepeats(quint64 value);
    /// Why the number in the toolbar is wrong; empty when a session can hold it.
    QString repeatsProblem() const;
    void updateRepeatBox();
    void updateDeviceBox();
    void updateArchBox();
    void updateStatus();
    /// Shows a short note in the status bar, beside the worker's state.
    void note(const QString& text, int ms);
    // main_window_layout.cpp
    void restyle();
    void resizeToScreen();
    /// Keeps Run and Stop visible in a narrow window: the toolbar's boxes get narrower, then a second line.
    void fitToolBar();
    void placeChoices(bool ownLine);
    /// Resizes docks along with their text, as far as the window allows.
    /// @param ratio new size of the text by old size; 1 after the window was resized
    void fitDocks(double ratio);
    /// Gives the docks beside the code these widths, as far as there is room. The left dock is hidden while there is
    /// too little.
    void fitSides(int left, int right);
    /// The least width at which the panel needs no horizontal scroll bar.
    int neededWidth(const Panel& panel) const;
    /// The width kept free for the code: that of a line, or less in a narrow window.
    int roomForCode() const;
    void updateTitleBars();
    void focusInto(QWidget* pane);
    void cyclePanes(int step);
    QList<QWidget*> panes() const;
    // main_window_actions.cpp
    QAction* addAction(const QString& name, const QString& icon, const QString& text, const QKeySequence& keys,
                       const std::function<void()>& run);
    void createActions();
    void createMenus();
    void updateActions();
    void showPalette();
    void showShortcuts();
    void showAbout();
    void showSettings();
    /// Opens the window of lanes and memory, at a line if there is one.
    void showLanes(const QString& file, int line);
    void fillRecentMenu(QMenu* menu);
    // main_window_tabs.cpp
    void createTabActions();
    void updateTabActions();
    /// The page for another document: this one, or a new tab. Null: the user wants to keep what is here.
    MainWindow* pageForDocument();
    /// Puts what a crash has left into pages.
    void restoreAll(const QList<Recovery::Found>& found);
    bool restoreHere(const Recovery::Found& found);
    // main_window_open.cpp
    void openDialog();
    /// In the tab that has the file, or in a new one. False when it was not opened.
    bool openPage(const QString& path, const Opened& then = {});
    /// Reads a session or a source, at once or later. @returns the number of the loading
    int readSessionOf(const QString& path, const std::function<void(OpenedSession)>& then,
                      const std::function<void()>& failed);
    /// It takes the place of what is open here.
    void take(OpenedSession read, const QString& path);
    void afterOpen(const QString& path);
    // main_window_files.cpp
    /// Asks the user if another window has changed the files.
    bool mayOverwrite(const QString& path);
    void newSession();
    void newProgram();
    void beginSession();
    void beginProgram();
    /// Gives a session without a document the compile options of new sessions.
    void takeCompilePreferences();
    void saveSessionAsDialog();
    bool saveSourceAs(SourceFile* source);
    void closeSource(SourceFile* source);
    void takeSessionLock();
    /// Makes the session editable here once the other window has closed it.
    void retrySessionLock();
    void offerRecovery();
    void fail(const QString& title, const QString& text);
    // main_window_program.cpp
    void connectProgram();
    /// Goes on at once, or when the user has agreed: nothing confines the programs of a folder and their builds.
    void makeSessionOfLaunch(const QString& kernel, const std::vector<quint64>& numbers);
    void withProgramsAllowed(const std::function<void()>& then);
    void showProgramResult(const ProgramRun& run);
    // main_window_machines.cpp
    void connectMachines();
    /// A device of this machine becomes the session's; one of another machine replaces the session's here.
    void chooseDevice(const QString& id);
    void addMachine();
    void removeMachine(const QString& address);
    void renameMachine(const QString& address);
    void installThere(const QString& address);
    /// The session as the workers of a sweep or an exercise take it: its device is the chosen one of another machine.
    worker::RunRequest requestThere() const;
    /// Shows the connection that a run, a sweep or an exercise waits for.
    void showLink();
    /// Reports a run or a build that got no answer because its machine cannot be reached.
    void showUnreachable(const WorkerConnection& worker, bool ofRun, bool lost);
    /// @param again a button's text and what it does; without a text there is none
    void showUnreachable(const QString& title, const QString& text, const QString& address, const QString& again = {},
                         const std::function<void()>& act = {});
    // main_window_sass.cpp
    void connectSass();
    // main_window_sweep.cpp
    void connectSweep();
    void showSweep();
    /// Shows a sweep of block sizes that can be started.
    void compareBlocks();
    void startSweep();
    // main_window_versions.cpp
    void createVersionActions();
    void fillVersionMenu(QMenu* menu);
    /// Shows a version beside the source in the editor.
    void showVersion(const QString& name, const QString& text);
    /// Shows what `read` returns, which runs in another thread, at once or later.
    void readVersion(const QString& path, const QString& name,
                     const std::function<std::optional<QString>(QString* problem)>& read);
    void compareWithDisk();
    void compareWithFile();
    void compareWithTab(MainWindow& page);
    void compareWithRun(qint64 id);
    void endComparison();
    // main_window_notes.cpp
    void connectNotes();
    /// Brings the notes of a session that was opened to the front, where it has some.
    void offerNotes();
    void editProperties();
    void editExercise();
    void checkSolution();
    /// Puts an example, lesson or exercise back to how it came, as a step of undo. Asks before.
    void restoreOriginal();
    // main_window_history.cpp
    void connectHistory();
    /// Puts source, launch, arguments and options of a kept run into the window. Where that is another session, it is
    /// opened first.
    void restoreRun(const std::shared_ptr<const history::Run>& run);
    /// In a page that was opened for it; null: it was not.
    void restoreIn(MainWindow* page, const std::shared_ptr<const history::Run>& run);
    /// The run is one of the open session.
    bool isOfDocument(const history::Run& run);
    // main_window_export.cpp
    void exportReport();
    void exportProgram();
    // main_window_debug.cpp
    void connectDebugger();
    void debug();
    /// Shows the line where the kernel stands; the keyboard stays where it is.
    void showStanding();
    // main_window_run.cpp
    void connectRunner();
    /// Refuses a launch that cannot work, and shows what is wrong. True: it was refused.
    bool refuseLaunch();
    void build();
    void run();
    void stop();
    /// A kernel, a program, a sweep or an exercise, also while it waits for other tabs. Each excludes the others: they
    /// would disturb its times.
    bool isRunning() const;
    /// Starts it once no other tab runs something on the session's device. `start` is called then, at once or later.
    void whenDeviceIsFree(const std::function<void()>& start);
    void beginTurn();
    void showWaiting();
    void showBusy();
    void showProgress(const QString& text, double fraction);
    void showBuilt(bool ok);
    void showRunResult();
    /// Reports a run or a build that got no answer.
    void showFailure(const QString& message, bool lost);
    /// Closes banners about a lost build or a missing compiler when a compilation shows that they are outdated.
    void closeOldNews();
    /// Why a run would be refused at once; empty when it would not.
    QString launchProblem() const;
    /// Closes the banner of a refused run once its reason is gone.
    void checkRunBanner();
    std::vector<std::filesystem::path> filesOutside();
    void checkReach();
    void allowFolders(const QStringList& folders);
    /// The session and its source: everything that a run reads except files.
    QString inputOfRun();
    void showLoss(WorkerConnection* worker, const QString& reason);

    Workbench workbench_;
    WindowHost* host_ = nullptr;
    QMenuBar* menus_ = nullptr;
    QList<QPointer<QWidget>> hiddenWithPage_; ///< floating docks and tool windows
    Preferences preferences_;
    Recovery recovery_;
    Shortcuts shortcuts_;
    SessionLock sessionLock_;
    RunController* runner_;
    ProgramRunner* programs_;
    BannerStack* banners_ = nullptr;
    QStackedWidget* centre_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    LanesView* lanes_ = nullptr;         ///< made when it is first shown
    ReportWriter* reports_ = nullptr;    ///< likewise
    VersionView* versions_ = nullptr;    ///< likewise
    QMetaObject::Connection comparedTo_; ///< a source of another tab, which may change
    EditorArea* editors_ = nullptr;
    QList<PanelDock> docks_; ///< in the order of the table
    QHash<QString, QAction*> actions_;
    QStringList actionOrder_;
    QToolBar *bar_ = nullptr, *secondBar_ = nullptr; ///< the second is shown in narrow windows
    QList<QAction*> choices_;                        ///< the boxes with their gaps, in either bar
    QAction* choicesEnd_ = nullptr;                  ///< the separator after them in the first bar
    KernelBox* kernelBox_ = nullptr;
    QComboBox *deviceBox_ = nullptr, *archBox_ = nullptr;
    NumberBox* repeatBox_ = nullptr;
    int repeatsBefore_ = 1; ///< the session's number before typing began
    bool changingRepeats_ = false;
    QLabel *workerLabel_ = nullptr, *workerIcon_ = nullptr, *memoryLabel_ = nullptr, *archLabel_ = nullptr,
           *problemLabel_ = nullptr, *cursorLabel_ = nullptr;
    QLabel* noteLabel_ = nullptr;
    ActivityBar* activityBar_ = nullptr;
    std::shared_ptr<Activity> busy_;      ///< while isBusy()
    std::shared_ptr<Activity> debugging_; ///< while the debugger starts or its kernel runs
    std::shared_ptr<Activity> reporting_; ///< while a report is written
    int opening_ = 0, openingHere_ = 0;   ///< loadings; 0: none
    QString openingPath_;                 ///< of openHere(), until it is read
    DeviceTurn turn_;
    std::function<void()> waiting_; ///< starts what waits for the device
    QTimer autosaveTimer_, noteTimer_, lockTimer_;
    QStringList architectures_;
    double shownScale_ = 1; ///< of the text, when docks were last fitted to it
    /// The event that closes the banner about the run: none, a change of the session, or the next build.
    enum class RunBanner { Stays, Refused, InputError, Build } runBanner_ = RunBanner::Stays;
    QStringList outsideShown_;   ///< files that the bar about files outside names
    QString programText_;        ///< of the program that runs
    QString historyProblem_;     ///< why runs are not in the history, as it was last told
    QString refusedInput_;       ///< inputOfRun() of the run that ended with RunBanner::InputError
    std::string askedCompiler_;  ///< the session's compiler when compilers were last looked for
    QStringList leftGivenUp_;    ///< docks on the left that the window hid for lack of room
    bool explorerAsked_ = false; ///< the session is opened from the list of the Explorer, which stays in front
    bool shown_ = false, runUnderWay_ = false;
    bool lossTold_ = false; ///< the banner about a lost connection was shown
};

} // namespace warplight::ui
