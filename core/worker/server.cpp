// SPDX-License-Identifier: Apache-2.0
#include "worker/server.hpp"

#include "files/held_folder.hpp"
#include "warplight/driver.hpp"
#include "worker/compiler_processes.hpp"
#include "worker/crash_report.hpp"
#include "worker/dispatcher.hpp"
#include "worker/lent_compiler.hpp"
#include "worker/limits.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace warplight::worker {
namespace {

/// Compilations may be running, whose folders would stay.
[[noreturn]] void end(int code) {
    files::remove_held_folders();
    platform::end_process(code);
}

/// The answers, which several threads send.
class Output {
public:
    explicit Output(platform::ServerPipes& pipes) : pipes_(pipes) {}

    void send(const json& message) {
        const std::vector<std::byte> bytes = encode_answer(message);
        const std::lock_guard lock(writing_);
        // In pieces, which show that somebody reads.
        constexpr std::size_t piece = std::size_t{64} << 10;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            // The client has ended, so the worker ends, too.
            if (!pipes_.write(bytes.data() + at, std::min(piece, bytes.size() - at))) end(0);
            ++written_;
        }
    }
    /// Waits until a message is written completely. A reader that takes nothing for a while is not waited for.
    void finish() {
        for (std::uint64_t before = written_; !writing_.try_lock_for(patience);)
            if (std::exchange(before, written_.load()) == before) return;
    }
    /// Ends the process when the client has closed the input and reads nothing: no thread may be free to notice.
    void end_with_client() {
        pipes_.wait_for_closed_input();
        for (;;) {
            const std::uint64_t before = written_;
            if (writing_.try_lock_for(patience)) {
                writing_.unlock();
                std::this_thread::sleep_for(patience);
            } else if (before == written_) {
                end(0);
            }
        }
    }

private:
    static constexpr auto patience = std::chrono::seconds(2);

    platform::ServerPipes& pipes_;
    std::timed_mutex writing_;
    std::atomic<std::uint64_t> written_ = 0; ///< pieces
};

void watch_client(Output& output) {
    try {
        start_thread([&output] { output.end_with_client(); }).detach();
    } catch (const std::runtime_error&) { // NOLINT(bugprone-empty-catch): it still ends when the client is gone
    }
}

CompilerRules rules_of(const WorkerOptions& options) {
    CompilerRules rules;
    rules.confined = options.confined;
    rules.readable = options.access.read;
    rules.readable.insert(rules.readable.end(), options.access.write.begin(), options.access.write.end());
    return rules;
}

std::vector<Wall> build_walls(const WorkerOptions& options) {
    if (!options.confined) return no_walls("the worker was started with --unconfined");
    // Its libraries may lie anywhere. They are the user's own, and no session has a say in what is loaded.
    driver::Driver::from_name(options.driver);
    return confine(confinement_of_worker(options.driver, options.access));
}

} // namespace

void begin_worker() {
    platform::close_inherited_files();
    install_crash_report();
}

std::vector<Wall> confine_worker(const WorkerOptions& options, std::shared_ptr<LentCompiler> lent) {
    apply_memory_limit(options.memory);
    // A fork of this process, as long as it has no walls and no threads.
    auto own = remote_toolchain(start_compiler_broker(rules_of(options), platform::own_program()));
    compiler::set_toolchain(lent ? with_lent_nvrtc(std::move(own), std::move(lent)) : std::move(own));
    return build_walls(options);
}

void end_worker(int code) { end(code); }

int worker_main(const WorkerOptions& options) {
    begin_worker();
    const auto lent = options.lent_compiler ? std::make_shared<LentCompiler>() : nullptr;
    const json walls = to_json(confine_worker(options, lent));
    platform::ServerPipes pipes;
    Output output(pipes);
    watch_client(output);
    // Never destroyed, because its threads may wait for a kernel that does not end.
    const auto send = [&](const json& message) { output.send(message); };
    std::function<void(const json&)> on_answer;
    if (lent) {
        lent->set_send(send);
        on_answer = [lent](const json& message) { lent->receive(message); };
    }
    auto* dispatcher = new Dispatcher(options.driver, walls, send, on_answer);
    FrameReader reader([](void* stream, std::byte* to,
                          std::size_t size) { return static_cast<platform::ServerPipes*>(stream)->read(to, size); },
                       &pipes);
    std::vector<std::byte> message;
    int code = 0;
    for (;;) {
        FrameReader::Result result = reader.next(message);
        if (result == FrameReader::Result::broken) code = 2;
        if (result != FrameReader::Result::message) break;
        Dispatcher::Next next = dispatcher->receive(message);
        if (next == Dispatcher::Next::malformed) code = 2;
        if (next != Dispatcher::Next::go_on) break;
    }
    output.finish();
    end(code);
}

} // namespace warplight::worker
