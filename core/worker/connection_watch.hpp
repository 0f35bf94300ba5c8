// SPDX-License-Identifier: Apache-2.0
/// The connection to another machine and the files on their way there and back, as several workers on that machine
/// tell of them. What all of them tell is told once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::worker {

struct ClientOptions;

struct ConnectionState {
    enum class Kind : std::uint8_t { off, connecting, connected, lost, gone };
    Kind kind = Kind::off;
    int attempt = 0;    ///< lost: how often it was tried since
    std::string reason; ///< gone: why, a sentence
};

/// The text of a log message of the level `connection`: "connecting", "connected", "lost", "reconnecting N", "gone
/// REASON". Nothing for other texts.
[[nodiscard]] std::optional<ConnectionState> read_connection_state(std::string_view text);

struct FilesOnTheirWay {
    double fraction = -1; ///< below 0: unknown
    std::string text;     ///< "sending x.npy: 12 MB of 40 MB, 8.0 MB/s"; empty: nothing is on its way any more
};

class ConnectionWatch {
public:
    /// Threads of the workers call these, one at a time. They must not call the watch, and end before long.
    struct Hooks {
        /// Of all workers: lost where one has lost it, connected where one is connected. Each change is told once.
        std::function<void(const ConnectionState&)> on_state = {};
        /// At most about ten times a second, of one worker at a time; the end always.
        std::function<void(const FilesOnTheirWay&)> on_files = {};
        /// A line that the machine or ssh said besides. The same line is not told again.
        std::function<void(const std::string&)> on_text = {};
    };

    explicit ConnectionWatch(Hooks hooks);
    ~ConnectionWatch();
    ConnectionWatch(const ConnectionWatch&) = delete;
    ConnectionWatch& operator=(const ConnectionWatch&) = delete;

    /// Adds to the callbacks of a client that is not made yet. One of this machine is left as it is. The result is to
    /// be called after each answer of the worker, because no file of it is on its way then.
    [[nodiscard]] std::function<void()> attach(ClientOptions& options);

private:
    struct State;
    std::shared_ptr<State> state_; ///< the clients have it, too
};

} // namespace warplight::worker
