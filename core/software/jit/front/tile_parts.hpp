// SPDX-License-Identifier: Apache-2.0
// Code for the addresses by which a warp accesses matrices: what each lane has its part in.
#pragma once

#include "added_code.hpp"
#include "software/ptx/matrix.hpp"

namespace warplight::jit {

[[nodiscard]] bool moves_tile(const ptx::Instruction& i); ///< wmma.load, wmma.store
/// [base]
[[nodiscard]] ptx::Operand address_operand(const ptx::Operand& base);

/// Adds code: the number of the lane in its warp.
[[nodiscard]] ptx::Operand lane_number(AddedCode& code);
/// Adds code: an address of an instruction in a register of its space's size, 32 bits in shared memory.
[[nodiscard]] ptx::Operand address_in_register(AddedCode& code, const ptx::Instruction& i, const ptx::Operand& address);

/// Of a tile: registers with its address and, in elements, the distance of its lines.
struct TileAddress {
    ptx::Operand base, stride;
};
/// Adds code.
[[nodiscard]] TileAddress tile_address(AddedCode& code, const ptx::Instruction& i);
/// Adds code: the address of the lane's part.
[[nodiscard]] ptx::Operand part_address(AddedCode& code, const ptx::Instruction& i, const TileAddress& tile);

} // namespace warplight::jit
