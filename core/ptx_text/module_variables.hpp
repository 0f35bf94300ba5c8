// SPDX-License-Identifier: Apache-2.0
// The variables of a module in PTX text. The text may be half written or damaged.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace warplight::ptx {

/// A variable as `.const .align 4 .b8 name[36]` declares it outside of functions.
struct ModuleVariable {
    std::string_view name;
    std::string_view type;     ///< `f32`; of an array that of an element
    std::size_t size = 0;      ///< bytes
    std::size_t alignment = 0; ///< bytes
    bool constant = false;     ///< .const, else .global
    bool array = false;
};

/// Those with a name, a type and a size, in their order, but not those that another module has (.extern). Time is
/// linear in the text's length.
[[nodiscard]] std::vector<ModuleVariable> module_variables(std::string_view text);

/// A texture or surface reference: `.global .texref image;`, of CUDA up to 11.
struct ModuleReference {
    std::string_view name;
    bool is_surface = false;
};
/// Those outside of functions, in their order. Time is linear in the text's length.
[[nodiscard]] std::vector<ModuleReference> module_references(std::string_view text);

/// Bytes of a fundamental type that a parameter or variable may have, without its dot; 0 for any other word.
[[nodiscard]] std::size_t fundamental_size(std::string_view word);

} // namespace warplight::ptx
