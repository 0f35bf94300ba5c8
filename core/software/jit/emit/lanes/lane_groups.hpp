// SPDX-License-Identifier: Apache-2.0
// Instructions of threads side by side, one a lane of a vector. Each function is called with LaneState::width() 1.
#pragma once

#include "software/jit/emit/emitter.hpp"

namespace warplight::jit {

class Fragments;

/// Emits the whole kernel (lanes.cpp).
void emit_lanes(Emitter& e);
/// Emits one instruction where it is executed, by the way that suits it (instructions.cpp).
void emit_for_lanes(Emitter& e, Fragments& fragments, const ptx::Instruction& i);

/// An instruction whose result is affine: done for the first lane (affine.cpp).
void emit_affine(Emitter& e, const ptx::Instruction& i);
/// A load or store at each lane's address. False: not emitted, the lanes have to do it one after the other
/// (memory.cpp).
bool emit_lane_access(Emitter& e, const ptx::Instruction& i);
/// Atomic operations of all lanes on one element, as one operation. False: not emitted, it is something else
/// (combined_atomic.cpp).
bool emit_combined_atomic(Emitter& e, const ptx::Instruction& i);
/// An atomic operation at each lane's address. False: not emitted, the lanes have to do it one after the other
/// (scattered_atomic.cpp).
bool emit_scattered_atomic(Emitter& e, const ptx::Instruction& i);
/// shfl, vote, match, redux, activemask, elect, bar.warp.sync of a whole warp (warp.cpp).
void emit_lane_warp(Emitter& e, const ptx::Instruction& i);
/// Matrix instructions of a whole warp (matrix.cpp).
void emit_lane_matrix(Emitter& e, Fragments& fragments, const ptx::Instruction& i);
/// Samples of one texture for all lanes (texture.cpp).
void emit_lane_samples(Emitter& e, const ptx::Instruction& i);
/// Loads and stores of a surface whose elements follow one another. False: not emitted, the lanes have to do it one
/// after the other (surface.cpp).
bool emit_lane_surface(Emitter& e, const ptx::Instruction& i);
/// The lanes do it one after the other (serial.cpp).
void emit_serially(Emitter& e, const ptx::Instruction& i);

/// Whether a comparison of LanePlan::comparisons holds for all lanes, or for none, as far as the first lane's value
/// tells (branch.cpp): i1. Both may be false.
[[nodiscard]] llvm::Value* compare_first_lane(Emitter& e, const ptx::Instruction& comparison, bool holds);
/// Branches at the end of a block if uniform conditions and the first lane's values tell where all lanes go
/// (branch.cpp). What is emitted next is for the other case.
/// @param way where all lanes go by a successor
/// @param emit emits an instruction for all lanes
void branch_unanimously(Emitter& e, std::uint32_t block, llvm::function_ref<llvm::BasicBlock*(std::uint32_t)> way,
                        llvm::function_ref<void(const ptx::Instruction&)> emit);

/// A division of LanePlan::row_divisions.
struct RowDivision {
    llvm::Value* holds; ///< i1: the quotient is the same in all lanes
    llvm::Value* first; ///< the first lane's result
    ptx::Type type;
    llvm::Value *x, *y, *quotient, *remainder; ///< of the first lane
};
[[nodiscard]] RowDivision divide_in_row(Emitter& e); ///< that is emitted now (one_row.cpp)

} // namespace warplight::jit
