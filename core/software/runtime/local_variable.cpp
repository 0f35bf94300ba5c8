// SPDX-License-Identifier: Apache-2.0
#include "local_variable.hpp"

#include "../ptx/local_array.hpp"
#include "../ptx/origins.hpp"

#include <fmt/format.h>

#include <array>

namespace warplight::software {
namespace {

/// By what the address is made of.
const ptx::Variable* variable_at(const ptx::Function& function, std::uint32_t instruction) {
    const std::array instructions{instruction};
    ptx::Origins origins(function, instructions, [](const ptx::Root& root) {
        return root.scope == ptx::Operand::Scope::function ? std::optional<std::uint64_t>(root.index) : std::nullopt;
    });
    const ptx::Origin origin = origins.of_addresses(instruction);
    return origin.of == ptx::Origin::Of::root ? &function.variables.at(origin.root.index) : nullptr;
}

} // namespace

LocalVariable local_variable_of(const Function& kernel, const jit::Site& site, std::uint64_t size) {
    const ptx::Module& module = kernel.module.ptx;
    const auto fits = [&](const ptx::Variable& v) { return v.space == ptx::Space::local && v.size == size; };
    if (site.function < module.functions.size()) {
        const ptx::Function& function = module.functions[site.function];
        if (site.instruction < function.instructions.size())
            if (const ptx::Variable* v = variable_at(function, site.instruction); v && fits(*v)) return {v, &function};
    }
    // A pointer from a caller: one of those that have this size.
    LocalVariable found;
    for (const ptx::FunctionId f : ptx::reachable_from(module, kernel.id).functions)
        for (const ptx::Variable& v : module.functions[f].variables) {
            if (!fits(v)) continue;
            if (found.variable) return {};
            found = {&v, &module.functions[f]};
        }
    return found;
}

std::string local_array_text(const ptx::Variable& variable) {
    const auto array = ptx::local_array_of(variable.name);
    if (!array || array->name.empty()) return "";
    if (!array->other.empty()) return fmt::format("'{}' or '{}'", array->name, array->other);
    if (array->line == 0) return fmt::format("'{}'", array->name);
    return fmt::format("'{}' (declared in line {})", array->name, array->line);
}

std::string neighbour_text(const LocalVariable& of, std::int64_t offset, std::uint64_t bytes) {
    const auto array = of.variable ? ptx::local_array_of(of.variable->name) : std::nullopt;
    if (!array) return "";
    const auto begin = static_cast<std::int64_t>(array->offset - array->lead) + offset;
    const auto end = begin + static_cast<std::int64_t>(bytes);
    for (const ptx::Variable& v : of.function->variables) {
        const auto other = ptx::local_array_of(v.name);
        if (!other || &v == of.variable) continue;
        const auto at = static_cast<std::int64_t>(other->offset);
        if (begin < at + static_cast<std::int64_t>(v.size - other->lead) && at < end) return local_array_text(v);
    }
    return "";
}

} // namespace warplight::software
