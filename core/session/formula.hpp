// SPDX-License-Identifier: Apache-2.0
/// A formula of named variables, such as `ceil(n/bx)` or `bx*by <= 1024`.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// Computes with double precision: + - * / ^, comparisons (1 or 0), && ||, `condition ? a : b`, and functions such as
/// ceil, floor, min, max, abs, sqrt. Not for several threads at once.
class Formula {
public:
    /// @throws SessionError with the place of what cannot be read, or of a name that is not one of `names`
    Formula(std::string_view expression, std::vector<std::string> names);
    Formula(Formula&&) noexcept;
    Formula& operator=(Formula&&) noexcept;
    ~Formula();

    /// With a value for each name, in their order. @throws SessionError for another number of values
    [[nodiscard]] double value(std::span<const double> values) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace warplight::session
