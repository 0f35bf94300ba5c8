// SPDX-License-Identifier: Apache-2.0
#include "access_checks.hpp"

#include <llvm/IR/MDBuilder.h>

#include <cstddef>

namespace warplight::jit {

using llvm::Value;
using ptx::Operand;
using ptx::Space;
using software::ThreadContext;
using Kind = Operand::Kind;

AccessChecks::AccessChecks(FunctionCode& code, ThreadPlace& place, Registers& registers, Variables& variables)
    : code_(code), place_(place), registers_(registers), variables_(variables), b_(code.b) {
    // LLVM makes vectors of innermost loops with one way out. A kernel without loops leaves the loop over threads to be
    // the innermost, so its checks must not leave that.
    if (code.function.kernel && !code.coroutine && !code.plan &&
        !code.unit.analysis.functions[code.function_id].has_loop)
        misaligned_ = code.stack_variable(b_.getInt32(0), "misaligned");
}

Value* AccessChecks::asked(Value* pointer, Value* bytes, bool writes) {
    if (code_.unit.options.access_reports == AccessReports::none) return pointer;
    return code_.runtime_call("wl_rt_access", code_.device_pointer(),
                              {pointer, bytes, code_.site_value(), b_.getInt32(writes)});
}

Value* AccessChecks::asked(Value* pointer, std::uint64_t bytes, bool writes) {
    return code_.unit.options.access_reports == AccessReports::before_each ? asked(pointer, b_.getInt64(bytes), writes)
                                                                           : pointer;
}

bool AccessChecks::check_alignment(const Operand& address, Space space, unsigned bytes, bool may_be_late) {
    if (is_by_variable(address)) space = variables_.space_of(address);
    if (bytes <= 1 || space == Space::param) return false; // parameters are aligned by their layout
    Value* at = address_to_check(address, space, bytes);
    if (!at) return false;
    // Of a[i] LLVM drops the multiple of i: only the bits of a are tested.
    Value* wrong = b_.CreateAnd(b_.CreateTrunc(at, b_.getInt32Ty()), b_.getInt32(bytes - 1));
    if (misaligned_ && may_be_late) {
        b_.CreateStore(b_.CreateOr(misaligned_bits(), wrong), misaligned_);
        return true;
    }
    if (may_be_late && code_.function.kernel && (code_.plan || !code_.coroutine)) {
        stop_if_misaligned(wrong);
        return true;
    }
    fault_if(b_.CreateIsNotNull(wrong), at, bytes);
    return false;
}

/// i64; null: known to be aligned. Of shared memory the offset decides, for the window is aligned.
Value* AccessChecks::address_to_check(const Operand& address, Space space, unsigned bytes) {
    if (is_by_variable(address)) {
        const ptx::Variable& v = address.scope == Operand::Scope::module ? code_.module.variables[address.index]
                                                                         : code_.function.variables[address.index];
        if (v.alignment % bytes == 0 && address.integer % bytes == 0) return nullptr;
        return variables_.address_of(address);
    }
    Value* offset = b_.getInt64(static_cast<std::uint64_t>(address.kind == Kind::reg ? 0 : address.integer));
    if (address.kind != Kind::reg && address.base_kind != Kind::reg) return offset;
    if (!is_shared(space)) return b_.CreateAdd(registers_.read(address.reg, ptx::Type::b64), offset);
    Value* word = registers_.read(address.reg, ptx::Type::b32);
    return b_.CreateZExt(b_.CreateAdd(word, b_.CreateTrunc(offset, b_.getInt32Ty())), b_.getInt64Ty());
}

void AccessChecks::fault_if(Value* wrong, Value* address, unsigned bytes) {
    code_.emit_if(wrong, [&] {
        // A coroutine reads these fields here: kept in its frame they would cost every thread memory.
        const auto field = [&](std::size_t offset, llvm::Type* type) {
            return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), place_.thread(), offset));
        };
        Value* block = code_.coroutine ? field(offsetof(ThreadContext, block), b_.getPtrTy()) : place_.block();
        Value* first =
            code_.coroutine ? field(offsetof(ThreadContext, linear), b_.getInt32Ty()) : place_.first_linear_thread();
        Value* thread = place_.first_active(first);
        code_
            .runtime_call("wl_rt_misaligned", b_.getVoidTy(),
                          {block, thread, code_.site_value(), address, b_.getInt32(bytes)})
            ->setDoesNotReturn();
        b_.CreateUnreachable();
    });
}

void AccessChecks::stop_if_misaligned(Value* low_bits) {
    llvm::BasicBlock* rest = code_.new_block("aligned");
    const bool first = !stop_;
    if (first) stop_ = code_.new_block("misaligned");
    b_.CreateCondBr(b_.CreateIsNotNull(low_bits), stop_, rest,
                    llvm::MDBuilder(code_.context).createUnlikelyBranchWeights());
    if (first) {
        b_.SetInsertPoint(stop_);
        code_
            .runtime_call("wl_rt_misaligned", b_.getVoidTy(),
                          {llvm::ConstantPointerNull::get(b_.getPtrTy()), b_.getInt32(~0U), b_.getInt32(~0U),
                           b_.getInt64(0), b_.getInt32(0)})
            ->setDoesNotReturn();
        b_.CreateUnreachable();
    }
    b_.SetInsertPoint(rest);
}

Value* AccessChecks::misaligned_bits() {
    if (!misaligned_) return b_.getInt32(0);
    return b_.CreateLoad(b_.getInt32Ty(), misaligned_);
}

} // namespace warplight::jit
