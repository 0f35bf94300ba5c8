// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/common/panel.hpp"
#include "ui/debug/breakpoints.hpp"
#include "ui/debug/debug_session.hpp"

class QComboBox;
class QLabel;
class QSplitter;
class QTabWidget;
class QTreeWidget;

namespace warplight::ui {

class DebugConsole;
class ElidedLabel;
class LanesPage;
class MemoryPage;
class NumberBox;
class VariablesView;
class WatchesPage;

/// Steps through the session's kernel: commands, where it stands, its threads and its variables.
class DebugPanel : public Panel {
    Q_OBJECT
public:
    explicit DebugPanel(Workbench& workbench, QWidget* parent = nullptr);
    ~DebugPanel() override;

    QList<QAction*> panelActions() const override { return actions_; }
    /// "start", "over", "in", "out", "back", "reverse", "pause", "stop", "breakpoint", "line", "clear".
    QAction* action(const char* name) const;

    DebugSession& session() { return session_; }
    Breakpoints& breakpoints() { return breakpoints_; }
    QString stateText() const;
    QString noteText() const;
    QTreeWidget* stackView() const { return stack_; }
    QTreeWidget* warpsView() const { return warps_; }
    VariablesView* variables() const { return variables_; }
    WatchesPage* watches() const { return watches_; }
    LanesPage* lanes() const { return lanes_; }
    MemoryPage* memory() const { return memory_; }
    DebugConsole* console() const { return console_; }
    NumberBox* blockBox() const { return block_; }
    QComboBox* unitBox() const { return unit_; }
    QTabWidget* detailTabs() const { return details_; }

signals:
    void startRequested();      ///< the window looks at the launch first
    void breakpointRequested(); ///< at the caret
    void runToLineRequested();  ///< at the caret

private:
    QAction* add(const char* name, const char* iconName, const QString& text, const QKeySequence& keys,
                 const std::function<void()>& run);
    void createActions();
    QWidget* createBar();
    void createPages();
    void connectSession();
    void onState();
    void onStood();
    void onFrame();
    void onEnded(int exitCode, const QString& problem);
    void onSession();
    void updateActions();
    void updateState();
    void restyle();
    QString placeText() const;

    Breakpoints breakpoints_;
    DebugSession session_;
    QList<QAction*> actions_;
    QComboBox* unit_;
    NumberBox* block_;
    ElidedLabel* state_;
    QLabel *stateIcon_, *note_;
    QSplitter* splitter_;
    QTabWidget *places_, *values_, *details_;
    QTreeWidget *stack_, *warps_;
    VariablesView* variables_;
    WatchesPage* watches_;
    LanesPage* lanes_;
    MemoryPage* memory_;
    DebugConsole* console_;
    QString last_; ///< how the last kernel ended
    bool filling_ = false;
};

} // namespace warplight::ui
