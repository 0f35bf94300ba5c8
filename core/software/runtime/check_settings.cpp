// SPDX-License-Identifier: Apache-2.0
#include "check_settings.hpp"

#include "configuration.hpp"
#include "shadow_memory.hpp"

#include <atomic>

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

} // namespace warplight::software
