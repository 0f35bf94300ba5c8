// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <algorithm>
#include <cstdlib>

namespace instructions {
namespace {

using Operation = std::function<std::int64_t(std::int64_t, std::int64_t)>;

std::int64_t part(std::uint64_t word, unsigned bits, unsigned index, bool is_signed) {
    const std::uint64_t x = word >> (bits * index) & mask(bits);
    return is_signed ? sign_extend(x, bits) : static_cast<std::int64_t>(x);
}

std::int64_t clamp(std::int64_t x, unsigned bits, bool is_signed) {
    const auto high = static_cast<std::int64_t>(is_signed ? mask(bits) >> 1 : mask(bits));
    return std::clamp(x, is_signed ? -high - 1 : 0, high);
}

void add_case(Cases& cases, const std::string& name, const std::string& operands,
              std::function<std::uint64_t(const Inputs&)> reference) {
    Case c;
    c.name = name + " " + operands;
    c.body = c.name + ";";
    c.inputs = {"b32", "b32", "b32"};
    c.outputs = {"b32"};
    c.values = {many_values("b32", 20), many_values("b32", 20), many_values("b32", 3)};
    c.reference = [reference](const Inputs& x) { return Outputs{reference(x) & mask(32)}; };
    cases.push_back(std::move(c));
}

} // namespace

void add_video_cases(Cases& cases) {
    const std::vector<std::pair<std::string, Operation>> operations = {
        {"vadd", [](auto a, auto b) { return a + b; }},
        {"vsub", [](auto a, auto b) { return a - b; }},
        {"vabsdiff", [](auto a, auto b) { return std::abs(a - b); }},
        {"vmin", [](auto a, auto b) { return std::min(a, b); }},
        {"vmax", [](auto a, auto b) { return std::max(a, b); }},
    };
    for (const auto& [name, f] : operations)
        for (const bool is_signed : {false, true}) {
            const std::string t = is_signed ? ".s32" : ".u32", types = t + t + t;
            const Operation operation = f;
            for (const bool sat : {false, true}) {
                const std::string mnemonic = name + types + (sat ? ".sat" : "");
                add_case(cases, mnemonic, "o, a.b1, b.h1", [=](const Inputs& x) {
                    const std::int64_t r = operation(part(x[0], 8, 1, is_signed), part(x[1], 16, 1, is_signed));
                    return static_cast<std::uint64_t>(sat ? clamp(r, 32, is_signed) : r);
                });
                add_case(cases, mnemonic, "o.b2, a, b, c", [=](const Inputs& x) {
                    std::int64_t r = operation(part(x[0], 32, 0, is_signed), part(x[1], 32, 0, is_signed));
                    // What sm_90 does: below zero it ends at the top, where the ISA would clamp to the range of a byte.
                    const std::int64_t most = is_signed ? 0x7F : 0xFF;
                    if (sat && (r < 0 || r > most)) r = most;
                    return (x[2] & ~std::uint64_t{0xFF0000}) | (static_cast<std::uint64_t>(r) & 0xFF) << 16;
                });
                for (const unsigned lanes : {2u, 4u}) {
                    add_case(cases, name + std::to_string(lanes) + types + (sat ? ".sat" : ""), "o, a, b, c",
                             [=](const Inputs& x) {
                                 std::uint64_t d = 0;
                                 const unsigned bits = 32 / lanes;
                                 for (unsigned k = 0; k < lanes; ++k) {
                                     std::int64_t r =
                                         operation(part(x[0], bits, k, is_signed), part(x[1], bits, k, is_signed));
                                     if (sat) r = clamp(r, bits, is_signed);
                                     d |= (static_cast<std::uint64_t>(r) & mask(bits)) << (bits * k);
                                 }
                                 return d;
                             });
                }
            }
            add_case(cases, name + types + ".max", "o, a, b.b3, c", [=](const Inputs& x) {
                const std::int64_t exactly = operation(part(x[0], 32, 0, is_signed), part(x[1], 8, 3, is_signed));
                const std::uint64_t r = static_cast<std::uint64_t>(exactly) & mask(32);
                // On sm_90 a difference does not wrap before it is compared, and of large numbers sums win.
                if (name == "vabsdiff")
                    return static_cast<std::uint64_t>(std::max(exactly, part(x[2], 32, 0, is_signed)));
                if ((name == "vadd" || name == "vsub") && !is_signed && (r & x[2]) >> 31) return r;
                return static_cast<std::uint64_t>(std::max(part(r, 32, 0, is_signed), part(x[2], 32, 0, is_signed)));
            });
        }
    for (const unsigned lanes : {2u, 4u})
        add_case(cases, "vabsdiff" + std::to_string(lanes) + ".u32.u32.u32.add", "o, a, b, c", [=](const Inputs& x) {
            std::uint64_t sum = x[2];
            for (unsigned k = 0; k < lanes; ++k)
                sum += static_cast<std::uint64_t>(
                    std::abs(part(x[0], 32 / lanes, k, false) - part(x[1], 32 / lanes, k, false)));
            return sum;
        });
    add_case(cases, "vset4.u32.u32.lt", "o, a, b, c", [](const Inputs& x) {
        std::uint64_t d = 0;
        for (unsigned k = 0; k < 4; ++k)
            d |= std::uint64_t{part(x[0], 8, k, false) < part(x[1], 8, k, false)} << (8 * k);
        return d;
    });
}

} // namespace instructions
