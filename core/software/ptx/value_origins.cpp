// SPDX-License-Identifier: Apache-2.0
#include "value_origins.hpp"

#include "effects.hpp"

#include <algorithm>

namespace warplight::ptx {
namespace {

bool reads_memory(const Instruction& i) {
    if (i.opcode == Opcode::ldmatrix || (i.opcode == Opcode::wmma && i.has(Modifier::load))) return true;
    if (i.opcode == Opcode::tex || i.opcode == Opcode::tld4 || i.opcode == Opcode::suld) return true;
    const bool loads = i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::atom;
    return loads && i.space != Space::param && i.space != Space::constant;
}

} // namespace

std::vector<std::uint32_t> loads_behind(const Function& function, std::uint32_t instruction, Used used) {
    std::vector<std::uint32_t> loads;
    if (instruction >= function.instructions.size()) return loads;
    std::vector<bool> seen(function.registers.size());
    std::vector<RegisterId> left;
    const auto follow = [&](RegisterId r) {
        if (!seen[r]) left.push_back(r);
        seen[r] = true;
    };
    const auto values_of = [&](const Instruction& i) {
        for (const Operand& x : sources_of(i))
            if (x.kind != Operand::Kind::address) each_register(x, follow);
    };
    const Instruction& last = function.instructions[instruction];
    if (used == Used::addresses) {
        for (const Operand& x : last.operands)
            if (x.kind == Operand::Kind::address) each_register(x, follow);
    } else {
        if (last.opcode == Opcode::atom || last.opcode == Opcode::red) loads.push_back(instruction);
        values_of(last);
        if (last.guarded) follow(last.guard);
    }
    while (!left.empty()) {
        const RegisterId r = left.back();
        left.pop_back();
        for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
            const Instruction& i = function.instructions[k];
            bool writes = false;
            each_written(function, i, [&](RegisterId written) { writes |= written == r; });
            if (!writes || i.call >= 0) continue;
            if (!reads_memory(i))
                values_of(i);
            else if (std::find(loads.begin(), loads.end(), k) == loads.end())
                loads.push_back(k);
        }
    }
    return loads;
}

} // namespace warplight::ptx
