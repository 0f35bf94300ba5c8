// SPDX-License-Identifier: Apache-2.0
#include "cluster/local_engine.hpp"

#include "cluster/campaign_files.hpp"
#include "worker/platform.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace warplight::cluster {
namespace {

using worker::platform::Child;

constexpr std::size_t tail_of_errors = 4096;

/// The last line that says something.
std::string last_line(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find_last_not_of(" \r\n");
        if (end == std::string_view::npos) return {};
        text = text.substr(0, end + 1);
        const auto begin = text.rfind('\n');
        return std::string(begin == std::string_view::npos ? text : text.substr(begin + 1));
    }
    return {};
}

} // namespace

struct LocalEngine::State {
    State(const Campaign& c, LocalOptions o) : campaign(c), options(std::move(o)) {}

    void work(std::size_t slot);
    void run(std::uint64_t task, std::size_t slot);

    const Campaign& campaign;
    const LocalOptions options;
    std::mutex mutex;
    std::vector<std::uint64_t> tasks;
    std::size_t next = 0, running = 0;
    bool stops = false;
    std::map<std::uint64_t, std::string> reasons;
    std::vector<std::shared_ptr<Child>> children;
    std::vector<std::thread> threads;
    std::size_t at_work = 0; ///< threads
};

LocalEngine::LocalEngine(const Campaign& campaign, LocalOptions options)
    : state_(std::make_unique<State>(campaign, std::move(options))) {}

LocalEngine::~LocalEngine() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->stops = true;
        for (const auto& child : state_->children)
            child->kill();
    }
    for (auto& each : state_->threads)
        each.join();
}

void LocalEngine::State::run(std::uint64_t task, std::size_t slot) {
    std::vector<std::string> arguments = {"cluster-work", utf8_of(campaign.folder), "--task", fmt::format("{}", task),
                                          "--with-parent"};
    if (slot < options.gpus.size()) arguments.insert(arguments.end(), {"--gpu", fmt::format("{}", options.gpus[slot])});
    auto child = std::make_shared<Child>(options.program, arguments);
    {
        const std::lock_guard lock(mutex);
        children.push_back(child);
        if (stops) child->kill();
    }
    std::string errors;
    auto output = worker::start_thread([&child] {
        std::array<std::byte, 4096> piece;
        while (child->read_output(piece.data(), piece.size()) > 0) {
        }
    });
    std::array<std::byte, 4096> piece;
    while (const auto count = child->read_errors(piece.data(), piece.size())) {
        errors.append(reinterpret_cast<const char*>(piece.data()), count);
        if (errors.size() > tail_of_errors) errors.erase(0, errors.size() - tail_of_errors);
    }
    const auto end = child->wait();
    output.join();
    const std::lock_guard lock(mutex);
    std::erase(children, child);
    if (end.code == 0 && !end.by_signal) return;
    const auto line = last_line(errors);
    reasons[task] = line.empty() ? fmt::format("Its process {}.", end.text) : line;
}

void LocalEngine::State::work(std::size_t slot) {
    while (true) {
        std::uint64_t task = 0;
        {
            const std::lock_guard lock(mutex);
            if (stops || next == tasks.size()) {
                --at_work;
                return;
            }
            task = tasks[next++];
            ++running;
        }
        std::string problem;
        try {
            run(task, slot);
        } catch (const std::exception& error) {
            problem = error.what();
        }
        const std::lock_guard lock(mutex);
        --running;
        if (!problem.empty()) reasons[task] = problem;
    }
}

void LocalEngine::submit(const std::vector<std::uint64_t>& tasks) {
    auto& s = *state_;
    if (s.options.program.empty())
        throw RefusedError("The program warplight-cli, which runs tasks, is not beside this one.");
    std::size_t more = 0;
    {
        const std::lock_guard lock(s.mutex);
        s.tasks.insert(s.tasks.end(), tasks.begin(), tasks.end());
        const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(std::max(s.options.jobs, 1)), tasks.size());
        more = wanted - std::min(wanted, s.at_work);
        s.at_work += more;
    }
    for (std::size_t i = 0; i < more; ++i)
        s.threads.push_back(worker::start_thread([&s, slot = s.threads.size()] { s.work(slot); }));
}

EngineState LocalEngine::poll() {
    const std::lock_guard lock(state_->mutex);
    EngineState state;
    state.running = state_->running;
    state.waiting = state_->stops ? 0 : state_->tasks.size() - state_->next;
    state.ended = state.running == 0 && state.waiting == 0;
    return state;
}

void LocalEngine::cancel() {
    const std::lock_guard lock(state_->mutex);
    state_->stops = true;
}

std::string LocalEngine::reason(std::uint64_t task) {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->reasons.find(task);
    return found == state_->reasons.end() ? std::string() : found->second;
}

} // namespace warplight::cluster
