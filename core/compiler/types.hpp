// SPDX-License-Identifier: Apache-2.0
// C++ type names of kernel parameters, as NumPy calls them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace warplight::compiler {

struct ElementType {
    std::string dtype; ///< "float32"; empty when there is none
    int components = 1;
    std::size_t size = 0; ///< of all components; 0 when not known
    std::size_t alignment = 0;
    std::string object = {}; ///< "texture" or "surface" of the handle of such an object, else empty
};

/// Names that the source gave to types: `using real = float`.
using TypeAliases = std::map<std::string, std::vector<std::string>, std::less<>>;

/// From the words of a type without pointer marks: {"const", "unsigned", "int"}.
ElementType element_type(const std::vector<std::string>& words, const TypeAliases& aliases);

} // namespace warplight::compiler
