// SPDX-License-Identifier: Apache-2.0
#include "remote/link_carrier.hpp"

#include "remote/greeting.hpp"
#include "worker/thread_start.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>

namespace warplight::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kSignOfLife = 2s;
/// How long the other side may wait to hear that something has come. Answers tell it earlier.
constexpr auto kStateDelay = 20ms;
constexpr std::uint64_t kStateBytes = kLargestFrame;
constexpr auto kTimeToClose = 2s;
/// After a write has failed, for what can still be read.
constexpr auto kTimeToRead = 1s;
constexpr std::size_t kBatch = kLargestFrame;

std::array<std::byte, 8> bytes_of(std::uint64_t value) {
    std::array<std::byte, 8> bytes;
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

std::uint64_t value_of(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
    return value;
}

} // namespace

LinkCarrier::LinkCarrier(LinkState& state, Stream& stream, std::chrono::milliseconds quiet)
    : s_(state), stream_(stream), quiet_(quiet), pace_(state.limits.window / 2) {
    batch_.reserve(kBatch + kLargestFrame + 4 * kFrameHead);
}

LinkEnd LinkCarrier::run() {
    std::unique_lock lock(s_.mutex);
    if (wait_for_turn(lock) == Turn::over) {
        const LinkEnd end = end_.value_or(LinkEnd::broken);
        lock.unlock();
        stream_.close();
        return end;
    }
    std::thread reader, writer;
    lock.unlock();
    try {
        reader = worker::start_thread([this] { read_frames(); });
        writer = worker::start_thread([this] { write_frames(); });
    } catch (const std::runtime_error&) {
        lock.lock();
        finish(LinkEnd::broken, "no thread could be started");
        lock.unlock();
        stream_.close();
        if (reader.joinable()) reader.join();
        lock.lock();
        leave(lock);
        throw;
    }
    lock.lock();
    watch(lock);
    lock.unlock();
    stream_.close();
    reader.join();
    writer.join();
    lock.lock();
    leave(lock);
    return end_.value_or(LinkEnd::broken);
}

LinkCarrier::Turn LinkCarrier::wait_for_turn(std::unique_lock<std::mutex>& lock) {
    turn_ = ++s_.turn;
    s_.wake_all(); // the stream before
    s_.carrying_changed.wait(lock, [this] { return !s_.carrying || s_.turn != turn_; });
    if (s_.turn != turn_)
        finish(LinkEnd::broken, "another stream has taken over");
    else if (s_.refused)
        finish(LinkEnd::refused, s_.last_end);
    else if (s_.closed_there || (s_.closed && LinkClock::now() >= s_.close_time + kTimeToClose))
        finish(LinkEnd::closed, "the conversation is over");
    if (end_) return Turn::over;
    s_.carrying = true;
    s_.heard = false;
    s_.to_write = 0;
    s_.tell_now = false;
    ++s_.statistics.streams;
    first_new_ = s_.next_sequence;
    last_heard_ = LinkClock::now();
    return Turn::mine;
}

void LinkCarrier::leave(std::unique_lock<std::mutex>& /*held*/) {
    s_.carrying = s_.heard = false;
    s_.wake_all();
}

void LinkCarrier::finish(LinkEnd end, const std::string& why) {
    if (end_) return;
    end_ = end;
    s_.last_end = why;
    s_.wake_all();
}

void LinkCarrier::watch(std::unique_lock<std::mutex>& lock) {
    constexpr LinkClock::time_point never = LinkClock::time_point::max();
    while (!end_) {
        const auto silent = last_heard_ + quiet_;
        const auto closing = s_.closed ? s_.close_time + kTimeToClose : never;
        const auto unwritten = write_failed_ != LinkClock::time_point{} ? write_failed_ + kTimeToRead : never;
        const auto now = LinkClock::now();
        if (s_.turn != turn_)
            finish(LinkEnd::broken, "another stream has taken over");
        else if (s_.refused)
            finish(LinkEnd::refused, s_.last_end);
        else if (now >= closing)
            finish(LinkEnd::closed, "the conversation is over");
        else if (now >= unwritten)
            finish(LinkEnd::broken, "nothing could be written to it");
        else if (now >= silent)
            finish(LinkEnd::broken,
                   fmt::format("its traffic stood still for {:.3g} s", std::chrono::duration<double>(quiet_).count()));
        else
            s_.carrying_changed.wait_until(lock, std::min({silent, closing, unwritten}));
    }
}

// --- what comes

void LinkCarrier::read_frames() {
    std::vector<std::byte> buffer(2 * (kFrameHead + kLargestFrame));
    std::size_t filled = 0;
    for (;;) {
        const std::size_t count = stream_.read(buffer.data() + filled, buffer.size() - filled);
        const std::lock_guard lock(s_.mutex);
        if (end_) return;
        if (count == 0) {
            if (bye_written_)
                finish(LinkEnd::closed, "the conversation is over");
            else
                finish(filled == 0 ? LinkEnd::ended : LinkEnd::broken,
                       filled == 0 ? "it has ended" : "it has ended in the middle of something");
            return;
        }
        last_heard_ = LinkClock::now();
        s_.statistics.wire_bytes_received += count;
        filled += count;
        const std::size_t taken = take_frames({buffer.data(), filled});
        if (end_) return;
        std::memmove(buffer.data(), buffer.data() + taken, filled - taken);
        filled -= taken;
    }
}

std::size_t LinkCarrier::take_frames(std::span<const std::byte> bytes) {
    std::size_t taken = 0;
    while (!end_ && bytes.size() - taken >= kFrameHead) {
        const auto head_bytes = bytes.subspan(taken).first<kFrameHead>();
        FrameHead head;
        if (const std::string problem = decode_frame_head(head_bytes, head); !problem.empty()) {
            finish(LinkEnd::broken, problem);
            break;
        }
        if (bytes.size() - taken - kFrameHead < head.length) break;
        const auto body = bytes.subspan(taken + kFrameHead, head.length);
        if (!checksum_fits(head_bytes, head, body)) {
            finish(LinkEnd::broken, "a damaged frame came");
            break;
        }
        taken += kFrameHead + head.length;
        take_frame(head, body);
    }
    return taken;
}

void LinkCarrier::take_frame(const FrameHead& head, std::span<const std::byte> body) {
    if (head.received > s_.next_sequence) return s_.refuse("the other side confirms what was never sent");
    if ((head.type == FrameType::hello) == s_.heard) return finish(LinkEnd::broken, "a frame came at a wrong time");
    if (head.type == FrameType::hello) take_hello(head, body);
    if (end_ || s_.refused) return;
    s_.acknowledge(head.received, pace_, last_heard_);
    s_.peer_limit = std::max(s_.peer_limit, head.limit);
    switch (head.type) {
    case FrameType::data: take_data(head, body); break;
    case FrameType::ping:
        pong_ = value_of(body);
        s_.tell_now = true;
        break;
    case FrameType::pong:
        if (ping_ == value_of(body)) {
            const auto sent = LinkClock::time_point(LinkClock::duration(static_cast<std::int64_t>(*ping_)));
            const auto time = std::chrono::duration_cast<std::chrono::microseconds>(last_heard_ - sent);
            s_.statistics.round_trip = time;
            pace_.round_trip(time);
            ping_.reset();
        }
        break;
    case FrameType::bye:
        s_.closed_there = true;
        finish(LinkEnd::closed, "the other side has closed the conversation");
        break;
    case FrameType::hello:
    case FrameType::state: break;
    }
    s_.work.notify_one();
}

void LinkCarrier::take_hello(const FrameHead& head, std::span<const std::byte> body) {
    std::uint32_t protocol = 0;
    std::memcpy(&protocol, body.data(), std::min(body.size(), sizeof protocol));
    if (protocol != kRemoteProtocol)
        return s_.refuse(
            fmt::format("the other side speaks version {} of the protocol, this one {}", protocol, kRemoteProtocol));
    if (!s_.sent.empty() && head.received < s_.sent.front().sequence)
        return s_.refuse("the other side has lost what it had received");
    if (s_.sent.empty() && head.received != s_.next_sequence)
        return s_.refuse("the other side has lost what it had received");
    if (s_.peer_window == 0) s_.peer_window = head.limit;
    s_.heard = true;
}

void LinkCarrier::take_data(const FrameHead& head, std::span<const std::byte> body) {
    if (head.sequence > s_.expected) return finish(LinkEnd::broken, "something is missing in it");
    if (head.sequence == s_.expected)
        if (const std::string problem = s_.take(head, body); !problem.empty()) return s_.refuse(problem);
    untold_ += body.size() + kFrameCost;
    if (untold_ >= kStateBytes)
        s_.tell_now = true;
    else
        state_due_ = std::min(state_due_, last_heard_ + kStateDelay);
}

// --- what goes

void LinkCarrier::write_frames() {
    std::unique_lock lock(s_.mutex);
    while (!end_ && !bye_written_) {
        fill_batch(LinkClock::now());
        if (batch_.empty()) {
            s_.work.wait_until(lock, next_due());
            continue;
        }
        s_.statistics.wire_bytes_sent += batch_.size();
        lock.unlock();
        const bool written = stream_.write(batch_.data(), batch_.size());
        lock.lock();
        if (!written) {
            write_failed_ = LinkClock::now();
            s_.carrying_changed.notify_all();
            return;
        }
    }
}

void LinkCarrier::fill_batch(LinkClock::time_point now) {
    batch_.clear();
    if (!hello_written_) {
        const auto protocol = bytes_of(kRemoteProtocol);
        append({.type = FrameType::hello}, std::span(protocol).first(4));
        hello_written_ = true;
        return;
    }
    if (!s_.heard) return;
    while (batch_.size() < kBatch) {
        LinkState::Sent* frame = s_.next_frame(pace_);
        if (!frame) break;
        const FrameHead head{.type = FrameType::data,
                             .channel = frame->channel,
                             .first = frame->first,
                             .last = frame->last,
                             .packed = frame->packed,
                             .sequence = frame->sequence};
        append(head, std::span(*frame->body).subspan(frame->at, frame->size));
        if (frame->lane == Channel::bulk) frame->mark = pace_.written(frame->size + kFrameCost, now);
        if (frame->sequence < first_new_) s_.statistics.wire_bytes_sent_again += frame->size + kFrameHead;
        ++s_.to_write;
    }
    if (pong_) append({.type = FrameType::pong}, bytes_of(*std::exchange(pong_, std::nullopt)));
    if (now >= ping_due_) {
        ping_ = static_cast<std::uint64_t>(now.time_since_epoch().count());
        ping_due_ = now + kSignOfLife;
        append({.type = FrameType::ping}, bytes_of(*ping_));
    }
    if (batch_.empty() && (s_.tell_now || now >= state_due_)) append({.type = FrameType::state}, {});
    if (s_.closed && s_.all_written()) {
        append({.type = FrameType::bye}, {});
        bye_written_ = true;
    }
}

void LinkCarrier::append(FrameHead head, std::span<const std::byte> body) {
    s_.told_limit = s_.new_limit();
    head.received = s_.expected;
    head.limit = s_.told_limit;
    const FrameHeadBytes bytes = encode_frame_head(head, body);
    batch_.insert(batch_.end(), bytes.begin(), bytes.end());
    batch_.insert(batch_.end(), body.begin(), body.end());
    s_.tell_now = false;
    untold_ = 0;
    state_due_ = LinkClock::time_point::max();
}

LinkClock::time_point LinkCarrier::next_due() const {
    if (!s_.heard) return LinkClock::now() + kSignOfLife;
    return std::min(ping_due_, state_due_);
}

} // namespace warplight::remote
