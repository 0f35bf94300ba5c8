// SPDX-License-Identifier: Apache-2.0
// What a link remembers from one stream to the next.
#pragma once

#include "remote/bulk_pace.hpp"
#include "remote/channel.hpp"
#include "remote/frame.hpp"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::remote {

/// What a packet counts on its way: its bytes, and kFrameCost for each frame.
std::uint64_t cost_of_packet(std::size_t size);

struct LinkState {
    using Body = std::shared_ptr<const std::vector<std::byte>>;

    /// A packet of which some is not yet on its way.
    struct Waiting {
        Channel channel;
        bool packed;
        Body body;
        std::size_t at;
    };
    /// A frame that was given its number, and that the other side has not told to have.
    struct Sent {
        std::uint64_t sequence;
        Channel channel, lane;
        bool first, last, packed;
        Body body;
        std::size_t at, size;
        BulkPace::Mark mark = {};
    };
    /// The packets of a channel, and those that keep their place among them.
    struct Lane {
        std::deque<Waiting> packets;
        std::uint64_t bytes = 0; ///< of these and of the frames that were sent
    };
    struct Partial {
        std::vector<std::byte> body;
        bool begun = false, packed = false;
    };
    struct Arrived {
        Channel channel = Channel::control;
        bool packed = false;
        std::vector<std::byte> body;
    };

    explicit LinkState(LinkLimits given) : limits(given) {}

    const LinkLimits limits;
    std::mutex mutex; ///< guards everything below
    std::condition_variable work, room, arrival, carrying_changed;

    bool closed = false, closed_there = false, refused = false;
    LinkClock::time_point close_time;
    std::string last_end;
    LinkStatistics statistics;

    // --- sending
    std::array<Lane, kChannels> lanes;
    std::deque<Sent> sent;
    std::size_t to_write = 0; ///< of `sent`, on the present stream
    std::uint64_t next_sequence = 0, sent_cost = 0;
    std::uint64_t peer_limit = 0, peer_window = 0;
    // --- receiving
    std::array<Partial, kChannels> partials;
    std::deque<Arrived> arrived;
    std::uint64_t expected = 0, received_cost = 0, arrived_cost = 0, told_limit = 0;
    bool tell_now = false;
    // --- the stream
    std::uint64_t turn = 0; ///< of the streams; the last one carries
    bool carrying = false, heard = false;

    [[nodiscard]] bool over() const { return closed || closed_there || refused; }
    bool enqueue(Channel lane, Channel channel, std::vector<std::byte> body, bool packed, std::size_t unpacked_size);
    /// What is to be written next: sent[to_write]. Null where nothing is, or nothing may be.
    Sent* next_frame(const BulkPace& pace);
    [[nodiscard]] bool all_written() const;
    /// Forgets what the other side has.
    void acknowledge(std::uint64_t received, BulkPace& pace, LinkClock::time_point now);
    /// A frame of data that was expected. Returns how it breaks the rules.
    std::string take(const FrameHead& head, std::span<const std::byte> body);
    [[nodiscard]] std::uint64_t new_limit() const;
    void tell_soon();
    void refuse(const std::string& why);
    void wake_all();
};

} // namespace warplight::remote
