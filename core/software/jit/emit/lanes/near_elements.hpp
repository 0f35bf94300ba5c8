// SPDX-License-Identifier: Apache-2.0
// Loads and stores of lanes' elements that lie near each other: neighbours, strided or spread (LaneAccess::Layout).
// Values are vectors, one for each of a lane's elements.
#pragma once

#include "lane_access.hpp"

namespace warplight::jit {

class NearElements {
public:
    NearElements(Emitter& e, const LaneAccess& access)
        : e_(e), b_(e.b), access_(access), width_(e.lanes.full_width()) {}

    /// @param first the first lane's address, or that of its group
    /// @param invariant the memory does not change during the launch
    [[nodiscard]] std::vector<llvm::Value*> load(llvm::Value* first, bool invariant);
    void store(llvm::Value* first, const std::vector<llvm::Value*>& values);
    /// Past the caches, to an address that is a multiple of a cache line.
    void store_non_temporal(llvm::Value* first, const std::vector<llvm::Value*>& values);

    using Values = std::vector<llvm::Value*>;
    /// Every `step`th element from `first` on.
    [[nodiscard]] std::vector<int> every(unsigned step, unsigned first) const;
    /// One vector with all elements of the first lane, then those of the second, and so on.
    [[nodiscard]] llvm::Value* lane_by_lane(const Values& values);

private:
    Values load_neighbours(llvm::Value* first, bool invariant);
    void store_neighbours(llvm::Value* first, const Values& values);
    llvm::Value* turned(llvm::Value* lanes);
    llvm::Value* last_address(llvm::Value* first);
    llvm::Value* load_backward(llvm::Value* first);
    void store_backward(llvm::Value* first, llvm::Value* value);
    Values load_strided(llvm::Value* first);
    void store_strided(llvm::Value* first, const Values& values);
    [[nodiscard]] unsigned piece_of_gaps() const;
    llvm::Value* load_gaps(llvm::Value* first);
    llvm::Value* load_members(llvm::Value* first);
    void store_gaps(llvm::Value* first, llvm::Value* value);
    llvm::Value* load_groups(llvm::Value* groups);
    void store_groups(llvm::Value* groups, llvm::Value* value);
    llvm::Value* load_spread(llvm::Value* first);
    void store_spread(llvm::Value* first, llvm::Value* value);

    [[nodiscard]] llvm::Value* strided_address(llvm::Value* first, unsigned lane, unsigned element);
    /// Of a vector in a spread layout, by its elements: the lane, or -1.
    using Piece = std::vector<int>;
    [[nodiscard]] std::vector<Piece> pieces() const;
    [[nodiscard]] llvm::Value* mask_of(const Piece& piece);
    [[nodiscard]] llvm::Value* address_of_piece(llvm::Value* first, std::size_t piece);
    [[nodiscard]] llvm::Value* concatenate(llvm::Value* x, llvm::Value* y);
    /// Of a power of two.
    [[nodiscard]] llvm::Value* concatenate(Values parts);

    Emitter& e_;
    llvm::IRBuilder<>& b_;
    const LaneAccess& access_;
    const unsigned width_;
};

} // namespace warplight::jit
