// SPDX-License-Identifier: Apache-2.0
#include "remote/frame.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace warplight::remote {
namespace {

constexpr std::byte kFrameMark{0xc7};
constexpr unsigned kFirstPiece = 1, kLastPiece = 2, kPackedPiece = 4;
constexpr std::size_t kChecksumAt = kFrameHead - 4;

template <class Number>
void put_number(std::byte* to, Number value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        to[i] = static_cast<std::byte>(value >> (8 * i));
}

template <class Number>
Number take_number(const std::byte* from) {
    Number value = 0;
    for (std::size_t i = 0; i < sizeof value; ++i)
        value |= static_cast<Number>(static_cast<Number>(from[i]) << (8 * i));
    return value;
}

std::uint32_t frame_checksum(const std::byte* head, std::span<const std::byte> body) {
    const std::uint64_t seed = XXH3_64bits(head, kChecksumAt);
    return static_cast<std::uint32_t>(XXH3_64bits_withSeed(body.data(), body.size(), seed));
}

} // namespace

FrameHeadBytes encode_frame_head(FrameHead head, std::span<const std::byte> body) {
    FrameHeadBytes bytes{};
    bytes[0] = static_cast<std::byte>(head.type);
    bytes[1] = static_cast<std::byte>(head.channel);
    bytes[2] = static_cast<std::byte>((head.first ? kFirstPiece : 0U) | (head.last ? kLastPiece : 0U) |
                                      (head.packed ? kPackedPiece : 0U));
    bytes[3] = kFrameMark;
    put_number(&bytes[4], static_cast<std::uint32_t>(body.size()));
    put_number(&bytes[8], head.sequence);
    put_number(&bytes[16], head.received);
    put_number(&bytes[24], head.limit);
    put_number(&bytes[kChecksumAt], frame_checksum(bytes.data(), body));
    return bytes;
}

std::string decode_frame_head(std::span<const std::byte, kFrameHead> bytes, FrameHead& head) {
    const auto type = static_cast<unsigned>(bytes[0]), channel = static_cast<unsigned>(bytes[1]),
               flags = static_cast<unsigned>(bytes[2]);
    if (bytes[3] != kFrameMark) return "something else than frames came";
    if (type < static_cast<unsigned>(FrameType::hello) || type > static_cast<unsigned>(FrameType::bye))
        return "a frame of an unknown kind came";
    if (channel >= kChannels) return "a frame of an unknown channel came";
    if (flags > (kFirstPiece | kLastPiece | kPackedPiece)) return "a frame with unknown marks came";
    head.type = static_cast<FrameType>(type);
    head.channel = static_cast<Channel>(channel);
    head.first = flags & kFirstPiece;
    head.last = flags & kLastPiece;
    head.packed = flags & kPackedPiece;
    head.length = take_number<std::uint32_t>(&bytes[4]);
    head.sequence = take_number<std::uint64_t>(&bytes[8]);
    head.received = take_number<std::uint64_t>(&bytes[16]);
    head.limit = take_number<std::uint64_t>(&bytes[24]);
    head.checksum = take_number<std::uint32_t>(&bytes[kChecksumAt]);
    std::size_t most = 0;
    switch (head.type) {
    case FrameType::hello: most = 4; break;
    case FrameType::data: most = kLargestFrame; break;
    case FrameType::ping:
    case FrameType::pong: most = 8; break;
    case FrameType::state:
    case FrameType::bye: break;
    }
    const bool whole = head.type == FrameType::data || head.length == most;
    if (head.length > most || !whole) return "a frame of a wrong size came";
    return {};
}

bool checksum_fits(std::span<const std::byte, kFrameHead> bytes, const FrameHead& head,
                   std::span<const std::byte> body) {
    return frame_checksum(bytes.data(), body) == head.checksum;
}

} // namespace warplight::remote
