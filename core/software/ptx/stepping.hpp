// SPDX-License-Identifier: Apache-2.0
// What the JIT and a debugger agree on for code that is stepped through: where threads stop, and where their registers
// lie in memory.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::ptx {

/// By instruction: whether threads stop in front of it. They do where the place in the source changes, where loops
/// come back, and behind calls. In a function without places they stop at each instruction.
[[nodiscard]] std::vector<bool> stepping_points(const Function& function, const Module& module);
/// Whether the function has places in the source.
[[nodiscard]] bool has_places(const Function& function, const Module& module);

/// The memory of a call: a StepFrame (jit/abi), then the addresses of variables and parameters, then registers.
struct StepFrameLayout {
    static constexpr std::uint64_t kHead = 16; ///< sizeof(StepFrame)
    std::uint64_t size = 0;                    ///< bytes, a multiple of 16
    std::vector<std::uint64_t> registers;      ///< offsets, by RegisterId. A predicate is one byte
    /// Offsets of generic addresses, 8 bytes each: of `.local` variables by VariableId, of the parameters of a function
    /// that is no kernel. Nothing for others.
    std::vector<std::optional<std::uint64_t>> variables, parameters;
};
[[nodiscard]] StepFrameLayout step_frame_layout(const Function& function);

} // namespace warplight::ptx
