// SPDX-License-Identifier: Apache-2.0
#include "added_code.hpp"

#include <utility>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

Operand register_operand(ptx::RegisterId r) {
    Operand operand;
    operand.kind = Operand::Kind::reg;
    operand.reg = r;
    return operand;
}

Operand number_operand(std::int64_t value) {
    Operand operand;
    operand.kind = Operand::Kind::integer;
    operand.integer = value;
    return operand;
}

void set(Instruction& i, ptx::Modifier modifier) { i.modifiers.set(static_cast<std::size_t>(modifier)); }

Type untyped(unsigned bits) {
    switch (bits) {
    case 1: return Type::pred;
    case 8: return Type::b8;
    case 16: return Type::b16;
    case 32: return Type::b32;
    default: return bits == 64 ? Type::b64 : Type::b128;
    }
}

Instruction& AddedCode::add(ptx::Opcode opcode, Type type, std::vector<Operand> operands) {
    Instruction i;
    i.opcode = opcode;
    i.types[0] = type;
    i.type_count = 1;
    i.operands = std::move(operands);
    add(std::move(i));
    return code_.back();
}

void AddedCode::add(Instruction i) {
    const Instruction& of = current();
    i.guarded = of.guarded;
    i.guard = of.guard;
    i.guard_negated = of.guard_negated;
    i.location = of.location;
    i.line = of.line;
    i.column = of.column;
    append(std::move(i));
}

void AddedCode::append(Instruction i) {
    if (begins_.size() <= index_) begins_.resize(index_ + 1, static_cast<std::uint32_t>(code_.size()));
    code_.push_back(std::move(i));
    result_.origins.push_back(index_);
}

void AddedCode::keep() { append(current()); }

std::uint32_t AddedCode::new_label() {
    result_.function.labels.push_back({"added", 0});
    return static_cast<std::uint32_t>(result_.function.labels.size() - 1);
}

void AddedCode::place(std::uint32_t label) {
    result_.function.labels.at(label).instruction = static_cast<std::uint32_t>(code_.size());
}

void AddedCode::add_branch(std::uint32_t label, std::optional<ptx::RegisterId> condition) {
    Operand to;
    to.kind = Operand::Kind::label;
    to.index = label;
    Instruction i;
    i.opcode = ptx::Opcode::bra;
    i.operands = {to};
    add(std::move(i));
    if (!condition) return;
    last().guarded = true;
    last().guard = *condition;
}

ChangedFunction AddedCode::finish() {
    begins_.push_back(static_cast<std::uint32_t>(code_.size()));
    for (std::size_t k = 0; k < given_labels_; ++k) {
        ptx::Label& label = result_.function.labels[k];
        label.instruction = begins_.at(label.instruction);
    }
    result_.function.instructions = std::move(code_);
    return std::move(result_);
}

ptx::RegisterId AddedCode::new_register(Type type) {
    result_.function.registers.push_back({"shadow", type});
    return static_cast<ptx::RegisterId>(result_.function.registers.size() - 1);
}

} // namespace warplight::jit
