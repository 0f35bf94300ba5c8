// SPDX-License-Identifier: Apache-2.0
#include "session/random.hpp"

#include <cmath>

namespace warplight::session {
namespace {

// C libraries differ in the last bit of log and cos. These are good to a few units in the last place
// and use +, −, ×, ÷ and square root alone, which IEEE 754 fixes.
double natural_logarithm(double x) {
    int exponent = 0;
    double mantissa = std::frexp(x, &exponent); // [0.5, 1)
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        --exponent;
    }
    // ln m = 2 artanh((m − 1) / (m + 1)), whose argument is at most 0.1716 here.
    const double t = (mantissa - 1) / (mantissa + 1);
    const double square = t * t;
    double sum = 0;
    for (int n = 23; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * square;
    return static_cast<double>(exponent) * 0.69314718055994531 + 2 * t * (1 + sum);
}

double cosine_of_turns(double turns) { // cos(2π turns), turns in [0, 1)
    if (turns > 0.5) turns = 1 - turns;
    double sign = 1;
    if (turns > 0.25) {
        turns = 0.5 - turns;
        sign = -1;
    }
    const double angle = turns * 6.28318530717958648; // [0, π/2]
    const double square = angle * angle;
    double sum = 1;
    for (int n = 22; n >= 2; n -= 2)
        sum = 1 - square / (n * (n - 1)) * sum;
    return sign * sum;
}

} // namespace

double SplitMix64::normal(std::uint64_t i) const {
    const double u = (static_cast<double>(at(2 * i) >> 11) + 1) * 0x1p-53; // (0, 1]
    const double v = unit(2 * i + 1);
    return std::sqrt(-2 * natural_logarithm(u)) * cosine_of_turns(v);
}

} // namespace warplight::session
