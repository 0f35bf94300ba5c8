// SPDX-License-Identifier: Apache-2.0
// Instructions that the lanes execute one after the other.
#include "lane_groups.hpp"
#include "lane_loop.hpp"

#include <algorithm>
#include <vector>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// The instruction is about as short as the loop around it would be, so it is repeated for each lane instead.
bool is_short(const Instruction& i) {
    if (i.opcode == Opcode::ld || i.opcode == Opcode::st) return true;
    // A locked operation takes longer than a turn of the loop.
    const bool is_atomic = i.opcode == Opcode::red || i.opcode == Opcode::atom;
    return is_atomic && i.space == ptx::Space::shared && !i.has(Modifier::cas) && !ptx::is_float(i.type());
}

/// All lanes store to one address: the last lane's value stays.
bool stores_to_one_place(const LanePlan& plan, const Instruction& i) {
    if (i.opcode != Opcode::st || !plan.uniform(i.operands[0])) return false;
    const auto is_plain = [](const Operand& x) {
        return x.kind == Operand::Kind::reg || x.kind == Operand::Kind::integer || x.kind == Operand::Kind::floating;
    };
    const Operand& value = i.operands.at(1);
    return is_plain(value) ||
           (value.kind == Operand::Kind::vector && std::all_of(value.elements.begin(), value.elements.end(), is_plain));
}

void emit_in_loop(Emitter& e, const Instruction& i) {
    std::vector<bool> is_read(e.function.registers.size());
    for (const Operand& x : ptx::sources_of(i))
        each_register(x, [&](ptx::RegisterId r) { is_read[r] = true; });
    LaneLoop loop(e);
    for (const Operand& operand : i.operands)
        each_register(operand, [&](ptx::RegisterId r) { loop.use(r, is_read[r]); });
    loop.emit([&] {
        if (!emit_any(e, i)) e.unsupported_form(i);
    });
    if (const Operand* to = ptx::destination_of(i)) each_register(*to, [&](ptx::RegisterId r) { loop.take_back(r); });
}

} // namespace

void emit_serially(Emitter& e, const Instruction& i) {
    const auto emit = [&] {
        if (!emit_any(e, i)) e.unsupported_form(i);
    };
    if (e.lanes.active_mask() || !is_short(i)) return emit_in_loop(e, i);
    if (stores_to_one_place(*e.plan, i)) {
        const auto lane = e.lanes.with_lane(0); // that a fault names
        const auto last = e.lanes.with_last_read();
        return emit();
    }
    for (unsigned k = 0; k < e.lanes.full_width(); ++k) {
        if (e.b.GetInsertBlock()->getTerminator()) e.b.SetInsertPoint(e.new_block("unreached"));
        const auto lane = e.lanes.with_lane(k);
        emit();
    }
}

} // namespace warplight::jit
