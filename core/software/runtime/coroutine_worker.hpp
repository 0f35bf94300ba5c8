// SPDX-License-Identifier: Apache-2.0
// A worker of a launch that runs blocks as coroutines. A block that makes no progress lets others of the same worker
// begin.
#pragma once

#include "block_scheduler.hpp"
#include "kernel_launch.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warplight::software {

class CoroutineWorker {
public:
    CoroutineWorker(Launch& launch, unsigned index, const SumCopies& sums, HeldStores* held);

    void run();

private:
    using Blocks = std::vector<std::unique_ptr<BlockScheduler>>;
    /// Blocks take turns until one does more than to go on.
    static void take_turns(void* argument);
    [[nodiscard]] BlockScheduler::Turn take_turn(BlockScheduler& block);
    /// The next block of the grid in the place of one that has finished and left nothing. False: there is none, or the
    /// block has left something.
    [[nodiscard]] bool begin_another(BlockScheduler& block);

    std::unique_ptr<BlockScheduler> take_spare();
    void begin(BlockScheduler& block, std::byte* shared, std::uint64_t number);

    /// The next block, or cluster, of the grid.
    [[nodiscard]] std::optional<std::uint64_t> take_next();
    bool admit_first();
    /// Begins the next block or cluster of the grid. False: there is none, or no memory for it.
    bool admit();
    bool admit_cluster(std::uint64_t number);

    /// Takes note of a block's turn. False: the block has ended, or the launch has failed.
    bool note(BlockScheduler& block, BlockScheduler::Turn result);

    /// False, as nobody goes on.
    bool fail_stuck(BlockScheduler& block);
    /// Whether the blocks of a cooperative launch wait for each other, and none will ever go on.
    bool is_grid_stuck();

    void report_trap(const Trap& trap, BlockScheduler& scheduler);
    void tell_stepper(BlockScheduler& block, std::uint32_t thread);

    void give_windows_back();

    Launch& l_;
    const unsigned index_;
    const SumCopies& sums_;
    HeldStores* const held_;        ///< null: it makes all stores at once
    BlockRanges::Range next_{0, 0}; ///< taken, and not begun
    std::uint64_t ended_ = 0;       ///< blocks
    const CodeRange code_;
    std::vector<CheckedRange> found_;
    std::optional<LaunchProfile::Worker> profile_;
    Blocks residents_; ///< begun, and not ended
    Blocks spare_;     ///< ended: they and their windows serve again
    std::size_t at_ = 0;
    BlockScheduler::Turn result_ = BlockScheduler::Turn::working; ///< of the last turn
    std::size_t idle_ = 0;                                        ///< turns in a row that only yielded
};

} // namespace warplight::software
