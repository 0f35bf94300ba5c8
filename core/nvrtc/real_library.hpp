// SPDX-License-Identifier: Apache-2.0
// NVIDIA's NVRTC, behind the library that has its name.
#pragma once

namespace warplight::nvrtc {

/// The handle of the library, opened at the first call; null where there is none, which standard error is told once.
[[nodiscard]] void* real_library();

/// A function of it; null where the library or the function is missing.
[[nodiscard]] void* real_function(const char* name);

} // namespace warplight::nvrtc
