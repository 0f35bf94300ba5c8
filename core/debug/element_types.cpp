// SPDX-License-Identifier: Apache-2.0
#include "element_types.hpp"

#include "software/ptx/accesses.hpp"
#include "software/ptx/origins.hpp"
#include "software/ptx/value_types.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace warplight::debug {
namespace {

/// What the accesses of one variable have said.
struct Said {
    std::set<ptx::Type> types, by_constants;
};

/// Nothing where they disagree.
std::optional<ptx::Type> agreed(const std::set<ptx::Type>& types) {
    if (types.empty()) return std::nullopt;
    const unsigned bits = ptx::bits(*types.begin());
    std::optional<ptx::Type> number; // a float, or a byte with a sign
    for (const ptx::Type type : types) {
        if (ptx::bits(type) != bits) return std::nullopt;
        if (ptx::is_float(type) || type == ptx::Type::s8) number = type;
    }
    if (number && ptx::is_float(*number)) return types.size() == 1 ? number : std::nullopt;
    switch (bits) {
    case 8: return number.value_or(ptx::Type::u8);
    case 16: return ptx::Type::s16;
    case 32: return ptx::Type::s32;
    case 64: return ptx::Type::s64;
    default: return std::nullopt;
    }
}

} // namespace

std::map<const ptx::Variable*, ptx::Type> element_types(const ptx::Module& module) {
    std::map<const ptx::Variable*, Said> said;
    for (const ptx::Function& function : module.functions) {
        const auto variable = [&](const ptx::Root& root) -> const ptx::Variable* {
            const auto& all = root.scope == ptx::Operand::Scope::module ? module.variables : function.variables;
            const bool is_variable =
                root.scope == ptx::Operand::Scope::module || root.scope == ptx::Operand::Scope::function;
            return is_variable && root.index < all.size() && all[root.index].space == ptx::Space::shared
                       ? &all[root.index]
                       : nullptr;
        };
        std::vector<std::uint32_t> accesses;
        for (std::uint32_t k = 0; k < function.instructions.size(); ++k)
            if (ptx::accesses_of(function.instructions[k]).size() == 1) accesses.push_back(k);
        ptx::Origins origins(function, accesses, [&](const ptx::Root& root) -> std::optional<std::uint64_t> {
            if (!variable(root)) return std::nullopt;
            return std::uint64_t{static_cast<std::uint8_t>(root.scope)} << 56 | root.index;
        });
        for (const std::uint32_t k : accesses) {
            const ptx::Operand& address = *ptx::accesses_of(function.instructions[k]).front().address;
            ptx::Origin origin = origins.of_addresses(k);
            if (address.base_kind == ptx::Operand::Kind::variable) {
                origin.of = ptx::Origin::Of::root;
                origin.root = {address.scope, address.index, 0};
            }
            if (origin.of != ptx::Origin::Of::root) continue;
            const ptx::Variable* const of = variable(origin.root);
            if (!of) continue;
            Said& each = said[of];
            (ptx::stores_constant(function, k) ? each.by_constants : each.types)
                .insert(ptx::type_in_memory(function, k));
        }
    }
    std::map<const ptx::Variable*, ptx::Type> types;
    for (auto& [variable, each] : said) {
        // A constant tells how many bytes an element has, and its type where nothing else does.
        if (each.types.empty()) each.types = each.by_constants;
        const auto type = agreed(each.types);
        if (!type) continue;
        bool fits = variable->unsized || variable->size % (ptx::bits(*type) / 8) == 0;
        for (const ptx::Type constant : each.by_constants)
            fits &= ptx::bits(constant) == ptx::bits(*type);
        if (fits) types.emplace(variable, *type);
    }
    return types;
}

} // namespace warplight::debug
