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

} // namespace

std::map<std::string, std::vector<ParameterInfo>> scan_ptx_signatures(std::string_view text) {
    std::map<std::string, std::vector<ParameterInfo>> signatures;
    ptx::EntryScanner scanner(text);
    while (const std::optional<ptx::EntryHead> head = scanner.next_entry()) {
        if (!head->complete) continue;
        std::vector<ParameterInfo> parameters;
        for (const ptx::EntryParameter& parameter : head->parameters)
            parameters.push_back({std::string(parameter.name), parameter.offset, parameter.size, kind_of(parameter)});
        signatures.emplace(head->name, std::move(parameters));
    }
    return signatures;
}

} // namespace warplight::driver::detail
