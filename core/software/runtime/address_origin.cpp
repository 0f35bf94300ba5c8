// SPDX-License-Identifier: Apache-2.0
#include "address_origin.hpp"

#include "../ptx/origins.hpp"
#include "address_space.hpp"

#include <array>
#include <cstring>

namespace warplight::software {
namespace {

/// 0: it is no pointer.
std::uint64_t pointer_of(const Function& function, const std::byte* parameters, const ptx::Root& root) {
    using Scope = ptx::Operand::Scope;
    if (root.scope == Scope::module) return function.module.addresses().at(root.index);
    std::uint64_t pointer = 0;
    if (root.scope != Scope::parameter) return pointer; // local and shared memory of the function's own
    const std::uint64_t at = function.parameters.offsets.at(root.index) + root.offset;
    if (at <= function.parameters.size && sizeof pointer <= function.parameters.size - at)
        std::memcpy(&pointer, parameters + at, sizeof pointer);
    return pointer;
}

} // namespace

std::optional<std::uint64_t> address_origin(const Function& function, const jit::Site& site,
                                            const std::byte* parameters) {
    if (site.function != function.id || !parameters) return std::nullopt;
    if (site.instruction >= function.ptx().instructions.size()) return std::nullopt;
    const std::array instructions{site.instruction};
    ptx::Origins origins(function.ptx(), instructions, [&](const ptx::Root& root) -> std::optional<std::uint64_t> {
        const auto allocation = AddressSpace::instance().find_or_freed(pointer_of(function, parameters, root));
        return allocation ? std::optional(allocation->id) : std::nullopt;
    });
    const ptx::Origin origin = origins.of_addresses(site.instruction);
    if (origin.of != ptx::Origin::Of::root) return std::nullopt;
    return pointer_of(function, parameters, origin.root);
}

} // namespace warplight::software
