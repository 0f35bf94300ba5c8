// SPDX-License-Identifier: Apache-2.0
#include "block_body.hpp"

#include "software/jit/emit/groups.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;

void BlockBody::enter(const LaneBlock& block, Value* mask) {
    const auto& all = e_.function.instructions;
    if (!mask && std::any_of(all.begin() + block.begin, all.begin() + block.end,
                             [](const Instruction& i) { return ptx::is_matrix(i.opcode); }))
        fragments_.enter(block, *e_.plan);
    begin_hooked_block(block.begin, mask);
}

void BlockBody::leave() {
    fragments_.leave();
    rows_.leave();
}

std::uint32_t BlockBody::emit(std::uint32_t at, std::uint32_t end, Value* mask) {
    if (const std::optional<GroupRun> run = group_run(at, end, mask)) {
        emit_group_run(*run, at);
        return run->end() - 1;
    }
    if (const std::optional<RowRun> run = row_run(at, end, mask)) {
        emit_row_run(*run);
        return run->end() - 1;
    }
    if (!mask && emit_rows(at, end)) return at;
    if (const std::optional<SerialRun> run = serial_run(at, end, mask)) {
        emit_serial(*run, at, mask);
        return run->end() - 1;
    }
    emit_one(at, mask);
    return at;
}

Value* BlockBody::uniform_guard(const Instruction& i) { return e_.read(guard_of(i), ptx::Type::pred); }

Value* BlockBody::guard_of_lanes(const Instruction& i) {
    const auto vectors = e_.lanes.with_full_width();
    return e_.read(guard_of(i), ptx::Type::pred);
}

void BlockBody::emit_serial(const SerialRun& run, std::uint32_t begin, Value* mask) {
    llvm::BasicBlock* rest = nullptr;
    if (run.most_active()) {
        const unsigned width = e_.lanes.full_width();
        Type* bits = b_.getIntNTy(width);
        Value* count = b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, b_.CreateBitCast(mask, bits));
        llvm::BasicBlock* many = e_.new_block("many");
        llvm::BasicBlock* few = e_.new_block("few");
        rest = e_.new_block("rest");
        b_.CreateCondBr(b_.CreateICmpUGT(count, llvm::ConstantInt::get(bits, run.most_active())), many, few);
        b_.SetInsertPoint(many);
        for (std::uint32_t at = begin; at < run.end(); ++at)
            emit_one(at, mask);
        b_.CreateBr(rest);
        b_.SetInsertPoint(few);
    }
    {
        const auto active = e_.lanes.with_active_mask(mask);
        run.emit(e_, [&](std::uint32_t once) { emit_one(once, mask); });
    }
    if (!rest) return;
    if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
}

std::optional<GroupRun> BlockBody::group_run(std::uint32_t at, std::uint32_t end, Value* mask) {
    const Opcode opcode = e_.function.instructions[at].opcode;
    if (mask || (opcode != Opcode::ld && opcode != Opcode::st) || fragments_.holds_any()) return std::nullopt;
    return GroupRun::find(e_, at, end);
}

void BlockBody::emit_group_run(const GroupRun& run, std::uint32_t begin) {
    rows_.leave();
    llvm::BasicBlock* rest = e_.new_block("rest");
    run.emit(e_, rest, [&](std::uint32_t at) { emit_one(at, nullptr); });
    for (std::uint32_t at = begin; at < run.end(); ++at)
        emit_one(at, nullptr);
    if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
}

std::optional<RowRun> BlockBody::row_run(std::uint32_t at, std::uint32_t end, Value* mask) {
    const Opcode opcode = e_.function.instructions[at].opcode;
    if (mask || (opcode != Opcode::ld && opcode != Opcode::st) || fragments_.holds_any()) return std::nullopt;
    return RowRun::find(e_, at, end);
}

void BlockBody::emit_row_run(const RowRun& run) {
    rows_.leave(); // what it reads is read in one of two ways only
    rows_.pass_stores(run.end());
    run.emit(
        e_,
        [&](std::uint32_t at) {
            if (!emit_rows(at, run.end())) emit_one(at, nullptr);
        },
        [&](std::uint32_t at) {
            rows_.leave();
            emit_one(at, nullptr);
        });
    rows_.leave();
    rows_.pass_stores(0);
}

bool BlockBody::emit_rows(std::uint32_t at, std::uint32_t end) {
    const Opcode opcode = e_.function.instructions[at].opcode;
    if ((opcode != Opcode::ld && opcode != Opcode::st) || fragments_.holds_any()) return false;
    e_.begin_instruction(at);
    return opcode == Opcode::ld ? rows_.emit(at, end) : row_stores_.emit(at, end);
}

void BlockBody::emit_one(std::uint32_t at, Value* mask) {
    e_.begin_instruction(at);
    emit_guarded(e_.function.instructions[at], mask);
    if (fragments_.holds_any()) fragments_.finish(at);
}

std::optional<SerialRun> BlockBody::serial_run(std::uint32_t at, std::uint32_t end, Value* mask) {
    const Opcode opcode = e_.function.instructions[at].opcode;
    if (opcode != Opcode::ld && opcode != Opcode::st) return std::nullopt;
    if (!e_.hooks.empty() || e_.unit.options.access_reports != AccessReports::none || fragments_.holds_any())
        return std::nullopt;
    const auto active = e_.lanes.with_active_mask(mask);
    return SerialRun::find(e_, at, end);
}

void BlockBody::begin_hooked_block(std::uint32_t first, Value* mask) {
    if (e_.hooks.empty()) return;
    e_.begin_instruction(first);
    const auto active = e_.lanes.with_active_mask(mask);
    e_.begin_hooked_block();
}

void BlockBody::emit_guarded(const Instruction& i, Value* mask) {
    const auto active = e_.lanes.with_active_mask(mask);
    if (!i.guarded) return emit_for_lanes(e_, fragments_, i);
    if (!e_.registers.varies(i.guard)) return e_.emit_if(uniform_guard(i), [&] { emit_for_lanes(e_, fragments_, i); });
    Value* guard = guard_of_lanes(i);
    const auto guarded = e_.lanes.with_active_mask(mask ? b_.CreateAnd(mask, guard) : guard);
    const auto kept = e_.lanes.with_others_kept(true);
    emit_for_lanes(e_, fragments_, i);
}

} // namespace warplight::jit
