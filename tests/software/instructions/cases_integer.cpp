// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

namespace instructions {
namespace {

using Wide = __int128;

struct IntegerType {
    std::string name, reg;
    unsigned bits;
    bool is_signed;
    /// The value that bits mean.
    [[nodiscard]] Wide value(std::uint64_t x) const {
        return is_signed ? static_cast<Wide>(sign_extend(x, bits)) : static_cast<Wide>(x & mask(bits));
    }
};

std::vector<IntegerType> integer_types(std::initializer_list<unsigned> widths) {
    std::vector<IntegerType> types;
    for (const unsigned bits : widths)
        for (const bool is_signed : {false, true}) {
            const std::string number = std::to_string(bits);
            types.push_back({(is_signed ? "s" : "u") + number, "b" + number, bits, is_signed});
        }
    return types;
}

/// An instruction of up to three sources of one type.
void add_case(Cases& cases, const IntegerType& t, const std::string& mnemonic, unsigned sources,
              std::function<Wide(Wide, Wide, Wide)> reference, std::string output = {}) {
    static constexpr const char* kOperands[] = {"a", "b", "c"};
    Case c;
    c.name = mnemonic + "." + t.name;
    c.body = c.name + " o";
    for (unsigned k = 0; k < sources; ++k) {
        c.body += std::string(", ") + kOperands[k];
        c.inputs.push_back(t.reg);
        c.values.push_back(edge_values(t.name));
    }
    c.body += ";";
    c.outputs = {output.empty() ? t.reg : output};
    c.reference = [t, reference](const Inputs& x) {
        return Outputs{static_cast<std::uint64_t>(reference(t.value(x[0]), t.value(x[1]), t.value(x[2])))};
    };
    cases.push_back(std::move(c));
}

Wide clamp(Wide x, Wide low, Wide high) { return x < low ? low : x > high ? high : x; }

void add_division(Cases& cases) {
    for (const IntegerType& t : integer_types({16, 32, 64})) {
        // By zero GPUs yield all ones; only 32 and 64 bits are tried on it, for the ISA leaves it open.
        const auto quotient = [](Wide a, Wide b, Wide) { return b == 0 ? Wide{-1} : a / b; };
        const auto remainder = [](Wide a, Wide b, Wide) { return b == 0 ? Wide{-1} : a % b; };
        add_case(cases, t, "div", 2, quotient);
        if (t.bits == 16) std::erase(cases.back().values[1], 0u);
        add_case(cases, t, "rem", 2, remainder);
        if (t.bits == 16) std::erase(cases.back().values[1], 0u);
    }
}

void add_products(Cases& cases) {
    for (const IntegerType& t : integer_types({16, 32, 64})) {
        const unsigned bits = t.bits;
        const auto high = [t, bits](Wide a, Wide b) {
            // 64-bit unsigned products need all 128 bits.
            return t.is_signed ? (a * b) >> bits
                               : static_cast<Wide>(
                                     (static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b)) >> bits);
        };
        add_case(cases, t, "mul.lo", 2, [](Wide a, Wide b, Wide) {
            return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
        });
        add_case(cases, t, "mul.hi", 2, [high](Wide a, Wide b, Wide) { return high(a, b); });
        add_case(cases, t, "mad.lo", 3, [](Wide a, Wide b, Wide c) {
            return static_cast<Wide>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b) +
                                     static_cast<unsigned __int128>(c));
        });
        add_case(cases, t, "mad.hi", 3, [high](Wide a, Wide b, Wide c) { return high(a, b) + c; });
        if (bits == 64) continue;
        const std::string wide = "b" + std::to_string(2 * bits);
        add_case(cases, t, "mul.wide", 2, [](Wide a, Wide b, Wide) { return a * b; }, wide);
        const IntegerType wide_type{std::string(t.is_signed ? "s" : "u") + std::to_string(2 * bits), wide, 2 * bits,
                                    t.is_signed};
        Case c;
        c.name = "mad.wide." + t.name;
        c.body = c.name + " o, a, b, c;";
        c.inputs = {t.reg, t.reg, wide};
        c.outputs = {wide};
        c.values = {edge_values(t.name), edge_values(t.name), edge_values(wide_type.name)};
        c.reference = [t, wide_type](const Inputs& x) {
            return Outputs{static_cast<std::uint64_t>(static_cast<unsigned __int128>(t.value(x[0]) * t.value(x[1])) +
                                                      static_cast<unsigned __int128>(wide_type.value(x[2])))};
        };
        cases.push_back(std::move(c));
    }
    const IntegerType s32{"s32", "b32", 32, true};
    add_case(cases, s32, "mad.hi.sat", 3,
             [](Wide a, Wide b, Wide c) { return clamp((a * b >> 32) + c, -Wide{0x80000000}, 0x7FFFFFFF); });
    for (const IntegerType& t : integer_types({32})) {
        const auto low24 = [t](Wide x) {
            const auto bits = static_cast<std::uint64_t>(x) & mask(24);
            return t.is_signed ? Wide{sign_extend(bits, 24)} : Wide{static_cast<std::int64_t>(bits)};
        };
        add_case(cases, t, "mul24.lo", 2, [low24](Wide a, Wide b, Wide) { return low24(a) * low24(b); });
        add_case(cases, t, "mul24.hi", 2, [low24](Wide a, Wide b, Wide) { return low24(a) * low24(b) >> 16; });
        add_case(cases, t, "mad24.lo", 3, [low24](Wide a, Wide b, Wide c) { return low24(a) * low24(b) + c; });
    }
}

/// Carries travel from one instruction to the next, so chains are tried as a whole.
void add_carries(Cases& cases) {
    const auto chain = [&](const char* name, const std::string& type, const std::string& body,
                           std::function<Outputs(const Inputs&)> reference) {
        Case c;
        c.name = name;
        c.body = body;
        const std::string reg = "b" + type.substr(1);
        c.inputs = {reg, reg, reg, reg};
        c.outputs = {reg, reg};
        const std::vector<std::uint64_t> few = {0,
                                                1,
                                                mask(bits_of(type)) >> 1,
                                                (mask(bits_of(type)) >> 1) + 1,
                                                mask(bits_of(type)) - 1,
                                                mask(bits_of(type)),
                                                0x12345678};
        c.values = {few, few, few, few};
        c.reference = std::move(reference);
        cases.push_back(std::move(c));
    };
    for (const std::string type : {"u32", "s32", "u64"}) {
        const unsigned bits = bits_of(type);
        const auto join = [bits](std::uint64_t low, std::uint64_t high) {
            return static_cast<unsigned __int128>(high) << bits | low;
        };
        const auto split = [bits](unsigned __int128 x) {
            return Outputs{static_cast<std::uint64_t>(x) & mask(bits),
                           static_cast<std::uint64_t>(x >> bits) & mask(bits)};
        };
        chain(("add.cc." + type + ", addc").c_str(), type, "add.cc." + type + " o, a, c;\naddc." + type + " q, b, d;",
              [=](const Inputs& x) { return split(join(x[0], x[1]) + join(x[2], x[3])); });
        chain(("sub.cc." + type + ", subc").c_str(), type, "sub.cc." + type + " o, a, c;\nsubc." + type + " q, b, d;",
              [=](const Inputs& x) { return split(join(x[0], x[1]) - join(x[2], x[3])); });
        // The carry out of a sum that itself took one in.
        chain(("addc.cc." + type).c_str(), type,
              ".reg .b" + std::to_string(bits) + " t;\nadd.cc." + type + " t, a, b;\naddc.cc." + type +
                  " o, c, d;\naddc." + type + " q, 0, 0;",
              [=](const Inputs& x) {
                  const auto carry = (static_cast<unsigned __int128>(x[0]) + x[1]) >> bits;
                  return split(static_cast<unsigned __int128>(x[2]) + x[3] + carry);
              });
        chain(("mad.lo.cc." + type + ", madc.hi").c_str(), type,
              "mad.lo.cc." + type + " o, a, b, c;\nmadc.hi." + type + " q, a, b, d;", [=](const Inputs& x) {
                  const unsigned __int128 low = static_cast<unsigned __int128>(x[0]) * x[1];
                  const bool is_signed = type[0] == 's';
                  const std::uint64_t high =
                      is_signed ? static_cast<std::uint64_t>(sign_extend(x[0], bits) * sign_extend(x[1], bits) >> 32)
                                : static_cast<std::uint64_t>(low >> bits);
                  const unsigned __int128 sum =
                      static_cast<unsigned __int128>(static_cast<std::uint64_t>(low) & mask(bits)) + x[2];
                  return Outputs{static_cast<std::uint64_t>(sum) & mask(bits),
                                 (high + x[3] + static_cast<std::uint64_t>(sum >> bits)) & mask(bits)};
              });
    }
}

void add_dot_products(Cases& cases) {
    for (const bool a_signed : {false, true})
        for (const bool b_signed : {false, true}) {
            const std::string types = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
            const auto lane = [](std::uint64_t x, unsigned at, unsigned bits, bool is_signed) {
                const std::uint64_t part = x >> at & mask(bits);
                return is_signed ? sign_extend(part, bits) : static_cast<std::int64_t>(part);
            };
            const auto add = [&](const std::string& name, std::function<std::int64_t(const Inputs&)> sum) {
                Case c;
                c.name = name + types;
                c.body = c.name + " o, a, b, c;";
                c.inputs = {"b32", "b32", "b32"};
                c.outputs = {"b32"};
                c.values = {many_values("u32", 20), many_values("u32", 20), {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF}};
                c.reference = [sum](const Inputs& x) {
                    return Outputs{(static_cast<std::uint64_t>(sum(x)) + x[2]) & mask(32)};
                };
                cases.push_back(std::move(c));
            };
            add("dp4a", [=](const Inputs& x) {
                std::int64_t sum = 0;
                for (unsigned k = 0; k < 4; ++k)
                    sum += lane(x[0], 8 * k, 8, a_signed) * lane(x[1], 8 * k, 8, b_signed);
                return sum;
            });
            for (const bool high : {false, true})
                add(high ? "dp2a.hi" : "dp2a.lo", [=](const Inputs& x) {
                    std::int64_t sum = 0;
                    for (unsigned k = 0; k < 2; ++k)
                        sum += lane(x[0], 16 * k, 16, a_signed) * lane(x[1], 8 * k + (high ? 16 : 0), 8, b_signed);
                    return sum;
                });
        }
}

/// Pairs of 16-bit integers.
void add_pairs(Cases& cases) {
    for (const bool is_signed : {false, true}) {
        const auto add = [&](const std::string& name, std::function<std::int64_t(std::int64_t, std::int64_t)> f) {
            Case c;
            c.name = name + (is_signed ? ".s16x2" : ".u16x2");
            c.body = c.name + " o, a, b;";
            c.inputs = {"b32", "b32"};
            c.outputs = {"b32"};
            c.target = 90;
            c.values = {many_values("b32", 100), many_values("b32", 50)};
            c.reference = [=](const Inputs& x) {
                std::uint64_t d = 0;
                for (unsigned at = 0; at < 32; at += 16) {
                    const auto half = [&](std::uint64_t v) {
                        v = v >> at & 0xFFFF;
                        return is_signed ? sign_extend(v, 16) : static_cast<std::int64_t>(v);
                    };
                    d |= (static_cast<std::uint64_t>(f(half(x[0]), half(x[1]))) & 0xFFFF) << at;
                }
                return Outputs{d};
            };
            cases.push_back(std::move(c));
        };
        add("add", [](auto a, auto b) { return a + b; });
        add("min", [](auto a, auto b) { return a < b ? a : b; });
        add("max", [](auto a, auto b) { return a > b ? a : b; });
        if (is_signed) add("max.relu", [](auto a, auto b) { return a > b ? (a > 0 ? a : 0) : (b > 0 ? b : 0); });
    }
}

} // namespace

void add_integer_cases(Cases& cases) {
    for (const IntegerType& t : integer_types({16, 32, 64})) {
        add_case(cases, t, "add", 2, [](Wide a, Wide b, Wide) { return a + b; });
        add_case(cases, t, "sub", 2, [](Wide a, Wide b, Wide) { return a - b; });
        add_case(cases, t, "min", 2, [](Wide a, Wide b, Wide) { return a < b ? a : b; });
        add_case(cases, t, "max", 2, [](Wide a, Wide b, Wide) { return a > b ? a : b; });
        add_case(cases, t, "sad", 3, [](Wide a, Wide b, Wide c) { return c + (a < b ? b - a : a - b); });
        if (!t.is_signed) continue;
        add_case(cases, t, "abs", 1, [](Wide a, Wide, Wide) { return a < 0 ? -a : a; });
        add_case(cases, t, "neg", 1, [](Wide a, Wide, Wide) { return -a; });
    }
    const IntegerType s32{"s32", "b32", 32, true};
    add_case(cases, s32, "add.sat", 2,
             [](Wide a, Wide b, Wide) { return clamp(a + b, -Wide{0x80000000}, 0x7FFFFFFF); });
    add_case(cases, s32, "sub.sat", 2,
             [](Wide a, Wide b, Wide) { return clamp(a - b, -Wide{0x80000000}, 0x7FFFFFFF); });
    add_division(cases);
    add_products(cases);
    add_carries(cases);
    add_dot_products(cases);
    add_pairs(cases);
}

} // namespace instructions
