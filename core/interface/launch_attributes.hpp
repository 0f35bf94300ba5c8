// SPDX-License-Identifier: Apache-2.0
// A launch configuration as cuLaunchKernelEx wants it.
#pragma once

#include "driver/types.hpp"
#include "warplight/function.hpp"

#include <array>

namespace warplight::driver::detail {

/// Points into itself.
class NativeLaunch {
public:
    explicit NativeLaunch(const LaunchConfig& launch);
    NativeLaunch(const NativeLaunch&) = delete;
    NativeLaunch& operator=(const NativeLaunch&) = delete;
    CUlaunchConfig config{};

private:
    CUlaunchAttributeValue& add(launch_attribute_id id);
    std::array<CUlaunchAttribute, 12> attributes_{};
};

} // namespace warplight::driver::detail
