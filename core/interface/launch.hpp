// SPDX-License-Identifier: Apache-2.0
// What the ways to call a kernel have in common.
#pragma once

#include "interface/state.hpp"

namespace warplight::driver::detail {

/// Whether an argument of that type and size can be the parameter.
bool fits(Argument::Type type, std::size_t size, const ParameterInfo& parameter);

/// The arguments as the kernel takes them: integers of another size converted. What had to be changed is in `place`.
/// @throws LogicError naming the parameter.
std::span<const Argument> fit_arguments(const FunctionState& function, std::span<const Argument> arguments,
                                        std::vector<Argument>& place);

/// Throws what the driver says, with the reason where the launch's numbers tell it.
[[noreturn]] void refuse_launch(const FunctionState& function, const LaunchConfig& config, const char* routine,
                                CUresult code);

} // namespace warplight::driver::detail
