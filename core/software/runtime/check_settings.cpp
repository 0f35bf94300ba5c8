// SPDX-License-Identifier: Apache-2.0
#include "check_settings.hpp"

#include "configuration.hpp"
#include "shadow_memory.hpp"

#include <atomic>
#include <mutex>
#include <utility>

namespace warplight::software {
namespace {

std::atomic<findings::Checks>& setting() {
    static std::atomic<findings::Checks> current = configuration().checks;
    return current;
}

std::atomic<bool>& profile() {
    static std::atomic<bool> current = configuration().profile;
    return current;
}

struct WarpRequest {
    std::mutex mutex;
    std::optional<warplight::profile::WarpChoice> choice;
    std::atomic<bool> is_there = false;
};

WarpRequest& warp_request() {
    static WarpRequest current;
    return current;
}

} // namespace

findings::Checks requested_checks() { return setting().load(std::memory_order_relaxed); }

void request_checks(findings::Checks wanted) {
    ShadowMemory& shadows = ShadowMemory::instance();
    if (wanted.has(findings::Check::init))
        shadows.turn_on();
    else
        shadows.turn_off();
    setting().store(wanted, std::memory_order_relaxed);
}

bool requested_profile() { return profile().load(std::memory_order_relaxed); }

void request_profile(bool wanted) { profile().store(wanted, std::memory_order_relaxed); }

bool requests_warp() { return warp_request().is_there.load(std::memory_order_relaxed); }

void request_warp(std::optional<warplight::profile::WarpChoice> choice) {
    WarpRequest& request = warp_request();
    const std::scoped_lock lock(request.mutex);
    request.choice = choice;
    request.is_there = choice.has_value();
}

std::optional<warplight::profile::WarpChoice> take_requested_warp() {
    WarpRequest& request = warp_request();
    if (!requests_warp()) return std::nullopt;
    const std::scoped_lock lock(request.mutex);
    request.is_there = false;
    return std::exchange(request.choice, std::nullopt);
}

} // namespace warplight::software
