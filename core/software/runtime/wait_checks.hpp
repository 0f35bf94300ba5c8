// SPDX-License-Identifier: Apache-2.0
// Barrier objects (mbarrier) that are not used as they must be, and threads that wait for memory which nobody will
// change.
#pragma once

#include "block_scheduler.hpp"
#include "checked_launch.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace warplight::software {

/// Of a launch whose code follows waits (jit::Options::follows_waits).
class WaitChecks {
public:
    /// @param shared_bytes of a block
    WaitChecks(const CheckedLaunch& launch, std::uint64_t shared_bytes)
        : launch_(launch), shared_bytes_(shared_bytes) {}

    /// What the kernel's code tells.
    struct Told {
        std::uint32_t linear;
        std::uint32_t site;
        std::uint64_t address;
        WaitEvent event;
        std::uint64_t value;
    };
    void tell(const BlockContext& block, const Told& told);
    void begins(const BlockContext& block);
    void ends(const BlockScheduler& block);

    /// Of a block whose turn has done nothing but wait. True: nobody of its cluster will ever change what its threads
    /// wait for.
    [[nodiscard]] bool waits_for_ever(const BlockScheduler& block);
    /// The same of all blocks of a cooperative launch that have not ended, which have had a turn each.
    [[nodiscard]] bool wait_for_ever(std::span<const BlockScheduler* const> blocks);

    /// What a thread waits for that yields; empty: it does not only wait.
    [[nodiscard]] std::string text_of(const BlockScheduler& block, const ThreadContext& thread);
    /// The instruction that asks for it; where it does not only wait, that at which the thread is.
    [[nodiscard]] std::uint32_t site_of(const BlockScheduler& block, const ThreadContext& thread);
    /// Whether that is for other blocks of the grid.
    [[nodiscard]] bool waits_for_grid(const BlockScheduler& block, const ThreadContext& thread);
    [[nodiscard]] std::uint64_t ended_blocks();

private:
    struct Object {
        std::uint64_t count; ///< of arrivals
    };
    struct Waiting {
        Told told;
        ptx::FunctionId function;
        std::uint32_t loop;
    };
    /// Of a block's threads.
    struct Waits {
        std::vector<std::vector<Waiting>> of_threads;
        std::uint64_t progress = 0; ///< counts loops that were entered and left
    };
    /// Turns in a row in which nobody of some blocks has entered or left a loop.
    struct Quiet {
        std::uint64_t progress = 0;
        std::size_t turns = 0;
    };
    enum class Of : std::uint8_t { nothing, cluster, grid };

    [[nodiscard]] Waits& waits_of(const BlockContext& block);
    [[nodiscard]] std::uint32_t loop_of(const jit::Site& site);
    void wait(const BlockContext& block, const Told& told);
    void use(const BlockContext& block, const Told& told);
    void arrive(const BlockContext& block, const Told& told, const Object& object);
    /// A thread that waits at an object, and does not know yet whether it may go on.
    struct Waiter {
        const BlockScheduler* block;
        const ThreadContext* thread;
        Waiting waiting;
    };
    template <class Which>
    [[nodiscard]] std::optional<Waiter> waiter_at(const BlockContext& block, std::uint64_t address, Which which);
    [[nodiscard]] std::vector<Waiting> waiting_of(const BlockScheduler& block, const ThreadContext& thread);
    /// Who could let a block's threads go on; nothing: some do more than wait.
    [[nodiscard]] Of awaited_of(const BlockScheduler& block);
    [[nodiscard]] bool is_shared(const BlockScheduler& block, std::uint64_t address) const;
    [[nodiscard]] std::uint64_t workspace() const;
    /// "'bar'", or "at byte 16 of shared memory"
    [[nodiscard]] std::string name_of(const BlockContext& block, std::uint64_t address) const;

    const CheckedLaunch& launch_;
    const std::uint64_t shared_bytes_;
    std::recursive_mutex mutex_;
    std::map<std::uint64_t, Object> objects_;      ///< by address
    std::unordered_map<const void*, Waits> waits_; ///< by scheduler
    std::unordered_map<const void*, Quiet> quiet_; ///< by cluster
    Quiet all_quiet_;
    std::uint64_t ended_ = 0;                                               ///< blocks
    std::unordered_map<ptx::FunctionId, std::vector<std::uint32_t>> loops_; ///< ptx::waiting_loops()
};

} // namespace warplight::software
