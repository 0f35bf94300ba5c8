// SPDX-License-Identifier: Apache-2.0
// a * b + c with one rounding, for expected results. std::fma of mingw-w64 rounds twice, so there it is the processor's
// instruction.
#pragma once

#include <cmath>

#ifdef __MINGW32__
#include <immintrin.h>

__attribute__((target("fma"))) inline double fused_reference(double a, double b, double c) {
    return _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)));
}
__attribute__((target("fma"))) inline float fused_reference(float a, float b, float c) {
    return _mm_cvtss_f32(_mm_fmadd_ss(_mm_set_ss(a), _mm_set_ss(b), _mm_set_ss(c)));
}
#else
inline double fused_reference(double a, double b, double c) { return std::fma(a, b, c); }
inline float fused_reference(float a, float b, float c) { return std::fma(a, b, c); }
#endif
