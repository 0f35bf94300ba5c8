// SPDX-License-Identifier: Apache-2.0
// Warp operations of threads that are run one at a time: each asks the runtime, which answers when all have come.
#include "software/jit/emit/groups.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using software::ThreadContext;
using software::WarpOperation;

void ask_warp(Emitter& e, WarpOperation operation, Value* mask, Value* value) {
    e.waiting.request_field(offsetof(ThreadContext, operation), e.b.getInt32(static_cast<std::uint32_t>(operation)));
    e.waiting.request_field(offsetof(ThreadContext, mask), mask);
    if (value) e.waiting.request_field(offsetof(ThreadContext, value), e.b.CreateZExt(value, e.b.getInt64Ty()));
    e.waiting.suspend(software::Wait::warp);
}

namespace {

Value* answer32(Emitter& e) { return e.waiting.answer_field(offsetof(ThreadContext, result), e.b.getInt32Ty()); }

Value* second_answer(Emitter& e) {
    return e.b.CreateICmpNE(e.waiting.answer_field(offsetof(ThreadContext, predicate), e.b.getInt32Ty()),
                            e.b.getInt32(0));
}

/// Writes d of `d` or of `d|p`, and p.
void write_pair(Emitter& e, const ptx::Operand& to, ptx::Type type, Value* value) {
    if (to.kind != ptx::Operand::Kind::predicated_pair) {
        e.write(to, type, value);
        return;
    }
    Value* predicate = second_answer(e);
    e.write(to.elements.at(0), type, value);
    e.write(to.elements.at(1), ptx::Type::pred, predicate);
}

void emit_shuffle(Emitter& e, const ptx::Instruction& i) {
    if (!i.has(Modifier::sync)) e.unsupported_form(i, "only with .sync");
    const WarpOperation operation = i.has(Modifier::up)     ? WarpOperation::shuffle_up
                                    : i.has(Modifier::down) ? WarpOperation::shuffle_down
                                    : i.has(Modifier::bfly) ? WarpOperation::shuffle_bfly
                                                            : WarpOperation::shuffle_idx;
    e.waiting.request_field(offsetof(ThreadContext, b), e.read(i.operands.at(2), ptx::Type::b32));
    e.waiting.request_field(offsetof(ThreadContext, c), e.read(i.operands.at(3), ptx::Type::b32));
    ask_warp(e, operation, e.read(i.operands.at(4), ptx::Type::b32), e.read(i.operands.at(1), ptx::Type::b32));
    write_pair(e, i.operands[0], ptx::Type::b32, answer32(e));
}

void emit_vote(Emitter& e, const ptx::Instruction& i) {
    if (!i.has(Modifier::sync)) e.unsupported_form(i, "only with .sync");
    Value* predicate = e.read(i.operands.at(1), ptx::Type::pred);
    Value* mask = e.read(i.operands.at(2), ptx::Type::b32);
    const WarpOperation operation = i.has(Modifier::ballot) ? WarpOperation::vote_ballot
                                    : i.has(Modifier::all)  ? WarpOperation::vote_all
                                    : i.has(Modifier::any)  ? WarpOperation::vote_any
                                                            : WarpOperation::vote_uni;
    ask_warp(e, operation, mask, predicate);
    Value* answer = answer32(e);
    if (operation == WarpOperation::vote_ballot)
        e.write(i.operands[0], ptx::Type::b32, answer);
    else
        e.write(i.operands[0], ptx::Type::pred, e.b.CreateICmpNE(answer, e.b.getInt32(0)));
}

void emit_match(Emitter& e, const ptx::Instruction& i) {
    const bool wide = ptx::bits(i.type()) == 64;
    const bool any = i.has(Modifier::any);
    const WarpOperation operation = any ? (wide ? WarpOperation::match_any64 : WarpOperation::match_any32)
                                        : (wide ? WarpOperation::match_all64 : WarpOperation::match_all32);
    ask_warp(e, operation, e.read(i.operands.at(2), ptx::Type::b32),
             e.read(i.operands.at(1), wide ? ptx::Type::b64 : ptx::Type::b32));
    write_pair(e, i.operands[0], ptx::Type::b32, answer32(e));
}

void emit_reduce(Emitter& e, const ptx::Instruction& i) {
    if (ptx::is_float(i.type())) e.unsupported_form(i);
    const bool is_signed = ptx::is_signed(i.type());
    const WarpOperation operation =
        i.has(Modifier::add)    ? WarpOperation::reduce_add
        : i.has(Modifier::min)  ? (is_signed ? WarpOperation::reduce_min_s32 : WarpOperation::reduce_min_u32)
        : i.has(Modifier::max)  ? (is_signed ? WarpOperation::reduce_max_s32 : WarpOperation::reduce_max_u32)
        : i.has(Modifier::and_) ? WarpOperation::reduce_and
        : i.has(Modifier::or_)  ? WarpOperation::reduce_or
                                : WarpOperation::reduce_xor;
    ask_warp(e, operation, e.read(i.operands.at(2), ptx::Type::b32), e.read(i.operands.at(1), ptx::Type::b32));
    e.write(i.operands[0], ptx::Type::b32, answer32(e));
}

} // namespace

bool emit_warp(Emitter& e, const ptx::Instruction& i) {
    using Op = ptx::Opcode;
    switch (i.opcode) {
    case Op::shfl: emit_shuffle(e, i); return true;
    case Op::vote: emit_vote(e, i); return true;
    case Op::match: emit_match(e, i); return true;
    case Op::redux: emit_reduce(e, i); return true;
    case Op::activemask:
        ask_warp(e, WarpOperation::activemask, e.b.getInt32(0), nullptr);
        e.write(i.operands.at(0), ptx::Type::b32, answer32(e));
        return true;
    case Op::elect:
        ask_warp(e, WarpOperation::elect, e.read(i.operands.at(1), ptx::Type::b32), nullptr);
        write_pair(e, i.operands[0], ptx::Type::b32, answer32(e));
        return true;
    case Op::bar:
    case Op::barrier:
        if (!i.has(Modifier::warp)) return false;
        ask_warp(e, WarpOperation::sync, e.read(i.operands.at(0), ptx::Type::b32), nullptr);
        return true;
    default: return false;
    }
}

} // namespace warplight::jit
