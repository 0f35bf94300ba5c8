// SPDX-License-Identifier: Apache-2.0
// What a hostile machine may send to a link: any bytes, or frames with right checksums and any fields. The packets that
// come out of it are taken as requests to a holder.
#include "remote/frame.hpp"
#include "remote/greeting.hpp"
#include "remote/holder_requests.hpp"
#include "remote/link.hpp"
#include "remote/packing.hpp"
#include "worker/request.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace warplight::remote;

namespace {

/// The bytes, behind a right greeting of the link where one is wanted. What the link writes goes nowhere.
class HostileStream : public Stream {
public:
    explicit HostileStream(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
    std::size_t read(std::byte* to, std::size_t size) override {
        std::unique_lock lock(mutex_);
        // A link tells how much may come before it takes anything.
        changed_.wait(lock, [this] { return written_ || closed_; });
        const std::size_t count = std::min(size, bytes_.size() - at_);
        std::copy_n(bytes_.data() + at_, count, to);
        at_ += count;
        return closed_ ? 0 : count;
    }
    bool write(const std::byte* /*from*/, std::size_t /*size*/) override {
        const std::lock_guard lock(mutex_);
        written_ = true;
        changed_.notify_all();
        return !closed_;
    }
    void close() override {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
    bool written_ = false, closed_ = false;
};

void append(std::vector<std::byte>& to, const FrameHead& head, std::span<const std::byte> body) {
    const FrameHeadBytes bytes = encode_frame_head(head, body);
    to.insert(to.end(), bytes.begin(), bytes.end());
    to.insert(to.end(), body.begin(), body.end());
}

/// A record is a byte for the type, one for channel and marks, one each for sequence and what is confirmed, one for the
/// length, and the body.
std::vector<std::byte> frames_of(std::span<const std::byte> data) {
    std::vector<std::byte> bytes;
    const std::array<std::byte, 4> protocol{std::byte{kRemoteProtocol}};
    append(bytes, {.type = FrameType::hello, .limit = 1 << 20}, protocol);
    while (data.size() >= 5) {
        const auto at = [&](std::size_t i) { return static_cast<unsigned>(data[i]); };
        FrameHead head;
        head.type = static_cast<FrameType>(1 + at(0) % 6);
        head.channel = static_cast<Channel>(at(1) % kChannels);
        head.first = at(1) & 4;
        head.last = at(1) & 8;
        head.packed = at(1) & 16;
        head.sequence = at(2);
        head.received = at(3) % 8;
        head.limit = std::uint64_t{at(3)} << (at(3) % 64);
        const std::size_t size = std::min<std::size_t>(at(4), data.size() - 5);
        append(bytes, head, data.subspan(5, size));
        data = data.subspan(5 + size);
    }
    return bytes;
}

void take_requests(Link& link) {
    while (const auto packet = link.receive()) {
        if (packet->body.size() > largest_packet(packet->channel)) std::abort();
        try {
            const ControlRequest request = control_request(packet->body);
            (void)open_request(request.params);
        } catch (const warplight::worker::RequestError& error) {
            if (error.what()[0] == '\0') std::abort();
        } catch (const std::runtime_error& error) {
            if (error.what()[0] == '\0') std::abort();
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto rest = bytes.subspan(1);
    if (data[0] % 4 == 0) {
        const auto unpacked = unpack(rest, 100'000);
        if (unpacked && unpacked->size() > 100'000) std::abort();
        return 0;
    }
    LinkLimits limits;
    limits.window = std::size_t{256} << 10;
    Link link(limits);
    // What may be confirmed, and what is answered.
    for (int i = 0; i < 3; ++i)
        link.send(Channel::worker, rest);
    HostileStream stream(data[0] % 4 == 1 ? std::vector(rest.begin(), rest.end()) : frames_of(rest));
    std::thread taker([&] { take_requests(link); });
    link.carry(stream, std::chrono::seconds(10));
    if (link.last_end().empty()) std::abort();
    link.close();
    taker.join();
    return 0;
}
