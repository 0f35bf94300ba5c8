// SPDX-License-Identifier: Apache-2.0
// What kernels that launch others have done, and what of it comes before those. Of the race check.
#pragma once

#include "../checks/epochs.hpp"
#include "../checks/race_cells.hpp"
#include "work_races.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace warplight::software {

struct AskedLaunch;

/// What a launch has done to global memory.
struct DoneAccesses {
    struct One {
        std::uint64_t word;
        checks::PastAccess access;
        std::uint32_t lanes;
    };
    std::vector<One> all;                                                ///< in the order of the addresses
    std::map<std::pair<std::uint32_t, std::uint32_t>, WorkEvent> events; ///< by site and kind
};

/// A launch whose threads launch kernels.
struct ParentLaunch {
    std::shared_ptr<checks::Epochs> epochs;
    std::shared_ptr<const AskedLaunch> asked; ///< how it was launched itself, by a kernel
    std::mutex mutex;
    std::shared_ptr<const DoneAccesses> done; ///< null: it runs
    /// Those of its launches that have ended, by their streams.
    std::vector<std::pair<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const DoneAccesses>>> children;
    bool has_events = false; ///< its threads order streams by events, which is not followed
};

/// A launch by a thread of a kernel.
struct AskedLaunch {
    std::shared_ptr<ParentLaunch> parent;
    checks::Clock before;                           ///< all that comes before the launch
    bool is_tail = false;                           ///< it comes behind everything else
    std::pair<std::uint64_t, std::uint64_t> stream; ///< those of one stream are in order
};

} // namespace warplight::software
