// SPDX-License-Identifier: Apache-2.0
// Kernels of this library's own that measuring takes: one that does nothing, and one that displaces the L2 cache.
#pragma once

#include "session/launch_configuration.hpp"
#include "session/report_timing.hpp"
#include "session/stream_hold.hpp"

#include "warplight/function.hpp"
#include "warplight/memory.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace warplight::driver {
class Device;
class Module;
class Stream;
} // namespace warplight::driver

namespace warplight::session {

/// How a kernel is launched, as far as that changes what a launch costs.
std::string_view kind_of_launch(const LaunchConfiguration& launch);

class TimingKernels {
public:
    /// Loads them into the current context. @param ptx of the measured kernel, which the driver takes
    explicit TimingKernels(std::string_view ptx);

    /// Launches an empty kernel several times, as the measured one is launched, and times it by events.
    /// @param hold of the stream; null: it is not held
    [[nodiscard]] ReportEmptyLaunch time_empty_launch(const LaunchConfiguration& launch, bool graph,
                                                      const driver::Stream& stream, bool gated, StreamHold* hold) const;
    [[nodiscard]] const driver::Function& displace() const { return displace_; }

private:
    explicit TimingKernels(const driver::Module& module);
    driver::Function empty_, displace_;
};

/// Memory of twice the L2 cache, which displaces all else from it.
class L2Displacer {
public:
    /// @throws StageError where there is not that much memory, or the size of the cache is not known
    L2Displacer(const TimingKernels& kernels, const driver::Device& device);
    /// Queues it.
    void displace(const driver::Stream& stream) const;
    /// Words of 32 bits, each of which counts how often it was written.
    [[nodiscard]] const driver::DeviceAllocation& memory() const { return memory_; }

private:
    driver::Function kernel_;
    driver::DeviceAllocation memory_;
    std::uint32_t blocks_ = 0;
};

} // namespace warplight::session
