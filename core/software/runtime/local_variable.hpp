// SPDX-License-Identifier: Apache-2.0
// Which variable of local memory an access was meant for, and which one it would hit instead.
#pragma once

#include "module.hpp"
#include "software/jit/jit.hpp"

#include <cstdint>
#include <string>

namespace warplight::software {

struct LocalVariable {
    const ptx::Variable* variable = nullptr; ///< null: not known
    const ptx::Function* function = nullptr;
};
/// @param size of the variable
[[nodiscard]] LocalVariable local_variable_of(const Function& kernel, const jit::Site& site, std::uint64_t size);

/// "'tile' (declared in line 7)"; empty where the source's name is not known.
[[nodiscard]] std::string local_array_text(const ptx::Variable& variable);
/// The same of the array that lies at an offset behind the start of another, as the compiler has placed them. Empty
/// where that is not known.
[[nodiscard]] std::string neighbour_text(const LocalVariable& of, std::int64_t offset, std::uint64_t bytes);

} // namespace warplight::software
