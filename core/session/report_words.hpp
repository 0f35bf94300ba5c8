// SPDX-License-Identifier: Apache-2.0
/// Words for what a report has.
#pragma once

#include "session/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::session {

/// How the run went. It "passed" only if a result was checked, and "failed" only if the kernel ran.
std::string verdict(const Report& report);
/// "3 of 8 elements differ; the first is number 2, pos.x: 1 instead of 0", of results that were compared and differ
std::string mismatch_text(const Comparison& comparison);
/// "64 x 2", without axes of length 1 at the end
std::string extents_text(const std::vector<std::uint32_t>& values);

} // namespace warplight::session
