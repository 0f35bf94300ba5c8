// SPDX-License-Identifier: Apache-2.0
// Bit by bit, as the ISA's own pseudocode has it.
#include "cases.hpp"

#include <algorithm>
#include <bit>

namespace instructions {
namespace {

const std::vector<std::uint64_t> kAmounts = {0,  1,  4,  7,  8,   15,  16,  17,         31,        32,
                                             33, 63, 64, 65, 127, 255, 256, 0x80000000, 0xFFFFFFFF};
/// Positions and lengths of bit fields. The ISA counts their low 8 bits; the 64-bit forms, which GPUs do not have as
/// instructions, take all 32 there, so those are given no more than both agree on.
std::vector<std::uint64_t> field_amounts(unsigned bits) {
    std::vector<std::uint64_t> amounts = kAmounts;
    if (bits == 64) std::erase_if(amounts, [](std::uint64_t x) { return x > 255; });
    return amounts;
}

Case form(const std::string& name, const std::string& body, std::vector<std::string> inputs,
          std::vector<std::string> outputs, std::vector<std::vector<std::uint64_t>> values,
          std::function<Outputs(const Inputs&)> reference) {
    return {name, body, std::move(inputs), std::move(outputs), std::move(values), std::move(reference)};
}

void add_logic(Cases& cases) {
    for (const std::string type : {"pred", "b16", "b32", "b64"}) {
        const auto values = edge_values(type);
        const auto add = [&](const std::string& op, std::function<std::uint64_t(std::uint64_t, std::uint64_t)> f,
                             bool unary = false) {
            const std::string name = op + "." + type;
            cases.push_back(form(name, name + (unary ? " o, a;" : " o, a, b;"),
                                 std::vector<std::string>(unary ? 1 : 2, type), {type},
                                 std::vector<std::vector<std::uint64_t>>(unary ? 1 : 2, values),
                                 [=](const Inputs& x) { return Outputs{f(x[0], x[1]) & mask(bits_of(type))}; }));
        };
        add("and", [](auto a, auto b) { return a & b; });
        add("or", [](auto a, auto b) { return a | b; });
        add("xor", [](auto a, auto b) { return a ^ b; });
        add("not", [](auto a, auto) { return ~a; }, true);
        if (type != "pred") add("cnot", [](auto a, auto) { return std::uint64_t{a == 0}; }, true);
    }
    for (const unsigned table : {0x00u, 0x01u, 0x18u, 0x3Cu, 0x69u, 0x80u, 0x96u, 0xC0u, 0xCAu, 0xE8u, 0xEAu, 0xF0u,
                                 0xFEu, 0xFFu, 0x2Bu, 0x47u}) {
        const auto values = edge_values("b32");
        const auto reference = [table](const Inputs& x) {
            std::uint64_t result = 0;
            for (unsigned k = 0; k < 32; ++k) {
                const auto row = (x[0] >> k & 1) << 2 | (x[1] >> k & 1) << 1 | (x[2] >> k & 1);
                result |= std::uint64_t{table >> row & 1} << k;
            }
            return result;
        };
        cases.push_back(form("lop3.b32 " + std::to_string(table), "lop3.b32 o, a, b, c, " + std::to_string(table) + ";",
                             {"b32", "b32", "b32"}, {"b32"}, {values, values, values},
                             [reference](const Inputs& x) { return Outputs{reference(x)}; }));
    }
}

void add_shifts(Cases& cases) {
    for (const unsigned bits : {16u, 32u, 64u}) {
        const std::string b = "b" + std::to_string(bits);
        const auto values = edge_values(b);
        const auto add = [&](const std::string& name, std::function<std::uint64_t(std::uint64_t, std::uint64_t)> f) {
            cases.push_back(form(name, name + " o, a, b;", {b, "b32"}, {b}, {values, kAmounts},
                                 [=](const Inputs& x) { return Outputs{f(x[0], x[1]) & mask(bits)}; }));
        };
        add("shl." + b, [=](auto a, auto n) { return n >= bits ? 0 : a << n; });
        add("shr." + b, [=](auto a, auto n) { return n >= bits ? 0 : a >> n; });
        add("shr.u" + std::to_string(bits), [=](auto a, auto n) { return n >= bits ? 0 : a >> n; });
        add("shr.s" + std::to_string(bits), [=](auto a, auto n) {
            return static_cast<std::uint64_t>(sign_extend(a, bits) >> std::min<std::uint64_t>(n, bits - 1));
        });
    }
    for (const bool left : {false, true})
        for (const bool clamp : {false, true}) {
            const std::string name = std::string("shf.") + (left ? "l" : "r") + (clamp ? ".clamp" : ".wrap") + ".b32";
            cases.push_back(form(name, name + " o, a, b, c;", {"b32", "b32", "b32"}, {"b32"},
                                 {edge_values("b32"), edge_values("b32"), kAmounts}, [=](const Inputs& x) {
                                     const std::uint64_t both = x[1] << 32 | x[0];
                                     const std::uint64_t n = clamp ? std::min<std::uint64_t>(x[2], 32) : x[2] & 31;
                                     return Outputs{(left ? both << n >> 32 : both >> n) & mask(32)};
                                 }));
        }
}

void add_fields(Cases& cases) {
    for (const unsigned bits : {32u, 64u})
        for (const bool is_signed : {false, true}) {
            const std::string name = std::string("bfe.") + (is_signed ? "s" : "u") + std::to_string(bits);
            const std::string b = "b" + std::to_string(bits);
            cases.push_back(form(name, name + " o, a, b, c;", {b, "b32", "b32"}, {b},
                                 {edge_values(b), field_amounts(bits), field_amounts(bits)}, [=](const Inputs& x) {
                                     const unsigned position = x[1] & 0xFF, length = x[2] & 0xFF, top = bits - 1;
                                     const bool sign =
                                         is_signed && length != 0 && (x[0] >> std::min(position + length - 1, top) & 1);
                                     std::uint64_t d = 0;
                                     for (unsigned k = 0; k <= top; ++k) {
                                         const bool bit =
                                             k < length && position + k <= top ? x[0] >> (position + k) & 1 : sign;
                                         d |= std::uint64_t{bit} << k;
                                     }
                                     return Outputs{d};
                                 }));
        }
    for (const unsigned bits : {32u, 64u}) {
        const std::string b = "b" + std::to_string(bits);
        cases.push_back(form("bfi." + b, "bfi." + b + " o, a, b, c, d;", {b, b, "b32", "b32"}, {b},
                             {edge_values(b), edge_values(b), field_amounts(bits), field_amounts(bits)},
                             [=](const Inputs& x) {
                                 const unsigned position = x[2] & 0xFF, length = x[3] & 0xFF;
                                 std::uint64_t f = x[1];
                                 for (unsigned k = 0; k < length && position + k < bits; ++k) {
                                     f &= ~(std::uint64_t{1} << (position + k));
                                     f |= (x[0] >> k & 1) << (position + k);
                                 }
                                 return Outputs{f};
                             }));
        const auto unary = [&](const std::string& name, const std::string& type, const std::string& out,
                               std::function<std::uint64_t(std::uint64_t)> f) {
            cases.push_back(form(name, name + " o, a;", {type}, {out}, {many_values(type, 500)},
                                 [f](const Inputs& x) { return Outputs{f(x[0])}; }));
        };
        const int unused = 64 - static_cast<int>(bits);
        unary("clz." + b, b, "b32",
              [=](std::uint64_t x) { return static_cast<std::uint64_t>(std::countl_zero(x) - unused); });
        unary("popc." + b, b, "b32", [](std::uint64_t x) { return static_cast<std::uint64_t>(std::popcount(x)); });
        unary("brev." + b, b, b, [=](std::uint64_t x) {
            std::uint64_t r = 0;
            for (unsigned k = 0; k < bits; ++k)
                r |= (x >> k & 1) << (bits - 1 - k);
            return r;
        });
        for (const bool is_signed : {false, true})
            for (const bool amount : {false, true}) {
                const std::string name = std::string("bfind") + (amount ? ".shiftamt" : "") +
                                         (is_signed ? ".s" : ".u") + std::to_string(bits);
                unary(name, b, "b32", [=](std::uint64_t x) {
                    if (is_signed && x >> (bits - 1)) x = ~x & mask(bits);
                    for (unsigned k = bits; k-- > 0;)
                        if (x >> k & 1) return std::uint64_t{amount ? bits - 1 - k : k};
                    return mask(32);
                });
            }
    }
}

void add_masks(Cases& cases) {
    for (const bool clamp : {false, true}) {
        const std::string mode = clamp ? ".clamp" : ".wrap";
        cases.push_back(form("bmsk" + mode + ".b32", "bmsk" + mode + ".b32 o, a, b;", {"b32", "b32"}, {"b32"},
                             {kAmounts, kAmounts}, [=](const Inputs& x) {
                                 const std::uint64_t a = x[0] & 31, b = x[1] & 31;
                                 std::uint64_t low = mask(32) << a & mask(32),
                                               high = a + b >= 32 ? 0 : mask(32) << (a + b);
                                 if (clamp && x[0] >= 32) low = high = 0;
                                 if (clamp && x[1] >= 32) high = 0;
                                 return Outputs{low & ~high & mask(32)};
                             }));
        for (const bool is_signed : {false, true}) {
            const std::string name = "szext" + mode + (is_signed ? ".s32" : ".u32");
            cases.push_back(form(name, name + " o, a, b;", {"b32", "b32"}, {"b32"}, {edge_values("b32"), kAmounts},
                                 [=](const Inputs& x) {
                                     const std::uint64_t width = x[1] & 31;
                                     if (clamp && x[1] >= 32) return Outputs{x[0]};
                                     if (width == 0) return Outputs{0};
                                     std::uint64_t d = x[0] & mask(static_cast<unsigned>(width));
                                     if (is_signed && d >> (width - 1)) d |= mask(32) << width & mask(32);
                                     return Outputs{d};
                                 }));
        }
    }
    cases.push_back(
        form("fns.b32", "fns.b32 o, a, b, c;", {"b32", "b32", "b32"}, {"b32"},
             {many_values("b32", 20), range(0, 31), {0, 1, 2, 5, 16, 32, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFB}},
             [](const Inputs& x) {
                 const auto offset = static_cast<std::int32_t>(x[2]);
                 auto position = static_cast<std::int64_t>(x[1]);
                 if (offset == 0) return Outputs{x[0] >> x[1] & 1 ? x[1] : mask(32)};
                 std::int64_t count = std::abs(std::int64_t{offset}) - 1;
                 for (; position >= 0 && position < 32; position += offset > 0 ? 1 : -1)
                     if (x[0] >> position & 1 && count-- == 0) return Outputs{static_cast<std::uint64_t>(position)};
                 return Outputs{mask(32)};
             }));
}

void add_permutations(Cases& cases) {
    const auto byte = [](const Inputs& x, unsigned k) {
        return (k < 4 ? x[0] >> (8 * k) : x[1] >> (8 * (k - 4))) & 0xFF;
    };
    std::vector<std::uint64_t> selectors = {0x3210, 0x7654, 0x0123, 0x5140, 0xFEDC, 0x89AB, 0x8421, 0xFFFF3210, 0x1302};
    cases.push_back(form("prmt.b32", "prmt.b32 o, a, b, c;", {"b32", "b32", "b32"}, {"b32"},
                         {many_values("b32", 10), many_values("b32", 5), selectors}, [=](const Inputs& x) {
                             std::uint64_t d = 0;
                             for (unsigned k = 0; k < 4; ++k) {
                                 const unsigned s = x[2] >> (4 * k) & 15;
                                 std::uint64_t v = byte(x, s & 7);
                                 if (s & 8) v = v & 0x80 ? 0xFF : 0;
                                 d |= v << (8 * k);
                             }
                             return Outputs{d};
                         }));
    // Bytes of the result, lowest first, for c & 3 = 0 … 3, as the ISA's table has them.
    struct Mode {
        const char* name;
        unsigned bytes[4][4];
    };
    static constexpr Mode kModes[] = {
        {"f4e", {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}, {3, 4, 5, 6}}},
        {"b4e", {{0, 7, 6, 5}, {1, 0, 7, 6}, {2, 1, 0, 7}, {3, 2, 1, 0}}},
        {"rc8", {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}},
        {"ecl", {{0, 1, 2, 3}, {1, 1, 2, 3}, {2, 2, 2, 3}, {3, 3, 3, 3}}},
        {"ecr", {{0, 0, 0, 0}, {0, 1, 1, 1}, {0, 1, 2, 2}, {0, 1, 2, 3}}},
        {"rc16", {{0, 1, 0, 1}, {2, 3, 2, 3}, {0, 1, 0, 1}, {2, 3, 2, 3}}},
    };
    for (const Mode& mode : kModes) {
        const std::string name = std::string("prmt.b32.") + mode.name;
        cases.push_back(form(name, name + " o, a, b, c;", {"b32", "b32", "b32"}, {"b32"},
                             {many_values("b32", 20), many_values("b32", 20), {0, 1, 2, 3, 4, 0xFFFFFFFF}},
                             [=](const Inputs& x) {
                                 std::uint64_t d = 0;
                                 for (unsigned k = 0; k < 4; ++k)
                                     d |= byte(x, mode.bytes[x[2] & 3][k]) << (8 * k);
                                 return Outputs{d};
                             }));
    }
}

} // namespace

void add_bit_cases(Cases& cases) {
    add_logic(cases);
    add_shifts(cases);
    add_fields(cases);
    add_masks(cases);
    add_permutations(cases);
}

} // namespace instructions
