// SPDX-License-Identifier: Apache-2.0
// a * b + c with one rounding, in the host's rounding direction. std::fma of mingw-w64 rounds twice: in a quarter of
// random cases it is off by the last bit.
#pragma once

#include <cmath>

namespace warplight::jit {

#ifdef __MINGW32__
[[nodiscard]] double fused(double a, double b, double c);
[[nodiscard]] float fused(float a, float b, float c);
#else
[[nodiscard]] inline double fused(double a, double b, double c) { return std::fma(a, b, c); }
[[nodiscard]] inline float fused(float a, float b, float c) { return std::fma(a, b, c); }
#endif

/// The same for processors without the instruction, in integers.
[[nodiscard]] double fused_in_integers(double a, double b, double c);
[[nodiscard]] float fused_in_integers(float a, float b, float c);

} // namespace warplight::jit
