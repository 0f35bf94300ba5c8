// SPDX-License-Identifier: Apache-2.0
// Tells of results of arithmetic that mean nothing.
#pragma once

#include "checked_launch.hpp"

#include <cstdint>

namespace warplight::software {

class ArithmeticChecks {
public:
    explicit ArithmeticChecks(const CheckedLaunch& launch) : launch_(launch) {}

    /// @param linear thread of the first lane
    void tell(const BlockContext& block, std::uint32_t linear, std::uint32_t active, std::uint32_t site,
              ArithmeticProblem problem) const;

private:
    const CheckedLaunch& launch_;
};

} // namespace warplight::software
