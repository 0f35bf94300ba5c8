// SPDX-License-Identifier: GPL-3.0-or-later
/// The window: menus, toolbar, docks around the editor, status bar. Split over files by concept: its start
/// (main_window.cpp), the editor and the panels (…_panels.cpp), toolbar and status bar (…_bars.cpp), sizes and places
/// (…_layout.cpp), its actions (…_actions.cpp), files (…_files.cpp), building and running (…_run.cpp).
#pragma once

#include "ui/common/panel.hpp"
#include "ui/common/workbench.hpp"
#include "ui/mainwindow/panel_table.hpp"
#include "ui/mainwindow/recovery.hpp"
#include "ui/settings/preferences.hpp"

#include <QHash>
#include <QList>
#include <QMainWindow>
#include <QTimer>

class QComboBox;
class QDockWidget;
class QLabel;
class QProgressBar;
class QStackedWidget;

namespace warplight::ui {

class BannerStack;
class EditorArea;
class KernelBox;
class NumberBox;
class RunController;
class WelcomePage;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Workbench& workbench() { return workbench_; }
    Document& document() { return workbench_.document(); }
    RunController& runner() { return *runner_; }
    BannerStack& banners() { return *banners_; }
    EditorArea& editors() { return *editors_; }
    /// The panel of a class that panel_table.cpp has a row of.
    template <class P>
    P& panel() const {
        return *qobject_cast<P*>(dockOf<P>().panel);
    }
    /// By its object name: "file.open", "run.run", …
    QAction* findAction(const QString& name) const { return actions_.value(name); }
    QList<QAction*> allActions() const;

    /// Opens a session, a source or data, asking about unsaved changes. False when it was not opened; a banner says
    /// why.
    bool openFile(const QString& path);
    /// Copies the example where it can be changed, opens it, and runs it.
    bool openExample(const QString& document, bool run);
    bool save();
    bool saveSessionAs(const QString& path);
    void setPreferences(const Preferences& preferences);
    const Preferences& preferences() const { return preferences_; }
    /// Writes unsaved work to the recovery store now.
    void autosave();
    void showWelcome();
    void showEditor();
    /// Brings a panel to the front.
    void showPanel(const QString& name);
    /// And the keyboard into it, to where it was last.
    void focusPanel(const QString& name);
    void resetLayout();
    /// Whether the dock can be seen: of tabbed ones only one can.
    bool isInFront(const QDockWidget* dock) const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void showEvent(QShowEvent* event) override;
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
    /// What is wrong with the number in the toolbar; empty when a session can hold it.
    QString repeatsProblem() const;
    void updateRepeatBox();
    void updateDeviceBox();
    void updateArchBox();
    void updateStatus();
    /// A short note in the status bar, beside what the worker does.
    void note(const QString& text, int ms);
    // main_window_layout.cpp
    void restyle();
    void resizeToScreen();
    /// The boxes of the toolbar give way before Run and Stop do: they get narrower, then a line of their own.
    void fitToolBar();
    void placeChoices(bool ownLine);
    /// Docks grow and shrink with their text, as far as the window allows.
    void fitDocks(double ratio);
    /// Gives the docks beside the code these widths, as far as there is room. Where there is none for the left one, it
    /// goes, and comes back with the room.
    void fitSides(int left, int right);
    /// Without a scroll bar below it.
    int neededWidth(const Panel& panel) const;
    /// A line of it, and in any window a third.
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
    void fillRecentMenu(QMenu* menu);
    // main_window_files.cpp
    bool mayReplaceDocument();
    /// Asks where another window has changed the files meanwhile.
    bool mayOverwrite(const QString& path);
    void newSession();
    /// A session without a document has the options of new sessions.
    void takeCompilePreferences();
    void openDialog();
    bool open(const QString& path);
    void saveSessionAsDialog();
    bool saveSourceAs(SourceFile* source);
    void closeSource(SourceFile* source);
    void afterOpen(const QString& path);
    void takeSessionLock();
    /// The other window is gone: the session can be edited here.
    void retrySessionLock();
    void offerRecovery();
    void fail(const QString& title, const QString& text);
    // main_window_run.cpp
    void connectRunner();
    void run();
    void showRunResult();
    /// A run or a build without an answer.
    void showFailure(const QString& message, bool lost);
    /// What banners say of the compiler and of a build that was lost is over once something was compiled.
    void closeOldNews();
    /// Why a run would be refused at once; empty when it would not.
    QString launchProblem() const;
    /// What was wrong with the session may be mended now.
    void checkRunBanner();
    /// All that a run reads, but for files: the session and its source.
    QString inputOfRun();
    void showLoss(WorkerConnection* worker, const QString& reason);

    Workbench workbench_;
    Preferences preferences_;
    Recovery recovery_;
    SessionLock sessionLock_;
    RunController* runner_;
    BannerStack* banners_ = nullptr;
    QStackedWidget* centre_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    EditorArea* editors_ = nullptr;
    QList<PanelDock> docks_; ///< in the order of the table
    QHash<QString, QAction*> actions_;
    QStringList actionOrder_;
    QToolBar *bar_ = nullptr, *secondBar_ = nullptr; ///< the second is there in windows that are too narrow for one
    QList<QAction*> choices_;                        ///< the boxes with their gaps, in either bar
    QAction* choicesEnd_ = nullptr;                  ///< what follows them in the first
    KernelBox* kernelBox_ = nullptr;
    QComboBox *deviceBox_ = nullptr, *archBox_ = nullptr;
    NumberBox* repeatBox_ = nullptr;
    int repeatsBefore_ = 1; ///< what the session had before the box was typed into
    bool changingRepeats_ = false;
    QLabel *workerLabel_ = nullptr, *workerIcon_ = nullptr, *memoryLabel_ = nullptr, *archLabel_ = nullptr,
           *problemLabel_ = nullptr, *cursorLabel_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel *progressLabel_ = nullptr, *noteLabel_ = nullptr;
    QTimer autosaveTimer_, noteTimer_, lockTimer_;
    QStringList architectures_;
    double shownScale_ = 1; ///< of the text, when docks were last fitted to it
    /// What the banner about the run waits for: nothing, a change of the session, or the next build.
    enum class RunBanner { Stays, Refused, InputError, Build } runBanner_ = RunBanner::Stays;
    QString refusedInput_;      ///< of the run that ended with RunBanner::InputError
    std::string askedCompiler_; ///< of the session, when compilers were last looked for
    bool leftGivenUp_ = false;  ///< the dock on the left: hidden by the window, for want of room
    bool shown_ = false, runUnderWay_ = false;
};

} // namespace warplight::ui
