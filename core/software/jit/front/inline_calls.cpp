// SPDX-License-Identifier: Apache-2.0
#include "inline_calls.hpp"

#include "added_code.hpp"

#include <algorithm>
#include <map>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::RegisterId;
using ptx::Space;
using Kind = ptx::Operand::Kind;
using Scope = ptx::Operand::Scope;

namespace {

constexpr std::size_t kMostInstructions = 3000; ///< of the kernel with its callees

ptx::Type bits_of(unsigned bits) { return bits == 64 ? ptx::Type::b64 : bits == 32 ? ptx::Type::b32 : ptx::Type::b16; }

bool is_variable(const Operand& x) {
    return x.kind == Kind::variable || (x.kind == Kind::address && x.base_kind == Kind::variable);
}
Operand address_of(std::uint32_t variable) {
    Operand operand;
    operand.kind = Kind::address;
    operand.base_kind = Kind::variable;
    operand.scope = Scope::function;
    operand.index = variable;
    return operand;
}

bool is_call(const Instruction& i) { return i.opcode == Opcode::call; }

class Inliner {
public:
    Inliner(const ptx::Module& module, ptx::FunctionId kernel, const Analysis& analysis)
        : module_(module), analysis_(analysis) {
        result_.function = module.functions[kernel];
        for (std::uint32_t k = 0; k < result_.function.instructions.size(); ++k)
            result_.origins.push_back({kernel, k});
    }

    std::optional<InlinedKernel> run() {
        auto& all = f().instructions;
        // The callee's own calls come next: the same place is looked at again.
        for (std::size_t at = 0; at < all.size(); ++at)
            while (at < all.size() && is_call(all[at]))
                if (!replace(at)) return std::nullopt;
        if (!make_registers()) return std::nullopt;
        f().calls.clear();
        return std::move(result_);
    }

private:
    ptx::Function& f() { return result_.function; }

    /// Where the kernel keeps a callee's names: the first number of each kind.
    struct Names {
        RegisterId registers = 0;
        std::uint32_t labels = 0, variables = 0;
        std::int32_t calls = 0;
        std::vector<std::uint32_t> parameters, results; ///< the kernel's variables
    };

    std::uint32_t new_variable(ptx::Variable v) {
        v.name += " of a call";
        v.space = Space::param;
        v.reg.reset();
        f().variables.push_back(std::move(v));
        return static_cast<std::uint32_t>(f().variables.size() - 1);
    }
    std::uint32_t new_label() {
        f().labels.push_back({"returned " + std::to_string(f().labels.size()), 0});
        return static_cast<std::uint32_t>(f().labels.size() - 1);
    }

    /// A new instruction, with the call's place in the source.
    static Instruction at_call(const Instruction& call, Opcode opcode) {
        Instruction i;
        i.opcode = opcode;
        i.location = call.location;
        i.line = call.line;
        i.column = call.column;
        return i;
    }
    static Instruction move_parameter(const Instruction& call, bool store, ptx::Type type, std::uint32_t variable,
                                      const Operand& value) {
        Instruction i = at_call(call, store ? Opcode::st : Opcode::ld);
        i.space = Space::param;
        i.types[0] = type;
        i.type_count = 1;
        i.operands = store ? std::vector{address_of(variable), value} : std::vector{value, address_of(variable)};
        return i;
    }
    static Instruction branch(const Instruction& call, std::uint32_t label) {
        Instruction i = at_call(call, Opcode::bra);
        Operand target;
        target.kind = Kind::label;
        target.index = label;
        i.operands = {target};
        return i;
    }

    [[nodiscard]] bool fits(const ptx::Call& call) const {
        if (!call.callee) return false;
        const ptx::Function& callee = module_.functions[*call.callee];
        if (!callee.defined || callee.noreturn || callee.kernel || !callee.branch_targets.empty() ||
            analysis_.functions[*call.callee].recursive)
            return false;
        if (callee.instructions.size() + result_.function.instructions.size() > kMostInstructions) return false;
        if (call.arguments.size() != callee.parameters.size() || call.results.size() > callee.results.size())
            return false;
        return std::none_of(callee.variables.begin(), callee.variables.end(),
                            [](const ptx::Variable& v) { return v.space != Space::local && v.space != Space::param; });
    }

    /// The code that takes the place of a call.
    struct Replacement {
        Instruction call;
        ptx::FunctionId callee = 0;
        Names names;
        std::uint32_t end = 0, behind = 0;            ///< labels: before and behind the code that takes the results
        std::vector<Instruction> before, body, after; ///< takes the arguments; the callee; takes the results
    };

    bool replace(std::size_t at) {
        const ptx::Call call = f().calls.at(static_cast<std::size_t>(f().instructions[at].call));
        if (!fits(call)) return false;
        Replacement r;
        r.call = f().instructions[at];
        r.callee = *call.callee;
        const ptx::Function& callee = module_.functions[r.callee];
        add_names(callee, r);
        skip_where_guarded(r);
        if (!bind_parameters(call, callee, r) || !bind_results(call, callee, r) || !copy_body(callee, r)) return false;
        move_labels(at, r);
        put_in(at, r);
        return true;
    }

    /// Gives the kernel the callee's registers, variables and labels.
    void add_names(const ptx::Function& callee, Replacement& r) {
        r.names.registers = static_cast<RegisterId>(f().registers.size());
        r.names.labels = static_cast<std::uint32_t>(f().labels.size());
        r.names.variables = static_cast<std::uint32_t>(f().variables.size());
        r.names.calls = static_cast<std::int32_t>(f().calls.size());
        f().registers.insert(f().registers.end(), callee.registers.begin(), callee.registers.end());
        f().variables.insert(f().variables.end(), callee.variables.begin(), callee.variables.end());
        f().labels.insert(f().labels.end(), callee.labels.begin(), callee.labels.end());
        r.end = new_label();
        r.behind = new_label();
    }

    static void skip_where_guarded(Replacement& r) {
        if (!r.call.guarded) return;
        Instruction skip = branch(r.call, r.behind);
        skip.guarded = true;
        skip.guard = r.call.guard;
        skip.guard_negated = !r.call.guard_negated;
        r.before.push_back(std::move(skip));
    }

    bool bind_parameters(const ptx::Call& call, const ptx::Function& callee, Replacement& r) {
        for (std::size_t k = 0; k < callee.parameters.size(); ++k) {
            const ptx::Variable& formal = callee.parameters[k];
            const auto variable = bind(r.call, call.arguments[k], formal, r.before);
            if (!variable) return false;
            r.names.parameters.push_back(*variable);
            if (formal.reg)
                r.before.push_back(move_parameter(r.call, false, formal.type, *variable,
                                                  register_operand(r.names.registers + *formal.reg)));
        }
        return true;
    }

    bool bind_results(const ptx::Call& call, const ptx::Function& callee, Replacement& r) {
        for (std::size_t k = 0; k < callee.results.size(); ++k) {
            const ptx::Variable& formal = callee.results[k];
            const Operand* taken = k < call.results.size() ? &call.results[k] : nullptr;
            if (taken && taken->kind == Kind::variable && taken->scope == Scope::function) {
                r.names.results.push_back(taken->index);
                // The callee may write its result before it has read all of its parameters.
                const auto& parameters = r.names.parameters;
                if (std::count(parameters.begin(), parameters.end(), taken->index)) return false;
            } else if (!taken || taken->kind == Kind::reg) {
                r.names.results.push_back(new_variable(formal));
            } else {
                return false;
            }
            const std::uint32_t variable = r.names.results.back();
            if (formal.reg)
                r.after.push_back(move_parameter(r.call, true, formal.type, variable,
                                                 register_operand(r.names.registers + *formal.reg)));
            if (taken && taken->kind == Kind::reg)
                r.after.push_back(move_parameter(r.call, false, f().registers[taken->reg].type, variable, *taken));
        }
        return true;
    }

    bool copy_body(const ptx::Function& callee, Replacement& r) {
        for (const Instruction& i : callee.instructions) {
            auto copy = renamed(i, r.names, r.call, r.end);
            if (!copy) return false;
            r.body.push_back(std::move(*copy));
        }
        for (ptx::Call inner : callee.calls) {
            for (auto* list : {&inner.arguments, &inner.results})
                for (Operand& operand : *list)
                    if (!rename(operand, r.names)) return false;
            if (!inner.callee) return false;
            f().calls.push_back(std::move(inner));
        }
        return true;
    }

    void move_labels(std::size_t at, const Replacement& r) {
        const std::size_t begin = at + r.before.size(), end = begin + r.body.size(), behind = end + r.after.size();
        auto& labels = f().labels;
        for (std::uint32_t k = 0; k < r.names.labels; ++k) // the kernel's own, behind the call
            if (labels[k].instruction > at) labels[k].instruction += static_cast<std::uint32_t>(behind - at - 1);
        for (std::uint32_t k = r.names.labels; k < r.end; ++k)
            labels[k].instruction += static_cast<std::uint32_t>(begin);
        labels[r.end].instruction = static_cast<std::uint32_t>(end);
        labels[r.behind].instruction = static_cast<std::uint32_t>(behind);
    }

    void put_in(std::size_t at, const Replacement& r) {
        std::vector<Instruction> code = r.before;
        code.insert(code.end(), r.body.begin(), r.body.end());
        code.insert(code.end(), r.after.begin(), r.after.end());
        std::vector<Site> origins(code.size(), result_.origins[at]);
        for (std::uint32_t k = 0; k < r.body.size(); ++k)
            origins[r.before.size() + k] = {r.callee, k};
        exchange(f().instructions, at, code);
        exchange(result_.origins, at, origins);
    }
    /// Puts several elements in the place of one.
    template <class T>
    static void exchange(std::vector<T>& all, std::size_t at, const std::vector<T>& by) {
        const auto place = all.erase(all.begin() + static_cast<std::ptrdiff_t>(at));
        all.insert(place, by.begin(), by.end());
    }

    /// The variable that holds an argument.
    std::optional<std::uint32_t> bind(const Instruction& call, const Operand& argument, const ptx::Variable& formal,
                                      std::vector<Instruction>& body) {
        if (argument.kind == Kind::variable && argument.scope == Scope::function) return argument.index;
        if (argument.kind != Kind::reg && argument.kind != Kind::integer && argument.kind != Kind::floating)
            return std::nullopt;
        const std::uint32_t variable = new_variable(formal);
        body.push_back(move_parameter(call, true, formal.type, variable, argument));
        return variable;
    }

    bool rename(Operand& operand, const Names& names) {
        bool known = true;
        each_operand(operand, [&](Operand& x) {
            if (x.kind == Kind::reg || (x.kind == Kind::address && x.base_kind == Kind::reg)) x.reg += names.registers;
            if (x.kind == Kind::label) x.index += names.labels;
            if (x.kind == Kind::branch_targets) known = false;
            if (!is_variable(x) || x.scope == Scope::module) return;
            x.index = x.scope == Scope::parameter ? names.parameters.at(x.index)
                      : x.scope == Scope::result  ? names.results.at(x.index)
                                                  : x.index + names.variables;
            x.scope = Scope::function;
        });
        return known;
    }
    std::optional<Instruction> renamed(const Instruction& original, const Names& names, const Instruction& call,
                                       std::uint32_t end) {
        Instruction i = original;
        if (i.opcode == Opcode::ret) {
            Instruction leave = branch(call, end);
            leave.guarded = i.guarded;
            leave.guard = i.guard + names.registers;
            leave.guard_negated = i.guard_negated;
            leave.location = i.location;
            return leave;
        }
        i.guard += names.registers;
        if (i.call >= 0) i.call += names.calls;
        for (Operand& operand : i.operands)
            if (!rename(operand, names)) return std::nullopt;
        return i;
    }

    // --- parameters of calls become registers

    struct Use {
        std::uint32_t instruction;
        std::int64_t offset;
        unsigned bits;
    };

    /// Each part of a variable becomes a register, where all accesses are of whole parts. False: one access is not.
    bool make_registers() {
        std::map<std::uint32_t, std::vector<Use>> uses; // by variable
        auto& all = f().instructions;
        for (std::uint32_t at = 0; at < all.size(); ++at)
            for (std::size_t k = 0; k < all[at].operands.size(); ++k) {
                const Operand& x = all[at].operands[k];
                if (!is_variable(x) || x.scope != Scope::function || f().variables[x.index].space != Space::param)
                    continue;
                const bool moved = (all[at].opcode == Opcode::ld && k == 1) || (all[at].opcode == Opcode::st && k == 0);
                if (!moved || x.kind != Kind::address || !x.elements.empty()) return false;
                const unsigned bits = ptx::bits(all[at].type());
                if (bits < 16 || bits > 64) return false;
                for (unsigned part = 0; part < std::max<unsigned>(1, all[at].vector_width); ++part)
                    uses[x.index].push_back({at, x.integer + part * (bits / 8), bits});
            }
        std::map<std::pair<std::uint32_t, std::int64_t>, RegisterId> parts;
        for (const auto& [variable, list] : uses) {
            std::map<std::int64_t, unsigned> sizes;
            for (const Use& use : list)
                if (const auto [known, fresh] = sizes.emplace(use.offset, use.bits);
                    !fresh && known->second != use.bits)
                    return false;
            std::int64_t end = 0;
            for (const auto& [offset, bits] : sizes) {
                if (offset < end) return false;
                end = offset + bits / 8;
                f().registers.push_back({"part of a call", bits_of(bits)});
                parts[{variable, offset}] = static_cast<RegisterId>(f().registers.size() - 1);
            }
        }
        if (!write_moves(parts)) return false;
        drop_parameters();
        return true;
    }
    void drop_parameters() {
        std::vector<std::uint32_t> number;
        std::vector<ptx::Variable> kept;
        for (ptx::Variable& v : f().variables) {
            number.push_back(static_cast<std::uint32_t>(kept.size()));
            if (v.space != Space::param) kept.push_back(std::move(v));
        }
        f().variables = std::move(kept);
        for (Instruction& i : f().instructions)
            for (Operand& operand : i.operands)
                each_operand(operand, [&](Operand& x) {
                    if (is_variable(x) && x.scope == Scope::function) x.index = number.at(x.index);
                });
    }

    bool write_moves(const std::map<std::pair<std::uint32_t, std::int64_t>, RegisterId>& parts) {
        std::vector<Instruction> all;
        std::vector<Site> origins;
        std::vector<std::uint32_t> place; // of each instruction, in the new order
        for (std::uint32_t at = 0; at < f().instructions.size(); ++at) {
            const Instruction& i = f().instructions[at];
            place.push_back(static_cast<std::uint32_t>(all.size()));
            const bool load = i.opcode == Opcode::ld, store = i.opcode == Opcode::st;
            const Operand* address = load ? &i.operands[1] : store ? &i.operands[0] : nullptr;
            if (!address || address->base_kind != Kind::variable || address->scope != Scope::function ||
                f().variables[address->index].space != Space::param) {
                all.push_back(i);
                origins.push_back(result_.origins[at]);
                continue;
            }
            const unsigned bits = ptx::bits(i.type());
            const Operand& value = i.operands[load ? 0 : 1];
            for (unsigned part = 0; part < std::max<unsigned>(1, i.vector_width); ++part) {
                const Operand& one = value.kind == Kind::vector ? value.elements.at(part) : value;
                if (one.kind == Kind::reg && ptx::bits(f().registers[one.reg].type) != bits) return false;
                if (one.kind == Kind::none) continue; // `_`
                if (one.kind != Kind::reg && one.kind != Kind::integer && one.kind != Kind::floating) return false;
                const Operand held = register_operand(parts.at({address->index, address->integer + part * (bits / 8)}));
                Instruction move = i;
                move.opcode = Opcode::mov;
                move.space = Space::generic;
                move.vector_width = 1;
                move.modifiers.reset();
                move.types = {one.kind == Kind::floating ? i.type() : bits_of(bits)};
                move.type_count = 1;
                move.operands = load ? std::vector{one, held} : std::vector{held, one};
                all.push_back(std::move(move));
                origins.push_back(result_.origins[at]);
            }
        }
        place.push_back(static_cast<std::uint32_t>(all.size()));
        for (ptx::Label& label : f().labels)
            label.instruction = place.at(label.instruction);
        f().instructions = std::move(all);
        result_.origins = std::move(origins);
        return true;
    }

    const ptx::Module& module_;
    const Analysis& analysis_;
    InlinedKernel result_;
};

} // namespace

std::optional<InlinedKernel> inline_calls(const ptx::Module& module, ptx::FunctionId kernel, const Analysis& analysis) {
    const auto& all = module.functions[kernel].instructions;
    if (std::none_of(all.begin(), all.end(), is_call)) return std::nullopt;
    return Inliner(module, kernel, analysis).run();
}

} // namespace warplight::jit
