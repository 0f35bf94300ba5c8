// SPDX-License-Identifier: Apache-2.0
#include "driver/registers.hpp"

#include "driver/entry_points.hpp"
#include "driver/library.hpp"

namespace warplight::driver {

bool set_registers(const Driver& driver, CUfunc_st* function, int registers) {
    const detail::DriverState& state = driver.state();
    if (!state.handle) return false;
    const auto set =
        reinterpret_cast<CUresult (*)(CUfunction, int)>(detail::find_symbol(state.handle, "cuxWarplightSetRegisters"));
    return set && set(function, registers) == CUDA_SUCCESS;
}

} // namespace warplight::driver
