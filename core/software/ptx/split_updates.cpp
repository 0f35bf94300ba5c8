// SPDX-License-Identifier: Apache-2.0
#include "split_updates.hpp"

#include "accesses.hpp"
#include "address_keys.hpp"
#include "effects.hpp"
#include "value_origins.hpp"

#include <algorithm>
#include <cstdint>

namespace warplight::ptx {
namespace {

bool orders_others(const Instruction& i) {
    return group_of(i.opcode) == OpcodeGroup::fence || i.has(Modifier::acquire) || i.has(Modifier::release) ||
           i.has(Modifier::acq_rel);
}

} // namespace

std::vector<bool> split_updates(const Function& function) {
    std::vector<bool> found(function.instructions.size());
    if (std::ranges::any_of(function.instructions, orders_others)) return found;
    const AddressKeys addresses(function);
    const auto key_of = [&](const Instruction& i) {
        for (const MemoryAccess& access : accesses_of(i))
            if (AddressKeys::is_known(*access.address)) return addresses.of(*access.address);
        return AddressKey();
    };
    for (std::uint32_t k = 0; k < function.instructions.size(); ++k) {
        const Instruction& i = function.instructions[k];
        if (i.opcode != Opcode::st || i.guarded || (!i.has(Modifier::volatile_) && !i.has(Modifier::relaxed))) continue;
        if (!AddressKeys::is_known(*accesses_of(i).front().address)) continue;
        found[k] = std::ranges::any_of(loads_behind(function, k, Used::values), [&](std::uint32_t load) {
            const Instruction& from = function.instructions[load];
            return from.opcode == Opcode::ld && key_of(from) == key_of(i);
        });
    }
    return found;
}

} // namespace warplight::ptx
