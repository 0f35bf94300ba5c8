// SPDX-License-Identifier: Apache-2.0
// Barriers of the block, and barrier objects in memory.
#include "software/jit/emit/groups.hpp"
#include "software/jit/ir_conventions.hpp"

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using software::BarrierOperation;
using software::ThreadContext;

namespace {

void request(Emitter& e, BarrierOperation operation, Value* number, Value* threads) {
    if (!llvm::isa<llvm::Constant>(number) || (threads && !llvm::isa<llvm::Constant>(threads)))
        e.target.getParent()->getOrInsertNamedMetadata(kVaryingBarriersMetadata);
    e.waiting.request_field(offsetof(ThreadContext, operation), e.b.getInt32(static_cast<std::uint32_t>(operation)));
    e.waiting.request_field(offsetof(ThreadContext, mask), number);
    e.waiting.request_field(offsetof(ThreadContext, b), threads ? threads : e.b.getInt32(0));
}

void emit_block_barrier(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::cluster)) {
        if (!i.has(Modifier::arrive)) {
            e.waiting.suspend(software::Wait::cluster);
            return;
        }
        const BarrierOperation operation =
            i.has(Modifier::relaxed) ? BarrierOperation::arrive_relaxed : BarrierOperation::arrive;
        e.waiting.request_field(offsetof(ThreadContext, operation), b.getInt32(static_cast<std::uint32_t>(operation)));
        e.waiting.request_field(offsetof(ThreadContext, site), e.site_value());
        e.runtime_call("wl_rt_cluster_arrive", b.getVoidTy(), {e.place.thread()});
        return;
    }
    const bool reduces = i.has(Modifier::red);
    const std::size_t first = reduces ? 1 : 0;
    const std::size_t numbers = i.operands.size() - (reduces ? 2 : 0);
    Value* number = numbers > 0 ? e.read(i.operands[first], ptx::Type::b32) : b.getInt32(0);
    Value* threads = numbers > 1 ? e.read(i.operands[first + 1], ptx::Type::b32) : nullptr;
    if (i.has(Modifier::arrive)) {
        request(e, BarrierOperation::arrive, number, threads);
        e.waiting.request_field(offsetof(ThreadContext, site), e.site_value());
        e.runtime_call("wl_rt_barrier_arrive", b.getVoidTy(), {e.place.thread()});
        return;
    }
    if (!reduces) {
        request(e, BarrierOperation::sync, number, threads);
        e.waiting.suspend(software::Wait::barrier);
        return;
    }
    const BarrierOperation operation = i.has(Modifier::popc)   ? BarrierOperation::reduce_popc
                                       : i.has(Modifier::and_) ? BarrierOperation::reduce_and
                                                               : BarrierOperation::reduce_or;
    Value* predicate = e.read(i.operands.back(), ptx::Type::pred);
    request(e, operation, number, threads);
    e.waiting.request_field(offsetof(ThreadContext, value), b.CreateZExt(predicate, b.getInt64Ty()));
    e.waiting.suspend(software::Wait::barrier);
    Value* answer = e.waiting.answer_field(offsetof(ThreadContext, result), b.getInt32Ty());
    if (operation == BarrierOperation::reduce_popc)
        e.write(i.operands[0], ptx::Type::b32, answer);
    else
        e.write(i.operands[0], ptx::Type::pred, b.CreateICmpNE(answer, b.getInt32(0)));
}

// A barrier object has 64 bits, from the lowest:
//   20  pending arrivals
//   20  arrivals expected in each phase
//   21  bytes of transactions still to come, two's complement
//    3  number of the phase; waiting compares it, or its lowest bit
// A block runs on one host thread, so plain loads and stores suffice.
constexpr unsigned kCountBits = 20, kBytesBits = 21;
constexpr std::uint64_t kCountMask = (1u << kCountBits) - 1, kBytesMask = (1u << kBytesBits) - 1;
constexpr unsigned kExpectedShift = kCountBits, kBytesShift = 2 * kCountBits, kPhaseShift = kBytesShift + kBytesBits;

Value* operand64(Emitter& e, const ptx::Instruction& i, std::size_t k) {
    return e.b.CreateZExt(e.read(i.operands.at(k), ptx::Type::b32), e.b.getInt64Ty());
}

Value* object_at(Emitter& e, const ptx::Instruction& i, std::size_t k) {
    e.checks.check_alignment(i.operands.at(k), i.space, 8, false);
    return e.checks.asked(e.addresses.pointer(i.operands[k], i.space), 8, true);
}

Value* phase_of(Emitter& e, Value* state) { return e.b.CreateLShr(state, kPhaseShift); }

/// A change of a barrier object; each part may be absent.
struct Update {
    Value* arrivals = nullptr;
    Value* bytes = nullptr; ///< more to come; negative: bytes that have come
    bool drops = false;     ///< the arrivals are not expected in the next phase
};

/// Changes the object and answers its old state. A phase ends when no arrivals are pending and no bytes are to come.
Value* update(Emitter& e, Value* address, const Update& u) {
    auto& b = e.b;
    Value* old = b.CreateLoad(b.getInt64Ty(), address);
    const auto field = [&](unsigned shift, std::uint64_t mask) { return b.CreateAnd(b.CreateLShr(old, shift), mask); };
    Value* pending = field(0, kCountMask);
    Value* expected = field(kExpectedShift, kCountMask);
    Value* bytes = field(kBytesShift, kBytesMask);
    if (u.arrivals) pending = b.CreateAnd(b.CreateSub(pending, u.arrivals), kCountMask);
    if (u.drops) expected = b.CreateAnd(b.CreateSub(expected, u.arrivals), kCountMask);
    if (u.bytes) bytes = b.CreateAnd(b.CreateAdd(bytes, u.bytes), kBytesMask);
    Value* complete = b.CreateICmpEQ(b.CreateOr(pending, bytes), b.getInt64(0));
    Value* phase = b.CreateAdd(phase_of(e, old), b.CreateZExt(complete, b.getInt64Ty()));
    Value* state = b.CreateSelect(complete, expected, pending);
    state = b.CreateOr(state, b.CreateShl(expected, kExpectedShift));
    state = b.CreateOr(state, b.CreateShl(bytes, kBytesShift));
    b.CreateStore(b.CreateOr(state, b.CreateShl(phase, kPhaseShift)), address);
    return old;
}

void emit_arrive(Emitter& e, const ptx::Instruction& i) {
    // Without a destination for the state the first operand is the barrier: it may be another block's.
    const std::size_t at = i.operands.at(0).kind != ptx::Operand::Kind::address ? 1 : 0;
    Update u;
    u.drops = i.has(Modifier::arrive_drop);
    u.arrivals = e.b.getInt64(1);
    if (i.has(Modifier::expect_tx))
        u.bytes = operand64(e, i, at + 1);
    else if (at + 1 < i.operands.size())
        u.arrivals = operand64(e, i, at + 1);
    Value* old = update(e, object_at(e, i, at), u);
    if (at) e.write(i.operands[0], ptx::Type::b64, old);
}

Value* is_complete(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    Value* address = object_at(e, i, 1);
    llvm::LoadInst* state = b.CreateLoad(b.getInt64Ty(), address);
    state->setVolatile(true); // it changes while this thread waits
    Value* phase = phase_of(e, state);
    if (i.has(Modifier::parity)) {
        Value* parity = operand64(e, i, 2);
        return b.CreateICmpNE(b.CreateAnd(phase, 1), b.CreateAnd(parity, 1));
    }
    return b.CreateICmpNE(phase, phase_of(e, e.read(i.operands.at(2), ptx::Type::b64)));
}

bool emit_object(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const auto object = [&] { return object_at(e, i, 0); };
    if (i.has(Modifier::init)) {
        Value* count = b.CreateAnd(operand64(e, i, 1), kCountMask);
        b.CreateStore(b.CreateOr(count, b.CreateShl(count, kExpectedShift)), object());
    } else if (i.has(Modifier::inval)) {
        b.CreateStore(b.getInt64(0), object());
    } else if (i.has(Modifier::arrive) || i.has(Modifier::arrive_drop)) {
        emit_arrive(e, i);
    } else if (i.has(Modifier::expect_tx)) {
        update(e, object(), {nullptr, operand64(e, i, 1)});
    } else if (i.has(Modifier::complete_tx)) {
        update(e, object(), {nullptr, b.CreateNeg(operand64(e, i, 1))});
    } else if (i.has(Modifier::pending_count)) {
        Value* pending = b.CreateAnd(e.read(i.operands.at(1), ptx::Type::b64), kCountMask);
        e.write(i.operands[0], ptx::Type::b32, b.CreateTrunc(pending, b.getInt32Ty()));
    } else if (i.has(Modifier::test_wait)) {
        e.write(i.operands.at(0), ptx::Type::pred, is_complete(e, i));
    } else if (i.has(Modifier::try_wait)) {
        // It may wait for a while: the thread yields once.
        e.emit_if(b.CreateNot(is_complete(e, i)), [&] { e.waiting.suspend(software::Wait::yield); });
        e.write(i.operands.at(0), ptx::Type::pred, is_complete(e, i));
    } else {
        e.unsupported_form(i);
    }
    return true;
}

/// cp.async.mbarrier.arrive: all copies have been made, so the thread arrives at once. Without .noinc it first adds a
/// pending arrival, so that the count does not change.
void emit_copies_arrive(Emitter& e, const ptx::Instruction& i) {
    if (!i.has(Modifier::async)) e.unsupported_form(i);
    Value* address = object_at(e, i, 0);
    update(e, address, {e.b.getInt64(i.has(Modifier::noinc) ? 1 : 0)});
}

} // namespace

void complete_bytes(Emitter& e, Value* barrier, Value* bytes) { update(e, barrier, {nullptr, e.b.CreateNeg(bytes)}); }

bool emit_barrier(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::bar:
    case ptx::Opcode::barrier: emit_block_barrier(e, i); return true;
    case ptx::Opcode::mbarrier: return emit_object(e, i);
    case ptx::Opcode::cp:
        if (!i.has(Modifier::mbarrier)) return false;
        emit_copies_arrive(e, i);
        return true;
    default: return false;
    }
}

} // namespace warplight::jit
