// SPDX-License-Identifier: Apache-2.0
#include "worker/dispatcher.hpp"

#include "worker/utf8.hpp"

#include "session/session.hpp"
#include "warplight/error.hpp"
#include "warplight/version.hpp"
#include "worker/buffer_methods.hpp"
#include "worker/device_methods.hpp"
#include "worker/job_queue.hpp"
#include "worker/platform.hpp"

#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <thread>

namespace warplight::worker {
namespace {

constexpr const char* kNoMemory = "there is not enough memory for this";

json error_object(int code, const std::string& message, const json& data = nullptr) {
    json error = {{"code", code}, {"message", message}};
    if (!data.is_null()) error["data"] = data;
    return error;
}

json response(const json& id, const char* key, json value) {
    return {{"jsonrpc", "2.0"}, {"id", id}, {key, std::move(value)}};
}

json driver_error_data(const Error& error) {
    return {{"routine", error.routine()},
            {"code", error.code()},
            {"code_name", error.code_name()},
            {"detail", error.detail()},
            {"sticky", error.sticky()}};
}

/// Runs `work` and turns its result or its exception into a response.
template <class Work>
json answer(int id, Work&& work) {
    try {
        return response(id, "result", work());
    } catch (const RequestError& error) {
        return response(id, "error", error_object(error.code, error.what(), error.data));
    } catch (const FileError& error) {
        return response(id, "error", error_object(file_error, error.what(), {{"path", error.path()}}));
    } catch (const session::SessionError& error) {
        return response(id, "error", error_object(invalid_parameters, error.what()));
    } catch (const Error& error) {
        return response(
            id, "error",
            error_object(error.code() ? driver_error : invalid_parameters, error.what(), driver_error_data(error)));
    } catch (const std::bad_alloc&) {
        return response(id, "error", error_object(internal_error, kNoMemory));
    } catch (const std::exception& error) {
        return response(id, "error", error_object(internal_error, error.what()));
    }
}

} // namespace

struct Dispatcher::State {
    State(const std::string& driver_name, json walls_of_process, Send send_message,
          std::function<void(const json&)> answered)
        : driver(driver_name), walls(std::move(walls_of_process)), send(std::move(send_message)),
          on_answer(std::move(answered)), methods(driver, buffers) {}

    using Method = json (DeviceMethods::*)(const json&, const RequestContext&);
    struct Entry {
        Method method;
        JobQueue* queue;
    };
    Entry device_method(const std::string& name) {
        if (name == "run") return {&DeviceMethods::run, &device};
        if (name == "compile") return {&DeviceMethods::compile, &compilation};
        if (name == "occupancy") return {&DeviceMethods::occupancy, &compilation};
        if (name == "sass") return {&DeviceMethods::sass, &compilation};
        if (name == "registers") return {&DeviceMethods::registers, &compilation};
        if (name == "compilers") return {&DeviceMethods::compilers, &compilation};
        if (name == "devices") return {&DeviceMethods::devices, &quick};
        if (name == "memory") return {&DeviceMethods::memory, &quick};
        if (name == "layouts") return {&DeviceMethods::layouts, &compilation};
        if (name == "signatures") return {&DeviceMethods::signatures, &quick};
        return {nullptr, nullptr};
    }

    void notify(const char* method, json params) {
        send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    }

    /// Ends the kernel of the run that has the device, if that run is cancelled, as long as the cancelled request `id`
    /// is open. It looks each time which run that is, so that it never ends the next run's kernel. A cancelled request
    /// of another queue may wait for the kernel, too.
    void stop_cancelled(int id) {
        stopper.post([this, id] {
            const auto enough = std::chrono::steady_clock::now() + std::chrono::seconds(10);
            for (;;) {
                {
                    std::lock_guard running_lock(running_mutex);
                    if (running && is_cancelled(*running)) methods.cancel_kernels();
                }
                {
                    std::lock_guard lock(open_mutex);
                    if (!open.contains(id) || ending) return;
                }
                if (std::chrono::steady_clock::now() > enough) return;
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
            }
        });
    }
    [[nodiscard]] bool is_cancelled(int id) {
        std::lock_guard lock(open_mutex);
        auto found = open.find(id);
        return found != open.end() && *found->second;
    }
    void set_running(std::optional<int> id) {
        std::lock_guard lock(running_mutex);
        running = id;
    }

    using Work = std::function<json(const RequestContext&)>;
    void start(int id, JobQueue& queue, Work work) {
        auto cancelled = std::make_shared<std::atomic<bool>>(false);
        {
            std::lock_guard lock(open_mutex);
            open[id] = cancelled;
        }
        queue.post([this, id, cancelled, work = std::move(work)] {
            RequestContext context{.id = id, .cancelled = cancelled.get()};
            auto last = std::chrono::steady_clock::time_point{};
            std::string last_stage;
            context.progress = [&](std::string_view stage, double fraction, std::string_view text) {
                // Nobody can read more than about 30 messages a second.
                auto now = std::chrono::steady_clock::now();
                if (stage == last_stage && now - last < std::chrono::milliseconds(30)) return;
                last = now;
                last_stage = stage;
                notify("progress", {{"id", id}, {"stage", stage}, {"fraction", fraction}, {"text", text}});
            };
            Utf8Pieces output([&](std::string_view text) { notify("output", {{"id", id}, {"text", text}}); });
            context.output = [&](std::string_view text) { output.add(text); };
            json message;
            try {
                message = answer(id, [&] {
                    context.check();
                    return work(context);
                });
                output.end();
            } catch (const std::bad_alloc&) { // not even for an error
                free_reserve();
                message = response(id, "error", error_object(internal_error, kNoMemory));
            }
            {
                std::lock_guard lock(open_mutex);
                if (auto found = open.find(id); found != open.end() && found->second == cancelled) open.erase(found);
            }
            send_answer(id, message);
        });
    }

    void send_answer(int id, const json& message) {
        free_reserve();
        try {
            send(message);
        } catch (const std::length_error& error) {
            send(response(id, "error", error_object(internal_error, error.what())));
        } catch (const std::bad_alloc&) {
            send(response(id, "error", error_object(internal_error, "There is no memory for the answer.")));
        }
        const std::lock_guard lock(reserve_mutex);
        reserve.reset(new (std::nothrow) std::byte[kReserve]);
    }
    void free_reserve() {
        const std::lock_guard lock(reserve_mutex);
        reserve.reset();
    }
    /// What an answer needs where the run has left no memory.
    static constexpr std::size_t kReserve = std::size_t{1} << 20;
    std::mutex reserve_mutex;
    std::unique_ptr<std::byte[]> reserve{new (std::nothrow) std::byte[kReserve]};

    std::string driver;
    json walls;
    Send send;
    std::function<void(const json&)> on_answer;
    BufferStore buffers;
    DeviceMethods methods;
    bool greeted = false;
    std::mutex open_mutex;
    std::map<int, std::shared_ptr<std::atomic<bool>>> open;
    bool ending = false;        ///< guarded by open_mutex
    std::mutex running_mutex;   ///< taken before open_mutex
    std::optional<int> running; ///< the run that has the device
    // The last members, so that their threads end before the members that they use.
    JobQueue device, compilation, scans, quick, stopper;
};

Dispatcher::Dispatcher(const std::string& driver, json walls, Send send, std::function<void(const json&)> on_answer)
    : state_(new State(driver, std::move(walls), std::move(send), std::move(on_answer))) {}

Dispatcher::~Dispatcher() {
    std::lock_guard lock(state_->open_mutex);
    state_->ending = true;
    for (auto& [id, cancelled] : state_->open)
        *cancelled = true;
}

Dispatcher::Next Dispatcher::receive(std::span<const std::byte> bytes) {
    State& s = *state_;
    json message;
    std::string problem;
    if (!decode_message(bytes, message, problem)) {
        s.send(response(nullptr, "error", error_object(malformed_message, "the message " + problem)));
        s.notify("log", {{"level", "error"}, {"text", "malformed message: " + problem}});
        return Next::malformed;
    }
    if (s.on_answer && !message.contains("method") && (message.contains("result") || message.contains("error"))) {
        s.on_answer(message);
        return Next::go_on;
    }
    auto take = [&](const char* name) {
        auto found = message.find(name);
        return found == message.end() ? json() : std::move(*found);
    };
    json id_value = take("id"), method_value = take("method"), params = take("params");
    bool has_id = id_value.is_number_integer();
    if (take("jsonrpc") != "2.0" || !method_value.is_string() || !has_id ||
        (!params.is_null() && !params.is_object())) {
        s.send(response(has_id ? id_value : json(), "error",
                        error_object(invalid_request, "not a request: it needs jsonrpc \"2.0\", a whole id, a "
                                                      "method and an object as params")));
        return Next::go_on;
    }
    std::int64_t wide = !id_value.is_number_unsigned() || id_value.get<std::uint64_t>() <= 0x7fffffff
                            ? id_value.get<std::int64_t>()
                            : -1;
    if (wide < 0 || wide > std::numeric_limits<int>::max()) {
        s.send(response(id_value, "error", error_object(invalid_request, "the id must be from 0 to 2147483647")));
        return Next::go_on;
    }
    int id = static_cast<int>(wide);
    std::string method = method_value.get<std::string>();
    if (params.is_null()) params = json::object();
    auto refuse = [&](int code, const std::string& text) { s.send(response(id, "error", error_object(code, text))); };
    {
        std::lock_guard lock(s.open_mutex);
        if (s.open.count(id)) {
            refuse(invalid_request, "a request with this id is still open");
            return Next::go_on;
        }
    }

    if (method == "hello") {
        auto protocol = params.find("protocol");
        if (protocol == params.end() || *protocol != kProtocolVersion) {
            refuse(wrong_protocol, "this worker speaks protocol version " + std::to_string(kProtocolVersion));
            return Next::stop;
        }
        s.greeted = true;
        s.send(response(id, "result",
                        {{"protocol", kProtocolVersion},
                         {"version", version()},
                         {"driver", s.driver},
                         {"walls", s.walls},
                         {"pid", platform::process_id()}}));
        return Next::go_on;
    }
    if (!s.greeted) {
        refuse(hello_first, "the first request must be hello");
        return Next::stop;
    }
    if (method == "shutdown") {
        s.methods.wait_for_files();
        s.send(response(id, "result", json::object()));
        return Next::stop;
    }
    if (method == "cancel") {
        s.send_answer(id, answer(id, [&] {
                          auto wanted =
                              static_cast<int>(Params(params).integer("id", 0, std::numeric_limits<int>::max()));
                          std::lock_guard lock(s.open_mutex);
                          auto found = s.open.find(wanted);
                          if (found != s.open.end()) {
                              *found->second = true;
                              s.stop_cancelled(wanted);
                          }
                          return json{{"known", found != s.open.end()}};
                      }));
        return Next::go_on;
    }
    if (method.starts_with("buffer.")) {
        s.start(id, is_scan(method) ? s.scans : s.quick,
                [&s, method, params = std::move(params)](const RequestContext& context) {
                    return call_buffer_method(method, params, s.buffers, context);
                });
        return Next::go_on;
    }
    if (State::Entry entry = s.device_method(method); entry.method) {
        s.start(id, *entry.queue, [&s, entry, params = std::move(params)](const RequestContext& context) {
            if (entry.queue != &s.device) return (s.methods.*entry.method)(params, context);
            s.set_running(context.id);
            struct End {
                State& s;
                ~End() { s.set_running(std::nullopt); }
            } const end{s};
            return (s.methods.*entry.method)(params, context);
        });
        return Next::go_on;
    }
    refuse(unknown_method, "there is no method " + method.substr(0, 100));
    return Next::go_on;
}

} // namespace warplight::worker
