// SPDX-License-Identifier: Apache-2.0
#include "min_max.hpp"

#include "host_float.hpp"

namespace warplight::jit {

using llvm::Type;
using llvm::Value;

namespace {

/// Whether `x > c ? x : c` is the larger one of x and a constant for every x, NaN and zeros too; `x < c ? x : c` the
/// smaller one.
bool compares_plainly(bool maximum, const Value* c) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(c);
    if (!constant) return false;
    if (c->getType()->isVectorTy()) constant = constant->getSplatValue();
    const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
    return number && !number->isNaN() && !(number->isZero() && number->isNegative() == maximum);
}

/// Without the modifiers: a number goes before NaN.
Value* plain_min_max(Emitter& e, bool maximum, Value* a, Value* c) {
    auto& b = e.b;
    if (compares_plainly(maximum, a)) std::swap(a, c);
    if (compares_plainly(maximum, c))
        return b.CreateSelect(maximum ? b.CreateFCmpOGT(a, c) : b.CreateFCmpOLT(a, c), a, c);
    if (Value* result = host_min_max(e, maximum, a, c)) return result;
    Value* result = e.intrinsic(maximum ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, {a, c}); // -0 < +0
    // NaN is settled here, not by the intrinsic: LLVM 19 loses it beside a zero in vectors.
    result = b.CreateSelect(b.CreateFCmpUNO(c, c), a, result);
    return b.CreateSelect(b.CreateFCmpUNO(a, a), canonical_nan(e, c), result);
}

} // namespace

Value* min_max(Emitter& e, MinMax kind, Value* a, Value* c) {
    auto& b = e.b;
    Value* sign = nullptr;
    if (kind.xorsign) {
        Type* bits = bits_type(a->getType());
        sign = b.CreateXor(b.CreateBitCast(a, bits), b.CreateBitCast(c, bits));
        sign = b.CreateAnd(sign, like_integer(sign, sign_mask(a->getType())));
    }
    if (kind.magnitude) {
        a = e.intrinsic(llvm::Intrinsic::fabs, {a});
        c = e.intrinsic(llvm::Intrinsic::fabs, {c});
    }
    Value* result = nullptr;
    if (kind.nan) {
        // NaN is settled here, not by the intrinsic: LLVM 19 loses it beside a zero in vectors.
        result = e.intrinsic(kind.maximum ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, {a, c}); // -0 < +0
        result = b.CreateSelect(b.CreateFCmpUNO(a, c), canonical_nan_like(result), result);
    } else {
        result = plain_min_max(e, kind.maximum, a, c);
    }
    if (sign) {
        Value* bits = b.CreateBitCast(result, sign->getType());
        Value* is_nan = b.CreateFCmpUNO(result, result);
        result = b.CreateSelect(is_nan, result, b.CreateBitCast(b.CreateOr(bits, sign), result->getType()));
    }
    return result;
}

} // namespace warplight::jit
