// SPDX-License-Identifier: Apache-2.0
// Kernels and their parameters from PTX text, for messages about wrong arguments.
#include "interface/state.hpp"
#include "ptx_text/entry_heads.hpp"

#include <map>

namespace warplight::driver::detail {

namespace {

ParameterInfo::Type kind_of(const ptx::EntryParameter& parameter) {
    if (parameter.array) return ParameterInfo::Type::bytes;
    switch (parameter.type.front()) {
    case 'f': return ParameterInfo::Type::real;
    case 'b': return ParameterInfo::Type::bits;
    default: return ParameterInfo::Type::integer;
    }
}

std::string spelling_of(const ptx::EntryParameter& parameter) {
    const std::string element = "." + std::string(parameter.type);
    return parameter.array ? element + "[" + std::to_string(parameter.size) + "]" : element;
}

/// Compilers call the second parameter of `k` "k_param_1", which says nothing.
bool is_made_up(std::string_view kernel, std::string_view name) {
    constexpr std::string_view middle = "_param_";
    return name.starts_with(kernel) && name.substr(kernel.size()).starts_with(middle) &&
           name.find_first_not_of("0123456789", kernel.size() + middle.size()) == std::string_view::npos;
}

} // namespace

std::map<std::string, std::vector<ParameterInfo>> scan_ptx_signatures(std::string_view text) {
    std::map<std::string, std::vector<ParameterInfo>> signatures;
    ptx::EntryScanner scanner(text);
    while (const std::optional<ptx::EntryHead> head = scanner.next_entry()) {
        if (!head->complete) continue;
        std::vector<ParameterInfo> parameters;
        for (const ptx::EntryParameter& parameter : head->parameters)
            parameters.push_back({.name = is_made_up(head->name, parameter.name) ? "" : std::string(parameter.name),
                                  .offset = parameter.offset,
                                  .size = parameter.size,
                                  .type = kind_of(parameter),
                                  .declared = spelling_of(parameter)});
        signatures.emplace(head->name, std::move(parameters));
    }
    return signatures;
}

} // namespace warplight::driver::detail
