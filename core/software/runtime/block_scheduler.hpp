// SPDX-License-Identifier: Apache-2.0
// Runs the threads of one block as coroutines. Each runs until it waits. A warp operation is answered when all lanes
// that take part have come, a barrier opens when all threads have arrived, and a thread that yields gets another turn.
#pragma once

#include "frame_arena.hpp"
#include "local_memory.hpp"
#include "shared_window.hpp"
#include "software/jit/abi/abi.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace warplight::software {

/// For BlockContext::traced where no races are looked for: all is told.
inline constexpr TracedPage kNoPages[TracedPage::kCount]{};
inline TracedShared kNothingTraced = [] {
    TracedShared nothing{};
    nothing.read_pages = nothing.write_pages = kNoPages;
    return nothing;
}();

/// Where a block is in the grid and in its cluster. Its shared memory is left alone.
void place_block(BlockContext& block, const LaunchContext& launch, std::uint64_t number);

/// Number in the grid of a cluster's block.
[[nodiscard]] std::uint64_t block_of_cluster(const LaunchContext& launch, std::uint64_t number, std::uint32_t rank);

class BlockScheduler;
class MeetingObserver;

/// Blocks that run at once and share their memory, all by one worker.
struct ClusterOfBlocks {
    std::uint64_t phase = 1;   ///< of barrier.cluster, counted up
    std::uint32_t arrived = 0; ///< threads, in this phase
    std::uint32_t live = 0;    ///< threads that have not exited
    std::uint32_t blocks = 0;  ///< that have not ended
    std::uint32_t quiet = 0;   ///< turns in a row of blocks that wait for others of the cluster
    std::unique_ptr<SharedWindow> window;
    MeetingObserver* meetings = nullptr;
    std::vector<const BlockScheduler*> members; ///< by rank; null: has ended

    void arrive() {
        ++arrived;
        open_if_complete();
    }
    void open_if_complete();
    /// One of its blocks has ended.
    void leave(const BlockScheduler& block);
};

/// Told where threads meet, before they go on, and of threads that never will. Lanes are those of the scheduler, whose
/// threads are coroutines.
class MeetingObserver {
public:
    MeetingObserver() = default;
    virtual ~MeetingObserver() = default;
    MeetingObserver(const MeetingObserver&) = delete;
    MeetingObserver& operator=(const MeetingObserver&) = delete;

    virtual void begins(BlockContext& block) = 0;
    /// A thread comes to a barrier of some threads, or to one at which others wait.
    /// @param needed_by_others the number of threads that they gave it; its own where it is the first
    virtual void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                                  std::uint32_t needed_by_others) = 0;
    /// @param waiting lanes by warp
    virtual void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                               std::span<const std::uint32_t> waiting) = 0;
    /// @param members lanes that carry out an operation of their warp
    /// @param live lanes that have not ended
    virtual void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members,
                          std::uint32_t live) = 0;
    /// A thread comes to the cluster's barrier, before it is counted in.
    virtual void arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) = 0;
    /// A thread comes to where it waits for the cluster.
    virtual void waits_in_cluster(const BlockScheduler& block, const ThreadContext& thread) = 0;
    /// All have arrived that have not ended.
    virtual void opens_cluster(const ClusterOfBlocks& cluster) = 0;
    /// @param lanes of a warp that have waited for the cluster
    virtual void leaves_cluster(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes) = 0;
    virtual void is_stuck(const BlockScheduler& block) = 0;
    virtual void ends(const BlockScheduler& block) = 0;
};

/// Told of each round of a block that is stepped through, before it is run.
class RoundObserver {
public:
    RoundObserver() = default;
    virtual ~RoundObserver() = default;
    RoundObserver(const RoundObserver&) = delete;
    RoundObserver& operator=(const RoundObserver&) = delete;

    /// @param lanes of the warp that are at `site`
    /// @return false: the launch is to end
    virtual bool comes(BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes, std::uint32_t site) = 0;
    /// Within a round, of memory that is watched.
    virtual void writes(const BlockScheduler& block, std::uint32_t thread, std::uint32_t site, std::uint64_t address,
                        std::uint32_t bytes) = 0;
    /// Whether text that is printed now is new: not in rounds that have run before.
    [[nodiscard]] virtual bool prints() const = 0;
};

class BlockScheduler {
public:
    using StartThread = void* (*)(ThreadContext*);
    using RunRound = RoundEnd (*)(void*, void*, std::uint64_t, RoundControl*);

    /// Makes the block ready to run. `shared` is its window. A coroutine runs `width` threads side by side; below,
    /// "thread" means a coroutine.
    void begin(const LaunchContext& launch, StartThread start, RunRound round, std::byte* shared, std::uint64_t block,
               std::uint32_t smid, std::uint32_t width = 1);
    /// The same for a further block of the launch. All but the number stays as it was.
    void begin_another(std::uint64_t block);
    /// After a turn in which the block has begun and finished: nothing was to be kept account of meanwhile, and nothing
    /// of it is left.
    [[nodiscard]] bool is_as_new() const { return as_new_ && turns_ == 1 && !meetings && !rounds && !prepare; }
    /// Blocks that follow in the grid, and that turns may go through as well. Counted down.
    std::uint64_t following = 0;
    /// Forgets the launch that it served, so that another one may use it.
    void forget_launch();
    /// Makes the block one of a cluster's, whose first block has its window at `first`. After begin().
    void join(std::shared_ptr<ClusterOfBlocks> cluster, std::byte* first);

    enum class Turn : std::uint8_t {
        finished,
        working, ///< its turn is over
        idle,    ///< every thread that can run only yields: it waits for another block
        waiting, ///< nothing has run: all wait for other blocks of the cluster
        stuck,   ///< threads wait, and nobody can run
    };
    /// Runs the block for a while. Device code runs inside: call it through run_guarded().
    [[nodiscard]] Turn turn();

    /// Counts a thread in at its barrier and lets it go on (wl_rt_barrier_arrive).
    void arrive(ThreadContext& thread);
    /// The same of the cluster's barrier.
    void arrive_in_cluster(ThreadContext& thread);
    /// Null: the block is on its own.
    [[nodiscard]] ClusterOfBlocks* cluster() const { return shared_cluster_.get(); }
    /// Of a block on its own a cluster of one.
    [[nodiscard]] const ClusterOfBlocks& blocks_together() const { return *cluster_; }
    FrameArena arena;
    LocalArena locals;
    /// True: turns end early, as their results are of no use any more.
    const std::atomic<bool>* stop = &kNeverStop;

    [[nodiscard]] const BlockContext& block() const { return block_; }
    /// Of a block that is stepped through: of each thread the innermost call.
    [[nodiscard]] std::span<StepFrame* const> step_frames() const { return step_frames_; }
    StepWatch watch{}; ///< of a block that is stepped through
    [[nodiscard]] std::uint64_t number() const { return number_ + (blocks_given_ - control_.blocks); }
    /// The first thread of those that run, or ran last.
    [[nodiscard]] std::uint32_t current() const { return control_.current * width_; }
    [[nodiscard]] const std::vector<ThreadContext>& threads() const { return threads_; }

    /// Looks at the context of a block that begins, if it is not empty.
    std::function<void(BlockContext&)> prepare;
    MeetingObserver* meetings = nullptr; ///< of blocks that begin from now on
    bool takes_short_turns = false;      ///< to the next suspension: other blocks that have begun keep up
    RoundObserver* rounds = nullptr;     ///< of blocks that are stepped through, and begin from now on
    const std::array<SumCopy, kMostSums>* sums = nullptr; ///< likewise BlockContext::sums
    void* held_stores = nullptr;                          ///< likewise
    CheckedRange* found_ranges = nullptr; ///< BlockContext::found_ranges of blocks that begin from now on
    std::unique_ptr<SharedWindow> window; ///< kept here between the blocks of a worker

private:
    static constexpr std::atomic<bool> kNeverStop = false;

    struct Warp {
        std::uint32_t live = 0;    ///< lanes that have not exited
        std::uint32_t ready = 0;   ///< can run
        std::uint32_t yielded = 0; ///< run again in the next pass
        std::uint32_t asking = 0;  ///< wait for a warp operation
        std::uint32_t cluster = 0; ///< wait for the cluster's barrier
    };
    struct Barrier {
        std::uint32_t arrived = 0;
        std::uint32_t needed = 0; ///< 0: the whole block
        std::uint32_t asked = 0;  ///< as the last thread that came gave it
        std::uint32_t true_predicates = 0, predicates = 0;
        std::vector<std::uint32_t> waiting; ///< lanes by warp
    };

    void create_threads();
    void resume(std::uint32_t thread);
    void find_stride();
    /// Runs each thread until it waits. As long as all come to the same barrier there is nothing to keep account of.
    /// True: all have yielded in one grid-stride loop.
    /// @param pass of the turn, counted up by the rounds that follow the first
    bool run_together(int& pass, int passes);
    /// Records that a thread waits, and for what. False: it only yields.
    bool note_wait(std::uint32_t thread);
    /// Carries out the operation that the lanes of a warp wait for.
    void answer(std::uint32_t warp);
    /// False: some thread did more than yield.
    bool run_warp(std::uint32_t warp);
    [[nodiscard]] Turn turn_in_rounds();
    /// One round of a warp that is stepped through: its lanes that are furthest behind go on to their next line.
    void run_round(std::uint32_t warp);
    [[nodiscard]] std::uint32_t furthest_behind(std::uint32_t warp) const;
    void resolve(Warp& warp, std::uint32_t first_thread);
    void resolve_active_mask(Warp& warp, std::uint32_t first_thread);
    void enter_barrier(ThreadContext& thread, bool waits);
    void open_if_complete(Barrier& barrier);
    /// Threads whose cluster has gone on from the phase that they wait for can run.
    void wake_from_cluster(std::uint32_t warp);
    void exit_thread(std::uint32_t warp, std::uint32_t lane);

    BlockContext block_{};
    std::uint64_t number_ = 0;
    StartThread start_ = nullptr;
    RunRound round_ = nullptr; ///< null where the coroutines' frames are not equally far apart
    bool created_ = false;
    const LaunchContext* threads_of_ = nullptr; ///< the launch that they were created for
    std::array<std::uint32_t, 3> extent_{};     ///< of their block
    bool as_new_ = false;                       ///< the last block's threads have left their frames as new ones are
    bool together_ = true;     ///< no thread has ended, or waited for anything but a barrier with all others
    bool some_stride_ = false; ///< some threads are in a grid-stride loop, and the others wait for them
    std::uint32_t width_ = 1;  ///< threads of a coroutine
    std::uint32_t live_ = 0;
    std::uint64_t turns_ = 0; ///< that the block has had
    RoundControl control_;
    bool alike_ = false;             ///< the last round has told that all wait at one suspension point
    std::uint32_t blocks_given_ = 0; ///< to follow in the last round
    std::uint32_t rounds_given_ = 0; ///< to follow the one that runs, with those that have
    std::vector<ThreadContext> threads_;
    std::vector<StepFrame*> step_frames_;
    StepBlock steps_{};
    struct Progress {
        bool yields = false; ///< a thread has yielded
        bool waits = false;  ///< one has come to a barrier or a warp operation, or has ended
    } progress_;             ///< of a turn in rounds
    std::vector<void*> handles_;
    std::uint64_t frame_stride_ = 0; ///< bytes
    std::vector<Warp> warps_;
    std::array<Barrier, 16> barriers_;
    std::uint32_t barriers_in_use_ = 0;
    ClusterOfBlocks alone_; ///< of this block, where it is on its own
    ClusterOfBlocks* cluster_ = &alone_;
    std::shared_ptr<ClusterOfBlocks> shared_cluster_;
};

} // namespace warplight::software
