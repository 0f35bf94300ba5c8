// SPDX-License-Identifier: Apache-2.0
#include "remote/held_worker.hpp"

#include "session/data_file.hpp"
#include "worker/memory_watch.hpp"
#include "worker/platform.hpp"
#include "worker/process_end_json.hpp"
#include "worker/process_memory.hpp"
#include "worker/thread_start.hpp"
#include "worker/utf8.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace warplight::remote {
namespace {

using worker::platform::Child;
using worker::platform::EndOfProcess;

/// Messages that the worker has not read yet, in bytes.
constexpr std::size_t kMostUnread = std::size_t{64} << 20;
/// A worker that closed its output gets a moment to end by itself: how it ends tells more than a kill.
constexpr auto kTimeToEnd = std::chrono::seconds(2);

std::vector<std::string> worker_arguments(const HeldWorker::Settings& settings) {
    std::vector<std::string> arguments{"worker", "--driver", settings.driver};
    if (settings.memory) arguments.push_back("--memory=" + std::to_string(settings.memory));
    if (!settings.confined) arguments.emplace_back("--unconfined");
    if (settings.lent_compiler) arguments.emplace_back("--lent-compiler");
    for (const auto& path : settings.access.read)
        arguments.push_back("--read=" + session::utf8_of(path));
    for (const auto& path : settings.access.write)
        arguments.push_back("--write=" + session::utf8_of(path));
    return arguments;
}

} // namespace

struct HeldWorker::State {
    Listeners listeners;
    std::uint64_t memory_kills = 0;
    std::shared_ptr<Child> child;
    std::unique_ptr<worker::MemoryWatch> memory_watch;
    std::mutex mutex; ///< guards the members below
    std::condition_variable changed;
    std::deque<std::vector<std::byte>> unread;
    std::size_t unread_bytes = 0;
    bool ended = false; ///< or is to end
    bool gone = false;
    std::thread reader, writer, errors;

    void read_messages();
    void read_errors();
    void write_messages();
    EndOfProcess wait_for_end();
    void finish_writing() {
        {
            const std::lock_guard lock(mutex);
            ended = true;
        }
        changed.notify_all();
    }
};

void HeldWorker::State::read_messages() {
    worker::FrameReader frames([](void* stream, std::byte* to,
                                  std::size_t size) { return static_cast<Child*>(stream)->read_output(to, size); },
                               child.get());
    std::vector<std::byte> message;
    while (frames.next(message) == worker::FrameReader::Result::message)
        listeners.on_message(message);
    const EndOfProcess end = wait_for_end();
    finish_writing();
    writer.join();
    errors.join();
    const bool over_memory = memory_watch && memory_watch->was_over();
    const bool system_killed =
        end.cause == EndOfProcess::Cause::killed && worker::platform::memory_kills() > memory_kills;
    worker::json how = worker::to_json(end);
    how["over_memory"] = over_memory;
    how["system_killed"] = system_killed;
    listeners.on_end(std::move(how));
}

EndOfProcess HeldWorker::State::wait_for_end() {
    std::thread impatient;
    try {
        impatient = worker::start_thread([this] {
            std::unique_lock lock(mutex);
            if (!changed.wait_for(lock, kTimeToEnd, [this] { return ended; })) child->kill();
        });
    } catch (const std::runtime_error&) {
        child->kill();
    }
    const EndOfProcess end = child->wait();
    {
        const std::lock_guard lock(mutex);
        gone = true;
    }
    finish_writing();
    if (impatient.joinable()) impatient.join();
    return end;
}

void HeldWorker::State::read_errors() {
    worker::Utf8Pieces pieces([this](std::string_view text) { listeners.on_errors(text); });
    std::array<std::byte, 4096> buffer{};
    while (const std::size_t count = child->read_errors(buffer.data(), buffer.size()))
        pieces.add({reinterpret_cast<const char*>(buffer.data()), count});
    pieces.end();
}

void HeldWorker::State::write_messages() {
    for (;;) {
        std::vector<std::byte> bytes;
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [this] { return ended || !unread.empty(); });
            if (ended) break;
            bytes = std::move(unread.front());
            unread.pop_front();
        }
        const bool written = child->write(bytes.data(), bytes.size());
        const std::lock_guard lock(mutex);
        unread_bytes -= bytes.size();
        changed.notify_all();
        if (!written) break; // the reader notices the end
    }
    child->close_input();
}

HeldWorker::HeldWorker(const Settings& settings, Listeners listeners) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.listeners = std::move(listeners);
    s.memory_kills = worker::platform::memory_kills();
    worker::platform::ChildSettings child;
    child.memory_limit = settings.memory;
    s.child = std::make_shared<Child>(settings.program, worker_arguments(settings), child);
    if (settings.memory) s.memory_watch = std::make_unique<worker::MemoryWatch>(s.child, settings.memory);
    try {
        s.errors = worker::start_thread([&s] { s.read_errors(); });
        s.writer = worker::start_thread([&s] { s.write_messages(); });
        s.reader = worker::start_thread([&s] { s.read_messages(); });
    } catch (const std::runtime_error&) {
        s.child->kill();
        s.child->wait();
        s.finish_writing();
        for (std::thread* thread : {&s.errors, &s.writer})
            if (thread->joinable()) thread->join();
        throw;
    }
}

HeldWorker::~HeldWorker() {
    kill();
    state_->reader.join();
}

void HeldWorker::write(std::span<const std::byte> message) {
    State& s = *state_;
    std::vector<std::byte> bytes = worker::in_frame(message);
    std::unique_lock lock(s.mutex);
    s.changed.wait(lock,
                   [&] { return s.ended || s.unread_bytes == 0 || s.unread_bytes + bytes.size() <= kMostUnread; });
    if (s.ended) return;
    s.unread_bytes += bytes.size();
    s.unread.push_back(std::move(bytes));
    s.changed.notify_all();
}

void HeldWorker::kill() {
    state_->child->kill();
    state_->finish_writing();
}

std::int64_t HeldWorker::process_id() const {
    const std::lock_guard lock(state_->mutex);
    return state_->gone ? 0 : state_->child->id();
}

bool HeldWorker::wait_for_end(std::chrono::milliseconds patience) const {
    std::unique_lock lock(state_->mutex);
    return state_->changed.wait_for(lock, patience, [this] { return state_->gone; });
}

} // namespace warplight::remote
