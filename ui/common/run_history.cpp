// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_history.hpp"

#include "history/history.hpp"
#include "session/data_file.hpp"
#include "ui/common/activities.hpp"

#include <atomic>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace warplight::ui {

struct RunHistory::Room : QObject {
    std::optional<history::History> history;
    std::filesystem::path file;
    std::atomic<bool> closing = false; ///< the window goes: nobody wants answers
    bool givenUp = false;              ///< nor is another write worth waiting for
    std::atomic<int> reading = 0;      ///< the request that the thread reads for; 0: none
    std::atomic<int> stopped = 0;      ///< the last request that the user does not want to wait for

    /// With those before, which it had to wait for.
    bool isStopped(int request) const { return request <= stopped; }

    history::History& open() {
        std::error_code problem;
        // A file that the user has moved away is begun anew.
        if (history && !std::filesystem::exists(file, problem)) history.reset();
        if (!history) {
            file = history::History::default_file();
            history.emplace(file);
            history->set_cancelled([this] { return reading != 0 && isStopped(reading); });
        }
        return *history;
    }
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
        running_[request] = writes ? activities_->begin(tr("Writing the history"), {})
                                   : activities_->begin(tr("Reading the history"),
                                                        [room = room_.get(), request] { room->stopped = request; });
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
            try {
                history::History& history = room->open();
                room->reading = writes ? 0 : request;
                const auto then = writes || !room->isStopped(request) ? act(history) : std::function<void()>();
                room->reading = 0;
                const bool stopped = !writes && room->isStopped(request);
                tell(stopped ? std::function<void()>([failed] {
                    if (failed) failed(RunHistory::tr("It was stopped."));
                })
                             : then);
            } catch (const std::exception& error) {
                room->reading = 0;
                if (!writes && room->isStopped(request)) {
                    tell([failed] {
                        if (failed) failed(RunHistory::tr("It was stopped."));
                    });
                    return;
                }
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
