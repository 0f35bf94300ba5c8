// SPDX-License-Identifier: Apache-2.0
// Requests on the control channel, as the holder reads them: every field is checked.
#pragma once

#include "worker/message.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::remote {

struct ControlRequest {
    std::int64_t id = 0;
    std::string method;
    worker::json params = worker::json::object();
};
/// @throws std::runtime_error: "a request that …". No good near side sends such bytes.
ControlRequest control_request(std::span<const std::byte> bytes);

struct OpenRequest {
    std::string driver; ///< "cuda" or "software"
    std::uint64_t memory = 0;
    bool confined = true, lent_compiler = false;
    std::optional<std::chrono::milliseconds> linger;
    std::vector<std::string> keep; ///< folders of the near machine
};
/// @throws worker::RequestError
OpenRequest open_request(const worker::json& params);

/// The times that a near side may ask for: a day at most, so that nothing is left running for ever.
std::chrono::milliseconds linger_within_bounds(std::chrono::milliseconds wanted);

} // namespace warplight::remote
