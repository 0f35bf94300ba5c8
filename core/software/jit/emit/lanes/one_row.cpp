// SPDX-License-Identifier: Apache-2.0
// Divisions of a flat index by the length of a row, where all lanes are taken to be in one row (lanes/one_row).
#include "lane_groups.hpp"

namespace warplight::jit {

using llvm::Value;
using ptx::Instruction;
using ptx::Opcode;

namespace {

/// x / y of numbers without a sign; y is not 0. The reciprocal is computed once, in front of a loop.
Value* divide_unsigned(llvm::IRBuilder<>& b, Value* x, Value* y) {
    constexpr double kAboveOne = 1 + 0x1p-49; // see emit/arithmetic/integer
    if (llvm::isa<llvm::Constant>(y) || x->getType()->getIntegerBitWidth() > 32) return b.CreateUDiv(x, y);
    auto* real = b.getDoubleTy();
    Value* reciprocal = b.CreateFDiv(llvm::ConstantFP::get(real, kAboveOne), b.CreateUIToFP(y, real));
    return b.CreateFPToUI(b.CreateFMul(b.CreateUIToFP(x, real), reciprocal), x->getType());
}

} // namespace

/// The first lane's remainder tells how many numbers follow with the same quotient. Neither a negative number nor one
/// that wraps counts as one of them.
RowDivision divide_in_row(Emitter& e, const Instruction& i) {
    auto& b = e.b;
    Value* x = e.read(i, 1, i.type());
    Value* y = e.read(i, 2, i.type());
    const std::int64_t stride = *e.plan->stride(i.operands[1].reg);
    Value* reach =
        llvm::ConstantInt::get(x->getType(), static_cast<std::uint64_t>(stride) * (e.lanes.full_width() - 1));
    Value* zero = llvm::ConstantInt::get(x->getType(), 0);
    Value* last = b.CreateAdd(x, reach);
    Value* divisor = b.CreateSelect(b.CreateICmpEQ(y, zero), llvm::ConstantInt::get(x->getType(), 1), y);
    Value* quotient = divide_unsigned(b, x, divisor);
    Value* remainder = b.CreateSub(x, b.CreateMul(quotient, divisor));
    Value* in_row = b.CreateICmpULT(b.CreateAdd(remainder, reach), y);
    Value* plain =
        ptx::is_signed(i.type()) ? b.CreateICmpSGE(b.CreateOr(b.CreateOr(x, last), y), zero) : b.CreateICmpUGE(last, x);
    return {b.CreateAnd(in_row, plain), i.opcode == Opcode::rem ? remainder : quotient};
}

} // namespace warplight::jit
