// SPDX-License-Identifier: Apache-2.0
#include "remote/ssh_run.hpp"

#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace warplight::remote {
namespace {

constexpr std::size_t kMostOutput = 4 << 20;
constexpr std::size_t kMostErrors = 64 << 10;
constexpr std::size_t kPiece = 64 << 10;

/// Ends a command that takes too long.
class CommandWatch {
public:
    CommandWatch(worker::platform::Child& child, std::chrono::milliseconds timeout) {
        if (timeout.count() == 0) return;
        thread_ = worker::start_thread([this, &child, end = std::chrono::steady_clock::now() + timeout] {
            std::unique_lock lock(mutex_);
            if (changed_.wait_until(lock, end, [this] { return done_; })) return;
            late_ = true;
            child.kill();
            child.stop_reading();
        });
    }
    ~CommandWatch() { (void)stop(); }
    CommandWatch(const CommandWatch&) = delete;
    CommandWatch& operator=(const CommandWatch&) = delete;
    /// True where the command was late.
    bool stop() {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        changed_.notify_all();
        if (thread_.joinable()) thread_.join();
        return late_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool done_ = false, late_ = false;
    std::thread thread_;
};

void feed(worker::platform::Child& child, const SshRun& how) {
    std::vector<std::byte> piece(kPiece);
    while (how.input) {
        const auto count = how.input(piece);
        if (count == 0 || !child.write(piece.data(), count)) break;
    }
    child.close_input();
}

std::string last_errors(worker::platform::Child& child) {
    std::string text;
    std::vector<std::byte> piece(kPiece);
    while (const auto count = child.read_errors(piece.data(), piece.size())) {
        text.append(reinterpret_cast<const char*>(piece.data()), count);
        if (text.size() > kMostErrors) text.erase(0, text.size() - kMostErrors);
    }
    return text;
}

} // namespace

SshResult run_ssh(const SshCommand& command, const SshRun& how) {
    using worker::platform::ChildSettings;
    worker::platform::Child child(
        command.program, command.arguments,
        {.environment = ChildSettings::Environment::whole, .variables = command.environment, .at_terminal = true});
    SshResult result;
    std::thread errors, input;
    const auto join = [&] {
        for (auto* each : {&errors, &input})
            if (each->joinable()) each->join();
    };
    try {
        errors = worker::start_thread([&] { result.errors = last_errors(child); });
        input = worker::start_thread([&] { feed(child, how); });
        CommandWatch watch(child, how.timeout);
        std::vector<std::byte> piece(kPiece);
        while (const auto count = child.read_output(piece.data(), piece.size())) {
            const auto taken = std::min(count, kMostOutput - result.output.size());
            result.output.append(reinterpret_cast<const char*>(piece.data()), taken);
        }
        const auto end = child.wait();
        result.exit_code = end.by_signal ? -1 : end.code;
        result.late = watch.stop();
    } catch (...) {
        child.kill();
        child.stop_reading();
        join();
        throw;
    }
    join();
    return result;
}

} // namespace warplight::remote
