// SPDX-License-Identifier: Apache-2.0
// One stream, as long as it carries a link.
#pragma once

#include "remote/link_state.hpp"
#include "remote/stream.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::remote {

class LinkCarrier {
public:
    LinkCarrier(LinkState& state, Stream& stream, std::chrono::milliseconds quiet);
    LinkEnd run();

private:
    enum class Turn : std::uint8_t { mine, over };
    Turn wait_for_turn(std::unique_lock<std::mutex>& lock);
    void watch(std::unique_lock<std::mutex>& lock);
    void leave(std::unique_lock<std::mutex>& lock);
    void finish(LinkEnd end, const std::string& why);

    void read_frames();
    /// The frames in `bytes`; returns how many bytes they are. With the lock held.
    std::size_t take_frames(std::span<const std::byte> bytes);
    void take_frame(const FrameHead& head, std::span<const std::byte> body);
    void take_hello(const FrameHead& head, std::span<const std::byte> body);
    void take_data(const FrameHead& head, std::span<const std::byte> body);

    void write_frames();
    void fill_batch(LinkClock::time_point now);
    void append(FrameHead head, std::span<const std::byte> body);
    [[nodiscard]] LinkClock::time_point next_due() const;

    LinkState& s_;
    Stream& stream_;
    const std::chrono::milliseconds quiet_;
    std::uint64_t turn_ = 0;
    std::optional<LinkEnd> end_;
    LinkClock::time_point last_heard_, state_due_ = LinkClock::time_point::max(),
                                       ping_due_ = LinkClock::time_point::min(), write_failed_ = {};
    std::uint64_t untold_ = 0; ///< bytes that came since the other side was told
    std::optional<std::uint64_t> pong_, ping_;
    bool hello_written_ = false, bye_written_ = false;
    std::uint64_t first_new_ = 0; ///< frames below were on an earlier stream
    BulkPace pace_;
    std::vector<std::byte> batch_;
};

} // namespace warplight::remote
