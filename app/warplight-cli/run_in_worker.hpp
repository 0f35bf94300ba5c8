// SPDX-License-Identifier: GPL-3.0-or-later
// A run in a worker, within limits of time and memory.
#pragma once

#include "page/page.hpp"
#include "session/report.hpp"
#include "session/session.hpp"
#include "worker/confinement.hpp"
#include "worker/limits.hpp"
#include "worker/run_request.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace warplight::cli {

/// The limits of a run that has begun.
struct RunLimits : worker::Limits {
    std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
};

/// The report of a run that did not get as far as one.
session::Report failed_report(const worker::RunRequest& job, session::Status status, const std::string& message,
                              std::string pointer = {});

/// How a job is run in a worker.
struct Manner {
    bool live = false; ///< the kernel's output goes to standard output as it comes
    bool confined = true;
    worker::Access access = {};
    std::string machine = {};                       ///< "ssh://user@host:port", where the device is; empty: here
    std::vector<page::ResultView>* views = nullptr; ///< takes what is seen of the results, before the worker ends
};

/// Starts a worker and runs there. Returns nothing where the driver has no device.
std::optional<session::Report> run_in_worker(worker::RunRequest job, const session::DeviceChoice& choice,
                                             bool only_with_device, const Manner& manner, const RunLimits& limits);

/// Ends this process with exit code 6 when it is still busy a while after the limit of time, for example with a file
/// that does not end.
class LastResort {
public:
    explicit LastResort(const RunLimits& limits);
    ~LastResort();
    LastResort(const LastResort&) = delete;
    LastResort& operator=(const LastResort&) = delete;

private:
    struct State;
    std::shared_ptr<State> state_;
    std::thread thread_;
};

} // namespace warplight::cli
