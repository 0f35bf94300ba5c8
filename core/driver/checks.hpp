// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/driver.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace warplight::driver {

/// Asks a driver that can check running kernels, as the software device, for these checks of later launches
/// (findings::Checks::text()); "": none. Tells why that cannot be; empty: the driver has no checks.
std::optional<std::string> request_checks(const Driver& driver, const std::string& checks);
/// Takes device memory for memory that nothing wrote, where such a driver looks for uses of that. The driver's work on
/// it must be done.
void set_unwritten(const Driver& driver, std::uint64_t memory, std::size_t bytes);
/// Has launches from now on stepped through by a software::Stepper; null: by none. False: the driver cannot.
bool step_launches(const Driver& driver, void* stepper);
/// What they have found since the last time (findings::findings_from_line()). Nothing where the driver has no checks.
std::optional<std::string> take_findings(const Driver& driver);

/// Asks a driver that can profile launches, as the software device, to do so or to stop. False: it cannot.
bool request_profile(const Driver& driver, bool wanted);
/// The profile of launches since the last time (profile::profile_from_line()). Nothing where the driver has none.
std::optional<std::string> take_profile(const Driver& driver);
/// Asks a driver that can to record a warp of its next launch; null: none any more. False: it cannot.
/// @param block three numbers
bool request_warp(const Driver& driver, const unsigned* block, unsigned warp);
/// The record (profile::warp_record_from_line()); empty: there is none. Nothing where the driver has none.
std::optional<std::string> take_warp(const Driver& driver);

} // namespace warplight::driver
