// SPDX-License-Identifier: Apache-2.0
// Tells barriers and warp operations that are not used as they must be: where threads meet, and where they never do.
#pragma once

#include "block_scheduler.hpp"
#include "checked_launch.hpp"
#include "wait_checks.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

namespace warplight::software {

/// Of a launch whose threads are a coroutine each, or whose coroutines' threads meet in whole.
class SyncChecks final : public MeetingObserver {
public:
    /// @param shared_bytes of a block
    SyncChecks(const CheckedLaunch& launch, std::uint64_t shared_bytes)
        : launch_(launch), waits_(launch, shared_bytes) {}

    /// Of barrier objects, and of what threads wait for in loops.
    [[nodiscard]] WaitChecks& waits() { return waits_; }

    void begins(BlockContext& block) override { waits_.begins(block); }
    void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                          std::uint32_t needed_by_others) override;
    void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                       std::span<const std::uint32_t> waiting) override;
    void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) override;
    void arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) override;
    void waits_in_cluster(const BlockScheduler& block, const ThreadContext& thread) override;
    void opens_cluster(const ClusterOfBlocks& cluster) override;
    void leaves_cluster(const BlockScheduler&, std::uint32_t, std::uint32_t) override {}
    void is_stuck(const BlockScheduler& block) override;
    void ends(const BlockScheduler& block) override { waits_.ends(block); }

private:
    void look_at_lane(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lane, std::uint32_t members,
                      std::uint32_t live);

    /// Who does not come to where a thread waits.
    struct Absent {
        const BlockScheduler* block = nullptr;
        const ThreadContext* thread = nullptr;
    };
    [[nodiscard]] static Absent absent_of(const BlockScheduler& block, const ThreadContext& thread);
    /// What a thread waits for that can never go on; empty: it does not wait.
    [[nodiscard]] std::string awaited(const BlockScheduler& block, const ThreadContext& thread);
    void look_at_places(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members);

    [[nodiscard]] bool is_one_place(std::uint32_t one, std::uint32_t other);
    /// Whether threads can pass by a barrier and do what comes behind it.
    [[nodiscard]] bool is_bypassed(std::uint32_t site);

    const CheckedLaunch& launch_;
    WaitChecks waits_;
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, bool> bypassed_;                  ///< by site
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> one_place_; ///< of two sites
};

} // namespace warplight::software
