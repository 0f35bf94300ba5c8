// SPDX-License-Identifier: Apache-2.0
// Loops in which a thread does nothing but wait for memory to change.
#pragma once

#include "module.hpp"

#include <cstdint>
#include <vector>

namespace warplight::ptx {

/// By instruction: the loop that it is in, from 1; 0: in none, or in one that does more. A round of such a loop changes
/// no memory, and neither an earlier round nor a clock has to do with its end. So a thread that has gone
/// round once goes round for ever, unless what it reads changes.
[[nodiscard]] std::vector<std::uint32_t> waiting_loops(const Function& function);

/// mbarrier.test_wait and try_wait.
[[nodiscard]] bool waits_at_object(const Instruction& instruction);

} // namespace warplight::ptx
