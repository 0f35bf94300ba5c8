// SPDX-License-Identifier: Apache-2.0
// One launch of a kernel: what its workers share while they run its blocks.
#pragma once

#include "block_ranges.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "fault_search.hpp"
#include "grid.hpp"
#include "held_stores.hpp"
#include "launch_checks.hpp"
#include "launch_memory.hpp"
#include "launch_profile.hpp"
#include "report.hpp"
#include "step_launch.hpp"
#include "sum_copies.hpp"
#include "trap.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace warplight::software {

class Launch final : public CancellableLaunch {
public:
    explicit Launch(Grid& owner);
    ~Launch() override { running_.context.remove_running(*this); }
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;

    void cancel() override;

    void run();

private:
    friend class CoroutineWorker;
    void run_in_steps();

    void fail_as_cancelled();

    void run_blocks();

    /// The calling thread is one of the launch's.
    class Interruptible;

    /// Cooperative groups of CUDA's headers expect this at the address in %envreg1 (high) and %envreg2 (low).
    struct GridWorkspace;

    struct Chunk;

    /// How many of `most` workers have enough to do, as far as that is known.
    [[nodiscard]] std::uint64_t useful_workers(std::uint64_t most) const;
    /// When a worker begins, for note_time(). A launch of one block does not ask: it tells nothing about workers.
    [[nodiscard]] std::chrono::steady_clock::time_point time_to_note() const {
        return blocks_ == 1 ? std::chrono::steady_clock::time_point() : std::chrono::steady_clock::now();
    }
    /// The first worker has run so many blocks.
    void note_time(unsigned index, std::uint64_t blocks, std::chrono::steady_clock::time_point since);

    void make_places(unsigned count);
    /// Ends what its threads do, if they are in the kernel's own code just now.
    void interrupt();

    /// For a worker; empty where nothing is checked.
    [[nodiscard]] std::vector<CheckedRange> found_ranges() const {
        return kernel_->checks_accesses() ? checks_->found_ranges() : std::vector<CheckedRange>();
    }

    [[nodiscard]] bool follows_waits() const { return checks_ && kernel_->follows_waits(); }
    [[nodiscard]] const InitChecks* values() { return checks_ ? checks_->values() : nullptr; }
    [[nodiscard]] MeetingObserver* meetings() { return checks_ ? checks_->meetings() : nullptr; }

    std::byte* fit(SharedWindow& window, unsigned rank = 0);

    static void run_chunk(void* argument);

    /// The same for code that is profiled.
    static void run_profiled_chunk(void* argument);

    void loop_worker(unsigned index, const SumCopies& sums, HeldStores* held);

    void fail_with(Failure failure);

    /// An address in the window of a block that the cluster does not have: a GPU has its own code for that.
    [[nodiscard]] bool is_of_no_block(const Trap& trap, const BlockContext& block) const;

    struct BlockNumbers {
        std::uint64_t begin, end;
    };
    /// The first fault is the launch's.
    /// @param joined the blocks that the code did at once
    void report(Trap trap, std::uint64_t number, std::byte* shared, std::optional<std::uint32_t> thread,
                bool of_no_block = false, BlockNumbers joined = {});

    /// A block that was between its turns when the launch was cancelled: where its last thread waits.
    void report_cancelled(const BlockScheduler& block);

    static CodeRange code_of_kernel(const jit::CompiledKernel& kernel) {
        const auto [begin, end] = kernel.code();
        return {begin, end};
    }

    /// Only code that raises a fault by itself knows which access of which thread it was.
    struct FaultyBlock {
        const LaunchContext& launch;
        std::uint64_t number;
        std::byte* shared;
    };
    bool search(Trap& trap, const FaultyBlock& block, FaultPlace& place, std::optional<std::uint32_t>& thread);

    RunningLaunch running_;
    Function& function_;
    Stepper* const stepper_; ///< null: it is not stepped through
    std::shared_ptr<const jit::CompiledKernel> kernel_;
    LaunchContext launch_{};
    LaunchMemory parameters_;
    std::optional<LaunchChecks> checks_;
    std::optional<LaunchProfile> profile_;
    std::optional<LaunchMemory> workspace_; ///< of a cooperative launch: a GridWorkspace
    std::uint64_t blocks_ = 0;
    std::uint64_t shared_bytes_ = 0;    ///< of a block
    std::uint64_t resident_ = 0;        ///< blocks that the device has at once
    std::uint64_t most_resident_ = 0;   ///< blocks of a worker
    std::uint64_t together_ = 1;        ///< blocks of a worker that take turns
    std::optional<BlockRanges> ranges_; ///< of coroutines: of clusters
    std::atomic<bool> stop_ = false;
    std::atomic<bool> cancelled_ = false;
    struct alignas(64) WorkerPlace { // a cache line each: workers begin and end at once
        std::mutex mutex;
        const InterruptibleThread* thread = nullptr; ///< that runs blocks now
    };
    std::mutex interrupts_mutex_;
    WorkerPlace first_place_;
    std::unique_ptr<WorkerPlace[]> more_places_; // NOLINT(modernize-avoid-c-arrays)
    WorkerPlace* places_ = &first_place_;
    unsigned place_count_ = 1;
    std::mutex failure_mutex_;
    bool failed_ = false;
    Failure failure_;
    std::optional<StepLaunch> steps_;
};

} // namespace warplight::software
