// SPDX-License-Identifier: Apache-2.0
// The tree of an expression.
#pragma once

#include "value.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::debug {

struct ExpressionNode {
    enum class Kind : std::uint8_t { number, name, unary, binary, conditional, member, arrow, element, cast };
    Kind kind = Kind::number;
    std::string text; ///< name, operator, or type of a cast
    unsigned stars = 0;
    Value constant; ///< of a number
    std::vector<std::unique_ptr<ExpressionNode>> parts;
};

/// @throws ExpressionError
[[nodiscard]] std::unique_ptr<ExpressionNode> parse_expression(std::string_view text);

} // namespace warplight::debug
