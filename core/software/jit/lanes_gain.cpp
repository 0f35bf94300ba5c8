// SPDX-License-Identifier: Apache-2.0
#include "lanes.hpp"

#include "emit_texture.hpp"

#include <algorithm>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

namespace {

constexpr unsigned kOperationsOfScattered = 5; ///< what a scattered access costs that a vector operation saves

} // namespace

const char* gains_nothing(const ptx::Function& kernel, const LanePlan& plan) {
    if (plan.has_barriers || plan.has_warp_operations || plan.spins) return nullptr;
    // A texture's state is looked at once for all lanes.
    if (std::any_of(kernel.instructions.begin(), kernel.instructions.end(),
                    [&](const Instruction& i) { return samples_lanes(i) && plan.names_one_texture(i); }))
        return nullptr;
    unsigned scattered = 0, vectors = 0;
    for (std::uint32_t k = 0; k < plan.blocks.size(); ++k)
        for (std::uint32_t at = plan.blocks[k].begin; !plan.blocks[k].seldom && at < plan.blocks[k].end; ++at) {
            const Instruction& i = kernel.instructions[at];
            if (i.opcode != Opcode::ld && i.opcode != Opcode::st) {
                if (has_destination(i) && i.operands[0].kind == Operand::Kind::reg && !plan.uniform(i.operands[0].reg))
                    ++vectors;
                continue;
            }
            const Operand& address = i.operands.at(i.opcode == Opcode::ld ? 1 : 0);
            const std::int64_t bytes = std::max(1U, unsigned{i.vector_width}) * ptx::bits(i.type()) / 8;
            if (const auto stride = plan.stride_of(address); stride != 0 && stride != bytes) ++scattered;
        }
    return scattered * kOperationsOfScattered > vectors ? "its addresses are scattered" : nullptr;
}

} // namespace warplight::jit
