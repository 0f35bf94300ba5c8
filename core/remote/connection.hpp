// SPDX-License-Identifier: Apache-2.0
// The system's ssh as the stream under a link: starts it, and starts it again when the connection is lost.
#pragma once

#include "remote/greeting.hpp"
#include "remote/place.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

namespace warplight::remote {

class Link;

/// Why the other machine cannot be reached, or why what answers there is of no use: a sentence that says what to do.
struct ConnectionError : std::runtime_error {
    ConnectionError(const std::string& message, bool final) : std::runtime_error(message), final(final) {}
    bool final; ///< another attempt would fail in the same way
};

class Connection {
public:
    enum class State { connecting, connected, lost, reconnecting, gone };
    struct Options {
        Place place;
        std::string id;                    ///< of the holder there: 32 hexadecimal digits that nobody else knows
        std::chrono::seconds linger{600};  ///< how long the worker there goes on without a connection
        std::chrono::milliseconds quiet{}; ///< the connection counts as lost when nothing came for so long
        /// Gets each change; `text` is the number of the attempt, or why the worker is gone. From threads of this
        /// class.
        std::function<void(State, const std::string& text)> on_state;
        /// Gets what the other machine says besides: banners, words of ssh.
        std::function<void(const std::string&)> on_text;
    };

    /// `link` outlives this.
    Connection(Options options, Link& link);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Connects, and carries the link from then on. Returns what the relay there said of itself.
    /// @throws ConnectionError
    Greeting open();
    /// Ends ssh. The link is closed by its owner.
    void close();
    /// The same without waiting for threads, from any of them.
    void stop();

private:
    struct Internals;
    std::unique_ptr<Internals> state_;
};

/// 128 random bits as hexadecimal digits.
std::string random_id();

} // namespace warplight::remote
