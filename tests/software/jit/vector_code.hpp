// SPDX-License-Identifier: Apache-2.0
// What LLVM makes of the loop over a block's threads, or of coroutines.
#pragma once

#include <string_view>

struct VectorCode {
    unsigned wide_products = 0; ///< fma of vectors
    unsigned wide_stores = 0;   ///< masked or not
    unsigned short_loads = 0;   ///< of vectors of fewer elements than there are lanes
    unsigned prefetches = 0;
    unsigned gathers = 0;
    unsigned lane_loops = 0;     ///< over the active lanes, in the kernel itself
    unsigned gap_stores = 0;     ///< of vectors of which the same elements are always left out
    unsigned whole_stores = 0;   ///< of vectors to the memory of kernels, without a mask
    unsigned half_compares = 0;  ///< of vectors of halves
    unsigned float_compares = 0; ///< of vectors
    unsigned loops_in_step = 0;  ///< over several coroutines at once
    unsigned short_sums = 0;     ///< and differences, of vectors of 16-bit integers
    bool leaves_idle_rows = false;
    unsigned calls = 0; ///< of anything but intrinsics
};
/// Compiles the first kernel of a module with so many threads side by side, as coroutines if they wait, and counts.
[[nodiscard]] VectorCode vector_code(std::string_view ptx, unsigned width = 1);
