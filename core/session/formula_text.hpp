// SPDX-License-Identifier: Apache-2.0
// The text of a formula, before muParser reads it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::session {

/// A name in a formula.
struct FormulaName {
    std::string_view text; ///< "x", or "p.pos.x" of a member
    std::size_t place = 0;
    bool indexed = false; ///< `x[…]` or `x(…)`

    /// What the members are of: "p".
    [[nodiscard]] std::string_view base() const { return text.substr(0, text.find('.')); }
    /// "pos.x"; empty without members.
    [[nodiscard]] std::string_view path() const { return text.substr(std::min(base().size() + 1, text.size())); }
};

/// All names, in their order. Numbers such as 1e5 have none.
std::vector<FormulaName> names_of_formula(std::string_view expression);

/// Behind a number that begins at `place`.
std::size_t end_of_number(std::string_view text, std::size_t place);

/// The formula in muParser's words, character by character: it has calls, and no brackets.
/// @throws SessionError for an assignment, a text, and brackets that do not match
std::string parser_text(const std::string& expression);

/// @throws SessionError that tells what is wrong, and where: at the character `place`, from 0. `subject` is what the
/// message begins with: where there are several formulas, the one that is meant.
[[noreturn]] void refuse_formula(const std::string& expression, std::size_t place, const std::string& problem,
                                 const std::string& subject = "The formula");

} // namespace warplight::session
