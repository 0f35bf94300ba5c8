// SPDX-License-Identifier: Apache-2.0
// Which memories a warp's generic addresses are of.
#pragma once

#include "software/jit/abi/abi.hpp"
#include "software/profile/warp_trace.hpp"

#include <bit>
#include <cstdint>

namespace warplight::software {

/// Calls visit(space, access) with the lanes of each memory that an access touches: one with a known space as it is,
/// a generic one by its parts, as code tells of such accesses (ProfiledAccess).
/// @param shared address of the block's shared memory
template <class Visit>
void each_space(ProfiledAccess what, const profile::WarpAccess& access, const LaunchContext& launch,
                std::uint64_t shared, std::uint64_t shared_bytes, Visit visit) {
    using Space = ProfiledAccess::Space;
    if (what.space != Space::generic) return visit(what.space, access);
    profile::WarpAccess of_shared = access, of_local = access, others = access;
    of_shared.active = of_local.active = others.active = 0;
    for (std::uint32_t left = access.active; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const std::uint64_t at = access.addresses[lane];
        if (at - shared < shared_bytes) {
            of_shared.addresses[lane] = at - shared;
            of_shared.active |= 1U << lane;
        } else if (at - launch.local_begin < launch.local_bytes) {
            of_local.addresses[lane] = 0; // of which variable it is is not known: taken for the same in all threads
            of_local.active |= 1U << lane;
        } else {
            others.active |= 1U << lane;
        }
    }
    if (of_shared.active != 0) visit(Space::shared, of_shared);
    if (of_local.active != 0) visit(Space::local, of_local);
    if (others.active != 0) visit(Space::global, others);
}

} // namespace warplight::software
