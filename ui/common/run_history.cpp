// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_history.hpp"

#include "history/history.hpp"
#include "session/data_file.hpp"
#include "ui/common/activities.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace warplight::ui {

struct RunHistory::Room : QObject {
    std::optional<history::History> history;
    std::filesystem::path file;
    std::atomic<bool> closing = false; ///< the window goes: nobody wants answers
    bool givenUp = false;              ///< nor is another write worth waiting for
    std::atomic<int> current = 0;      ///< the request that the thread is at
    std::atomic<bool> writing = false; ///< that one changes the history

    /// What the user does not want to wait for: a reader with all readers before, which it had to wait for; of what
    /// writes that one alone.
    void stop(int request, bool writes) {
        const std::lock_guard lock(mutex);
        if (writes)
            stoppedWrites.insert(request);
        else
            stoppedReads = std::max(stoppedReads, request);
    }
    bool isStopped(int request, bool writes) const {
        const std::lock_guard lock(mutex);
        return writes ? stoppedWrites.contains(request) : request <= stoppedReads;
    }

    history::History& open() {
        std::error_code problem;
        // A file that the user has moved away is begun anew.
        if (history && !std::filesystem::exists(file, problem)) history.reset();
        if (!history) {
            file = history::History::default_file();
            history.emplace(file, [this] { return isStopped(current, writing); });
        }
        return *history;
    }

private:
    mutable std::mutex mutex;
    std::set<int> stoppedWrites;
    int stoppedReads = 0;
};

RunHistory::RunHistory(QObject* parent) : QObject(parent), room_(std::make_unique<Room>()) {
    thread_.setObjectName(QStringLiteral("history"));
    room_->moveToThread(&thread_);
}

RunHistory::~RunHistory() {
    if (!thread_.isRunning()) return;
    room_->closing = true;
    // After all that was asked for before.
    QMetaObject::invokeMethod(room_.get(), [] { QThread::currentThread()->quit(); }, Qt::QueuedConnection);
    thread_.wait();
}

QString RunHistory::file() { return QString::fromStdString(session::utf8_of(history::History::default_file())); }

void RunHistory::setKeeping(bool on, int most) {
    keeping_ = on;
    most_ = most;
}

void RunHistory::ask(QObject* context, bool writes, Act act, Failed failed) {
    if (!thread_.isRunning()) thread_.start();
    const QPointer<QObject> alive = context;
    const int request = ++lastRequest_;
    if (activities_)
        running_[request] = activities_->begin(writes ? tr("Writing the history") : tr("Reading the history"),
                                               [room = room_.get(), request, writes] { room->stop(request, writes); });
    const auto tell = [this, alive, request](std::function<void()> then) {
        QMetaObject::invokeMethod(
            this,
            [this, alive, request, then = std::move(then)] {
                running_.remove(request);
                if (alive && then) then();
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(
        room_.get(),
        [room = room_.get(), writes, request, act = std::move(act), failed = std::move(failed), tell] {
            if (room->closing && (!writes || room->givenUp)) return tell({});
            const auto isStopped = [&] { return room->isStopped(request, writes); };
            const auto tellStopped = [&] {
                tell([failed] {
                    if (failed) failed(RunHistory::tr("It was stopped."));
                });
            };
            room->current = request;
            room->writing = writes;
            try {
                if (isStopped()) return tellStopped();
                const auto then = act(room->open());
                // What is written is written.
                if (!writes && isStopped()) return tellStopped();
                tell(then);
            } catch (const std::exception& error) {
                if (isStopped()) return tellStopped();
                const auto* known = dynamic_cast<const history::HistoryError*>(&error);
                // A damaged file may be moved away, and a full disk be emptied: the next request opens it again.
                if (!known || known->kind != history::HistoryError::Kind::missing) room->history.reset();
                room->givenUp = true;
                tell([failed, text = QString::fromStdString(error.what())] {
                    if (failed) failed(text);
                });
            }
        },
        Qt::QueuedConnection);
}

void RunHistory::read(QObject* context, Act act, Failed failed) {
    ask(context, false, std::move(act), std::move(failed));
}

void RunHistory::change(QObject* context, Act act, Failed failed) {
    ask(
        context, true,
        [this, act = std::move(act)](history::History& history) -> std::function<void()> {
            return [this, then = act(history)] {
                if (then) then();
                emit changed();
            };
        },
        std::move(failed));
}

void RunHistory::keep(session::Session session, std::string source, session::Report report) {
    if (!keeping_) return;
    struct Made {
        session::Session session;
        std::string source;
        session::Report report;
    };
    const auto made = std::make_shared<const Made>(std::move(session), std::move(source), std::move(report));
    change(
        this,
        [this, made, most = static_cast<std::size_t>(most_)](history::History& history) -> std::function<void()> {
            const std::int64_t id = history.add(made->session, made->source, made->report);
            try {
                history.keep_newest(most);
            } catch (const history::HistoryError&) {
                // The run is kept; the next one removes the oldest.
            }
            return [this, id] { emit kept(id); };
        },
        [this](const QString& problem) { emit notKept(problem); });
}

} // namespace warplight::ui
