// SPDX-License-Identifier: Apache-2.0
// A request in the worker: its parameters, its progress and its cancellation.
#pragma once

#include "worker/message.hpp"

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string_view>

namespace warplight::worker {

/// Becomes the JSON-RPC error of the answer.
struct RequestError : std::runtime_error {
    RequestError(ErrorCode code, const std::string& message, json data = nullptr)
        : std::runtime_error(message), code(code), data(std::move(data)) {}
    ErrorCode code;
    json data;
};

struct RequestContext {
    int id = 0;
    const std::atomic<bool>* cancelled = nullptr;
    std::function<void(std::string_view stage, double fraction, std::string_view text)> progress = {};
    std::function<void(std::string_view text)> output = {};

    bool is_cancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }
    /// @throws RequestError when the request was cancelled.
    void check() const {
        if (is_cancelled()) throw RequestError(cancelled_request, "cancelled");
    }
};

/// The parameters of a request. Every getter @throws RequestError that names the wrong parameter.
class Params {
public:
    explicit Params(const json& params) : params_(params) {}
    bool has(const char* name) const;
    const json& at(const char* name) const;
    std::string text(const char* name) const;
    std::string text(const char* name, std::string fallback) const;
    bool boolean(const char* name, bool fallback) const;
    double real(const char* name, double fallback) const;
    /// A whole number in [least, most].
    std::int64_t integer(const char* name, std::int64_t least, std::int64_t most) const;
    std::int64_t integer(const char* name, std::int64_t least, std::int64_t most, std::int64_t fallback) const;
    /// A whole number from 0 up.
    std::uint64_t size(const char* name) const;
    std::uint64_t size(const char* name, std::uint64_t fallback) const;
    std::vector<std::string> texts(const char* name) const;

private:
    const json& params_;
};

} // namespace warplight::worker
