// SPDX-License-Identifier: Apache-2.0
#include "remote/holder_requests.hpp"

#include "worker/request.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace warplight::remote {
namespace {

using worker::json;
using worker::RequestError;

constexpr std::chrono::milliseconds kShortestLinger{100}, kLongestLinger = std::chrono::hours(24);

} // namespace

ControlRequest control_request(std::span<const std::byte> bytes) {
    json message;
    std::string problem;
    if (!worker::decode_message(bytes, message, problem)) throw std::runtime_error("a request that " + problem);
    const auto id = message.find("id");
    const auto method = message.find("method");
    if (id == message.end() || !id->is_number_integer() || method == message.end() || !method->is_string())
        throw std::runtime_error("something else than a request");
    ControlRequest request{id->get<std::int64_t>(), method->get<std::string>()};
    const auto params = message.find("params");
    if (params != message.end() && params->is_object()) request.params = std::move(*params);
    return request;
}

OpenRequest open_request(const json& given) {
    const worker::Params params(given);
    OpenRequest request;
    request.driver = params.text("driver");
    if (request.driver != "cuda" && request.driver != "software")
        throw RequestError(worker::invalid_parameters, "parameter driver must be cuda or software");
    request.memory = params.size("memory", 0);
    request.confined = params.boolean("confined", true);
    request.lent_compiler = params.boolean("lent_compiler", false);
    if (params.has("linger_s"))
        request.linger = linger_within_bounds(std::chrono::seconds(params.integer("linger_s", 0, 1'000'000'000)));
    if (params.has("keep")) request.keep = params.texts("keep");
    return request;
}

std::chrono::milliseconds linger_within_bounds(std::chrono::milliseconds wanted) {
    return std::clamp(wanted, kShortestLinger, kLongestLinger);
}

} // namespace warplight::remote
