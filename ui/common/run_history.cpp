// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/run_history.hpp"

#include "history/history.hpp"
#include "session/data_file.hpp"

#include <QPointer>
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

    history::History& open() {
        std::error_code problem;
        // A file that the user has moved away is begun anew.
        if (history && !std::filesystem::exists(file, problem)) history.reset();
        if (!history) {
            file = history::History::default_file();
            history.emplace(file);
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
    const auto tell = [this, alive](std::function<void()> then) {
        QMetaObject::invokeMethod(
            this,
            [alive, then = std::move(then)] {
                if (alive && then) then();
            },
            Qt::QueuedConnection);
    };
    QMetaObject::invokeMethod(
        room_.get(),
        [room = room_.get(), writes, act = std::move(act), failed = std::move(failed), tell] {
            if (room->closing && (!writes || room->givenUp)) return;
            try {
                tell(act(room->open()));
            } catch (const std::exception& error) {
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
