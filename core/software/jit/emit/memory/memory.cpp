// SPDX-License-Identifier: Apache-2.0
// Loads, stores and copies in every state space.
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Modifier;
using ptx::Space;

namespace {

struct Access {
    llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;
    bool is_volatile = false;
    bool invariant = false;
    bool checked_late = false; ///< its address may be misaligned
    Space space = Space::generic;
};

Access access_of(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, bool load) {
    Access a;
    a.space = is_by_variable(address) ? e.variables.space_of(address) : i.space;
    if (a.space == Space::shared || a.space == Space::local || a.space == Space::param) {
        // A block runs on one host thread, so only the compiler could reorder accesses to its own memory.
        a.is_volatile = i.has(Modifier::volatile_) || i.has(Modifier::relaxed) || i.has(Modifier::acquire) ||
                        i.has(Modifier::release) || i.has(Modifier::mmio);
        a.invariant =
            load && a.space == Space::param && e.function.kernel && address.scope == ptx::Operand::Scope::parameter;
        return a;
    }
    if (i.has(Modifier::acquire))
        a.ordering = llvm::AtomicOrdering::Acquire;
    else if (i.has(Modifier::release))
        a.ordering = llvm::AtomicOrdering::Release;
    else if (i.has(Modifier::relaxed) || i.has(Modifier::volatile_) || i.has(Modifier::mmio) || i.has(Modifier::cv) ||
             i.has(Modifier::wt))
        a.ordering = llvm::AtomicOrdering::Monotonic;
    a.is_volatile = i.has(Modifier::volatile_) || i.has(Modifier::mmio);
    // Code that asks the runtime first must not move the access before that.
    a.invariant = load && (a.space == Space::constant || i.has(Modifier::nc)) &&
                  e.unit.options.access_reports == AccessReports::none;
    return a;
}

/// A vector is aligned as a whole, but a kernel's parameters by no more than 8 bytes.
llvm::Align alignment_of(unsigned bytes, const Access& a) {
    if (a.checked_late) return llvm::Align(1);
    return llvm::Align(a.space == Space::param ? std::min(bytes, 8u) : bytes);
}

/// Checks the alignment of the whole access.
void check(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, unsigned bytes, Access& a) {
    const bool plain = a.ordering == llvm::AtomicOrdering::NotAtomic && !a.is_volatile;
    a.checked_late = e.checks.check_alignment(address, i.space, bytes, plain);
}

/// Marks accesses that are independent between threads (see Unit::access_group).
void mark(Emitter& e, llvm::Instruction* access, const Access& a) {
    if (a.invariant) access->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e.context, {}));
    const bool own = a.space == Space::local || a.space == Space::param ||
                     (a.space == Space::generic && e.unit.analysis.has_local_memory);
    if (e.unit.access_group && !own && a.ordering == llvm::AtomicOrdering::NotAtomic && !a.is_volatile)
        access->setMetadata(llvm::LLVMContext::MD_access_group, e.unit.access_group);
}

/// A fence gives order to a plain access of several words.
void fence_for(Emitter& e, const Access& a, llvm::AtomicOrdering wanted) {
    if (a.ordering == wanted) e.b.CreateFence(wanted);
}

Value* load_value(Emitter& e, Type* type, Value* address, unsigned bytes, const Access& a) {
    auto& b = e.b;
    const llvm::Align align = alignment_of(bytes, a);
    if (a.ordering == llvm::AtomicOrdering::NotAtomic || bytes > 8) {
        llvm::LoadInst* load = b.CreateAlignedLoad(type, address, align, a.is_volatile || bytes > 8);
        if (bytes <= 8 || a.ordering == llvm::AtomicOrdering::NotAtomic) load->setVolatile(a.is_volatile);
        mark(e, load, a);
        fence_for(e, a, llvm::AtomicOrdering::Acquire);
        return load;
    }
    Type* word = b.getIntNTy(bytes * 8);
    llvm::LoadInst* load = b.CreateAlignedLoad(word, address, align, a.is_volatile);
    load->setAtomic(a.ordering);
    return e.bits_as(load, type);
}

void store_value(Emitter& e, Value* value, Value* address, unsigned bytes, const Access& a) {
    auto& b = e.b;
    const llvm::Align align = alignment_of(bytes, a);
    if (a.ordering == llvm::AtomicOrdering::NotAtomic || bytes > 8) {
        fence_for(e, a, llvm::AtomicOrdering::Release);
        llvm::StoreInst* store = b.CreateAlignedStore(value, address, align, a.is_volatile);
        if (a.ordering != llvm::AtomicOrdering::NotAtomic) store->setVolatile(true);
        mark(e, store, a);
        return;
    }
    llvm::StoreInst* store =
        b.CreateAlignedStore(e.bits_as(value, b.getIntNTy(bytes * 8)), address, align, a.is_volatile);
    store->setAtomic(a.ordering);
}

const std::vector<ptx::Operand>& elements_of(const ptx::Operand& operand, std::vector<ptx::Operand>& one) {
    if (operand.kind == ptx::Operand::Kind::vector) return operand.elements;
    one = {operand};
    return one;
}

void emit_load(Emitter& e, const ptx::Instruction& i) {
    const ptx::Type type = i.types[i.type_count ? i.type_count - 1u : 0u];
    const ptx::Operand& from = i.operands.at(1);
    Access a = access_of(e, i, from, true);
    const unsigned bytes = ptx::bits(type) / 8;
    if (bytes == 0) e.unsupported_form(i);
    check(e, i, from, bytes * i.vector_width, a);
    Value* address = e.addresses.pointer(from, i.space);
    if (a.space != Space::param) address = e.checks.asked(address, bytes * i.vector_width, false);
    std::vector<ptx::Operand> one;
    if (i.vector_width <= 1) {
        e.write(i.operands[0], type, load_value(e, e.type_of(type), address, bytes, a));
        return;
    }
    // A vector is one access: 16 bytes at a time are indivisible on the host, as on a GPU.
    const auto& elements = elements_of(i.operands[0], one);
    const unsigned total = bytes * i.vector_width;
    if (total <= 32 && bytes * elements.size() == total) {
        auto* lane = e.b.getIntNTy(bytes * 8);
        Value* all = load_value(e, llvm::FixedVectorType::get(lane, i.vector_width), address, total, a);
        for (unsigned k = 0; k < elements.size(); ++k)
            e.write(elements[k], type, e.bits_as(e.b.CreateExtractElement(all, k), e.type_of(type)));
        return;
    }
    for (unsigned k = 0; k < elements.size(); ++k)
        e.write(elements[k], type, load_value(e, e.type_of(type), advance(e.b, address, k * bytes), bytes, a));
}

void emit_store(Emitter& e, const ptx::Instruction& i) {
    const ptx::Type type = i.types[i.type_count ? i.type_count - 1u : 0u];
    Access a = access_of(e, i, i.operands.at(0), false);
    const unsigned bytes = ptx::bits(type) / 8;
    if (bytes == 0) e.unsupported_form(i);
    check(e, i, i.operands[0], bytes * i.vector_width, a);
    Value* address = e.addresses.pointer(i.operands[0], i.space);
    if (a.space != Space::param) address = e.checks.asked(address, bytes * i.vector_width, true);
    if (i.vector_width <= 1) {
        store_value(e, e.read(i.operands.at(1), type), address, bytes, a);
        return;
    }
    std::vector<ptx::Operand> one;
    const auto& elements = elements_of(i.operands.at(1), one);
    const unsigned total = bytes * i.vector_width;
    if (total <= 32 && bytes * elements.size() == total) {
        auto* lane = e.b.getIntNTy(bytes * 8);
        Value* all = llvm::PoisonValue::get(llvm::FixedVectorType::get(lane, i.vector_width));
        for (unsigned k = 0; k < elements.size(); ++k)
            all = e.b.CreateInsertElement(all, e.bits_as(e.read(elements[k], type), lane), k);
        store_value(e, all, address, total, a);
        return;
    }
    for (unsigned k = 0; k < elements.size(); ++k)
        store_value(e, e.read(elements[k], type), advance(e.b, address, k * bytes), bytes, a);
}

/// cp.async: the copy is made at once, which the ISA allows. Committing a group and waiting for it have nothing to do.
void emit_copy(Emitter& e, const ptx::Instruction& i) {
    auto& b = e.b;
    if (i.has(Modifier::commit_group) || i.has(Modifier::wait_group) || i.has(Modifier::wait_all)) {
        if (i.has(Modifier::bulk)) e.unsupported_form(i);
        return;
    }
    const bool known = i.has(Modifier::async) && (i.has(Modifier::ca) || i.has(Modifier::cg));
    if (!known || i.has(Modifier::bulk) || i.space != Space::shared || i.source_space != Space::global)
        e.unsupported_form(i);
    const ptx::Operand& size = i.operands.at(2);
    const bool sized = size.kind == ptx::Operand::Kind::integer &&
                       (size.integer == 16 || (!i.has(Modifier::cg) && (size.integer == 4 || size.integer == 8)));
    if (!sized) e.unsupported_form(i, "the size must be 4, 8 or 16 bytes, with .cg 16");
    const auto bytes = static_cast<unsigned>(size.integer);
    const bool to_late = e.checks.check_alignment(i.operands[0], i.space, bytes, true);
    const bool from_late = e.checks.check_alignment(i.operands[1], i.source_space, bytes, true);
    Value* to = e.addresses.pointer(i.operands[0], i.space);
    Value* from = e.addresses.pointer(i.operands[1], i.source_space);
    auto* type = llvm::FixedVectorType::get(b.getInt32Ty(), bytes / 4);
    const llvm::Align align(to_late || from_late ? 1 : bytes);
    const auto copy_all = [&] {
        Value* value = b.CreateAlignedLoad(type, e.checks.asked(from, bytes, false), align);
        b.CreateAlignedStore(value, e.checks.asked(to, bytes, true), align);
    };
    if (i.operands.size() - (i.has(Modifier::L2_cache_hint) ? 1 : 0) <= 3) return copy_all();

    // Bytes behind the source's size become zeros and are not read.
    const ptx::Operand& source = i.operands[3];
    const bool ignores =
        source.kind == ptx::Operand::Kind::reg && e.function.registers[source.reg].type == ptx::Type::pred;
    Value* count = ignores ? b.CreateSelect(e.read(source, ptx::Type::pred), b.getInt32(0), b.getInt32(bytes))
                           : e.read(source, ptx::Type::b32);
    Value* whole = b.CreateICmpUGE(count, b.getInt32(bytes));
    e.emit_if(whole, copy_all);
    e.emit_if(b.CreateNot(whole), [&] {
        Value* read = b.CreateZExt(count, b.getInt64Ty());
        Value* source = e.checks.asked(from, read, false);
        Value* target = e.checks.asked(to, bytes, true);
        b.CreateAlignedStore(llvm::Constant::getNullValue(type), target, align);
        b.CreateMemCpy(target, align, source, align, read);
    });
}

} // namespace

bool emit_memory(Emitter& e, const ptx::Instruction& i) {
    using Op = ptx::Opcode;
    switch (i.opcode) {
    case Op::ld:
    case Op::ldu: emit_load(e, i); return true;
    case Op::st: emit_store(e, i); return true;
    case Op::cp:
        if (i.has(Modifier::mbarrier) && i.has(Modifier::arrive)) return false;
        emit_copy(e, i);
        return true;
    case Op::createpolicy: // there is no cache to have a policy of
        e.write(i.operands.at(0), ptx::Type::b64, e.integer(64, 0));
        return true;
    case Op::alloca: {
        const std::int64_t alignment = i.operands.size() > 2 ? i.operands[2].integer : 16;
        Value* size = e.read(i.operands.at(1), ptx::Type::u64);
        Value* memory = e.runtime_call(
            "wl_rt_stack_alloc", e.device_pointer(),
            {e.place.block(), size, e.b.getInt64(static_cast<std::uint64_t>(std::max<std::int64_t>(alignment, 16)))});
        e.write(i.operands.at(0), ptx::Type::u64, e.b.CreatePtrToInt(memory, e.b.getInt64Ty()));
        return true;
    }
    case Op::stacksave: // alloca's memory is the thread's until its block ends
        e.write(i.operands.at(0), ptx::Type::u64, e.integer(64, 0));
        return true;
    case Op::stackrestore:
    case Op::prefetch:
    case Op::prefetchu:
    case Op::discard:
    case Op::applypriority: return true;
    default: return false;
    }
}

} // namespace warplight::jit
