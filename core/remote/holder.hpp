// SPDX-License-Identifier: Apache-2.0
/// The process on the far machine that keeps a worker while connections come and go. `remote-serve` starts it for a new
/// connection, and brings it the streams of all later ones.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace warplight::remote {

struct HolderOptions {
    std::filesystem::path folder;                                    ///< the far folder
    std::string id;                                                  ///< of the connection
    std::chrono::milliseconds linger{std::chrono::minutes(10)};      ///< without a stream
    std::chrono::milliseconds time_to_open{std::chrono::minutes(1)}; ///< until the first `open`
    std::filesystem::path program;                                   ///< warplight-cli, which is the worker
};

/// The main function of `warplight-cli remote-hold`. It announces "ready" to the process that started it, or why it
/// cannot be, and goes on without it. Returns the exit code.
///
/// On the control channel it answers these requests, and those about files:
///
/// - `open`, once. Parameters: `driver` (cuda or software), `memory`? (bytes), `confined`? (true), `lent_compiler`?
///   (false), `linger_s`?, `keep`? (folders of the near machine), `near`: {`version`}. Result: `version`; the paths
///   `folder`, `held`, `root` and `out`; `kept`: {near folder: far folder}; `machine` (its name), `clock` (there, in
///   seconds since 1970), `pid` of the worker.
/// - `keep {folder}` of the near machine, before `open`. Result: `folder`, what stands for it there.
/// - `status`. Result: `version`, `pid` of the holder, `opened`, `worker` (process, 0: none), `linger_s`; `seconds`
///   since the start; `streams` so far.
/// - `end`. Result: `{}`. The worker is killed and the holder ends.
///
/// It sends `stderr {text}` of the worker, and `worker_ended {by_signal, code, cause, text, over_memory,
/// system_killed}` after everything that the worker has sent.
int hold(const HolderOptions& options);

} // namespace warplight::remote
