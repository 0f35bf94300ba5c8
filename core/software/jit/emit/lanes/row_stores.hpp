// SPDX-License-Identifier: Apache-2.0
// Stores of elements that follow one another in each lane and from lane to lane, such as pairs, or those of a structure
// of three bytes. Example:
//
//     pixels[t].x = ...; pixels[t].y = ...; pixels[t].z = ...      t: the lane
//
// The last of them stores all elements of all lanes as one vector. Otherwise each would scatter one byte of each lane.
#pragma once

#include "lane_groups.hpp"

#include <vector>

namespace warplight::jit {

class LaneAccess;

class RowStores {
public:
    explicit RowStores(Emitter& e) : e_(e) {}

    /// Emits an instruction of a block if it is a store of such elements.
    /// @param end behind the block's last instruction
    bool emit(std::uint32_t at, std::uint32_t end);

private:
    struct Element {
        std::uint32_t at;   ///< the store
        std::int64_t place; ///< bytes from the address's register
        llvm::Value* value; ///< null: its store has not come yet
    };

    [[nodiscard]] bool may_store(std::uint32_t at) const;
    [[nodiscard]] std::vector<Element> row_of(std::uint32_t at, std::uint32_t end) const;
    [[nodiscard]] bool loads_other(const ptx::Instruction& i, const ptx::Instruction& store,
                                   const std::vector<Element>& row) const;
    llvm::Value* value_of(std::uint32_t at, llvm::Type* type);
    void store(LaneAccess& access);
    void store_dense(llvm::Value* first);
    void scatter(LaneAccess& access);
    [[nodiscard]] std::int64_t place_of_last() const;

    Emitter& e_;
    std::vector<Element> row_; ///< that is being stored, by place
};

} // namespace warplight::jit
