// SPDX-License-Identifier: GPL-3.0-or-later
/// All windows of the program: which sessions are open where, what is asked when they close, and what is opened again
/// at the next start.
#pragma once

#include "ui/mainwindow/window_host.hpp"

#include <QList>
#include <QLockFile>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>

namespace warplight::ui {

class TabWindow;

class Windows : public QObject, public WindowHost {
    Q_OBJECT
public:
    enum class Start {
        Remembered, ///< with the sessions of last time, if the user wants that
        Bare,       ///< and nothing is kept for next time
    };
    explicit Windows(QObject* parent = nullptr);
    ~Windows() override;

    /// Makes and shows the windows, and opens a file in front if there is one, as MainWindow::openFile() does.
    bool start(Start how, const QString& file = {}, const std::function<void(MainWindow*)>& opened = {});
    /// The window in front last; null once all are closed.
    TabWindow* front() const;
    QList<TabWindow*> all() const { return windows_; }

    MainWindow& addTab(MainWindow& beside) override;
    MainWindow* pageOf(const QString& path) override;
    QList<MainWindow*> pages() const override;
    void show(MainWindow& page) override;
    void closeTab(MainWindow& page) override;
    void removeTab(MainWindow& page) override;
    bool isAlone(const MainWindow& page) const override;
    void stepTab(MainWindow& from, int by) override;
    void newWindow(MainWindow& beside) override;
    void moveToNewWindow(MainWindow& page) override;
    void closeWindow(MainWindow& page) override;
    void quit() override;
    void preferencesChanged(const MainWindow& by) override;
    void shortcutsChanged(const MainWindow& by) override;
    bool offersRecovery() override;

private:
    TabWindow& makeWindow();
    void toFront(TabWindow& window);
    TabWindow* windowOf(const MainWindow& page) const;
    /// Moves it a little away from another one, so that both are seen.
    static void placeBeside(TabWindow& window, const TabWindow& other);
    /// Asks once about the unsaved changes of these pages. True: they may go.
    bool mayGo(const QList<MainWindow*>& pages, QWidget* parent);
    void finish(TabWindow& window);
    bool restoreRemembered();
    void remember();

    QList<TabWindow*> windows_;         ///< the one in front last is the last
    QList<QPointer<TabWindow>> closed_; ///< and perhaps not deleted yet
    std::unique_ptr<QLockFile> lock_;   ///< whoever has it remembers
    QTimer rememberSoon_;
    bool remembers_ = false, recoveryOffered_ = false, quitting_ = false;
};

} // namespace warplight::ui
