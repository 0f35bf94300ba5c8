// SPDX-License-Identifier: Apache-2.0
#include "check_settings.hpp"

#include "configuration.hpp"

#include <atomic>

namespace warplight::software {
namespace {

std::atomic<findings::Checks>& checks() {
    static std::atomic<findings::Checks> current = configuration().checks;
    return current;
}

} // namespace

findings::Checks requested_checks() { return checks().load(std::memory_order_relaxed); }

void request_checks(findings::Checks wanted) { checks().store(wanted, std::memory_order_relaxed); }

} // namespace warplight::software
