// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>

#include <cstdint>

namespace warplight::jit {

/// Bytes from an access to what it prefetches for blocks to come, the best of 1 to 8 KiB (docs/measurements.md).
inline constexpr std::uint64_t kNextBlocks = 3072;

/// Prefetches the line that lies `behind` bytes behind an address into all caches. Harmless where no memory is.
inline void fetch_line(llvm::IRBuilderBase& b, llvm::Value* address, std::uint64_t behind, bool to_write = false) {
    enum : std::uint32_t { kRead = 0, kWrite = 1, kAllCaches = 3, kData = 1 };
    llvm::Value* there = b.CreateConstGEP1_64(b.getInt8Ty(), address, behind);
    b.CreateIntrinsic(llvm::Intrinsic::prefetch, {there->getType()},
                      {there, b.getInt32(to_write ? kWrite : kRead), b.getInt32(kAllCaches), b.getInt32(kData)});
}

} // namespace warplight::jit
