// SPDX-License-Identifier: Apache-2.0
// Where in its group a lane's element lies. In `tile[4 * t + 3]` lanes are four elements apart. So memory is groups of
// four elements, and each lane has the place 3 of one. In `tile[step * (2 * t + 1) - 1]` the place follows from the
// step, which only the running code knows, if the lanes are known to be so far from each other.
#pragma once

#include "software/jit/emit/emitter.hpp"

#include <optional>

namespace warplight::jit {

/// Bytes from the beginning of the first lane's group to its address in shared memory, modulo the group's size. A
/// guess: the running code has to look.
/// @param size of a group: the bytes from lane to lane, a power of two
[[nodiscard]] std::optional<std::uint32_t> place_in_group(Emitter& e, const ptx::Operand& address, std::int64_t size);

} // namespace warplight::jit
