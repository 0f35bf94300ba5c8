// SPDX-License-Identifier: Apache-2.0
// How an instruction is done for the lanes. In this order:
//   - once, if the operands are the same in all lanes, or if the result is affine;
//   - by a group of its own, for memory, warps, matrices and textures;
//   - on vectors, for arithmetic;
//   - serially, a lane after the other, for everything else.
#include "lane_groups.hpp"
#include "software/jit/emit/groups.hpp"
#include "software/jit/emit/memory/texture.hpp"
#include "software/jit/lanes/joint_access.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

/// All lanes would do the same.
bool is_uniform(const Emitter& e, const Instruction& i) {
    if (e.lanes.keeps_others() || uses_carry(i)) return false; // each lane has a flag
    switch (i.opcode) {
    case Opcode::atom:
    case Opcode::red:
    case Opcode::sured:
    case Opcode::alloca: return false;
    default: break;
    }
    const auto sources = ptx::sources_of(i);
    return std::all_of(sources.begin(), sources.end(), [&](const Operand& x) { return e.plan->uniform(x); });
}

/// The operands differ and yet the result is the same in all lanes.
bool has_uniform_result(const Emitter& e, const Instruction& i) {
    const ptx::RegisterId* to = ptx::destination_register(i);
    return to && !e.registers.varies(*to);
}

void emit_plainly(Emitter& e, const Instruction& i) {
    if (!emit_any(e, i)) e.unsupported_form(i);
}

void emit_one_way(Emitter& e, Fragments& fragments, const Instruction& i) {
    if (i.opcode == Opcode::invalid) return emit_plainly(e, i);
    const ptx::RegisterId* to = ptx::destination_register(i);
    if (to && e.plan->is_affine(*to)) return emit_affine(e, i);
    if (is_warp_operation(i))
        return ptx::is_matrix(i.opcode) ? emit_lane_matrix(e, fragments, i) : emit_lane_warp(e, i);
    if (is_uniform(e, i)) return emit_plainly(e, i);
    if (emit_lane_access(e, i) || emit_combined_atomic(e, i) || emit_scattered_atomic(e, i)) return;
    if (samples_all_lanes(i) && e.plan->names_one_texture(i)) return emit_lane_samples(e, i);
    if (emit_lane_surface(e, i)) return;
    if (has_uniform_result(e, i)) {
        const auto first = e.lanes.with_lane(0);
        emit_plainly(e, i);
    } else if (ptx::is_computed_on_vectors(i)) {
        const auto vectors = e.lanes.with_full_width();
        emit_plainly(e, i);
    } else {
        emit_serially(e, i);
    }
}

} // namespace

void emit_for_lanes(Emitter& e, Fragments& fragments, const Instruction& i) {
    e.emit_hooked(i, [&] { emit_one_way(e, fragments, i); });
}

} // namespace warplight::jit
