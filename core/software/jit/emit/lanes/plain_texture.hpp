// SPDX-License-Identifier: Apache-2.0
// What generated code does with a PlainTexture: the places of elements, and loads of those that lie anywhere.
#pragma once

#include "software/jit/abi/texture_abi.hpp"
#include "software/jit/emit/unit.hpp"

#include <llvm/IR/IRBuilder.h>

namespace warplight::jit {

/// Where a coordinate lies along an axis. All are scalars, or vectors of all lanes.
struct ElementPlace {
    llvm::Value* index;  ///< i32 of the element, or of the nearest one of the texture; 0 for NaN
    llvm::Value* inside; ///< i1: the coordinate surely is not outside of the texture
};

class PlainTextureCode {
public:
    /// @param texture pointer to the PlainTexture
    PlainTextureCode(llvm::IRBuilder<>& builder, llvm::Value* texture) : b_(builder), texture_(texture) {}

    /// A field of the PlainTexture, which does not change while a kernel runs.
    /// @param offset bytes
    [[nodiscard]] llvm::Value* field(std::size_t offset, llvm::Type* type);
    [[nodiscard]] llvm::Value* word(std::size_t offset) { return field(offset, b_.getInt32Ty()); }
    [[nodiscard]] llvm::Value* base();
    /// @param coordinate float or a vector of them
    [[nodiscard]] ElementPlace place(llvm::Value* coordinate, std::size_t axis);
    /// The same of integers, which count elements.
    [[nodiscard]] ElementPlace place_of_integer(llvm::Value* coordinate);

private:
    llvm::Value* as_wide(llvm::Value* scalar, llvm::Value* as);

    llvm::IRBuilder<>& b_;
    llvm::Value* texture_;
};

/// Lanes of 32 bits of a vector that permute() takes, of so many lanes side by side. 0: the host has no instruction.
[[nodiscard]] unsigned permuted_lanes(unsigned lanes);
/// The elements of a vector that the numbers in another one name.
[[nodiscard]] llvm::Value* permute(llvm::IRBuilder<>& b, llvm::Value* vector, llvm::Value* places);
[[nodiscard]] llvm::Value* concatenate(llvm::IRBuilder<>& b, llvm::Value* x, llvm::Value* y);

/// The function of a kernel that samples anywhere: it gathers elements from a texture of that kind, and asks the
/// runtime of others.
///     void (Texture*, base of its memory, coordinates, result, level, active lanes, thread of the first lane, site)
/// Coordinates, so many channels of the result, and the level are as in TextureLanes.
[[nodiscard]] llvm::Function* sample_anywhere(Unit& unit, std::uint32_t kind, unsigned lanes, unsigned channels);

} // namespace warplight::jit
