// SPDX-License-Identifier: Apache-2.0
#include "access_hooks.hpp"

#include "access_address.hpp"
#include "software/jit/emit/groups.hpp"

#include <llvm/IR/MDBuilder.h>

#include <bit>
#include <cstddef>
#include <optional>

namespace warplight::jit {

using llvm::Value;
using ptx::MemoryAccess;
using ptx::Operand;
using ptx::Space;
using Scope = Operand::Scope;
using software::CheckedAccess;
using software::CheckedRange;

AccessHooks::AccessHooks(Emitter& e) : e_(e), b_(e.b) {
    const std::vector<std::uint32_t> instructions = instructions_with_accesses(e.function);
    origins_.emplace(e.function, instructions, [&e](const ptx::Root& root) { return memory_of(e, root); });
}

// --- the memory that is meant

AccessHooks::Object AccessHooks::object_of(const MemoryAccess& access, unsigned number) {
    const bool shared = is_shared(access.space);
    if (is_by_variable(*access.address)) {
        const Object object = variable(access.address->scope, access.address->index);
        return object.begin ? object : found_last(shared, number);
    }
    if (has_base(*access.address)) {
        const ptx::Origin origin = origins_->of_address(*access.address, e_.instruction());
        if (origin.of == ptx::Origin::Of::root) {
            const ptx::Root& root = origin.root;
            const Object object =
                root.scope == Scope::parameter ? parameter(*memory_of(e_, root)) : variable(root.scope, root.index);
            const bool fits = object.begin && object.begin->getType()->isIntegerTy(shared ? 32 : 64);
            if (fits) return object;
        }
    }
    return found_last(shared, number);
}

/// Without a begin where nothing is known of it.
AccessHooks::Object AccessHooks::variable(Scope scope, std::uint32_t index) {
    const ptx::Variable& v = scope == Scope::module ? e_.module.variables[index] : e_.function.variables[index];
    Operand operand;
    operand.kind = Operand::Kind::variable;
    operand.scope = scope;
    operand.index = index;
    if (is_shared(v.space)) {
        Value* begin = b_.CreateTrunc(e_.variables.address_of(operand), b_.getInt32Ty());
        Value* size = v.unsized ? e_.load_field(e_.place.launch(), offsetof(software::LaunchContext, dynamic_shared),
                                                b_.getInt32Ty(), 0, "dynamic")
                                : static_cast<Value*>(b_.getInt32(static_cast<std::uint32_t>(v.size)));
        return {begin, size, 0, true};
    }
    if (v.unsized || v.space == Space::param || v.space == Space::reg) return {};
    Value* memory =
        scope == Scope::module ? static_cast<Value*>(e_.unit.variable(index)) : e_.variables.memory_of(scope, index);
    const std::int64_t step = e_.plan && scope == Scope::function ? e_.plan->per_lane_memory.bytes(index) : 0;
    return {b_.CreatePtrToInt(memory, b_.getInt64Ty()), b_.getInt64(v.size), step, true};
}

AccessHooks::Object AccessHooks::parameter(std::uint64_t word) {
    auto& [begin, size] = parameters_[word];
    if (!begin) {
        const FunctionCode::AtEntry scope(e_);
        if (!parameter_ranges_)
            parameter_ranges_ = e_.load_field(e_.place.launch(), offsetof(software::LaunchContext, parameter_ranges),
                                              b_.getPtrTy(), 0, "ranges");
        const std::uint64_t at = word * sizeof(CheckedRange);
        begin = e_.load_field(parameter_ranges_, at + offsetof(CheckedRange, begin), b_.getInt64Ty(), 0, "begin");
        size = e_.load_field(parameter_ranges_, at + offsetof(CheckedRange, size), b_.getInt64Ty(), 0, "size");
    }
    return {begin, size, 0, true};
}

AccessHooks::Object AccessHooks::found_last(bool shared, unsigned number) {
    e_.in_entry(found_ranges_, [&] {
        return e_.load_field(e_.place.block(), offsetof(software::BlockContext, found_ranges), b_.getPtrTy(), 0,
                             "found");
    });
    const std::uint64_t at =
        (std::uint64_t{e_.site()} * CheckedAccess::kMostOfInstruction + number) * sizeof(CheckedRange);
    const auto field = [&](std::size_t offset) -> Value* {
        Value* value =
            b_.CreateLoad(b_.getInt64Ty(), b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), found_ranges_, at + offset));
        return shared ? b_.CreateTrunc(value, b_.getInt32Ty()) : value;
    };
    return {field(offsetof(CheckedRange, begin)), field(offsetof(CheckedRange, size)), 0, false};
}

// --- tests

/// i1, for as many lanes as the address has.
Value* AccessHooks::is_outside(const Object& object, Value* address, const MemoryAccess& access) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(address->getType());
    const auto splat = [&](Value* value) {
        return vector ? b_.CreateVectorSplat(vector->getNumElements(), value) : value;
    };
    Value *size = splat(object.size), *begin = splat(object.begin);
    if (vector && object.step) {
        llvm::SmallVector<llvm::Constant*> further;
        for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
            further.push_back(b_.getInt64(static_cast<std::uint64_t>(object.step) * lane));
        begin = b_.CreateAdd(begin, llvm::ConstantVector::get(further));
    }
    llvm::Type* type = size->getType();
    Value* count = count_of(e_, access);
    Value* further = llvm::ConstantInt::get(type, access.bytes - 1);
    if (count) {
        count = b_.CreateZExtOrTrunc(count, type);
        further = b_.CreateSub(count, llvm::ConstantInt::get(type, 1));
    }
    Value* places = e_.intrinsic(llvm::Intrinsic::usub_sat, {type}, {size, further});
    Value* outside = b_.CreateICmpUGE(b_.CreateSub(address, begin), places);
    return count ? b_.CreateAnd(outside, b_.CreateIsNotNull(count)) : outside;
}

Value* AccessHooks::is_misaligned(Value* address, const MemoryAccess& access) {
    Value* bits = address;
    if (access.counts_units) bits = b_.CreateOr(bits, b_.CreateZExtOrTrunc(count_of(e_, access), bits->getType()));
    return b_.CreateIsNotNull(b_.CreateAnd(bits, llvm::ConstantInt::get(bits->getType(), access.alignment - 1)));
}

/// The address is a variable's, at a known place.
void AccessHooks::test_static(Test& test) {
    const Operand& address = *test.access.address;
    const ptx::Variable& v =
        address.scope == Scope::module ? e_.module.variables[address.index] : e_.function.variables[address.index];
    const auto at = static_cast<std::uint64_t>(address.integer);
    const unsigned bytes = test.access.bytes;
    const bool aligned = v.alignment % bytes == 0 && at % bytes == 0;
    if (v.unsized) {
        if (!is_shared(v.space)) return; // of another module's: its size is not known here
        const Object dynamic = variable(address.scope, address.index);
        test.object = dynamic;
        if (aligned)
            test.passed = b_.CreateNot(is_outside(
                dynamic, b_.CreateAdd(dynamic.begin, b_.getInt32(static_cast<std::uint32_t>(at))), test.access));
        else
            test.passed = b_.getFalse();
        return;
    }
    if (aligned && at < v.size && bytes <= v.size - at) return;
    test.object = variable(address.scope, address.index);
    test.passed = b_.getFalse();
}

void AccessHooks::test_uniform(Test& test) {
    test.address = address_of(e_, *test.access.address, test.access.space);
    test.passed = b_.CreateNot(
        b_.CreateOr(is_outside(test.object, test.address, test.access), is_misaligned(test.address, test.access)));
}

/// All lanes are active, and equally far from each other: what the first and the last one access tells.
void AccessHooks::test_ends(Test& test) {
    const Operand& address = *test.access.address;
    const std::int64_t stride = *e_.plan->stride(address.reg);
    Value* first = address_of(e_, *test.access.address, test.access.space);
    const auto reach = static_cast<std::uint64_t>(stride * static_cast<std::int64_t>(e_.lanes.full_width() - 1));
    Value* last = b_.CreateAdd(first, llvm::ConstantInt::get(first->getType(), reach, true));
    Value* wrong = b_.CreateOr(is_outside(test.object, first, test.access), is_outside(test.object, last, test.access));
    test.passed = b_.CreateNot(b_.CreateOr(wrong, is_misaligned(first, test.access)));
    if (Value* even = is_shared(test.access.space) ? nullptr : e_.registers.is_even(address.reg))
        test.passed = b_.CreateAnd(test.passed, even);
}

void AccessHooks::test_lanes(Test& test) {
    const auto vectors = e_.lanes.with_full_width();
    Value* all = address_of(e_, *test.access.address, test.access.space);
    Value* wrong = b_.CreateOr(is_outside(test.object, all, test.access), is_misaligned(all, test.access));
    if (Value* mask = e_.lanes.active_mask()) wrong = b_.CreateAnd(wrong, mask);
    test.passed = b_.CreateIsNull(b_.CreateBitCast(wrong, b_.getIntNTy(e_.lanes.full_width())));
}

AccessHooks::Test AccessHooks::test_of(const MemoryAccess& access, unsigned number) {
    Test test;
    test.access = access;
    test.number = number;
    const Operand& address = *access.address;
    const auto differs = [&](const Operand& x) {
        return e_.plan && (x.kind == Operand::Kind::reg || has_base(x)) && e_.registers.varies(x.reg);
    };
    bool varies = (has_base(address) && differs(address)) || (access.count && differs(*access.count));
    if (is_by_variable(address) && access.count) {
        test.access.space = e_.variables.space_of(address);
        varies |= e_.plan && e_.plan->per_lane_memory.bytes(address) != 0;
    } else if (is_by_variable(address)) {
        test.access.space = e_.variables.space_of(address);
        // Local memory has a place for each lane.
        const bool per_lane = e_.plan && e_.plan->per_lane_memory.bytes(address) != 0;
        test.uniform = !per_lane;
        test_static(test);
        if (test.passed && test.uniform) test.address = address_of(e_, *test.access.address, test.access.space);
        return test;
    }
    test.uniform = !varies;
    test.object = object_of(test.access, number);
    if (!varies) {
        test_uniform(test);
    } else {
        const bool ends = has_base(address) && !access.count && e_.plan->is_affine(address.reg) &&
                          !e_.lanes.active_mask() && !test.object.step &&
                          *e_.plan->stride(address.reg) % static_cast<std::int64_t>(access.bytes) == 0;
        if (ends)
            test_ends(test);
        else
            test_lanes(test);
    }
    return test;
}

// --- the way around

Value* AccessHooks::ask(const Test& test) {
    const unsigned width = e_.lanes.full_width();
    const bool shared = is_shared(test.access.space);
    const std::size_t different = test.uniform ? 1 : width;
    const Scratch addresses(e_, "addresses", 8 * different);
    std::optional<Scratch> counts;
    Value* at = test.address;
    Value* count = nullptr;
    if (test.uniform) {
        count = count_of(e_, test.access);
    } else {
        const auto vectors = e_.lanes.with_full_width();
        at = address_of(e_, *test.access.address, test.access.space);
        count = count_of(e_, test.access);
    }
    if (count) {
        counts.emplace(e_, "counts", 4 * different);
        b_.CreateAlignedStore(count, counts->address(), Scratch::alignment());
    }
    if (shared) {
        Value* window = b_.CreatePtrToInt(e_.place.shared_origin(), b_.getInt64Ty());
        if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(at->getType()))
            window = b_.CreateVectorSplat(vector->getNumElements(), window);
        at = b_.CreateAdd(b_.CreateZExt(at, window->getType()), window);
    }
    b_.CreateAlignedStore(at, addresses.address(), Scratch::alignment());
    CheckedAccess what{};
    what.bytes = test.access.bytes;
    what.number = test.number;
    what.reads = test.access.reads;
    what.writes = test.access.writes;
    what.uniform = test.uniform;
    what.shared = shared;
    what.known = test.object.is_known;
    const ptx::Instruction& i = e_.function.instructions[e_.instruction()];
    what.shadow = i.aid == ptx::Aid::lane_access ? ptx::AddedAccess::unpacked(i.operands.at(2).integer).of_shadow
                                                 : i.aid != ptx::Aid::none;
    what.alignment = test.access.alignment;
    what.sized = count != nullptr;
    what.in_units = test.access.counts_units;
    const auto wide = [&](Value* value) { return value ? b_.CreateZExt(value, b_.getInt64Ty()) : b_.getInt64(0); };
    return e_.runtime_call("wl_rt_check_access", b_.getInt32Ty(),
                           {e_.place.block(), e_.place.first_linear_thread(), e_.active_bits(), addresses.address(),
                            wide(test.object.begin), wide(test.object.size),
                            b_.getInt64(static_cast<std::uint64_t>(test.object.step)), e_.site_value(),
                            b_.getInt32(what.packed()),
                            count ? counts->address() : llvm::ConstantPointerNull::get(b_.getPtrTy())});
}

void AccessHooks::leave_out(const ptx::Instruction& i, const std::vector<Test>& tests) {
    using ptx::Modifier;
    if (i.aid != ptx::Aid::none) return;
    if (i.opcode == ptx::Opcode::mbarrier && (i.has(Modifier::test_wait) || i.has(Modifier::try_wait)))
        return e_.write(i.operands.at(0), ptx::Type::pred, b_.getTrue());
    if (i.opcode != ptx::Opcode::cp || !i.has(Modifier::mbarrier_complete_tx_bytes)) return;
    Value* is_told = b_.getTrue();
    for (const Test& test : tests)
        if (!test.access.count) is_told = b_.CreateIsNotNull(test.allowed);
    e_.emit_if(is_told, [&] {
        Value* bytes = b_.CreateZExt(e_.read(i.operands.at(2), ptx::Type::b32), b_.getInt64Ty());
        complete_bytes(e_, e_.addresses.pointer(i.operands.at(3), i.space), bytes);
    });
}

void AccessHooks::around(const ptx::Instruction& i, llvm::function_ref<void()> emit) {
    std::vector<Test> tests;
    unsigned number = 0;
    for (const MemoryAccess& access : ptx::all_accesses_of(i)) {
        if (is_hookable(e_, *access.address, access.space)) {
            Test test = test_of(access, number);
            if (test.passed) tests.push_back(test);
        }
        ++number;
    }
    if (tests.empty()) return emit();
    Value* passed = tests[0].passed;
    for (std::size_t k = 1; k < tests.size(); ++k)
        passed = b_.CreateAnd(passed, tests[k].passed);
    llvm::BasicBlock* go = e_.new_block("go");
    llvm::BasicBlock* look = e_.new_block("look");
    llvm::BasicBlock* rest = e_.new_block("rest");
    b_.CreateCondBr(passed, go, look, llvm::MDBuilder(e_.context).createLikelyBranchWeights());

    b_.SetInsertPoint(look);
    Value* active = e_.active_bits();
    Value* allowed = active;
    bool uniform = true; // then all lanes may, or none
    for (Test& test : tests) {
        test.allowed = ask(test);
        allowed = b_.CreateAnd(allowed, test.allowed);
        uniform &= test.uniform;
    }
    if (!e_.plan || uniform) {
        llvm::BasicBlock* out = e_.new_block("out");
        b_.CreateCondBr(b_.CreateICmpEQ(allowed, active), go, out);
        b_.SetInsertPoint(out);
        leave_out(i, tests);
        b_.CreateBr(rest);
    } else {
        llvm::BasicBlock* some = e_.new_block("some");
        b_.CreateCondBr(b_.CreateICmpEQ(allowed, active), go, some);
        b_.SetInsertPoint(some);
        const unsigned width = e_.lanes.full_width();
        Value* bits = b_.CreateTrunc(allowed, b_.getIntNTy(width));
        const auto masked =
            e_.lanes.with_active_mask(b_.CreateBitCast(bits, llvm::FixedVectorType::get(b_.getInt1Ty(), width)));
        const auto kept = e_.lanes.with_others_kept(true);
        const auto seldom = e_.lanes.with_seldom(true);
        emit();
        if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    }
    b_.SetInsertPoint(go);
    emit();
    if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
}

} // namespace warplight::jit
