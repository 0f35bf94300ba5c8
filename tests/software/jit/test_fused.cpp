// SPDX-License-Identifier: Apache-2.0
#include "../../fused_reference.hpp"
#include "software/jit/library/fused.hpp"
#include "software/jit/library/rounding.hpp"

#include <QTest>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace warplight;

namespace {

constexpr int kDirections[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

/// Bits of numbers whose products and sums meet: of few exponents, with few mantissas, with none at all.
template <class Bits>
Bits number(std::mt19937_64& random, int mantissa_bits, int exponent_bits) {
    const int exponents = 1 << exponent_bits, bias = exponents / 2 - 1;
    int exponent;
    switch (random() % 4) {
    case 0: exponent = static_cast<int>(random() % static_cast<unsigned>(exponents)); break;
    case 1: exponent = static_cast<int>(random() % 4); break;            // subnormal, or almost
    case 2: exponent = bias / 2 + static_cast<int>(random() % 8); break; // whose product is subnormal, or almost
    default: exponent = bias + static_cast<int>(random() % 120) - 60; break;
    }
    exponent = std::clamp(exponent, 0, exponents - 1);
    const Bits fraction = (Bits{1} << mantissa_bits) - 1;
    Bits mantissa = static_cast<Bits>(random()) & fraction;
    switch (random() % 4) {
    case 0: mantissa &= fraction << (mantissa_bits / 2); break; // products with room for a tie
    case 1: mantissa = random() % 2 != 0 ? 0 : fraction; break;
    default: break;
    }
    return static_cast<Bits>(static_cast<Bits>(random() & 1) << (mantissa_bits + exponent_bits) |
                             static_cast<Bits>(exponent) << mantissa_bits | mantissa);
}

template <class T, class Bits>
void compare(int mantissa_bits, int exponent_bits) {
    std::mt19937_64 random(17);
    for (const int direction : kDirections) {
        for (int k = 0; k < 1'000'000; ++k) {
            const T a = std::bit_cast<T>(number<Bits>(random, mantissa_bits, exponent_bits));
            const T b = std::bit_cast<T>(number<Bits>(random, mantissa_bits, exponent_bits));
            T c = std::bit_cast<T>(number<Bits>(random, mantissa_bits, exponent_bits));
            if (k % 4 == 0) c = -(a * b); // all but the product's rounding error cancels
            jit::set_host_rounding(direction);
            const volatile T x = a, y = b, z = c;
            const volatile T want = fused_reference(T{x}, T{y}, T{z});
            const volatile T integers = jit::fused_in_integers(T{x}, T{y}, T{z}),
                             shipped = jit::fused(T{x}, T{y}, T{z});
            jit::set_host_rounding(FE_TONEAREST);
            for (const T is : {T{integers}, T{shipped}}) {
                if (std::isnan(want) ? std::isnan(is) : std::bit_cast<Bits>(is) == std::bit_cast<Bits>(T{want}))
                    continue;
                QFAIL(qPrintable(QString::asprintf("direction %d: %.17g * %.17g + %.17g is %.17g, not %.17g", direction,
                                                   double{a}, double{b}, double{c}, double{is}, double{want})));
            }
        }
    }
}

} // namespace

class FusedTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
#ifdef __MINGW32__
        if (!__builtin_cpu_supports("fma")) QSKIP("this processor has no instruction to compare with");
#endif
    }
    void cleanup() { jit::set_host_rounding(FE_TONEAREST); }
    void doubles() { compare<double, std::uint64_t>(52, 11); }
    void floats() { compare<float, std::uint32_t>(23, 8); }
};

QTEST_APPLESS_MAIN(FusedTest)
#include "test_fused.moc"
