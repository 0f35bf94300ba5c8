// SPDX-License-Identifier: Apache-2.0
// The last turns of a loop that lanes leave one by one. A turn of one lane takes as long as one of all. Where few lanes
// are left in a loop, each of them goes on by itself to the loop's end, one after the other:
//
//     while (text[i + j] == word[j]) ++j;     most lanes leave at once, and few go on
#pragma once

#include "serial_blocks.hpp"

#include <optional>

namespace warplight::jit {

class SerialLoop {
public:
    /// The innermost loop that begins with a block, if lanes can go on in it one after the other.
    static std::optional<SerialLoop> find(const Emitter& e, std::uint32_t head);

    /// So many lanes take less time one after the other than side by side.
    [[nodiscard]] unsigned most_lanes() const { return most_lanes_; }
    /// Emits the loop for the lanes of a mask that are at its beginning.
    void emit(Emitter& e, llvm::Value* mask, SerialBlocks::Leave leave) const { blocks_.emit(e, mask, leave); }

private:
    [[nodiscard]] bool find_blocks(const LanePlan& plan);
    [[nodiscard]] bool pays(const Emitter& e);

    SerialBlocks blocks_;
    unsigned most_lanes_ = 0;
};

} // namespace warplight::jit
