// SPDX-License-Identifier: Apache-2.0
/// The main function of a worker, which `warplight-cli worker --driver NAME` calls.
#pragma once

#include "worker/confinement.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplight::worker {

class LentCompiler;

struct WorkerOptions {
    std::string driver;       ///< "cuda" or "software"
    Access access;            ///< besides what every worker needs
    std::uint64_t memory = 0; ///< bytes that the process may use; 0: no limit
    bool confined = true;
    /// The client compiles where this machine has no NVRTC. It answers requests `compiler`.
    bool lent_compiler = false;
};

/// Serves standard input and output until the input ends or `shutdown` comes; returns the exit code.
/// Other code of the process prints to standard error. Before it reads a request it confines the process.
int worker_main(const WorkerOptions& options);

// --- for programs that do a worker's work behind another protocol
/// First thing in main().
void begin_worker();
/// Starts what compiles, and confines this process. Before it starts threads.
std::vector<Wall> confine_worker(const WorkerOptions& options, std::shared_ptr<LentCompiler> lent = {});
/// Ends the process without waiting for threads.
[[noreturn]] void end_worker(int code);

} // namespace warplight::worker
