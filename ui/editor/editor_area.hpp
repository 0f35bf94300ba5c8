// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/workbench.hpp"
#include "ui/profile/heat.hpp"

#include <QFileSystemWatcher>
#include <QWidget>

class QAction;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace warplight::ui {

class AssemblyView;
class CudaEditor;
class FindBar;

/// The middle of the window: a tab for each open source and the search bar, and beside them the PTX and the report.
class EditorArea : public QWidget {
    Q_OBJECT
public:
    explicit EditorArea(Workbench& workbench, QWidget* parent = nullptr);
    ~EditorArea() override;

    QList<QAction*> editActions() const { return editActions_; }
    QList<QAction*> viewActions() const { return viewActions_; }
    SourceFile* currentSource() const;
    CudaEditor* currentEditor() const;
    CudaEditor* editor(SourceFile* source) const;
    void setCurrentSource(SourceFile* source);
    /// Lines and columns from 1; column 0 is the start of the line. An empty path is the session's source.
    void goTo(const QString& path, int line, int column = 0);
    AssemblyView* assembly() const { return assembly_; }
    FindBar* findBar() const { return find_; }
    QTabWidget* tabs() const { return tabs_; }
    QList<CudaEditor*> editors() const;
    void setAssemblyVisible(bool visible);
    /// Shows a widget between the sources and the PTX, which makes room for it; null shows none. It stays the area's.
    void setBeside(QWidget* widget);
    /// What colours the margin beside the lines that the last run profiled.
    void setHeatMetric(HeatMetric metric);
    void askForLine();

signals:
    void editorOpened(warplight::ui::CudaEditor* editor);
    void cursorMoved(int line, int column);
    void currentSourceChanged();
    void closeRequested(warplight::ui::SourceFile* source);
    /// Another program changed an open file that has unsaved changes here.
    void changedOnDisk(warplight::ui::SourceFile* source);
    void zoomRequested(int steps); ///< the window keeps the zoom
    /// The lines (from 1) of the main source that hold the caret or the selection, after they or the PTX have changed.
    void linesChosen(int first, int last);

protected:
    bool event(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void createActions();
    QAction* action(QList<QAction*>& list, const char* name, const QString& text, const QKeySequence& keys,
                    const QString& iconName, const std::function<void()>& run);
    void separator(QList<QAction*>& list);
    void updateActions();
    /// The PTX's search bar while the PTX has the focus, else the sources'.
    FindBar* searching() const;
    void syncTabs();
    void addTab(SourceFile* source);
    void removeTab(SourceFile* source);
    void updateTab(SourceFile* source);
    void onCurrentChanged();
    void onCompiled();
    void onReport();
    void showDiagnostics(CudaEditor* view) const;
    /// The heat of a source, by the last run's profile; empty without one.
    FileHeat heatOf(const CudaEditor* view) const;
    void link();
    void goTo(SourceFile* source, int line, int column);
    void onFileChanged(const QString& path);
    void reloadFromDisk();
    /// @param then told whether the source was edited meanwhile
    void readAgain(SourceFile& source,
                   const std::function<void(SourceFile& file, const SourceContent& content, bool edited)>& then);
    void watch(SourceFile* source);
    void showDiskNote();
    int widthForBoth() const;
    /// Hides the PTX where it leaves no room for the source, and shows it again when there is room.
    void fitAssembly();

    Workbench& workbench_;
    QTabWidget* tabs_;
    QSplitter* splitter_;
    HeatMetric heatMetric_ = HeatMetric::Off;
    int reportRevision_ = -1; ///< of the source that the last run used
    QStackedWidget* stack_;
    AssemblyView* assembly_;
    FindBar* find_;
    QWidget* diskNote_;
    QLabel* diskText_;
    QFileSystemWatcher watcher_;
    QList<SourceFile*> changed_; ///< on disk and in the editor
    QList<QAction*> editActions_, viewActions_;
    QAction *replaceAction_ = nullptr, *comment_ = nullptr, *wrap_ = nullptr, *assemblyAction_ = nullptr;
    QWidget* beside_ = nullptr;
    bool besideHides_ = false; ///< the PTX made room
    bool placed_ = false, fitting_ = false;
    bool givenUp_ = false; ///< the PTX is hidden for lack of room
    bool wanted_ = false;  ///< the user wants the PTX although there is no room
};

} // namespace warplight::ui
