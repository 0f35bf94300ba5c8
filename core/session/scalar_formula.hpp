// SPDX-License-Identifier: Apache-2.0
/// A formula of named numbers, with the functions of formula.hpp, such as `ceil(n/bx)` or `bx*by <= 1024`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// Computes with double precision: + - * / ^, comparisons (1 or 0), && ||, `condition ? a : b`, and functions such as
/// ceil, floor, min, max, abs, sqrt. Not for several threads at once.
class ScalarFormula {
public:
    /// @throws SessionError with the place of what cannot be read, or of a name that is not one of `names`
    ScalarFormula(std::string_view expression, std::vector<std::string> names);
    ScalarFormula(ScalarFormula&&) noexcept;
    ScalarFormula& operator=(ScalarFormula&&) noexcept;
    ~ScalarFormula();

    /// With a value for each name, in their order. @throws SessionError for another number of values
    [[nodiscard]] double value(std::span<const double> values) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::session
