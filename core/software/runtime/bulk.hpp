// SPDX-License-Identifier: Apache-2.0
// Copies and fills of memory; large ones are shared between the workers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warplight::software {

/// The ranges may overlap.
void copy_memory(void* to, const void* from, std::size_t bytes);

/// `count` elements of `width` (1, 2 or 4) bytes.
void fill_memory(void* to, std::uint32_t value, unsigned width, std::size_t count);

} // namespace warplight::software
