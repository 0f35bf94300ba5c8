// SPDX-License-Identifier: Apache-2.0
/// The process that stands for a worker on another machine: `warplight-cli worker --driver ssh://HOST/DRIVER`. It
/// speaks the worker's protocol on standard input and output, so its client need not know where the device is.
#pragma once

#include "remote/place.hpp"
#include "worker/confinement.hpp"

#include <chrono>
#include <cstdint>

namespace warplight::remote {

struct BridgeOptions {
    Place place;
    worker::Access access;    ///< the files here that requests may name
    std::uint64_t memory = 0; ///< bytes that the worker there may use; 0: no limit
    bool confined = true;     ///< the worker there has its walls
    /// How long the worker there goes on when the connection is lost.
    std::chrono::seconds linger{600};
};

/// WARPLIGHT_REMOTE_LINGER in seconds, from 1 to a day; else ten minutes.
std::chrono::seconds linger_of_environment();

/// Serves standard input and output until the input ends, `shutdown` comes or the worker ends; returns the exit code.
int bridge_main(const BridgeOptions& options);

} // namespace warplight::remote
