// SPDX-License-Identifier: Apache-2.0
// Names and operands.
#include "parser_state.hpp"
#include "words.hpp"

namespace warplight::ptx {

// --- names

void Parser::bind(std::string_view name, Symbol symbol) {
    Symbol& slot = names_[name];
    if (undo_.size() <= symbol.depth) undo_.resize(symbol.depth + 1u);
    undo_[symbol.depth].push_back({name, slot});
    slot = symbol;
}

void Parser::declare(const Token& at, std::string_view name, Symbol symbol) {
    symbol.depth = depth_;
    const Symbol* known = names_.find(name);
    if (known && known->kind != Symbol::Kind::none && known->depth == depth_)
        fail(at, "duplicate declaration of '" + std::string(name) + "'");
    bind(name, symbol);
}

RegisterId Parser::add_register(std::string_view name, Type type) {
    function_->registers.push_back({std::string(name), type});
    return static_cast<RegisterId>(function_->registers.size() - 1);
}

/// A register of a parametrised declaration in a scope deeper than `below_depth`, made now.
std::optional<Parser::Symbol> Parser::find_in_ranges(std::string_view name, std::uint16_t below_depth) {
    std::size_t digits = 0;
    while (digits < name.size() && name[name.size() - 1 - digits] >= '0' && name[name.size() - 1 - digits] <= '9')
        ++digits;
    if (digits == 0) return std::nullopt;
    for (auto range = ranges_.rbegin(); range != ranges_.rend() && range->depth > below_depth; ++range) {
        if (!name.starts_with(range->prefix)) continue;
        const std::string_view number = name.substr(range->prefix.size());
        if (number.empty() || number.size() > 8 || number.size() > digits || (number.size() > 1 && number[0] == '0'))
            continue;
        std::uint64_t value = 0;
        for (const char c : number)
            value = value * 10 + static_cast<std::uint64_t>(c - '0');
        if (value >= range->count) continue;
        Symbol symbol{Symbol::Kind::reg, 1, range->depth, add_register(name, range->type)};
        bind(name, symbol);
        return symbol;
    }
    return std::nullopt;
}

std::optional<Parser::Symbol> Parser::lookup(std::string_view name) {
    const Symbol* known = names_.find(name);
    const bool found = known && known->kind != Symbol::Kind::none;
    if (!ranges_.empty() && (!found || ranges_.back().depth > known->depth)) {
        const std::optional<Symbol> made = find_in_ranges(name, found ? known->depth : std::uint16_t{0});
        if (made) return made;
    }
    return found ? std::optional(*known) : std::nullopt;
}

// --- operands

Operand Parser::immediate(const Constant& c) const {
    Operand o;
    o.kind = c.floating ? Operand::Kind::floating : Operand::Kind::integer;
    o.type = c.floating ? c.type : Type::none;
    o.integer = static_cast<std::int64_t>(c.bits);
    return o;
}

/// A special register, with a dotted part that belongs to its name (`%tid.x`).
Operand Parser::parse_special(const Token& name) {
    if (name.text.size() > 1 && name.text[0] == '%') {
        std::string special(name.text.substr(1));
        if (token_.kind == Token::Kind::word && token_.joined) {
            special += '.';
            special += token_.text;
        }
        if (const auto found = find_special_register(special)) {
            if (special.size() + 1 != name.text.size()) advance();
            Operand o;
            o.kind = Operand::Kind::special;
            o.special = *found;
            return o;
        }
    }
    fail(name, "name '" + std::string(name.text) + "' is not declared");
}

/// A vector register, or its element (`.y`).
Operand Parser::parse_vector_register(const Token& name, const Symbol& symbol) {
    Operand o;
    o.index = symbol.index;
    if (token_.kind == Token::Kind::word && token_.joined && token_.text.size() == 1) {
        static constexpr std::string_view kPositions = "xyzw", kColours = "rgba";
        std::size_t element = kPositions.find(token_.text[0]);
        if (element == std::string_view::npos) element = kColours.find(token_.text[0]);
        if (element >= symbol.count) fail(token_, "no such element of the vector '" + std::string(name.text) + "'");
        advance();
        o.kind = Operand::Kind::reg;
        o.reg = symbol.index + static_cast<RegisterId>(element);
        return o;
    }
    o.kind = Operand::Kind::vector;
    for (unsigned k = 0; k < symbol.count; ++k) {
        Operand& element = o.elements.emplace_back();
        element.kind = Operand::Kind::reg;
        element.reg = symbol.index + k;
    }
    return o;
}

/// The operand that a name stands for, with a dotted part that belongs to it.
Operand Parser::parse_named(const Token& name) {
    const std::optional<Symbol> symbol = lookup(name.text);
    if (!symbol) return parse_special(name);
    if (symbol->kind == Symbol::Kind::vector_register) return parse_vector_register(name, *symbol);
    Operand o;
    o.index = symbol->index;
    const auto variable = [&](Operand::Scope scope) {
        o.kind = Operand::Kind::variable;
        o.scope = scope;
    };
    switch (symbol->kind) {
    case Symbol::Kind::reg:
        o.kind = Operand::Kind::reg;
        o.reg = symbol->index;
        break;
    case Symbol::Kind::module_variable: variable(Operand::Scope::module); break;
    case Symbol::Kind::function_variable: variable(Operand::Scope::function); break;
    case Symbol::Kind::parameter: variable(Operand::Scope::parameter); break;
    case Symbol::Kind::result: variable(Operand::Scope::result); break;
    case Symbol::Kind::function: o.kind = Operand::Kind::function; break;
    case Symbol::Kind::vector_register:
    case Symbol::Kind::none: break;
    }
    return o;
}

/// `.b0`, `.h1`, `.b3210` behind a register.
void Parser::parse_selector(Operand& o) {
    if (token_.kind != Token::Kind::word || !token_.joined) return;
    const std::string_view s = token_.text;
    const unsigned unit = s[0] == 'b' ? 1 : s[0] == 'h' ? 2 : 0;
    bool good = unit != 0 && s.size() >= 2 && s.size() <= 5;
    for (std::size_t k = 1; good && k < s.size(); ++k) {
        // In a packed form digits from 4 (or 2) up name lanes of the second source.
        good = s[k] >= '0' && s[k] <= '7';
        if (good) o.selector.lanes[k - 1] = static_cast<std::uint8_t>(s[k] - '0');
    }
    if (!good) fail(token_, "unknown operand selector '." + std::string(s) + "'");
    o.selector.unit = static_cast<std::uint8_t>(unit);
    o.selector.count = static_cast<std::uint8_t>(s.size() - 1);
    advance();
}

/// Behind `[`: a base, a constant offset, and for textures and tensors the operands behind the base.
Operand Parser::parse_address(unsigned depth) {
    Operand o;
    o.kind = Operand::Kind::address;
    if (token_.kind == Token::Kind::identifier && !token_.is_identifier("WARP_SZ")) {
        const Token name = token_;
        advance();
        const Operand base = parse_named(name);
        if (base.kind != Operand::Kind::reg && base.kind != Operand::Kind::variable)
            fail(name, "'" + std::string(name.text) + "' cannot be the base of an address");
        o.base_kind = base.kind;
        o.reg = base.reg;
        o.index = base.index;
        o.scope = base.scope;
        if (token_.is('+') || token_.is('-')) {
            const bool minus = token_.is('-');
            advance();
            const Token at = token_;
            const Constant c = parse_constant();
            if (c.floating) fail(at, "an offset must be an integer");
            o.integer = static_cast<std::int64_t>(minus ? 0 - c.bits : c.bits);
        }
    } else {
        const Token at = token_;
        const Constant c = parse_constant();
        if (c.floating) fail(at, "an address must be an integer");
        o.integer = static_cast<std::int64_t>(c.bits);
    }
    while (accept(',')) {
        if (o.elements.size() == kMaxOperands) fail(token_, "too many operands");
        o.elements.push_back(parse_operand(false, depth + 1));
    }
    expect(']');
    return o;
}

Operand Parser::parse_vector(unsigned depth) {
    if (depth > 2) fail(token_, "vectors are nested too deeply");
    Operand o;
    o.kind = Operand::Kind::vector;
    if (accept('}')) return o;
    do {
        if (o.elements.size() == kMaxVectorElements) fail(token_, "too many elements in a vector");
        o.elements.push_back(parse_operand(false, depth + 1));
    } while (accept(','));
    expect('}');
    return o;
}

/// `first|predicate`
Operand Parser::parse_pair(Operand first) {
    expect('|');
    Operand pair;
    pair.kind = Operand::Kind::predicated_pair;
    pair.elements.push_back(std::move(first));
    const Token second = token_;
    const std::string_view text = expect_identifier("a predicate");
    pair.elements.push_back(text == "_" ? Operand{} : parse_named(second));
    return pair;
}

Operand Parser::parse_operand(bool allow_pair, unsigned depth) {
    if (accept('[')) {
        if (depth > 0) fail(token_, "unexpected '['");
        return parse_address(depth);
    }
    if (accept('{')) {
        Operand vector = parse_vector(depth);
        if (!allow_pair || !token_.is('|')) return vector;
        return parse_pair(std::move(vector));
    }
    Operand o;
    bool negated = false;
    const Token first = token_;
    if (first.is('!') || first.is('-')) {
        // A negated register; or else a constant expression that begins so.
        Lexer behind = lexer_;
        const Token next = behind.next();
        if (next.kind == Token::Kind::identifier && !next.is_identifier("WARP_SZ")) {
            negated = true;
            advance();
        }
    }
    if (token_.kind != Token::Kind::identifier || token_.is_identifier("WARP_SZ")) return immediate(parse_constant());

    const Token name = token_;
    advance();
    if (name.text != "_") o = parse_named(name);
    if (negated) {
        if (o.kind != Operand::Kind::reg) fail(first, "only a register can be negated");
        o.negated = true;
    }
    if (allow_pair && token_.is('|')) {
        return parse_pair(std::move(o));
    }
    if (o.kind == Operand::Kind::reg) {
        parse_selector(o);
    } else if (o.kind == Operand::Kind::variable) {
        if (token_.is('+') || token_.is('-')) {
            const bool minus = token_.is('-');
            advance();
            const Token at = token_;
            const Constant c = parse_constant();
            if (c.floating) fail(at, "an offset must be an integer");
            o.integer = static_cast<std::int64_t>(minus ? 0 - c.bits : c.bits);
        } else if (accept('[')) {
            // name[i]: the i-th element's address
            const Variable& v = o.scope == Operand::Scope::module     ? module_.variables[o.index]
                                : o.scope == Operand::Scope::function ? function_->variables[o.index]
                                : o.scope == Operand::Scope::result   ? function_->results[o.index]
                                                                      : function_->parameters[o.index];
            const std::uint64_t element = bits(v.type) / 8 * v.vector_width;
            const std::uint64_t index = parse_count("an array index", kMaxVariableSize);
            expect(']');
            o.kind = Operand::Kind::address;
            o.base_kind = Operand::Kind::variable;
            o.integer = static_cast<std::int64_t>(index * element);
        }
    }
    return o;
}

} // namespace warplight::ptx
