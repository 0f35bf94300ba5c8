// SPDX-License-Identifier: Apache-2.0
/// The worker's side: `warplight-cli worker --driver NAME` is worker_main(NAME).
#pragma once

#include <string>

namespace warplight::worker {

/// Serves standard input and output until the input ends or `shutdown` comes; returns the exit code.
/// Standard output becomes standard error for everything else in the process.
/// @param driver "cuda" or "software"
int worker_main(const std::string& driver);

} // namespace warplight::worker
