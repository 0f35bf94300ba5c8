// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "warplight/driver.hpp"

struct CUfunc_st;

namespace warplight::driver {

/// Tells a driver that does not make machine code for a GPU, as the software device, how many registers a kernel has on
/// one: its attribute and all answers about occupancy follow. False: the driver counts itself.
bool set_registers(const Driver& driver, CUfunc_st* function, int registers);

} // namespace warplight::driver
