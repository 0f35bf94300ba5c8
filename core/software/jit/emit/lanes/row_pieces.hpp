// SPDX-License-Identifier: Apache-2.0
// Rows of lanes as pieces of 16 bytes: a lane reads or stores a piece at once, while the kernel's registers are a
// vector for each element of it.
#pragma once

#include "software/ptx/module.hpp"

#include <llvm/IR/IRBuilder.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warplight::jit {

inline constexpr unsigned kPieceBytes = 16;

/// What is added to an address's register.
[[nodiscard]] inline std::int64_t number_of_address(const ptx::Operand& address) {
    return address.kind == ptx::Operand::Kind::address ? static_cast<std::int32_t>(address.integer) : 0;
}
/// Elements of a load or store.
[[nodiscard]] inline unsigned words_of(const ptx::Instruction& i) { return std::max(1U, unsigned{i.vector_width}); }

using PieceVectors = std::vector<llvm::Value*>;

/// Transposes a square in each 128 bits of some vectors, as no shuffle costs less than those within 128 bits. Vectors
/// by element of a piece become vectors of whole pieces, and the other way round: the k-th one has those of the lanes
/// k, k + n, k + 2 n and so on, where n elements are a piece.
[[nodiscard]] PieceVectors transposed_pieces(llvm::IRBuilder<>& b, PieceVectors vectors);

/// Vectors of the same length, one behind the other. There are 1, 2, 4, … of them.
[[nodiscard]] llvm::Value* joined_vectors(llvm::IRBuilder<>& b, PieceVectors parts);

/// Some elements of a vector that follow one another.
[[nodiscard]] llvm::Value* part_of_vector(llvm::IRBuilder<>& b, llvm::Value* vector, unsigned from, unsigned count);

} // namespace warplight::jit
