// SPDX-License-Identifier: Apache-2.0
// Copies of rows and slices between host memory, device memory and arrays: checked, and ready to be carried out.
#pragma once

#include "../runtime/array.hpp"
#include "../runtime/bulk.hpp"
#include "../runtime/context.hpp"

#include <cuda.h>

#include <memory>

namespace warplight::software {

/// One side of a copy, as the driver's structures describe it.
struct CopySide {
    CUmemorytype type = CU_MEMORYTYPE_HOST;
    const void* host = nullptr;
    CUdeviceptr device = 0; ///< of unified memory too
    CUarray array = nullptr;
    std::size_t x = 0; ///< bytes
    std::size_t y = 0, z = 0;
    std::size_t pitch = 0;  ///< bytes; 0: rows follow one another
    std::size_t height = 0; ///< rows of a slice; 0: slices follow one another
    bool bytes = false;     ///< in an array: an element may be copied in part
    std::size_t level = 0;  ///< of an array: 0
};

struct CopyPlan {
    BoxCopy box;
    CUDA_MEMCPY3D parameters = {}; ///< the caller's, for the node of a captured copy
    bool pageable = false;         ///< of the host's own memory: the call waits for it
    std::shared_ptr<Array> to_array, from_array;
    void run() const;
};

/// Nothing is copied where an extent is 0. Throws CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE.
[[nodiscard]] CopyPlan plan_copy(const CopySide& to, const CopySide& from, std::size_t width, std::size_t height,
                                 std::size_t depth);
/// The same from the driver's structures. As by a driver, reserved fields are not looked at.
[[nodiscard]] CopyPlan plan_copy(const CUDA_MEMCPY2D& copy);
[[nodiscard]] CopyPlan plan_copy(const CUDA_MEMCPY3D& copy);
[[nodiscard]] CopyPlan plan_copy(const CUDA_MEMCPY3D_PEER& copy);

/// Tells the summary of a copy between these addresses.
void count_copy(const void* to, const void* from, std::uint64_t bytes);

/// Carries it out in the stream's order, or makes it a node of the graph that the stream is captured into. Copies of
/// pageable memory, and those that are not for later, are waited for.
void submit_copy(Context& context, Stream& stream, const CopyPlan& plan, bool later);

} // namespace warplight::software
