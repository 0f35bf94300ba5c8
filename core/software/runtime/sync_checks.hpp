// SPDX-License-Identifier: Apache-2.0
// Tells barriers and warp operations that are not used as they must be: where threads meet, and where they never do.
#pragma once

#include "block_scheduler.hpp"
#include "checked_launch.hpp"

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
    explicit SyncChecks(const CheckedLaunch& launch) : launch_(launch) {}

    void begins(BlockContext&) override {}
    void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                          std::uint32_t needed_by_others) override;
    void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                       std::span<const std::uint32_t> waiting) override;
    void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) override;
    void is_stuck(const BlockScheduler& block) override;
    void ends(const BlockScheduler&) override {}

private:
    void look_at_lane(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lane, std::uint32_t members,
                      std::uint32_t live);

    void look_at_places(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members);

    [[nodiscard]] bool is_one_place(std::uint32_t one, std::uint32_t other);
    /// Whether threads can pass by a barrier and do what comes behind it.
    [[nodiscard]] bool is_bypassed(std::uint32_t site);

    const CheckedLaunch& launch_;
    std::mutex mutex_;
    std::unordered_map<std::uint32_t, bool> bypassed_;                  ///< by site
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> one_place_; ///< of two sites
};

} // namespace warplight::software
