// SPDX-License-Identifier: Apache-2.0
// Requests to the holder on the other machine, from several threads at once.
#pragma once

#include "worker/message.hpp"
#include "worker/request.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>

namespace warplight::remote {

/// A message without the length in front.
std::vector<std::byte> packed(const worker::json& message);

class Control {
public:
    using Send = std::function<bool(std::span<const std::byte>)>;
    explicit Control(Send send) : send_(std::move(send)) {}

    /// Waits for the answer. @throws worker::RequestError: the holder's, or cancelled, or why there is no answer
    worker::json ask(const std::string& method, worker::json params, const std::function<bool()>& cancelled = {},
                     std::optional<std::chrono::milliseconds> patience = std::nullopt);
    /// Takes an answer. Others are ignored: they may be late.
    void answer(worker::json message);
    /// No answer will come any more.
    void give_up(const std::string& why);

private:
    Send send_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::int64_t next_ = 1;
    std::map<std::int64_t, std::optional<worker::json>> open_;
    std::optional<std::string> given_up_;
};

} // namespace warplight::remote
