// SPDX-License-Identifier: Apache-2.0
/// The process that ssh starts on the far machine: it passes bytes on between its standard streams and a holder.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace warplight::remote {

struct RelayOptions {
    std::string token; ///< for the greeting
    std::string id;    ///< of the connection
    bool resume = false;
    int protocol = 0;                   ///< of the near side
    std::chrono::milliseconds linger{}; ///< of a new holder
    std::filesystem::path program;      ///< warplight-cli, which is the holder
};

/// The main function of `warplight-cli remote-serve`. Greets, and then passes bytes on until one of the sides ends.
/// Returns the exit code: 0, or 3 where it could not serve and the greeting says why.
int relay(const RelayOptions& options);

} // namespace warplight::remote
