// SPDX-License-Identifier: Apache-2.0
// C functions that generated code calls by name (pure_call): mathematics that the host has no instruction for. They
// round to formats and in directions that the host lacks.
#pragma once

#include "float_format.hpp"

#include <cstdint>
#include <span>

namespace warplight::jit {

struct LibraryFunction {
    const char* name;
    void* address;
};
[[nodiscard]] std::span<const LibraryFunction> math_library();

} // namespace warplight::jit
