// SPDX-License-Identifier: GPL-3.0-or-later
/// What a session's page asks of the windows around it. Without a host a page is a window of its own.
#pragma once

#include <QList>
#include <QString>

namespace warplight::ui {

class MainWindow;

class WindowHost {
public:
    virtual ~WindowHost() = default;
    WindowHost(const WindowHost&) = delete;
    WindowHost& operator=(const WindowHost&) = delete;

    /// A new tab in the page's window, in front.
    virtual MainWindow& addTab(MainWindow& beside) = 0;
    /// The page that has this session, or this source without a session. Null: none has.
    virtual MainWindow* pageOf(const QString& path) = 0;
    /// Of all windows, those that were shown.
    virtual QList<MainWindow*> pages() const = 0;
    /// Brings a page and its window to the front.
    virtual void show(MainWindow& page) = 0;
    /// Asks about unsaved changes. In the last tab of a window the session ends and the tab stays.
    virtual void closeTab(MainWindow& page) = 0;
    /// Without asking.
    virtual void removeTab(MainWindow& page) = 0;
    /// True if its window has no other tab.
    virtual bool isAlone(const MainWindow& page) const = 0;
    /// To the tab that is so many after it; after the last comes the first.
    virtual void stepTab(MainWindow& from, int by) = 0;
    virtual void newWindow(MainWindow& beside) = 0;
    virtual void moveToNewWindow(MainWindow& page) = 0;
    /// Asks once about all unsaved changes of the window.
    virtual void closeWindow(MainWindow& page) = 0;
    /// Asks once about all unsaved changes.
    virtual void quit() = 0;
    /// The others take them over.
    virtual void preferencesChanged(const MainWindow& by) = 0;
    virtual void shortcutsChanged(const MainWindow& by) = 0;
    /// True for the first page that asks: one offers what a crash has left.
    virtual bool offersRecovery() = 0;

protected:
    WindowHost() = default;
};

} // namespace warplight::ui
