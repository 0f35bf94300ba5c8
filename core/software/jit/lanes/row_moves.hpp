// SPDX-License-Identifier: Apache-2.0
// How much more an index holds in the next thread of a row of a block, in the next row, and in the next block of a row
// of the grid. Unlike BlockSums it is exact, modulo 2^32, and of 32-bit integers only.
#pragma once

#include "lanes.hpp"

#include <map>
#include <optional>
#include <vector>

namespace warplight::jit {

struct RowMoves {
    std::int64_t thread = 0;         ///< from thread to thread of a row
    std::int64_t row = 0;            ///< from row to row
    std::int64_t block = 0;          ///< from block to block, and …
    std::int64_t blocks_threads = 0; ///< … so much more for each thread that a row of a block has

    [[nodiscard]] bool is_of_row() const { return !block && !blocks_threads; }
    [[nodiscard]] bool stays() const { return !thread && !row && is_of_row(); }
};

/// Of a kernel's registers, each found when it is asked for. The kernel has no loops.
class RowMovesOf {
public:
    explicit RowMovesOf(const ptx::Function& kernel) : kernel_(kernel), writers_(writers_of(kernel)) {}

    /// None: it moves otherwise, or is not known to move so.
    std::optional<RowMoves> operator()(const ptx::Operand& x) {
        const auto sum = of(x);
        return sum ? std::optional(sum->moves) : std::nullopt;
    }
    /// The only instruction that writes a register, if it always does.
    [[nodiscard]] const ptx::Instruction* writer(ptx::RegisterId r) const;

private:
    struct Sum {
        RowMoves moves;
        std::optional<std::int64_t> number = std::nullopt; ///< it is this number
        bool is_extent = false;                            ///< it is the block's extent in x
    };
    std::optional<Sum> of(const ptx::Operand& x);
    std::optional<Sum> of(ptx::RegisterId r);
    std::optional<Sum> of_result(const ptx::Instruction& i);
    [[nodiscard]] static std::optional<Sum> sum(const std::optional<Sum>& x, const std::optional<Sum>& y, int sign);
    [[nodiscard]] static std::optional<Sum> product(const std::optional<Sum>& x, const std::optional<Sum>& y);

    const ptx::Function& kernel_;
    std::vector<std::vector<std::uint32_t>> writers_;
    std::map<ptx::RegisterId, std::optional<Sum>> known_;
    unsigned depth_ = 0;
};

} // namespace warplight::jit
