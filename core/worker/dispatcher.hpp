// SPDX-License-Identifier: Apache-2.0
// Checks requests, posts each to the queue of its kind, sends the answers, and cancels open requests. It does not know
// how messages travel.
#pragma once

#include "worker/message.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace warplight::worker {

class Dispatcher {
public:
    using Send = std::function<void(const json& message)>; ///< from any thread
    /// @param driver "cuda" or "software"
    /// @param walls of this process, for the answer to `hello`
    /// @param on_answer gets answers of the client, which only some workers ask for
    Dispatcher(const std::string& driver, json walls, Send send, std::function<void(const json&)> on_answer = {});
    /// Cancels the running requests and waits for them.
    ~Dispatcher();

    enum class Next { go_on, stop, malformed };
    /// Takes one message. After `malformed` the rest of the stream must not be read.
    Next receive(std::span<const std::byte> message);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::worker
