// SPDX-License-Identifier: Apache-2.0
// CUDA source text as a list of tokens, for reading declarations from code that may be half written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplight::compiler {

struct Token {
    enum class Kind { identifier, number, string, punctuation };
    Kind kind = Kind::punctuation;
    std::string_view text;
    int line = 1;

    bool is(std::string_view other) const { return text == other; }
    bool identifier() const { return kind == Kind::identifier; }
};

/// Leaves out comments, preprocessor lines and text that `#if 0` excludes.
/// `text` must outlive the tokens. "::", "->", "[[" and "]]" are one token; "<<" and ">>" are two.
std::vector<Token> tokenize(std::string_view text);

/// Joins tokens to text, with spaces only where they are needed or usual.
std::string text_of(const std::vector<Token>& tokens);

} // namespace warplight::compiler
