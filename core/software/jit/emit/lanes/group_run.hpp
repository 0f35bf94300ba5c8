// SPDX-License-Identifier: Apache-2.0
// Loads and stores of shared memory by lanes that are two, four or eight elements apart, as in the steps of a tree:
//
//     s[8 * t + 7] += s[8 * t + 3];
//
// Each lane has a group of elements. Whole groups are read as vectors at multiples of the group's size, and shuffles
// make a vector of each element. A store puts its elements into these vectors, and writes all of them. So nothing
// crosses a cache line, and the next step can read what this one has just stored.
#pragma once

#include "lane_groups.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {

class GroupRun {
public:
    /// The run that begins with an access of all lanes, at addresses that are known to be so far apart.
    /// @param end behind the block's last instruction
    [[nodiscard]] static std::optional<GroupRun> find(Emitter& e, std::uint32_t begin, std::uint32_t end);
    /// A run of instructions whose addresses may turn out to be so many bytes apart, and are known where it begins.
    [[nodiscard]] static std::optional<GroupRun> assume(Emitter& e, std::vector<std::uint32_t> instructions,
                                                        std::int64_t step);
    /// The instruction behind a run that was found.
    [[nodiscard]] std::uint32_t end() const { return instructions_.back() + 1; }
    /// Emits the run for accesses that lie in groups, and goes on at `rest`. Code for others follows.
    void emit(Emitter& e, llvm::BasicBlock* rest, llvm::function_ref<void(std::uint32_t)> one) const;

private:
    GroupRun() = default;
    [[nodiscard]] bool holds_groups(Emitter& e) const;

    std::vector<std::uint32_t> instructions_, accesses_;
    std::int64_t step_ = 0; ///< that is assumed; 0: it is known
};

} // namespace warplight::jit
