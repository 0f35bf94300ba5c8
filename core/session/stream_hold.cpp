// SPDX-License-Identifier: Apache-2.0
#include "session/stream_hold.hpp"

#include "warplight/error.hpp"
#include "warplight/host_memory.hpp"

#include <chrono>
#include <cstdlib>
#include <string_view>

namespace warplight::session {
namespace {

/// Longer than any launch takes the host, and shorter than anybody would notice.
constexpr auto longest_hold = std::chrono::milliseconds(50);

/// CUDA's own wish that each launch waits for its kernel.
bool launches_wait() {
    const char* blocking = std::getenv("CUDA_LAUNCH_BLOCKING");
    return blocking && *blocking && std::string_view(blocking) != "0";
}

} // namespace

StreamHold::StreamHold()
    : word_(driver::pagelocked_zeros({1}, DType::from_name("uint32"))),
      address_(driver::host_pointer(word_).get_device_pointer()), watch_([this] { watch(); }) {}

std::unique_ptr<StreamHold> StreamHold::make(const driver::Stream& stream) {
    if (launches_wait()) return {};
    try {
        std::unique_ptr<StreamHold> hold(new StreamHold);
        stream.wait_value_32(hold->address_, 0); // whether it can; it is so already
        stream.synchronize();
        return hold;
    } catch (const driver::Error&) {
        return {};
    }
}

StreamHold::~StreamHold() {
    release();
    {
        const std::scoped_lock lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    watch_.join();
}

void StreamHold::open(std::uint32_t turn) {
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(word_.mutable_data())).store(turn, std::memory_order_release);
}

void StreamHold::hold(const driver::Stream& stream) {
    const std::scoped_lock lock(mutex_);
    stream.wait_value_32(address_, turn_ + 1); // goes on when the word is that large
    ++turn_;
    held_ = true;
    changed_.notify_all();
}

void StreamHold::release() {
    const std::scoped_lock lock(mutex_);
    if (!held_) return;
    open(turn_);
    held_ = false;
    changed_.notify_all();
}

void StreamHold::watch() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        changed_.wait(lock, [this] { return held_ || ends_; });
        const auto turn = turn_;
        const bool over = changed_.wait_for(lock, longest_hold, [&] { return !held_ || turn_ != turn || ends_; });
        if (over) continue;
        open(turn_);
        held_ = false;
        late_ = true;
    }
}

} // namespace warplight::session
