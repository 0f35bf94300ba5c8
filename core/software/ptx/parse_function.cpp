// SPDX-License-Identifier: Apache-2.0
// Functions: their heads, scopes, registers and labels.
#include "parser_state.hpp"
#include "words.hpp"

namespace warplight::ptx {

std::vector<Variable> Parser::parse_parameters(bool kernel, std::vector<Token>* names) {
    std::vector<Variable> parameters;
    expect('(');
    if (accept(')')) return parameters;
    do {
        Space space = Space::param;
        if (token_.is_word("reg") && !kernel)
            space = Space::reg;
        else if (!token_.is_word("param"))
            unexpected(kernel ? "'.param'" : "'.param' or '.reg'");
        advance();
        Variable v = parse_declarator_type(space);
        const Token name = token_;
        v.name = expect_identifier("a parameter's name");
        std::vector<std::uint64_t> dimensions;
        parse_dimensions(v, dimensions);
        if (names) names->push_back(name);
        parameters.push_back(std::move(v));
    } while (accept(','));
    expect(')');
    return parameters;
}

void Parser::parse_function_directives(Function& f) {
    const auto dimensions = [this](std::array<std::uint32_t, 3>& out) {
        out = {1, 1, 1};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            out[axis] = static_cast<std::uint32_t>(parse_count("a number of threads or blocks", 0x7FFFFFFF));
            if (!accept(',')) break;
        }
    };
    while (token_.kind == Token::Kind::word) {
        const Token word = token_;
        advance();
        const std::string_view s = word.text;
        if (s == "maxntid") {
            dimensions(f.max_threads);
        } else if (s == "reqntid") {
            dimensions(f.required_threads);
        } else if (s == "reqnctapercluster") {
            dimensions(f.required_cluster);
        } else if (s == "minnctapersm") {
            f.min_blocks = static_cast<std::uint32_t>(parse_count("a number of blocks", 0x7FFFFFFF));
        } else if (s == "maxnreg") {
            f.max_registers = static_cast<std::uint32_t>(parse_count("a number of registers", 0x7FFFFFFF));
        } else if (s == "maxclusterrank") {
            f.most_cluster_blocks = static_cast<std::uint32_t>(parse_count("a number of blocks", 0x7FFFFFFF));
        } else if (s == "maxnctapersm" || s == "abi_preserve" || s == "abi_preserve_control") {
            parse_count("a number", 0x7FFFFFFF);
        } else if (s == "noreturn") {
            f.noreturn = true;
        } else if (s == "explicitcluster") {
            f.explicit_cluster = true;
        } else if (s == "blocksareclusters") {
            continue;
        } else if (s == "pragma") {
            do {
                if (token_.kind != Token::Kind::string) unexpected("a string");
                advance();
            } while (accept(','));
            expect(';');
        } else if (s == "attribute") {
            parse_attributes();
        } else {
            fail(word, "unknown directive '." + std::string(s) + "'");
        }
    }
}

void Parser::declare_parameters(std::vector<Variable>& parameters, const std::vector<Token>& names, Symbol::Kind kind) {
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        if (names[k].text == "_") continue;
        Symbol symbol{kind, 0, 0, static_cast<std::uint32_t>(k)};
        if (parameters[k].space == Space::reg) {
            symbol.kind = Symbol::Kind::reg;
            symbol.index = add_register(names[k].text, parameters[k].type);
            parameters[k].reg = symbol.index;
        }
        declare(names[k], names[k].text, symbol);
    }
}

void Parser::parse_function(bool kernel, Linkage linkage) {
    if (token_.is_word("attribute")) {
        advance();
        parse_attributes();
    }
    Function head;
    std::vector<Token> result_names, parameter_names;
    if (token_.is('(')) {
        if (kernel) fail(token_, "a kernel has no results");
        head.results = parse_parameters(false, &result_names);
    }
    const Token name = token_;
    head.name = expect_identifier("a function's name");
    head.kernel = kernel;
    head.linkage = linkage;
    head.line = name.line;
    if (token_.is('(')) head.parameters = parse_parameters(kernel, &parameter_names);
    parse_function_directives(head);

    FunctionId id;
    if (const Symbol* known = names_.find(name.text); known && known->kind == Symbol::Kind::function) {
        id = known->index;
        Function& old = module_.functions[id];
        if (old.kernel != kernel) fail(name, "'" + head.name + "' was declared as another kind of function");
        if (old.parameters.size() != head.parameters.size() || old.results.size() != head.results.size())
            fail(name, "'" + head.name + "' was declared with other parameters");
        head.noreturn = head.noreturn || old.noreturn;
        if (!token_.is('{')) {
            expect(';');
            return;
        }
        if (old.defined) fail(name, "duplicate definition of '" + head.name + "'");
        if (old.linkage != Linkage::external && linkage == Linkage::internal) head.linkage = old.linkage;
        old = std::move(head);
    } else {
        id = static_cast<FunctionId>(module_.functions.size());
        declare(name, name.text, {Symbol::Kind::function, 0, 0, id});
        module_.functions.push_back(std::move(head));
        if (accept(';')) return;
    }
    if (!token_.is('{')) unexpected("'{' or ';'");

    function_ = &module_.functions[id];
    function_->defined = true;
    location_ = -1;
    depth_ = 1;
    declare_parameters(function_->results, result_names, Symbol::Kind::result);
    declare_parameters(function_->parameters, parameter_names, Symbol::Kind::parameter);
    parse_body();
    close_scope();
    function_ = nullptr;
}

// --- bodies

void Parser::open_scope() {
    if (depth_ >= kMaxScopeDepth) fail(token_, "scopes are nested too deeply");
    ++depth_;
    scopes_.push_back({scope_, {}});
    scope_ = static_cast<std::int32_t>(scopes_.size()) - 1;
}

/// Forgets the names of the scope.
void Parser::close_scope() {
    if (undo_.size() > depth_) {
        std::vector<Undo>& changes = undo_[depth_];
        for (auto change = changes.rbegin(); change != changes.rend(); ++change)
            names_[change->name] = change->previous;
        changes.clear();
    }
    while (!ranges_.empty() && ranges_.back().depth == depth_)
        ranges_.pop_back();
    if (scope_ >= 0) scope_ = scopes_[static_cast<std::size_t>(scope_)].parent;
    --depth_;
}

void Parser::parse_body() {
    const std::uint16_t outside = depth_;
    expect('{');
    open_scope();
    while (depth_ != outside) {
        if (accept('{'))
            open_scope();
        else if (token_.is('}')) {
            if (depth_ == outside + 1) finish_body(); // before the names of this scope go
            close_scope();
            advance();
        } else {
            parse_statement();
        }
    }
}

void Parser::parse_statement() {
    if (token_.kind == Token::Kind::identifier) {
        Lexer behind = lexer_;
        if (behind.next().is(':')) {
            const Token name = token_;
            advance();
            advance();
            return parse_label(name);
        }
        return parse_instruction();
    }
    if (token_.is('@')) return parse_instruction();
    if (token_.kind != Token::Kind::word) unexpected("an instruction");
    const Token word = token_;
    const std::string_view s = word.text;
    if (s == "loc") return parse_location();
    advance();
    if (s == "reg") return parse_register_declaration();
    if (s == "pragma") {
        do {
            if (token_.kind != Token::Kind::string) unexpected("a string");
            advance();
        } while (accept(','));
        return expect(';');
    }
    Linkage linkage = Linkage::internal;
    std::string_view space_name = s;
    if (s == "extern") {
        linkage = Linkage::external;
        space_name = token_.kind == Token::Kind::word ? token_.text : std::string_view{};
        advance();
    }
    if (space_name == "local") return parse_variables(Space::local, linkage, false);
    if (space_name == "shared" || space_name == "shared::cta") return parse_variables(Space::shared, linkage, false);
    if (space_name == "param") return parse_variables(Space::param, linkage, false);
    if (space_name == "global") return parse_variables(Space::global, linkage, false);
    if (space_name == "const") return parse_variables(Space::constant, linkage, false);
    fail(word, "unknown directive '." + std::string(s) + "'");
}

void Parser::parse_label(const Token& name) {
    if (token_.is_word("callprototype")) {
        advance();
        return parse_prototype(name.text);
    }
    if (token_.is_word("calltargets")) {
        advance();
        return parse_call_targets(name.text);
    }
    if (token_.is_word("branchtargets")) {
        advance();
        return parse_branch_targets(name.text);
    }
    NameMap<LabelId>& labels = scopes_[static_cast<std::size_t>(scope_)].labels;
    if (labels.find(name.text)) fail(name, "duplicate label '" + std::string(name.text) + "'");
    labels[name.text] = static_cast<LabelId>(function_->labels.size());
    function_->labels.push_back({std::string(name.text), static_cast<std::uint32_t>(function_->instructions.size())});
}

void Parser::resolve_labels() {
    for (const LabelUse& use : label_uses_) {
        const LabelId* found = nullptr;
        for (std::int32_t s = use.scope; s >= 0 && !found; s = scopes_[static_cast<std::size_t>(s)].parent)
            found = scopes_[static_cast<std::size_t>(s)].labels.find(use.name);
        if (!found) fail(use.place, "label '" + std::string(use.name) + "' is not defined");
        if (use.in_instruction)
            function_->instructions[use.index].operands[use.element].index = *found;
        else
            function_->branch_targets[use.index].labels[use.element] = *found;
    }
}

void Parser::finish_body() {
    resolve_labels();
    resolve_calls();
    // A body that runs out returns: with an instruction there, every label has one behind it.
    std::vector<Instruction>& code = function_->instructions;
    bool open =
        code.empty() || code.back().guarded ||
        (code.back().opcode != Opcode::ret && code.back().opcode != Opcode::exit && code.back().opcode != Opcode::bra);
    if (!function_->labels.empty() && function_->labels.back().instruction == code.size()) open = true;
    if (open) {
        Instruction end;
        end.opcode = Opcode::ret;
        end.line = token_.line;
        end.column = token_.column;
        end.location = location_;
        code.push_back(std::move(end));
    }
    scopes_.clear();
    scope_ = -1;
    label_uses_.clear();
    call_uses_.clear();
    table_uses_.clear();
    prototypes_.clear();
    branch_lists_.clear();
    call_lists_.clear();
    call_targets_.clear();
}

// --- registers

void Parser::parse_register_declaration() {
    const Variable type = parse_declarator_type(Space::reg);
    do {
        const Token name = token_;
        expect_identifier("a register's name");
        if (token_.is('<')) {
            advance();
            const std::uint64_t count = parse_count("the number of registers", kMaxRegisterRange);
            expect('>');
            if (type.vector_width != 1) fail(name, "a group of registers cannot have vector type");
            ranges_.push_back({name.text, count, type.type, depth_});
            continue;
        }
        if (type.vector_width == 1) {
            declare(name, name.text, {Symbol::Kind::reg, 1, 0, add_register(name.text, type.type)});
            continue;
        }
        const auto first = static_cast<std::uint32_t>(function_->registers.size());
        for (unsigned k = 0; k < type.vector_width; ++k)
            add_register(std::string(name.text) + '.' + "xyzwabcd"[k & 7], type.type);
        declare(name, name.text, {Symbol::Kind::vector_register, type.vector_width, 0, first});
    } while (accept(','));
    expect(';');
}

} // namespace warplight::ptx
