// SPDX-License-Identifier: Apache-2.0
// Versions: of this library, of the CUDA header it was built against, of a driver.
#pragma once

#include <array>
#include <string_view>

namespace warplight {

/// The library's own version, e.g. "0.1.0".
std::string_view version() noexcept;

namespace driver {

class Driver;

/// Major, minor and patch of the CUDA header that the library was built against, e.g. {13, 0, 0}.
std::array<int, 3> get_version() noexcept;

/// The CUDA version that the current driver offers, e.g. 13000.
/// @throws RuntimeError when the driver library cannot be opened.
int get_driver_version();
int get_driver_version(const Driver& driver);

/// Whether the driver can share buffers with OpenGL. Initialises it.
bool have_gl_ext();
bool have_gl_ext(const Driver& driver);

} // namespace driver
} // namespace warplight
