// SPDX-License-Identifier: Apache-2.0
// The approximate instructions, against the C library in f64 or long double, with the error that the ISA allows.
#include "cases.hpp"
#include "exact.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace instructions {
namespace {

double number(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }
std::uint64_t single(double value) { return std::bit_cast<std::uint32_t>(static_cast<float>(value)); }

/// What the result may be off: of the exact value, or in all.
struct Allowed {
    double relative = 0, absolute = 0;
    const char* note = "";
};

void add_case(Cases& cases, const std::string& name, unsigned sources,
              std::function<double(double, double)> exact_value, Allowed allowed,
              std::vector<std::vector<std::uint64_t>> values) {
    for (const bool ftz : {false, true}) {
        Case c;
        // tanh knows no .ftz
        if (ftz && name.starts_with("tanh")) continue;
        c.name = name + (ftz ? ".ftz" : "") + ".f32";
        c.body = c.name + (sources == 1 ? " o, a;" : " o, a, b;");
        c.inputs.assign(sources, "f32");
        c.outputs = {"f32"};
        c.values = values;
        c.compare = Compare::within;
        c.note = allowed.note;
        const auto value = [=](const Inputs& in) {
            const auto x = [&](std::size_t k) { return number(ftz ? exact::f32.flush(in[k]) : in[k]); };
            return exact_value(x(0), x(1));
        };
        c.reference = [=](const Inputs& in) {
            const std::uint64_t r = single(value(in));
            return Outputs{ftz ? exact::f32.flush(r) : r};
        };
        c.accept = [=](const Inputs& in, std::uint64_t got, std::uint64_t) {
            const double want = value(in), have = number(got);
            if (std::isnan(want)) return std::isnan(have);
            if (std::isinf(want)) return have == want;
            double error = std::abs(want) * allowed.relative + allowed.absolute;
            // Beyond the normal numbers a unit of the last place is the least one can ask for.
            error = std::max(error, static_cast<double>(std::numeric_limits<float>::denorm_min()));
            if (ftz && std::abs(want) < std::numeric_limits<float>::min() * (1 + 1e-6) && have == 0) return true;
            if (std::abs(want) > std::numeric_limits<float>::max() * (1 - 1e-6) && std::isinf(have))
                return want * have > 0;
            return std::abs(have - want) <= error;
        };
        cases.push_back(std::move(c));
    }
}

std::vector<std::uint64_t> between(double low, double high, int count) {
    std::vector<std::uint64_t> v;
    for (int k = 0; k <= count; ++k)
        v.push_back(single(low + (high - low) * k / count));
    return v;
}

std::vector<std::uint64_t> joined(std::vector<std::uint64_t> a, const std::vector<std::uint64_t>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// The f64 seeds: good to 20 bits or so, and only their upper word counts.
void add_seed(Cases& cases, const std::string& name, std::function<double(double)> f, double relative) {
    Case c;
    c.name = name;
    c.body = name + " o, a;";
    c.inputs = {"f64"};
    c.outputs = {"f64"};
    c.values = {many_values("f64", 3000)};
    c.compare = Compare::within;
    c.note = "gross approximation";
    const bool ftz = name.find(".ftz") != std::string::npos;
    const auto value = [=](const Inputs& in) {
        // Only the upper word counts with .ftz, also for what is a NaN.
        return f(std::bit_cast<double>(ftz ? exact::f64.flush(in[0]) & ~mask(32) : in[0]));
    };
    c.reference = [=](const Inputs& in) {
        const auto r = std::bit_cast<std::uint64_t>(value(in));
        return Outputs{ftz ? exact::f64.flush(r) : r};
    };
    c.accept = [=](const Inputs& in, std::uint64_t got, std::uint64_t) {
        const double want = value(in), have = std::bit_cast<double>(got);
        if (std::isnan(want)) return std::isnan(have);
        if (std::isinf(want) || want == 0) return have == want;
        if (ftz && std::abs(want) < std::numeric_limits<double>::min()) return have == 0;
        return std::abs(have - want) <= std::abs(want) * relative;
    };
    cases.push_back(std::move(c));
}

void add_halves(Cases& cases) {
    const auto add = [&](const std::string& name, const exact::Format& f, std::function<double(double)> g,
                         double relative, double absolute, unsigned target) {
        Case c;
        c.name = name;
        c.body = name + " o, a;";
        c.inputs = {"b16"};
        c.outputs = {"b16"};
        c.values = {every_16_bit_value()};
        c.target = target;
        c.compare = Compare::within;
        const auto wide = [f](std::uint64_t x) {
            return std::bit_cast<double>(exact::convert(f, x, exact::f64, exact::Round::nearest));
        };
        c.reference = [=](const Inputs& in) {
            return Outputs{
                exact::convert(exact::f64, std::bit_cast<std::uint64_t>(g(wide(in[0]))), f, exact::Round::nearest)};
        };
        c.accept = [=](const Inputs& in, std::uint64_t got, std::uint64_t want) {
            if (f.nan(want)) return f.nan(got);
            const double exactly = g(wide(in[0]));
            if (f.infinite(want) || f.infinite(got))
                return got == want || std::abs(wide(got - 1) - exactly) <= std::abs(exactly) * relative;
            return std::abs(wide(got) - exactly) <= std::abs(exactly) * relative + absolute;
        };
        cases.push_back(std::move(c));
    };
    add("ex2.approx.f16", exact::f16, [](double x) { return std::exp2(x); }, 0x1p-9, 0x1p-24, 80);
    add("tanh.approx.f16", exact::f16, [](double x) { return std::tanh(x); }, 0x1p-10, 0x1p-24, 80);
    // The ISA says 2^-8, half a unit; sm_90 gives results up to one unit towards zero.
    add("tanh.approx.bf16", exact::bf16, [](double x) { return std::tanh(x); }, 0x1p-7, 0x1p-133, 90);
}

} // namespace

void add_approximate_cases(Cases& cases) {
    const std::vector<std::uint64_t> any = many_values("f32", 4000);
    const double pi = std::acos(-1.0);
    add_case(cases, "rcp.approx", 1, [](double x, double) { return 1 / x; }, {0x1p-23, 0, "1 ulp"}, {any});
    add_case(cases, "sqrt.approx", 1, [](double x, double) { return std::sqrt(x); }, {0x1p-23, 0, "2^-23 relative"},
             {any});
    add_case(cases, "rsqrt.approx", 1, [](double x, double) { return 1 / std::sqrt(x); },
             {std::exp2(-22.4), 0, "2^-22.4 relative"}, {any});
    // The quotient by a divisor in (2^126, 2^128) is zero, or NaN for an infinite dividend.
    add_case(
        cases, "div.approx", 2,
        [](double x, double y) { return std::abs(y) > 0x1p126 && !std::isinf(y) ? x * std::copysign(0.0, y) : x / y; },
        {0x1p-22, 0, "2 ulp"}, {many_values("f32", 60), many_values("f32", 60)});
    add_case(cases, "div.full", 2, [](double x, double y) { return x / y; }, {0x1p-22, 0, "2 ulp"},
             {many_values("f32", 60), many_values("f32", 60)});
    add_case(cases, "ex2.approx", 1, [](double x, double) { return std::exp2(x); },
             // Below the normal numbers 2 units: GPUs scale there, with a rounding of its own.
             {std::exp2(-22.5), 0x1p-148, "2^-22.5 relative"}, {joined(edge_values("f32"), between(-151, 129, 6000))});
    add_case(cases, "lg2.approx", 1, [](double x, double) { return x < 0 ? std::nan("") : std::log2(x); },
             {0, 0x1p-22, "2^-22 absolute between 1/2 and 2"}, {between(0.5, 2, 6000)});
    cases[cases.size() - 2].name += ", near 1";
    cases[cases.size() - 1].name += ", near 1";
    std::vector<std::uint64_t> far;
    for (const std::uint64_t x : any)
        if (!(number(x) > 0.5 && number(x) < 2)) far.push_back(x);
    add_case(cases, "lg2.approx", 1, [](double x, double) { return x < 0 ? std::nan("") : std::log2(x); },
             {0x1p-22, 0, "2^-22 relative"}, {far});
    // The ISA bounds the error within a turn alone.
    const std::vector<std::uint64_t> angles =
        joined({0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 1, 0x80000001, 0x00800000}, between(-pi, pi, 8000));
    add_case(cases, "sin.approx", 1, [](double x, double) { return std::sin(x); },
             {0, std::exp2(-20.5), "2^-20.5 absolute"}, {angles});
    add_case(cases, "cos.approx", 1, [](double x, double) { return std::cos(x); },
             {0, std::exp2(-20.5), "2^-20.5 absolute"}, {angles});
    add_case(cases, "tanh.approx", 1, [](double x, double) { return std::tanh(x); }, {0x1p-11, 0, "2^-11 relative"},
             {joined(any, between(-9, 9, 4000))});
    add_seed(cases, "rcp.approx.ftz.f64", [](double x) { return 1 / x; }, 0x1p-19);
    add_seed(cases, "rsqrt.approx.ftz.f64", [](double x) { return 1 / std::sqrt(x); }, 0x1p-19);
    add_seed(cases, "rsqrt.approx.f64", [](double x) { return 1 / std::sqrt(x); }, 0x1p-19);
    add_halves(cases);
}

} // namespace instructions
