// SPDX-License-Identifier: Apache-2.0
/// What runs the tasks of a campaign. docs/cluster.md tells how to add another one.
#pragma once

#include "session/session.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace warplight::cluster {

/// An engine does not begin any task: the reason and what to do.
class RefusedError : public session::SessionError {
public:
    using session::SessionError::SessionError;
};

struct EngineState {
    std::uint64_t waiting = 0, running = 0; ///< tasks
    bool ended = false;                     ///< nothing runs and nothing will
    std::string note;                       ///< why tasks wait, or why nothing is known; empty: nothing to tell
};

/// Used from one thread.
class Engine {
public:
    Engine() = default;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;
    virtual ~Engine() = default;

    /// "local", "slurm".
    [[nodiscard]] virtual std::string name() const = 0;
    /// Begins tasks of the campaign. Each becomes a process `warplight-cli cluster-work FOLDER --task N` somewhere.
    /// @throws RefusedError where nothing could be begun
    virtual void submit(const std::vector<std::uint64_t>& tasks) = 0;
    /// What the tasks do. What is not known for the moment is no error: `note` tells it.
    virtual EngineState poll() = 0;
    /// Brings new results into the campaign's folder on this machine. @throws session::SessionError
    virtual void collect() = 0;
    /// Ends all tasks. Those that run finish the point that they are at, if they can.
    virtual void cancel() = 0;
    /// Why a task ended without all of its results: a sentence, or empty.
    [[nodiscard]] virtual std::string reason(std::uint64_t task) = 0;
    /// Between two calls of poll(): at first, and at most when nothing changes.
    [[nodiscard]] virtual std::chrono::milliseconds pause() const = 0;
    [[nodiscard]] virtual std::chrono::milliseconds longest_pause() const = 0;
    /// How long results may take to be seen here after their task has ended.
    [[nodiscard]] virtual std::chrono::milliseconds delay() const = 0;
};

} // namespace warplight::cluster
