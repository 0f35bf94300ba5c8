// SPDX-License-Identifier: Apache-2.0
/// The main function of a worker. `warplight-cli worker --driver NAME` calls worker_main(NAME).
#pragma once

#include <cstdint>
#include <string>

namespace warplight::worker {

/// Serves standard input and output until the input ends or `shutdown` comes; returns the exit code.
/// Other code of the process prints to standard error.
/// @param driver "cuda" or "software"
/// @param memory bytes that the process may use; 0: no limit
int worker_main(const std::string& driver, std::uint64_t memory = 0);

} // namespace warplight::worker
