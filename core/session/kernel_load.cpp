// SPDX-License-Identifier: Apache-2.0
#include "session/kernel_load.hpp"

#include "driver/entry_points.hpp"
#include "driver/library.hpp"
#include "warplight/driver.hpp"
#include "warplight/function.hpp"

namespace warplight::session {

void load_now(const driver::Driver& driver, const driver::Function& function) {
    using FuncLoad = CUresult(CUDAAPI*)(CUfunction);
    const auto load = reinterpret_cast<FuncLoad>(driver::detail::find_symbol(driver.state().handle, "cuFuncLoad"));
    // A failure shows itself again at the launch, where it has an error of its own.
    if (load) (void)load(function.handle());
}

} // namespace warplight::session
