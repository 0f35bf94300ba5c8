// SPDX-License-Identifier: Apache-2.0
// Messages in, messages out: checks requests, gives each to the thread of its kind, keeps track of
// what may be cancelled. Knows nothing of pipes.
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
    Dispatcher(const std::string& driver, Send send);
    /// Cancels what runs and waits for it.
    ~Dispatcher();

    enum class Next { go_on, stop, malformed };
    /// One message. After `malformed` nothing that follows can be trusted.
    Next receive(std::span<const std::byte> message);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::worker
