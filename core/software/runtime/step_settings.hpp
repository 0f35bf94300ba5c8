// SPDX-License-Identifier: Apache-2.0
// The debugger that launches are stepped by.
#pragma once

namespace warplight::software {

class Stepper;
/// Null: none. Launches of kernels by kernels are not stepped through.
[[nodiscard]] Stepper* requested_stepper();
/// Of launches from now on.
void request_stepper(Stepper* stepper);

} // namespace warplight::software
