// SPDX-License-Identifier: Apache-2.0
#include "remote/link.hpp"

#include "remote/link_carrier.hpp"
#include "remote/link_state.hpp"
#include "remote/packing.hpp"

#include <stdexcept>
#include <utility>

namespace warplight::remote {

Link::Link(LinkLimits limits) : state_(std::make_unique<LinkState>(limits)) {}

Link::~Link() { close(); }

bool Link::send(Channel channel, std::span<const std::byte> body) {
    if (body.size() > largest_packet(channel))
        throw std::length_error("a message for the other machine is larger than one may be");
    if (channel != Channel::bulk)
        if (auto packed = pack(body)) return state_->enqueue(channel, channel, std::move(*packed), true, body.size());
    return state_->enqueue(channel, channel, {body.begin(), body.end()}, false, body.size());
}

bool Link::send_after(Channel after, Channel channel, std::span<const std::byte> body) {
    if (body.size() > kLargestFrame / 2)
        throw std::length_error("a message that keeps its place is larger than one may be");
    return state_->enqueue(after, channel, {body.begin(), body.end()}, false, body.size());
}

std::optional<Packet> Link::receive() {
    LinkState& s = *state_;
    LinkState::Arrived arrived;
    {
        std::unique_lock lock(s.mutex);
        s.arrival.wait(lock, [&s] { return !s.arrived.empty() || s.over(); });
        if (s.arrived.empty() || s.refused) return std::nullopt;
        arrived = std::move(s.arrived.front());
        s.arrived.pop_front();
        s.arrived_cost -= cost_of_packet(arrived.body.size());
        // The other side may wait for room.
        if (s.new_limit() >= s.told_limit + s.limits.window / 8) s.tell_soon();
    }
    if (arrived.packed) {
        auto unpacked = unpack(arrived.body, largest_packet(arrived.channel));
        if (!unpacked) {
            const std::lock_guard lock(s.mutex);
            s.refuse("a packet came that cannot be unpacked");
            return std::nullopt;
        }
        arrived.body = std::move(*unpacked);
    }
    const std::lock_guard lock(s.mutex);
    ++s.statistics.packets_received;
    s.statistics.bytes_received += arrived.body.size();
    return Packet{arrived.channel, std::move(arrived.body)};
}

Link::End Link::carry(Stream& stream, std::chrono::milliseconds quiet) {
    return LinkCarrier(*state_, stream, quiet).run();
}

std::string Link::last_end() const {
    const std::lock_guard lock(state_->mutex);
    return state_->last_end;
}

void Link::close() {
    const std::lock_guard lock(state_->mutex);
    if (!std::exchange(state_->closed, true)) state_->close_time = LinkClock::now();
    state_->wake_all();
}

bool Link::connected() const {
    const std::lock_guard lock(state_->mutex);
    return state_->heard;
}

std::uint64_t Link::waiting() const {
    const std::lock_guard lock(state_->mutex);
    std::uint64_t bytes = 0;
    for (const LinkState::Lane& lane : state_->lanes)
        bytes += lane.bytes;
    return bytes;
}

LinkStatistics Link::statistics() const {
    const std::lock_guard lock(state_->mutex);
    return state_->statistics;
}

} // namespace warplight::remote
