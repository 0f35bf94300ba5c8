// SPDX-License-Identifier: Apache-2.0
// Which checks launches make: as the environment has it (WARPLIGHT_SOFTWARE_CHECKS), until the program asks for others.
#pragma once

#include "findings/finding.hpp"

namespace warplight::software {

[[nodiscard]] findings::Checks requested_checks();
/// Of launches from now on.
void request_checks(findings::Checks checks);

} // namespace warplight::software
