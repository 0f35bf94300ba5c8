// SPDX-License-Identifier: Apache-2.0
// The LLVM type of a PTX type, for as many lanes as LaneState::width() says:
//   pred → i1, bN/uN/sN → iN, f32/tf32 → float, f64 → double, f16 → half, f16x2 → <2 x half>,
//   bf16 → i16 and bf16x2 → i32 (bits: the host's bfloat conversions flush denormals), u16x2/s16x2 → <2 x i16>,
//   8-bit floats → i8, their pairs → i16, opaque references → i64.
#pragma once

#include "lane_state.hpp"
#include "software/ptx/module.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>

#include <cstdint>

namespace warplight::jit {

class ValueTypes {
public:
    ValueTypes(llvm::LLVMContext& context, const LaneState& lanes) : context_(context), lanes_(lanes) {}

    [[nodiscard]] llvm::Type* type_of(ptx::Type type) const;
    /// Of a register's slot: float and double for f32 and f64, else an integer.
    [[nodiscard]] llvm::Type* register_type(ptx::Type type) const;
    [[nodiscard]] llvm::Type* integer_type(unsigned bits) const;
    /// A scalar type or a pair, for each lane.
    [[nodiscard]] llvm::Type* per_lane(llvm::Type* type) const;

    [[nodiscard]] llvm::Constant* integer(unsigned bits, std::uint64_t value) const; ///< the same in all lanes
    [[nodiscard]] llvm::Constant* real(ptx::Type type, double value) const;          ///< f16, f32 or f64

private:
    llvm::LLVMContext& context_;
    const LaneState& lanes_;
};

} // namespace warplight::jit
