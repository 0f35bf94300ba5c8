// SPDX-License-Identifier: Apache-2.0
/// What a report tells about the conditions under which times were measured: clocks, and the cost of a launch.
#pragma once

#include "driver/nvml.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warplight::session {

struct ClockRange {
    unsigned low = 0, high = 0;

    bool operator==(const ClockRange&) const = default;
};

/// Of a GPU, over the runs that were measured.
struct ReportClocks {
    int samples = 0;
    std::optional<ClockRange> sm_mhz, memory_mhz;
    std::optional<unsigned> most_sm_mhz, most_memory_mhz; ///< that the GPU allows
    std::optional<unsigned> temperature_c;                ///< the highest
    std::optional<double> power_w;                        ///< the highest
    std::vector<driver::ClockLimit> held_by;              ///< in the order of the enumeration
    bool split = false; ///< the GPU is in multi-instance mode, and clocks and power are those of all of it

    /// Something held the clocks down that nobody has set.
    [[nodiscard]] bool throttled() const;
    /// How far the SM clock fell below its highest, 0…1.
    [[nodiscard]] double change() const;
    /// By more than the limit below.
    [[nodiscard]] bool changed() const;
    /// The times are not those of steady, full clocks.
    [[nodiscard]] bool doubtful() const { return throttled() || changed(); }
    /// Those of other runs, too.
    void add(const ReportClocks& other);

    bool operator==(const ReportClocks&) const = default;
};
inline constexpr double most_clock_change = 0.05;

/// Of a kernel that does nothing, launched and timed as the measured one.
struct ReportEmptyLaunch {
    std::string kind; ///< launch, cooperative, cluster, graph
    double ms = 0;    ///< the median
    int runs = 0;

    bool operator==(const ReportEmptyLaunch&) const = default;
};
/// A kernel that takes less than so many empty launches mostly is its launch.
inline constexpr double mostly_launch = 2;

nlohmann::json to_json(const ReportClocks& clocks);
nlohmann::json to_json(const ReportEmptyLaunch& launch);
/// @throws nlohmann::json::exception for a value of another type. Reasons that this version does not know are left out
ReportClocks clocks_from_json(const nlohmann::json& object);
ReportEmptyLaunch empty_launch_from_json(const nlohmann::json& object);

/// "SM 1410 … 1980 of 1980 MHz, memory 3201 MHz, 54 °C, 612 W"
std::string clocks_text(const ReportClocks& clocks);
/// What somebody has chosen is no throttling.
bool is_setting(driver::ClockLimit limit);
/// "the power cap", "heat": what `held_by` has, in words
std::string limit_text(driver::ClockLimit limit);
/// What makes the times doubtful, and what else holds clocks; a sentence each. Empty where nothing does.
std::vector<std::string> clock_notes(const ReportClocks& clocks);

} // namespace warplight::session
