// SPDX-License-Identifier: Apache-2.0
// Entry points that the software device has, but answers with CUDA_ERROR_NOT_SUPPORTED: WL_NOT_SUPPORTED(symbol,
// version that brought it). This header knows none of CUDA's: the answer does not depend on the arguments, so their
// types do not matter.
#pragma once

#if defined(_WIN32)
#define WL_API __declspec(dllexport)
#else
#define WL_API __attribute__((visibility("default")))
#endif

namespace warplight::software {
struct Registration {
    Registration(const char* symbol, int since, void* function);
};
[[nodiscard]] bool initialised();
} // namespace warplight::software

namespace {
constexpr int kNotInitialised = 3;
constexpr int kNotSupported = 801;
} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): symbol is declared
#define WL_NOT_SUPPORTED(symbol, since)                                                                                \
    extern "C" WL_API int symbol() { return warplight::software::initialised() ? kNotSupported : kNotInitialised; }    \
    static const warplight::software::Registration registration_##symbol{#symbol, since,                               \
                                                                         reinterpret_cast<void*>(&symbol)};
// NOLINTEND(bugprone-macro-parentheses)
