// SPDX-License-Identifier: Apache-2.0
// What a point of a sweep reached: bytes and operations a second, and how its blocks fill the device.
#pragma once

#include "session/report.hpp"
#include "session/sweep_report.hpp"

#include <optional>

namespace warplight::profile {
struct Gpu;
}

namespace warplight::session {

/// From the report of a run. Bytes and operations are those that are declared, else those of its profile.
PointFigures figures_of(const Report& report, std::optional<double> declared_bytes,
                        std::optional<double> declared_operations, const profile::Gpu* gpu);
/// Fills in what depends on the time of a launch.
void set_speed(PointFigures& figures, double ms);

} // namespace warplight::session
