// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/activities.hpp"

#include <QLocale>
#include <algorithm>
#include <utility>

namespace warplight::ui {

Activity::Activity(Activities* owner, QString text, std::function<void()> stop)
    : owner_(owner), text_(std::move(text)), stop_(std::move(stop)) {
    since_.start();
}

Activity::~Activity() {
    if (owner_) owner_->remove(this);
}

void Activity::tell(const QString& text, double fraction) {
    const bool same = (text.isEmpty() || text == text_) && fraction == fraction_;
    if (same) return;
    if (!text.isEmpty()) text_ = text;
    fraction_ = fraction;
    if (owner_) emit owner_->changed();
}

void Activity::stop() {
    if (!canStop()) return;
    stopping_ = true;
    const auto stop = stop_; // which may end this object
    const QPointer<Activities> owner = owner_;
    stop();
    if (owner) emit owner->changed();
}

Activities::Activities(QObject* parent) : QObject(parent) {
    due_.setSingleShot(true);
    connect(&due_, &QTimer::timeout, this, [this] {
        plan();
        emit changed();
    });
}

std::shared_ptr<Activity> Activities::begin(const QString& text, std::function<void()> stop, Shown shown) {
    std::shared_ptr<Activity> made(new Activity(this, text, std::move(stop)));
    made->atOnce_ = shown == Shown::AtOnce;
    all_ << made.get();
    plan();
    if (made->atOnce_) emit changed();
    return made;
}

QList<Activity*> Activities::shown() const {
    QList<Activity*> found;
    for (Activity* each : all_)
        if (each->atOnce_) found << each;
    for (Activity* each : all_)
        if (!each->atOnce_ && each->elapsedMs() >= patienceMs) found << each;
    return found;
}

void Activities::stopAll() {
    // One that stops may end others. The address of one that has ended is only compared.
    for (Activity* each : shown())
        if (all_.contains(each)) each->stop();
}

void Activities::remove(Activity* activity) {
    const bool wasShown = activity->atOnce_ || activity->elapsedMs() >= patienceMs;
    all_.removeOne(activity);
    plan();
    if (wasShown) emit changed();
}

void Activities::plan() {
    qint64 next = -1;
    for (const Activity* each : std::as_const(all_))
        if (const qint64 left = patienceMs - each->elapsedMs(); !each->atOnce_ && left > 0)
            next = next < 0 ? left : std::min(next, left);
    if (next < 0)
        due_.stop();
    else
        due_.start(int(next) + 1);
}

QString elapsedText(qint64 ms) {
    constexpr qint64 minute = 60000;
    if (ms < minute) return Activities::tr("%1 s").arg(QLocale::c().toString(double(ms) / 1000, 'f', 1));
    return Activities::tr("%1 min %2 s").arg(ms / minute).arg(ms % minute / 1000, 2, 10, QLatin1Char('0'));
}

} // namespace warplight::ui
