// SPDX-License-Identifier: Apache-2.0
/// What passes on a link: packets of channels, and within which bounds.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::remote {

/// What a packet is about. Those of a channel with a smaller number go first.
enum class Channel : std::uint8_t {
    control, ///< one JSON-RPC message in CBOR, without a length in front
    worker,  ///< one message of the worker's protocol, without its length in front
    bulk     ///< pieces of files
};
inline constexpr std::size_t kChannels = 3;

/// Bytes of the largest packet of a channel.
[[nodiscard]] std::size_t largest_packet(Channel channel);

struct Packet {
    Channel channel = Channel::control;
    std::vector<std::byte> body;
};

/// In bytes. A packet may be larger where nothing else waits, so that each size gets through.
struct LinkLimits {
    /// Received and not taken by receive(): the other side sends no more. At least 256 KiB.
    std::size_t window = std::size_t{16} << 20;
    /// Of each channel: sent, and not yet received by the other side. send() waits above it.
    std::array<std::size_t, kChannels> unacknowledged = {std::size_t{4} << 20, std::size_t{32} << 20,
                                                         std::size_t{8} << 20};
};

struct LinkStatistics {
    std::uint64_t packets_sent = 0, packets_received = 0;
    std::uint64_t bytes_sent = 0, bytes_received = 0;           ///< of packets, as the users of the link see them
    std::uint64_t wire_bytes_sent = 0, wire_bytes_received = 0; ///< with all that the link adds, and compressed
    std::uint64_t wire_bytes_sent_again = 0;                    ///< of these, after a stream was lost
    int streams = 0;                                            ///< that have carried the conversation
    std::optional<std::chrono::microseconds> round_trip = {};   ///< of the last sign of life
};

/// How a stream of a link has ended.
enum class LinkEnd : std::uint8_t {
    ended,   ///< the stream has ended; another one may go on
    broken,  ///< something was lost or silent, or another stream has taken over; another one may go on
    refused, ///< the other side is no link of this kind, or breaks the rules. The conversation is over
    closed   ///< one of the sides has closed the conversation
};

} // namespace warplight::remote
