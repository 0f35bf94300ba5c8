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

/// vmad as the ISA has it; but where it is shifted or clamped, what sm_90 does: all three are signed then.
std::uint64_t multiply_add(std::int64_t a, std::int64_t b, std::uint64_t c, bool is_signed, bool minus, bool minus_c,
                           bool plus_one, unsigned shift, bool saturates) {
    const bool any = is_signed || minus || minus_c;
    a = sign_extend(static_cast<std::uint64_t>(a), 32);
    b = sign_extend(static_cast<std::uint64_t>(b), 32);
    const std::int64_t product = minus ? -(a * b) : a * b, third = sign_extend(c, 32);
    const std::int64_t sum = product + (minus_c && !minus ? -third : third) + (plus_one ? 1 : 0);
    const std::int64_t shifted =
        any ? sum >> shift : static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) >> shift);
    if (!saturates) return static_cast<std::uint64_t>(shifted) & mask(32);
    if (any || shift == 0) return static_cast<std::uint64_t>(clamp(shifted, 32, any)) & mask(32);
    return std::min(static_cast<std::uint64_t>(shifted), mask(32));
}

void add_vmad(Cases& cases) {
    struct Form {
        const char* types;
        bool left, right; ///< signed
    };
    for (const Form& f : {Form{".u32.u32.u32", false, false}, Form{".s32.s32.s32", true, true},
                          Form{".s32.u32.s32", false, true}, Form{".u32.s32.u32", true, false}})
        for (const bool sat : {false, true})
            for (const unsigned shift : {0u, 7u, 15u}) {
                const std::string name =
                    std::string("vmad") + f.types + (sat ? ".sat" : "") + (shift ? ".shr" + std::to_string(shift) : "");
                const auto reference = [=](unsigned bits, bool minus, bool minus_c) {
                    return [=](const Inputs& x) {
                        return multiply_add(part(x[0], bits, 0, f.left), part(x[1], bits, bits == 32 ? 0 : 1, f.right),
                                            x[2], f.left || f.right, minus, minus_c, false, shift, sat);
                    };
                };
                add_case(cases, name, "o, a, b, c", reference(32, false, false));
                add_case(cases, name, "o, a.h0, b.h1, c", reference(16, false, false));
                if (shift == 0) {
                    add_case(cases, name, "o, -a, b, c", reference(32, true, false));
                    add_case(cases, name, "o, a, b, -c", reference(32, false, true));
                }
            }
    for (const bool is_signed : {false, true})
        add_case(cases, std::string("vmad") + (is_signed ? ".s32.s32.s32" : ".u32.u32.u32") + ".po", "o, a, b, c",
                 [=](const Inputs& x) {
                     return multiply_add(part(x[0], 32, 0, is_signed), part(x[1], 32, 0, is_signed), x[2], is_signed,
                                         false, false, true, 0, false);
                 });
}

void add_shifts(Cases& cases) {
    for (const bool left : {false, true})
        for (const bool is_signed : {false, true})
            for (const bool wraps : {false, true}) {
                const std::string t = is_signed ? ".s32" : ".u32";
                add_case(cases, std::string(left ? "vshl" : "vshr") + t + t + ".u32" + (wraps ? ".wrap" : ".clamp"),
                         "o, a, b", [=](const Inputs& x) {
                             const std::uint64_t count = wraps ? x[1] & 31 : std::min<std::uint64_t>(x[1], 32);
                             const std::int64_t value = part(x[0], 32, 0, is_signed);
                             return left ? static_cast<std::uint64_t>(value) << count
                                         : static_cast<std::uint64_t>(value >> count);
                         });
            }
}

void add_packed(Cases& cases) {
    for (const unsigned lanes : {2u, 4u})
        for (const bool is_signed : {false, true}) {
            const std::string t = is_signed ? ".s32" : ".u32", number = std::to_string(lanes);
            const unsigned bits = 32 / lanes;
            add_case(cases, "vavrg" + number + t + t + t, "o, a, b, c", [=](const Inputs& x) {
                std::uint64_t d = 0;
                for (unsigned k = 0; k < lanes; ++k) {
                    const std::int64_t sum = part(x[0], bits, k, is_signed) + part(x[1], bits, k, is_signed);
                    d |= (static_cast<std::uint64_t>((sum + (sum >= 0)) >> 1) & mask(bits)) << (bits * k);
                }
                return d;
            });
            for (const bool minus : {false, true})
                add_case(cases, (minus ? "vsub" : "vadd") + number + t + t + t + ".add", "o, a, b, c",
                         [=](const Inputs& x) {
                             std::uint64_t sum = x[2];
                             for (unsigned k = 0; k < lanes; ++k) {
                                 const std::int64_t l = part(x[0], bits, k, is_signed);
                                 const std::int64_t r = part(x[1], bits, k, is_signed);
                                 sum += static_cast<std::uint64_t>(minus ? l - r : l + r);
                             }
                             return sum;
                         });
        }
}

} // namespace

void add_video_cases(Cases& cases) {
    add_vmad(cases);
    add_shifts(cases);
    add_packed(cases);
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
