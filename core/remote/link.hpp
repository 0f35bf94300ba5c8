// SPDX-License-Identifier: Apache-2.0
/// A conversation of packets between two machines, which outlives the streams that carry it. After a stream is lost,
/// the next one goes on where it ended: no packet is lost, none comes twice, and those of a channel keep their order.
#pragma once

#include "remote/channel.hpp"
#include "remote/stream.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warplight::remote {

struct LinkState;

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

    using End = LinkEnd;
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
    std::unique_ptr<LinkState> state_;
};

} // namespace warplight::remote
