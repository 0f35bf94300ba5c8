// SPDX-License-Identifier: Apache-2.0
// Kernels and their parameters from PTX text, for messages about wrong arguments. This reads just the heads of
// .entry functions; text that it does not understand gives no signature, never an error.
#include "interface/state.hpp"

#include <cctype>
#include <charconv>
#include <map>

namespace warplight::driver::detail {

namespace {

class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}
    /// Next token: a word (with its dots), or one character. Empty at the end.
    std::string_view next() {
        skip();
        if (at_ >= text_.size()) return {};
        const std::size_t start = at_;
        if (!is_word(text_[at_])) return text_.substr(at_++, 1);
        while (at_ < text_.size() && is_word(text_[at_]))
            ++at_;
        return text_.substr(start, at_ - start);
    }

private:
    static bool is_word(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' || c == '%';
    }
    void skip() {
        while (at_ < text_.size()) {
            if (std::isspace(static_cast<unsigned char>(text_[at_])))
                ++at_;
            else if (text_.substr(at_, 2) == "//")
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (text_.substr(at_, 2) == "/*") {
                const std::size_t end = text_.find("*/", at_ + 2);
                at_ = end == std::string_view::npos ? text_.size() : end + 2;
            } else
                break;
        }
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

std::size_t to_number(std::string_view word) {
    std::size_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

/// ".f32" → real, 4 bytes. False for a word that is no type.
bool read_type(std::string_view word, ParameterInfo& parameter) {
    if (word.size() < 3 || word[0] != '.') return false;
    const std::size_t bits = to_number(word.substr(2));
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) return false;
    switch (word[1]) {
    case 'u':
    case 's': parameter.type = ParameterInfo::Type::integer; break;
    case 'f': parameter.type = ParameterInfo::Type::real; break;
    case 'b': parameter.type = ParameterInfo::Type::bits; break;
    default: return false;
    }
    parameter.size = bits / 8;
    return true;
}

/// Reads from behind "(" to ")". False when it is not understood.
bool read_parameters(Tokens& tokens, std::vector<ParameterInfo>& parameters) {
    std::size_t end = 0;
    std::string_view token = tokens.next();
    if (token == ")") return true;
    for (;;) {
        if (token != ".param") return false;
        ParameterInfo parameter;
        std::size_t alignment = 0;
        bool pointer = false;
        for (token = tokens.next(); !token.empty() && token[0] == '.'; token = tokens.next()) {
            if (read_type(token, parameter)) continue;
            if (token == ".ptr") pointer = true; // the .align behind it is that of what it points to
            if (token == ".align") {
                const std::size_t value = to_number(tokens.next());
                if (!pointer) alignment = value;
            }
        }
        if (token.empty() || parameter.size == 0) return false;
        parameter.name = token;
        if (!alignment) alignment = parameter.size;
        token = tokens.next();
        if (token == "[") {
            const std::size_t count = to_number(tokens.next());
            if (tokens.next() != "]" || count == 0 || count > 65536) return false;
            parameter.size *= count;
            parameter.type = ParameterInfo::Type::bytes;
            token = tokens.next();
        }
        parameter.offset = (end + alignment - 1) / alignment * alignment;
        end = parameter.offset + parameter.size;
        parameters.push_back(std::move(parameter));
        if (token == ")") return true;
        if (token != ",") return false;
        token = tokens.next();
    }
}

} // namespace

std::map<std::string, std::vector<ParameterInfo>> scan_ptx_signatures(std::string_view text) {
    std::map<std::string, std::vector<ParameterInfo>> signatures;
    Tokens tokens(text);
    for (std::string_view token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token != ".entry") continue;
        const std::string name(tokens.next());
        std::vector<ParameterInfo> parameters;
        const std::string_view open = tokens.next();
        // A kernel without parameters may have no parentheses.
        if (open == "(" && !read_parameters(tokens, parameters)) continue;
        signatures.emplace(name, std::move(parameters));
    }
    return signatures;
}

} // namespace warplight::driver::detail
