// SPDX-License-Identifier: Apache-2.0
/// Runs the points of a sweep in workers: one for each driver, and some more that compile.
#pragma once

#include "session/sweep_runner.hpp"
#include "worker/confinement.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::worker {

class ConnectionWatch;

struct SweepWorkersOptions {
    Access access;
    bool confined = true;
    std::uint64_t memory_limit = 0;       ///< bytes of a worker; 0: none
    std::chrono::milliseconds timeout{0}; ///< of a run; 0: none
    std::string machine = {};             ///< "ssh://user@host:port", where the devices are; empty: here
    session::RunOptions run = {};         ///< with the session's folder, for compilations
    std::function<bool()> cancelled = {}; ///< asked about 20 times a second; another thread may set it
    /// Is told of connections to the machine and of files on their way; others may share it. Null: nobody is.
    std::shared_ptr<ConnectionWatch> watch = {};
};

class SweepWorkers : public session::SweepDevice {
public:
    explicit SweepWorkers(SweepWorkersOptions options);
    ~SweepWorkers() override;

    /// Of runs from now on; 0: none.
    void set_timeout(std::chrono::milliseconds timeout) { options_.timeout = timeout; }

    std::vector<session::SweepCompilation> compile(const std::vector<session::Session>& sessions,
                                                   const std::function<void(std::size_t)>& done) override;
    /// What the worker of a session's driver tells of its devices: the answer to `devices`, and `driver`, its name.
    nlohmann::json devices(const session::Session& session);
    /// A worker that the run has ended is started again for the next one.
    session::Report run(const session::Session& session, const session::RunOptions& options) override;

private:
    struct Worker;
    [[nodiscard]] std::unique_ptr<Worker> start(const std::string& driver) const;
    [[nodiscard]] Worker& worker_of(const std::string& driver);
    /// Of a run or a compilation whose worker has ended.
    session::Report report_of_end(Worker& worker);
    /// Of a machine that was not reached a moment ago, which is not asked for each point of a long sweep.
    std::optional<session::Report> unreachable();
    session::Report run_once(const session::Session& session, const session::RunOptions& options);
    /// With "auto" resolved.
    [[nodiscard]] session::DeviceChoice choice_of(const session::Session& session);

    SweepWorkersOptions options_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::string best_driver_; ///< for "auto"; empty: not known yet
    std::mutex mutex_;        ///< of the following
    std::optional<session::Report> unreachable_;
    std::chrono::steady_clock::time_point unreachable_until_;
};

} // namespace warplight::worker
