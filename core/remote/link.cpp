// SPDX-License-Identifier: Apache-2.0
#include "remote/link.hpp"

#include "remote/greeting.hpp"
#include "remote/link_carrier.hpp"
#include "remote/link_state.hpp"
#include "remote/packing.hpp"
#include "worker/message.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace warplight::remote {
namespace {

std::uint64_t frames_of(std::size_t size) {
    return std::max<std::uint64_t>(1, (size + kLargestFrame - 1) / kLargestFrame);
}

} // namespace

std::size_t largest_packet(Channel channel) {
    switch (channel) {
    case Channel::control:
    case Channel::bulk: return std::size_t{16} << 20;
    case Channel::worker: break;
    case Channel::compiler: return std::size_t{64} << 20;
    }
    return worker::kLargestMessage + 64;
}

std::uint64_t cost_of_packet(std::size_t size) { return size + frames_of(size) * kFrameCost; }

Link::Link(LinkLimits limits) : state_(std::make_unique<State>(limits)) {}

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
    State& s = *state_;
    State::Arrived arrived;
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

Link::End Link::carry(Stream& stream, std::chrono::milliseconds quiet) { return Carrier(*state_, stream, quiet).run(); }

std::string Link::last_end() const {
    const std::lock_guard lock(state_->mutex);
    return state_->last_end;
}

void Link::close() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    state_->close_time = LinkClock::now();
    state_->wake_all();
}

bool Link::connected() const {
    const std::lock_guard lock(state_->mutex);
    return state_->heard;
}

std::uint64_t Link::waiting() const {
    const std::lock_guard lock(state_->mutex);
    std::uint64_t bytes = 0;
    for (const State::Lane& lane : state_->lanes)
        bytes += lane.bytes;
    return bytes;
}

LinkStatistics Link::statistics() const {
    const std::lock_guard lock(state_->mutex);
    return state_->statistics;
}

// --- what is on its way

bool Link::State::enqueue(Channel lane_of, Channel channel, std::vector<std::byte> body, bool packed,
                          std::size_t unpacked_size) {
    Lane& lane = lanes[static_cast<std::size_t>(lane_of)];
    const std::size_t most = limits.unacknowledged[static_cast<std::size_t>(lane_of)];
    const std::uint64_t cost = cost_of_packet(body.size());
    std::unique_lock lock(mutex);
    room.wait(lock, [&] { return over() || lane.bytes == 0 || lane.bytes + cost <= most; });
    if (over()) return false;
    lane.bytes += cost;
    lane.packets.push_back({channel, packed, std::make_shared<const std::vector<std::byte>>(std::move(body)), 0});
    ++statistics.packets_sent;
    statistics.bytes_sent += unpacked_size;
    work.notify_one();
    return true;
}

Link::State::Sent* Link::State::next_frame(const BulkPace& pace) {
    if (to_write < sent.size()) return &sent[to_write]; // once more, after a stream was lost
    for (std::size_t i = 0; i < kChannels; ++i) {
        Lane& lane = lanes[i];
        if (lane.packets.empty()) continue;
        const bool bulk = i == static_cast<std::size_t>(Channel::bulk);
        Waiting& packet = lane.packets.front();
        const std::size_t size = std::min(packet.body->size() - packet.at, kLargestFrame);
        const std::uint64_t cost = size + kFrameCost;
        // Files leave half of the room to everything else.
        if (sent_cost + cost + (bulk ? peer_window / 2 : 0) > peer_limit) continue;
        if (bulk && !pace.has_room(cost)) continue;
        sent.push_back({next_sequence++, packet.channel, static_cast<Channel>(i), packet.at == 0,
                        packet.at + size == packet.body->size(), packet.packed, packet.body, packet.at, size});
        sent_cost += cost;
        packet.at += size;
        if (sent.back().last) lane.packets.pop_front();
        return &sent.back();
    }
    return nullptr;
}

bool Link::State::all_written() const {
    return to_write == sent.size() && std::ranges::all_of(lanes, [](const Lane& lane) { return lane.packets.empty(); });
}

void Link::State::acknowledge(std::uint64_t received, BulkPace& pace, LinkClock::time_point now) {
    while (!sent.empty() && sent.front().sequence < received) {
        const Sent& frame = sent.front();
        const std::uint64_t cost = frame.size + kFrameCost;
        lanes[static_cast<std::size_t>(frame.lane)].bytes -= cost;
        if (to_write > 0) {
            --to_write;
            if (frame.lane == Channel::bulk) pace.arrived(cost, frame.mark, now);
        }
        sent.pop_front();
        room.notify_all();
    }
}

// --- what comes

std::string Link::State::take(const FrameHead& head, std::span<const std::byte> body) {
    const std::uint64_t cost = body.size() + kFrameCost;
    if (received_cost + cost > told_limit) return "more came than may come at once";
    const std::size_t most = largest_packet(head.channel);
    const bool whole = head.first && head.last;
    Partial& partial = partials[static_cast<std::size_t>(head.channel)];
    if (!whole && head.first == partial.begun) return "the pieces of a packet came in a wrong order";
    if (!whole && partial.body.size() + body.size() > most) return "a packet came that is larger than one may be";
    ++expected;
    received_cost += cost;
    if (whole) {
        arrived.push_back({head.channel, head.packed, {body.begin(), body.end()}});
    } else {
        if (head.first) partial.packed = head.packed;
        partial.begun = true;
        partial.body.insert(partial.body.end(), body.begin(), body.end());
        if (!head.last) return {};
        arrived.push_back({head.channel, partial.packed, std::move(partial.body)});
        partial = {};
    }
    const Arrived& packet = arrived.back();
    arrived_cost += cost_of_packet(packet.body.size());
    if (packet.packed) {
        const auto size = unpacked_size(packet.body);
        if (!size || *size > most) return "a packet came that would be larger than one may be";
    }
    arrival.notify_one();
    return {};
}

std::uint64_t Link::State::new_limit() const {
    const std::uint64_t room_left = limits.window > arrived_cost ? limits.window - arrived_cost : 0;
    return std::max(told_limit, received_cost + room_left);
}

void Link::State::tell_soon() {
    tell_now = true;
    work.notify_one();
}

void Link::State::refuse(const std::string& why) {
    refused = true;
    last_end = why;
    wake_all();
}

void Link::State::wake_all() {
    work.notify_all();
    room.notify_all();
    arrival.notify_all();
    carrying_changed.notify_all();
}

} // namespace warplight::remote
