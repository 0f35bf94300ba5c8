// SPDX-License-Identifier: Apache-2.0
#include "known_numbers.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <map>
#include <numeric>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using Kind = Operand::Kind;

namespace {

bool is_integer_of(const Instruction& i, unsigned bits) {
    return i.type_count == 1 && !ptx::is_float(i.types[0]) && i.types[0] != ptx::Type::pred &&
           ptx::bits(i.types[0]) == bits;
}

bool takes_numbers(const Instruction& i) {
    switch (i.opcode) {
    case Opcode::mov:
    case Opcode::add:
    case Opcode::sub:
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::shl: return !ptx::uses_carry(i);
    default: return false;
    }
}

} // namespace

std::optional<ChangedFunction> with_known_numbers(const ptx::Function& function) {
    std::optional<ChangedFunction> changed;
    const ptx::FlowGraph graph(function);
    std::map<ptx::RegisterId, std::int64_t> known;
    for (const ptx::BasicBlock& block : graph.blocks()) {
        known.clear();
        for (std::uint32_t k = block.begin; k < block.end; ++k) {
            const Instruction& i = function.instructions[k];
            for (std::size_t o = 1; takes_numbers(i) && o < i.operands.size(); ++o) {
                const Operand& x = i.operands[o];
                if (x.kind != Kind::reg || x.negated) continue;
                const auto number = known.find(x.reg);
                if (number == known.end() || !is_integer_of(i, ptx::bits(function.registers[x.reg].type))) continue;
                if (!changed) changed.emplace(ChangedFunction{function, {}});
                changed->function.instructions[k].operands[o] = number_operand(number->second);
            }
            const ptx::RegisterId* to = ptx::destination_register(i);
            const Operand* from = i.opcode == Opcode::mov && i.operands.size() == 2 ? &i.operands[1] : nullptr;
            const bool sets = to && from && !i.guarded && is_integer_of(i, ptx::bits(function.registers[*to].type));
            std::optional<std::int64_t> number;
            if (sets && from->kind == Kind::integer) number = from->integer;
            if (sets && from->kind == Kind::reg && !from->negated && known.contains(from->reg))
                number = known.at(from->reg);
            ptx::each_written(function, i, [&](ptx::RegisterId r) { known.erase(r); });
            if (number) known[*to] = *number;
        }
    }
    if (changed) {
        changed->origins.resize(function.instructions.size());
        std::iota(changed->origins.begin(), changed->origins.end(), 0U);
    }
    return changed;
}

} // namespace warplight::jit
