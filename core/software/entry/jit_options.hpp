// SPDX-License-Identifier: Apache-2.0
// The option arrays of cuModuleLoadDataEx and cuLinkCreate.
#pragma once

#include "../runtime/image.hpp"

#include <cuda.h>

namespace warplight::software {

/// The buffers that the caller gave for logs.
struct JitOptions {
    char* error_buffer = nullptr;
    char* info_buffer = nullptr;
    unsigned error_size = 0;
    unsigned info_size = 0;
    void** error_size_value = nullptr; ///< how much was written comes back in the option's value
    void** info_size_value = nullptr;
    void** wall_time = nullptr;

    /// Throws CUDA_ERROR_INVALID_VALUE.
    [[nodiscard]] static JitOptions read(unsigned count, const CUjit_option* options, void** values);
    void write(const LoadLog& log) const;
};

} // namespace warplight::software
