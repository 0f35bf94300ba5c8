// SPDX-License-Identifier: Apache-2.0
#include "serial_access.hpp"

#include "software/jit/ir_conventions.hpp"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

SerialAccess::SerialAccess(Unit& unit) : unit_(unit), b_(*unit.context) {}

llvm::Function* SerialAccess::affine(unsigned bits, bool store) {
    return access(store ? "wl_store_growing_" : "wl_load_growing_", bits, store,
                  {b_.getInt64Ty(), b_.getInt32Ty(), b_.getPtrTy()},
                  [&](llvm::Function& f, Value* lane) { return address_of_step(f, lane); });
}

/// One turn, or, where an index wraps, a turn for each lane.
llvm::Function* SerialAccess::neighbours(unsigned bits, bool store) {
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    return loop(store ? "wl_store_neighbours_" : "wl_load_neighbours_", bits, {i64, i32, b_.getPtrTy()},
                [&](llvm::Function& f, Value* left, Value* lane) {
                    Value* behind = b_.CreateIntrinsic(llvm::Intrinsic::ctlz, {i32}, {left, b_.getTrue()});
                    Value* span = b_.CreateSub(b_.CreateSub(b_.getInt32(32), behind), lane);
                    Value* address = address_of_step(f, lane);
                    Value* last = address_of_step(f, b_.CreateSub(b_.getInt32(31), behind));
                    Value* between =
                        b_.CreateMul(b_.CreateZExt(b_.CreateSub(span, b_.getInt32(1)), i64), b_.getInt64(bits / 8));
                    Value* is_row = b_.CreateICmpEQ(b_.CreateSub(last, address), between);
                    Value* taken = b_.CreateSelect(is_row, left, b_.CreateAnd(left, b_.CreateNeg(left)));
                    move_row(f, bits, store, {taken, lane, b_.CreateSelect(is_row, span, b_.getInt32(1)), address});
                    return Turn{address, b_.CreateXor(left, taken)};
                });
}

/// In a loop over as many elements as a register has.
void SerialAccess::move_row(llvm::Function& f, unsigned bits, bool store, const Row& row) {
    constexpr unsigned most_bits = 512, most_lanes = 32;
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty(), *element = b_.getIntNTy(bits);
    const unsigned width = std::min(most_bits / bits, most_lanes);
    auto* vector = llvm::FixedVectorType::get(element, width);
    llvm::BasicBlock *before = b_.GetInsertBlock(), *loop = llvm::BasicBlock::Create(*unit_.context, "vectors", &f),
                     *moved = llvm::BasicBlock::Create(*unit_.context, "moved", &f);
    Value* wanted = b_.CreateZExt(b_.CreateLShr(row.lanes, row.first), i64);
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    llvm::PHINode* at = b_.CreatePHI(i32, 2);
    at->addIncoming(b_.getInt32(0), before);
    // A vector that would end in the next page is moved back to the end of this one, with its elements behind others:
    // the next page may not be there, and a processor takes hundreds of cycles to leave out elements there.
    constexpr unsigned page = 4096;
    const unsigned bytes = bits / 8;
    Value* elements = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, b_.CreateSub(row.count, at), b_.getInt32(width));
    Value* place = b_.CreateAnd(b_.CreateAdd(b_.CreateTrunc(row.address, i32), b_.CreateMul(at, b_.getInt32(bytes))),
                                b_.getInt32(page - 1));
    Value* needs_both =
        b_.CreateICmpUGT(b_.CreateAdd(place, b_.CreateMul(elements, b_.getInt32(bytes))), b_.getInt32(page));
    Value* over = b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, place, b_.getInt32(page - width * bytes));
    Value* back = b_.CreateLShr(b_.CreateAdd(over, b_.getInt32(bytes - 1)), b_.getInt32(llvm::Log2_32(bytes)));
    back = b_.CreateSelect(needs_both, b_.getInt32(0), back);
    Value* lanes = b_.CreateShl(b_.CreateLShr(wanted, b_.CreateZExt(at, i64)), b_.CreateZExt(back, i64));
    Value* mask =
        b_.CreateBitCast(b_.CreateTrunc(lanes, b_.getIntNTy(width)), llvm::FixedVectorType::get(b_.getInt1Ty(), width));
    Value* first = b_.CreateSub(at, back);
    Value* there = b_.CreateGEP(element, b_.CreateIntToPtr(row.address, b_.getPtrTy(kDeviceSpace)), first);
    Value* here = b_.CreateGEP(element, f.getArg(0), b_.CreateAdd(row.first, first));
    Value* values =
        b_.CreateMaskedLoad(vector, store ? here : there, llvm::Align(1), mask, llvm::Constant::getNullValue(vector));
    b_.CreateMaskedStore(values, store ? there : here, llvm::Align(1), mask);
    Value* next = b_.CreateAdd(at, b_.getInt32(width));
    at->addIncoming(next, loop);
    b_.CreateCondBr(b_.CreateICmpULT(next, row.count), loop, moved);
    b_.SetInsertPoint(moved);
}

Value* SerialAccess::address_of_step(llvm::Function& f, Value* lane) {
    Type* i64 = b_.getInt64Ty();
    llvm::StructType* type = step_type();
    const auto member = [&](unsigned k) {
        return b_.CreateLoad(type->getElementType(k), b_.CreateStructGEP(type, f.getArg(4), k));
    };
    Value* widens_signed = b_.CreateIsNotNull(member(3));
    const auto widen = [&](Value* index) {
        return b_.CreateSelect(widens_signed, b_.CreateSExt(index, i64), b_.CreateZExt(index, i64));
    };
    Value* index = b_.CreateAdd(f.getArg(3), b_.CreateMul(lane, member(2)));
    Value* more = b_.CreateMul(b_.CreateSub(widen(index), widen(f.getArg(3))), member(0));
    Value* beyond = b_.CreateMul(b_.CreateZExt(lane, i64), member(1));
    return b_.CreateAdd(f.getArg(2), b_.CreateAdd(more, beyond));
}

llvm::Constant* SerialAccess::constant(const LaneStep& step) {
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    llvm::Constant* value = llvm::ConstantStruct::get(
        step_type(), {llvm::ConstantInt::getSigned(i64, step.factor), llvm::ConstantInt::getSigned(i64, step.beyond),
                      llvm::ConstantInt::getSigned(i32, step.step), b_.getInt32(step.widens_signed)});
    for (llvm::GlobalVariable& known : unit_.ir->globals())
        if (known.isConstant() && known.hasInitializer() && known.getInitializer() == value) return &known;
    return new llvm::GlobalVariable(*unit_.ir, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                    "wl_pattern");
}

llvm::StructType* SerialAccess::step_type() {
    Type *i32 = b_.getInt32Ty(), *i64 = b_.getInt64Ty();
    return llvm::StructType::get(*unit_.context, {i64, i64, i32, i32});
}

llvm::Function* SerialAccess::scattered(unsigned bits, bool store) {
    Type* i64 = b_.getInt64Ty();
    return access(store ? "wl_store_anywhere_" : "wl_load_anywhere_", bits, store, {b_.getPtrTy(), i64},
                  [&](llvm::Function& f, Value* lane) {
                      return b_.CreateAdd(b_.CreateLoad(i64, b_.CreateGEP(i64, f.getArg(2), lane)), f.getArg(3));
                  });
}

/// A turn for each active lane.
llvm::Function* SerialAccess::access(const char* kind, unsigned bits, bool store, llvm::ArrayRef<Type*> more,
                                     const AddressOf& address_of) {
    return loop(kind, bits, more, [&](llvm::Function& f, Value* left, Value* lane) {
        Type* element = b_.getIntNTy(bits);
        Value* address = address_of(f, lane);
        Value* there = b_.CreateIntToPtr(address, b_.getPtrTy(kDeviceSpace));
        Value* here = b_.CreateGEP(element, f.getArg(0), lane);
        b_.CreateAlignedStore(b_.CreateAlignedLoad(element, store ? here : there, llvm::Align(1)), store ? there : here,
                              llvm::Align(1));
        return Turn{address, b_.CreateAnd(left, b_.CreateSub(left, b_.getInt32(1)))};
    });
}

/// In the form that SerialLoop of emit/lanes/serial.cpp has too.
llvm::Function* SerialAccess::loop(const char* kind, unsigned bits, llvm::ArrayRef<Type*> more, const Body& body) {
    const std::string name = kind + std::to_string(bits);
    if (llvm::Function* known = unit_.ir->getFunction(name)) return known;
    Type* i32 = b_.getInt32Ty();
    llvm::SmallVector<Type*> parameters{b_.getPtrTy(), i32};
    parameters.append(more.begin(), more.end());
    llvm::Function* f = declare(name, parameters);
    const auto block = [&](const char* called) { return llvm::BasicBlock::Create(*unit_.context, called, f); };
    llvm::BasicBlock *entry = block("entry"), *turn = block("turn"), *rest = block("rest");
    b_.SetInsertPoint(entry);
    b_.SetCurrentDebugLocation(llvm::DILocation::get(*unit_.context, kNoSiteLine, 0, f->getSubprogram()));
    b_.CreateCondBr(b_.CreateIsNotNull(f->getArg(1)), turn, rest);
    b_.SetInsertPoint(turn);
    llvm::PHINode *left = b_.CreatePHI(i32, 2), *low = b_.CreatePHI(i32, 2);
    left->addIncoming(f->getArg(1), entry);
    low->addIncoming(b_.getInt32(0), entry);
    Value* lane = b_.CreateIntrinsic(llvm::Intrinsic::cttz, {i32}, {left, b_.getTrue()});
    const Turn done = body(*f, left, lane);
    llvm::BasicBlock* last = b_.GetInsertBlock();
    Value* all_low = b_.CreateOr(low, b_.CreateTrunc(done.address, i32));
    left->addIncoming(done.others, last);
    low->addIncoming(all_low, last);
    b_.CreateCondBr(b_.CreateIsNotNull(done.others), turn, rest);
    b_.SetInsertPoint(rest);
    llvm::PHINode* answer = b_.CreatePHI(i32, 2);
    answer->addIncoming(b_.getInt32(0), entry);
    answer->addIncoming(all_low, last);
    b_.CreateRet(answer);
    return f;
}

llvm::Function* SerialAccess::declare(const std::string& name, llvm::ArrayRef<Type*> parameters) {
    auto* f = llvm::Function::Create(llvm::FunctionType::get(b_.getInt32Ty(), parameters, false),
                                     llvm::GlobalValue::InternalLinkage, name, *unit_.ir);
    f->setCallingConv(kConvention);
    for (const auto attribute :
         {llvm::Attribute::NoInline, llvm::Attribute::NoUnwind, llvm::Attribute::NullPointerIsValid})
        f->addFnAttr(attribute);
    unit_.describe(*f);
    return f;
}

} // namespace warplight::jit
