// SPDX-License-Identifier: Apache-2.0
// Updates in two steps: *(volatile int*)p += 1. No access of them is torn, but what other threads write in between gets
// lost.
#pragma once

#include "module.hpp"

#include <vector>

namespace warplight::ptx {

/// By instruction: whether it is a store of a value that a load of the same address was made into. That is told of
/// addresses that are made of one register and a number. None in a function with fences: who holds a lock may update
/// what others wait for.
[[nodiscard]] std::vector<bool> split_updates(const Function& function);

} // namespace warplight::ptx
