// SPDX-License-Identifier: Apache-2.0
#include "verify.hpp"

#include "effects.hpp"
#include "forms.hpp"
#include "words.hpp"

namespace warplight::ptx {
namespace {

using Role = OperandRule::Role;
using Width = OperandRule::Width;
using Kind = Operand::Kind;

enum class Class : std::uint8_t { untyped, integer, floating, half, predicate };

Class class_of(Type type) {
    switch (type) {
    case Type::pred: return Class::predicate;
    case Type::f32:
    case Type::f64:
    case Type::tf32: return Class::floating;
    case Type::u8:
    case Type::u16:
    case Type::u32:
    case Type::u64:
    case Type::s8:
    case Type::s16:
    case Type::s32:
    case Type::s64: return Class::integer;
    case Type::u16x2:
    case Type::s16x2: return Class::half;
    default: return is_float(type) ? Class::half : Class::untyped;
    }
}

Type doubled(Type type) {
    switch (type) {
    case Type::u16: return Type::u32;
    case Type::s16: return Type::s32;
    case Type::u32: return Type::u64;
    case Type::s32: return Type::s64;
    default: return type;
    }
}

std::string position(std::size_t index) { return "operand " + std::to_string(index + 1); }

class Check {
public:
    Check(const Module& module, const Function& function, const Instruction& instruction)
        : module_(module), function_(function), i_(instruction) {}

    /// How far the instruction fits the form: 0 types, 1 modifiers, 2 operands are wrong, 3 it fits. `why` says more.
    int against(const Form& form, std::string& why) const {
        if (!types_fit(form)) return 0;
        if (!modifiers_fit(form, why)) return 1;
        if (!form.any_operands && !operands_fit(form, why)) return 2;
        return 3;
    }

private:
    [[nodiscard]] bool types_fit(const Form& form) const {
        if (form.any_types) return true;
        if (i_.type_count != form.type_count) return false;
        for (std::size_t k = 0; k < form.type_count; ++k)
            if ((form.types[k] & type_bit(i_.types[k])) == 0) return false;
        return true;
    }

    bool modifiers_fit(const Form& form, std::string& why) const {
        if (!form.any_modifiers) {
            const ModifierSet foreign = i_.modifiers & ~form.allowed;
            if (foreign.any()) {
                why = "modifier '." + std::string(spelling(first_of(foreign))) + "' is not allowed here";
                return false;
            }
        }
        for (const Form::Group& group : form.groups) {
            const ModifierSet given = i_.modifiers & group.modifiers;
            if (group.required && given.none()) {
                why = "needs " + names_of(group.modifiers);
                return false;
            }
            if (given.count() > 1) {
                why = "modifiers " + names_of(given, " and ") + " exclude each other";
                return false;
            }
        }
        if (!form.any_space && i_.space != Space::generic) {
            why = "a state space is not allowed here";
            return false;
        }
        return true;
    }

    static Modifier first_of(const ModifierSet& set) {
        std::size_t k = 0;
        while (!set.test(k))
            ++k;
        return static_cast<Modifier>(k);
    }

    static std::string names_of(const ModifierSet& set, const char* between = " or ") {
        std::string text;
        for (std::size_t k = 0; k < set.size(); ++k)
            if (set.test(k)) {
                if (!text.empty()) text += between;
                text += '.';
                text += spelling(static_cast<Modifier>(k));
            }
        return text;
    }

    bool operands_fit(const Form& form, std::string& why) const {
        std::size_t at = 0;
        const std::size_t given = i_.operands.size();
        std::size_t required = 0;
        for (const OperandRule& rule : form.operands)
            required += rule.optional ? 0 : 1;
        if (given < required || given > form.operands.size()) {
            why = "wrong number of operands: " + std::to_string(given) + " given, " + std::to_string(required) +
                  (required == form.operands.size() ? "" : " to " + std::to_string(form.operands.size())) + " needed";
            return false;
        }
        std::size_t spare = given - required;
        for (const OperandRule& rule : form.operands) {
            if (rule.optional) {
                if (spare == 0) continue;
                // Two optional operands of different kinds: the first that fits takes it.
                std::string ignored;
                if (!operand_fits(rule, i_.operands[at], at, ignored) && given - at < remaining_rules(form, rule))
                    continue;
                --spare;
            }
            if (!operand_fits(rule, i_.operands[at], at, why)) return false;
            ++at;
        }
        if (at != given) {
            why = "wrong number of operands";
            return false;
        }
        return true;
    }

    static std::size_t remaining_rules(const Form& form, const OperandRule& rule) {
        return form.operands.size() - static_cast<std::size_t>(&rule - form.operands.data());
    }

    [[nodiscard]] Type wanted_type(const OperandRule& rule) const {
        const Type type = rule.type_index < 0 ? rule.type : i_.types[static_cast<std::uint8_t>(rule.type_index)];
        return rule.width == Width::doubled ? doubled(type) : type;
    }

    bool operand_fits(const OperandRule& rule, const Operand& o, std::size_t index, std::string& why) const {
        const Type type = wanted_type(rule);
        const bool relaxed = rule.width == Width::relaxed || rule.width == Width::vector;
        if (o.negated && rule.role != Role::predicate_source && !(rule.role == Role::source && type == Type::pred) &&
            !(rule.role == Role::move_source && type == Type::pred)) {
            if (rule.role != Role::anything && !rule.may_be_negated) {
                why = position(index) + " cannot be negated";
                return false;
            }
        }
        switch (rule.role) {
        case Role::anything:
        case Role::anything_destination: return true;
        case Role::address: return require(o.kind == Kind::address, index, "must be an address", why);
        case Role::constant: return require(o.kind == Kind::integer, index, "must be an integer constant", why);
        case Role::label: return require(o.kind == Kind::label, index, "must be a label", why);
        case Role::branch_list:
            return require(o.kind == Kind::branch_targets, index, "must be a list of branch targets", why);
        case Role::predicates:
            if (o.kind == Kind::predicated_pair)
                return destination(o.elements[0], Type::pred, false, index, why) &&
                       destination(o.elements[1], Type::pred, false, index, why);
            return destination(o, Type::pred, false, index, why);
        case Role::paired:
            if (o.kind == Kind::predicated_pair)
                return destination(o.elements[0], type, false, index, why) &&
                       destination(o.elements[1], Type::pred, false, index, why);
            return destination(o, type, false, index, why);
        case Role::predicate_source: return source(o, Type::pred, false, index, why);
        case Role::destination:
            if (rule.width == Width::vector && i_.vector_width > 1) return vector(o, type, true, index, why);
            if (o.kind == Kind::vector && i_.opcode == Opcode::mov) return packing(o, type, true, index, why);
            return destination(o, type, relaxed, index, why);
        case Role::source:
            if (rule.width == Width::vector && i_.vector_width > 1) return vector(o, type, false, index, why);
            return source(o, type, relaxed, index, why);
        case Role::move_source:
            if (o.kind == Kind::vector && i_.opcode == Opcode::mov) return packing(o, type, false, index, why);
            if (o.kind == Kind::variable || o.kind == Kind::function ||
                (o.kind == Kind::address && o.base_kind == Kind::variable))
                return require(class_of(type) != Class::floating && (bits(type) == 32 || bits(type) == 64), index,
                               "is an address and needs an integer type of 32 or 64 bits", why);
            return source(o, type, false, index, why);
        }
        return true;
    }

    static bool require(bool holds, std::size_t index, const char* what, std::string& why) {
        if (!holds) why = position(index) + " " + what;
        return holds;
    }

    bool reg_fits(const Operand& o, Type type, bool relaxed, std::size_t index, std::string& why) const {
        const Register& r = function_.registers[o.reg];
        if (register_fits(r.type, type, relaxed)) return true;
        why = "type mismatch: " + position(index) + " '" + r.name + "' is ." + std::string(spelling(r.type)) +
              ", needs ." + std::string(spelling(type));
        return false;
    }

    bool destination(const Operand& o, Type type, bool relaxed, std::size_t index, std::string& why) const {
        if (o.kind == Kind::none) return true;
        if (o.kind == Kind::reg) return reg_fits(o, type, relaxed, index, why);
        why = position(index) + " must be a register";
        return false;
    }

    bool source(const Operand& o, Type type, bool relaxed, std::size_t index, std::string& why) const {
        switch (o.kind) {
        case Kind::reg: return reg_fits(o, type, relaxed, index, why);
        case Kind::integer:
            // Packed and 16-bit floats have no constants; f32 and f64 have their own.
            return require(class_of(type) != Class::floating && !(class_of(type) == Class::half && is_float(type)),
                           index, "is an integer constant where a floating-point value is needed", why);
        case Kind::floating: {
            const bool bits_fit = class_of(type) == Class::untyped && bits(type) == bits(o.type);
            return require(bits_fit || type == Type::f32 || type == Type::f64, index,
                           "is a floating-point constant where another type is needed", why);
        }
        case Kind::special:
            if (o.special == SpecialRegister::is_explicit_cluster)
                return require(type == Type::pred, index, "is a predicate", why);
            return require(class_of(type) == Class::integer || class_of(type) == Class::untyped, index,
                           "is a special register and needs an integer type", why);
        default: return require(false, index, "must be a register or constant", why);
        }
    }

    bool vector(const Operand& o, Type type, bool written, std::size_t index, std::string& why) const {
        if (!require(o.kind == Kind::vector && o.elements.size() == i_.vector_width, index,
                     "must be a vector of the width written", why))
            return false;
        for (const Operand& element : o.elements)
            if (written ? !destination(element, type, true, index, why) : !source(element, type, true, index, why))
                return false;
        return true;
    }

    /// {a, b} of mov: parts that make up the whole.
    bool packing(const Operand& o, Type type, bool written, std::size_t index, std::string& why) const {
        if (!require(class_of(type) == Class::untyped && !o.elements.empty() && bits(type) % o.elements.size() == 0,
                     index, "packs or unpacks and needs an untyped type", why))
            return false;
        const unsigned part = bits(type) / static_cast<unsigned>(o.elements.size());
        for (const Operand& element : o.elements) {
            if (element.kind == Kind::none && written) continue;
            if (element.kind == Kind::integer && !written) continue;
            if (element.kind == Kind::floating && !written && bits(element.type) == part) continue;
            if (!require(element.kind == Kind::reg, index, "must be made of registers", why)) return false;
            const Register& r = function_.registers[element.reg];
            if (bits(r.type) != part) {
                why = "type mismatch: '" + r.name + "' is ." + std::string(spelling(r.type)) + ", needs " +
                      std::to_string(part) + " bits";
                return false;
            }
        }
        return true;
    }

    [[maybe_unused]] const Module& module_;
    const Function& function_;
    const Instruction& i_;
};

} // namespace

bool register_fits(Type have, Type wanted, bool relaxed) {
    const Class a = class_of(have), b = class_of(wanted);
    if (a == Class::predicate || b == Class::predicate) return a == b;
    if (relaxed ? bits(have) < bits(wanted) : bits(have) != bits(wanted)) return false;
    if (wanted == Type::tf32) return true;
    if (a == Class::untyped || b == Class::untyped || a == b) return true;
    return (a == Class::half && b == Class::integer) || (a == Class::integer && b == Class::half);
}

const Form* form_of(const Module& module, const Function& function, const Instruction& instruction) {
    const Check check(module, function, instruction);
    std::string why;
    for (const Form& form : forms_of(instruction.opcode))
        if (check.against(form, why) == 3) return &form;
    return nullptr;
}

namespace {

/// The .param variable that an address starts from; null: it starts from something else.
const Variable* parameter_of(const Function& function, const Operand& address) {
    if (address.kind != Kind::address || address.base_kind != Kind::variable) return nullptr;
    switch (address.scope) {
    case Operand::Scope::parameter: return &function.parameters[address.index];
    case Operand::Scope::result: return &function.results[address.index];
    case Operand::Scope::function: {
        const Variable& v = function.variables[address.index];
        return v.space == Space::param ? &v : nullptr;
    }
    default: return nullptr;
    }
}

/// Bytes that an instruction may touch behind the name of a parameter; nothing: it takes no parameter's address.
std::optional<std::uint64_t> bytes_at_parameter(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st: return bits(i.types[i.type_count ? i.type_count - 1u : 0u]) / 8 * std::uint64_t{i.vector_width};
    case Opcode::prefetch:
    case Opcode::prefetchu: return 0;
    default: break;
    }
    if (is_texture(i.opcode)) return 8; // a handle
    return std::nullopt;
}

/// A parameter is memory of the function's caller, with other memory of the host behind it.
std::optional<std::string> outside_of_parameter(const Function& function, const Instruction& i) {
    for (const Operand& o : i.operands) {
        const Variable* parameter = parameter_of(function, o);
        if (!parameter) continue;
        const auto bytes = bytes_at_parameter(i);
        if (!bytes)
            return "the parameter '" + parameter->name + "' is not memory of the kind that the instruction takes";
        const bool inside = o.integer >= 0 && static_cast<std::uint64_t>(o.integer) <= parameter->size &&
                            *bytes <= parameter->size - static_cast<std::uint64_t>(o.integer);
        if (!inside) return "the access is outside of the parameter '" + parameter->name + "'";
    }
    return std::nullopt;
}

std::optional<std::string> verify_form(const Module& module, const Function& function, const Instruction& instruction) {
    if (is_texture(instruction.opcode)) return verify_texture(module, function, instruction);
    if (is_matrix(instruction.opcode)) return verify_matrix(module, function, instruction);
    const Check check(module, function, instruction);
    int best = -1;
    std::string reason;
    for (const Form& form : forms_of(instruction.opcode)) {
        std::string why;
        const int reached = check.against(form, why);
        if (reached == 3) return std::nullopt;
        if (reached > best) {
            best = reached;
            reason = std::move(why);
        }
    }
    if (best <= 0) return instruction.type_count == 0 ? "a type is missing" : "unexpected types";
    return reason;
}

} // namespace

std::optional<std::string> verify(const Module& module, const Function& function, const Instruction& instruction) {
    if (auto wrong = verify_form(module, function, instruction)) return wrong;
    return outside_of_parameter(function, instruction);
}

} // namespace warplight::ptx
