// SPDX-License-Identifier: Apache-2.0
// An instruction form: a tiny PTX text, the values it is tried on, and what it must yield.
#pragma once

#include "exact.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace instructions {

inline constexpr std::size_t kMostInputs = 4, kMostOutputs = 2;
using Inputs = std::array<std::uint64_t, kMostInputs>;
using Outputs = std::array<std::uint64_t, kMostOutputs>;

/// How a result may differ from the reference.
enum class Compare : std::uint8_t {
    bits,  ///< not at all
    nan,   ///< any NaN for any NaN of the output's type
    within ///< as Case::accept says
};

struct Case {
    std::string name;                ///< the instruction, as in "add.cc.u32 + addc"
    std::string body;                ///< of inputs a, b, c, d and outputs o (and q)
    std::vector<std::string> inputs; ///< register types: "b32", "f32", "pred", …
    std::vector<std::string> outputs;
    std::vector<std::vector<std::uint64_t>> values; ///< tried for each input: all combinations, as far as they go
    std::function<Outputs(const Inputs&)> reference;
    Compare compare = Compare::bits;
    /// For Compare::within.
    std::function<bool(const Inputs&, std::uint64_t got, std::uint64_t want)> accept = {};
    unsigned target = 80;  ///< least architecture
    std::string note = {}; ///< of tolerance: what the ISA promises
};

using Cases = std::vector<Case>;
void add_integer_cases(Cases& cases);
void add_bit_cases(Cases& cases);
void add_float_cases(Cases& cases);
void add_half_cases(Cases& cases);
void add_compare_cases(Cases& cases);
void add_convert_cases(Cases& cases);
void add_approximate_cases(Cases& cases);
void add_video_cases(Cases& cases);
[[nodiscard]] Cases all_cases();

// --- values worth trying (values.cpp)
/// For a type such as "u32", "f16", "b64", "pred".
[[nodiscard]] std::vector<std::uint64_t> edge_values(const std::string& type);
/// The same and as many random ones.
[[nodiscard]] std::vector<std::uint64_t> many_values(const std::string& type, std::size_t random);
[[nodiscard]] std::vector<std::uint64_t> every_16_bit_value();
[[nodiscard]] std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last);
[[nodiscard]] unsigned bits_of(const std::string& type);
/// Numbers whose products and quotients are the least normal number, or just below or above it.
[[nodiscard]] std::vector<std::uint64_t> values_around_least_normal(const exact::Format& f);

// --- small helpers of references
inline std::int64_t sign_extend(std::uint64_t x, unsigned bits) {
    return bits == 64 ? static_cast<std::int64_t>(x) : static_cast<std::int64_t>(x << (64 - bits)) >> (64 - bits);
}
inline std::uint64_t mask(unsigned bits) { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

/// The inputs of every run of a case: combinations of its values, thinned out to a bounded number.
[[nodiscard]] std::vector<Inputs> inputs_of(const Case& c);
/// The PTX module with the kernel `k` that runs the body for each set of inputs.
[[nodiscard]] std::string ptx_of(const Case& c);

} // namespace instructions
