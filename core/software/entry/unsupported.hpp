// SPDX-License-Identifier: Apache-2.0
// Entry points that the software device has, but answers with CUDA_ERROR_NOT_SUPPORTED: WL_NOT_SUPPORTED(symbol) where
// entry_points.def has it, else WL_NOT_SUPPORTED_SINCE(symbol, version of CUDA that brought it). This header knows none
// of CUDA's: the answer does not depend on the arguments, so their types do not matter.
#pragma once

#include "registration.hpp"

namespace {
constexpr int kNotInitialised = 3;
constexpr int kNotSupported = 801;
} // namespace

// NOLINTBEGIN(bugprone-macro-parentheses): symbol is declared
#define WL_ANSWERS_NOT_SUPPORTED(symbol, version)                                                                      \
    extern "C" WL_API int symbol() { return warplight::software::initialised() ? kNotSupported : kNotInitialised; }    \
    static const warplight::software::Registration registration_##symbol{#symbol, version,                             \
                                                                         reinterpret_cast<void*>(&symbol)};
#define WL_NOT_SUPPORTED(symbol) WL_ANSWERS_NOT_SUPPORTED(symbol, warplight::software::version_of(#symbol))
#define WL_NOT_SUPPORTED_SINCE(symbol, since)                                                                          \
    WL_ANSWERS_NOT_SUPPORTED(symbol, warplight::software::version_of(#symbol, since))
// NOLINTEND(bugprone-macro-parentheses)
