// SPDX-License-Identifier: Apache-2.0
#include "remote/link_state.hpp"

#include "remote/packing.hpp"

#include <algorithm>
#include <utility>

namespace warplight::remote {
namespace {

std::uint64_t frames_of(std::size_t size) {
    return std::max<std::uint64_t>(1, (size + kLargestFrame - 1) / kLargestFrame);
}

} // namespace

std::uint64_t cost_of_packet(std::size_t size) { return size + frames_of(size) * kFrameCost; }

// --- what is on its way

bool LinkState::enqueue(Channel lane_of, Channel channel, std::vector<std::byte> body, bool packed,
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

LinkState::Sent* LinkState::next_frame(const BulkPace& pace) {
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

bool LinkState::all_written() const {
    return to_write == sent.size() && std::ranges::all_of(lanes, [](const Lane& lane) { return lane.packets.empty(); });
}

void LinkState::acknowledge(std::uint64_t received, BulkPace& pace, LinkClock::time_point now) {
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

std::string LinkState::take(const FrameHead& head, std::span<const std::byte> body) {
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

std::uint64_t LinkState::new_limit() const {
    const std::uint64_t room_left = limits.window > arrived_cost ? limits.window - arrived_cost : 0;
    return std::max(told_limit, received_cost + room_left);
}

void LinkState::tell_soon() {
    tell_now = true;
    work.notify_one();
}

void LinkState::refuse(const std::string& why) {
    refused = true;
    last_end = why;
    wake_all();
}

void LinkState::wake_all() {
    work.notify_all();
    room.notify_all();
    arrival.notify_all();
    carrying_changed.notify_all();
}

} // namespace warplight::remote
