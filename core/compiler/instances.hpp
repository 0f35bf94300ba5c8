// SPDX-License-Identifier: Apache-2.0
// Instances of template kernels: their expressions, their parameters, their names in PTX.
#pragma once

#include "compiler/signatures.hpp"

namespace warplight::compiler {

/// "scale<float, 256>" → "scale" and {"float", "256"}.
struct Instance {
    std::string name;
    std::vector<std::string> arguments;
};
Instance split_instance(std::string_view expression);

/// The template's parameters written out in a type: `const T*` with T = float.
std::string substitute(const std::string& type, const SourceKernel& kernel, const std::vector<std::string>& arguments);

/// The kernel that the expression makes of the template; defaults fill in what the expression leaves out.
Kernel instantiate(const SourceKernel& kernel, const std::string& expression);

/// The template arguments of `template void scale(float*)` for `template <class T> void scale(T*)`: "float".
/// Empty when the parameters do not tell all of them.
std::string deduced_arguments(const SourceKernel& kernel, const std::vector<Parameter>& parameters);

/// Arguments to offer for a template that the source makes no instance of. These are its defaults, else float, double
/// and int for types and small numbers for constants. Empty when the template takes something else.
std::vector<std::string> likely_arguments(const SourceKernel& kernel);

/// `math::scale` of `_ZN4math5scaleEPf`, `scale<float, 4>` of `_Z5scaleIfLi4EEvPT_`; `lowered` itself when it is no
/// mangled name. Arguments other than built-in types, simple names, pointers and integers are left out.
std::string demangled_name(std::string_view lowered);

/// NVRTC makes instances in a file of its own. Messages about that file are changed to name the instance, as the log or
/// the request's `name_expressions` spell it.
void name_instances(std::vector<Diagnostic>& diagnostics, std::string_view log,
                    const std::vector<std::string>& name_expressions);

} // namespace warplight::compiler
