// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime_api/driver.hpp"

namespace warplight::runtime_api {

/// What a launch that the driver refused is called in the runtime API.
Error launch_error(const Functions& f, CUresult code, KernelHandle kernel, Dim3 grid, Dim3 block);

inline Error launch(const Functions& f, KernelHandle kernel, Dim3 grid, Dim3 block, void** arguments,
                    std::size_t shared, Stream stream) {
    const CUresult code =
        f.fn_cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), grid.x, grid.y, grid.z, block.x, block.y, block.z,
                            static_cast<unsigned>(shared), stream, arguments, nullptr);
    if (code == CUDA_SUCCESS) [[likely]]
        return cudaSuccess;
    return launch_error(f, code, kernel, grid, block);
}

inline CUlaunchConfig driver_configuration(const LaunchConfiguration& c) {
    CUlaunchConfig config{};
    config.gridDimX = c.grid.x;
    config.gridDimY = c.grid.y;
    config.gridDimZ = c.grid.z;
    config.blockDimX = c.block.x;
    config.blockDimY = c.block.y;
    config.blockDimZ = c.block.z;
    config.sharedMemBytes = static_cast<unsigned>(c.shared);
    config.hStream = c.stream;
    config.attrs = c.attributes;
    config.numAttrs = c.attribute_count;
    return config;
}

} // namespace warplight::runtime_api
