// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "exact.hpp"

namespace instructions {
namespace {

using exact::Format;
using exact::Round;

struct Rounding {
    const char* name;
    Round mode;
};
constexpr Rounding kRoundings[] = {{"rn", Round::nearest}, {"rz", Round::zero}, {"rm", Round::down}, {"rp", Round::up}};

using Operation = std::function<std::uint64_t(const Format&, const Inputs&, Round)>;

void add_operation(Cases& cases, const std::string& name, unsigned sources, bool rounds, const Operation& operation,
                   bool saturates = true) {
    static constexpr const char* kOperands[] = {"a", "b", "c"};
    for (const std::string type : {"f32", "f64"}) {
        const Format& f = type == "f32" ? exact::f32 : exact::f64;
        for (const Rounding& r : kRoundings)
            for (const bool ftz : {false, true})
                for (const bool sat : {false, true}) {
                    if (type == "f64" && (ftz || sat)) continue;
                    if (sat && (!saturates || r.mode != Round::nearest)) continue;
                    if (!rounds && r.mode != Round::nearest) continue;
                    Case c;
                    c.name = name + (rounds ? std::string(".") + r.name : "") + (ftz ? ".ftz" : "") +
                             (sat ? ".sat" : "") + "." + type;
                    c.body = c.name + " o";
                    for (unsigned k = 0; k < sources; ++k) {
                        c.body += std::string(", ") + kOperands[k];
                        c.inputs.push_back(type);
                        c.values.push_back(many_values(type, sources == 1 ? 4000 : sources == 2 ? 80 : 20));
                    }
                    c.body += ";";
                    c.outputs = {type};
                    c.compare = Compare::nan;
                    c.reference = [=](const Inputs& in) {
                        Inputs x = in;
                        if (ftz)
                            for (auto& v : x)
                                v = f.flush(v);
                        std::uint64_t result = operation(f, x, r.mode);
                        if (ftz && exact::tiny(f, operation, x, r.mode)) result &= f.sign();
                        return Outputs{sat ? exact::saturate(f, result) : result};
                    };
                    if (ftz && !sat && rounds) {
                        Case around = c;
                        around.name += ", near the least normal";
                        const auto values = values_around_least_normal(f);
                        for (unsigned k = 0; k < sources; ++k)
                            around.values[k] = k < 2 ? values : edge_values(type);
                        cases.push_back(std::move(around));
                    }
                    cases.push_back(std::move(c));
                }
    }
}

std::uint64_t lesser(const Format& f, std::uint64_t x, std::uint64_t y, bool maximum) {
    // Numbers in order as integers, -0 below +0.
    const auto key = [&](std::uint64_t v) {
        const auto m = static_cast<std::int64_t>(f.magnitude(v));
        return f.negative(v) ? -m - 1 : m;
    };
    return (key(x) < key(y)) != maximum ? x : y;
}

void add_min_max(Cases& cases) {
    for (const bool maximum : {false, true})
        for (const std::string form : {"", ".ftz", ".NaN", ".xorsign.abs", ".NaN.xorsign.abs"}) {
            const bool ftz = form == ".ftz", nan = form.starts_with(".NaN"), sign = form.ends_with(".xorsign.abs");
            for (const std::string type : {"f32", "f64"}) {
                if (type == "f64" && !form.empty()) continue;
                const Format& f = type == "f32" ? exact::f32 : exact::f64;
                Case c;
                c.name = std::string(maximum ? "max" : "min") + form + "." + type;
                c.body = c.name + " o, a, b;";
                c.inputs = {type, type};
                c.outputs = {type};
                c.values = {many_values(type, 60), many_values(type, 60)};
                c.compare = Compare::nan;
                if (sign) c.target = 86;
                c.reference = [=](const Inputs& in) {
                    std::uint64_t a = ftz ? f.flush(in[0]) : in[0], b = ftz ? f.flush(in[1]) : in[1];
                    const std::uint64_t product = (a ^ b) & f.sign();
                    if (f.nan(a) && f.nan(b)) return Outputs{f.quiet_nan()};
                    if (nan && (f.nan(a) || f.nan(b))) return Outputs{f.quiet_nan()};
                    if (sign) {
                        a = f.magnitude(a);
                        b = f.magnitude(b);
                    }
                    const std::uint64_t least = f.nan(a) ? b : f.nan(b) ? a : lesser(f, a, b, maximum);
                    return Outputs{sign ? least | product : least};
                };
                cases.push_back(std::move(c));
            }
        }
}

void add_signs_and_classes(Cases& cases) {
    for (const std::string type : {"f32", "f64"}) {
        const Format& f = type == "f32" ? exact::f32 : exact::f64;
        const auto add = [&](const std::string& name, unsigned sources, const std::string& output,
                             std::function<std::uint64_t(const Inputs&)> reference) {
            Case c;
            c.name = name + "." + type;
            c.body = c.name + (sources == 1 ? " o, a;" : " o, a, b;");
            c.inputs.assign(sources, type);
            c.values.assign(sources, many_values(type, sources == 1 ? 500 : 50));
            c.outputs = {output};
            c.compare = Compare::nan;
            c.reference = [reference](const Inputs& x) { return Outputs{reference(x)}; };
            cases.push_back(std::move(c));
        };
        add("abs", 1, type, [f](const Inputs& x) { return f.magnitude(x[0]); });
        add("neg", 1, type, [f](const Inputs& x) { return x[0] ^ f.sign(); });
        add("copysign", 2, type, [f](const Inputs& x) { return (x[0] & f.sign()) | f.magnitude(x[1]); });
        if (type == "f32") {
            add("abs.ftz", 1, type, [f](const Inputs& x) { return f.magnitude(f.flush(x[0])); });
            add("neg.ftz", 1, type, [f](const Inputs& x) { return f.flush(x[0]) ^ f.sign(); });
        }
        add("testp.finite", 1, "pred",
            [f](const Inputs& x) { return std::uint64_t{f.magnitude(x[0]) < f.infinity()}; });
        add("testp.infinite", 1, "pred", [f](const Inputs& x) { return std::uint64_t{f.infinite(x[0])}; });
        add("testp.number", 1, "pred", [f](const Inputs& x) { return std::uint64_t{!f.nan(x[0])}; });
        add("testp.notanumber", 1, "pred", [f](const Inputs& x) { return std::uint64_t{f.nan(x[0])}; });
        add("testp.normal", 1, "pred",
            [f](const Inputs& x) { return std::uint64_t{f.magnitude(x[0]) < f.infinity() && !f.subnormal(x[0])}; });
        add("testp.subnormal", 1, "pred", [f](const Inputs& x) { return std::uint64_t{f.subnormal(x[0])}; });
    }
}

} // namespace

void add_float_cases(Cases& cases) {
    add_operation(cases, "add", 2, true,
                  [](const Format& f, const Inputs& x, Round r) { return exact::add(f, x[0], x[1], r); });
    add_operation(cases, "sub", 2, true, [](const Format& f, const Inputs& x, Round r) {
        return f.nan(x[1]) ? x[1] : exact::add(f, x[0], x[1] ^ f.sign(), r);
    });
    add_operation(cases, "mul", 2, true,
                  [](const Format& f, const Inputs& x, Round r) { return exact::multiply(f, x[0], x[1], r); });
    add_operation(cases, "fma", 3, true, [](const Format& f, const Inputs& x, Round r) {
        return exact::multiply_add(f, x[0], x[1], x[2], r);
    });
    add_operation(cases, "mad", 3, true, [](const Format& f, const Inputs& x, Round r) {
        return exact::multiply_add(f, x[0], x[1], x[2], r);
    });
    add_operation(
        cases, "div", 2, true,
        [](const Format& f, const Inputs& x, Round r) { return exact::divide(f, x[0], x[1], r); }, false);
    add_operation(
        cases, "rcp", 1, true,
        [](const Format& f, const Inputs& x, Round r) { return exact::divide(f, f.one(), x[0], r); }, false);
    add_operation(
        cases, "sqrt", 1, true,
        [](const Format& f, const Inputs& x, Round r) { return exact::square_root(f, x[0], r); }, false);
    add_operation(cases, "add", 2, false,
                  [](const Format& f, const Inputs& x, Round r) { return exact::add(f, x[0], x[1], r); });
    add_operation(cases, "mul", 2, false,
                  [](const Format& f, const Inputs& x, Round r) { return exact::multiply(f, x[0], x[1], r); });
    add_min_max(cases);
    add_signs_and_classes(cases);
}

} // namespace instructions
