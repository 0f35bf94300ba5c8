// SPDX-License-Identifier: Apache-2.0
#include "known_numbers.hpp"

#include "software/ptx/effects.hpp"
#include "software/ptx/flow.hpp"

#include <map>
#include <numeric>
#include <vector>

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

bool is_thread_number(const Operand& x) {
    using SR = ptx::SpecialRegister;
    return x.kind == Kind::special && (x.special == SR::tid_x || x.special == SR::tid_y || x.special == SR::tid_z);
}

/// Registers that hold the thread's number in its block and nothing else.
std::vector<bool> find_thread_numbers(const ptx::Function& function) {
    std::vector<bool> holds(function.registers.size()), written(function.registers.size());
    for (const Instruction& i : function.instructions) {
        const ptx::RegisterId* to = i.opcode == Opcode::mov ? ptx::destination_register(i) : nullptr;
        const bool is_number = to && !i.guarded && !written[*to] && is_thread_number(i.operands[1]);
        ptx::each_written(function, i, [&](ptx::RegisterId r) {
            holds[r] = is_number;
            written[r] = true;
        });
    }
    return holds;
}

constexpr std::int64_t kBitsOfThread = 10; ///< a block has 1024 threads at most

/// What a shift to the right makes of a number. C divides integers with a sign by a power of two after it has added 15
/// or so to negative ones: `(t + (t >> 31 >>> 28)) >> 4`. A thread's number is not negative.
std::optional<std::int64_t> shifted(const Instruction& i, const std::map<ptx::RegisterId, std::int64_t>& known,
                                    const std::vector<bool>& thread_numbers) {
    if (i.opcode != Opcode::shr || i.guarded || i.operands.size() != 3) return std::nullopt;
    const Operand &x = i.operands[1], &by = i.operands[2];
    if (x.kind != Kind::reg || x.negated || by.kind != Kind::integer || by.integer < 0) return std::nullopt;
    const bool is_zero = known.contains(x.reg) && known.at(x.reg) == 0;
    const bool vanishes = thread_numbers[x.reg] && by.integer >= kBitsOfThread;
    return is_zero || vanishes ? std::optional<std::int64_t>(0) : std::nullopt;
}

} // namespace

std::optional<ChangedFunction> with_known_numbers(const ptx::Function& function) {
    std::optional<ChangedFunction> changed;
    const ptx::FlowGraph graph(function);
    std::map<ptx::RegisterId, std::int64_t> known;
    const std::vector<bool> thread_numbers = find_thread_numbers(function);
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
            const bool fits = to && is_integer_of(i, ptx::bits(function.registers[*to].type));
            const bool sets = fits && from && !i.guarded;
            std::optional<std::int64_t> number = fits ? shifted(i, known, thread_numbers) : std::nullopt;
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
