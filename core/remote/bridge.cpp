// SPDX-License-Identifier: Apache-2.0
#include "remote/bridge.hpp"

#include "remote/connection.hpp"
#include "remote/control.hpp"
#include "remote/lender.hpp"
#include "remote/link.hpp"
#include "remote/near_files.hpp"
#include "session/data_file.hpp"
#include "session/session.hpp"
#include "warplight/compiler.hpp"
#include "warplight/version.hpp"
#include "worker/end_reason.hpp"
#include "worker/job_queue.hpp"
#include "worker/message.hpp"
#include "worker/platform.hpp"
#include "worker/process_end_json.hpp"
#include "worker/request.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <future>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace warplight::remote {
namespace {

using worker::json;
using worker::RequestError;

/// Both sides give a sign of life far more often.
constexpr auto quiet = std::chrono::seconds(8);
/// For the end of the worker there, when the client does not want it any more.
constexpr auto end_patience = std::chrono::milliseconds(1000);
constexpr int exit_lost = 9; ///< the reason stands on standard error
constexpr std::size_t last_words = std::size_t{64} << 10;

json response(int id, const char* key, json value) { return {{"jsonrpc", "2.0"}, {"id", id}, {key, std::move(value)}}; }

/// For the middle of a sentence.
std::string without_period(std::string text) {
    while (text.ends_with('.'))
        text.pop_back();
    return text;
}

std::string text_of(const json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Methods whose parameters or results name files, by the queue in which they wait: in a worker they do, too.
enum class Queue : std::uint8_t { none, runs, compilations, buffers };
Queue queue_of(std::string_view method) {
    if (method == "run") return Queue::runs;
    constexpr std::array<std::string_view, 5> compilations = {"compile", "layouts", "sass", "registers", "occupancy"};
    if (std::ranges::find(compilations, method) != compilations.end()) return Queue::compilations;
    constexpr std::array<std::string_view, 3> buffers = {"buffer.open", "buffer.members", "buffer.save"};
    return std::ranges::find(buffers, method) != buffers.end() ? Queue::buffers : Queue::none;
}

class Bridge {
public:
    Bridge(const BridgeOptions& options, worker::platform::ServerPipes& pipes, Lender& lender)
        : options_(options), pipes_(pipes), lender_(lender),
          control_([this](std::span<const std::byte> bytes) { return link_.send(Channel::control, bytes); }),
          files_(options.access, options.confined, channelling()), connection_(connection_options(), link_) {}

    int run();

private:
    /// A request whose files go there first, or whose results come back.
    struct Task {
        int id = 0;
        std::string method;
        json params;
        std::atomic<bool> cancelled = false;
        std::atomic<bool> sent = false;
        std::promise<json> answer;
    };

    NearFiles::Channelling channelling();
    Connection::Options connection_options();
    void open();
    void read_link();
    void receive(std::vector<std::byte> bytes);
    void cancel(int id, const json& params, std::span<const std::byte> bytes);
    void begin(int id, const std::string& method, json params, Queue queue);
    void work(Task& task);
    void receive_from_worker(const std::vector<std::byte>& bytes);
    void receive_control(const std::vector<std::byte>& bytes);
    void worker_ended(const json& told);
    std::shared_ptr<Task> task_of(int id);
    void tell_machine(std::string_view method, json& result) const;

    void send(const json& message) { write(worker::encode_answer(message)); }
    void send_body(std::span<const std::byte> body) { write(worker::in_frame(body)); }
    /// Where nobody reads any more, the input has ended too. run() finds that, and first ends the worker there.
    void write(const std::vector<std::byte>& bytes) {
        const std::lock_guard lock(writing_);
        (void)pipes_.write(bytes.data(), bytes.size());
    }
    void log(const char* level, const std::string& text) {
        send({{"jsonrpc", "2.0"}, {"method", "log"}, {"params", {{"level", level}, {"text", text}}}});
    }
    void fail(int id, worker::ErrorCode code, const std::string& text, const json& data = nullptr) {
        json error = {{"code", code}, {"message", text}};
        if (!data.is_null()) error["data"] = data;
        send(response(id, "error", files_.near_strings(std::move(error))));
    }
    std::string near_text(std::string text) const {
        return files_.near_strings(json(std::move(text))).get<std::string>();
    }
    /// Nothing is joined: threads may wait for the other machine.
    [[noreturn]] void end(int code) {
        connection_.stop();
        std::fflush(stderr);
        worker::platform::end_process(code);
    }
    [[noreturn]] void end_because(const worker::EndReason& reason) {
        {
            const std::lock_guard lock(ending_);
            std::fputs(worker::told_end_line(reason).c_str(), stderr);
            std::fflush(stderr);
            worker::platform::end_process(exit_lost);
        }
    }

    const BridgeOptions& options_;
    worker::platform::ServerPipes& pipes_;
    Lender& lender_;
    std::mutex writing_, ending_;
    Link link_;
    Control control_;
    NearFiles files_;
    Connection connection_;
    std::mutex errors_mutex_;
    std::string errors_; ///< of the worker there, their end
    std::mutex tasks_mutex_;
    std::map<int, std::shared_ptr<Task>> tasks_;
    std::atomic<int> shutdown_ = -1; ///< the id of that request
    worker::JobQueue runs_, compilations_, buffers_;
};

NearFiles::Channelling Bridge::channelling() {
    NearFiles::Channelling to;
    to.machine = machine_of(options_.place);
    to.digests = std::filesystem::path(compiler::cache_folder()).parent_path() / "digests";
    to.ask = [this](const std::string& method, json params, const std::function<bool()>& cancelled) {
        return control_.ask(method, std::move(params), cancelled);
    };
    to.send_bulk = [this](std::span<const std::byte> bytes) { return link_.send(Channel::bulk, bytes); };
    to.progress = [this](int id, double fraction, const std::string& text) {
        const auto task = task_of(id);
        const char* stage = task && task->sent ? "fetch" : "send";
        send({{"jsonrpc", "2.0"},
              {"method", "progress"},
              {"params", {{"id", id}, {"stage", stage}, {"fraction", fraction}, {"text", text}}}});
    };
    return to;
}

Connection::Options Bridge::connection_options() {
    Connection::Options options;
    options.place = options_.place;
    options.id = random_id();
    options.linger = options_.linger;
    options.quiet = quiet;
    options.on_text = [this](const std::string& text) { log("remote", text); };
    options.on_state = [this](Connection::State state, const std::string& text) {
        switch (state) {
        case Connection::State::connecting: return log("connection", "connecting");
        case Connection::State::connected: return log("connection", "connected");
        case Connection::State::lost: return log("connection", "lost");
        case Connection::State::reconnecting: return log("connection", "reconnecting " + text);
        case Connection::State::gone:
            log("connection", "gone " + text);
            end_because({worker::EndKind::connection,
                         fmt::format("was lost with the connection to {}: {}", machine_of(options_.place),
                                     without_period(text)),
                         ""});
        }
    };
    return options;
}

void Bridge::open() {
    const auto connection_failed = [&](const std::string& why) {
        end_because({worker::EndKind::connection,
                     fmt::format("on {} could not be reached: {}", machine_of(options_.place), without_period(why)),
                     ""});
    };
    try {
        connection_.open();
    } catch (const ConnectionError& error) {
        connection_failed(error.what());
    }
    std::thread(&Bridge::read_link, this).detach();
    try {
        json keep = json::array();
        for (const auto& folder : options_.access.kept)
            keep.push_back(session::utf8_of(folder));
        const json opened = control_.ask("open", {{"driver", options_.place.driver},
                                                  {"memory", options_.memory},
                                                  {"confined", options_.confined},
                                                  {"lent_compiler", true},
                                                  {"linger_s", options_.linger.count()},
                                                  {"keep", std::move(keep)},
                                                  {"near", {{"version", std::string(version())}}}});
        files_.set_far(opened);
        if (const auto kept = opened.find("kept"); kept != opened.end() && kept->is_object())
            for (const auto& folder : options_.access.kept)
                if (const auto far = text_of(*kept, session::utf8_of(folder).c_str()); !far.empty())
                    files_.set_kept(folder, far);
        lender_.begin([this](std::string text) { return near_text(std::move(text)); },
                      [this](const json& answer) { link_.send(Channel::worker, packed(answer)); });
    } catch (const std::exception& error) {
        connection_failed(error.what());
    }
}

void Bridge::read_link() {
    try {
        while (auto packet = link_.receive()) {
            switch (packet->channel) {
            case Channel::control: receive_control(packet->body); break;
            case Channel::worker: receive_from_worker(packet->body); break;
            case Channel::bulk: files_.receive_bulk(packet->body); break;
            }
        }
    } catch (const std::exception& error) {
        end_because(
            {worker::EndKind::connection,
             fmt::format("on {} sent what this program cannot use: {}", machine_of(options_.place), error.what()),
             "Another version of Warplight may be there."});
    }
}

void Bridge::receive_control(const std::vector<std::byte>& bytes) {
    json message;
    std::string problem;
    if (!worker::decode_message(bytes, message, problem)) throw std::runtime_error("a control message that " + problem);
    const auto method = message.find("method");
    if (method == message.end()) return control_.answer(std::move(message));
    const json params = message.value("params", json::object());
    if (*method == "stderr") {
        const auto text = params.find("text");
        if (text == params.end() || !text->is_string()) return;
        const std::lock_guard lock(errors_mutex_);
        const auto& said = text->get_ref<const std::string&>();
        std::fwrite(said.data(), 1, said.size(), stderr);
        std::fflush(stderr);
        errors_ += said;
        if (errors_.size() > last_words) errors_.erase(0, errors_.size() - last_words);
    } else if (*method == "worker_ended") {
        worker_ended(params);
    }
}

void Bridge::worker_ended(const json& told) {
    if (shutdown_ >= 0) return; // its answer came before, and ends this process
    worker::EndEvidence evidence;
    evidence.end = worker::end_of_process_from_json(told);
    evidence.memory_limit = options_.memory;
    evidence.over_memory = told.value("over_memory", json()) == json(true);
    evidence.system_killed = told.value("system_killed", json()) == json(true);
    {
        const std::lock_guard lock(errors_mutex_);
        evidence.errors = errors_;
    }
    end_because(worker::end_reason(evidence));
}

void Bridge::receive_from_worker(const std::vector<std::byte>& bytes) {
    json message;
    std::string problem;
    if (!worker::decode_message(bytes, message, problem)) throw std::runtime_error("a message that " + problem);
    int id = -1;
    if (const auto found = message.find("id"); found != message.end() && found->is_number_integer() &&
                                               found->get<std::int64_t>() >= 0 &&
                                               found->get<std::int64_t>() <= std::numeric_limits<int>::max())
        id = static_cast<int>(found->get<std::int64_t>());
    if (id >= 0 && !message.contains("method")) {
        if (const auto task = task_of(id); task && task->sent.load()) {
            task->answer.set_value(std::move(message)); // once: it is no longer found then
            return;
        }
    }
    if (message.contains("method") && lender_.receive(message)) return;
    if (files_.names_far_files({reinterpret_cast<const char*>(bytes.data()), bytes.size()}))
        send(files_.near_strings(std::move(message)));
    else
        send_body(bytes);
    if (id >= 0 && id == shutdown_) {
        try {
            control_.ask("end", json::object(), {}, end_patience);
        } catch (const RequestError&) { // NOLINT(bugprone-empty-catch): it ends when nobody is there, too
        }
        end(0);
    }
}

/// Where a kernel ran and was compiled.
void Bridge::tell_machine(std::string_view method, json& result) const {
    if (!result.is_object()) return;
    const std::string machine = machine_of(options_.place);
    json* compiled = &result;
    if (method == "run") {
        result["machine"] = machine;
        const auto found = result.find("compile");
        if (found == result.end() || !found->is_object()) return;
        compiled = &*found;
    }
    const auto compiler = compiled->find("compiler");
    if (compiler == compiled->end() || !compiler->is_string()) return;
    auto& name = compiler->get_ref<std::string&>();
    if (!name.empty() && !name.ends_with(compiler::lent_words)) name += " on " + machine;
}

std::shared_ptr<Bridge::Task> Bridge::task_of(int id) {
    const std::lock_guard lock(tasks_mutex_);
    const auto found = tasks_.find(id);
    return found == tasks_.end() ? nullptr : found->second;
}

void Bridge::begin(int id, const std::string& method, json params, Queue queue) {
    auto task = std::make_shared<Task>();
    task->id = id;
    task->method = method;
    task->params = std::move(params);
    {
        const std::lock_guard lock(tasks_mutex_);
        if (!tasks_.emplace(id, task).second) {
            fail(id, worker::invalid_request, "a request with this id is still open");
            return;
        }
    }
    worker::JobQueue& to = queue == Queue::runs ? runs_ : queue == Queue::compilations ? compilations_ : buffers_;
    to.post([this, task] { work(*task); });
}

void Bridge::work(Task& task) {
    const auto cancelled = [&task] { return task.cancelled.load(); };
    const auto forget = [&] {
        const std::lock_guard lock(tasks_mutex_);
        tasks_.erase(task.id);
    };
    try {
        if (cancelled()) throw RequestError(worker::cancelled_request, "cancelled");
        json params = files_.prepare(task.method, std::move(task.params), task.id, cancelled);
        if (cancelled()) throw RequestError(worker::cancelled_request, "cancelled");
        auto future = task.answer.get_future();
        task.sent = true;
        const json sent = params;
        link_.send(
            Channel::worker,
            packed({{"jsonrpc", "2.0"}, {"id", task.id}, {"method", task.method}, {"params", std::move(params)}}));
        json answer = future.get();
        if (auto result = answer.find("result"); result != answer.end()) {
            json finished = files_.finish(task.method, sent, std::move(*result), task.id, cancelled);
            tell_machine(task.method, finished);
            answer["result"] = std::move(finished);
        } else {
            files_.forget(task.id);
            answer = files_.near_strings(std::move(answer));
        }
        forget();
        send(answer);
    } catch (const RequestError& error) {
        forget();
        fail(task.id, error.code, error.what(), error.data);
    } catch (const session::SessionError& error) {
        forget();
        fail(task.id, worker::invalid_parameters, error.what());
    } catch (const std::exception& error) {
        forget();
        fail(task.id, worker::internal_error, error.what());
    }
}

void Bridge::cancel(int id, const json& params, std::span<const std::byte> bytes) {
    const auto wanted = params.find("id");
    if (wanted != params.end() && wanted->is_number_integer() && wanted->get<std::int64_t>() >= 0 &&
        wanted->get<std::int64_t>() <= std::numeric_limits<int>::max()) {
        if (const auto task = task_of(static_cast<int>(wanted->get<std::int64_t>()))) {
            task->cancelled = true;
            if (!task->sent) return send(response(id, "result", {{"known", true}}));
        }
    }
    link_.send(Channel::worker, bytes);
}

void Bridge::receive(std::vector<std::byte> bytes) {
    json message;
    std::string problem;
    if (!worker::decode_message(bytes, message, problem)) {
        log("error", "malformed message: " + problem);
        end(2);
    }
    const auto method = message.find("method");
    const auto id = message.find("id");
    auto params = message.find("params");
    // What is no request is refused by the worker there, in its own words.
    if (method != message.end() && method->is_string() && id != message.end() && id->is_number_integer() &&
        id->get<std::int64_t>() >= 0 && id->get<std::int64_t>() <= std::numeric_limits<int>::max() &&
        (params == message.end() || params->is_object())) {
        const auto number = static_cast<int>(id->get<std::int64_t>());
        const auto& name = method->get_ref<const std::string&>();
        json own = params == message.end() ? json::object() : std::move(*params);
        if (name == "cancel") return cancel(number, own, bytes);
        if (name == "shutdown") shutdown_ = number;
        if (const Queue queue = queue_of(name); queue != Queue::none) return begin(number, name, std::move(own), queue);
    }
    link_.send(Channel::worker, bytes);
}

int Bridge::run() {
    open();
    worker::FrameReader reader(
        [](void* stream, std::byte* to, std::size_t size) {
            return static_cast<worker::platform::ServerPipes*>(stream)->read(to, size);
        },
        &pipes_);
    std::vector<std::byte> message;
    auto result = worker::FrameReader::Result::message;
    while ((result = reader.next(message)) == worker::FrameReader::Result::message)
        receive(std::move(message));
    // The client is gone, or does not want the worker any more.
    try {
        control_.ask("end", json::object(), {}, end_patience);
    } catch (const RequestError&) { // NOLINT(bugprone-empty-catch): without a connection it ends after a while
    }
    end(result == worker::FrameReader::Result::broken ? 2 : 0);
}

} // namespace

std::chrono::seconds linger_of_environment() {
    constexpr std::chrono::seconds usual(600);
    constexpr std::int64_t longest = 24 * 3600;
    const char* text = std::getenv("WARPLIGHT_REMOTE_LINGER");
    if (!text) return usual;
    const std::string_view digits(text);
    std::int64_t seconds = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (problem != std::errc() || end != digits.data() + digits.size() || seconds < 1 || seconds > longest)
        return usual;
    return std::chrono::seconds(seconds);
}

int bridge_main(const BridgeOptions& options) {
    worker::platform::ignore_interrupts();
    auto* lender = new Lender(options.access); // before there are threads
    worker::platform::ServerPipes pipes;
    // Never destroyed, because threads may wait for the other machine.
    auto* bridge = new Bridge(options, pipes, *lender);
    return bridge->run();
}

} // namespace warplight::remote
