// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mainwindow/tab_window.hpp"

#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"
#include "ui/mainwindow/main_window.hpp"
#include "ui/mainwindow/window_host.hpp"

#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMenu>
#include <QMenuBar>
#include <QMouseEvent>
#include <QScopedValueRollback>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace warplight::ui {
namespace {

QString tabText(QString name) { return name.replace(QLatin1Char('&'), QStringLiteral("&&")); }

bool isSameFile(const QString& one, const QString& other) {
    if (one.isEmpty() || other.isEmpty()) return false;
    return one == other || QFileInfo(one) == QFileInfo(other);
}

} // namespace

TabWindow::TabWindow(WindowHost& host)
    : host_(host), bar_(new QTabBar), row_(new QWidget), menus_(new QStackedWidget), pages_(new QStackedWidget) {
    setObjectName(QStringLiteral("tabWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/warplight.svg")));
    menus_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    bar_->setObjectName(QStringLiteral("sessionTabs"));
    bar_->setAccessibleName(tr("Open sessions"));
    bar_->setDocumentMode(true);
    bar_->setMovable(true);
    bar_->setTabsClosable(true);
    bar_->setExpanding(false);
    bar_->setElideMode(Qt::ElideMiddle);
    bar_->setSelectionBehaviorOnRemove(QTabBar::SelectPreviousTab);
    bar_->setContextMenuPolicy(Qt::CustomContextMenu);
    bar_->installEventFilter(this);
    auto* add = new QToolButton;
    add->setObjectName(QStringLiteral("newTab"));
    add->setIcon(icon(QStringLiteral("plus")));
    add->setAutoRaise(true);
    add->setToolTip(tr("New tab"));
    add->setAccessibleName(tr("New tab"));
    auto* beside = new QHBoxLayout(row_);
    beside->setContentsMargins(Theme::half, 0, Theme::half, 0);
    beside->setSpacing(Theme::half);
    beside->addWidget(bar_);
    beside->addWidget(add);
    beside->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(menus_);
    column->addWidget(row_);
    column->addWidget(pages_, 1);
    row_->hide();
    connect(add, &QToolButton::clicked, this, [this] {
        if (MainWindow* page = current()) host_.addTab(*page);
    });
    connect(bar_, &QTabBar::currentChanged, this, &TabWindow::onCurrent);
    connect(bar_, &QTabBar::tabMoved, this, [this](int from, int to) {
        tabs_.move(from, to);
        emit tabsChanged();
    });
    connect(bar_, &QTabBar::tabCloseRequested, this, &TabWindow::closeAt);
    connect(bar_, &QWidget::customContextMenuRequested, this, &TabWindow::showMenu);
}

TabWindow::~TabWindow() {
    changing_ = true; // pages that go tell of it
    bar_->disconnect(this);
    for (const Tab& tab : std::as_const(tabs_)) {
        if (!tab.page) continue;
        tab.page->disconnect(this);
        delete tab.page;
    }
}

int TabWindow::currentIndex() const { return bar_->currentIndex(); }

MainWindow* TabWindow::current() const {
    const int index = bar_->currentIndex();
    return index >= 0 && index < count() ? tabs_[index].page : nullptr;
}

QList<MainWindow*> TabWindow::pages() const {
    QList<MainWindow*> made;
    for (const Tab& tab : tabs_)
        if (tab.page) made << tab.page;
    return made;
}

QStringList TabWindow::paths() const {
    QStringList all;
    for (const Tab& tab : tabs_)
        all << (tab.page ? tab.page->filePath() : tab.path);
    return all;
}

int TabWindow::indexOf(const MainWindow& page) const {
    const auto found = std::find_if(tabs_.begin(), tabs_.end(), [&page](const Tab& tab) { return tab.page == &page; });
    return found == tabs_.end() ? -1 : int(found - tabs_.begin());
}

void TabWindow::insert(int index, MainWindow& page) {
    tabs_[index] = {&page, {}};
    page.setHost(&host_);
    menus_->addWidget(page.menuBar());
    pages_->addWidget(&page);
    connect(&page, &MainWindow::tabChanged, this, [this, &page] {
        if (const int at = indexOf(page); at >= 0) updateTab(at);
        emit tabsChanged();
    });
    updateTab(index);
}

MainWindow& TabWindow::makePage() {
    // A new page has the layout of the one in front.
    if (MainWindow* page = current()) page->saveLayouts();
    auto* page = new MainWindow;
    if (!testAttribute(Qt::WA_Resized)) {
        resize(page->size());
        setWindowState(page->windowState());
    }
    page->setWindowState(Qt::WindowNoState);
    // In a page that is small for a moment the panels would share the room anew.
    layout()->activate();
    page->resize(pages_->size());
    page->restoreSizes();
    return *page;
}

MainWindow& TabWindow::addPage() {
    MainWindow& page = makePage();
    adopt(page);
    return page;
}

void TabWindow::adopt(MainWindow& page) {
    const int index = tabs_.isEmpty() ? 0 : bar_->currentIndex() + 1;
    {
        const QScopedValueRollback changing(changing_, true);
        tabs_.insert(index, Tab{});
        bar_->insertTab(index, QString());
        insert(index, page);
    }
    bar_->setCurrentIndex(index);
    onCurrent(index);
    updateBar();
}

void TabWindow::addLater(const QString& path) {
    const QScopedValueRollback changing(changing_, true);
    tabs_ << Tab{nullptr, path};
    bar_->addTab(QString());
    updateTab(count() - 1);
    updateBar();
}

MainWindow& TabWindow::pageAt(int index) {
    if (MainWindow* made = tabs_[index].page) return *made;
    const QString path = tabs_[index].path;
    MainWindow& page = makePage();
    insert(index, page);
    page.openHere(path);
    return page;
}

MainWindow* TabWindow::pageOf(const QString& path) {
    for (int i = 0; i < count(); ++i)
        if (isSameFile(tabs_[i].page ? tabs_[i].page->filePath() : tabs_[i].path, path)) return &pageAt(i);
    return nullptr;
}

void TabWindow::bring(const MainWindow& page) { bar_->setCurrentIndex(indexOf(page)); }

void TabWindow::showTab(int index) {
    bar_->setCurrentIndex(index);
    onCurrent(index); // the bar may have chosen it before
}

void TabWindow::step(const MainWindow& from, int by) {
    if (count() > 1) bar_->setCurrentIndex((indexOf(from) + by + count()) % count());
}

void TabWindow::take(MainWindow& page) {
    const int index = indexOf(page);
    if (index < 0) return;
    page.disconnect(this);
    {
        const QScopedValueRollback changing(changing_, true);
        tabs_.removeAt(index);
        bar_->removeTab(index);
        menus_->removeWidget(page.menuBar());
        page.menuBar()->setParent(&page);
        page.menuBar()->hide();
        pages_->removeWidget(&page);
        page.hide();
        page.setParent(nullptr);
    }
    if (!tabs_.isEmpty()) onCurrent(bar_->currentIndex());
    updateBar();
}

void TabWindow::release(MainWindow& page) { take(page); }

void TabWindow::remove(MainWindow& page) {
    page.endSession();
    take(page);
    page.setHost(nullptr);
    page.deleteLater();
}

void TabWindow::onCurrent(int index) {
    if (changing_ || index < 0 || index >= count()) return;
    MainWindow& page = pageAt(index);
    menus_->setCurrentWidget(page.menuBar());
    pages_->setCurrentWidget(&page);
    updateTitle();
    // With the arrow keys one goes on to the next tab.
    if (!bar_->hasFocus())
        if (QWidget* inside = page.focusWidget()) inside->setFocus();
    emit tabsChanged();
}

void TabWindow::updateTab(int index) {
    const Tab& tab = tabs_[index];
    if (tab.page) {
        const QString title = tab.page->tabTitle();
        bar_->setTabText(index, tabText(tab.page->document().isModified() ? QStringLiteral("● ") + title : title));
        bar_->setTabIcon(index, tab.page->isBusy() ? icon(QStringLiteral("run")) : QIcon());
        const QString path = tab.page->filePath();
        const QString place = path.isEmpty() ? tr("Not saved yet") : QDir::toNativeSeparators(path);
        bar_->setTabToolTip(index, tab.page->isBusy() ? tr("%1\nIt runs.").arg(place) : place);
    } else {
        bar_->setTabText(index, tabText(QFileInfo(tab.path).completeBaseName()));
        bar_->setTabToolTip(index, QDir::toNativeSeparators(tab.path));
    }
    if (index == bar_->currentIndex()) updateTitle();
}

void TabWindow::updateTitle() {
    const MainWindow* page = current();
    if (!page) return;
    setWindowFilePath(page->windowFilePath());
    setWindowTitle(page->windowTitle());
    setWindowModified(page->isWindowModified());
}

void TabWindow::updateBar() {
    row_->setVisible(count() > 1);
    for (MainWindow* page : pages())
        page->showTabActions();
    emit tabsChanged();
}

void TabWindow::showMenu(const QPoint& at) {
    const int index = bar_->tabAt(at);
    if (index < 0) return;
    QMenu menu(this);
    const QAction* close = menu.addAction(icon(QStringLiteral("close")), tr("&Close"));
    const QAction* others = menu.addAction(tr("Close &Others"));
    menu.addSeparator();
    const QAction* move = menu.addAction(tr("&Move to New Window"));
    const QAction* chosen = menu.exec(bar_->mapToGlobal(at));
    if (!chosen) return;
    if (chosen == close) return closeAt(index);
    MainWindow& page = pageAt(index);
    if (chosen == move) emit moveRequested(&page);
    if (chosen != others) return;
    for (int i = count() - 1; i >= 0; --i)
        if (tabs_[i].page != &page) closeAt(i);
}

void TabWindow::closeAt(int index) {
    if (MainWindow* page = tabs_[index].page) {
        emit closeRequested(page);
        return;
    }
    tabs_.removeAt(index); // first, for the bar tells of its new current tab
    bar_->removeTab(index);
    updateBar();
}

bool TabWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == bar_ && event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const int index = bar_->tabAt(mouse->position().toPoint());
        if (mouse->button() == Qt::MiddleButton && index >= 0) {
            closeAt(index);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void TabWindow::closeEvent(QCloseEvent* event) {
    bool may = true;
    emit closeAsked(&may);
    event->setAccepted(may);
}

} // namespace warplight::ui
