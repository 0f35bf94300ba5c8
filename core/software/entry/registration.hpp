// SPDX-License-Identifier: Apache-2.0
// How a symbol is exported and becomes known to cuGetProcAddress. Knows none of CUDA's declarations.
#pragma once

#if defined(_WIN32)
#define WL_API __declspec(dllexport)
#else
#define WL_API __attribute__((visibility("default")))
#endif

namespace warplight::software {

/// Makes a symbol known to cuGetProcAddress.
struct Registration {
    Registration(const char* symbol, int since, void* function);
};

/// cuInit has succeeded.
[[nodiscard]] bool initialised();

} // namespace warplight::software
