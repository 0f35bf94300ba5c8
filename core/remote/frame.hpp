// SPDX-License-Identifier: Apache-2.0
// What passes on the stream of a link: a head of fixed size, and at most 64 KiB behind it.
#pragma once

#include "remote/channel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warplight::remote {

inline constexpr std::size_t kLargestFrame = std::size_t{64} << 10;
inline constexpr std::size_t kFrameHead = 36;
/// What a frame counts besides its bytes, so that empty ones are not free.
inline constexpr std::size_t kFrameCost = 64;

enum class FrameType : std::uint8_t {
    hello = 1, ///< the first of a stream; behind it the protocol's number, 4 bytes
    data,      ///< a piece of a packet
    state,     ///< nothing but the numbers of the head
    ping,      ///< 8 bytes, which the answer repeats
    pong,
    bye ///< the conversation is over, and everything was sent
};

struct FrameHead {
    FrameType type = FrameType::state;
    Channel channel = Channel::control; ///< of data
    bool first = false, last = false;   ///< of a packet's pieces
    bool packed = false;                ///< the packet is compressed
    std::uint32_t length = 0;
    std::uint64_t sequence = 0; ///< of data: counts from 0
    std::uint64_t received = 0; ///< the next number that the sender expects
    std::uint64_t limit = 0;    ///< the other side may have sent so much in all: bytes, and kFrameCost for each frame
    std::uint32_t checksum = 0; ///< of everything else
};

using FrameHeadBytes = std::array<std::byte, kFrameHead>;

/// Computes length and checksum.
FrameHeadBytes encode_frame_head(FrameHead head, std::span<const std::byte> body);
/// Why it is none; empty when it is one. Nothing is believed before the checksum was compared.
std::string decode_frame_head(std::span<const std::byte, kFrameHead> bytes, FrameHead& head);
bool checksum_fits(std::span<const std::byte, kFrameHead> bytes, const FrameHead& head,
                   std::span<const std::byte> body);

} // namespace warplight::remote
