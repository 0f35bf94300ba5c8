// SPDX-License-Identifier: Apache-2.0
// Divisions of a flat index by the length of a row, where all lanes are taken to be in one row (lanes/one_row).
#include "lane_groups.hpp"
#include "software/jit/lanes/flat_division.hpp"

namespace warplight::jit {

using llvm::Value;

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
RowDivision divide_in_row(Emitter& e) {
    auto& b = e.b;
    const FlatDivision division = *flat_division(e.function, e.plan->blocks, e.instruction());
    Value* x = e.read(division.x, division.type);
    Value* y = e.read(division.by, division.type);
    const std::int64_t stride = *e.plan->stride(division.x.reg);
    Value* reach =
        llvm::ConstantInt::get(x->getType(), static_cast<std::uint64_t>(stride) * (e.lanes.full_width() - 1));
    Value* zero = llvm::ConstantInt::get(x->getType(), 0);
    Value* last = b.CreateAdd(x, reach);
    Value* divisor = b.CreateSelect(b.CreateICmpEQ(y, zero), llvm::ConstantInt::get(x->getType(), 1), y);
    Value* quotient = divide_unsigned(b, x, divisor);
    Value* remainder = b.CreateSub(x, b.CreateMul(quotient, divisor));
    Value* in_row = b.CreateICmpULT(b.CreateAdd(remainder, reach), y);
    Value* plain = ptx::is_signed(division.type) ? b.CreateICmpSGE(b.CreateOr(b.CreateOr(x, last), y), zero)
                                                 : b.CreateICmpUGE(last, x);
    return {b.CreateAnd(in_row, plain),
            division.remainder ? remainder : quotient,
            division.type,
            x,
            y,
            quotient,
            remainder};
}

} // namespace warplight::jit
