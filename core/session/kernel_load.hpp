// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace warplight::driver {
class Driver;
class Function;
} // namespace warplight::driver

namespace warplight::session {

/// Has the driver make the kernel's code now. Drivers put that off to the first launch, whose time
/// would then be that of the translation. Without CUDA 12.4 there is no such question, and nothing happens.
void load_now(const driver::Driver& driver, const driver::Function& function);

} // namespace warplight::session
