// SPDX-License-Identifier: Apache-2.0
#include "lanes.hpp"

#include <algorithm>
#include <numeric>

namespace warplight::jit {

using ptx::Instruction;
using ptx::Operand;
using SR = ptx::SpecialRegister;

namespace {

std::int64_t bytes_of_lane(const ptx::Variable& v) {
    constexpr std::int64_t kLeastAlignment = 16;
    const auto unit = std::max<std::int64_t>(kLeastAlignment, v.alignment);
    return (std::max<std::int64_t>(static_cast<std::int64_t>(v.size), 1) + unit - 1) / unit * unit;
}

} // namespace

LaneBlocks::LaneBlocks(const ptx::FlowGraph& graph) : block_of_(graph.block_of()) {
    for (const ptx::BackEdge& edge : ptx::back_edges(graph)) {
        const auto known = std::ranges::find(loops_, edge.to, &Loop::head);
        if (known == loops_.end())
            loops_.push_back({edge.to, edge.from});
        else
            known->last = edge.from;
    }
    for (std::uint32_t k = 0; k < graph.end(); ++k) {
        const ptx::BasicBlock& block = graph.blocks()[k];
        LaneBlock& one = blocks_.emplace_back();
        one.begin = block.begin;
        one.end = block.end;
        one.successors = block.successors;
        one.cold = !loops_.empty() && std::ranges::none_of(loops_, [&](const Loop& loop) { return loop.has(k); });
    }
}

PerLaneMemory::PerLaneMemory(const ptx::Function& kernel) {
    for (const ptx::Variable& v : kernel.variables)
        bytes_.push_back(v.space == ptx::Space::local ? bytes_of_lane(v) : 0);
}

std::int64_t PerLaneMemory::bytes(const Operand& operand) const {
    const bool is_variable = operand.kind == Operand::Kind::variable ||
                             (operand.kind == Operand::Kind::address && operand.base_kind == Operand::Kind::variable);
    return is_variable && operand.scope == Operand::Scope::function ? bytes(operand.index) : 0;
}

std::int64_t PerLaneMemory::total() const { return std::accumulate(bytes_.begin(), bytes_.end(), std::int64_t{0}); }

std::optional<std::uint32_t> NonTemporalStores::pointer_of(std::uint32_t instruction) const {
    const auto found = by_instruction.find(instruction);
    return found != by_instruction.end() ? std::optional(found->second) : std::nullopt;
}

bool LanePlan::parts(const ptx::Function& kernel, std::uint32_t block) const {
    const LaneBlock& one = blocks[block];
    const Instruction& last = kernel.instructions[one.end - 1];
    return one.successors.size() == 2 && last.guarded && !uniform(last.guard);
}

std::optional<std::int64_t> LanePlan::stride_of(const Operand& operand) const {
    using Kind = Operand::Kind;
    switch (operand.kind) {
    case Kind::reg: return stride(operand.reg);
    case Kind::address:
        if (operand.base_kind == Kind::reg && (operand.elements.empty() || !uniform(operand.reg)))
            return operand.elements.empty() ? stride(operand.reg) : std::nullopt;
        if (const std::int64_t bytes = per_lane_memory.bytes(operand))
            return operand.elements.empty() ? std::optional(bytes) : std::nullopt;
        break;
    case Kind::variable: return per_lane_memory.bytes(operand);
    case Kind::integer:
    case Kind::floating:
    case Kind::function: return 0;
    case Kind::special:
        if (operand.special == SR::tid_x || operand.special == SR::laneid) return 1;
        if (operand.special >= SR::lanemask_eq && operand.special <= SR::lanemask_gt) return std::nullopt;
        return 0;
    default: break;
    }
    const auto& parts = operand.elements;
    const bool same = std::all_of(parts.begin(), parts.end(), [&](const Operand& e) { return uniform(e); });
    return same ? std::optional<std::int64_t>(0) : std::nullopt;
}

bool LanePlan::uniform(const Operand& operand) const { return stride_of(operand) == 0; }

std::optional<std::int64_t> LanePlan::constant_of(const Operand& operand) const {
    if (operand.kind == Operand::Kind::integer) return operand.integer;
    return operand.kind == Operand::Kind::reg && !operand.negated ? registers.constants[operand.reg] : std::nullopt;
}

bool LanePlan::ends_at(const ptx::Function& kernel, std::uint32_t block) const {
    if (block >= blocks.size()) return true;
    const ptx::Instruction& first = kernel.instructions[blocks[block].begin];
    return (first.opcode == ptx::Opcode::ret || first.opcode == ptx::Opcode::exit) && !first.guarded;
}

bool LanePlan::counts(const Operand& operand) const {
    if (operand.kind == Operand::Kind::special) return operand.special == SR::tid_x || operand.special == SR::laneid;
    if (operand.kind != Operand::Kind::reg) return false;
    const LaneValue& value = registers.values[operand.reg];
    return value.stride == 1 && value.multiple && !value.widening;
}

bool LanePlan::names_one_texture(const Instruction& i) const {
    const Operand& address = i.operands.at(1);
    return address.base_kind == Operand::Kind::variable || uniform(address.reg);
}

} // namespace warplight::jit
