// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/activity_bar.hpp"

#include "ui/common/elided_label.hpp"
#include "ui/common/icons.hpp"
#include "ui/common/theme.hpp"

#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QToolButton>
#include <utility>

namespace warplight::ui {
namespace {

constexpr int tickMs = 100;
constexpr int fractionSteps = 1000;

QString activityText(const Activity& activity) {
    return activity.isStopping() ? ActivityBar::tr("%1: stopping").arg(activity.text()) : activity.text();
}

} // namespace

ElapsedLabel::ElapsedLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    tick_.setInterval(tickMs);
    connect(&tick_, &QTimer::timeout, this, &ElapsedLabel::show);
}

void ElapsedLabel::begin() {
    since_.start();
    clear();
    tick_.start();
}

void ElapsedLabel::end() {
    if (!tick_.isActive()) return;
    show();
    tick_.stop();
}

void ElapsedLabel::show() {
    if (const qint64 ms = since_.elapsed(); ms >= Activities::patienceMs) setText(elapsedText(ms));
}

ActivityBar::ActivityBar(Activities& activities, QWidget* parent)
    : QWidget(parent), activities_(activities), progress_(new QProgressBar), text_(new ElidedLabel),
      elapsed_(new QLabel), stop_(new QToolButton), menu_(new QMenu(this)) {
    progress_->setMinimumWidth(48);
    progress_->setMaximumWidth(160);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress"));
    text_->setTextFormat(Qt::PlainText);
    elapsed_->setAccessibleName(tr("Elapsed time"));
    elapsed_->setToolTip(tr("For how long it has lasted"));
    stop_->setObjectName(QStringLiteral("stopActivity"));
    stop_->setIcon(icon(QStringLiteral("stop")));
    stop_->setToolTip(tr("Stop (%1)").arg(QKeySequence(QStringLiteral("Shift+F5")).toString(QKeySequence::NativeText)));
    stop_->setAccessibleName(tr("Stop what lasts"));
    stop_->setAutoRaise(true);
    stop_->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::grid);
    row->addWidget(progress_);
    row->addWidget(text_, 1);
    row->addWidget(elapsed_);
    row->addWidget(stop_);
    tick_.setInterval(tickMs);
    connect(&tick_, &QTimer::timeout, this, &ActivityBar::showTimes);
    connect(&activities_, &Activities::changed, this, &ActivityBar::update);
    connect(menu_, &QMenu::aboutToShow, this, &ActivityBar::fillMenu);
    connect(stop_, &QToolButton::clicked, this, [this] {
        const QList<Activity*> shown = activities_.shown();
        if (shown.size() == 1) shown.front()->stop();
    });
    update();
}

QString ActivityBar::text() const { return isHidden() ? QString() : text_->text(); }
QString ActivityBar::elapsed() const { return isHidden() ? QString() : elapsed_->text(); }

void ActivityBar::update() {
    const QList<Activity*> shown = activities_.shown();
    setVisible(!shown.isEmpty());
    if (shown.isEmpty()) {
        tick_.stop();
        return;
    }
    const Activity& first = *shown.front();
    text_->setText(shown.size() == 1 ? activityText(first)
                                     : tr("%1, and %2 more").arg(activityText(first)).arg(shown.size() - 1));
    progress_->setRange(0, first.fraction() < 0 ? 0 : fractionSteps);
    if (first.fraction() >= 0) progress_->setValue(int(first.fraction() * fractionSteps));
    bool any = false;
    for (const Activity* each : shown)
        any = any || each->canStop();
    stop_->setEnabled(any);
    // With one there is nothing to choose.
    const bool several = shown.size() > 1;
    if (several != (stop_->menu() != nullptr)) {
        stop_->setMenu(several ? menu_ : nullptr);
        stop_->setPopupMode(several ? QToolButton::InstantPopup : QToolButton::DelayedPopup);
    }
    if (!tick_.isActive()) tick_.start();
    showTimes();
}

void ActivityBar::showTimes() {
    const QList<Activity*> shown = activities_.shown();
    const qint64 ms = shown.isEmpty() ? 0 : shown.front()->elapsedMs();
    elapsed_->setText(ms < Activities::patienceMs ? QString() : elapsedText(ms));
}

void ActivityBar::fillMenu() {
    menu_->clear();
    for (Activity* each : activities_.shown()) {
        QString text = tr("Stop “%1” (%2)").arg(activityText(*each), elapsedText(each->elapsedMs()));
        QAction* action = menu_->addAction(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        action->setEnabled(each->canStop());
        // It may have ended when the entry is chosen.
        connect(action, &QAction::triggered, this, [this, each] {
            if (activities_.shown().contains(each)) each->stop();
        });
    }
    menu_->addSeparator();
    connect(menu_->addAction(tr("Stop &All")), &QAction::triggered, &activities_, &Activities::stopAll);
}

} // namespace warplight::ui
