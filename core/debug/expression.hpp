// SPDX-License-Identifier: Apache-2.0
// Expressions of C++ that debuggers show and that breakpoints depend on: names, members, elements, pointers, casts,
// arithmetic, comparisons. They change nothing and call nothing.
#pragma once

#include "value.hpp"

#include <memory>
#include <string_view>

namespace warplight::debug {

struct ExpressionNode; ///< expression_tree.hpp

class Expression {
public:
    /// @throws ExpressionError
    explicit Expression(std::string_view text);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// @throws ExpressionError
    [[nodiscard]] Value evaluate(const Surroundings& where) const;
    /// Whether the value is true. @throws ExpressionError
    [[nodiscard]] bool holds(const Surroundings& where) const;

private:
    std::unique_ptr<ExpressionNode> root_;
};

} // namespace warplight::debug
