// SPDX-License-Identifier: Apache-2.0
// What an access by a warp of 32 threads costs on a GPU, counted as Nsight Compute counts it (docs/profile.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace warplight::profile {

inline constexpr unsigned kSectorBytes = 32, kLineBytes = 128, kBanks = 32, kWordBytes = 4;

struct WarpAccess {
    std::array<std::uint64_t, 32> addresses; ///< by lane
    std::uint32_t active;                    ///< lanes that make it
    unsigned bytes;                          ///< of each lane: a power of two up to 32
};

struct Cost {
    std::uint32_t is, ideal; ///< `ideal`: with the same lanes and bytes, at the best addresses
};

/// Sectors of 32 bytes of global memory.
[[nodiscard]] Cost sectors_of(const WarpAccess& access);
/// Passes through the 32 banks of shared memory. Of addresses only what they are modulo the window's size counts.
[[nodiscard]] Cost wavefronts_of(const WarpAccess& access);
/// Sectors of local memory, which lies word by word in the order of lanes. Addresses are offsets in a thread's own.
[[nodiscard]] std::uint32_t local_sectors_of(const WarpAccess& access);
/// Of an access to shared memory: the most words that lie in one bank and are asked for at once. 1: no conflict.
[[nodiscard]] std::uint32_t conflict_of(const WarpAccess& access);
/// Bytes from lane to lane, where all that take part are equally far apart; nothing otherwise. One lane: its bytes.
[[nodiscard]] std::optional<std::int64_t> stride_of(const WarpAccess& access);
/// How many different addresses the lanes have.
[[nodiscard]] std::uint32_t addresses_of(const WarpAccess& access);

} // namespace warplight::profile
