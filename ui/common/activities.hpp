// SPDX-License-Identifier: GPL-3.0-or-later
/// What the user may have to wait for. Everything that can last begins an activity here; the window shows those that
/// have lasted for half a second, with their time and a way to stop them.
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QTimer>
#include <functional>
#include <memory>

namespace warplight::ui {

class Activities;

/// One thing that lasts as long as this object.
class Activity {
public:
    ~Activity();
    Activity(const Activity&) = delete;
    Activity& operator=(const Activity&) = delete;

    QString text() const { return text_; }
    double fraction() const { return fraction_; } ///< below 0: unknown
    qint64 elapsedMs() const { return since_.elapsed(); }
    bool canStop() const { return bool(stop_) && !stopping_; }
    bool isStopping() const { return stopping_; }
    /// An empty text leaves it as it is.
    void tell(const QString& text, double fraction);
    /// Asks it to stop. It ends later, by whoever began it.
    void stop();

private:
    friend class Activities;
    Activity(Activities* owner, QString text, std::function<void()> stop);

    QPointer<Activities> owner_;
    QString text_;
    std::function<void()> stop_;
    QElapsedTimer since_;
    double fraction_ = -1;
    bool atOnce_ = false, stopping_ = false;
};

class Activities : public QObject {
    Q_OBJECT
public:
    enum class Shown { WhenSlow, AtOnce };
    static constexpr int patienceMs = 500;

    explicit Activities(QObject* parent = nullptr);

    /// @param text what is done ("Comparing"), without a period
    /// @param stop asks it to stop; empty where that would lose something
    [[nodiscard]] std::shared_ptr<Activity> begin(const QString& text, std::function<void()> stop,
                                                  Shown shown = Shown::WhenSlow);
    /// Those to be shown: first what is shown at once, then the longest.
    QList<Activity*> shown() const;
    /// Of those that are shown.
    void stopAll();

signals:
    void changed(); ///< shown(), a text, a fraction

private:
    friend class Activity;
    void remove(Activity* activity);
    void plan();

    QList<Activity*> all_; ///< in the order of their begin
    QTimer due_;           ///< for the next that has lasted long enough
};

/// "0.7 s", "12.3 s", "3 min 05 s"
QString elapsedText(qint64 ms);

} // namespace warplight::ui
