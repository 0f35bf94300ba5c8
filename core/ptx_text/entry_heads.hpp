// SPDX-License-Identifier: Apache-2.0
// The heads of kernels in PTX text: their names and parameters. The text may be half written or damaged.
#pragma once

#include "ptx_text/lexer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warplight::ptx {

/// A parameter as `.param .align 8 .b8 name[24]` declares it.
struct EntryParameter {
    std::string_view name;
    std::string_view type; ///< `u64`; of an array that of an element; empty where the text has none
    std::size_t size = 0;  ///< bytes; 0 where the text does not tell it
    std::size_t alignment = 0;
    std::size_t offset = 0; ///< in the parameter buffer
    bool array = false;
    bool pointer = false; ///< marked `.ptr`
};

struct EntryHead {
    std::string_view name;
    std::vector<EntryParameter> parameters;
    bool complete = false;         ///< the text tells name, type and size of each parameter
    std::uint64_t max_threads = 0; ///< first number of .maxntid, else 0
};

/// Walks over the tokens of a PTX text. Time is linear in the text's length, whatever the text.
class EntryScanner {
public:
    /// A zero byte ends the text, as it ends a C string.
    explicit EntryScanner(std::string_view text) : lexer_(text.substr(0, text.find('\0'))) { advance(); }

    [[nodiscard]] const Token& token() const { return token_; }
    void advance() { lexer_.next_valid(token_); }
    /// Goes on to the first token of the next line.
    void skip_line();

    /// Goes on to the next .entry and reads its head. token() is then the `{` of its body, unless it has none.
    std::optional<EntryHead> next_entry();
    /// Is token() the start of another function?
    [[nodiscard]] bool at_function() const { return token_.is_word("entry") || token_.is_word("func"); }

private:
    [[nodiscard]] bool head_ends() const;
    bool accept(char symbol);
    std::optional<std::uint64_t> accept_integer();
    EntryHead read_head();
    bool read_parameters(std::vector<EntryParameter>& parameters);
    bool read_parameter(EntryParameter& parameter);

    Lexer lexer_;
    Token token_;
};

} // namespace warplight::ptx
