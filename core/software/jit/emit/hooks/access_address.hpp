// SPDX-License-Identifier: Apache-2.0
// Addresses of the accesses that hooks look at.
#pragma once

#include "software/jit/emit/emitter.hpp"
#include "software/ptx/accesses.hpp"
#include "software/ptx/origins.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warplight::jit {

[[nodiscard]] std::vector<std::uint32_t> instructions_with_accesses(const ptx::Function& function);
/// Numbers of memory for ptx::Origins. Of a kernel's parameter it is its word.
[[nodiscard]] std::optional<std::uint64_t> memory_of(const Emitter& e, const ptx::Root& root);

[[nodiscard]] bool has_base(const ptx::Operand& address);
/// The state space, where the address is a variable's that variable's.
[[nodiscard]] ptx::Space space_of(const Emitter& e, const ptx::Operand& address, ptx::Space written);
/// Whether hooks look at it. Not at parameters, and not where an address is no number of this block's memory: the rank
/// of a block of a cluster is part of a shared address.
[[nodiscard]] bool is_hookable(const Emitter& e, const ptx::Operand& address, ptx::Space written);
/// i32, for LaneState::width() lanes: how many bytes an access has. Null: as many as it tells.
[[nodiscard]] llvm::Value* count_of(Emitter& e, const ptx::MemoryAccess& access);
/// For LaneState::width() lanes, i32 in shared memory and i64 elsewhere.
[[nodiscard]] llvm::Value* address_of(Emitter& e, const ptx::Operand& address, ptx::Space written);

} // namespace warplight::jit
