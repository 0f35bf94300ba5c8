// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel a multiprocessor holds at once, from the limits of its compute capability alone.
#pragma once

#include <cstdint>

namespace warplight::profile {

/// Limits that occupancy and launches are checked against, of a GPU of this compute capability.
struct DeviceLimits {
    int threads_per_multiprocessor = 2048;
    int blocks_per_multiprocessor = 32;
    int registers_per_multiprocessor = 65536;
    int registers_per_block = 65536;
    int register_unit = 256;           ///< registers are given to a warp in these steps
    int warp_unit = 4;                 ///< warps are given in these steps
    int shared_per_multiprocessor = 0; ///< bytes
    int shared_per_block = 49152;      ///< without asking for more
    int shared_per_block_opt_in = 0;   ///< with CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    int shared_reserved = 0;           ///< bytes of each block that the system takes
    int shared_unit = 128;
    int threads_per_block = 1024;
};
[[nodiscard]] DeviceLimits limits_of(unsigned capability);

struct Residency {
    int blocks = 0; ///< on one multiprocessor; 0 when not even one fits
    int warps = 0;
    int max_warps = 0;
    const char* limiter = ""; ///< what runs out first, in the words of reports; "nothing" when all warps are resident
    [[nodiscard]] double occupancy() const { return max_warps > 0 ? static_cast<double>(warps) / max_warps : 0; }
};
/// Blocks of `threads` threads with so many registers each. `shared` is the static and dynamic shared memory of a
/// block.
[[nodiscard]] Residency residency(const DeviceLimits& limits, int threads, int registers, std::uint64_t shared);

/// The most registers a thread may have so that `blocks` blocks of `threads` threads are resident; 0: none.
[[nodiscard]] int registers_for(const DeviceLimits& limits, int threads, int blocks);

} // namespace warplight::profile
