// SPDX-License-Identifier: Apache-2.0
// The part of a launch's checks that is about the shared memory of other blocks of a cluster.
#include "block_scheduler.hpp"
#include "launch_checks.hpp"

#include <fmt/format.h>

#include <string>

namespace warplight::software {

void LaunchChecks::find_in_cluster(const BlockContext& block, std::uint64_t word, One& access) const {
    constexpr std::uint64_t stride = std::uint64_t{1} << kClusterStrideBits;
    constexpr std::uint64_t kNear = stride - (std::uint64_t{1} << 20); // no block has more than 1 MiB
    const auto at = static_cast<std::uint32_t>(word);
    if (access.what.known) { // a variable of the kernel is meant in its own block
        const auto own = static_cast<std::uint32_t>(block.cluster_rank * stride);
        access.rank = block.cluster_rank;
        access.offset = at - own;
        access.meant.begin = static_cast<std::uint32_t>(access.meant.begin) - own;
        return;
    }
    access.rank = static_cast<std::uint32_t>(at / stride);
    access.offset = static_cast<std::uint32_t>(at % stride);
    if (access.offset < kNear) return;
    access.offset -= static_cast<std::uint32_t>(stride); // before the next one's
    access.rank = (access.rank + 1) % static_cast<std::uint32_t>((std::uint64_t{1} << 32) / stride);
}

std::string LaunchChecks::describe_of_cluster(const BlockContext& block, const One& access, Problem problem,
                                              const std::string& what) const {
    if (problem == Problem::no_block)
        return fmt::format(
            "{} in the shared memory of block {} of the cluster, which has {} block{}. Ranks begin at 0: "
            "compare the rank with cluster.num_blocks().",
            what, access.rank, launch_.cluster_blocks, launch_.cluster_blocks == 1 ? "" : "s");
    BlockContext other{};
    const std::uint64_t number = launch_.nclusters[0] * (std::uint64_t{block.clusterid[1]} +
                                                         std::uint64_t{launch_.nclusters[1]} * block.clusterid[2]) +
                                 block.clusterid[0];
    place_block(other, launch_, block_of_cluster(launch_, number, access.rank));
    return fmt::format("{} in the shared memory of block ({},{},{}), which has ended. The memory of a block goes with "
                       "it: let all blocks of the cluster meet before they end (cluster.sync()).",
                       what, other.ctaid[0], other.ctaid[1], other.ctaid[2]);
}

} // namespace warplight::software
