// SPDX-License-Identifier: Apache-2.0
// What CUDA's headers make of halves, bfloats, 8-bit floats, random numbers and printf, compiled by NVRTC and run, each
// result against a computation of its own. The mathematical functions are in test_math.cpp.
#include "../../fused_reference.hpp"
#include "corpus.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>

namespace {

/// A binary format that is narrower than double. e4m3 has numbers where others have infinities.
struct Small {
    int exponent_bits, mantissa_bits;
    unsigned largest; ///< finite
    [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
    [[nodiscard]] unsigned sign() const { return 1U << (exponent_bits + mantissa_bits); }
    [[nodiscard]] bool nan(unsigned code) const {
        return (code & (sign() - 1)) > std::max(largest, ((1U << exponent_bits) - 1) << mantissa_bits) ||
               (exponent_bits == 4 && (code & (sign() - 1)) == sign() - 1);
    }
    [[nodiscard]] double value(unsigned code) const {
        if (nan(code)) return std::nan("");
        const unsigned m = code & ((1U << mantissa_bits) - 1);
        const int e = static_cast<int>((code & (sign() - 1)) >> mantissa_bits);
        double v = e == 0 ? std::ldexp(m, 1 - bias() - mantissa_bits)
                          : std::ldexp(m + (1U << mantissa_bits), e - bias() - mantissa_bits);
        if ((code & (sign() - 1)) > largest) v = INFINITY;
        return (code & sign()) ? -v : v;
    }
    /// To nearest even, or towards zero. What is too large becomes infinite or, `finite`, the largest number.
    [[nodiscard]] unsigned code(double v, bool finite = false, bool cut = false) const {
        if (std::isnan(v)) return sign() - 1;
        const unsigned negative = std::signbit(v) ? sign() : 0;
        v = std::abs(v);
        if (v > 1e30 && exponent_bits < 8) v = 1e30;
        if (v == 0) return negative;
        int e = 0;
        std::frexp(v, &e);
        const int unit = std::max(e - 1, 1 - bias()) - mantissa_bits;
        const double units = std::ldexp(v, -unit);
        const auto whole = static_cast<unsigned>(cut ? std::floor(units) : std::nearbyint(units));
        const unsigned c = whole + (static_cast<unsigned>(unit + mantissa_bits + bias() - 1) << mantissa_bits);
        if (c <= largest) return negative | c;
        return negative | (finite || cut ? largest : largest + 1);
    }
    [[nodiscard]] double round(double v) const { return value(code(v)); }
};
constexpr Small kHalf{5, 10, 0x7BFF}, kBfloat{8, 7, 0x7F7F}, kE4m3{4, 3, 0x7E}, kE5m2{5, 2, 0x7B};

std::vector<std::uint16_t> codes(const Small& format, const std::vector<double>& values) {
    std::vector<std::uint16_t> result;
    for (const double v : values)
        result.push_back(static_cast<std::uint16_t>(format.code(v)));
    return result;
}

bool close(double got, double want, double relative, double absolute = 0) {
    if (std::isnan(want)) return std::isnan(got);
    return got == want || std::abs(got - want) <= std::max(absolute, relative * std::abs(want));
}

#define CLOSE(got, want, ...)                                                                                          \
    QVERIFY2(close(got, want, __VA_ARGS__), qPrintable(QString("%1 instead of %2").arg(got).arg(want)))

/// Marsaglia's xorwow as cuRAND seeds it, with subsequences 2^67 numbers apart.
class Xorwow {
public:
    using State = std::array<std::uint32_t, 5>;
    Xorwow(std::uint64_t seed, unsigned subsequence) {
        const std::uint32_t t0 = 1099087573U * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49U);
        const std::uint32_t t1 = 2591861531U * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddU);
        d_ = 6615241U + t1 + t0; // 2^67 additions change nothing of it
        v_ = {123456789U + t0, 362436069U ^ t0, 521288629U + t1, 88675123U ^ t1, 5783321U + t0};
        for (unsigned k = 0; k < subsequence; ++k)
            v_ = times(subsequence_step(), v_);
    }
    std::uint32_t operator()() {
        v_ = step(v_);
        d_ += 362437;
        return v_[4] + d_;
    }

private:
    using Matrix = std::vector<State>; ///< what becomes of each of the 160 bits
    static State step(const State& v) {
        const std::uint32_t t = v[0] ^ v[0] >> 2;
        return {v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
    }
    static State times(const Matrix& m, const State& v) {
        State sum{};
        for (unsigned bit = 0; bit < 160; ++bit)
            if (v[bit / 32] >> bit % 32 & 1)
                for (unsigned k = 0; k < 5; ++k)
                    sum[k] ^= m[bit][k];
        return sum;
    }
    static const Matrix& subsequence_step() {
        static const Matrix far = [] {
            Matrix m(160);
            for (unsigned bit = 0; bit < 160; ++bit) {
                State one{};
                one[bit / 32] = 1U << bit % 32;
                m[bit] = step(one);
            }
            for (int doubling = 0; doubling < 67; ++doubling) {
                Matrix twice(160);
                for (unsigned bit = 0; bit < 160; ++bit)
                    twice[bit] = times(m, m[bit]);
                m = std::move(twice);
            }
            return m;
        }();
        return far;
    }
    State v_{};
    std::uint32_t d_ = 0;
};

/// Philox 4x32, ten rounds (Salmon, Moraes, Dror, Shaw: Parallel random numbers, as easy as 1, 2, 3).
class Philox {
public:
    Philox(std::uint64_t seed, std::uint64_t subsequence) : seed_(seed), subsequence_(subsequence) {}
    std::uint32_t operator()() {
        const std::uint64_t block = taken_ / 4;
        std::array<std::uint32_t, 4> x{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                                       static_cast<std::uint32_t>(subsequence_),
                                       static_cast<std::uint32_t>(subsequence_ >> 32)};
        auto low = static_cast<std::uint32_t>(seed_), high = static_cast<std::uint32_t>(seed_ >> 32);
        for (int round = 0; round < 10; ++round, low += 0x9E3779B9U, high += 0xBB67AE85U) {
            const std::uint64_t a = std::uint64_t{0xD2511F53U} * x[0], b = std::uint64_t{0xCD9E8D57U} * x[2];
            x = {static_cast<std::uint32_t>(b >> 32) ^ x[1] ^ low, static_cast<std::uint32_t>(b),
                 static_cast<std::uint32_t>(a >> 32) ^ x[3] ^ high, static_cast<std::uint32_t>(a)};
        }
        return x[taken_++ % 4];
    }

private:
    std::uint64_t seed_, subsequence_, taken_ = 0;
};

float uniform(std::uint32_t x) { return fused_reference(static_cast<float>(x), 0x1p-32F, 0x1p-33F); }

} // namespace

class LibraryTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        const auto info = warplight::compiler::compiler_info(warplight::compiler::Backend::nvrtc);
        if (!info.found) QSKIP(info.problem.c_str());
    }

    void printing() {
        QByteArray printed;
        cuxWarplightSetPrintf(
            [](const char* text, size_t size, void* user) {
                static_cast<QByteArray*>(user)->append(text, static_cast<qsizetype>(size));
            },
            &printed);
        {
            Program p("08_printf.cu");
            int n = 3;
            float f = -1.5F;
            CU(p.launch(p["hello"], 1, 2, {&n, &f}));
            CU(cuCtxSynchronize());
        }
        QByteArrayList lines = printed.trimmed().split('\n');
        std::sort(lines.begin(), lines.end());
        QCOMPARE(lines.size(), 4);
        for (int k = 0; k < 2; ++k) {
            QVERIFY2(lines[k].startsWith("0x") && lines[k].toULongLong(nullptr, 16) != 0, lines[k].constData());
            QCOMPARE(lines[2 + k], "hello 3 from " + QByteArray::number(k) + " -1.500000 x");
        }
        const std::pair<int, CUresult> ends[] = {
            {0, CUDA_ERROR_ASSERT}, {77, CUDA_ERROR_LAUNCH_FAILED}, {78, CUDA_ERROR_LAUNCH_FAILED}};
        for (auto [n, code] : ends) {
            Program p("08_printf.cu");
            printed.clear();
            float f = 2;
            CU(p.launch(p["hello"], 1, 1, {&n, &f}));
            // The failure may be known before anyone waits for the kernel.
            QTRY_COMPARE(cuStreamQuery(nullptr), code);
            CU_FAILS(cuCtxSynchronize(), code);
            QVERIFY2(printed.startsWith("hello " + QByteArray::number(n) + " from 0 2.000000 x\n"),
                     printed.constData());
        }
        cuxWarplightSetPrintf(nullptr, nullptr);
    }

    void clocksAndWhereTheThreadIs() {
        Program p("08_printf.cu");
        CUdeviceptr o = p.upload(std::vector<long long>(2)), u = p.upload(std::vector<unsigned>(2));
        const auto now = [] {
            return std::chrono::duration_cast<std::chrono::nanoseconds>(
                       std::chrono::system_clock::now().time_since_epoch())
                .count();
        };
        long long last = 0;
        for (int run = 0; run < 3; ++run) {
            const long long before = now();
            CU(p.launch(p["clk"], 1, 1, {&o, &u}));
            const auto times = p.download<long long>(o, 2);
            QVERIFY(times[0] > last);
            last = times[0];
            QVERIFY(times[1] >= before && times[1] <= now());
            const auto words = p.download<unsigned>(u, 2);
            QVERIFY(words[0] != 0);
            // Lane 0 of warp 0: masks below, up to, above, from and of it; what is left is the multiprocessor.
            const unsigned smid = words[1] - (0 + 1 + 0xFFFFFFFEU + 0xFFFFFFFFU + 1);
            int multiprocessors = 0;
            CU(cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
            QVERIFY(smid < static_cast<unsigned>(multiprocessors));
        }
    }

    void pairsOfHalves() {
        Program p("09_fp16.cu");
        constexpr int n = 200;
        std::vector<double> a, b, c;
        for (int k = 0; k < 2 * n; ++k) {
            a.push_back(kHalf.round(0.25 + 0.017 * (k % 101)));
            b.push_back(kHalf.round(std::sin(k)));
            c.push_back(kHalf.round(std::cos(3 * k)));
        }
        const auto ca = codes(kHalf, a), cb = codes(kHalf, b), cc = codes(kHalf, c);
        CUdeviceptr da = p.upload(ca), db = p.upload(cb), dc = p.upload(cc);
        int count = n;
        CU(p.launch(p["h2"], 4, 64, {&da, &db, &dc, &count}));
        const auto result = p.download<std::uint16_t>(dc, 2 * n);
        for (int k = 0; k < 2 * n; k += 2) {
            double x[2];
            bool larger = true, unsure = false;
            for (int j = 0; j < 2; ++j) {
                const double u = a[k + j], v = b[k + j];
                double t = kHalf.round(u * v + c[k + j]);
                t = kHalf.round(t + kHalf.round(u * v));
                t = std::max(kHalf.round(std::exp(t)), v);
                t = kHalf.round(kHalf.round(std::sqrt(t)) / u);
                t = kHalf.round(std::tanh(kHalf.round(1 / std::sqrt(t))));
                x[j] = std::abs(kHalf.round(t + t));
                larger &= x[j] > u;
                unsure |= std::abs(x[j] - u) < 0x1p-7;
            }
            for (int j = 0; j < 2; ++j) {
                const double got = kHalf.value(result[k + j]), logarithm = kHalf.round(std::log(x[j]));
                // Each function may be one unit off, and what follows it makes little of that.
                if (unsure && close(got, larger ? x[j] : logarithm, 0x1p-8, 0x1p-8)) continue;
                CLOSE(got, larger ? logarithm : x[j], 0x1p-8, 0x1p-8);
            }
        }
    }

    void singleHalves() {
        Program p("09_fp16.cu");
        for (const double start : {0.5, -1.25, 3.0, 0.0, 100.0, -0.0625}) {
            for (const double divisor : {0.3, -0.007, 1.0}) {
                const double a1 = kHalf.round(divisor);
                std::vector<std::uint16_t> a = codes(kHalf, {start, divisor, 0.75, divisor * 1000});
                a.resize(40, a[2]);
                std::vector<float> f = {0, 0, 0.1F, 1.0F / 3};
                f.resize(40);
                std::vector<double> d = {0, 0, 1.00048828125 + 0x1p-40}; // just above the middle of two halves
                d.resize(40);
                std::vector<std::int16_t> s = {0, 0, 0, -3, 2049};
                s.resize(40);
                const std::vector<std::uint16_t> before(40, 0x1234);
                CUdeviceptr da = p.upload(a), dc = p.upload(before), df = p.upload(f), dd = p.upload(d),
                            ds = p.upload(s), du = p.allocate(64);
                CU(p.launch(p["h1"], 1, 1, {&da, &dc, &df, &dd, &ds, &du}));
                const auto c = p.download<std::uint16_t>(dc, 40);
                double x = kHalf.round(kHalf.round(start * start) + start);
                x = kHalf.round(std::cos(kHalf.round(std::sin(x))));
                x = kHalf.round(kHalf.round(1 / x) / a1);
                CLOSE(kHalf.value(c[0]), x, 4 * 0x1p-11);
                // All that follows is of the x that it got.
                x = kHalf.value(c[0]);
                QCOMPARE(double{p.download<float>(df, 1)[0]}, x);
                QCOMPARE(c[1], kHalf.code(f[3]));
                QCOMPARE(c[2], kHalf.code(f[2], false, true));
                QCOMPARE(p.download<double>(dd, 1)[0], x);
                const auto whole = p.download<std::int16_t>(ds, 2);
                QCOMPARE(static_cast<double>(whole[0]), std::nearbyint(x));
                QCOMPARE(static_cast<double>(whole[1]), std::trunc(x));
                QCOMPARE(c[5], kHalf.code(65533));
                QCOMPARE(c[6], kHalf.code(2049));
                QCOMPARE(kHalf.value(c[7]), std::floor(x));
                QCOMPARE(kHalf.value(c[8]), std::nearbyint(x));
                QCOMPARE(kHalf.value(c[9]), std::trunc(x));
                QCOMPARE(kHalf.value(c[10]), std::max(x, 0.75));
                QCOMPARE(kHalf.value(c[11]), std::min(x, 0.75));
                QCOMPARE(kHalf.value(c[12]), kHalf.round(std::clamp(x * x + x, 0.0, 1.0)));
                QCOMPARE(kHalf.value(c[13]), std::max(kHalf.round(x * x + x), 0.0));
                QCOMPARE(c[14], kHalf.code(d[2]));
                if (x < kHalf.value(a[3]))
                    QCOMPARE(kHalf.value(c[15]), std::ceil(x));
                else
                    QCOMPARE(c[15], before[0]);
                CLOSE(kHalf.value(c[16]), kHalf.round(std::log2(x)), 0x1p-10);
                CLOSE(kHalf.value(c[17]), kHalf.round(std::pow(10, x)), 0x1p-10, 0x1p-24);

                // A whole warp of the same number: the neighbour's is one's own.
                CU(p.launch(p["h1"], 1, 32,
                            {&(da = p.upload(std::vector<std::uint16_t>(40, a[2]))), &(dc = p.upload(before)), &df, &dd,
                             &ds, &du}));
                x = kHalf.round(kHalf.round(0.75 * 0.75) + 0.75);
                x = kHalf.round(1 / kHalf.round(std::cos(kHalf.round(std::sin(x)))));
                CLOSE(kHalf.value(p.download<std::uint16_t>(dc, 40)[18]), kHalf.round(x / 0.75), 4 * 0x1p-11);
            }
        }
    }

    void bfloats() {
        Program p("09_fp16.cu");
        for (int k = 0; k < 40; ++k) {
            std::vector<double> a;
            for (int j = 0; j < 8; ++j)
                a.push_back(kBfloat.round(1.5 * std::sin(k * 8 + j)));
            std::vector<float> f = {0, 1.0F / 3, -2.0F / 3, 0.3F * static_cast<float>(k), 0, 0};
            CUdeviceptr da = p.upload(codes(kBfloat, a)), dc = p.upload(std::vector<std::uint16_t>(16)),
                        df = p.upload(f);
            CU(p.launch(p["bf"], 1, 1, {&da, &dc, &df}));
            const auto c = p.download<std::uint16_t>(dc, 16);
            const auto after = p.download<float>(df, 6);
            for (int j = 0; j < 2; ++j) {
                double x = kBfloat.round(a[j] * a[j] + a[j]);
                x = kBfloat.round(kBfloat.round(x + a[2 + j]) * a[4 + j]);
                x = std::max(kBfloat.round(std::exp(x)), a[6 + j]);
                CLOSE(kBfloat.value(c[j]), x, 0x1p-7);
            }
            const double x = kBfloat.value(c[0]), y = kBfloat.round(f[3]);
            QCOMPARE(double{after[0]}, x);
            QCOMPARE(c[4], kBfloat.code(f[1]));
            QCOMPARE(c[5], kBfloat.code(f[2]));
            QCOMPARE(after[5], y > x ? 1.F : 2.F);
            CLOSE(kBfloat.value(c[6]), kBfloat.round(std::sqrt(y)), 0x1p-8);
            QCOMPARE(c[8], kBfloat.code(f[3], false, true));
        }
    }

    void floatsOfEightBits() {
        Program p("09_fp16.cu");
        std::vector<float> values = {0.F, -0.F, INFINITY, -INFINITY, NAN,   448, 449,
                                     464, 480,  57344,    61439,     61440, 1e9F};
        for (unsigned code = 0; code < 127; ++code) {
            // Numbers of the formats, the middle of neighbours, and what lies beside the middle.
            for (const Small& format : {kE4m3, kE5m2}) {
                const double v = format.value(code), next = format.value(code + 1);
                if (std::isnan(next) || std::isinf(next)) continue;
                const auto middle = static_cast<float>((v + next) / 2);
                for (const float x :
                     {static_cast<float>(v), middle, std::nextafter(middle, 0.F), -std::nextafter(middle, 1e9F)})
                    values.push_back(x);
            }
        }
        values.resize(values.size() + values.size() % 2);
        CUdeviceptr a = p.allocate(8), o = p.allocate(4), h = p.allocate(4), q = p.allocate(8);
        for (std::size_t k = 0; k < values.size(); k += 2) {
            CU(cuMemcpyHtoD(a, &values[k], 8));
            const std::uint8_t given[4] = {0, 0, static_cast<std::uint8_t>(k / 2),
                                           static_cast<std::uint8_t>(255 - k / 2)};
            CU(cuMemcpyHtoD(o, given, 4));
            CU(p.launch(p["f8"], 1, 1, {&a, &o, &h, &q}));
            const auto e4m3 = p.download<std::uint8_t>(o, 2), e5m2 = p.download<std::uint8_t>(h, 2);
            const auto wide = p.download<float>(q, 2);
            for (unsigned j = 0; j < 2; ++j) {
                const float v = values[k + j];
                // Of a NaN the sign is left open.
                const unsigned keep = std::isnan(v) ? 0x7F : 0xFF;
                QCOMPARE(e4m3[j] & keep, kE4m3.code(v, true) & keep);
                QCOMPARE(e5m2[j] & keep, kE5m2.code(v, true) & keep);
                const double back = kE4m3.value(given[2 + j]);
                QVERIFY(std::isnan(back) ? std::isnan(wide[j]) : double{wide[j]} == back);
            }
        }
    }

    void xorwowNumbers() {
        NEEDS_KERNELS("11_curand.cu");
        Program p("11_curand.cu");
        const unsigned threads = 24, per_thread = 200;
        unsigned long long seed = 0x123456789ABCDEFULL;
        CUdeviceptr states = p.allocate(std::size_t{threads} * 48), counter = p.upload(std::vector<unsigned>{0});
        CU(p.launch(p["init"], 3, 8, {&states, &seed}));
        int n = per_thread;
        std::vector<Xorwow> generators;
        for (unsigned t = 0; t < threads; ++t)
            generators.emplace_back(seed, t);
        unsigned inside = 0;
        for (int round = 0; round < 2; ++round) { // the second goes on where the first ended
            CU(p.launch(p["pi"], 3, 8, {&states, &counter, &n}));
            for (Xorwow& next : generators)
                for (unsigned k = 0; k < per_thread; ++k) {
                    const double x = uniform(next()), y = uniform(next());
                    inside += x * x + y * y <= 1;
                }
            QCOMPARE(p.download<unsigned>(counter, 1)[0], inside);
        }
        // The states too: d and v[5] first.
        const auto words = p.download<std::uint32_t>(states, threads * 12);
        for (unsigned t = 0; t < threads; ++t)
            QCOMPARE(generators[t](), [&] {
                const std::uint32_t* s = words.data() + 12 * t;
                const std::uint32_t x = s[1] ^ s[1] >> 2;
                return ((s[5] ^ s[5] << 4) ^ (x ^ x << 1)) + s[0] + 362437;
            }());
    }

    void philoxNumbers() {
        // The first numbers of the reference implementation for key 0 and counter 0.
        Philox zero(0, 0);
        for (const std::uint32_t known : {0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U})
            QCOMPARE(zero(), known);

        NEEDS_KERNELS("11_curand.cu");
        Program p("11_curand.cu");
        const unsigned threads = 256;
        for (unsigned long long seed : {0ULL, 0xFEDCBA9876543210ULL}) {
            CUdeviceptr o = p.allocate(threads * 16), d = p.allocate(threads * 8), u = p.allocate(threads * 4);
            CU(p.launch(p["phil"], 1, threads, {&o, &d, &u, &seed}));
            const auto normal = p.download<float>(o, threads * 4);
            const auto real = p.download<double>(d, threads);
            const auto poisson = p.download<unsigned>(u, threads);
            for (unsigned t = 0; t < threads; ++t) {
                Philox next(seed, t);
                for (unsigned pair = 0; pair < 4; pair += 2) {
                    const double radius = std::sqrt(-2 * std::log(double{uniform(next())}));
                    const double angle = (next() + 0.5) * 0x1p-32 * 6.283185307179586;
                    // The sine and cosine are the fast ones; the angle is a float.
                    CLOSE(double{normal[4 * t + pair]}, radius * std::sin(angle), 0, 2e-6 * (1 + radius));
                    CLOSE(double{normal[4 * t + pair + 1]}, radius * std::cos(angle), 0, 2e-6 * (1 + radius));
                }
                QCOMPARE(real[t], (next() + 1.0) * 0x1p-32);
                double product = std::exp(5.0);
                unsigned k = 0;
                do {
                    ++k;
                    product *= uniform(next());
                } while (product > 1);
                QCOMPARE(poisson[t], k - 1);
            }
        }
    }

    void loadsAndStoresWithHints() {
        Program p("17_cachehints.cu");
        std::vector<float> a(256), v = {3, 1, 2, 40};
        for (std::size_t k = 0; k < a.size(); ++k)
            a[k] = static_cast<float>(k) + 0.5F;
        CUdeviceptr da = p.upload(a), o = p.upload(std::vector<float>(160, -1)), dv = p.upload(v),
                    vi = p.upload(std::vector<int>{5, 41});
        CU(p.launch(p["ch"], 1, 1, {&da, &o, &dv, &vi}));
        std::vector<float> expected(160, -1);
        for (const std::size_t k : {0, 2, 3, 4, 5})
            expected[k] = a[0];
        expected[1] = a[2]; // one of four bytes each at a time
        for (const std::size_t k : {6, 7, 8, 9})
            expected[k] = 1;
        expected[10] = 43;
        expected[11] = 1; // in global memory alone
        std::copy_n(a.begin() + 12, 4, expected.begin() + 28);
        std::copy_n(a.begin() + 18, 2, expected.begin() + 18);
        std::copy_n(a.begin() + 160, 4, expected.begin() + 120);
        QCOMPARE(p.download<float>(o, 160), expected);
        QCOMPARE(p.download<int>(vi, 2), (std::vector<int>{42, 41}));

        int n = 77;
        CUdeviceptr out = p.upload(std::vector<int>(256));
        CU(p.launch(p["__grid_constant__test"], 1, 256, {&n, &out}));
        QCOMPARE(p.download<int>(out, 256), std::vector<int>(256, 77));
    }
};

QTEST_APPLESS_MAIN(LibraryTest)
#include "test_library.moc"
