// SPDX-License-Identifier: Apache-2.0
/// A conversation of packets between two machines, which outlives the streams that carry it. After a stream is lost,
/// the next one goes on where it ended: no packet is lost, none comes twice, and those of a channel keep their order.
#pragma once

#include "remote/stream.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::remote {

/// What a packet is about. Those of a channel with a smaller number go first.
enum class Channel : std::uint8_t {
    control, ///< one JSON-RPC message in CBOR, without a length in front
    worker,  ///< one message of the worker's protocol, without its length in front
    bulk,    ///< pieces of files
    compiler ///< compiling on the near side
};
inline constexpr std::size_t kChannels = 4;

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
                                                         std::size_t{8} << 20, std::size_t{32} << 20};
};

struct LinkStatistics {
    std::uint64_t packets_sent = 0, packets_received = 0;
    std::uint64_t bytes_sent = 0, bytes_received = 0;           ///< of packets, as the users of the link see them
    std::uint64_t wire_bytes_sent = 0, wire_bytes_received = 0; ///< with all that the link adds, and compressed
    std::uint64_t wire_bytes_sent_again = 0;                    ///< of these, after a stream was lost
    int streams = 0;                                            ///< that have carried the conversation
    std::optional<std::chrono::microseconds> round_trip = {};   ///< of the last sign of life
};

class Link {
public:
    explicit Link(LinkLimits limits = {});
    /// Call close() first, and wait for carry() and receive().
    ~Link();
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    /// From any thread; packets of one thread and channel keep their order. Waits while too much of the channel is on
    /// its way. Large packets are sent compressed, except those of `bulk`. False: the conversation is over.
    /// @throws std::length_error above largest_packet()
    bool send(Channel channel, std::span<const std::byte> body);
    /// The same for a packet of at most 32 KiB that comes after all packets that were sent in the channel `after`.
    bool send_after(Channel after, Channel channel, std::span<const std::byte> body);
    /// For one thread. Waits; nothing: the conversation is over, and all packets were taken.
    std::optional<Packet> receive();

    enum class End : std::uint8_t {
        ended,   ///< the stream has ended; another one may go on
        broken,  ///< something was lost or silent, or another stream has taken over; another one may go on
        refused, ///< the other side is no link of this kind, or breaks the rules. The conversation is over
        closed   ///< one of the sides has closed the conversation
    };
    /// Carries the conversation until the stream ends, which it closes. The first thing that passes is what each side
    /// has received. Both sides give a sign of life every two seconds; one that is silent for `quiet` counts as lost.
    /// A link has one stream at a time: a second call, from another thread, takes over from the first.
    /// @throws std::runtime_error where no thread can be started
    End carry(Stream& stream, std::chrono::milliseconds quiet);
    /// Why the last stream ended: a phrase, "its traffic stood still for 20 s". Empty before one has ended.
    [[nodiscard]] std::string last_end() const;

    /// The conversation is over. A stream that carries it still gets what was sent, for two seconds at most.
    void close();
    /// Some stream carries it now, and the other side has answered on it.
    [[nodiscard]] bool connected() const;
    /// Bytes that were sent and not yet received by the other side.
    [[nodiscard]] std::uint64_t waiting() const;
    [[nodiscard]] LinkStatistics statistics() const;

private:
    struct State;
    class Carrier;
    std::unique_ptr<State> state_;
};

} // namespace warplight::remote
