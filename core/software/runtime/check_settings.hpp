// SPDX-License-Identifier: Apache-2.0
// Which checks launches make, and whether they are profiled: as the environment has it (WARPLIGHT_SOFTWARE_CHECKS),
// until the program asks for others.
#pragma once

#include "findings/finding.hpp"
#include "profile/warp_record.hpp"

#include <optional>

namespace warplight::software {

[[nodiscard]] findings::Checks requested_checks();
/// Of launches from now on.
void request_checks(findings::Checks checks);
/// Whether launches are profiled; as the environment has it (WARPLIGHT_SOFTWARE_PROFILE) likewise.
[[nodiscard]] bool requested_profile();
void request_profile(bool wanted);
/// Whether the next launch records one of its warps. Nothing: none does.
void request_warp(std::optional<warplight::profile::WarpChoice> choice);
[[nodiscard]] bool requests_warp();
/// The launch that asks first gets it.
[[nodiscard]] std::optional<warplight::profile::WarpChoice> take_requested_warp();

} // namespace warplight::software
