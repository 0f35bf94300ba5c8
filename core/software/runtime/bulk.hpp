// SPDX-License-Identifier: Apache-2.0
// Copies and fills of memory; large ones are shared between the workers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplight::software {

/// The ranges may overlap.
void copy_memory(void* to, const void* from, std::size_t bytes);

/// Rows and slices of bytes. The two sides do not overlap.
struct BoxCopy {
    std::byte* to = nullptr;
    const std::byte* from = nullptr;
    std::size_t to_pitch = 0, from_pitch = 0; ///< bytes from row to row
    std::size_t to_slice = 0, from_slice = 0; ///< bytes from slice to slice
    std::size_t width = 0;                    ///< bytes of a row
    std::size_t height = 1, depth = 1;        ///< rows of a slice, slices
};
void copy_box(const BoxCopy& box);

/// `count` elements of `width` (1, 2 or 4) bytes.
void fill_memory(void* to, std::uint32_t value, unsigned width, std::size_t count);

} // namespace warplight::software
