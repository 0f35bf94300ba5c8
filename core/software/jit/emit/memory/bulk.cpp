// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies, stores and reductions, whose end a barrier object or a group of copies tells. All are done at
// once, which the ISA allows: committing a group and waiting for it then have nothing to do.
#include "software/jit/emit/groups.hpp"

#include <algorithm>

namespace warplight::jit {

using llvm::Value;
using ptx::Modifier;
using ptx::Space;

namespace {

Value* barrier_at(Emitter& e, const ptx::Instruction& i, std::size_t k) {
    e.checks.check_alignment(i.operands.at(k), i.space, 8, false);
    return e.checks.asked(e.addresses.pointer(i.operands[k], i.space), 8, true);
}

/// Runs `body` with 0 … count - 1.
template <class Body>
void count_up(Emitter& e, Value* count, Body body) {
    auto& b = e.b;
    llvm::BasicBlock* before = b.GetInsertBlock();
    llvm::BasicBlock* again = e.new_block("element");
    llvm::BasicBlock* inside = e.new_block("inside");
    llvm::BasicBlock* rest = e.new_block("elements");
    b.CreateBr(again);
    b.SetInsertPoint(again);
    llvm::PHINode* index = b.CreatePHI(b.getInt64Ty(), 2);
    index->addIncoming(b.getInt64(0), before);
    b.CreateCondBr(b.CreateICmpULT(index, count), inside, rest);
    b.SetInsertPoint(inside);
    body(index);
    index->addIncoming(b.CreateAdd(index, b.getInt64(1)), b.GetInsertBlock());
    b.CreateBr(again);
    b.SetInsertPoint(rest);
}

/// The same place in the shared memory of the block of another rank.
Value* in_block(Emitter& e, Value* pointer, unsigned rank) {
    auto& b = e.b;
    constexpr unsigned bits = software::kClusterStrideBits;
    Value* at = b.CreatePtrDiff(b.getInt8Ty(), pointer, e.place.shared_origin());
    at = b.CreateAdd(b.CreateAnd(at, (1u << bits) - 1), b.getInt64(std::uint64_t{rank} << bits));
    return b.CreateGEP(b.getInt8Ty(), e.place.shared_origin(), at);
}

/// Runs `body` for each block of a multicast, by its rank.
template <class Body>
void for_blocks(Emitter& e, Value* mask, Body body) {
    for (unsigned rank = 0; rank < software::kMostClusterBlocks; ++rank)
        e.emit_if(e.b.CreateIsNotNull(e.b.CreateAnd(mask, e.b.getInt32(1u << rank))), [&] { body(rank); });
}

void emit_copy(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::commit_group) || i.has(Modifier::wait_group) || i.has(Modifier::prefetch)) {
        if (i.has(Modifier::tensor)) e.unsupported_form(i, "tensor maps");
        return;
    }
    const bool told = i.has(Modifier::mbarrier_complete_tx_bytes);
    const bool to_shared =
        is_shared(i.space) && told &&
        (i.source_space == Space::global || (i.space == Space::shared_cluster && is_shared(i.source_space)));
    const bool to_global = i.space == Space::global && is_shared(i.source_space) && i.has(Modifier::bulk_group);
    if (i.has(Modifier::tensor)) e.unsupported_form(i, "tensor maps");
    if ((!to_shared && !to_global) || i.has(Modifier::cp_mask) || i.has(Modifier::ignore_oob)) e.unsupported_form(i);
    constexpr unsigned unit = 16;
    e.checks.check_alignment(i.operands.at(0), i.space, unit, false);
    e.checks.check_alignment(i.operands.at(1), i.source_space, unit, false);
    Value* bytes = b.CreateZExt(e.read(i.operands.at(2), ptx::Type::b32), b.getInt64Ty());
    Value* from = e.checks.asked(e.addresses.pointer(i.operands[1], i.source_space), bytes, false);
    Value* to = e.addresses.pointer(i.operands[0], i.space);
    if (!i.has(Modifier::multicast_cluster)) to = e.checks.asked(to, bytes, true);
    if (i.aid == ptx::Aid::shadow_access && i.has(Modifier::reduce)) {
        e.runtime_call("wl_rt_uninitialised_sums", b.getVoidTy(),
                       {e.place.block(), e.place.linear_thread(), e.site_value(), to, from, bytes,
                        b.getInt32(ptx::bits(i.type()) / 8)});
        return;
    }
    if (i.aid == ptx::Aid::shadow_access) {
        if (!i.has(Modifier::multicast_cluster)) {
            b.CreateMemCpy(to, llvm::Align(unit), from, llvm::Align(unit), bytes);
            return;
        }
        Value* mask = b.CreateZExt(e.read(i.operands.at(4), ptx::Type::b16), b.getInt32Ty());
        for_blocks(e, mask, [&](unsigned rank) {
            Value* there = in_block(e, e.addresses.pointer_of_memory(i.operands[0], i.space), rank);
            there = b.CreateGEP(b.getInt8Ty(), there, e.addresses.to_shadow());
            b.CreateMemCpy(there, llvm::Align(unit), from, llvm::Align(unit), bytes);
        });
        return;
    }
    Value* barrier = told ? barrier_at(e, i, 3) : nullptr;
    if (i.has(Modifier::reduce)) {
        const unsigned size = ptx::bits(i.type()) / 8;
        if (size == 0) e.unsupported_form(i);
        llvm::Type* word = e.integer_type(size * 8);
        count_up(e, b.CreateUDiv(bytes, b.getInt64(size)), [&](Value* index) {
            Value* operand = b.CreateAlignedLoad(word, b.CreateGEP(word, from, index), llvm::Align(size));
            (void)exchange(e, i, b.CreateGEP(word, to, index), operand, !to_global);
        });
    } else if (i.has(Modifier::multicast_cluster)) {
        Value* mask = b.CreateZExt(e.read(i.operands.at(4), ptx::Type::b16), b.getInt32Ty());
        for_blocks(e, mask, [&](unsigned rank) {
            b.CreateMemCpy(in_block(e, to, rank), llvm::Align(unit), from, llvm::Align(unit), bytes);
            complete_bytes(e, in_block(e, barrier, rank), bytes);
        });
        return;
    } else {
        b.CreateMemCpy(to, llvm::Align(unit), from, llvm::Align(unit), bytes);
    }
    if (barrier) complete_bytes(e, barrier, bytes);
}

/// st.async, red.async: to the shared memory of a block of the cluster, whose barrier object counts the bytes.
void emit_remote(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.space != Space::shared_cluster || !i.has(Modifier::mbarrier_complete_tx_bytes)) e.unsupported_form(i);
    const ptx::Type type = i.type();
    const unsigned size = ptx::bits(type) / 8;
    e.checks.check_alignment(i.operands.at(0), i.space, size * i.vector_width, false);
    Value* to = e.checks.asked(e.addresses.pointer(i.operands[0], i.space), std::uint64_t{size} * i.vector_width, true);
    const ptx::Operand& source = i.operands.at(1);
    llvm::Type* word = e.integer_type(size * 8);
    for (unsigned k = 0; k < i.vector_width; ++k) {
        const ptx::Operand& one = i.vector_width > 1 ? source.elements.at(k) : source;
        Value* value = e.bits_as(e.read(one, type), word);
        Value* at = b.CreateConstGEP1_64(word, to, k);
        if (i.opcode == ptx::Opcode::red)
            (void)exchange(e, i, at, value, true);
        else
            b.CreateAlignedStore(value, at, llvm::Align(size));
    }
    complete_bytes(e, barrier_at(e, i, 2), b.getInt64(std::uint64_t{size} * i.vector_width));
}

} // namespace

bool emit_bulk(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::cp:
        if (!i.has(Modifier::bulk)) return false;
        emit_copy(e, i);
        return true;
    case ptx::Opcode::st:
    case ptx::Opcode::red:
        if (!i.has(Modifier::async)) return false;
        emit_remote(e, i);
        return true;
    default: return false;
    }
}

} // namespace warplight::jit
