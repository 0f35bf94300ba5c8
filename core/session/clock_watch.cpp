// SPDX-License-Identifier: Apache-2.0
#include "session/clock_watch.hpp"

#include "warplight/device.hpp"
#include "warplight/error.hpp"

#include <cstdlib>

namespace warplight::session {
namespace {

constexpr auto pause_between_looks = std::chrono::milliseconds(20);
/// Clocks that were held down for a shorter part of the time do not count.
constexpr double least_part_held = 0.01;

/// Tests let a library of their own play the clocks of a software device, which has none.
bool is_played() {
    const char* chosen = std::getenv("WARPLIGHT_NVML_LIBRARY");
    return chosen && *chosen;
}

} // namespace

ClockWatch::ClockWatch(const driver::Device& device) {
    if (device.driver().name() == "software" && !is_played()) return;
    try {
        monitor_ = driver::ClockMonitor::open(device.pci_bus_id());
    } catch (const driver::Error&) { // NOLINT(bugprone-empty-catch): a device without a bus has no clocks to tell
    }
}

void ClockWatch::begin() {
    if (!monitor_) return;
    first_ = monitor_->sample();
    clocks_.most_sm_mhz = monitor_->most_sm_mhz();
    clocks_.most_memory_mhz = monitor_->most_memory_mhz();
    clocks_.split = monitor_->is_split();
    begun_ = clock::now();
    looked_ = begun_ - pause_between_looks;
}

void ClockWatch::look() {
    if (!monitor_) return;
    skipped_ = clock::now() - looked_ < pause_between_looks;
    if (skipped_) return;
    note(monitor_->sample());
    looked_ = clock::now();
}

void ClockWatch::note(const driver::ClockSample& sample) {
    ReportClocks now;
    now.samples = 1;
    if (sample.sm_mhz) now.sm_mhz = ClockRange{*sample.sm_mhz, *sample.sm_mhz};
    if (sample.memory_mhz) now.memory_mhz = ClockRange{*sample.memory_mhz, *sample.memory_mhz};
    now.temperature_c = sample.temperature_c;
    now.power_w = sample.power_w;
    clocks_.add(now);
    limits_ |= sample.limits;
    // These also tell of what happened inside of a run.
    const double elapsed_ns = std::chrono::duration<double, std::nano>(clock::now() - begun_).count();
    const auto held = [&](const std::optional<std::uint64_t>& before, const std::optional<std::uint64_t>& after) {
        return before && after && *after > *before &&
               static_cast<double>(*after - *before) > least_part_held * elapsed_ns;
    };
    if (held(first_->power_ns, sample.power_ns)) limits_ |= 1U << static_cast<unsigned>(driver::ClockLimit::power_cap);
    if (held(first_->thermal_ns, sample.thermal_ns))
        limits_ |= 1U << static_cast<unsigned>(driver::ClockLimit::thermal);
}

std::optional<ReportClocks> ClockWatch::take() {
    if (!monitor_ || !first_) return {};
    if (skipped_) note(monitor_->sample());
    for (unsigned i = 0; i < driver::clock_limit_count; ++i)
        if (limits_ & (1U << i)) clocks_.held_by.push_back(driver::ClockLimit(i));
    const bool seen =
        clocks_.sm_mhz || clocks_.memory_mhz || clocks_.power_w || clocks_.temperature_c || !clocks_.held_by.empty();
    if (!seen) return {};
    return clocks_;
}

} // namespace warplight::session
