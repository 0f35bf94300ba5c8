// SPDX-License-Identifier: Apache-2.0
#include "ptx_text/module_variables.hpp"

#include "ptx_text/lexer.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace warplight::ptx {
namespace {

/// More than any GPU has. It keeps the products below from overflowing.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 44;

class VariableReader {
public:
    explicit VariableReader(std::string_view text) : lexer_(text) { advance(); }

    /// @param references gets the texture and surface references
    std::vector<ModuleVariable> all(std::vector<ModuleReference>& references) {
        std::vector<ModuleVariable> variables;
        bool is_extern = false;
        while (token_.kind != Token::Kind::end) {
            if (token_.is('{')) {
                pass_body();
                is_extern = false;
            } else if (token_.is_word("global") || token_.is_word("const")) {
                const bool constant = token_.is_word("const");
                advance();
                std::optional<ModuleReference> reference;
                const std::optional<ModuleVariable> variable = declaration(constant, reference);
                if (variable && !is_extern) variables.push_back(*variable);
                if (reference && !is_extern) references.push_back(*reference);
                is_extern = false;
            } else if (token_.is_word("entry") || token_.is_word("func")) {
                pass_head();
                is_extern = false;
            } else {
                is_extern = token_.is_word("extern") || (is_extern && !token_.is(';'));
                advance();
            }
        }
        return variables;
    }

private:
    void advance() { lexer_.next_valid(token_); }

    /// A function's parameters may have words of memory in them.
    void pass_head() {
        while (token_.kind != Token::Kind::end && !token_.is('{') && !token_.is(';'))
            advance();
    }

    /// To behind the brace that closes this one.
    void pass_body() {
        int depth = 0;
        do {
            if (token_.is('{')) ++depth;
            if (token_.is('}')) --depth;
            if (depth > 0) lexer_.skip_to_brace_or_line_end();
            advance();
        } while (depth > 0 && token_.kind != Token::Kind::end);
    }

    std::optional<std::uint64_t> integer() {
        if (token_.kind != Token::Kind::integer) return std::nullopt;
        const std::optional<std::uint64_t> value = integer_value(token_.text);
        advance();
        return value;
    }

    void pass_parentheses() {
        while (token_.kind != Token::Kind::end && !token_.is(')') && !token_.is(';'))
            advance();
    }

    /// From behind .global or .const to the `;`. Of one with a value the rest is passed over.
    std::optional<ModuleVariable> declaration(bool constant, std::optional<ModuleReference>& reference) {
        ModuleVariable variable;
        variable.constant = constant;
        bool is_opaque = false, is_sampler = false, is_surface = false;
        while (token_.kind != Token::Kind::end && !token_.is(';') && !token_.is('=')) {
            const Token token = token_;
            advance();
            if (token.is_word("align")) {
                variable.alignment = static_cast<std::size_t>(integer().value_or(0));
            } else if (token.is_word("attribute")) {
                pass_parentheses();
            } else if (token.is('[')) {
                variable.array = true;
                const std::uint64_t count = integer().value_or(0);
                variable.size = count != 0 && variable.size > kMostBytes / count ? 0 : variable.size * count;
            } else if (token.kind == Token::Kind::identifier && variable.name.empty()) {
                variable.name = token.text;
            } else if (token.is_word("texref") || token.is_word("surfref") || token.is_word("samplerref")) {
                is_opaque = true;
                is_sampler = token.is_word("samplerref");
                is_surface = token.is_word("surfref");
            } else if (token.is_word("v2") || token.is_word("v4")) {
                vector_ = token.is_word("v2") ? 2 : 4;
                variable.array = true;
            } else if (token.kind == Token::Kind::word && variable.type.empty()) {
                variable.size = fundamental_size(token.text) * std::exchange(vector_, 1);
                if (variable.size) variable.type = token.text;
            }
        }
        while (token_.kind != Token::Kind::end && !token_.is(';'))
            advance();
        vector_ = 1;
        if (is_opaque && !is_sampler && !variable.name.empty()) reference = ModuleReference{variable.name, is_surface};
        if (is_opaque || variable.name.empty() || variable.size == 0) return std::nullopt;
        if (!variable.alignment) variable.alignment = fundamental_size(variable.type);
        return variable;
    }

    Lexer lexer_;
    Token token_;
    std::size_t vector_ = 1;
};

} // namespace

std::size_t fundamental_size(std::string_view word) {
    static constexpr std::pair<std::string_view, std::size_t> kSizes[] = {
        {"u64", 8}, {"u32", 4}, {"f32", 4}, {"b8", 1},  {"b64", 8}, {"b32", 4},   {"f64", 8}, {"s32", 4},   {"s64", 8},
        {"u8", 1},  {"s8", 1},  {"u16", 2}, {"s16", 2}, {"b16", 2}, {"b128", 16}, {"f16", 2}, {"f16x2", 4},
    };
    for (const auto& [name, size] : kSizes)
        if (word == name) return size;
    return 0;
}

std::vector<ModuleVariable> module_variables(std::string_view text) {
    std::vector<ModuleReference> references;
    return VariableReader(text.substr(0, text.find('\0'))).all(references);
}

std::vector<ModuleReference> module_references(std::string_view text) {
    std::vector<ModuleReference> references;
    (void)VariableReader(text.substr(0, text.find('\0'))).all(references);
    return references;
}

} // namespace warplight::ptx
