// SPDX-License-Identifier: Apache-2.0
#include "driver/cancel.hpp"

#include "driver/entry_points.hpp"
#include "driver/library.hpp"

namespace warplight::driver {

bool cancel_kernels(const Driver& driver) {
    const detail::DriverState& state = driver.state();
    if (!state.handle) return false;
    const auto cancel =
        reinterpret_cast<CUresult (*)(CUcontext)>(detail::find_symbol(state.handle, "cuxWarplightCancel"));
    if (!cancel) return false;
    cancel(nullptr);
    return true;
}

} // namespace warplight::driver
