// SPDX-License-Identifier: Apache-2.0
// All forms of the matrix instructions of a warp: a kernel for each, its inputs, and what it does in plain C++.
//
// A register of a fragment is 128 bytes in memory, 4 a lane; of f64 twice that. A kernel k(in, out) reads the registers
// of A, B and C one after the other and writes those of D. k(in, out, stride) moves a matrix from `in` to registers, or
// back; ldmatrix, stmatrix and movmatrix go from registers to registers, the first two by way of shared memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace matrices {

enum class Kind : std::uint8_t { product, load, store, exchange };

struct Form {
    Kind kind{};
    std::string name;
    std::string ptx; ///< of the kernel `k`
    // Of products:
    bool wmma = false;
    unsigned m = 0, n = 0, k = 0;
    bool a_by_columns = false, b_by_columns = false;
    bool sparse = false;    ///< half of A is there, and a register behind C says which
    unsigned selector = 0;  ///< which lanes of four have it
    std::string a, b, c, d; ///< types
    // Registers: of A, B, C and D; of exchanges those read and written; of moves those of the fragment.
    unsigned registers[4] = {};
    // Of moves:
    unsigned bits = 0, rows = 0, columns = 0;
    bool by_columns = false;

    [[nodiscard]] unsigned stride() const;
    [[nodiscard]] bool is_wide() const;                                    ///< f64
    [[nodiscard]] unsigned stored_k() const { return sparse ? k / 2 : k; } ///< columns of A in registers
    [[nodiscard]] bool is_integer() const { return d == "s32"; }
    [[nodiscard]] int cases() const; ///< of inputs
};

[[nodiscard]] std::vector<Form> all_forms();

constexpr unsigned kWords = 16384; ///< of 32 bits, in each of the kernel's memories

/// What is in memory before: of products 0 small numbers, of which sums are exact, 1 ordinary, 2 of wide range, 3 with
/// infinities, NaNs, subnormal and largest numbers; of integers 1 any, 2 with sums out of range.
[[nodiscard]] std::vector<std::uint32_t> input_of(const Form& form, int number);

/// What counts of the memory after.
[[nodiscard]] std::vector<std::uint32_t> result_of(const Form& form, const std::vector<std::uint32_t>& out);

/// An element of D, as real numbers have it.
struct Expected {
    unsigned reg = 0, lane = 0, part = 0; ///< where: `part` of the elements of a register
    double value = 0;
    double magnitude = 0; ///< the sum of the absolute values of all that is added
};
[[nodiscard]] std::vector<Expected> expected_of(const Form& form, const std::vector<std::uint32_t>& in);
/// The numbers that bits stand for.
[[nodiscard]] double number_of(const std::string& type, std::uint64_t bits);
[[nodiscard]] unsigned bits_of(const std::string& type);
/// Of a register of 32 bits.
[[nodiscard]] unsigned elements_of(const std::string& type);
/// Whether eight lanes have a product of their own, four products a warp.
[[nodiscard]] bool of_quads(const Form& form);
/// That 'a', 'b', 'c' or 'd' has.
[[nodiscard]] unsigned registers_of_part(const Form& form, char part);

} // namespace matrices
