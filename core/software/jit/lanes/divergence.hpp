// SPDX-License-Identifier: Apache-2.0
// Where lanes may go different ways, and which registers this makes unknown.
#pragma once

#include "lanes.hpp"

namespace warplight::jit {

/// Marks blocks as masked and divergent. Marks are only ever added, while registers turn out not to be uniform.
class Divergence {
public:
    /// @param post_dominators by block
    Divergence(const ptx::Function& kernel, const ptx::Liveness& live,
               const std::vector<std::uint32_t>& post_dominators, LanePlan& plan)
        : f_(kernel), live_(live), post_dominators_(post_dominators), plan_(plan),
          read_elsewhere_(kernel.registers.size(), false) {}

    /// Follows the branches on predicates that are not uniform. Returns whether it added a mark.
    bool update();

    /// Whether a divergent block makes a register unknown that it writes: lanes on another way may read the register.
    /// A loop's index stays affine if lanes that have left the loop do not read it.
    [[nodiscard]] bool makes_unknown(ptx::RegisterId r) const {
        return !plan_.registers.block_local[r] && (out_of_order_ || read_elsewhere_[r]);
    }

    /// Fills in LaneBlock::reconverges_at, when all marks are there.
    void find_reconvergence_points();

private:
    using BlockFlags = std::vector<bool>; ///< by block

    [[nodiscard]] bool is_end(std::uint32_t k) const;
    [[nodiscard]] bool splits_lanes(std::uint32_t k) const;
    [[nodiscard]] BlockFlags blocks_between(std::uint32_t branch, std::uint32_t target) const;
    bool mask_ways(std::uint32_t branch);
    bool note_read_elsewhere(const BlockFlags& written_there, const BlockFlags& read_here, std::uint32_t reconvergence);

    const ptx::Function& f_;
    const ptx::Liveness& live_;
    const std::vector<std::uint32_t>& post_dominators_;
    LanePlan& plan_;
    bool out_of_order_ = false;        ///< a block lies behind its reconvergence point, so lanes may miss each other
    std::vector<bool> read_elsewhere_; ///< registers that one way from a branch writes, and the other way reads
};

} // namespace warplight::jit
