// SPDX-License-Identifier: Apache-2.0
// A function without the code that no thread of a block with few threads in x reaches (extent_branches).
#pragma once

#include "software/ptx/module.hpp"

#include <cstdint>
#include <vector>

namespace warplight::jit {

struct BoundedFunction {
    ptx::Function function;
    std::vector<std::uint32_t> origins; ///< by instruction: the one in the given function
};
[[nodiscard]] BoundedFunction without_decided_branches(const ptx::Function& function, unsigned threads);

} // namespace warplight::jit
