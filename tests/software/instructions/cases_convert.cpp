// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"
#include "exact.hpp"

#include <algorithm>

namespace instructions {
namespace {

using exact::Format;
using exact::Round;
using Wide = __int128;

struct Rounding {
    const char* name;
    Round mode;
};
constexpr Rounding kRoundings[] = {{"rn", Round::nearest}, {"rz", Round::zero}, {"rm", Round::down}, {"rp", Round::up}};

const Format& format_of(const std::string& type) {
    return type == "f16" ? exact::f16 : type == "bf16" ? exact::bf16 : type == "f32" ? exact::f32 : exact::f64;
}

bool is_float(const std::string& type) { return type[0] == 'f' || type == "bf16"; }

std::string register_of(const std::string& type) {
    if (type == "f32" || type == "f64") return type;
    return "b" + std::to_string(std::max(bits_of(type), 16u));
}

/// bf16 as other types' neighbour came with sm_90.
unsigned target_of(const std::string& to, const std::string& from) {
    if (to == "bf16") return from == "f32" ? 80 : 90;
    return from == "bf16" ? 90 : 80;
}

/// The halves' NaN is 0x7FFF.
std::uint64_t canonical(const std::string& type, std::uint64_t x) {
    return bits_of(type) == 16 && format_of(type).nan(x) ? 0x7FFF : x;
}

Case convert(const std::string& modifiers, const std::string& to, const std::string& from) {
    Case c;
    c.name = "cvt" + modifiers + "." + to + "." + from;
    c.body = c.name + " o, a;";
    c.inputs = {register_of(from)};
    c.outputs = {register_of(to)};
    c.values = {bits_of(from) == 16 && is_float(from) ? every_16_bit_value() : many_values(from, 2000)};
    if (from == "f64" || from == "f32") {
        // Around the limits and the halfway points of what they are cut to.
        const Format& f = format_of(from);
        for (const double x :
             {0.5,     1.5,     2.5,     -0.5,    127.5,        128.0,        255.5,        256.0,        32767.5,
              65504.0, 65519.0, 65520.0, 65535.5, 2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0, 9.2e18,
              9.3e18,  1.8e19,  1.9e19,  5.96e-8, 2.98e-8,      2.99e-8,      1e-40,        1e300})
            for (const double sign : {1.0, -1.0}) {
                const double v = sign * x;
                std::uint64_t bits;
                static_assert(sizeof v == sizeof bits);
                __builtin_memcpy(&bits, &v, sizeof bits);
                for (const int step : {-1, 0, 1})
                    c.values[0].push_back(exact::convert(exact::f64, bits, f, Round::nearest) +
                                          static_cast<std::uint64_t>(step));
            }
        for (auto& v : c.values[0])
            v &= mask(f.bits());
    }
    c.target = target_of(to, from);
    c.compare = Compare::nan;
    return c;
}

void add_integers(Cases& cases) {
    const std::vector<std::string> types = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
    for (const std::string& to : types)
        for (const std::string& from : types)
            for (const bool sat : {false, true}) {
                // .sat is only there where it can have an effect.
                const unsigned room = bits_of(to) - (to[0] == 's'), need = bits_of(from) - (from[0] == 's');
                const bool holds_all = room >= need && (to[0] == 's' || from[0] == 'u');
                if (sat && holds_all) continue;
                Case c = convert(sat ? ".sat" : "", to, from);
                c.reference = [=](const Inputs& x) {
                    const std::uint64_t low = x[0] & mask(bits_of(from));
                    Wide v =
                        from[0] == 's' ? static_cast<Wide>(sign_extend(low, bits_of(from))) : static_cast<Wide>(low);
                    if (sat) {
                        const bool is_signed = to[0] == 's';
                        const Wide high = is_signed ? static_cast<Wide>(mask(bits_of(to)) >> 1)
                                                    : static_cast<Wide>(mask(bits_of(to)));
                        v = std::clamp(v, is_signed ? -high - 1 : Wide{0}, high);
                    }
                    // An 8-bit result fills its wider register as its sign says.
                    std::uint64_t r = static_cast<std::uint64_t>(v) & mask(bits_of(to));
                    if (to[0] == 's') r = static_cast<std::uint64_t>(sign_extend(r, bits_of(to)));
                    return Outputs{r};
                };
                cases.push_back(std::move(c));
            }
}

void add_integer_to_float(Cases& cases) {
    for (const std::string to : {"f16", "bf16", "f32", "f64"})
        for (const std::string from : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"})
            for (const Rounding& r : kRoundings) {
                if (to == "bf16" && bits_of(from) == 8) continue; // not in the ISA
                Case c = convert(std::string(".") + r.name, to, from);
                for (const std::uint64_t x :
                     {0xFFFF7Full, 0x1000001ull, 0x1000003ull, 0x7FFFFFBFull, 0x7FFFFFC0ull, 0x20000000000001ull,
                      0x20000000000003ull, 0x7FFFFFFFFFFFFE00ull, 2049ull, 2051ull, 65519ull, 65520ull, 257ull, 259ull})
                    c.values[0].push_back(x & mask(bits_of(from)));
                c.reference = [=](const Inputs& x) {
                    const std::uint64_t low = x[0] & mask(bits_of(from));
                    const std::int64_t v = from[0] == 's' ? sign_extend(low, bits_of(from)) : 0;
                    const bool negative = v < 0;
                    return Outputs{exact::from_integer(negative, negative ? 0 - static_cast<std::uint64_t>(v) : low,
                                                       format_of(to), r.mode)};
                };
                cases.push_back(std::move(c));
            }
}

void add_float_to_integer(Cases& cases) {
    static constexpr Rounding kWhole[] = {
        {"rni", Round::nearest}, {"rzi", Round::zero}, {"rmi", Round::down}, {"rpi", Round::up}};
    for (const std::string from : {"f16", "bf16", "f32", "f64"})
        for (const std::string to : {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"})
            for (const Rounding& r : kWhole)
                for (const bool ftz : {false, true}) {
                    if (ftz && from != "f32") continue;
                    if (from == "bf16" && bits_of(to) == 8) continue; // not in the ISA
                    Case c = convert(std::string(".") + r.name + (ftz ? ".ftz" : ""), to, from);
                    c.reference = [=](const Inputs& in) {
                        const Format& f = format_of(from);
                        const std::uint64_t x = ftz ? f.flush(in[0]) : in[0];
                        const unsigned bits = bits_of(to);
                        const bool is_signed = to[0] == 's';
                        std::uint64_t result;
                        if (f.nan(x)) {
                            result = from == "f64" || bits == 64 ? std::uint64_t{1} << (bits - 1) : 0;
                        } else {
                            const exact::Whole w = exact::to_whole(f, x, r.mode);
                            const std::uint64_t most = is_signed ? mask(bits) >> 1 : mask(bits);
                            if (w.negative)
                                result = is_signed ? 0 - std::min(w.magnitude, most + 1) : 0;
                            else
                                result = std::min(w.magnitude, most);
                        }
                        result &= mask(bits);
                        return Outputs{is_signed ? static_cast<std::uint64_t>(sign_extend(result, bits)) : result};
                    };
                    cases.push_back(std::move(c));
                }
}

void add_floats(Cases& cases) {
    // Widening.
    for (const auto& [to, from] : std::vector<std::pair<std::string, std::string>>{
             {"f64", "f32"}, {"f64", "f16"}, {"f32", "f16"}, {"f64", "bf16"}, {"f32", "bf16"}}) {
        Case c = convert("", to, from);
        if (from == "bf16" && to == "f32") c.target = 80 + 10;
        c.reference = [=](const Inputs& x) {
            return Outputs{exact::convert(format_of(from), x[0], format_of(to), Round::nearest)};
        };
        cases.push_back(std::move(c));
    }
    // Narrowing.
    for (const auto& [to, from] : std::vector<std::pair<std::string, std::string>>{
             {"f32", "f64"}, {"f16", "f64"}, {"f16", "f32"}, {"bf16", "f64"}, {"bf16", "f32"}})
        for (const Rounding& r : kRoundings) {
            if (to == "bf16" && from == "f32" && (r.mode == Round::down || r.mode == Round::up)) continue;
            Case c = convert(std::string(".") + r.name, to, from);
            c.reference = [=](const Inputs& x) {
                return Outputs{canonical(to, exact::convert(format_of(from), x[0], format_of(to), r.mode))};
            };
            // Which NaN a half becomes of an f64 the ISA does not say.
            if (from == "f64" && bits_of(to) == 16) {
                c.compare = Compare::within;
                c.accept = [=](const Inputs&, std::uint64_t got, std::uint64_t want) {
                    return format_of(to).nan(got) && format_of(to).nan(want);
                };
            }
            cases.push_back(std::move(c));
        }
    // Relu and saturation.
    for (const std::string to : {"f16", "bf16"}) {
        Case c = convert(".rn.relu", to, "f32");
        c.reference = [=](const Inputs& x) {
            const std::uint64_t r = exact::convert(exact::f32, x[0], format_of(to), Round::nearest);
            if (format_of(to).nan(r)) return Outputs{0x7FFF};
            return Outputs{format_of(to).negative(r) ? 0 : r};
        };
        cases.push_back(std::move(c));
    }
    const auto add = [&](const std::string& modifiers, const std::string& to, const std::string& from,
                         std::function<std::uint64_t(std::uint64_t)> reference) {
        Case c = convert(modifiers, to, from);
        c.reference = [reference](const Inputs& x) { return Outputs{reference(x[0])}; };
        cases.push_back(std::move(c));
    };
    add(".sat", "f32", "f32", [](std::uint64_t x) { return exact::saturate(exact::f32, x); });
    add(".ftz.sat", "f32", "f32", [](std::uint64_t x) { return exact::saturate(exact::f32, exact::f32.flush(x)); });
    add(".sat", "f64", "f64", [](std::uint64_t x) { return exact::saturate(exact::f64, x); });
    add(".ftz", "f64", "f32",
        [](std::uint64_t x) { return exact::convert(exact::f32, exact::f32.flush(x), exact::f64, Round::nearest); });
    add(".rn.ftz", "f32", "f64",
        [](std::uint64_t x) { return exact::f32.flush(exact::convert(exact::f64, x, exact::f32, Round::nearest)); });
    // To whole numbers of the same type.
    for (const std::string type : {"f16", "f32", "f64"})
        for (const Rounding& r : {Rounding{"rni", Round::nearest}, Rounding{"rzi", Round::zero},
                                  Rounding{"rmi", Round::down}, Rounding{"rpi", Round::up}})
            add(std::string(".") + r.name, type, type, [=](std::uint64_t x) {
                const Format& f = format_of(type);
                if (f.nan(x)) return canonical(type, f.quiet_nan());
                const exact::Whole w = exact::to_whole(f, x, r.mode);
                if (w.too_large) return x;
                return exact::from_integer(false, w.magnitude, f, Round::nearest) | (x & f.sign());
            });
}

void add_packed(Cases& cases) {
    for (const std::string half : {"f16", "bf16"})
        for (const std::string modifiers : {".rn", ".rz", ".rn.relu"}) {
            Case c;
            c.name = "cvt" + modifiers + "." + half + "x2.f32";
            c.body = c.name + " o, a, b;";
            c.inputs = {"f32", "f32"};
            c.outputs = {"b32"};
            c.values = {many_values("f32", 100), many_values("f32", 50)};
            c.reference = [=](const Inputs& x) {
                const auto part = [&](std::uint64_t v) {
                    const Format& f = format_of(half);
                    const std::uint64_t r = canonical(
                        half, exact::convert(exact::f32, v, f, modifiers == ".rz" ? Round::zero : Round::nearest));
                    return modifiers == ".rn.relu" && !f.nan(r) && f.negative(r) ? 0 : r;
                };
                return Outputs{part(x[0]) << 16 | part(x[1])};
            };
            cases.push_back(std::move(c));
        }
    Case tf32;
    tf32.name = "cvt.rna.tf32.f32";
    tf32.body = "cvt.rna.tf32.f32 o, a;";
    tf32.inputs = {"f32"};
    tf32.outputs = {"b32"};
    tf32.values = {many_values("f32", 2000)};
    // Of the 32 bits a tf32 has the upper 19; NaN is left to choose its payload.
    tf32.compare = Compare::within;
    tf32.accept = [](const Inputs& x, std::uint64_t got, std::uint64_t) {
        // One whose payload is in the 13 bits that go may end as an infinity.
        return exact::f32.nan(x[0]) && (exact::f32.nan(got) || got == (x[0] & 0xFFFFE000));
    };
    tf32.reference = [](const Inputs& x) {
        return Outputs{exact::convert(exact::f32, x[0], {8, 10}, Round::away) << 13};
    };
    cases.push_back(std::move(tf32));

    // The 8-bit formats saturate to their largest number; e4m3 has no infinities, and one more binade.
    for (const bool e4m3 : {true, false}) {
        const std::string type = e4m3 ? "e4m3x2" : "e5m2x2";
        const auto small = [e4m3](std::uint64_t x) -> std::uint64_t {
            if (exact::f32.nan(x)) return 0x7F;
            const std::uint64_t sign = x >> 31 << 7, largest = e4m3 ? 0x7E : 0x7B;
            if (exact::f32.infinite(x)) return sign | largest;
            // In a format with the same subnormals and room above, then cut.
            const Format roomy = {8, e4m3 ? 3 : 2};
            const int bias = e4m3 ? 7 : 15;
            exact::Sum sum;
            // Scaled so that the least normal number falls on that of the roomy format.
            sum.add(false, exact::f32.mantissa(x), exact::f32.exponent(x) + bias - roomy.bias());
            const std::uint64_t r = sum.round(roomy, Round::nearest);
            return sign | std::min(r, largest);
        };
        Case c;
        c.name = "cvt.rn.satfinite." + type + ".f32";
        c.body = "cvt.rn.satfinite." + type + ".f32 o, a, b;";
        c.inputs = {"f32", "f32"};
        c.outputs = {"b16"};
        c.target = 89;
        c.values = {many_values("f32", 400), many_values("f32", 20)};
        for (int k = -20; k < 12; ++k)
            for (std::uint64_t fraction = 0; fraction < 16; ++fraction)
                c.values[0].push_back(static_cast<std::uint64_t>(127 + k) << 23 | fraction << 19);
        c.reference = [small](const Inputs& x) { return Outputs{small(x[0]) << 8 | small(x[1])}; };
        cases.push_back(std::move(c));

        Case back;
        back.name = "cvt.rn.f16x2." + type;
        back.body = "cvt.rn.f16x2." + type + " o, a;";
        back.inputs = {"b16"};
        back.outputs = {"b32"};
        back.target = 89;
        back.values = {every_16_bit_value()};
        back.reference = [e4m3](const Inputs& x) {
            const Format f = e4m3 ? Format{4, 3} : Format{5, 2};
            const auto half = [&](std::uint64_t v) -> std::uint64_t {
                const std::uint64_t m = v & 0x7F;
                if (e4m3 ? m == 0x7F : m > 0x7C) return 0x7FFF;
                if (!e4m3 && m == 0x7C) return (v & 0x80) << 8 | 0x7C00;
                exact::Sum sum;
                const std::uint64_t field = m >> f.mantissa_bits, fraction = m & ((1u << f.mantissa_bits) - 1);
                sum.add((v & 0x80) != 0, field ? fraction | 1u << f.mantissa_bits : fraction,
                        static_cast<int>(std::max<std::uint64_t>(field, 1)) - f.bias() - f.mantissa_bits);
                return sum.round(exact::f16, Round::nearest, (v & 0x80) != 0);
            };
            return Outputs{half(x[0] >> 8 & 0xFF) << 16 | half(x[0] & 0xFF)};
        };
        cases.push_back(std::move(back));
    }

    for (const std::string to : {"u8", "s8", "u16", "s16"}) {
        Case c;
        const bool bytes = bits_of(to) == 8;
        c.name = "cvt.pack.sat." + to + ".s32" + (bytes ? ".b32" : "");
        c.body = c.name + (bytes ? " o, a, b, c;" : " o, a, b;");
        c.inputs.assign(bytes ? 3 : 2, "b32");
        c.outputs = {"b32"};
        c.values.assign(bytes ? 3 : 2, edge_values("s32"));
        c.reference = [=](const Inputs& x) {
            const unsigned bits = bits_of(to);
            const std::int64_t high = static_cast<std::int64_t>(to[0] == 's' ? mask(bits) >> 1 : mask(bits));
            const auto lane = [&](std::uint64_t v) {
                return static_cast<std::uint64_t>(std::clamp(sign_extend(v, 32), to[0] == 's' ? -high - 1 : 0, high)) &
                       mask(bits);
            };
            std::uint64_t r = lane(x[0]) << bits | lane(x[1]);
            if (bytes) r |= x[2] << 16 & mask(32);
            return Outputs{r};
        };
        cases.push_back(std::move(c));
    }
}

} // namespace

void add_convert_cases(Cases& cases) {
    add_integers(cases);
    add_integer_to_float(cases);
    add_float_to_integer(cases);
    add_floats(cases);
    add_packed(cases);
}

} // namespace instructions
