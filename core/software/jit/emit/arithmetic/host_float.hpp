// SPDX-License-Identifier: Apache-2.0
// AVX-512 instructions that have no general form in LLVM: for floats, and a sum of products of integers. Null where the
// host does not have them.
#pragma once

#include "arithmetic.hpp"

namespace warplight::jit {

/// 1 / sqrt(x) of f32 or vectors of it, with a relative error below 2^-23.3.
[[nodiscard]] llvm::Value* host_rsqrt(Emitter& e, llvm::Value* x);
/// x times 2 to the whole number n, both f32 or vectors of it: rounded once, however small or large.
[[nodiscard]] llvm::Value* host_times_power_of_two(Emitter& e, llvm::Value* x, llvm::Value* n);
/// The smaller or larger elements of two vectors of f32 or f64. -0 is less than +0, a number goes before NaN, and two
/// NaN make the canonical one.
[[nodiscard]] llvm::Value* host_min_max(Emitter& e, bool maximum, llvm::Value* x, llvm::Value* y);
/// "add", "mul", "fma", "div" and "sqrt" of f32, f64 or vectors of them, rounded down, up or towards zero.
[[nodiscard]] llvm::Value* host_directed(Emitter& e, std::string_view operation, llvm::ArrayRef<llvm::Value*> arguments,
                                         Rounding rounding);
/// Of vectors of words with two numbers of 16 bits with signs each: the sum of the products of their low and high ones.
[[nodiscard]] llvm::Value* host_pair_products(Emitter& e, llvm::Value* x, llvm::Value* y);
/// Of vectors of words with four bytes each: the sum of the products of the bytes of x, which have no sign, with those
/// of y, which have one.
[[nodiscard]] llvm::Value* host_byte_products(Emitter& e, llvm::Value* x, llvm::Value* y);

} // namespace warplight::jit
