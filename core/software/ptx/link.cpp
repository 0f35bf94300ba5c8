// SPDX-License-Identifier: Apache-2.0
#include "link.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace warplight::ptx {
namespace {

bool is_definition(const Function& f) { return f.defined || f.alias_of.has_value(); }
bool is_definition(const Variable& v) { return v.linkage != Linkage::external; }
/// Known to other modules.
bool is_shared_name(Linkage linkage) { return linkage != Linkage::internal; }

bool same_signature(const Function& a, const Function& b) {
    const auto same = [](const std::vector<Variable>& x, const std::vector<Variable>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                          [](const Variable& p, const Variable& q) { return p.size == q.size; });
    };
    return a.kernel == b.kernel && same(a.results, b.results) && same(a.parameters, b.parameters);
}

/// `extern .shared .b8 s[];` of every module is the same memory, and so are the declarations of one definition.
bool compatible(const Variable& a, const Variable& b) {
    return a.space == b.space && (a.unsized || b.unsized || a.size == b.size);
}

class Linker {
public:
    std::variant<Module, LinkError> run(std::vector<LinkInput> inputs) {
        result_.files.emplace_back();
        for (LinkInput& input : inputs) {
            add_header(input.module);
            place_functions(input);
            place_variables(input);
            if (!error_.empty()) return LinkError{error_};
            renumber(input.module);
            store(input.module);
        }
        resolve_aliases();
        return std::move(result_);
    }

private:
    /// An alias in another module means the function behind it.
    void resolve_aliases() {
        functions_.resize(result_.functions.size());
        variables_.resize(result_.variables.size());
        std::iota(variables_.begin(), variables_.end(), 0U);
        bool any = false;
        for (FunctionId f = 0; f < result_.functions.size(); ++f) {
            functions_[f] = result_.functions[f].alias_of.value_or(f);
            any |= functions_[f] != f;
        }
        location_offset_ = 0;
        if (any) renumber(result_);
    }

    void add_header(const Module& m) {
        if (std::pair(m.version_major, m.version_minor) > std::pair(result_.version_major, result_.version_minor)) {
            result_.version_major = m.version_major;
            result_.version_minor = m.version_minor;
        }
        if (m.target >= result_.target) {
            if (m.target > result_.target || result_.target_suffix.empty()) result_.target_suffix = m.target_suffix;
            result_.target = m.target;
        }
        result_.debug |= m.debug;
        file_offset_ = static_cast<std::uint32_t>(result_.files.size() - 1);
        for (std::size_t i = 1; i < m.files.size(); ++i)
            result_.files.push_back(m.files[i]);
        location_offset_ = static_cast<std::int32_t>(result_.locations.size());
        for (SourceLocation location : m.locations) {
            if (location.file != 0) location.file += file_offset_;
            if (location.inlined_at >= 0) location.inlined_at += location_offset_;
            result_.locations.push_back(std::move(location));
        }
    }

    void duplicate(const std::string& name, const std::string& first, const std::string& second) {
        error_ += "error: multiple definition of '" + name + "' (in " + first + " and " + second + ")\n";
    }
    void mismatch(const std::string& name, const std::string& first, const std::string& second) {
        error_ += "error: '" + name + "' is declared in different ways (in " + first + " and " + second + ")\n";
    }

    /// A name that no symbol has yet.
    std::string free_name(const std::string& name) {
        if (names_.insert(name).second) return name;
        for (unsigned number = 2;; ++number) {
            std::string other = name + "$" + std::to_string(number);
            if (names_.insert(other).second) return other;
        }
    }

    /// Where each symbol of the module goes: to its own place, or to that of the same symbol of another module.
    template <class Symbol, class Compatible>
    void place(std::vector<Symbol>& symbols, std::vector<Symbol>& all, std::vector<std::uint32_t>& ids,
               std::vector<bool>& taken, std::unordered_map<std::string, std::uint32_t>& known,
               std::vector<std::string>& owners, const std::string& input, const Compatible& is_compatible) {
        ids.assign(symbols.size(), 0);
        taken.assign(symbols.size(), false);
        for (std::size_t i = 0; i < symbols.size(); ++i) {
            Symbol& symbol = symbols[i];
            // A kernel's name is how the host finds it, whatever its linkage.
            const bool is_kernel = is_kernel_symbol(symbol);
            const bool shared_name = is_shared_name(symbol.linkage) || is_kernel;
            const auto found = shared_name ? known.find(symbol.name) : known.end();
            if (found == known.end()) {
                ids[i] = static_cast<std::uint32_t>(all.size());
                taken[i] = true;
                if (shared_name) {
                    names_.insert(symbol.name);
                    known.emplace(symbol.name, ids[i]);
                } else {
                    symbol.name = free_name(symbol.name);
                }
                all.emplace_back();
                all.back().name = symbol.name; // filled in by store()
                all.back().linkage = symbol.linkage;
                owners.push_back(input);
                definitions_of(all).push_back(is_definition(symbol));
                shapes_of(all).push_back(shape_of(symbol));
                continue;
            }
            ids[i] = found->second;
            const std::string& other = owners[ids[i]];
            if (!is_compatible(shapes_of(all)[ids[i]], symbol)) {
                mismatch(symbol.name, other, input);
                continue;
            }
            if (!is_definition(symbol)) continue;
            if (definitions_of(all)[ids[i]]) {
                const Linkage before = all[ids[i]].linkage;
                if (symbol.linkage == Linkage::weak || symbol.linkage == Linkage::common) continue;
                if (before != Linkage::weak && before != Linkage::common) {
                    duplicate(symbol.name, other, input);
                    continue;
                }
            }
            taken[i] = true;
            definitions_of(all)[ids[i]] = true;
            all[ids[i]].linkage = symbol.linkage;
            owners[ids[i]] = input;
        }
    }
    static bool is_kernel_symbol(const Function& f) { return f.kernel; }
    static bool is_kernel_symbol(const Variable&) { return false; }
    std::vector<bool>& definitions_of(const std::vector<Function>&) { return function_defined_; }
    std::vector<bool>& definitions_of(const std::vector<Variable>&) { return variable_defined_; }
    std::vector<Function>& shapes_of(const std::vector<Function>&) { return function_shapes_; }
    std::vector<Variable>& shapes_of(const std::vector<Variable>&) { return variable_shapes_; }
    static Function shape_of(const Function& f) {
        Function shape;
        shape.kernel = f.kernel;
        shape.results = f.results;
        shape.parameters = f.parameters;
        return shape;
    }
    static Variable shape_of(const Variable& v) {
        Variable shape;
        shape.space = v.space;
        shape.size = v.size;
        shape.unsized = v.unsized;
        return shape;
    }

    void place_functions(LinkInput& input) {
        place(input.module.functions, result_.functions, functions_, function_taken_, known_functions_,
              function_owners_, input.name, same_signature);
    }
    void place_variables(LinkInput& input) {
        place(input.module.variables, result_.variables, variables_, variable_taken_, known_variables_,
              variable_owners_, input.name, compatible);
    }

    void renumber(Operand& o) const {
        if (o.kind == Operand::Kind::function) o.index = functions_[o.index];
        const bool names_variable = o.kind == Operand::Kind::variable ||
                                    (o.kind == Operand::Kind::address && o.base_kind == Operand::Kind::variable);
        if (names_variable && o.scope == Operand::Scope::module) o.index = variables_[o.index];
        for (Operand& element : o.elements)
            renumber(element);
    }
    void renumber(Variable& v) const {
        for (Variable::Relocation& r : v.relocations)
            r.index = r.is_function ? functions_[r.index] : variables_[r.index];
    }
    void renumber(Module& m) const {
        for (Variable& v : m.variables)
            renumber(v);
        for (Function& f : m.functions) {
            if (f.alias_of) f.alias_of = functions_[*f.alias_of];
            for (Variable& v : f.variables)
                renumber(v);
            for (Instruction& i : f.instructions) {
                if (i.location >= 0) i.location += location_offset_;
                for (Operand& o : i.operands)
                    renumber(o);
            }
            for (Call& call : f.calls) {
                if (call.callee) call.callee = functions_[*call.callee];
                for (FunctionId& target : call.possible_targets)
                    target = functions_[target];
                for (Operand& o : call.results)
                    renumber(o);
                for (Operand& o : call.arguments)
                    renumber(o);
            }
        }
    }
    void store(Module& m) {
        for (std::size_t i = 0; i < m.functions.size(); ++i)
            if (function_taken_[i]) result_.functions[functions_[i]] = std::move(m.functions[i]);
        for (std::size_t i = 0; i < m.variables.size(); ++i) {
            Variable& place = result_.variables[variables_[i]];
            const std::uint32_t alignment = std::max(place.alignment, m.variables[i].alignment);
            if (variable_taken_[i]) place = std::move(m.variables[i]);
            place.alignment = alignment;
        }
    }

    Module result_;
    std::string error_;
    std::set<std::string> names_;
    std::unordered_map<std::string, std::uint32_t> known_functions_, known_variables_;
    std::vector<std::string> function_owners_, variable_owners_; ///< which input a symbol is from
    std::vector<bool> function_defined_, variable_defined_;
    std::vector<Function> function_shapes_;
    std::vector<Variable> variable_shapes_;
    // Of the module at hand: its numbers' new values, and whether the result has its symbol from it.
    std::vector<std::uint32_t> functions_, variables_;
    std::vector<bool> function_taken_, variable_taken_;
    std::uint32_t file_offset_ = 0;
    std::int32_t location_offset_ = 0;
};

} // namespace

std::variant<Module, LinkError> link(std::vector<LinkInput> inputs) { return Linker().run(std::move(inputs)); }

std::vector<std::string> undefined_symbols(const Module& module) {
    std::vector<bool> functions(module.functions.size()), variables(module.variables.size());
    const auto visit = [&](const auto& self, const Operand& o) -> void {
        if (o.kind == Operand::Kind::function) functions[o.index] = true;
        const bool names_variable = o.kind == Operand::Kind::variable ||
                                    (o.kind == Operand::Kind::address && o.base_kind == Operand::Kind::variable);
        if (names_variable && o.scope == Operand::Scope::module) variables[o.index] = true;
        for (const Operand& element : o.elements)
            self(self, element);
    };
    for (const Function& f : module.functions) {
        for (const Instruction& i : f.instructions)
            for (const Operand& o : i.operands)
                visit(visit, o);
        for (const Call& call : f.calls) {
            if (call.callee) functions[*call.callee] = true;
            for (const Operand& o : call.results)
                visit(visit, o);
            for (const Operand& o : call.arguments)
                visit(visit, o);
        }
    }
    for (const Variable& v : module.variables)
        for (const Variable::Relocation& r : v.relocations)
            (r.is_function ? functions : variables)[r.index] = true;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (functions[i] && !is_definition(module.functions[i])) names.push_back(module.functions[i].name);
    for (std::size_t i = 0; i < variables.size(); ++i) {
        const Variable& v = module.variables[i];
        // Dynamic shared memory is the launch's.
        if (variables[i] && !is_definition(v) && !(v.space == Space::shared && v.unsized)) names.push_back(v.name);
    }
    return names;
}

bool defines(const Module& module, std::string_view name) {
    const auto matches = [&](const auto& symbol) {
        return symbol.name == name && is_shared_name(symbol.linkage) && is_definition(symbol);
    };
    return std::any_of(module.functions.begin(), module.functions.end(), matches) ||
           std::any_of(module.variables.begin(), module.variables.end(), matches);
}

} // namespace warplight::ptx
