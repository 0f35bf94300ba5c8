// SPDX-License-Identifier: Apache-2.0
#include "remote/holder.hpp"

#include "files/problem.hpp"
#include "remote/connection_folder.hpp"
#include "remote/far_files.hpp"
#include "remote/greeting.hpp"
#include "remote/held_worker.hpp"
#include "remote/holder_requests.hpp"
#include "remote/kept_folders.hpp"
#include "remote/link.hpp"
#include "remote/platform.hpp"
#include "session/data_file.hpp"
#include "warplight/version.hpp"
#include "worker/job_queue.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"
#include "worker/request.hpp"
#include "worker/thread_start.hpp"
#include "worker/utf8.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace warplight::remote {
namespace fs = std::filesystem;
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using worker::json;
using worker::RequestError;

/// Both sides give a sign of life far more often.
constexpr auto kQuietTime = 20s;
constexpr std::size_t kMostRequests = 10'000, kMostNotes = 1000;
constexpr std::size_t kMostKeptFolders = 1000;

std::string duration_text(std::chrono::milliseconds time) {
    const double seconds = std::chrono::duration<double>(time).count();
    return seconds < 100 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.3g} min", seconds / 60);
}

std::vector<std::byte> control_bytes(const json& message) {
    const std::vector<std::byte> framed = worker::encode_answer(message);
    return {framed.begin() + 4, framed.end()};
}

class Holder {
public:
    Holder(const HolderOptions& options, ConnectionFolder& folder)
        : options_(options), folder_(folder), listener_(folder.path()), linger_(linger_within_bounds(options.linger)),
          files_({.folder = options.folder, .held = folder.path()},
                 [this](std::span<const std::byte> piece) { return link_.send(Channel::bulk, piece); }) {}
    /// Until the conversation is over. Returns why it is: a phrase.
    std::string run();

private:
    void accept_streams();
    void carry(platform::SocketStream& stream);
    void receive();
    void receive_control(std::span<const std::byte> bytes);
    void answer(const ControlRequest& request);
    json call(const std::string& method, const json& params);
    json open(const json& params);
    fs::path keep_folder(const std::string& near);
    json status() const;
    void send(const json& message) { link_.send(Channel::control, control_bytes(message)); }
    void tell(const char* method, json params);
    void end(const std::string& why);
    /// In the log, which is bounded.
    void note(const std::string& text);
    [[nodiscard]] std::optional<std::string> overdue(steady_clock::time_point now) const;
    [[nodiscard]] steady_clock::time_point next_deadline() const;

    const HolderOptions& options_;
    ConnectionFolder& folder_;
    platform::Listener listener_;
    Link link_;
    const steady_clock::time_point begun_ = steady_clock::now();

    mutable std::mutex mutex_; ///< guards the members below
    std::condition_variable changed_;
    std::optional<std::string> end_;
    std::chrono::milliseconds linger_;
    int streams_ = 0;                               ///< that carry, or wait for it
    steady_clock::time_point alone_since_ = begun_; ///< where streams_ is 0
    bool opened_ = false;
    std::unique_ptr<HeldWorker> worker_;
    std::map<std::string, KeptFolder> kept_; ///< by their names on the near machine

    std::atomic<std::size_t> requests_ = 0, notes_ = 0;
    FarFiles files_;
    worker::JobQueue control_;
};

std::string Holder::run() {
    worker::start_thread([this] { end("it got " + platform::wait_for_end_signal()); }).detach();
    worker::start_thread([this] { receive(); }).detach();
    worker::start_thread([this] { accept_streams(); }).detach();
    std::unique_lock lock(mutex_);
    while (!end_) {
        if (const auto why = overdue(steady_clock::now()))
            end_ = *why;
        else
            changed_.wait_until(lock, next_deadline());
    }
    const std::string why = *end_;
    if (worker_) worker_->kill();
    lock.unlock();
    link_.close();
    listener_.close();
    lock.lock();
    // What was sent last is still delivered, for two seconds.
    changed_.wait_for(lock, 3s, [this] { return streams_ == 0; });
    // It may be writing into the folder that goes now.
    if (worker_) worker_->wait_for_end(3s);
    return why;
}

std::optional<std::string> Holder::overdue(steady_clock::time_point now) const {
    if (!opened_ && now >= begun_ + options_.time_to_open)
        return fmt::format("nobody had asked for a worker within {}", duration_text(options_.time_to_open));
    if (streams_ == 0 && now >= alone_since_ + linger_)
        return fmt::format("nobody was connected for {}", duration_text(linger_));
    return std::nullopt;
}

steady_clock::time_point Holder::next_deadline() const {
    auto deadline = steady_clock::now() + std::chrono::hours(1);
    if (!opened_) deadline = std::min(deadline, begun_ + options_.time_to_open);
    if (streams_ == 0) deadline = std::min(deadline, alone_since_ + linger_);
    return deadline;
}

void Holder::end(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (!end_) end_ = why;
    changed_.notify_all();
}

void Holder::note(const std::string& text) {
    if (++notes_ <= kMostNotes) std::fprintf(stderr, "%s\n", text.c_str());
}

// --- streams

void Holder::accept_streams() {
    while (auto stream = listener_.accept()) {
        {
            const std::lock_guard lock(mutex_);
            if (end_) return;
            ++streams_;
        }
        try {
            worker::start_thread([this, taken = std::shared_ptr(std::move(stream))] {
                carry(*taken);
                const std::lock_guard lock(mutex_);
                if (--streams_ == 0) alone_since_ = steady_clock::now();
                changed_.notify_all();
            }).detach();
        } catch (const std::runtime_error& error) {
            note(error.what());
            const std::lock_guard lock(mutex_);
            if (--streams_ == 0) alone_since_ = steady_clock::now();
        }
    }
    end("its socket was lost");
}

void Holder::carry(platform::SocketStream& stream) {
    // The relay greets when it has read this line.
    constexpr std::string_view taken = "taken\n";
    if (!stream.write(reinterpret_cast<const std::byte*>(taken.data()), taken.size())) return;
    try {
        switch (link_.carry(stream, kQuietTime)) {
        case Link::End::ended:
        case Link::End::broken: note("a stream ended: " + link_.last_end()); break;
        case Link::End::refused: end("what came was wrong: " + link_.last_end()); break;
        case Link::End::closed: end("the near side has closed it"); break;
        }
    } catch (const std::runtime_error& error) { // no thread; the near side tries again
        note(error.what());
    }
}

// --- what comes

void Holder::receive() {
    while (auto packet = link_.receive()) {
        try {
            switch (packet->channel) {
            case Channel::control: receive_control(packet->body); break;
            case Channel::worker: {
                HeldWorker* worker = nullptr;
                {
                    const std::lock_guard lock(mutex_);
                    worker = worker_.get();
                }
                if (worker) worker->write(packet->body);
                break;
            }
            case Channel::bulk: files_.receive_bulk(packet->body); break;
            }
        } catch (const std::exception& error) {
            return end(fmt::format("what came was wrong: {}", error.what()));
        }
    }
}

void Holder::receive_control(std::span<const std::byte> bytes) {
    ControlRequest request = control_request(bytes);
    // These are answered whatever else goes on.
    if (request.method == "end" || request.method == "status") return answer(request);
    if (++requests_ > kMostRequests) throw std::runtime_error("more requests at once than may be");
    control_.post([this, request = std::move(request)] {
        answer(request);
        --requests_;
    });
}

void Holder::answer(const ControlRequest& request) {
    json message = {{"jsonrpc", "2.0"}, {"id", request.id}};
    try {
        message["result"] = call(request.method, request.params);
    } catch (const RequestError& error) {
        message["error"] = {{"code", error.code}, {"message", error.what()}};
        if (!error.data.is_null()) message["error"]["data"] = error.data;
    } catch (const files::Problem& problem) {
        message["error"] = {{"code", worker::file_error}, {"message", problem.what()}};
    } catch (const std::exception& error) {
        message["error"] = {{"code", worker::internal_error}, {"message", error.what()}};
    }
    send(message);
    if (request.method == "end") end("the near side has ended it");
}

json Holder::call(const std::string& method, const json& params) {
    if (method == "open") return open(params);
    if (method == "keep") return {{"folder", session::utf8_of(keep_folder(worker::Params(params).text("folder")))}};
    if (method == "status") return status();
    if (method == "end") return json::object();
    if (files_.knows(method)) return files_.call(method, params);
    throw RequestError(worker::unknown_method,
                       fmt::format("the other machine's Warplight ({}) has no method {}; the same version on both "
                                   "machines helps",
                                   version(), method));
}

json Holder::open(const json& params) {
    const OpenRequest request = open_request(params);
    {
        const std::lock_guard lock(mutex_);
        if (opened_) throw RequestError(worker::invalid_request, "this connection has been opened already");
    }
    for (const std::string& near : request.keep)
        (void)keep_folder(near);
    const fs::path root = FarFiles::root_of(folder_.path()), out = FarFiles::out_of(folder_.path());
    HeldWorker::Settings settings{.program = options_.program,
                                  .driver = request.driver,
                                  .access = {{root}, {out}},
                                  .memory = request.memory,
                                  .confined = request.confined,
                                  .lent_compiler = request.lent_compiler};
    json kept = json::object();
    HeldWorker::Listeners listeners;
    listeners.on_message = [this](std::span<const std::byte> message) { link_.send(Channel::worker, message); };
    listeners.on_errors = [this](std::string_view text) { tell("stderr", {{"text", text}}); };
    listeners.on_end = [this](json how) { tell("worker_ended", std::move(how)); };
    const std::lock_guard lock(mutex_);
    if (end_) throw RequestError(worker::cancelled_request, "the connection is ending");
    for (const auto& [near, far] : kept_) {
        settings.access.write.push_back(far.path());
        kept[near] = session::utf8_of(far.path());
    }
    worker_ = std::make_unique<HeldWorker>(settings, std::move(listeners));
    opened_ = true;
    linger_ = request.linger.value_or(linger_);
    const auto clock = std::chrono::system_clock::now().time_since_epoch();
    return {{"version", version()},
            {"folder", session::utf8_of(options_.folder)},
            {"held", session::utf8_of(folder_.path())},
            {"root", session::utf8_of(root)},
            {"out", session::utf8_of(out)},
            {"kept", kept},
            {"machine", platform::machine_name()},
            {"clock", std::chrono::duration_cast<std::chrono::seconds>(clock).count()},
            {"pid", worker_->process_id()}};
}

fs::path Holder::keep_folder(const std::string& near) {
    const std::lock_guard lock(mutex_);
    if (opened_) throw RequestError(worker::invalid_request, "folders are kept before `open` only");
    if (kept_.size() >= kMostKeptFolders && !kept_.contains(near))
        throw RequestError(worker::invalid_parameters, "folder: is one too many");
    const auto found = kept_.find(near);
    return (found != kept_.end() ? found : kept_.emplace(near, KeptFolder(options_.folder, near)).first)->second.path();
}

json Holder::status() const {
    const std::lock_guard lock(mutex_);
    return {{"version", version()},
            {"opened", opened_},
            {"pid", worker::platform::process_id()},
            {"worker", worker_ ? worker_->process_id() : 0},
            {"linger_s", std::chrono::duration<double>(linger_).count()},
            {"seconds", std::chrono::duration<double>(steady_clock::now() - begun_).count()},
            {"streams", link_.statistics().streams}};
}

void Holder::tell(const char* method, json params) {
    // Behind what the worker has sent before.
    link_.send_after(Channel::worker, Channel::control,
                     control_bytes({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
}

} // namespace

int hold(const HolderOptions& options) {
    worker::platform::close_inherited_files();
    platform::Daemon daemon;
    try {
        if (!is_connection_id(options.id)) throw std::runtime_error("an ID is 32 hexadecimal digits");
        ConnectionFolder folder(options.folder, options.id);
        std::string why;
        try {
            // Never destroyed, because its threads may wait for the worker or the disk.
            auto* holder = new Holder(options, folder);
            daemon.announce("ready", folder.path() / "log");
            why = holder->run();
        } catch (...) {
            folder.end("it could not be started");
            throw;
        }
        folder.end(why);
        worker::platform::end_process(0);
    } catch (const std::exception& error) {
        daemon.announce(error.what(), {});
    }
    worker::platform::end_process(1);
}

} // namespace warplight::remote
