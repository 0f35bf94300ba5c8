// SPDX-License-Identifier: Apache-2.0
/// The occupancy of a kernel and its limiter.
#pragma once

#include "session/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warplight::compiler {
struct KernelResources;
}
namespace warplight::driver {
class Device;
class Driver;
class Function;
} // namespace warplight::driver

namespace warplight::session {

/// The registers of `lowered` in a ptxas report, 0 where the report does not have it.
int registers_of(const std::vector<compiler::KernelResources>& report, const std::string& lowered);

/// Sets the registers that ptxas counted (0: unknown) on a function of the software device, which has no GPU code.
/// @returns who counted num_regs: driver, ptxas or estimate
std::string count_registers(const driver::Driver& driver, const driver::Function& function, int by_ptxas);

/// For blocks of `threads` threads with `shared` bytes of dynamic shared memory each. Throws what the driver throws.
ReportOccupancy occupancy(const driver::Device& device, const driver::Function& function, int threads,
                          std::uint64_t shared);

} // namespace warplight::session
