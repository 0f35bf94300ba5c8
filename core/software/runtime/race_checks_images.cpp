// SPDX-License-Identifier: Apache-2.0
// Reads by textures and surfaces, which need not show what the launch has written.
#include "race_checks.hpp"

#include <bit>

namespace warplight::software {

using checks::AccessKind;

void RaceChecks::read_of_image(Block& state, const BlockContext& block, const Accesses& accesses) {
    One one{block, accesses, 0, 0, false, accesses.what.bytes};
    const checks::RaceCells::Report report = [&](const checks::PastAccess& before, std::uint64_t word) {
        this->report(one, before, word);
    };
    for (std::uint32_t left = accesses.active; left != 0; left &= left - 1) {
        one.lane = static_cast<std::uint32_t>(std::countr_zero(left));
        one.address = accesses.addresses[one.lane];
        const checks::NewAccess access{one.address,           one.bytes,    AccessKind::read, false,
                                       checks::Scope::device, accesses.site};
        cells_.add_of_image(state.order, accesses.linear + one.lane, access, report);
    }
}

bool RaceChecks::is_read_of_image(const One& now, const checks::PastAccess& before) const {
    if (now.all.what.image && !now.all.what.writes) return true;
    if (before.writes()) return false;
    const jit::Site at = launch_.kernel.site(before.site);
    const auto& functions = launch_.function.module.ptx.functions;
    if (at.function >= functions.size() || at.instruction >= functions[at.function].instructions.size()) return false;
    const ptx::Opcode opcode = functions[at.function].instructions[at.instruction].opcode;
    return opcode == ptx::Opcode::tex || opcode == ptx::Opcode::tld4 || opcode == ptx::Opcode::suld;
}

} // namespace warplight::software
