// SPDX-License-Identifier: Apache-2.0
/// How full a kernel can make a multiprocessor, and what holds it back.
#pragma once

#include "session/report.hpp"

#include <cstdint>

namespace warplight::driver {
class Device;
class Function;
} // namespace warplight::driver

namespace warplight::session {

/// For blocks of `threads` threads with `shared` bytes of dynamic shared memory each. Throws what the driver throws.
ReportOccupancy occupancy(const driver::Device& device, const driver::Function& function, int threads,
                          std::uint64_t shared);

} // namespace warplight::session
