// SPDX-License-Identifier: Apache-2.0
// Which instructions have to do with other blocks of a cluster.
#pragma once

#include "effects.hpp"

namespace warplight::ptx {

/// Reaches other blocks, or meets them. Others name the cluster's shared memory and mean the block's own, as bulk
/// copies do: without mapa a kernel has no other address.
[[nodiscard]] inline bool needs_cluster(const Instruction& i) {
    switch (group_of(i.opcode)) {
    case OpcodeGroup::cluster: return true;
    case OpcodeGroup::barrier: return i.has(Modifier::cluster);
    default: break;
    }
    return i.has(Modifier::multicast_cluster) || (i.has(Modifier::async) && i.opcode != Opcode::cp);
}

} // namespace warplight::ptx
