// SPDX-License-Identifier: Apache-2.0
#include "step_settings.hpp"

#include <atomic>

namespace warplight::software {
namespace {

std::atomic<Stepper*>& stepper() {
    static std::atomic<Stepper*> current = nullptr;
    return current;
}

} // namespace

Stepper* requested_stepper() { return stepper(); }

void request_stepper(Stepper* wanted) { stepper() = wanted; }

} // namespace warplight::software
