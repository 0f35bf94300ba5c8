// SPDX-License-Identifier: Apache-2.0
// The mathematical functions, integer intrinsics and conversions of CUDA, compiled by NVRTC and run: within the errors
// that the CUDA programming guide states for each function, and where it states none, exactly.
#include "../../fused_reference.hpp"
#include "corpus.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

namespace {

/// How far a result is from the right one, in units of the last place of the right one.
template <class T>
double units_off(T got, long double want) {
    const auto nearest = static_cast<T>(want);
    if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
    if (got == nearest) return 0;
    if (std::isinf(nearest) || std::isinf(got) || std::isnan(got)) return INFINITY;
    int e = 0;
    std::frexp(want, &e);
    const int unit = std::max(e, std::numeric_limits<T>::min_exponent) - std::numeric_limits<T>::digits;
    return static_cast<double>(std::ldexp(std::abs(static_cast<long double>(got) - want), -unit));
}

/// Computed in another rounding direction. The operands are volatile, so that nothing is computed beforehand.
template <class Operation>
auto rounded(int direction, Operation operation) {
    std::fesetround(direction);
    const volatile auto result = operation(); // volatile, or it might be computed later
    std::fesetround(FE_TONEAREST);
    return decltype(operation()){result};
}

struct Function {
    const char* name;
    std::function<long double(double, double)> reference; ///< where double is the type that is judged, more exact
    std::function<double(double, double)> units;          ///< allowed; infinite: not stated for these operands
    std::function<double(double, double)> absolute = nullptr;
};

long double wide(double x) { return x; }

auto at_most(double units) {
    return [units](double, double) { return units; };
}
constexpr double kNotStated = INFINITY;

/// mingw-w64's functions of angles know no more than 66 bits of a turn, and its std::tgamma yields no number where the
/// result is too large or too small.
#ifdef __MINGW32__
bool known_turns(double x, double most = 0x1p62) { return std::abs(x) < most || !std::isfinite(x); }
long double gamma(double x) {
    if (x > 200) return INFINITY;
    return x < -200 && x != std::floor(x) ? 0 : std::tgamma(x);
}
#else
bool known_turns(double, double = 0) { return true; }
long double gamma(double x) { return std::tgamma(x); }
#endif

/// In the order in which the kernel mf stores them.
std::vector<Function> single_precision() {
    const auto outside = [](double, double) { return kNotStated; };
    return {
        {"sinf", [](double x, double) { return std::sin(x); },
         [](double x, double) { return known_turns(x) ? 2 : kNotStated; }},
        {"cosf", [](double x, double) { return std::cos(x); },
         [](double x, double) { return known_turns(x) ? 2 : kNotStated; }},
        {"tanf", [](double x, double) { return std::tan(x); },
         [](double x, double) { return known_turns(x) ? 4 : kNotStated; }},
        {"expf", [](double x, double) { return std::exp(x); }, at_most(2)},
        {"logf", [](double x, double) { return std::log(x); }, at_most(1)},
        {"powf", [](double x, double y) { return std::pow(x, y); }, at_most(4)},
        {"sqrtf", [](double x, double) { return std::sqrt(x); }, at_most(0.5)},
        {"x / y", [](double x, double y) { return x / y; }, at_most(0.5)},
        {"fmodf", [](double x, double y) { return std::fmod(x, y); }, at_most(0)},
        {"floorf", [](double x, double) { return std::floor(x); }, at_most(0)},
        {"ceilf", [](double x, double) { return std::ceil(x); }, at_most(0)},
        {"rintf", [](double x, double) { return std::nearbyint(x); }, at_most(0)},
        {"truncf", [](double x, double) { return std::trunc(x); }, at_most(0)},
        {"fabsf", [](double x, double) { return std::abs(x); }, at_most(0)},
        {"fminf", [](double x, double y) { return std::fmin(x, y); }, at_most(0)},
        {"fmaxf", [](double x, double y) { return std::fmax(x, y); }, at_most(0)},
        {"atan2f", [](double x, double y) { return std::atan2(x, y); }, at_most(3)},
        {"erff", [](double x, double) { return std::erf(x); }, at_most(2)},
        {"tgammaf", [](double x, double) { return gamma(x); }, at_most(5)},
        {"copysignf", [](double x, double y) { return std::copysign(x, y); }, at_most(0)},
        {"ldexpf", [](double x, double) { return x; }, at_most(0)},
        {"hypotf", [](double x, double y) { return std::hypot(x, y); }, at_most(3)},
        {"cbrtf", [](double x, double) { return std::cbrt(x); }, at_most(1)},
        {"tanhf", [](double x, double) { return std::tanh(x); }, at_most(2)},
        {"log1pf", [](double x, double) { return std::log1p(x); }, at_most(1)},
        {"__sinf", [](double x, double) { return std::sin(x); }, outside,
         [](double x, double) { return std::abs(x) <= 3.14159 ? std::exp2(-21.41) : kNotStated; }},
        {"__cosf", [](double x, double) { return std::cos(x); }, outside,
         [](double x, double) { return std::abs(x) <= 3.14159 ? std::exp2(-21.19) : kNotStated; }},
        {"__expf", [](double x, double) { return std::exp(x); },
         [](double x, double) { return 2 + std::floor(std::abs(1.173 * x)); }},
        {"__logf", [](double x, double) { return std::log(x); },
         [](double x, double) { return x >= 0.5 && x <= 2 ? kNotStated : 3.0; },
         [](double x, double) { return x >= 0.5 && x <= 2 ? std::exp2(-21.41) : 0.0; }},
        // exp2(y * log2(x)) of fast functions: log2 is 2^-22 off between 1/2 and 2, else 2 units.
        {"__powf", [](double x, double y) { return x < 0 ? std::nan("") : std::pow(x, y); },
         [](double x, double y) {
             if (!(x > 0) || std::isinf(x) || std::isinf(y)) return kNotStated;
             const double logarithm = std::log2(x);
             return 4 + 0x1p24 * std::abs(y) * (0x1p-22 + std::abs(logarithm) * 0x1.8p-22);
         }},
        {"__fdividef", [](double x, double y) { return x / y; },
         [](double, double y) { return std::abs(y) <= 0x1p126 ? 2 : kNotStated; }},
        {"__frcp_rn", [](double x, double) { return 1 / x; }, at_most(0.5)},
        {"__fsqrt_rz",
         [](double x, double) {
             const volatile float v = static_cast<float>(x);
             return double{rounded(FE_TOWARDZERO, [&] { return std::sqrt(float{v}); })};
         },
         at_most(0)},
        {"__fmaf_ru",
         [](double x, double y) {
             const volatile float v = static_cast<float>(x), w = static_cast<float>(y);
             return double{rounded(FE_UPWARD, [&] { return fused_reference(float{v}, float{w}, float{v}); })};
         },
         at_most(0)},
        {"__saturatef", [](double x, double) { return std::isnan(x) ? 0 : std::clamp(x, 0.0, 1.0); }, at_most(0)},
        {"__fadd_rz",
         [](double x, double y) {
             const volatile float v = static_cast<float>(x), w = static_cast<float>(y);
             return double{rounded(FE_TOWARDZERO, [&] { return float{v + w}; })};
         },
         at_most(0)},
        {"isnan || isinf", [](double x, double y) { return std::isnan(x) || std::isinf(y) ? 1.0 : 0.0; }, at_most(0)},
        {"j0f", [](double x, double) { return std::isinf(x) ? 0 : std::cyl_bessel_j(0, std::abs(x)); },
         [](double x, double) { return std::abs(x) < 8 ? 9 : kNotStated; },
         [](double x, double) { return std::abs(x) < 8      ? 0
                                       : std::abs(x) < 1000 ? 2.2e-6
                                                            : kNotStated; }},
        {"roundf", [](double x, double) { return std::round(x); }, at_most(0)},
        {"1 / sqrtf", [](double x, double) { return 1 / std::sqrt(x); }, at_most(2)},
        {"lgammaf", [](double x, double) { return std::lgamma(x); },
         [](double x, double) { return x > -10.001 && x < -2.264 ? kNotStated : 6.0; },
         [](double x, double) { return x > -10.001 && x < -2.264 ? kNotStated : 0.0; }},
        {"__fdiv_rd",
         [](double x, double y) {
             const volatile float v = static_cast<float>(x), w = static_cast<float>(y);
             return double{rounded(FE_DOWNWARD, [&] { return float{v / w}; })};
         },
         at_most(0)},
        {"nextafterf",
         [](double x, double y) { return double{std::nextafter(static_cast<float>(x), static_cast<float>(y))}; },
         at_most(0)},
        {"remainderf", [](double x, double y) { return std::remainder(x, y); }, at_most(0)},
        {"signbit", [](double x, double) { return std::signbit(x) ? 1.0 : 0.0; }, at_most(0)},
    };
}

/// Those of the kernel md.
std::vector<Function> double_precision() {
    return {
        {"sin", [](double x, double) { return std::sin(wide(x)); },
         [](double x, double) { return known_turns(x, 100) ? 2 : kNotStated; }},
        {"exp", [](double x, double) { return std::exp(wide(x)); }, at_most(1)},
        {"log", [](double x, double) { return std::log(wide(x)); }, at_most(1)},
        {"pow", [](double x, double y) { return std::pow(wide(x), wide(y)); }, at_most(2)},
        {"sqrt", [](double x, double) { return std::sqrt(x); }, at_most(0)},
        {"x / y", [](double x, double y) { return x / y; }, at_most(0)},
        {"fmod", [](double x, double y) { return std::fmod(x, y); }, at_most(0)},
        {"floor", [](double x, double) { return std::floor(x); }, at_most(0)},
        {"fma", [](double x, double y) { return fused_reference(x, y, x); }, at_most(0)},
        {"fmin", [](double x, double y) { return std::fmin(x, y); }, at_most(0)},
        {"rsqrt", [](double x, double) { return 1 / std::sqrt(wide(x)); }, at_most(2)},
        {"atan", [](double x, double) { return std::atan(wide(x)); }, at_most(2)},
        {"__dsqrt_rn", [](double x, double) { return std::sqrt(x); }, at_most(0)},
        {"__dadd_ru",
         [](double x, double y) {
             const volatile double v = x, w = y;
             return rounded(FE_UPWARD, [&] { return v + w; });
         },
         at_most(0)},
        {"1 / x", [](double x, double) { return 1 / x; }, at_most(0)},
        {"cbrt", [](double x, double) { return std::cbrt(wide(x)); }, at_most(1)},
    };
}

/// Numbers of all sizes, and what is none.
template <class T>
std::vector<T> numbers() {
    std::vector<T> v = {T(0),
                        T(-0.0),
                        T(1),
                        T(-1),
                        T(0.5),
                        T(2),
                        T(-2.5),
                        T(3),
                        T(10),
                        T(100.25),
                        T(-7),
                        T(1e-3),
                        std::numeric_limits<T>::infinity(),
                        std::numeric_limits<T>::quiet_NaN(),
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::denorm_min()};
    std::mt19937 random(7);
    for (int k = 0; k < 60; ++k) {
        const double size = k % 3 == 0 ? 1 : k % 3 == 1 ? 30 : 1e5;
        v.push_back(static_cast<T>((random() * 0x1p-31 - 1) * size));
    }
    return v;
}

/// In each of the `count` results, function by function.
template <class T>
void compare(const std::vector<Function>& functions, const std::vector<T>& results, T x, T y) {
    for (std::size_t k = 0; k < functions.size(); ++k) {
        const Function& f = functions[k];
        const long double want = f.reference(double{x}, double{y});
        const double off = units_off(results[k], want), allowed = f.units(double{x}, double{y});
        const auto distance = static_cast<double>(std::abs(static_cast<long double>(results[k]) - want));
        const double absolute = f.absolute ? f.absolute(double{x}, double{y}) : 0;
        // Where an absolute error is all that is stated, it is what counts.
        const bool good = f.absolute && absolute > 0 ? distance <= absolute || absolute == kNotStated || off == 0
                                                     : off == 0 || off <= allowed || allowed > 0x1p22;
        if (!good)
            qWarning("%s(%.9g, %.9g) = %.9g instead of %.9g: %g units off, %g allowed", f.name, double{x}, double{y},
                     static_cast<double>(results[k]), static_cast<double>(want), off, allowed);
        QVERIFY(good);
    }
}

template <class T>
T clamped(double v) {
    if (std::isnan(v)) return 0;
    if (v <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (v >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(v);
}

std::uint32_t bytewise(std::uint32_t x, std::uint32_t y, const std::function<unsigned(unsigned, unsigned)>& f) {
    std::uint32_t r = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
        r |= (f(x >> shift & 0xFF, y >> shift & 0xFF) & 0xFF) << shift;
    return r;
}

} // namespace

class MathTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
        program_ = std::make_unique<Program>("15_math.cu", "compute_80", std::vector<std::string>{"--device-int128"});
    }
    void cleanupTestCase() { program_.reset(); }

    void floats() {
        Program& p = *program_;
        const auto functions = single_precision();
        const auto values = numbers<float>();
        CUdeviceptr in = p.allocate(8), out = p.allocate(4 * functions.size());
        int n = 1;
        for (std::size_t k = 0; k < values.size(); ++k) {
            for (const std::size_t other : {(k * 7 + 3) % values.size(), (k * 5 + 1) % values.size()}) {
                const float pair[2] = {values[k], values[other]};
                CU(cuMemcpyHtoD(in, pair, 8));
                CU(p.launch(p["mf"], 1, 1, {&in, &out, &n}));
                compare(functions, p.download<float>(out, functions.size()), pair[0], pair[1]);
            }
        }
    }

    void doubles() {
        Program& p = *program_;
        const auto functions = double_precision();
        const auto values = numbers<double>();
        CUdeviceptr in = p.allocate(16), out = p.allocate(8 * functions.size());
        int n = 1;
        for (std::size_t k = 0; k < values.size(); ++k) {
            for (const std::size_t other : {(k * 7 + 3) % values.size(), (k * 5 + 1) % values.size()}) {
                const double pair[2] = {values[k], values[other]};
                CU(cuMemcpyHtoD(in, pair, 16));
                CU(p.launch(p["md"], 1, 1, {&in, &out, &n}));
                compare(functions, p.download<double>(out, functions.size()), pair[0], pair[1]);
            }
        }
    }

    void integers() {
        Program& p = *program_;
        CUdeviceptr a = p.allocate(8), o = p.allocate(124), l = p.allocate(96), ul = p.allocate(88);
        std::mt19937_64 random(3);
        for (int round = 0; round < 200; ++round) {
            const std::uint64_t words = random();
            std::int32_t xy[2] = {static_cast<std::int32_t>(words), static_cast<std::int32_t>(words >> 32)};
            if (round % 4 == 1) xy[1] = static_cast<std::int32_t>(random() % 70); // amounts of shifts
            if (round % 4 == 2) xy[0] = static_cast<std::int32_t>(random() % 70);
            if (round == 3) xy[0] = 0;
            if (xy[1] == 0) xy[1] = 3;
            const std::int32_t x = xy[0], y = xy[1];
            const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
            std::vector<std::int64_t> longs(12);
            longs[1] = static_cast<std::int64_t>(random());
            longs[2] = static_cast<std::int64_t>(random() >> (round % 60)) | 1;
            std::vector<std::uint64_t> unsigneds(11);
            unsigneds[9] = random();
            unsigneds[10] = random() >> (round % 64) | 1;
            CU(cuMemcpyHtoD(a, xy, 8));
            CU(cuMemcpyHtoD(l, longs.data(), 96));
            CU(cuMemcpyHtoD(ul, unsigneds.data(), 88));
            CU(p.launch(p["mi"], 1, 1, {&a, &o, &l, &ul}));
            const auto got = p.download<std::uint32_t>(o, 31);
            const auto u = [](auto v) { return static_cast<std::uint32_t>(v); };
            const auto low24 = [](std::int32_t v) { return static_cast<std::int64_t>(v << 8 >> 8); };
            std::uint32_t dot4 = ux, dot2 = ux;
            for (unsigned k = 0; k < 4; ++k)
                dot4 += u(static_cast<std::int8_t>(ux >> 8 * k) * static_cast<std::int8_t>(uy >> 8 * k));
            for (unsigned k = 0; k < 2; ++k)
                dot2 += u(static_cast<std::int16_t>(ux >> 16 * k) * static_cast<std::int8_t>(uy >> 8 * k));
            std::uint32_t reversed = 0;
            for (unsigned k = 0; k < 32; ++k)
                reversed |= (ux >> k & 1) << (31 - k);
            const auto half_min = [&](unsigned shift) {
                return std::min(ux >> shift & 0xFFFF, uy >> shift & 0xFFFF) << shift;
            };
            const std::int64_t wide = std::int64_t{x} * y, sum = std::int64_t{x} + y;
            const std::vector<std::uint32_t> want = {
                u(x / y),
                u(x % y),
                ux / uy,
                ux % uy,
                u(wide >> 32),
                u(std::uint64_t{ux} * uy >> 32),
                u(low24(x) * low24(y)),
                u(std::abs(std::int64_t{x} - y)) + ux,
                reversed,
                u(std::countl_zero(ux)),
                u(std::popcount(ux)),
                ux ? u(std::countr_zero(ux)) + 1 : 0,
                (ux & 0xFF) | (uy & 0xFF) << 8 | (ux >> 8 & 0xFF) << 16 | (uy >> 8 & 0xFF) << 24,
                uy, // shifted by 0: the upper word
                ux, // and the lower
                dot4,
                dot2,
                bytewise(ux, uy, [](unsigned v, unsigned w) { return v + w; }),
                bytewise(ux, uy, [](unsigned v, unsigned w) { return v > w ? v - w : w - v; }),
                bytewise(ux, uy, [](unsigned v, unsigned w) { return v == w ? 0xFFU : 0U; }),
                u(sum >> 1),
                u((sum + 1) >> 1),
                ux >> 3 & 0x1F,
                (ux & 0xFF00FF) | (uy & ~0xFF00FFU),
                u(std::abs(std::int64_t{x})),
                u(std::min(x, y)),
                std::max(ux, uy),
                u(std::max(x, y)),
                half_min(0) | half_min(16),
                u(std::max({x, y, 0})),
                u(std::max(static_cast<std::int32_t>(u(sum)), 0)),
            };
            for (std::size_t k = 0; k < want.size(); ++k)
                QVERIFY2(got[k] == want[k], qPrintable(QString("o[%1] of %2, %3: %4 instead of %5")
                                                           .arg(k)
                                                           .arg(x)
                                                           .arg(y)
                                                           .arg(got[k], 0, 16)
                                                           .arg(want[k], 0, 16)));
            const auto wides = p.download<std::int64_t>(l, 12);
            const std::int64_t v = longs[1], w = longs[2];
            QCOMPARE(wides[0],
                     static_cast<std::int64_t>(static_cast<std::uint64_t>(v) * static_cast<std::uint64_t>(w)));
            QCOMPARE(wides[3], v / w);
            QCOMPARE(wides[4], v % w);
            QCOMPARE(wides[5], wide);
            QCOMPARE(wides[6], static_cast<std::int64_t>((static_cast<__int128>(v) * w) >> 64));
            QCOMPARE(wides[7], std::int64_t{std::countl_zero(static_cast<std::uint64_t>(v))});
            // The bits of a number, then the bits of that turned around.
            QCOMPARE(wides[8], std::int64_t{std::popcount(static_cast<std::uint64_t>(v))});
            std::uint64_t turned = 0;
            for (unsigned k = 0; k < 64; ++k)
                turned |= (static_cast<std::uint64_t>(v) >> k & 1) << (63 - k);
            QCOMPARE(static_cast<std::uint64_t>(wides[9]), turned);
            // Amounts of 64 and more leave nothing, or the sign.
            QCOMPARE(static_cast<std::uint64_t>(wides[10]), ux > 63 ? 0 : static_cast<std::uint64_t>(v) << ux);
            QCOMPARE(wides[11], v >> std::min(uy, 63U));
            QCOMPARE(p.download<std::uint64_t>(ul, 11)[8], unsigneds[9] / unsigneds[10]);
        }
    }

    void conversions() {
        Program& p = *program_;
        std::vector<std::pair<float, double>> values = {{0.F, 0.0},
                                                        {1.5F, 2.5},
                                                        {2.5F, 1e300},
                                                        {-1.5F, -2.5},
                                                        {3e9F, 3e9},
                                                        {-3e9F, -3e9},
                                                        {5e9F, 1.8e19},
                                                        {1e20F, 1.9e19},
                                                        {-1e20F, -1.0},
                                                        {NAN, NAN},
                                                        {INFINITY, 1e-310},
                                                        {0.49999997F, 0.1},
                                                        {-0.75F, 0.999},
                                                        {200.9F, 1 + 0x1p-24},
                                                        {-3.99F, -(1 + 0x1.8p-24)},
                                                        {254.5F, 0x1p-127 * 1.1}};
        CUdeviceptr f = p.allocate(4), d = p.allocate(8), o = p.allocate(256), l = p.allocate(192), c = p.allocate(8),
                    s = p.allocate(16);
        for (const auto& [x, y] : values) {
            std::vector<std::int32_t> ints(64);
            ints[10] = -123456789;
            ints[20] = 0x12345;
            std::vector<std::int64_t> longs(24);
            longs[5] = 0x123456789ABCDEF;
            std::vector<std::uint8_t> bytes(8, 250);
            std::vector<std::int16_t> shorts(8, -321);
            CU(cuMemcpyHtoD(f, &x, 4));
            CU(cuMemcpyHtoD(d, &y, 8));
            CU(cuMemcpyHtoD(o, ints.data(), 256));
            CU(cuMemcpyHtoD(l, longs.data(), 192));
            CU(cuMemcpyHtoD(c, bytes.data(), 8));
            CU(cuMemcpyHtoD(s, shorts.data(), 16));
            CU(p.launch(p["cv"], 1, 1, {&f, &d, &o, &l, &c, &s}));
            const auto i = p.download<std::int32_t>(o, 64);
            const auto w = p.download<std::int64_t>(l, 24);
            const auto real = [](std::int32_t bits) { return std::bit_cast<float>(bits); };
            const auto towards_zero = [](double v) {
                const volatile double from = v;
                return rounded(FE_TOWARDZERO, [&] { return static_cast<float>(from); });
            };
            const auto same = [](float got, float want) {
                return std::isnan(want) ? std::isnan(got) : std::bit_cast<int>(got) == std::bit_cast<int>(want);
            };
            QCOMPARE(i[0], clamped<std::int32_t>(std::trunc(x)));
            QCOMPARE(static_cast<std::uint32_t>(i[1]), clamped<std::uint32_t>(std::trunc(x)));
            QCOMPARE(i[2], clamped<std::int32_t>(std::nearbyint(x)));
            QCOMPARE(i[3], clamped<std::int32_t>(std::ceil(x)));
            QCOMPARE(i[4], clamped<std::int32_t>(std::floor(x)));
            // With 64 bits on either side a NaN becomes the first bit alone, else (above) zero.
            QCOMPARE(i[5], std::isnan(y) ? INT32_MIN : clamped<std::int32_t>(std::trunc(y)));
            QCOMPARE(w[0], std::isnan(x) ? INT64_MIN : clamped<std::int64_t>(std::trunc(double{x})));
            QCOMPARE(static_cast<std::uint64_t>(w[1]),
                     std::isnan(y) ? std::uint64_t{1} << 63 : clamped<std::uint64_t>(std::trunc(y)));
            QVERIFY(same(real(i[6]), static_cast<float>(y)));
            QVERIFY(same(real(i[7]), towards_zero(y)));
            QCOMPARE(real(i[8]), static_cast<float>(longs[5]));
            QCOMPARE(real(i[9]), static_cast<float>(static_cast<std::uint32_t>(i[3])));
            QCOMPARE(std::bit_cast<double>(w[10]), -123456789.0);
            QVERIFY(std::isnan(x) ? std::isnan(std::bit_cast<double>(w[11]))
                                  : std::bit_cast<double>(w[11]) == double{x});
            if (x >= 0 && x < 256) QCOMPARE(p.download<std::uint8_t>(c, 1)[0], static_cast<std::uint8_t>(x));
            if (std::abs(x) < 32768) QCOMPARE(p.download<std::int16_t>(s, 1)[0], static_cast<std::int16_t>(x));
            QCOMPARE(p.download<std::uint8_t>(c, 2)[1], std::uint8_t{0x45});
            QCOMPARE(p.download<std::int16_t>(s, 4)[3], std::int16_t{0x2345});
            QCOMPARE(real(i[30]), 250.F);
            QCOMPARE(real(i[31]), -321.F);
            const auto bits = std::bit_cast<std::uint64_t>(y);
            if (!std::isnan(y)) {
                QCOMPARE(static_cast<std::uint32_t>(i[40]), static_cast<std::uint32_t>(bits >> 32));
                QCOMPARE(static_cast<std::uint32_t>(i[41]), static_cast<std::uint32_t>(bits));
            }
            QCOMPARE(static_cast<std::uint64_t>(w[20]),
                     std::uint64_t{static_cast<std::uint32_t>(i[1])} << 32 | static_cast<std::uint32_t>(i[2]));
            QCOMPARE(real(i[33]), towards_zero(static_cast<std::uint32_t>(i[5])));
            QCOMPARE(i[50], std::int32_t{(x > 0 && y < 1) || i[9] != 0});
        }
    }

    void integersOf128Bits() {
        Program& p = *program_;
        using Wide = unsigned __int128;
        std::mt19937_64 random(5);
        const auto any = [&] { return static_cast<Wide>(random()) << 64 | random(); };
        for (unsigned amount = 0; amount < 128; amount += 7) {
            std::vector<Wide> a = {0, any(), any(), any(), 0, 0, any(), amount};
            CUdeviceptr d = p.upload(a);
            CU(p.launch(p["i128"], 1, 1, {&d}));
            const auto r = p.download<Wide>(d, 8);
            QVERIFY(r[0] == a[1] * a[2] + a[3]);
            QVERIFY(r[4] == a[1] - a[2]);
            QVERIFY(r[5] == a[6] << amount);
        }
    }

private:
    std::unique_ptr<Program> program_;
};

QTEST_APPLESS_MAIN(MathTest)
#include "test_math.moc"
