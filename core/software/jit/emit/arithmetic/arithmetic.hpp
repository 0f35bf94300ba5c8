// SPDX-License-Identifier: Apache-2.0
// What the arithmetic groups share: flushing, saturation, and the 16-bit floats as f32.
#pragma once

#include "software/jit/emit/emitter.hpp"

#include <string_view>

namespace warplight::jit {

/// rn where none is written.
enum class Rounding : std::uint8_t { nearest, zero, down, up };
[[nodiscard]] Rounding rounding_of(const ptx::Instruction& i); ///< .rn .rz .rm .rp
/// "_rn", "_rz", "_rm", "_rp": the ending of a library function's name.
[[nodiscard]] const char* suffix(Rounding rounding);

/// f32, f64 and the halves: a constant of exactly `value`'s type.
[[nodiscard]] llvm::Constant* like(llvm::Value* value, double constant);
/// The same for integers.
[[nodiscard]] llvm::Constant* like_integer(llvm::Value* value, std::uint64_t constant);
/// The integer type that has the bits of a floating-point (vector) type.
[[nodiscard]] llvm::Type* bits_type(llvm::Type* type);
/// Of the bits of a float, or of each element of a vector.
[[nodiscard]] std::uint64_t sign_mask(const llvm::Type* type);

/// A whole f32 or f64, or a vector of them, as an integer of that type or the nearest one in its range. NaN becomes 0.
[[nodiscard]] llvm::Value* saturated_integer(Emitter& e, llvm::Value* x, llvm::Type* type, bool is_signed);

/// Subnormal numbers become zeros of their sign.
[[nodiscard]] llvm::Value* flush(Emitter& e, llvm::Value* value);
[[nodiscard]] llvm::Value* flush_if(Emitter& e, bool ftz, llvm::Value* value);
/// fcmp, of vectors of halves too.
[[nodiscard]] llvm::Value* compare_floats(Emitter& e, llvm::CmpInst::Predicate predicate, llvm::Value* x,
                                          llvm::Value* y);
/// [0, 1]; NaN and -0 become +0.
[[nodiscard]] llvm::Value* saturate(Emitter& e, llvm::Value* value);
/// Every NaN becomes the one that instructions of this type yield: all ones except the sign.
[[nodiscard]] llvm::Value* canonical_nan(Emitter& e, llvm::Value* value);
[[nodiscard]] llvm::Constant* canonical_nan_like(llvm::Value* value);
/// max(x, 0), where NaN stays one.
[[nodiscard]] llvm::Value* relu(Emitter& e, llvm::Value* value);

/// f16, f16x2, bf16 and bf16x2 as f32, or pairs of it, and back: rounded to nearest even, with the canonical NaN.
[[nodiscard]] llvm::Value* widen(Emitter& e, llvm::Value* value, ptx::Type type);
[[nodiscard]] llvm::Value* narrow(Emitter& e, llvm::Value* value, ptx::Type type);
/// f64 to f32, or an f32 sum with its error, rounded to odd. Rounding that f32 to a half then equals one rounding of
/// the exact value.
[[nodiscard]] llvm::Value* to_float_odd(Emitter& e, llvm::Value* value);
[[nodiscard]] llvm::Value* adjust_to_odd(Emitter& e, llvm::Value* sum, llvm::Value* error);
[[nodiscard]] bool is_half(ptx::Type type); ///< f16, f16x2, bf16, bf16x2
[[nodiscard]] bool is_bfloat(ptx::Type type);

/// "add", "mul" and "fma" of f32 with a rounding direction, or null for anything else (emit/arithmetic/directed.cpp).
[[nodiscard]] llvm::Value* directed_f32(Emitter& e, std::string_view operation, llvm::ArrayRef<llvm::Value*> arguments,
                                        Rounding rounding);

// Approximations on float values (vectors of them too); subnormals are handled, flushing is the caller's.
/// @param flushes subnormal results too
[[nodiscard]] llvm::Value* approximate_exp2(Emitter& e, llvm::Value* x, bool flushes = false);
[[nodiscard]] llvm::Value* approximate_tanh(Emitter& e, llvm::Value* x);

/// The scalar and packed video instructions (emit/arithmetic/video.cpp).
bool emit_video(Emitter& e, const ptx::Instruction& i);

/// Sign- or zero-extends or cuts an integer.
[[nodiscard]] llvm::Value* resize(Emitter& e, llvm::Value* value, llvm::Type* type, bool is_signed);

} // namespace warplight::jit
