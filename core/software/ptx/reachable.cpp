// SPDX-License-Identifier: Apache-2.0
// The functions and variables that a kernel reaches: by calls, addresses, and addresses stored in variables.
#include "effects.hpp"
#include "module.hpp"

namespace warplight::ptx {
namespace {

class Walk {
public:
    explicit Walk(const Module& module)
        : module_(module), function_seen_(module.functions.size()), variable_seen_(module.variables.size()) {}

    Reachable from(FunctionId kernel) {
        add_function(kernel);
        for (std::size_t at = 0; at < result_.functions.size(); ++at) {
            visit(module_.functions[result_.functions[at]]);
            // A pointer may come from anywhere, the host included: every function whose address is taken may be meant.
            if (result_.calls_indirectly && !pointers_added_ && at + 1 == result_.functions.size()) add_pointed_to();
        }
        return std::move(result_);
    }

private:
    void add_function(FunctionId f) {
        // Another kernel, whose address is taken to launch it, is no part of this one.
        if (function_seen_[f] || (module_.functions[f].kernel && !result_.functions.empty())) return;
        function_seen_[f] = true;
        result_.functions.push_back(f);
    }

    void add_variable(VariableId v) {
        std::vector<VariableId> todo{v};
        while (!todo.empty()) {
            const VariableId next = todo.back();
            todo.pop_back();
            if (variable_seen_[next]) continue;
            variable_seen_[next] = true;
            result_.variables.push_back(next);
            const Variable& variable = module_.variables[next];
            if (variable.space == Space::shared && variable.unsized) result_.uses_dynamic_shared = true;
            for (const Variable::Relocation& r : variable.relocations)
                if (r.is_function)
                    add_function(r.index);
                else
                    todo.push_back(r.index);
        }
    }

    void visit(const Operand& operand) {
        each_operand(operand, [&](const Operand& o) { note(o); });
    }

    void note(const Operand& o) {
        if (o.kind == Operand::Kind::function) add_function(o.index);
        if (o.kind == Operand::Kind::special && o.special >= SpecialRegister::reserved_smem_offset_begin &&
            o.special <= SpecialRegister::reserved_smem_offset_1)
            result_.uses_reserved_shared = true;
        const bool names_variable = o.kind == Operand::Kind::variable ||
                                    (o.kind == Operand::Kind::address && o.base_kind == Operand::Kind::variable);
        if (names_variable && o.scope == Operand::Scope::module) add_variable(o.index);
    }

    void visit(const Function& f) {
        for (const Instruction& i : f.instructions)
            for (const Operand& o : i.operands)
                visit(o);
        for (const Call& call : f.calls) {
            if (call.callee) {
                add_function(*call.callee);
            } else {
                result_.calls_indirectly = true;
                for (const FunctionId target : call.possible_targets)
                    add_function(target);
            }
            for (const Operand& o : call.results)
                visit(o);
            for (const Operand& o : call.arguments)
                visit(o);
        }
        for (const Variable& v : f.variables)
            if (v.space == Space::shared && v.unsized) result_.uses_dynamic_shared = true;
    }

    void add_pointed_to() {
        pointers_added_ = true;
        for (const Function& f : module_.functions)
            for (const Instruction& i : f.instructions)
                for (const Operand& operand : i.operands)
                    each_operand(operand, [&](const Operand& o) {
                        if (o.kind == Operand::Kind::function) add_function(o.index);
                    });
        for (const Variable& v : module_.variables)
            for (const Variable::Relocation& r : v.relocations)
                if (r.is_function) add_function(r.index);
    }

    const Module& module_;
    Reachable result_;
    std::vector<bool> function_seen_, variable_seen_;
    bool pointers_added_ = false;
};

} // namespace

Reachable reachable_from(const Module& module, FunctionId kernel) { return Walk(module).from(kernel); }

} // namespace warplight::ptx
