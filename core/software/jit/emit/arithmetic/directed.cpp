// SPDX-License-Identifier: Apache-2.0
// Sums and products of f32 that are rounded towards zero, down or up, on vectors too. They are calculated as f64: a
// product is exact there, and the error of a sum is an f64 itself. Rounded to the nearest f32, that is the wanted
// result or its neighbour.
#include "arithmetic.hpp"
#include "software/jit/emit/groups.hpp"

namespace warplight::jit {

using llvm::Value;

namespace {

/// The f32 that is next to `sum` + `error` in the direction, where |error| is at most half a unit of the sum's.
Value* round_f32(Emitter& e, Value* sum, Value* error, Rounding rounding) {
    auto& b = e.b;
    Value* nearest = b.CreateFPTrunc(sum, e.types.per_lane(b.getFloatTy()));
    // `rest` is what rounding to f32 has lost. If it is zero, the sign of `error` decides the direction. Infinity minus
    // itself is NaN, and the comparisons below leave infinity as it is.
    Value* rest = b.CreateFSub(sum, b.CreateFPExt(nearest, sum->getType()));
    Value* above = b.CreateFCmpOLT(rest, like(rest, 0)); // the result is above the exact one
    Value* below = b.CreateFCmpOGT(rest, like(rest, 0));
    if (error) {
        Value* none = b.CreateFCmpOEQ(rest, like(rest, 0));
        above = b.CreateOr(above, b.CreateAnd(none, b.CreateFCmpOLT(error, like(error, 0))));
        below = b.CreateOr(below, b.CreateAnd(none, b.CreateFCmpOGT(error, like(error, 0))));
    }
    Value* bits = b.CreateBitCast(nearest, bits_type(nearest->getType()));
    Value* negative = b.CreateICmpSLT(bits, like_integer(bits, 0));
    Value* smaller = b.CreateSub(bits, like_integer(bits, 1)); // in magnitude
    Value* larger = b.CreateAdd(bits, like_integer(bits, 1));
    Value* zero = b.CreateFCmpOEQ(nearest, like(nearest, 0));
    Value* next = bits;
    switch (rounding) {
    case Rounding::down:
        next = b.CreateSelect(zero, like_integer(bits, 0x80000001U), b.CreateSelect(negative, larger, smaller));
        next = b.CreateSelect(above, next, bits);
        break;
    case Rounding::up:
        next = b.CreateSelect(zero, like_integer(bits, 1), b.CreateSelect(negative, smaller, larger));
        next = b.CreateSelect(below, next, bits);
        break;
    default:
        next = b.CreateSelect(b.CreateAnd(b.CreateSelect(negative, below, above), b.CreateNot(zero)), smaller, bits);
        break;
    }
    return b.CreateBitCast(next, nearest->getType());
}

Value* directed_sum(Emitter& e, Value* x, Value* y, Rounding rounding) {
    auto& b = e.b;
    Value* sum = b.CreateFAdd(x, y);
    Value* part = b.CreateFSub(sum, x);
    Value* error = b.CreateFAdd(b.CreateFSub(x, b.CreateFSub(sum, part)), b.CreateFSub(y, part));
    Value* result = round_f32(e, sum, error, rounding);
    if (rounding != Rounding::down) return result;
    // A sum that cancels is -0, unless both operands are +0.
    Value* signs = b.CreateOr(b.CreateBitCast(x, bits_type(x->getType())), b.CreateBitCast(y, bits_type(y->getType())));
    Value* minus = b.CreateAnd(b.CreateFCmpOEQ(sum, like(sum, 0)), b.CreateICmpSLT(signs, like_integer(signs, 0)));
    return b.CreateSelect(minus, like(result, -0.0), result);
}

} // namespace

Value* directed_f32(Emitter& e, std::string_view operation, llvm::ArrayRef<Value*> arguments, Rounding rounding) {
    auto& b = e.b;
    const auto wide = [&](std::size_t k) { return b.CreateFPExt(arguments[k], e.types.per_lane(b.getDoubleTy())); };
    if (operation == "add") return directed_sum(e, wide(0), wide(1), rounding);
    if (operation == "mul") return round_f32(e, b.CreateFMul(wide(0), wide(1)), nullptr, rounding);
    if (operation == "fma") return directed_sum(e, b.CreateFMul(wide(0), wide(1)), wide(2), rounding);
    return nullptr;
}

} // namespace warplight::jit
