// SPDX-License-Identifier: Apache-2.0
#include "worker/connection_watch.hpp"

#include "worker/client.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace warplight::worker {
namespace {

using ConnectionKind = ConnectionState::Kind;
using WatchClock = std::chrono::steady_clock;

constexpr auto watch_pause = std::chrono::milliseconds(100);
constexpr std::size_t most_said = 1000; ///< lines that are remembered

/// "on me@host could not be reached: why": who is told of it knows the machine.
std::string cause_of(const std::string& end) {
    const auto colon = end.find(": ");
    return colon == std::string::npos ? end : end.substr(colon + 2);
}

} // namespace

std::optional<ConnectionState> read_connection_state(std::string_view text) {
    const auto space = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, space), rest = text.substr(std::min(space + 1, text.size()));
    if (word == "connecting") return ConnectionState{.kind = ConnectionKind::connecting, .reason = {}};
    if (word == "connected") return ConnectionState{.kind = ConnectionKind::connected, .reason = {}};
    if (word == "lost") return ConnectionState{.kind = ConnectionKind::lost, .reason = {}};
    if (word == "gone") return ConnectionState{.kind = ConnectionKind::gone, .reason = std::string(rest)};
    if (word != "reconnecting") return std::nullopt;
    ConnectionState state{.kind = ConnectionKind::lost, .reason = {}};
    std::from_chars(rest.data(), rest.data() + rest.size(), state.attempt);
    return state;
}

struct ConnectionWatch::State {
    struct Worker {
        ConnectionState connection;
        FilesOnTheirWay files;
    };

    Hooks hooks;
    std::mutex mutex;
    std::map<int, Worker> workers; ///< that have told something
    int last = 0;
    ConnectionState told;
    FilesOnTheirWay told_files;
    WatchClock::time_point told_at{}, told_files_at{};
    std::set<std::string, std::less<>> said;

    explicit State(Hooks h) : hooks(std::move(h)) {}

    [[nodiscard]] ConnectionState whole() const {
        constexpr auto weight = [](ConnectionKind kind) {
            switch (kind) {
            case ConnectionKind::lost: return 4;
            case ConnectionKind::connected: return 3;
            case ConnectionKind::connecting: return 2;
            case ConnectionKind::gone: return 1;
            case ConnectionKind::off: break;
            }
            return 0;
        };
        ConnectionState all;
        for (const auto& [number, worker] : workers) {
            const auto& one = worker.connection;
            if (weight(one.kind) > weight(all.kind))
                all = one;
            else if (one.kind == all.kind)
                all.attempt = std::max(all.attempt, one.attempt);
        }
        return all;
    }

    void tell_state() {
        auto now = whole();
        const bool is_new = now.kind != told.kind || now.reason != told.reason;
        if (!is_new && (now.attempt == told.attempt || WatchClock::now() - told_at < watch_pause)) return;
        told_at = WatchClock::now();
        told = std::move(now);
        if (hooks.on_state) hooks.on_state(told);
    }

    void tell_files() {
        const auto busy =
            std::ranges::find_if(workers, [](const auto& each) { return !each.second.files.text.empty(); });
        if (busy == workers.end()) {
            if (told_files.text.empty()) return;
            told_files = {};
        } else {
            if (WatchClock::now() - told_files_at < watch_pause) return;
            told_files_at = WatchClock::now();
            told_files = busy->second.files;
        }
        if (hooks.on_files) hooks.on_files(told_files);
    }

    void log(int worker, const std::string& level, const std::string& text) {
        const std::lock_guard lock(mutex);
        if (level == "remote") {
            if (said.size() >= most_said || !said.insert(text).second) return;
            if (hooks.on_text) hooks.on_text(text);
        } else if (level == "connection") {
            if (auto state = read_connection_state(text)) {
                workers[worker].connection = std::move(*state);
                tell_state();
            }
        }
    }

    void progress(int worker, const Progress& progress) {
        const bool of_files = progress.stage == "send" || progress.stage == "fetch";
        const std::lock_guard lock(mutex);
        auto& files = workers[worker].files;
        files = of_files ? FilesOnTheirWay{progress.fraction, progress.text} : FilesOnTheirWay();
        tell_files();
    }

    void answered(int worker) { progress(worker, {}); }

    void ended(int worker, const Exit& exit) {
        const std::lock_guard lock(mutex);
        auto& own = workers[worker];
        own.files = {};
        if (own.connection.kind != ConnectionKind::gone) {
            own.connection = {};
            if (exit.reason.kind == EndKind::connection)
                own.connection = {.kind = ConnectionKind::gone, .reason = cause_of(exit.reason.text)};
        }
        tell_files();
        tell_state();
        if (own.connection.kind == ConnectionKind::off) workers.erase(worker);
    }
};

ConnectionWatch::ConnectionWatch(Hooks hooks) : state_(std::make_shared<State>(std::move(hooks))) {}

ConnectionWatch::~ConnectionWatch() = default;

std::function<void()> ConnectionWatch::attach(ClientOptions& options) {
    if (!is_on_another_machine(options.driver)) return [] {};
    int number = 0;
    {
        const std::lock_guard lock(state_->mutex);
        number = ++state_->last;
    }
    options.on_log = [state = state_, number, own = std::move(options.on_log)](const std::string& level,
                                                                               const std::string& text) {
        state->log(number, level, text);
        if (own) own(level, text);
    };
    options.on_progress = [state = state_, number, own = std::move(options.on_progress)](int id,
                                                                                         const Progress& progress) {
        state->progress(number, progress);
        if (own) own(id, progress);
    };
    options.on_exit = [state = state_, number, own = std::move(options.on_exit)](const Exit& exit) {
        state->ended(number, exit);
        if (own) own(exit);
    };
    return [state = state_, number] { state->answered(number); };
}

} // namespace warplight::worker
