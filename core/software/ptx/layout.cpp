// SPDX-License-Identifier: Apache-2.0
// Where parameters and shared variables lie.
#include "module.hpp"

#include <algorithm>

namespace warplight::ptx {
namespace {

std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

} // namespace

ParameterLayout layout_parameters(const std::vector<Variable>& parameters) {
    ParameterLayout layout;
    layout.offsets.reserve(parameters.size());
    for (const Variable& p : parameters) {
        layout.size = align_up(layout.size, std::max(p.alignment, 1u));
        layout.offsets.push_back(layout.size);
        layout.size += p.size;
    }
    return layout;
}

SharedLayout layout_shared(const Module& module, const Reachable& reachable) {
    SharedLayout layout;
    std::uint64_t end = 0, dynamic_alignment = 1;
    const auto place = [&](const Variable& v, SharedLayout::Entry entry) {
        if (v.space != Space::shared) return;
        if (v.unsized) {
            dynamic_alignment = std::max<std::uint64_t>(dynamic_alignment, v.alignment);
        } else {
            end = align_up(end, std::max(v.alignment, 1u));
            entry.offset = end;
            end += v.size;
        }
        layout.entries.push_back(entry);
    };
    for (const VariableId v : reachable.variables)
        place(module.variables[v], {true, 0, v, 0});
    for (const FunctionId f : reachable.functions) {
        const std::vector<Variable>& variables = module.functions[f].variables;
        for (VariableId v = 0; v < variables.size(); ++v)
            place(variables[v], {false, f, v, 0});
    }
    layout.static_size = align_up(end, dynamic_alignment);
    for (SharedLayout::Entry& entry : layout.entries) {
        const Variable& v = entry.module_scope ? module.variables[entry.variable]
                                               : module.functions[entry.function].variables[entry.variable];
        if (v.unsized) entry.offset = layout.static_size;
    }
    return layout;
}

std::optional<std::uint64_t> SharedLayout::offset_of(bool module_scope, FunctionId f, VariableId v) const {
    for (const Entry& entry : entries)
        if (entry.module_scope == module_scope && entry.variable == v && (module_scope || entry.function == f))
            return entry.offset;
    return std::nullopt;
}

std::optional<FunctionId> Module::find_function(std::string_view name) const {
    for (std::size_t k = 0; k < functions.size(); ++k)
        if (functions[k].name == name) {
            const Function& f = functions[k];
            return f.alias_of ? *f.alias_of : static_cast<FunctionId>(k);
        }
    return std::nullopt;
}

std::optional<VariableId> Module::find_variable(std::string_view name) const {
    for (std::size_t k = 0; k < variables.size(); ++k)
        if (variables[k].name == name) return static_cast<VariableId>(k);
    return std::nullopt;
}

} // namespace warplight::ptx
