// SPDX-License-Identifier: Apache-2.0
// How registers differ from block to block of a row of the grid.
#pragma once

#include "lanes.hpp"

#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

/// block * ctaid.x + blocks_threads * ctaid.x * ntid.x + threads * ntid.x + number. At an edge, where a minimum, a
/// maximum or a selection takes what is the same in all blocks, or a remainder wraps, it may be less. Of a quotient it
/// is what it moves on by in the mean.
struct BlockSum {
    double block = 0;
    double blocks_threads = 0;
    double threads = 0;
    std::optional<std::int64_t> number = 0; ///< none: not known, but the same in all blocks
    bool rows = false;                      ///< the rows of a block differ

    [[nodiscard]] bool is_number() const { return number && is_of_row(); }
    /// The same in all blocks of a row.
    [[nodiscard]] bool is_of_row() const { return !block && !blocks_threads && !threads; }
    [[nodiscard]] BlockSum times(std::int64_t by) const;
    [[nodiscard]] BlockSum halved(unsigned times) const;
};

/// The sums of a kernel's registers, each found when it is asked for.
class BlockSums {
public:
    explicit BlockSums(const ptx::Function& kernel) : kernel_(kernel), writers_(writers_of(kernel)) {}

    /// None: it is no such sum, or not known to be one.
    std::optional<BlockSum> of(ptx::RegisterId r);

private:
    std::optional<BlockSum> of(const ptx::Operand& x);
    std::optional<BlockSum> of_result(const ptx::Instruction& i);
    std::optional<BlockSum> of_index(const ptx::Instruction& i);
    std::optional<BlockSum> made_of_row(const ptx::Instruction& i);

    const ptx::Function& kernel_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<ptx::RegisterId, std::optional<BlockSum>> known_;
    unsigned depth_ = 0;
};

} // namespace warplight::jit
