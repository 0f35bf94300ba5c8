// SPDX-License-Identifier: Apache-2.0
// Looks at a GPU's clocks between the runs that are measured.
#pragma once

#include "driver/nvml.hpp"
#include "session/report_timing.hpp"

#include <chrono>
#include <optional>

namespace warplight::driver {
class Device;
}

namespace warplight::session {

class ClockWatch {
public:
    /// Of a device that NVML does not know, nothing is looked at.
    explicit ClockWatch(const driver::Device& device);

    /// Before the first run.
    void begin();
    /// Behind a run, when nothing is on the device. Looks at most every 20 ms, so that short runs stay close together.
    void look();
    /// Behind the last run. Nothing where nothing was seen.
    [[nodiscard]] std::optional<ReportClocks> take();

private:
    using clock = std::chrono::steady_clock;
    void note(const driver::ClockSample& sample);

    std::optional<driver::ClockMonitor> monitor_;
    ReportClocks clocks_;
    std::optional<driver::ClockSample> first_; ///< before the runs: for what is counted since the driver was loaded
    clock::time_point begun_, looked_;
    bool skipped_ = false; ///< the last run was not looked at
    unsigned limits_ = 0;
};

} // namespace warplight::session
