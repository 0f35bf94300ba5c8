// SPDX-License-Identifier: GPL-3.0-or-later
/// The history of runs for the window: a thread of its own opens, reads and writes it, when it is first needed.
#pragma once

#include "session/report.hpp"
#include "session/session.hpp"
#include "ui/common/activities.hpp"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QThread>
#include <functional>
#include <memory>
#include <string>

namespace warplight::history {
class History;
}

namespace warplight::ui {

class RunHistory : public QObject {
    Q_OBJECT
public:
    /// Runs in the history's thread. What it returns runs in the window's.
    using Act = std::function<std::function<void()>(history::History&)>;
    using Failed = std::function<void(const QString& problem)>;

    explicit RunHistory(QObject* parent = nullptr);
    /// Waits until all that was asked for is written.
    ~RunHistory() override;

    static QString file();

    /// @param most runs that stay, without those that are pinned
    void setKeeping(bool on, int most);
    bool isKeeping() const { return keeping_; }
    /// Adds a run that has ended, with the source's text, if runs are kept. `kept` or `notKept` follows.
    void keep(session::Session session, std::string source, session::Report report);

    /// Where reading and changing tell that they last. Both can be stopped: a change that is stopped has changed
    /// nothing.
    void setActivities(Activities* activities) { activities_ = activities; }
    /// Reads the history while `context` lives.
    void read(QObject* context, Act act, Failed failed);
    /// Changes it. `changed` follows where that worked.
    void change(QObject* context, Act act, Failed failed);

signals:
    void kept(qint64 id);
    /// @param problem why, and what to do
    void notKept(const QString& problem);
    void changed(); ///< by this window

private:
    struct Room;
    void ask(QObject* context, bool writes, Act act, Failed failed);

    QThread thread_;
    std::unique_ptr<Room> room_; ///< of the thread alone, once it runs
    QPointer<Activities> activities_;
    QHash<int, std::shared_ptr<Activity>> running_; ///< by request
    int lastRequest_ = 0;
    bool keeping_ = true;
    int most_ = 10000;
};

} // namespace warplight::ui
