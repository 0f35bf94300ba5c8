// SPDX-License-Identifier: Apache-2.0
#include "quick_path.hpp"

#include "access_address.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>

#include <cstdint>
#include <vector>

namespace warplight::jit {

using llvm::Value;

namespace {

/// Instructions with accesses. With more, code of each would take longer to compile than it gains.
constexpr std::size_t kMostOwnCode = 96;

} // namespace

QuickPath::QuickPath(Emitter& e)
    : e_(e), b_(e.b), shares_code_(instructions_with_accesses(e.function).size() > kMostOwnCode) {}

QuickPath::Lanes QuickPath::lanes_of(const ptx::Operand& address, unsigned bytes) const {
    if (!e_.plan || !has_base(address) || !e_.registers.varies(address.reg)) return Lanes::same;
    const bool beside = e_.plan->is_affine(address.reg) && *e_.plan->stride(address.reg) == std::int64_t{bytes};
    return beside ? Lanes::side_by_side : Lanes::each;
}

void QuickPath::emit(llvm::function_ref<void(llvm::BasicBlock*)> quick, llvm::function_ref<void()> tell) {
    llvm::BasicBlock* told = new_block("told");
    llvm::BasicBlock* rest = new_block("rest");
    quick(told);
    b_.CreateBr(rest);
    b_.SetInsertPoint(told);
    tell();
    if (!b_.GetInsertBlock()->getTerminator()) b_.CreateBr(rest);
    b_.SetInsertPoint(rest);
}

void QuickPath::go_on_if(Value* pass, llvm::BasicBlock* told) {
    llvm::BasicBlock* next = new_block("quick");
    b_.CreateCondBr(pass, next, told, llvm::MDBuilder(e_.context).createLikelyBranchWeights());
    b_.SetInsertPoint(next);
}

Value* QuickPath::all(Value* bits) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(bits->getType());
    if (!vector) return bits;
    return b_.CreateIsNull(b_.CreateBitCast(b_.CreateNot(bits), b_.getIntNTy(vector->getNumElements())));
}

Value* QuickPath::state() {
    if (shared_) return shared_->state;
    return e_.in_entry(state_, [&] {
        return e_.load_field(e_.place.block(), offsetof(software::BlockContext, traced), b_.getPtrTy(), 0, "traced");
    });
}

Value* QuickPath::field(std::size_t offset, llvm::Type* type) {
    return b_.CreateLoad(type, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), state(), offset));
}

Value* QuickPath::warp() { return b_.CreateZExt(b_.CreateLShr(linear(), 5), b_.getInt64Ty()); }

Value* QuickPath::linear() { return shared_ ? shared_->linear : e_.place.first_linear_thread(); }

Value* QuickPath::active_mask() { return shared_ ? shared_->mask : e_.lanes.active_mask(); }

Value* QuickPath::active_bits() { return shared_ ? shared_->active : e_.active_bits(); }

Value* QuickPath::site() { return shared_ ? shared_->site : e_.site_value(); }

llvm::BasicBlock* QuickPath::new_block(const char* name) {
    return llvm::BasicBlock::Create(e_.context, name, b_.GetInsertBlock()->getParent());
}

Value* QuickPath::shared_code(const std::string& name, llvm::ArrayRef<Value*> more,
                              llvm::function_ref<void(llvm::Function&, llvm::BasicBlock*)> quick) {
    const bool is_masked = e_.lanes.active_mask() != nullptr;
    std::vector<Value*> arguments{state(), linear(), active_bits(), site()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const std::string full_name = name + (is_masked ? ".masked" : "");
    llvm::Function* f = e_.unit.ir->getFunction(full_name);
    if (!f) {
        std::vector<llvm::Type*> types;
        types.reserve(arguments.size());
        for (const Value* each : arguments)
            types.push_back(each->getType());
        f = llvm::Function::Create(llvm::FunctionType::get(b_.getInt1Ty(), types, false),
                                   llvm::GlobalValue::InternalLinkage, full_name, *e_.unit.ir);
        for (const auto attribute :
             {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::NullPointerIsValid})
            f->addFnAttr(attribute);
        e_.unit.describe(*f);
        const llvm::IRBuilderBase::InsertPointGuard guard(b_);
        b_.SetInsertPoint(llvm::BasicBlock::Create(e_.context, "entry", f));
        b_.SetCurrentDebugLocation(llvm::DILocation::get(e_.context, kNoSiteLine, 0, f->getSubprogram()));
        Value* mask = nullptr;
        if (is_masked) {
            const unsigned width = e_.lanes.full_width();
            mask = b_.CreateBitCast(b_.CreateZExtOrTrunc(f->getArg(2), b_.getIntNTy(width)),
                                    llvm::FixedVectorType::get(b_.getInt1Ty(), width));
        }
        shared_ = Shared{f->getArg(0), f->getArg(1), f->getArg(2), f->getArg(3), mask};
        llvm::BasicBlock* told = new_block("told");
        quick(*f, told);
        b_.CreateRet(b_.getTrue());
        b_.SetInsertPoint(told);
        b_.CreateRet(b_.getFalse());
        shared_.reset();
    }
    return b_.CreateCall(f, arguments);
}

} // namespace warplight::jit
