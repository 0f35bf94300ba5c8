// SPDX-License-Identifier: Apache-2.0
#include "group_run.hpp"

#include "group_place.hpp"
#include "lane_access.hpp"
#include "software/jit/host.hpp"

#include <llvm/IR/MDBuilder.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;

namespace {

bool is_access(const Instruction& i) { return i.opcode == Opcode::ld || i.opcode == Opcode::st; }

bool is_of_groups(Emitter& e, std::uint32_t at) {
    const Instruction& i = e.function.instructions[at];
    const bool load = i.opcode == Opcode::ld;
    const ptx::Operand& address = i.operands.at(load ? 1 : 0);
    if (i.space != ptx::Space::shared || i.guarded || i.has(ptx::Modifier::volatile_) || !moves_vectors(e, i, address))
        return false;
    e.begin_instruction(at);
    const auto groups = e.lanes.with_groups(true);
    return LaneAccess(e, i, address, load).layout() == LaneAccess::Layout::grouped;
}

/// Only one thread of the host uses the memory of a block then, so that elements between may be written as they were.
bool may_have_groups(const Emitter& e) {
    constexpr std::size_t kLongest = 3000; // looking for places takes a pass over the function
    return host_masks_anything() && e.unit.options.tells_nothing() && !e.unit.analysis.knows_clusters &&
           e.function.instructions.size() <= kLongest && !e.lanes.is_seldom();
}

} // namespace

std::optional<GroupRun> GroupRun::find(Emitter& e, std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t kLongest = 32; // instructions
    const auto& all = e.function.instructions;
    if (!may_have_groups(e) || all[begin].space != ptx::Space::shared || !is_of_groups(e, begin)) return std::nullopt;
    GroupRun run;
    std::uint32_t last = begin;
    for (std::uint32_t at = begin; at < std::min(end, begin + kLongest); ++at) {
        const Instruction& i = all[at];
        if (i.guarded) break;
        if (is_access(i)) {
            if (!is_of_groups(e, at)) break;
            run.accesses_.push_back(at);
            if (i.opcode == Opcode::st) last = at;
        } else if (!ptx::is_computed_on_vectors(i)) {
            break;
        }
    }
    std::erase_if(run.accesses_, [&](std::uint32_t at) { return at > last; });
    if (!run.holds_groups(e)) return std::nullopt;
    for (std::uint32_t at = begin; at <= last; ++at)
        run.instructions_.push_back(at);
    return run;
}

std::optional<GroupRun> GroupRun::assume(Emitter& e, std::vector<std::uint32_t> instructions, std::int64_t step) {
    if (!may_have_groups(e)) return std::nullopt;
    const auto assumed = e.lanes.with_assumed_step(step);
    GroupRun run;
    run.step_ = step;
    for (const std::uint32_t at : instructions) {
        if (!is_access(e.function.instructions[at])) continue;
        if (!is_of_groups(e, at)) return std::nullopt;
        run.accesses_.push_back(at);
    }
    if (!run.holds_groups(e)) return std::nullopt;
    run.instructions_ = std::move(instructions);
    return run;
}

/// A store that follows accesses to the same elements.
bool GroupRun::holds_groups(Emitter& e) const {
    const auto& all = e.function.instructions;
    return accesses_.size() > 1 &&
           std::ranges::any_of(accesses_, [&](std::uint32_t at) { return all[at].opcode == Opcode::ld; }) &&
           std::ranges::any_of(accesses_, [&](std::uint32_t at) { return all[at].opcode == Opcode::st; });
}

void GroupRun::emit(Emitter& e, llvm::BasicBlock* rest, llvm::function_ref<void(std::uint32_t)> one) const {
    llvm::IRBuilder<>& b = e.b;
    const auto groups = e.lanes.with_groups(true);
    const auto assumed = e.lanes.with_assumed_step(step_);
    // A window of an odd size begins anywhere, and groups may reach beyond its end.
    Value* low = b.CreateAnd(b.CreatePtrToInt(e.place.shared_base(), b.getInt64Ty()), b.getInt64(kLineBytes - 1));
    Value* holds = b.CreateIsNull(low);
    Value* first = nullptr;
    for (const std::uint32_t at : accesses_) {
        if (!step_) break;
        const Instruction& i = e.function.instructions[at];
        e.begin_instruction(at);
        LaneAccess access(e, i, i.operands.at(i.opcode == Opcode::ld ? 1 : 0), i.opcode == Opcode::ld);
        Value* word = access.group_word();
        holds = b.CreateAnd(holds, access.has_assumed_step());
        holds = b.CreateAnd(holds, first ? b.CreateICmpEQ(word, first) : access.is_in_groups());
        if (!first) first = word;
    }
    llvm::BasicBlock* vectors = e.new_block("groups");
    llvm::BasicBlock* others = e.new_block("others");
    b.CreateCondBr(holds, vectors, others, step_ ? nullptr : llvm::MDBuilder(e.context).createLikelyBranchWeights());
    b.SetInsertPoint(vectors);
    const auto word = e.lanes.with_group_word(first);
    for (const std::uint32_t at : instructions_)
        one(at);
    if (!b.GetInsertBlock()->getTerminator()) b.CreateBr(rest);
    b.SetInsertPoint(others);
}

} // namespace warplight::jit
