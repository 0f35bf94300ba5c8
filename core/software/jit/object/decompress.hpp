// SPDX-License-Identifier: Apache-2.0
// Zstandard, if LLVM was built with it.
#pragma once

#include <cstddef>
#include <string>

namespace warplight::jit {

/// `expected` bytes at most. Empty where the data is not Zstandard, or cannot be read here.
[[nodiscard]] std::string decompress_zstd(const std::byte* data, std::size_t size, std::size_t expected);

} // namespace warplight::jit
