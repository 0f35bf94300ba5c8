// SPDX-License-Identifier: Apache-2.0
// Loads, stores and copies in every state space.
#include "software/jit/emit/groups.hpp"
#include "software/ptx/opaque.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;
using ptx::Modifier;
using ptx::Space;

// --- addresses

Space Emitter::space_of(const ptx::Operand& operand) const {
    switch (operand.scope) {
    case ptx::Operand::Scope::module: return module.variables[operand.index].space;
    case ptx::Operand::Scope::function: return function.variables[operand.index].space;
    default: return Space::param;
    }
}

Value* Emitter::of_this_lane(const ptx::Operand& operand, Value* of_first) {
    const std::int64_t own = plan_ ? plan_->own_bytes(operand) : 0;
    if (!own || width > 1 || (!turn_ && lane_ <= 0)) return of_first;
    Value* lane = turn_ ? b.CreateZExt(turn_, b.getInt64Ty()) : b.getInt64(static_cast<std::uint64_t>(lane_));
    return b.CreateGEP(b.getInt8Ty(), of_first, b.CreateMul(lane, b.getInt64(static_cast<std::uint64_t>(own))));
}

Value* Emitter::local_variable(ptx::Operand::Scope scope, std::uint32_t index) {
    if (scope == ptx::Operand::Scope::parameter) return parameters_.at(index);
    if (scope == ptx::Operand::Scope::result) return results_.at(index);
    Value*& memory = variables_.at(index);
    if (!memory) {
        const ptx::Variable& v = function.variables[index];
        const std::int64_t own = plan_ ? plan_->own[index] : 0;
        const std::uint64_t size = own ? static_cast<std::uint64_t>(own) * vector_ : v.size ? v.size : 1;
        memory =
            stack_slot(llvm::ArrayType::get(b.getInt8Ty(), size), "memory", std::max<std::uint32_t>(v.alignment, 8));
    }
    return memory;
}

namespace {

/// The host address of a variable, whatever its space.
Value* host_address(Emitter& e, const ptx::Operand& operand) {
    using Scope = ptx::Operand::Scope;
    auto& b = e.b;
    const Space space = e.space_of(operand);
    if (space == Space::shared || space == Space::shared_cluster) {
        const auto offset = e.unit.shared.offset_of(operand.scope == Scope::module, e.function_id, operand.index);
        if (!offset) throw EmitError("a shared variable without a place");
        return b.CreateConstGEP1_64(b.getInt8Ty(), e.shared_base(), *offset);
    }
    if (operand.scope == Scope::module) return e.unit.variable(operand.index);
    return e.of_this_lane(operand, e.local_variable(operand.scope, operand.index));
}

Value* advance(Emitter& e, Value* pointer, std::int64_t offset) {
    if (offset == 0) return pointer;
    return e.b.CreateGEP(e.b.getInt8Ty(), pointer, e.b.getInt64(static_cast<std::uint64_t>(offset)));
}

} // namespace

Value* Emitter::address_of(const ptx::Operand& operand) {
    if (operand.kind == ptx::Operand::Kind::function)
        return b.getInt64(software::kFunctionAddressBase + 16ull * operand.index);
    if (operand.kind == ptx::Operand::Kind::variable && operand.scope == ptx::Operand::Scope::module &&
        ptx::is_opaque(module.variables[operand.index].type))
        // A texture, sampler or surface is known by what its variable holds.
        return b.CreateAlignedLoad(b.getInt64Ty(), unit.variable(operand.index), llvm::Align(8));
    const Space space = space_of(operand);
    if (space == Space::shared || space == Space::shared_cluster) {
        const auto offset =
            unit.shared.offset_of(operand.scope == ptx::Operand::Scope::module, function_id, operand.index);
        if (!offset) throw EmitError("a shared variable without a place");
        Value* at = b.getInt64(*offset + static_cast<std::uint64_t>(operand.integer));
        if (!unit.analysis.knows_clusters) return at;
        return b.CreateAdd(b.CreateShl(b.CreateZExt(cluster_rank(), b.getInt64Ty()), software::kClusterStrideBits), at);
    }
    return b.CreatePtrToInt(advance(*this, host_address(*this, operand), operand.integer), b.getInt64Ty());
}

Value* Emitter::extend(Value* word, bool is_signed) {
    Type* type = word->getType()->getWithNewBitWidth(64);
    return is_signed ? b.CreateSExt(word, type) : b.CreateZExt(word, type);
}

namespace {
std::int64_t offset_of(const ptx::Operand& address) {
    return address.kind == ptx::Operand::Kind::address ? static_cast<std::int32_t>(address.integer) : 0;
}
} // namespace

bool Emitter::is_far(const ptx::Operand& address) { return std::abs(offset_of(address)) >= std::int64_t{1} << 30; }

Emitter::SharedAddress Emitter::shared_address(const ptx::Operand& address) {
    if (wraps_in_shared_.empty()) {
        wraps_in_shared_.resize(function.registers.size());
        for (const ptx::Instruction& i : function.instructions)
            for (const ptx::Operand& x : i.operands)
                if (x.kind == ptx::Operand::Kind::address && x.base_kind == ptx::Operand::Kind::reg && offset_of(x) > 0)
                    wraps_in_shared_[x.reg] = true;
    }
    ptx::Operand base;
    base.kind = ptx::Operand::Kind::reg;
    base.reg = address.reg;
    Value* word = read(base, ptx::Type::b32);
    const std::int64_t offset = offset_of(address);
    if (is_far(address)) return {b.CreateAdd(word, integer(32, static_cast<std::uint32_t>(offset))), 0, false};
    // Blocks have less than 1 GiB: of a sum with the sign extended the low 32 bits are never a place in the window but
    // where the sum itself is. Where nothing is added the same holds without it, and what lies just before the window
    // faults: it is 4 GiB behind. One register is extended in one way, so that its accesses are known to be neighbours.
    return {word, offset, wraps_in_shared_[address.reg]};
}

Value* Emitter::pointer_of_half(const ptx::Operand& address, Space space) {
    using Scope = ptx::Operand::Scope;
    // The other half is that of something else in this space.
    Value* other = nullptr;
    if (space == Space::constant) {
        for (std::uint32_t k = 0; k < module.variables.size() && !other; ++k)
            if (module.variables[k].space == space && !ptx::is_opaque(module.variables[k].type))
                other = unit.variable(k);
    } else if (space == Space::local || space == Space::param) {
        for (std::uint32_t k = 0; k < function.variables.size() && !other; ++k)
            if (function.variables[k].space == space) other = local_variable(Scope::function, k);
        if (!other && space == Space::param && !parameters_.empty()) other = parameters_[0];
    }
    if (!other) return nullptr;
    ptx::Operand base;
    base.kind = ptx::Operand::Kind::reg;
    base.reg = address.reg;
    const auto offset = static_cast<std::uint32_t>(address.kind == ptx::Operand::Kind::reg ? 0 : address.integer);
    Value* half = b.CreateAdd(read(base, ptx::Type::b32), integer(32, offset));
    Value* from_other = b.CreateSub(half, b.CreatePtrToInt(other, b.getInt32Ty()));
    return b.CreateGEP(b.getInt8Ty(), other, extend(from_other, true));
}

Value* Emitter::pointer(const ptx::Operand& address, Space space) {
    using Kind = ptx::Operand::Kind;
    if (address.kind == Kind::variable || (address.kind == Kind::address && address.base_kind == Kind::variable))
        return advance(*this, host_address(*this, address), address.integer);
    const bool shared = space == Space::shared || space == Space::shared_cluster;
    const bool has_base = address.kind == Kind::reg || address.base_kind == Kind::reg;
    if (!has_base) {
        Value* absolute = b.getInt64(static_cast<std::uint64_t>(address.integer));
        if (shared) return b.CreateGEP(b.getInt8Ty(), shared_origin(), b.CreateAnd(absolute, b.getInt64(0xffffffffu)));
        return b.CreateIntToPtr(absolute, b.getPtrTy());
    }
    ptx::Operand base;
    base.kind = Kind::reg;
    base.reg = address.reg;
    const std::int64_t offset = address.kind == Kind::reg ? 0 : address.integer;
    if (shared) {
        const SharedAddress at = shared_address(address);
        return advance(*this, b.CreateGEP(b.getInt8Ty(), shared_origin(), extend(at.word, at.is_signed)), at.offset);
    }
    if (ptx::bits(function.registers[address.reg].type) == 32)
        if (Value* found = pointer_of_half(address, space)) return found;
    return advance(*this, b.CreateIntToPtr(read(base, ptx::Type::b64), b.getPtrTy()), offset);
}

bool Emitter::check_alignment(const ptx::Operand& address, Space space, unsigned bytes, bool may_be_late) {
    using Kind = ptx::Operand::Kind;
    const bool by_variable = address.kind == Kind::variable || address.base_kind == Kind::variable;
    if (by_variable) space = space_of(address);
    if (bytes <= 1 || space == Space::param) return false; // parameters lie where they belong
    // Of shared memory the offset decides: the window is aligned.
    const bool shared = space == Space::shared || space == Space::shared_cluster;
    Value* at = nullptr;
    if (by_variable) {
        const ptx::Variable& v = address.scope == ptx::Operand::Scope::module ? module.variables[address.index]
                                                                              : function.variables[address.index];
        if (v.alignment % bytes == 0 && address.integer % bytes == 0) return false;
        at = address_of(address);
    } else {
        at = b.getInt64(static_cast<std::uint64_t>(address.kind == Kind::reg ? 0 : address.integer));
        if (address.kind == Kind::reg || address.base_kind == Kind::reg) {
            ptx::Operand base;
            base.kind = Kind::reg;
            base.reg = address.reg;
            if (shared)
                at = b.CreateZExt(b.CreateAdd(read(base, ptx::Type::b32), b.CreateTrunc(at, b.getInt32Ty())),
                                  b.getInt64Ty());
            else
                at = b.CreateAdd(read(base, ptx::Type::b64), at);
        }
    }
    // What is a multiple whatever the thread LLVM finds out: of a[i] only the bits of a are looked at.
    Value* wrong = b.CreateAnd(b.CreateTrunc(at, b.getInt32Ty()), b.getInt32(bytes - 1));
    if (misaligned_ && may_be_late) {
        b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt32Ty(), misaligned_), wrong), misaligned_);
        return true;
    }
    if (may_be_late && function.kernel && (plan_ || !coroutine)) {
        stop_if_misaligned(wrong);
        return true;
    }
    emit_if(b.CreateIsNotNull(wrong), [&] {
        // Read here rather than kept across all that waits.
        const auto field = [&](std::size_t offset, Type* type) {
            return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), thread_, offset));
        };
        Value* in = coroutine ? field(offsetof(software::ThreadContext, block), b.getPtrTy()) : block();
        Value* who = one_of_active(coroutine ? field(offsetof(software::ThreadContext, linear), b.getInt32Ty())
                                             : first_linear());
        runtime_call("wl_rt_misaligned", b.getVoidTy(), {in, who, site_value(), at, b.getInt32(bytes)})
            ->setDoesNotReturn();
        b.CreateUnreachable();
    });
    return false;
}

Value* Emitter::asked(Value* pointer, Value* bytes, bool writes) {
    if (unit.options.access_checks == AccessChecks::none) return pointer;
    return runtime_call("wl_rt_access", b.getPtrTy(), {pointer, bytes, site_value(), b.getInt32(writes)});
}

Value* Emitter::asked(Value* pointer, std::uint64_t bytes, bool writes) {
    return unit.options.access_checks == AccessChecks::before_each ? asked(pointer, b.getInt64(bytes), writes)
                                                                   : pointer;
}

void Emitter::stop_if_misaligned(Value* low_bits) {
    llvm::BasicBlock* rest = new_block("aligned");
    const bool first = !stop_misaligned_;
    if (first) stop_misaligned_ = new_block("misaligned");
    b.CreateCondBr(b.CreateIsNotNull(low_bits), stop_misaligned_, rest,
                   llvm::MDBuilder(context).createUnlikelyBranchWeights());
    if (first) {
        b.SetInsertPoint(stop_misaligned_);
        runtime_call("wl_rt_misaligned", b.getVoidTy(),
                     {llvm::ConstantPointerNull::get(b.getPtrTy()), b.getInt32(~0U), b.getInt32(~0U), b.getInt64(0),
                      b.getInt32(0)})
            ->setDoesNotReturn();
        b.CreateUnreachable();
    }
    b.SetInsertPoint(rest);
}

// --- loads and stores

namespace {

struct Access {
    llvm::AtomicOrdering ordering = llvm::AtomicOrdering::NotAtomic;
    bool is_volatile = false;
    bool invariant = false;
    bool checked_late = false; ///< its address may be misaligned
    Space space = Space::generic;
};

Space place_of(const Emitter& e, const ptx::Operand& address, Space written) {
    using Kind = ptx::Operand::Kind;
    if (address.kind == Kind::variable || (address.kind == Kind::address && address.base_kind == Kind::variable))
        return e.space_of(address);
    return written;
}

Access access_of(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, bool load) {
    Access a;
    a.space = place_of(e, address, i.space);
    if (a.space == Space::shared || a.space == Space::local || a.space == Space::param) {
        // A block runs on one host thread: its own memory needs order against the compiler alone.
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
    // Where the runtime is asked first the access stays behind that.
    a.invariant = load && (a.space == Space::constant || i.has(Modifier::nc)) &&
                  e.unit.options.access_checks == AccessChecks::none;
    return a;
}

/// A vector is aligned as a whole; of a kernel's parameters only 8 bytes are sure.
llvm::Align alignment_of(unsigned bytes, const Access& a) {
    if (a.checked_late) return llvm::Align(1);
    return llvm::Align(a.space == Space::param ? std::min(bytes, 8u) : bytes);
}

/// Makes sure of the alignment of the whole access.
void check(Emitter& e, const ptx::Instruction& i, const ptx::Operand& address, unsigned bytes, Access& a) {
    const bool plain = a.ordering == llvm::AtomicOrdering::NotAtomic && !a.is_volatile;
    a.checked_late = e.check_alignment(address, i.space, bytes, plain);
}

/// Marks what is independent between threads (see Unit::access_group).
void mark(Emitter& e, llvm::Instruction* access, const Access& a) {
    if (a.invariant) access->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(e.context, {}));
    const bool own = a.space == Space::local || a.space == Space::param ||
                     (a.space == Space::generic && e.unit.analysis.has_local_memory);
    if (e.unit.access_group && !own && a.ordering == llvm::AtomicOrdering::NotAtomic && !a.is_volatile)
        access->setMetadata(llvm::LLVMContext::MD_access_group, e.unit.access_group);
}

/// Order that a plain access of several words gets from a fence beside it.
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

/// Type of one element in memory: bits of its size (predicates cannot be stored).
Type* memory_type(Emitter& e, ptx::Type type) { return e.type_of(type); }

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
    Value* address = e.pointer(from, i.space);
    if (a.space != Space::param) address = e.asked(address, bytes * i.vector_width, false);
    std::vector<ptx::Operand> one;
    if (i.vector_width <= 1) {
        e.write(i.operands[0], type, load_value(e, memory_type(e, type), address, bytes, a));
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
        e.write(elements[k], type, load_value(e, memory_type(e, type), advance(e, address, k * bytes), bytes, a));
}

void emit_store(Emitter& e, const ptx::Instruction& i) {
    const ptx::Type type = i.types[i.type_count ? i.type_count - 1u : 0u];
    Access a = access_of(e, i, i.operands.at(0), false);
    const unsigned bytes = ptx::bits(type) / 8;
    if (bytes == 0) e.unsupported_form(i);
    check(e, i, i.operands[0], bytes * i.vector_width, a);
    Value* address = e.pointer(i.operands[0], i.space);
    if (a.space != Space::param) address = e.asked(address, bytes * i.vector_width, true);
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
        store_value(e, e.read(elements[k], type), advance(e, address, k * bytes), bytes, a);
}

/// cp.async: the copy is made at once, which is one of the times it may be made at; so committing groups of copies and
/// waiting for them is nothing more to do.
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
    const bool to_late = e.check_alignment(i.operands[0], i.space, bytes, true);
    const bool from_late = e.check_alignment(i.operands[1], i.source_space, bytes, true);
    Value* to = e.pointer(i.operands[0], i.space);
    Value* from = e.pointer(i.operands[1], i.source_space);
    auto* type = llvm::FixedVectorType::get(b.getInt32Ty(), bytes / 4);
    const llvm::Align align(to_late || from_late ? 1 : bytes);
    const auto copy_all = [&] {
        Value* value = b.CreateAlignedLoad(type, e.asked(from, bytes, false), align);
        b.CreateAlignedStore(value, e.asked(to, bytes, true), align);
    };
    if (i.operands.size() - (i.has(Modifier::L2_cache_hint) ? 1 : 0) <= 3) return copy_all();

    // Bytes behind the source's size are zeros, and are not read.
    const ptx::Operand& source = i.operands[3];
    const bool ignores =
        source.kind == ptx::Operand::Kind::reg && e.function.registers[source.reg].type == ptx::Type::pred;
    Value* count = ignores ? b.CreateSelect(e.read(source, ptx::Type::pred), b.getInt32(0), b.getInt32(bytes))
                           : e.read(source, ptx::Type::b32);
    Value* whole = b.CreateICmpUGE(count, b.getInt32(bytes));
    e.emit_if(whole, copy_all);
    e.emit_if(b.CreateNot(whole), [&] {
        Value* read = b.CreateZExt(count, b.getInt64Ty());
        Value* source = e.asked(from, read, false);
        Value* target = e.asked(to, bytes, true);
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
    case Op::createpolicy: // of a cache that is not there
        e.write(i.operands.at(0), ptx::Type::b64, e.integer(64, 0));
        return true;
    case Op::alloca: {
        const std::int64_t alignment = i.operands.size() > 2 ? i.operands[2].integer : 16;
        Value* size = e.read(i.operands.at(1), ptx::Type::u64);
        Value* memory = e.runtime_call(
            "wl_rt_stack_alloc", e.b.getPtrTy(),
            {e.block(), size, e.b.getInt64(static_cast<std::uint64_t>(std::max<std::int64_t>(alignment, 16)))});
        e.write(i.operands.at(0), ptx::Type::u64, e.b.CreatePtrToInt(memory, e.b.getInt64Ty()));
        return true;
    }
    case Op::stacksave: // what alloca took is the thread's until its block ends
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
