// SPDX-License-Identifier: Apache-2.0
// Calls, prototypes, and the lists of possible targets.
#include "parser_state.hpp"

namespace warplight::ptx {

Operand Parser::parse_call_argument() {
    const Token at = token_;
    Operand o = parse_operand(false, 2);
    switch (o.kind) {
    case Operand::Kind::none:
    case Operand::Kind::reg:
    case Operand::Kind::integer:
    case Operand::Kind::floating: return o;
    case Operand::Kind::variable: {
        const Variable* v = o.scope == Operand::Scope::function ? &function_->variables[o.index] : nullptr;
        if (o.scope == Operand::Scope::parameter || o.scope == Operand::Scope::result ||
            (v && v->space == Space::param))
            return o;
        fail(at, "an argument must be a .param variable, a register or a constant");
    }
    default: fail(at, "an argument must be a .param variable, a register or a constant");
    }
}

std::vector<Operand> Parser::parse_call_list() {
    std::vector<Operand> list;
    if (accept(')')) return list;
    do
        list.push_back(parse_call_argument());
    while (accept(','));
    expect(')');
    return list;
}

/// call (results), target, (arguments), prototype-or-targets; all but the target may be missing.
void Parser::parse_call(Instruction& i) {
    Call call;
    if (accept('(')) {
        call.results = parse_call_list();
        expect(',');
    }
    const Token target = token_;
    expect_identifier("a function");
    const Operand callee = parse_named(target);
    bool direct = false;
    if (callee.kind == Operand::Kind::function) {
        call.callee = callee.index;
        direct = true;
    } else if (callee.kind == Operand::Kind::reg) {
        if (bits(function_->registers[callee.reg].type) != 64)
            fail(target, "the register of an indirect call must have 64 bits");
        call.pointer = callee.reg;
    } else {
        fail(target, "'" + std::string(target.text) + "' cannot be called");
    }
    const auto index = static_cast<std::uint32_t>(function_->calls.size());
    bool listed = false;
    if (accept(',')) {
        if (accept('(')) {
            call.arguments = parse_call_list();
            listed = accept(',');
        } else {
            listed = true;
        }
    }
    if (listed) {
        const Token name = token_;
        expect_identifier("a prototype or list of targets");
        // A direct call may name one too; it says nothing new there.
        if (!direct) call_uses_.push_back({name.text, {name.line, name.column}, index});
    } else if (!direct) {
        fail(target, "an indirect call needs a prototype or a list of targets");
    }
    if (direct) {
        const Function& f = module_.functions[*call.callee];
        if (f.kernel) fail(target, "'" + f.name + "' is a kernel and cannot be called");
        if (call.results.size() != f.results.size() || call.arguments.size() != f.parameters.size())
            fail(target, "'" + f.name + "' takes " + std::to_string(f.parameters.size()) + " arguments and yields " +
                             std::to_string(f.results.size()) + " results; the call has " +
                             std::to_string(call.arguments.size()) + " and " + std::to_string(call.results.size()));
    }
    i.call = static_cast<std::int32_t>(index);
    function_->calls.push_back(std::move(call));
}

/// NAME: .callprototype (results) _ (parameters) .noreturn;
void Parser::parse_prototype(std::string_view name) {
    Prototype p;
    p.name = name;
    const bool with_results = token_.is('(');
    if (with_results) p.results = parse_parameters(false);
    expect_identifier("'_'");
    if (token_.is('(')) p.parameters = parse_parameters(false);
    while (token_.kind == Token::Kind::word) {
        if (token_.is_word("noreturn")) {
            p.noreturn = true;
            advance();
        } else if (token_.is_word("abi_preserve") || token_.is_word("abi_preserve_control")) {
            advance();
            parse_count("a register count", 65536);
        } else {
            unexpected("';'");
        }
    }
    expect(';');
    prototypes_[name] = static_cast<std::uint32_t>(function_->prototypes.size());
    function_->prototypes.push_back(std::move(p));
}

/// NAME: .calltargets f, g;
void Parser::parse_call_targets(std::string_view name) {
    std::vector<FunctionId> targets;
    do {
        const Token function = token_;
        expect_identifier("a function");
        const Operand o = parse_named(function);
        if (o.kind != Operand::Kind::function) fail(function, "'" + std::string(function.text) + "' is not a function");
        targets.push_back(o.index);
    } while (accept(','));
    expect(';');
    call_lists_[name] = static_cast<std::uint32_t>(call_targets_.size());
    call_targets_.push_back(std::move(targets));
}

/// NAME: .branchtargets L1, L2;
void Parser::parse_branch_targets(std::string_view name) {
    const auto index = static_cast<std::uint32_t>(function_->branch_targets.size());
    BranchTargets list;
    list.name = name;
    do {
        const Token label = token_;
        expect_identifier("a label");
        label_uses_.push_back({label.text,
                               {label.line, label.column},
                               scope_,
                               false,
                               index,
                               static_cast<std::uint32_t>(list.labels.size())});
        list.labels.push_back(0);
    } while (accept(','));
    expect(';');
    branch_lists_[name] = index;
    function_->branch_targets.push_back(std::move(list));
}

/// At the end of the function, when all prototypes and lists are known.
void Parser::resolve_calls() {
    for (const CallUse& use : call_uses_) {
        Call& call = function_->calls[use.call];
        std::size_t results = 0, parameters = 0;
        if (const std::uint32_t* prototype = prototypes_.find(use.name)) {
            call.prototype = *prototype;
            results = function_->prototypes[*prototype].results.size();
            parameters = function_->prototypes[*prototype].parameters.size();
        } else if (const std::uint32_t* list = call_lists_.find(use.name)) {
            call.possible_targets = call_targets_[*list];
            const Function& first = module_.functions[call.possible_targets.front()];
            results = first.results.size();
            parameters = first.parameters.size();
        } else {
            fail(use.place, "'call': prototype or list '" + std::string(use.name) + "' is not declared");
        }
        if (call.results.size() != results || call.arguments.size() != parameters)
            fail(use.place, "'call': the arguments do not fit '" + std::string(use.name) + "'");
    }
    for (const TableUse& use : table_uses_) {
        const std::uint32_t* list = branch_lists_.find(use.name);
        if (!list) fail(use.place, "'brx.idx': list '" + std::string(use.name) + "' is not declared");
        function_->instructions[use.instruction].operands[use.operand].index = *list;
    }
}

} // namespace warplight::ptx
