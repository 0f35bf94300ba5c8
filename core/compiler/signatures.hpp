// SPDX-License-Identifier: Apache-2.0
// Kernel signatures: what the text says, and joined with what PTX says.
#pragma once

#include "compiler/types.hpp"
#include "warplight/compiler.hpp"

namespace warplight::compiler {

/// A kernel with what is needed to make instances of its template.
struct SourceKernel : Kernel {
    std::vector<std::string> template_parameters;
    TypeAliases aliases;
};

std::vector<SourceKernel> read_signatures(std::string_view source);

/// Fills in pointer, is_const, dtype, components, size and alignment from `type`.
void describe_type(Parameter& parameter, const TypeAliases& aliases);

/// `math::scale` of `_ZN4math5scaleEPf`; `lowered` itself when it is no mangled name.
std::string base_name(std::string_view lowered);

/// The kernels of a compiled program: every entry of the PTX with its signature from the text, then
/// the templates of which there is no instance.
std::vector<Kernel> join_kernels(std::string_view source, std::string_view ptx,
                                 const std::vector<LoweredName>& lowered_names);

} // namespace warplight::compiler
