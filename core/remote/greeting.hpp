// SPDX-License-Identifier: Apache-2.0
/// What `remote-serve` says first. Before it a machine may print anything: its banner, its shell's profile.
#pragma once

#include "remote/stream.hpp"

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warplight::remote {

/// Of the link and of the control messages. Both sides must have the same.
inline constexpr int kRemoteProtocol = 1;
/// Bytes that the other machine may print before.
inline constexpr std::size_t kLargestBanner = std::size_t{1} << 20;

struct Greeting {
    std::string token; ///< as the near side gave it, which tells the line from a banner
    int protocol = kRemoteProtocol;
    std::string version = {}; ///< of Warplight there
    enum class State : std::uint8_t {
        started, ///< "new": a holder was started
        resumed, ///< the holder of this ID goes on
        gone,    ///< there is no holder of this ID any more
        refused  ///< the far side cannot serve
    };
    State state = State::started;
    std::string problem = {}; ///< of gone and refused: sentences for people
};

/// The line, with a line feed before and after it.
std::string greeting_text(const Greeting& greeting);

/// Reads up to the end of the line that has `token`, and nothing beyond. `on_banner` gets each other line before it.
/// Nothing, with `problem` set, where the stream ends before or too much comes.
std::optional<Greeting> read_greeting(Stream& stream, std::string_view token,
                                      const std::function<void(std::string_view line)>& on_banner,
                                      std::string& problem);

} // namespace warplight::remote
