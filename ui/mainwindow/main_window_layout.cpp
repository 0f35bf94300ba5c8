// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/icons.hpp"
#include "ui/common/number_box.hpp"
#include "ui/common/style_sheet.hpp"
#include "ui/launch/kernel_box.hpp"
#include "ui/mainwindow/main_window.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QResizeEvent>
#include <QScreen>
#include <QStackedWidget>
#include <QToolBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace warplight::ui {

void MainWindow::updateTitleBars() {
    // The tab of a dock has its name; a title bar above would repeat it.
    for (const PanelDock& d : std::as_const(docks_)) {
        QDockWidget* const dock = d.dock;
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
    for (const PanelDock& d : std::as_const(docks_)) {
        d.dock->setFloating(false);
        d.dock->show();
    }
    for (const PanelDock& d : std::as_const(docks_)) {
        addDockWidget(d.row->area, d.dock);
        QDockWidget* const first = docksOf(d.row->area).first().dock;
        if (d.dock != first) tabifyDockWidget(first, d.dock);
    }
    QDockWidget* const below = docksOf(Qt::BottomDockWidgetArea).first().dock;
    below->raise();
    sideDock(Qt::LeftDockWidgetArea).dock->raise();
    const PanelDock &left = sideDock(Qt::LeftDockWidgetArea), &right = sideDock(Qt::RightDockWidgetArea);
    fitSides(std::max(std::min(scaledPixels(320), width() / 4), neededWidth(*left.panel)),
             std::max(std::min(scaledPixels(448), width() / 3), neededWidth(*right.panel)));
    resizeDocks({below}, {std::min(scaledPixels(304), height() * 2 / 5)}, Qt::Vertical);
    shownScale_ = textScale();
}

void MainWindow::saveLayouts() {
    saveLayout(QStringLiteral("state"), saveState(layoutVersion()));
    saveLayout(QStringLiteral("givenUp"), leftGivenUp_.join(QLatin1Char(',')).toLatin1());
    // Qt's state of a window that is not shown yet leaves the docks to share the room.
    QByteArrayList sizes;
    for (const auto area : {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea}) {
        const auto shown = std::find_if(docks_.cbegin(), docks_.cend(), [&](const PanelDock& d) {
            return !d.dock->isFloating() && dockWidgetArea(d.dock) == area && isInFront(d.dock);
        });
        const bool below = area == Qt::BottomDockWidgetArea;
        sizes << QByteArray::number(shown == docks_.cend() ? 0 : below ? shown->dock->height() : shown->dock->width());
    }
    saveLayout(QStringLiteral("sizes"), sizes.join(','));
}

void MainWindow::restoreSizes() {
    const QByteArrayList kept = savedLayout(QStringLiteral("sizes")).split(',');
    if (kept.size() != 3) return;
    const auto dockOf = [this](Qt::DockWidgetArea area) {
        const auto found = std::find_if(docks_.cbegin(), docks_.cend(), [&](const PanelDock& d) {
            return !d.dock->isFloating() && !d.dock->isHidden() && dockWidgetArea(d.dock) == area;
        });
        return found == docks_.cend() ? nullptr : found->dock;
    };
    const int left = kept[0].toInt(), right = kept[1].toInt(), below = kept[2].toInt();
    QList<QDockWidget*> docks;
    QList<int> sizes;
    for (const auto& [area, size] : {std::pair{Qt::LeftDockWidgetArea, left}, {Qt::RightDockWidgetArea, right}})
        if (QDockWidget* dock = dockOf(area); dock && size > 0) {
            docks << dock;
            sizes << size;
        }
    // In a narrower window than it was they share the room.
    if (!docks.isEmpty() && left + right + roomForCode() <= width()) resizeDocks(docks, sizes, Qt::Horizontal);
    if (QDockWidget* dock = dockOf(Qt::BottomDockWidgetArea); dock && below > 0)
        resizeDocks({dock}, {std::min(below, height() * 3 / 5)}, Qt::Vertical);
}

void MainWindow::resizeToScreen() {
    const QSize wanted(scaledPixels(1440), scaledPixels(900));
    const QSize room = screen()->availableGeometry().size();
    constexpr int frame = 48; // of the window manager: title and borders
    if (wanted.width() + frame <= room.width() && wanted.height() + frame <= room.height()) {
        resize(wanted);
        return;
    }
    // The window is maximised. A window manager goes back to this size.
    resize(wanted.boundedTo(room - QSize(frame, frame)));
    setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitToolBar();
    // In a narrower window Qt keeps the width of docks and takes all from the code.
    const int before = event->oldSize().isValid() ? event->oldSize().width() : width();
    if ((width() < before && centralWidget()->width() < roomForCode()) || (width() > before && !leftGivenUp_.isEmpty()))
        QTimer::singleShot(0, this, [this] { fitDocks(1); });
}

void MainWindow::placeChoices(bool ownLine) {
    QToolBar* const wanted = ownLine ? secondBar_ : bar_;
    if (!wanted->actions().contains(choices_.first())) {
        (ownLine ? bar_ : secondBar_)->clearFocus();
        for (QAction* action : std::as_const(choices_)) {
            (ownLine ? bar_ : secondBar_)->removeAction(action);
            wanted->insertAction(ownLine ? nullptr : choicesEnd_, action);
        }
        choicesEnd_->setVisible(!ownLine);
    }
    secondBar_->setVisible(ownLine);
}

void MainWindow::fitToolBar() {
    if (!secondBar_) return;
    struct Step {
        int kernel, device, arch; ///< letters in the boxes
        bool words;               ///< beside the pictures
        bool ownLine;             ///< of the boxes
    };
    const int letter = QFontMetrics(QApplication::font()).averageCharWidth(), rest = scaledPixels(52);
    const auto needed = [](const QToolBar* bar) {
        int sum = 3 * Theme::grid;
        for (QAction* action : bar->actions())
            if (const QWidget* widget = bar->widgetForAction(action)) // a fixed width overrides the size hint
                sum += (widget->minimumWidth() ? widget->minimumWidth() : widget->sizeHint().width()) + Theme::half;
        return sum;
    };
    for (const Step& step :
         {Step{22, 30, 14, true, false}, Step{16, 18, 14, true, false}, Step{14, 14, 14, true, false},
          Step{14, 14, 14, false, false}, Step{22, 30, 14, true, true}, Step{16, 18, 14, true, true},
          Step{16, 18, 14, false, true}, Step{14, 14, 12, false, true}, Step{8, 10, 8, false, true}}) {
        // A box's minimumContentsLength would not do: it keeps the size of its first font.
        kernelBox_->setFixedWidth(step.kernel * letter + rest);
        deviceBox_->setFixedWidth(step.device * letter + rest);
        archBox_->setFixedWidth(step.arch * letter + rest);
        for (QAction* action : bar_->actions())
            if (auto* button = qobject_cast<QToolButton*>(bar_->widgetForAction(action));
                button && action->objectName().contains('.') &&
                !action->objectName().startsWith(QLatin1String("file.")))
                button->setToolButtonStyle(step.words ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        placeChoices(step.ownLine);
        if (needed(bar_) <= width() && needed(secondBar_) <= width()) return;
    }
}

int MainWindow::neededWidth(const Panel& panel) const {
    return panel.contentMinimum().width() + scaledPixels(12) + 2; // beside it a scroll bar, as styled
}

int MainWindow::roomForCode() const {
    const int letter = QFontMetrics(QApplication::font()).averageCharWidth();
    constexpr int line = 52, shortest = 34; // letters, some of them taken by the margin
    return std::min(line * letter, std::max(width() / 3, std::min(shortest * letter, width() * 2 / 3)));
}

void MainWindow::fitSides(int leftWidth, int rightWidth) {
    const PanelDock &onLeft = sideDock(Qt::LeftDockWidgetArea), &onRight = sideDock(Qt::RightDockWidgetArea);
    QDockWidget *const left = onLeft.dock, *const right = onRight.dock;
    const auto isBeside = [this](QDockWidget* dock) {
        const Qt::DockWidgetArea area = dockWidgetArea(dock);
        return !dock->isFloating() && (area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea);
    };
    const bool hasRight = isBeside(right) && !right->isHidden();
    QStringList open; // in the column on the left
    for (const PanelDock& d : docksOf(Qt::LeftDockWidgetArea))
        if (isBeside(d.dock) && !d.dock->isHidden() && dockWidgetArea(d.dock) == dockWidgetArea(left))
            open << QLatin1String(d.row->name);
    const bool ownColumn = isBeside(left) && !(hasRight && dockWidgetArea(left) == dockWidgetArea(right));
    int room = width() - roomForCode();
    QList<QDockWidget*> docks;
    QList<int> sizes;
    if (hasRight) {
        docks << right;
        sizes << std::min({rightWidth, room, std::max(neededWidth(*onRight.panel), width() / 3)});
        room -= sizes.last();
    }
    // On a small screen, or with large text, the code comes before the list of devices.
    if (ownColumn && !(open.isEmpty() && leftGivenUp_.isEmpty())) {
        const bool fits = room >= neededWidth(*onLeft.panel);
        QStringList both = open + leftGivenUp_;
        both.removeDuplicates();
        for (const QString& name : std::as_const(both))
            findDock(name)->setVisible(fits);
        leftGivenUp_ = fits ? QStringList() : both;
        if (fits) {
            docks << findDock(both.first());
            sizes << std::min(leftWidth, room);
        }
    }
    if (!docks.isEmpty()) resizeDocks(docks, sizes, Qt::Horizontal);
}

void MainWindow::fitDocks(double ratio) {
    // Larger text widens docks to their needed width; a narrower window only shrinks them.
    const auto wanted = [&](Qt::DockWidgetArea area) {
        const PanelDock& d = sideDock(area);
        const int needed = neededWidth(*d.panel), now = d.dock->isHidden() ? needed : int(d.dock->width() * ratio);
        return ratio == 1 ? now : std::max(now, needed);
    };
    fitSides(wanted(Qt::LeftDockWidgetArea), wanted(Qt::RightDockWidgetArea));
    constexpr double most = 0.42; // of the height
    for (const PanelDock& d : docksOf(Qt::BottomDockWidgetArea))
        if (!d.dock->isFloating() && isInFront(d.dock))
            resizeDocks({d.dock}, {std::min(int(d.dock->height() * ratio), int(height() * most))}, Qt::Vertical);
}

void MainWindow::restyle() {
    const Colours& c = workbench_.theme().colours();
    const int side = QFontMetrics(QApplication::font()).height();
    bar_->setIconSize(QSize(side + 2, side + 2));
    findAction(QStringLiteral("run.run"))->setIcon(icon(QStringLiteral("run"), c.success));
    findAction(QStringLiteral("run.stop"))->setIcon(icon(QStringLiteral("stop"), c.error));
    // A squeezed column of a list keeps room for some letters; then the list scrolls.
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
            // Parts of a window that is larger than the screen cannot be reached.
            QWidget* const around = window();
            const QSize room = screen()->availableGeometry().size(), least = around->minimumSizeHint();
            if (workbench_.theme().zoom() > 0 && (least.width() > room.width() || least.height() > room.height())) {
                Preferences smaller = preferences_;
                --smaller.zoom;
                setPreferences(smaller);
                note(tr("Text cannot be larger on this screen."), 5000);
            } else if (around->width() > room.width() || around->height() > room.height()) {
                around->resize(around->size().boundedTo(room)); // the larger text had pushed it out
            }
        });
    }
    updateStatus();
}

bool MainWindow::isInFront(const QDockWidget* dock) const {
    // All tabbed docks are "visible"; those behind lie outside of the window.
    return dock->isVisible() && (dock->isFloating() || rect().intersects(dock->geometry()));
}

QList<QWidget*> MainWindow::panes() const {
    QList<QWidget*> all{centre_->currentWidget()};
    // Clockwise around the code.
    for (const auto area : {Qt::RightDockWidgetArea, Qt::BottomDockWidgetArea, Qt::LeftDockWidgetArea})
        for (const PanelDock& d : docksOf(area))
            if (isInFront(d.dock)) all << d.dock->widget();
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
    // The widget that had the focus last; else the first list or table, a panel's main part; else the first widget.
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
