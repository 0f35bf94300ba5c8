// SPDX-License-Identifier: GPL-3.0-or-later
/// A window of the desktop: a tab for each session, which has a page with panels, workers and results of its own. So
/// what happens in one tab concerns no other.
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace warplight::ui {

class MainWindow;
class WindowHost;

class TabWindow : public QWidget {
    Q_OBJECT
public:
    explicit TabWindow(WindowHost& host);
    ~TabWindow() override;

    int count() const { return int(tabs_.size()); }
    int currentIndex() const;
    /// Null before there is one.
    MainWindow* current() const;
    /// Those that were made: a tab from last time gets its page when it is first shown.
    QList<MainWindow*> pages() const;
    bool has(const MainWindow& page) const { return indexOf(page) >= 0; }
    /// Of each tab; empty where nothing was saved.
    QStringList paths() const;
    QTabBar* tabBar() const { return bar_; }

    /// A new page, in front.
    MainWindow& addPage();
    /// A tab whose page opens the file when it is first shown.
    void addLater(const QString& path);
    /// Makes the page of the tab that has this file.
    MainWindow* pageOf(const QString& path);
    void bring(const MainWindow& page);
    void showTab(int index);
    void step(const MainWindow& from, int by);
    /// Takes the page out without closing it.
    void release(MainWindow& page);
    /// Takes in a page that another window has released.
    void adopt(MainWindow& page);
    /// Deletes the page later: it may be what calls.
    void remove(MainWindow& page);

signals:
    /// Tabs, their files or their order changed.
    void tabsChanged();
    /// The user closes the window. Whoever connects says whether it may.
    void closeAsked(bool* may);
    void moveRequested(warplight::ui::MainWindow* page);
    void closeRequested(warplight::ui::MainWindow* page);

protected:
    void closeEvent(QCloseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Tab {
        MainWindow* page = nullptr;
        QString path; ///< while there is no page
    };
    int indexOf(const MainWindow& page) const;
    MainWindow& pageAt(int index);
    MainWindow& makePage();
    void insert(int index, MainWindow& page);
    void take(MainWindow& page);
    void onCurrent(int index);
    void updateTab(int index);
    void updateTitle();
    void updateBar();
    void showMenu(const QPoint& at);
    void closeAt(int index);

    WindowHost& host_;
    QList<Tab> tabs_; ///< in the order of the bar
    QTabBar* bar_;
    QWidget* row_;
    QStackedWidget *menus_, *pages_;
    bool changing_ = false;
};

} // namespace warplight::ui
