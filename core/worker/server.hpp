// SPDX-License-Identifier: Apache-2.0
/// The main function of a worker. `warplight-cli worker --driver NAME` calls worker_main(NAME).
#pragma once

#include <string>

namespace warplight::worker {

/// Serves standard input and output until the input ends or `shutdown` comes; returns the exit code.
/// Other code of the process prints to standard error.
/// @param driver "cuda" or "software"
int worker_main(const std::string& driver);

} // namespace warplight::worker
