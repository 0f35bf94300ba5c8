// SPDX-License-Identifier: Apache-2.0
// Atomic operations and fences. A block runs on one host thread, so operations on `.shared` need no atomic instruction.
// A generic address may be global and gets one.
#include "software/jit/emit/arithmetic/min_max.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::AtomicOrdering;
using llvm::AtomicRMWInst;
using llvm::Type;
using llvm::Value;
using ptx::Modifier;

namespace {

AtomicOrdering ordering_of(const ptx::Instruction& i) {
    if (i.has(Modifier::acq_rel)) return AtomicOrdering::AcquireRelease;
    if (i.has(Modifier::acquire)) return AtomicOrdering::Acquire;
    if (i.has(Modifier::release)) return AtomicOrdering::Release;
    return AtomicOrdering::Monotonic;
}

/// Sum of two 16-bit floats or of pairs of them, given as bits.
Value* add_half(Emitter& e, ptx::Type type, Value* x, Value* y) {
    const auto wide = [&](Value* bits) { return widen(e, e.bits_as(bits, e.type_of(type)), type); };
    return e.bits_as(narrow(e, e.b.CreateFAdd(wide(x), wide(y)), type), x->getType());
}

std::optional<AtomicRMWInst::BinOp> host_operation(const ptx::Instruction& i) {
    const ptx::Type type = i.type();
    if (i.has(Modifier::exch)) return AtomicRMWInst::Xchg;
    if (is_half(type)) return std::nullopt;
    if (i.has(Modifier::add)) return ptx::is_float(type) ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
    if (i.has(Modifier::and_)) return AtomicRMWInst::And;
    if (i.has(Modifier::or_)) return AtomicRMWInst::Or;
    if (i.has(Modifier::xor_)) return AtomicRMWInst::Xor;
    if (i.has(Modifier::inc)) return AtomicRMWInst::UIncWrap;
    if (i.has(Modifier::dec)) return AtomicRMWInst::UDecWrap;
    if (ptx::is_float(type)) return std::nullopt;
    if (i.has(Modifier::min)) return ptx::is_signed(type) ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    if (i.has(Modifier::max)) return ptx::is_signed(type) ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    return std::nullopt;
}

void emit_operation(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    const bool answers = i.opcode == ptx::Opcode::atom;
    const std::size_t at = answers ? 1 : 0;
    const ptx::Operand& where = i.operands.at(at);
    const ptx::Type type = i.type();
    const unsigned bits = ptx::bits(type);
    if (bits < 16) e.unsupported_form(i);
    Type* word = e.integer_type(bits);
    e.checks.check_alignment(where, i.space, bits / 8 * i.vector_width, false);
    Value* address = e.checks.asked(e.addresses.pointer(where, i.space), bits / 8 * i.vector_width, true);
    const bool own = is_of_block(e, i, where);
    const auto operand = [&](const ptx::Operand& x) { return e.bits_as(e.read(x, type), word); };
    if (i.vector_width <= 1) {
        Value* other = i.has(Modifier::cas) ? operand(i.operands.at(at + 2)) : nullptr;
        Value* old = perform_atomic(e, i, address, operand(i.operands.at(at + 1)), other, own);
        if (answers) e.write(i.operands[0], type, e.bits_as(old, e.type_of(type)));
        return;
    }
    // Each element of a vector is an operation of its own. All registers are read before any is written.
    std::vector<Value*> values, before;
    for (unsigned k = 0; k < i.vector_width; ++k)
        values.push_back(operand(i.operands.at(at + 1).elements.at(k)));
    for (unsigned k = 0; k < i.vector_width; ++k)
        before.push_back(perform_atomic(e, i, b.CreateConstGEP1_64(word, address, k), values[k], nullptr, own));
    for (unsigned k = 0; answers && k < i.vector_width; ++k)
        e.write(i.operands[0].elements.at(k), type, e.bits_as(before[k], e.type_of(type)));
}

void emit_fence(Emitter& e, const ptx::Instruction& i) {
    // Within a block only the compiler could reorder. A proxy fence orders nothing here.
    const bool own = i.has(Modifier::cta) || i.has(Modifier::proxy);
    const bool weaker = i.has(Modifier::acq_rel) || i.has(Modifier::acquire) || i.has(Modifier::release) || own;
    e.b.CreateFence(weaker ? AtomicOrdering::AcquireRelease : AtomicOrdering::SequentiallyConsistent,
                    own ? llvm::SyncScope::SingleThread : llvm::SyncScope::System);
}

} // namespace

bool is_of_block(const Emitter& e, const ptx::Instruction& i, const ptx::Operand& where) {
    return i.space == ptx::Space::shared ||
           (is_by_variable(where) && e.variables.space_of(where) == ptx::Space::shared);
}

Value* combine(Emitter& e, const ptx::Instruction& i, Value* old, Value* operand) {
    using T = ptx::Type;
    auto& b = e.b;
    const T type = i.type();
    if (i.has(Modifier::exch)) return operand;
    if (i.has(Modifier::and_)) return b.CreateAnd(old, operand);
    if (i.has(Modifier::or_)) return b.CreateOr(old, operand);
    if (i.has(Modifier::xor_)) return b.CreateXor(old, operand);
    if (i.has(Modifier::inc)) {
        Value* wraps = b.CreateICmpUGE(old, operand);
        return b.CreateSelect(wraps, e.integer(32, 0), b.CreateAdd(old, e.integer(32, 1)));
    }
    if (i.has(Modifier::dec)) {
        Value* wraps = b.CreateOr(b.CreateICmpEQ(old, e.integer(32, 0)), b.CreateICmpUGT(old, operand));
        return b.CreateSelect(wraps, operand, b.CreateSub(old, e.integer(32, 1)));
    }
    if (i.has(Modifier::add)) {
        if (type == T::f32 || type == T::f64) {
            Type* real = e.type_of(type);
            return e.bits_as(b.CreateFAdd(e.bits_as(old, real), e.bits_as(operand, real)), old->getType());
        }
        if (is_half(type)) return add_half(e, type, old, operand);
        return b.CreateAdd(old, operand);
    }
    const bool is_min = i.has(Modifier::min);
    if ((is_min || i.has(Modifier::max)) && is_half(type) && ptx::bits(type) == 16) {
        Value* x = widen(e, e.bits_as(old, e.type_of(type)), type);
        Value* y = widen(e, e.bits_as(operand, e.type_of(type)), type);
        MinMax kind;
        kind.maximum = !is_min;
        return e.bits_as(narrow(e, min_max(e, kind, x, y), type), old->getType());
    }
    if ((is_min || i.has(Modifier::max)) && is_half(type)) {
        ptx::Instruction one = i;
        one.types[0] = type == T::f16x2 ? T::f16 : T::bf16;
        const auto half = [&](Value* v, unsigned k) { return b.CreateTrunc(b.CreateLShr(v, 16 * k), b.getInt16Ty()); };
        Value* low = b.CreateZExt(combine(e, one, half(old, 0), half(operand, 0)), b.getInt32Ty());
        Value* high = b.CreateZExt(combine(e, one, half(old, 1), half(operand, 1)), b.getInt32Ty());
        return b.CreateOr(low, b.CreateShl(high, 16));
    }
    if ((is_min || i.has(Modifier::max)) && !ptx::is_float(type)) {
        const bool is_signed = ptx::is_signed(type);
        Value* less = is_signed ? b.CreateICmpSLT(old, operand) : b.CreateICmpULT(old, operand);
        return is_min ? b.CreateSelect(less, old, operand) : b.CreateSelect(less, operand, old);
    }
    e.unsupported_form(i);
}

void update_sum(Emitter& e, const ptx::Instruction& i, Value* address, Type* word, std::uint32_t sum,
                llvm::function_ref<Value*(Value*)> combined, llvm::function_ref<void()> elsewhere) {
    auto& b = e.b;
    const ThreadPlace::Sum own = e.place.sum(sum);
    Value* at = b.CreateSub(b.CreatePtrToInt(address, b.getInt64Ty()), own.begin);
    llvm::BasicBlock* in_copy = e.new_block("in_copy");
    llvm::BasicBlock* in_memory = e.new_block("elsewhere");
    llvm::BasicBlock* rest = e.new_block("added");
    b.CreateCondBr(b.CreateICmpULT(at, own.bytes), in_copy, in_memory);
    b.SetInsertPoint(in_copy);
    const llvm::Align align(ptx::bits(i.type()) / 8);
    Value* place =
        b.CreateGEP(b.getInt8Ty(), own.copy, b.CreateZExt(b.CreateTrunc(at, b.getInt32Ty()), b.getInt64Ty()));
    b.CreateAlignedStore(combined(b.CreateAlignedLoad(word, place, align)), place, align);
    b.CreateBr(rest);
    b.SetInsertPoint(in_memory);
    elsewhere();
    b.CreateBr(rest);
    b.SetInsertPoint(rest);
}

Value* exchange_by(Emitter& e, const ptx::Instruction& i, Value* address, Type* word,
                   llvm::function_ref<Value*(Value*)> combined) {
    auto& b = e.b;
    const llvm::Align align(ptx::bits(i.type()) / 8);
    llvm::LoadInst* first = b.CreateAlignedLoad(word, address, align);
    first->setAtomic(AtomicOrdering::Monotonic);
    llvm::BasicBlock* before = b.GetInsertBlock();
    llvm::BasicBlock* again = e.new_block("exchange");
    llvm::BasicBlock* rest = e.new_block("exchanged");
    b.CreateBr(again);
    b.SetInsertPoint(again);
    llvm::PHINode* old = b.CreatePHI(word, 2);
    old->addIncoming(first, before);
    Value* wanted = combined(old);
    const AtomicOrdering order = ordering_of(i);
    Value* pair = b.CreateAtomicCmpXchg(address, old, wanted, align, order,
                                        llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order));
    old->addIncoming(b.CreateExtractValue(pair, 0), b.GetInsertBlock());
    b.CreateCondBr(b.CreateExtractValue(pair, 1), rest, again);
    b.SetInsertPoint(rest);
    return old;
}

Value* exchange(Emitter& e, const ptx::Instruction& i, Value* address, Value* operand, bool own) {
    auto& b = e.b;
    const ptx::Type type = i.type();
    const llvm::Align align(ptx::bits(type) / 8);
    if (own) {
        Value* old = b.CreateAlignedLoad(operand->getType(), address, align);
        b.CreateAlignedStore(combine(e, i, old, operand), address, align);
        return old;
    }
    const auto combined = [&](Value* old) { return combine(e, i, old, operand); };
    const auto in_memory = [&]() -> Value* {
        const auto host = host_operation(i);
        if (!host) return exchange_by(e, i, address, operand->getType(), combined);
        Value* value = *host == AtomicRMWInst::FAdd ? e.bits_as(operand, e.type_of(type)) : operand;
        return e.bits_as(b.CreateAtomicRMW(*host, address, value, align, ordering_of(i)), operand->getType());
    };
    const auto sum = e.unit.sums.memory_of(e.instruction());
    if (!sum) return in_memory();
    update_sum(e, i, address, operand->getType(), *sum, combined, [&] { (void)in_memory(); });
    return llvm::Constant::getNullValue(operand->getType()); // nobody asks for the old value
}

Value* perform_atomic(Emitter& e, const ptx::Instruction& i, Value* address, Value* operand, Value* other, bool own) {
    auto& b = e.b;
    const llvm::Align align(ptx::bits(i.type()) / 8);
    if (!i.has(Modifier::cas)) return exchange(e, i, address, operand, own);
    if (own) {
        Value* old = b.CreateAlignedLoad(operand->getType(), address, align);
        b.CreateAlignedStore(b.CreateSelect(b.CreateICmpEQ(old, operand), other, old), address, align);
        return old;
    }
    const AtomicOrdering order = ordering_of(i);
    Value* pair = b.CreateAtomicCmpXchg(address, operand, other, align, order,
                                        llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order));
    return b.CreateExtractValue(pair, 0);
}

bool emit_atomic(Emitter& e, const ptx::Instruction& i) {
    switch (i.opcode) {
    case ptx::Opcode::atom:
    case ptx::Opcode::red: emit_operation(e, i); return true;
    case ptx::Opcode::membar:
    case ptx::Opcode::fence: emit_fence(e, i); return true;
    default: return false;
    }
}

} // namespace warplight::jit
