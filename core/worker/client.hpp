// SPDX-License-Identifier: Apache-2.0
/// A worker process, seen from the program that started it. The client's threads call the callbacks, and a window
/// forwards them to its own thread.
#pragma once

#include "worker/confinement.hpp"
#include "worker/end_reason.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::worker {

/// How a worker ended.
struct Exit {
    bool by_signal = false;
    int code = 0;                 ///< exit code, or the signal's number
    bool asked = false;           ///< kill() or shutdown() was called
    EndReason reason = {};        ///< why, for programs and for people
    std::string stderr_tail = {}; ///< the last 64 KiB of its standard error, without its report of a crash
};

/// The answer to a request. Each call gets exactly one.
struct Reply {
    bool ok = false;
    std::shared_ptr<const nlohmann::json> result; ///< never null
    int code = 0;                                 ///< of the JSON-RPC error
    std::string error;                            ///< when not ok: a sentence for people
    std::shared_ptr<const nlohmann::json> data;   ///< of the error; never null, mostly the null value
    bool worker_died = false;                     ///< the worker ended before it answered
};

struct Progress {
    std::string stage;
    double fraction = -1; ///< below 0: unknown
    std::string text;
};

struct ClientOptions {
    std::string driver = "software"; ///< or "cuda", or one of them on another machine: "ssh://user@host:port/cuda"
    /// Bytes that the worker and the processes that it starts may use; 0: no limit. A worker over it is killed.
    std::uint64_t memory_limit = 0;
    std::filesystem::path program = {}; ///< empty: find_worker()
    Access access = {};                 ///< what the worker may reach besides what every worker needs
    bool confined = true;
    /// Instead of `worker --driver NAME` with the access.
    std::vector<std::string> arguments = {};
    /// Gets the output of the kernel of request `id`.
    std::function<void(int id, const std::string& text)> on_output = {};
    std::function<void(int id, const Progress&)> on_progress = {};
    /// Gets the worker's log messages, and the lines of its standard error with the level "stderr".
    std::function<void(const std::string& level, const std::string& text)> on_log = {};
    /// The worker answered `hello`; the argument is its answer.
    std::function<void(const nlohmann::json&)> on_ready = {};
    /// The process has ended. All open calls have been answered before.
    std::function<void(const Exit&)> on_exit = {};
};

/// A driver that begins with `ssh://`. Its worker is a process here that passes everything on to a worker there.
[[nodiscard]] bool is_on_another_machine(std::string_view driver);
/// A driver there, for ClientOptions. `machine`: "ssh://user@host:port", or empty for this one.
[[nodiscard]] std::string driver_on(std::string_view machine, std::string_view driver);
/// "user@host:port" of such a machine, for people and for reports. Empty for this one.
[[nodiscard]] std::string machine_name(std::string_view machine);

/// WARPLIGHT_WORKER, else warplight-cli beside this program. Empty when there is none.
std::filesystem::path find_worker();

/// True if a worker's answer to `devices` has a device. With "auto" the software device is used where the worker of
/// NVIDIA's driver has none.
bool names_device(const nlohmann::json& answer);

class Client {
public:
    using OnResult = std::function<void(const Reply&)>;
    using OnProgress = std::function<void(const Progress&)>;

    explicit Client(ClientOptions options);
    /// Ends the worker and waits for the threads. Not from a callback.
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    /// For the next start.
    void set_access(Access access);
    /// Starts the process and says hello; returns at once. Requests may follow immediately.
    /// @throws std::runtime_error when there is no program or it cannot be started. Not from a callback.
    void start();
    /// True from start() until the process is gone.
    bool running() const;
    std::int64_t process_id() const; ///< 0 when it is not running
    int generation() const;          ///< counts starts: ids of buffers are valid in one generation only

    /// Sends a request; never blocks. `on_result` is called exactly once, from another thread (from this
    /// one when no worker runs). Returns the request's id.
    int call(const std::string& method, nlohmann::json params, OnResult on_result, OnProgress on_progress = {});
    /// Sends a request and waits. Not from a callback. After `timeout` (0: none) the request is cancelled
    /// and the answer is an error.
    Reply call_wait(const std::string& method, nlohmann::json params, OnProgress on_progress = {},
                    std::chrono::milliseconds timeout = std::chrono::milliseconds(0));
    /// Asks the worker to cancel a request. Its answer still comes.
    void cancel(int id);

    /// Kills the process. Open calls are answered with worker_died. One that stands for a worker on another machine
    /// gets a moment before, in which it ends that.
    void kill();
    /// kill(), wait until it is gone, start(). Not from a callback.
    void restart();
    /// Asks the worker to end and waits; kills it after `patience`. Not from a callback.
    void shutdown(std::chrono::milliseconds patience = std::chrono::milliseconds(2000));

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::worker
