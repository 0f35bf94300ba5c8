// SPDX-License-Identifier: Apache-2.0
// What copies by calls and copies in graphs share.
#pragma once

#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

inline void check_kind(int kind) {
    require(kind >= copy_host_to_host && kind <= copy_default, cudaErrorInvalidMemcpyDirection);
}

/// Where a part of a variable lies in the current context. Throws Failure.
void* symbol_part(const Functions& f, const void* symbol, std::size_t count, std::size_t offset);

/// The driver's description of a copy of a volume. Throws Failure.
CUDA_MEMCPY3D driver_copy(const Functions& f, const Copy3D& copy);
/// The same of `count` bytes.
CUDA_MEMCPY3D driver_copy(void* target, const void* source, std::size_t count, int kind);
/// Back again.
Copy3D runtime_copy(const Functions& f, const CUDA_MEMCPY3D& copy);

/// Bytes of an element of an array. Throws Failure.
std::size_t element_size(const Functions& f, Array array);

} // namespace warplight::runtime_api
