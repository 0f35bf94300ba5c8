// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace warplight::software {

class Function;

/// Blocks of that many threads that one multiprocessor holds at once; 0 when not even one fits.
[[nodiscard]] int resident_blocks(const Function& function, int block_threads, std::size_t dynamic_shared);

struct BlockSuggestion {
    int minimum_grid = 0;
    int block = 0;
};
/// The block size that fills the device most; `shared_of` gives the dynamic shared memory of a block size.
[[nodiscard]] BlockSuggestion suggest_block(const Function& function, const std::function<std::size_t(int)>& shared_of,
                                            int limit);

/// Dynamic shared memory that a block may have with so many blocks on a multiprocessor; nothing when so many do not
/// fit.
[[nodiscard]] std::optional<std::size_t> available_dynamic_shared(const Function& function, int blocks,
                                                                  int block_threads);

} // namespace warplight::software
