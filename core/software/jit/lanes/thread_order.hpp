// SPDX-License-Identifier: Apache-2.0
// Whether anybody can tell in which order threads do something.
#pragma once

#include "lanes.hpp"
#include "software/ptx/accesses.hpp"

namespace warplight::jit {

/// What nobody can tell the order of, if threads of different blocks do it.
[[nodiscard]] inline bool has_no_order(const ptx::Instruction& i) {
    using ptx::Opcode;
    switch (i.opcode) {
    case Opcode::ld:
    case Opcode::st:
        return !ptx::publishes(i) && i.space != ptx::Space::shared && i.space != ptx::Space::shared_cluster;
    case Opcode::tex:
    case Opcode::tld4:
    case Opcode::txq:
    case Opcode::bra:
    case Opcode::ret:
    case Opcode::exit: return true;
    default: return ptx::all_accesses_of(i).empty() && ptx::destination_of(i) != nullptr && i.opcode != Opcode::call;
    }
}

} // namespace warplight::jit
