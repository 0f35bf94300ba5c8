// SPDX-License-Identifier: Apache-2.0
// Barriers of the block, and barrier objects in memory.
#include "emit.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using software::BarrierOperation;
using software::ThreadContext;

namespace {

void request(Emitter& e, BarrierOperation operation, Value* number, Value* threads) {
    e.request_field(offsetof(ThreadContext, operation), e.b.getInt32(static_cast<std::uint32_t>(operation)));
    e.request_field(offsetof(ThreadContext, mask), number);
    e.request_field(offsetof(ThreadContext, b), threads ? threads : e.b.getInt32(0));
}

void emit_block_barrier(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::cluster)) e.unsupported_form(i);
    const bool reduces = i.has(Modifier::red);
    const std::size_t first = reduces ? 1 : 0;
    const std::size_t numbers = i.operands.size() - (reduces ? 2 : 0);
    Value* number = numbers > 0 ? e.read(i.operands[first], ptx::Type::b32) : b.getInt32(0);
    Value* threads = numbers > 1 ? e.read(i.operands[first + 1], ptx::Type::b32) : nullptr;
    if (i.has(Modifier::arrive)) {
        request(e, BarrierOperation::arrive, number, threads);
        e.request_field(offsetof(ThreadContext, site), e.site_value());
        e.runtime_call("wl_rt_barrier_arrive", b.getVoidTy(), {e.thread()});
        return;
    }
    if (!reduces) {
        request(e, BarrierOperation::sync, number, threads);
        e.suspend(software::Wait::barrier);
        return;
    }
    const BarrierOperation operation = i.has(Modifier::popc)   ? BarrierOperation::reduce_popc
                                       : i.has(Modifier::and_) ? BarrierOperation::reduce_and
                                                               : BarrierOperation::reduce_or;
    Value* predicate = e.read(i.operands.back(), ptx::Type::pred);
    request(e, operation, number, threads);
    e.request_field(offsetof(ThreadContext, value), b.CreateZExt(predicate, b.getInt64Ty()));
    e.suspend(software::Wait::barrier);
    Value* answer = e.answer_field(offsetof(ThreadContext, result), b.getInt32Ty());
    if (operation == BarrierOperation::reduce_popc)
        e.write(i.operands[0], ptx::Type::b32, answer);
    else
        e.write(i.operands[0], ptx::Type::pred, b.CreateICmpNE(answer, b.getInt32(0)));
}

// A barrier object is 64 bits: pending arrivals (20 bits), arrivals expected a phase (20), number of the phase (24).
// A block runs on one host thread, so plain loads and stores do.
constexpr unsigned kCountBits = 20;
constexpr std::uint64_t kCountMask = (1u << kCountBits) - 1;
constexpr unsigned kPhaseShift = 2 * kCountBits;

Value* count_operand(Emitter& e, const ptx::Instruction& i, std::size_t k) {
    if (k >= i.operands.size()) return e.b.getInt64(1);
    return e.b.CreateZExt(e.read(i.operands[k], ptx::Type::b32), e.b.getInt64Ty());
}

Value* phase_of(Emitter& e, Value* state) { return e.b.CreateLShr(state, kPhaseShift); }

void emit_arrive(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool has_result = i.operands.at(0).kind != ptx::Operand::Kind::address;
    const std::size_t at = has_result ? 1 : 0;
    Value* address = e.pointer(i.operands.at(at), i.space);
    Value* count = count_operand(e, i, at + 1);
    Value* old = b.CreateLoad(b.getInt64Ty(), address);
    Value* pending = b.CreateAnd(b.CreateSub(b.CreateAnd(old, kCountMask), count), kCountMask);
    Value* expected = b.CreateAnd(b.CreateLShr(old, kCountBits), kCountMask);
    if (i.has(Modifier::arrive_drop)) expected = b.CreateAnd(b.CreateSub(expected, count), kCountMask);
    Value* complete = b.CreateICmpEQ(pending, b.getInt64(0));
    Value* phase = b.CreateAdd(phase_of(e, old), b.CreateZExt(complete, b.getInt64Ty()));
    Value* fresh = b.CreateSelect(complete, expected, pending);
    Value* state = b.CreateOr(fresh, b.CreateOr(b.CreateShl(expected, kCountBits), b.CreateShl(phase, kPhaseShift)));
    b.CreateStore(state, address);
    if (has_result) e.write(i.operands[0], ptx::Type::b64, old);
}

Value* is_complete(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* address = e.pointer(i.operands.at(1), i.space);
    llvm::LoadInst* state = b.CreateLoad(b.getInt64Ty(), address);
    state->setVolatile(true); // it changes while this thread waits
    Value* phase = phase_of(e, state);
    if (i.has(Modifier::parity)) {
        Value* parity = b.CreateZExt(e.read(i.operands.at(2), ptx::Type::b32), b.getInt64Ty());
        return b.CreateICmpNE(b.CreateAnd(phase, 1), b.CreateAnd(parity, 1));
    }
    return b.CreateICmpNE(phase, phase_of(e, e.read(i.operands.at(2), ptx::Type::b64)));
}

bool emit_object(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::expect_tx) || i.has(Modifier::complete_tx) || i.space == ptx::Space::shared_cluster)
        e.unsupported_form(i);
    if (i.has(Modifier::init)) {
        Value* count = b.CreateAnd(count_operand(e, i, 1), kCountMask);
        b.CreateStore(b.CreateOr(count, b.CreateShl(count, kCountBits)), e.pointer(i.operands.at(0), i.space));
    } else if (i.has(Modifier::inval)) {
        b.CreateStore(b.getInt64(0), e.pointer(i.operands.at(0), i.space));
    } else if (i.has(Modifier::arrive) || i.has(Modifier::arrive_drop)) {
        emit_arrive(e, i);
    } else if (i.has(Modifier::pending_count)) {
        Value* pending = b.CreateAnd(e.read(i.operands.at(1), ptx::Type::b64), kCountMask);
        e.write(i.operands[0], ptx::Type::b32, b.CreateTrunc(pending, b.getInt32Ty()));
    } else if (i.has(Modifier::test_wait)) {
        e.write(i.operands.at(0), ptx::Type::pred, is_complete(e, i));
    } else if (i.has(Modifier::try_wait)) {
        // May wait for a while: others get their turn once.
        e.emit_if(b.CreateNot(is_complete(e, i)), [&] { e.suspend(software::Wait::yield); });
        e.write(i.operands.at(0), ptx::Type::pred, is_complete(e, i));
    } else {
        e.unsupported_form(i);
    }
    return true;
}

} // namespace

bool emit_barrier(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::bar:
    case ptx::Opcode::barrier: emit_block_barrier(e, i); return true;
    case ptx::Opcode::mbarrier: return emit_object(e, i);
    default: return false;
    }
}

} // namespace warplight::jit
