// SPDX-License-Identifier: Apache-2.0
#include "worker/client.hpp"

#include "files/held_folder.hpp"
#include "session/data_file.hpp"
#include "worker/memory_watch.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"
#include "worker/process_memory.hpp"
#include "worker/thread_start.hpp"
#include "worker/utf8.hpp"

#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace warplight::worker {
namespace {

const std::shared_ptr<const json>& null_json() {
    static const auto value = std::make_shared<const json>();
    return value;
}

Reply failure(int code, std::string text, bool died) {
    Reply reply;
    reply.result = reply.data = null_json();
    reply.code = code;
    reply.error = std::move(text);
    reply.worker_died = died;
    return reply;
}

std::string text_of(const json& object, const char* name) {
    auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

constexpr std::size_t kTail = 64 << 10;
/// How long a worker on another machine may take to end.
constexpr auto far_patience = std::chrono::milliseconds(1500);
constexpr std::string_view kOtherMachine = "ssh://";

std::vector<std::string> arguments_of(const ClientOptions& options) {
    std::vector<std::string> arguments{"worker", "--driver", options.driver};
    if (options.memory_limit) arguments.push_back("--memory=" + std::to_string(options.memory_limit));
    if (!options.confined) arguments.emplace_back("--unconfined");
    for (const auto& path : options.access.read)
        arguments.push_back("--read=" + session::utf8_of(path));
    for (const auto& path : options.access.write)
        arguments.push_back("--write=" + session::utf8_of(path));
    for (const auto& path : options.access.kept)
        arguments.push_back("--keep=" + session::utf8_of(path));
    return arguments;
}

} // namespace

bool is_on_another_machine(std::string_view driver) { return driver.starts_with(kOtherMachine); }

std::string driver_on(std::string_view machine, std::string_view driver) {
    return machine.empty() ? std::string(driver) : std::string(machine) + "/" + std::string(driver);
}

std::string machine_name(std::string_view machine) {
    return std::string(is_on_another_machine(machine) ? machine.substr(kOtherMachine.size()) : "");
}

bool names_device(const json& answer) { return !answer.value("devices", json::array()).empty(); }

std::filesystem::path find_worker() {
    std::error_code error;
    if (const char* chosen = std::getenv("WARPLIGHT_WORKER"); chosen && *chosen) return chosen;
    std::filesystem::path beside = platform::own_program().parent_path() / platform::program_file("warplight-cli");
    return std::filesystem::exists(beside, error) ? beside : std::filesystem::path();
}

struct Client::State {
    explicit State(ClientOptions o) : options(std::move(o)) {}

    struct Call {
        OnResult on_result;
        OnProgress on_progress;
    };

    ClientOptions options;

    mutable std::mutex mutex;
    std::condition_variable changed;
    bool running = false;
    bool asked_to_end = false;
    bool closing = false; ///< the writer ends after what is queued
    int generation = 0;
    int next_id = 1;
    std::map<int, Call> calls;
    std::deque<std::vector<std::byte>> outgoing;
    std::string stderr_tail;

    std::shared_ptr<platform::Child> child;
    std::unique_ptr<MemoryWatch> memory_watch;
    std::uint64_t memory_kills = 0; ///< of the system, when the child began
    std::thread reader, writer, errors, ending;

    void read_messages();
    void write_messages();
    void read_errors();
    void receive(json message);
    [[nodiscard]] Exit describe(const platform::EndOfProcess& end);
    /// Ends what start() has begun.
    void give_up();
    void join() {
        if (reader.joinable()) reader.join();
        std::thread last;
        {
            std::lock_guard lock(mutex);
            last.swap(ending);
        }
        if (last.joinable()) last.join();
    }
    [[nodiscard]] bool is_elsewhere() const { return is_on_another_machine(options.driver); }
    void log(const std::string& level, const std::string& text) const {
        if (options.on_log) options.on_log(level, text);
    }
};

void Client::State::receive(json message) {
    auto id_field = message.find("id");
    if (auto method = message.find("method"); method != message.end() && method->is_string()) {
        auto params = message.find("params");
        if (params == message.end() || !params->is_object()) return;
        auto about = params->find("id");
        int id = about != params->end() && about->is_number_integer() ? about->get<int>() : -1;
        if (*method == "output") {
            if (options.on_output) options.on_output(id, text_of(*params, "text"));
        } else if (*method == "log") {
            log(text_of(*params, "level"), text_of(*params, "text"));
        } else if (*method == "progress") {
            Progress progress{text_of(*params, "stage"), -1, text_of(*params, "text")};
            if (auto fraction = params->find("fraction"); fraction != params->end() && fraction->is_number())
                progress.fraction = fraction->get<double>();
            OnProgress callback;
            {
                std::lock_guard lock(mutex);
                if (auto found = calls.find(id); found != calls.end()) callback = found->second.on_progress;
            }
            if (callback) callback(progress);
            if (options.on_progress) options.on_progress(id, progress);
        }
        return;
    }
    if (id_field == message.end() || !id_field->is_number_integer()) return;
    Call call;
    {
        std::lock_guard lock(mutex);
        auto found = calls.find(id_field->get<int>());
        if (found == calls.end()) return;
        call = std::move(found->second);
        calls.erase(found);
    }
    Reply reply;
    reply.result = reply.data = null_json();
    if (auto result = message.find("result"); result != message.end()) {
        reply.ok = true;
        reply.result = std::make_shared<const json>(std::move(*result));
    } else {
        auto error = message.find("error");
        reply.error = "the worker gave no answer";
        if (error != message.end() && error->is_object()) {
            reply.error = text_of(*error, "message");
            if (auto code = error->find("code"); code != error->end() && code->is_number_integer())
                reply.code = code->get<int>();
            if (auto data = error->find("data"); data != error->end())
                reply.data = std::make_shared<const json>(std::move(*data));
        }
    }
    if (call.on_result) call.on_result(reply);
}

void Client::State::read_messages() {
    std::shared_ptr<platform::Child> process = child;
    FrameReader frames([](void* stream, std::byte* to,
                          std::size_t size) { return static_cast<platform::Child*>(stream)->read_output(to, size); },
                       process.get());
    std::vector<std::byte> bytes;
    json message;
    std::string problem;
    while (frames.next(bytes) == FrameReader::Result::message) {
        if (!decode_message(bytes, message, problem)) {
            log("error", "the worker sent something that is no message: it " + problem);
            break;
        }
        // A worker may have been taken over by what it ran.
        if (!has_utf8_only(message)) message = as_utf8(message);
        receive(std::move(message));
    }
    // A worker that closed its output or sent nonsense is killed. It gets a moment to end by itself first, because
    // its own exit code or signal tells more than a kill.
    std::thread impatient;
    try {
        impatient = start_thread([process, this] {
            std::unique_lock lock(mutex);
            if (!changed.wait_for(lock, std::chrono::seconds(2), [this] { return closing; })) process->kill();
        });
    } catch (const std::runtime_error&) {
        process->kill();
    }
    platform::EndOfProcess end = process->wait();
    {
        std::lock_guard lock(mutex);
        closing = true;
    }
    changed.notify_all();
    if (impatient.joinable()) impatient.join();
    errors.join();
    writer.join();

    std::map<int, Call> left;
    const Exit exit = describe(end);
    {
        std::lock_guard lock(mutex);
        running = false;
        left.swap(calls);
        outgoing.clear();
    }
    changed.notify_all();
    Reply died = failure(0, "the worker " + exit.reason.text, true);
    for (auto& [id, call] : left)
        if (call.on_result) call.on_result(died);
    if (options.on_exit) options.on_exit(exit);
}

Exit Client::State::describe(const platform::EndOfProcess& end) {
    EndEvidence evidence{
        .end = end, .memory_limit = options.memory_limit, .tells_of_another = is_on_another_machine(options.driver)};
    if (memory_watch) {
        evidence.over_memory = memory_watch->was_over();
        memory_watch.reset();
    }
    evidence.system_killed =
        end.cause == platform::EndOfProcess::Cause::killed && platform::memory_kills() > memory_kills;
    Exit exit{.by_signal = end.by_signal, .code = end.code};
    {
        std::lock_guard lock(mutex);
        exit.asked = evidence.asked = asked_to_end;
        evidence.errors = stderr_tail;
    }
    exit.reason = end_reason(evidence);
    exit.stderr_tail = without_crash_report(evidence.errors);
    return exit;
}

void Client::State::write_messages() {
    std::shared_ptr<platform::Child> process = child;
    for (;;) {
        std::vector<std::byte> bytes;
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return closing || !outgoing.empty(); });
            if (outgoing.empty()) break;
            bytes = std::move(outgoing.front());
            outgoing.pop_front();
        }
        if (!process->write(bytes.data(), bytes.size())) break;
    }
    process->close_input();
}

void Client::State::read_errors() {
    std::shared_ptr<platform::Child> process = child;
    std::byte buffer[4096];
    std::string line;
    while (std::size_t count = process->read_errors(buffer, sizeof buffer)) {
        std::string_view text(reinterpret_cast<const char*>(buffer), count);
        {
            std::lock_guard lock(mutex);
            stderr_tail += text;
            if (stderr_tail.size() > kTail) stderr_tail.erase(0, stderr_tail.size() - kTail);
        }
        for (char c : text) {
            if (c != '\n') line += c;
            if (c != '\n' && line.size() < kTail) continue;
            log("stderr", line);
            line.clear();
        }
    }
    if (!line.empty()) log("stderr", line);
}

Client::Client(ClientOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Client::~Client() {
    kill();
    state_->join();
}

void Client::set_access(Access access) {
    std::lock_guard lock(state_->mutex);
    state_->options.access = std::move(access);
}

void Client::start() {
    State& s = *state_;
    {
        std::lock_guard lock(s.mutex);
        if (s.running) return;
    }
    s.join();
    std::filesystem::path program = s.options.program.empty() ? find_worker() : s.options.program;
    if (program.empty())
        throw std::runtime_error("the worker program, warplight-cli, is not beside this program; WARPLIGHT_WORKER may "
                                 "say where it is");
    std::vector<std::string> arguments = s.options.arguments;
    if (arguments.empty()) arguments = arguments_of(s.options);
    // Of workers that were killed. A worker may not be allowed to look at all temporary files.
    files::remove_dead_folders();
    s.memory_kills = platform::memory_kills();
    platform::ChildSettings settings;
    if (s.is_elsewhere()) {
        // It starts the user's ssh, and runs nothing itself. The limit is one of the worker there.
        settings.environment = platform::ChildSettings::Environment::whole;
        settings.at_terminal = true;
        settings.ends_with_input = true; // it ends the worker there first
    } else {
        settings.memory_limit = s.options.memory_limit;
    }
    s.child = std::make_shared<platform::Child>(program, arguments, settings);
    if (settings.memory_limit) s.memory_watch = std::make_unique<MemoryWatch>(s.child, settings.memory_limit);
    {
        std::lock_guard lock(s.mutex);
        s.running = true;
        s.asked_to_end = s.closing = false;
        s.stderr_tail.clear();
        s.outgoing.clear();
        ++s.generation;
    }
    try {
        s.errors = start_thread([&s] { s.read_errors(); });
        s.writer = start_thread([&s] { s.write_messages(); });
        s.reader = start_thread([&s] { s.read_messages(); });
    } catch (const std::runtime_error&) {
        s.give_up();
        throw;
    }
    call("hello", {{"protocol", kProtocolVersion}}, [&s](const Reply& reply) {
        if (reply.ok) {
            if (s.options.on_ready) s.options.on_ready(*reply.result);
        } else if (!reply.worker_died) {
            s.log("error", reply.error);
        }
    });
}

void Client::State::give_up() {
    child->kill();
    child->wait();
    memory_watch.reset();
    {
        std::lock_guard lock(mutex);
        running = false;
        closing = true;
    }
    changed.notify_all();
    for (std::thread* thread : {&errors, &writer})
        if (thread->joinable()) thread->join();
}

bool Client::running() const {
    std::lock_guard lock(state_->mutex);
    return state_->running;
}

std::int64_t Client::process_id() const {
    std::lock_guard lock(state_->mutex);
    return state_->running ? state_->child->id() : 0;
}

int Client::generation() const {
    std::lock_guard lock(state_->mutex);
    return state_->generation;
}

int Client::call(const std::string& method, json params, OnResult on_result, OnProgress on_progress) {
    State& s = *state_;
    int id;
    std::string problem = "no worker is running";
    {
        std::lock_guard lock(s.mutex);
        id = s.next_id++;
        if (s.running && !s.closing) {
            try {
                s.outgoing.push_back(encode_message(
                    {{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}));
                s.calls[id] = {std::move(on_result), std::move(on_progress)};
                s.changed.notify_all();
                return id;
            } catch (const std::length_error&) {
                problem = "the request is larger than a message may be";
            }
        }
    }
    if (on_result) on_result(failure(internal_error, problem, false));
    return id;
}

Reply Client::call_wait(const std::string& method, json params, OnProgress on_progress,
                        std::chrono::milliseconds timeout) {
    auto promise = std::make_shared<std::promise<Reply>>();
    std::future<Reply> future = promise->get_future();
    int id = call(
        method, std::move(params), [promise](const Reply& reply) { promise->set_value(reply); },
        std::move(on_progress));
    if (timeout.count() > 0 && future.wait_for(timeout) != std::future_status::ready) {
        cancel(id);
        return failure(cancelled_request, "no answer within " + std::to_string(timeout.count()) + " ms", false);
    }
    return future.get();
}

void Client::cancel(int id) { call("cancel", {{"id", id}}, {}); }

void Client::kill() {
    State& s = *state_;
    std::lock_guard lock(s.mutex);
    if (!s.running) return;
    s.asked_to_end = true;
    if (!s.is_elsewhere()) return s.child->kill();
    // It ends the worker there when its input ends. Killed at once it could not, and the worker there would take that
    // for a lost connection, and go on.
    s.child->close_input();
    if (s.ending.joinable()) return;
    try {
        s.ending = start_thread([&s, process = s.child] {
            std::unique_lock waiting(s.mutex);
            if (!s.changed.wait_for(waiting, far_patience, [&s] { return !s.running; })) process->kill();
        });
    } catch (const std::runtime_error&) {
        s.child->kill();
    }
}

void Client::restart() {
    kill();
    state_->join();
    start();
}

void Client::shutdown(std::chrono::milliseconds patience) {
    State& s = *state_;
    call("shutdown", json::object(), {});
    {
        std::unique_lock lock(s.mutex);
        s.asked_to_end = true;
        s.changed.wait_for(lock, patience, [&s] { return !s.running; });
    }
    kill();
    s.join();
}

} // namespace warplight::worker
