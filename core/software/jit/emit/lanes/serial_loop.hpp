// SPDX-License-Identifier: Apache-2.0
// The last turns of a loop that lanes leave one by one. A turn of one lane takes as long as one of all. Where few lanes
// are left in a loop, each of them goes on by itself to the loop's end, one after the other:
//
//     while (text[i + j] == word[j]) ++j;     most lanes leave at once, and few go on
#pragma once

#include "software/jit/emit/groups.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <vector>

namespace warplight::jit {

class SerialLoop {
public:
    /// The innermost loop that begins with a block, if lanes can go on in it one after the other.
    static std::optional<SerialLoop> find(const Emitter& e, std::uint32_t head);

    /// So many lanes take less time one after the other than side by side.
    [[nodiscard]] unsigned most_lanes() const { return most_lanes_; }
    /// Emits the loop for the lanes of a mask that are at its beginning.
    /// @param leave is called behind it for each block outside, with the mask of the lanes that go there
    void emit(Emitter& e, llvm::Value* mask, llvm::function_ref<void(std::uint32_t, llvm::Value*)> leave) const;

private:
    [[nodiscard]] bool find_blocks(const LanePlan& plan);
    [[nodiscard]] bool find_registers(const Emitter& e);
    [[nodiscard]] bool pays(const Emitter& e);
    [[nodiscard]] bool has(std::uint32_t block) const { return head_ <= block && block <= last_; }

    std::uint32_t head_ = 0, last_ = 0; ///< blocks
    unsigned most_lanes_ = 0;
    std::vector<std::uint32_t> ways_out_;         ///< blocks
    std::vector<ptx::RegisterId> read_, written_; ///< whose lanes have a value of their own, or that the loop writes
};

} // namespace warplight::jit
