// SPDX-License-Identifier: Apache-2.0
#include "decompress.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/Error.h>

#include <cstdint>

namespace warplight::jit {

std::string decompress_zstd(const std::byte* data, std::size_t size, std::size_t expected) {
    namespace zstd = llvm::compression::zstd;
    if (!zstd::isAvailable() || expected > (std::size_t{1} << 30)) return {};
    std::string text(expected, '\0');
    std::size_t written = expected;
    const llvm::ArrayRef<std::uint8_t> input(reinterpret_cast<const std::uint8_t*>(data), size);
    if (auto error = zstd::decompress(input, reinterpret_cast<std::uint8_t*>(text.data()), written)) {
        llvm::consumeError(std::move(error));
        return {};
    }
    text.resize(written);
    return text;
}

} // namespace warplight::jit
