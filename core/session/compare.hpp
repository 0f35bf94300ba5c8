// SPDX-License-Identifier: Apache-2.0
/// Compares a result with the expected array, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace warplight {
class NdArray;
}

namespace warplight::session {

struct Tolerance {
    double rtol = 0;
    double atol = 0;
};

struct Comparison {
    int index = -1; ///< of the argument, from 0; -1: not known
    std::string argument;
    std::string expected;               ///< the file it was compared with …
    std::string formula;                ///< … or the formula, whose values …
    std::optional<std::int64_t> buffer; ///< … have this id in the worker
    std::string digest;                 ///< of the result, where only a digest is expected
    bool passed = false;
    std::string problem; ///< why nothing could be compared: shapes differ, file missing; else empty
    std::uint64_t elements = 0;
    std::uint64_t mismatches = 0;
    std::uint64_t first = 0; ///< flat index (C order) of the first mismatch, when there is one
    std::string first_field; ///< of structs: the field that differs there, "v[2]"; of complex numbers the part
    double first_actual = 0; ///< the two values there
    double first_expected = 0;
    double largest_absolute_error = 0; ///< over all elements; infinite where only one of the two is NaN
    std::uint64_t largest_absolute_at = 0;
    double largest_relative_error = 0; ///< |actual − expected| / |expected|, where expected is not 0
    std::uint64_t largest_relative_at = 0;
    Tolerance tolerance;
    bool stopped = false; ///< by `cancelled`: the numbers are those of a part
};

/// An element passes when |actual − expected| ≤ atol + rtol · |expected|. Equal infinities match, and so do two NaNs.
/// Integers of 64 bits are compared exactly when both tolerances are 0. Shapes must agree apart from axes of length 1.
/// dtypes may differ. Structs are compared field by field. Arrays of any order are read piece by piece, and `cancelled`
/// is asked before each piece.
/// @param differs is told each place that does not pass
Comparison compare(const NdArray& actual, const NdArray& expected, Tolerance tolerance,
                   const std::function<bool()>& cancelled = {}, const std::function<void(std::uint64_t)>& differs = {});

} // namespace warplight::session
