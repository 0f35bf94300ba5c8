// SPDX-License-Identifier: Apache-2.0
#include "ptx_text/entry_heads.hpp"

#include "ptx_text/module_variables.hpp"

namespace warplight::ptx {
namespace {

/// Far above the 32764 bytes that a kernel's parameters may have. It keeps the sums below from overflowing.
constexpr std::uint64_t kMaxParameterSize = 1u << 20;

} // namespace

bool EntryScanner::head_ends() const {
    return token_.kind == Token::Kind::end || token_.is('{') || token_.is(';') || at_function();
}

bool EntryScanner::accept(char symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
}

std::optional<std::uint64_t> EntryScanner::accept_integer() {
    if (token_.kind != Token::Kind::integer) return std::nullopt;
    const std::optional<std::uint64_t> value = integer_value(token_.text);
    advance();
    return value;
}

void EntryScanner::skip_line() {
    const std::uint32_t line = token_.line;
    while (token_.kind != Token::Kind::end && token_.line == line) {
        lexer_.skip_to_brace_or_line_end();
        advance();
    }
}

std::optional<EntryHead> EntryScanner::next_entry() {
    while (token_.kind != Token::Kind::end) {
        if (!token_.is_word("entry")) {
            lexer_.skip_to(".entry");
            advance();
            continue;
        }
        advance();
        if (token_.kind == Token::Kind::identifier) return read_head();
    }
    return std::nullopt;
}

/// From the name to the body's "{".
EntryHead EntryScanner::read_head() {
    EntryHead head;
    head.name = token_.text;
    advance();
    // A kernel without parameters may have no parentheses.
    head.complete = !accept('(') || read_parameters(head.parameters);
    while (!head_ends()) {
        const bool maxntid = token_.is_word("maxntid");
        advance();
        if (maxntid) head.max_threads = accept_integer().value_or(0);
    }
    return head;
}

/// From behind "(" to behind ")".
bool EntryScanner::read_parameters(std::vector<EntryParameter>& parameters) {
    bool complete = true;
    std::size_t end = 0;
    while (!accept(')')) {
        if (head_ends()) return false;
        if (!token_.is_word("param")) {
            complete = false;
            advance();
            continue;
        }
        advance();
        EntryParameter parameter;
        complete = read_parameter(parameter) && complete;
        if (parameter.alignment) end = (end + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
        parameter.offset = end;
        end += parameter.size;
        parameters.push_back(parameter);
        if (!token_.is(')')) complete = accept(',') && complete;
    }
    return complete;
}

/// From behind ".param" to the "," or ")" after it.
bool EntryScanner::read_parameter(EntryParameter& parameter) {
    bool understood = true;
    while (!token_.is(',') && !token_.is(')') && !head_ends()) {
        const Token token = token_;
        advance();
        if (token.is_word("ptr")) {
            parameter.pointer = true;
        } else if (token.is_word("align")) {
            const std::uint64_t alignment = accept_integer().value_or(0);
            const bool valid = alignment != 0 && alignment <= kMaxParameterSize;
            understood = understood && valid;
            // Behind .ptr it is the alignment of the memory that the pointer points to.
            if (valid && !parameter.pointer) parameter.alignment = alignment;
        } else if (token.is('[')) {
            parameter.array = true;
            const std::uint64_t count = accept_integer().value_or(0);
            if (!accept(']') || count > kMaxParameterSize) understood = false;
            parameter.size = count > kMaxParameterSize ? 0 : parameter.size * count;
            if (parameter.size > kMaxParameterSize) parameter.size = 0;
        } else if (token.kind == Token::Kind::identifier) {
            parameter.name = token.text;
        } else if (token.kind == Token::Kind::word && parameter.type.empty()) {
            parameter.size = fundamental_size(token.text);
            if (parameter.size) parameter.type = token.text;
        }
    }
    if (!parameter.alignment) parameter.alignment = fundamental_size(parameter.type);
    return understood && !parameter.name.empty() && parameter.size != 0;
}

} // namespace warplight::ptx
