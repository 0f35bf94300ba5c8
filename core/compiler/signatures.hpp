// SPDX-License-Identifier: Apache-2.0
// Kernel signatures from source text, and joined with the sizes in the PTX.
#pragma once

#include "compiler/types.hpp"
#include "warplight/compiler.hpp"

#include <memory>

namespace warplight::compiler {

/// `int N = 4` of a template: kind "int", name "N", value "4".
struct TemplateParameter {
    std::string kind; ///< "typename", "class", or the type of a constant
    std::string name;
    std::string value; ///< the default; empty when there is none
};

/// A kernel, with the parameters of its template for making instances.
struct SourceKernel : Kernel {
    std::vector<TemplateParameter> template_parameters;
    std::vector<std::string> instances;         ///< template arguments that the source names: "float, 4"
    std::shared_ptr<const TypeAliases> aliases; ///< of the whole source, shared by its kernels
};

/// Time and memory are linear in the text's length, whatever the text: of what no program has so many, such as aliases,
/// instances or kernels, the rest is left out.
std::vector<SourceKernel> read_signatures(std::string_view source);

/// Fills in pointer, is_const, dtype, components, size and alignment from `type`.
void describe_type(Parameter& parameter, const TypeAliases& aliases);

/// The kernels of a compiled program: each entry of the PTX with its signature from the text, then the templates
/// without an instance.
std::vector<Kernel> join_kernels(std::string_view source, std::string_view ptx,
                                 const std::vector<LoweredName>& lowered_names);

} // namespace warplight::compiler
