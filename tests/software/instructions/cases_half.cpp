// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "exact.hpp"

namespace instructions {
namespace {

using exact::Format;
using exact::Round;

using Operation = std::function<std::uint64_t(const Format&, const Inputs&, Round)>;

const Format& format_of(const std::string& type) { return type.starts_with("bf16") ? exact::bf16 : exact::f16; }

/// One form of an instruction, for single halves or both of a pair.
void add_case(Cases& cases, const std::string& name, const std::string& type, unsigned sources, unsigned target,
              const Operation& operation) {
    static constexpr const char* kOperands[] = {"a", "b", "c"};
    const bool packed = type.ends_with("x2");
    const Format& f = format_of(type);
    Case c;
    c.name = name + "." + type;
    c.body = c.name + " o";
    for (unsigned k = 0; k < sources; ++k) {
        c.body += std::string(", ") + kOperands[k];
        c.inputs.push_back(packed ? "b32" : "b16");
        c.values.push_back(sources == 1 && !packed ? every_16_bit_value()
                                                   : many_values(type, sources == 2   ? 100
                                                                       : sources == 1 ? 5000
                                                                                      : 30));
    }
    c.body += ";";
    c.outputs = {packed ? "b32" : "b16"};
    c.target = target;
    c.reference = [=](const Inputs& in) {
        const bool ftz = name.find(".ftz") != std::string::npos;
        const auto one = [&](unsigned shift) {
            Inputs x = in;
            for (auto& v : x) {
                v = v >> shift & 0xFFFF;
                if (ftz) v = f.flush(v);
            }
            std::uint64_t r = operation(f, x, Round::nearest);
            if (ftz && exact::tiny(f, operation, x, Round::nearest)) r &= f.sign();
            if (name.ends_with(".sat")) r = exact::saturate(f, r);
            if (f.nan(r)) return std::uint64_t{0x7FFF};
            if (name.ends_with(".relu") && f.negative(r)) r = 0;
            return r;
        };
        return Outputs{packed ? one(16) << 16 | one(0) : one(0)};
    };
    // The ISA leaves open which NaN abs and neg yield.
    if (name == "abs" || name == "neg") {
        c.compare = Compare::within;
        c.accept = [=](const Inputs&, std::uint64_t got, std::uint64_t want) {
            for (unsigned shift = 0; shift < (packed ? 32u : 16u); shift += 16) {
                const std::uint64_t g = got >> shift & 0xFFFF, w = want >> shift & 0xFFFF;
                if (g != w && !(f.nan(g) && f.nan(w))) return false;
            }
            return true;
        };
    }
    if (name.ends_with(".ftz") && sources > 1 && !packed) {
        Case around = c;
        around.name += ", near the least normal";
        for (unsigned k = 0; k < sources; ++k)
            around.values[k] = k < 2 ? values_around_least_normal(f) : edge_values("f16");
        cases.push_back(std::move(around));
    }
    cases.push_back(std::move(c));
}

std::uint64_t lesser(const Format& f, std::uint64_t x, std::uint64_t y, bool maximum) {
    const auto key = [&](std::uint64_t v) {
        const auto m = static_cast<std::int64_t>(f.magnitude(v));
        return f.negative(v) ? -m - 1 : m;
    };
    return (key(x) < key(y)) != maximum ? x : y;
}

} // namespace

void add_half_cases(Cases& cases) {
    const auto sum = [](const Format& f, const Inputs& x, Round r) { return exact::add(f, x[0], x[1], r); };
    const auto difference = [](const Format& f, const Inputs& x, Round r) {
        return f.nan(x[1]) ? f.quiet_nan() : exact::add(f, x[0], x[1] ^ f.sign(), r);
    };
    const auto product = [](const Format& f, const Inputs& x, Round r) { return exact::multiply(f, x[0], x[1], r); };
    const auto fma = [](const Format& f, const Inputs& x, Round r) {
        return exact::multiply_add(f, x[0], x[1], x[2], r);
    };
    for (const std::string type : {"f16", "f16x2", "bf16", "bf16x2"}) {
        const bool bfloat = type[0] == 'b';
        for (const std::string form : {"", ".ftz", ".sat"}) {
            if (bfloat && !form.empty()) continue;
            const unsigned target = bfloat ? 90 : 80;
            add_case(cases, "add" + form, type, 2, target, sum);
            add_case(cases, "sub" + form, type, 2, target, difference);
            add_case(cases, "mul" + form, type, 2, target, product);
            add_case(cases, "fma.rn" + form, type, 3, 80, fma);
        }
        add_case(cases, "fma.rn.relu", type, 3, 80, fma);
        // The NaN that fills what lies outside of a tensor.
        const auto outside = [](std::uint64_t x) { return (x & 0x7FFF) == 0x7FF7; };
        for (const std::string relu : {"", ".relu"}) {
            add_case(cases, "fma.rn.oob" + relu, type, 3, 90, [=](const Format& f, const Inputs& x, Round r) {
                return outside(x[0]) || outside(x[1]) ? 0 : fma(f, x, r);
            });
            const std::vector<std::uint64_t> nans = {0x7FF7, 0xFFF7, 0x7FF70000, 0xFFF73C00, 0x7FF6, 0x7FFF};
            for (unsigned k = 0; k < 3; ++k)
                cases.back().values[k].insert(cases.back().values[k].begin(), nans.begin(), nans.end());
        }
        add_case(cases, "neg", type, 1, 80, [](const Format& f, const Inputs& x, Round) { return x[0] ^ f.sign(); });
        add_case(cases, "abs", type, 1, 80, [](const Format& f, const Inputs& x, Round) { return f.magnitude(x[0]); });
        for (const bool maximum : {false, true}) {
            const std::string name = maximum ? "max" : "min";
            add_case(cases, name, type, 2, 80, [=](const Format& f, const Inputs& x, Round) {
                return f.nan(x[0]) ? x[1] : f.nan(x[1]) ? x[0] : lesser(f, x[0], x[1], maximum);
            });
            add_case(cases, name + ".NaN", type, 2, 80, [=](const Format& f, const Inputs& x, Round) {
                return f.nan(x[0]) || f.nan(x[1]) ? f.quiet_nan() : lesser(f, x[0], x[1], maximum);
            });
        }
    }
}

} // namespace instructions
