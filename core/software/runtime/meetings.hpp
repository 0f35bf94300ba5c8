// SPDX-License-Identifier: Apache-2.0
// Several observers of where threads meet.
#pragma once

#include "block_scheduler.hpp"

#include <vector>

namespace warplight::software {

class Meetings final : public MeetingObserver {
public:
    void add(MeetingObserver& observer) { all_.push_back(&observer); }
    [[nodiscard]] bool any() const { return !all_.empty(); }

    void begins(BlockContext& block) override {
        for (MeetingObserver* each : all_)
            each->begins(block);
    }
    void comes_to_barrier(const BlockScheduler& block, const ThreadContext& thread,
                          std::uint32_t needed_by_others) override {
        for (MeetingObserver* each : all_)
            each->comes_to_barrier(block, thread, needed_by_others);
    }
    void opens_barrier(const BlockScheduler& block, std::uint32_t number,
                       std::span<const std::uint32_t> waiting) override {
        for (MeetingObserver* each : all_)
            each->opens_barrier(block, number, waiting);
    }
    void performs(const BlockScheduler& block, std::uint32_t warp, std::uint32_t members, std::uint32_t live) override {
        for (MeetingObserver* each : all_)
            each->performs(block, warp, members, live);
    }
    void arrives_in_cluster(const BlockScheduler& block, const ThreadContext& thread) override {
        for (MeetingObserver* each : all_)
            each->arrives_in_cluster(block, thread);
    }
    void waits_in_cluster(const BlockScheduler& block, const ThreadContext& thread) override {
        for (MeetingObserver* each : all_)
            each->waits_in_cluster(block, thread);
    }
    void opens_cluster(const ClusterOfBlocks& cluster) override {
        for (MeetingObserver* each : all_)
            each->opens_cluster(cluster);
    }
    void leaves_cluster(const BlockScheduler& block, std::uint32_t warp, std::uint32_t lanes) override {
        for (MeetingObserver* each : all_)
            each->leaves_cluster(block, warp, lanes);
    }
    void is_stuck(const BlockScheduler& block) override {
        for (MeetingObserver* each : all_)
            each->is_stuck(block);
    }
    void ends(const BlockScheduler& block) override {
        for (MeetingObserver* each : all_)
            each->ends(block);
    }

private:
    std::vector<MeetingObserver*> all_;
};

} // namespace warplight::software
