// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/launch.hpp"

#include "runtime_api/contexts.hpp"
#include "runtime_api/registry.hpp"

#include <climits>
#include <vector>

namespace warplight::runtime_api {

Error launch_error(const Functions& f, CUresult code, KernelHandle kernel, Dim3 grid, Dim3 block) {
    if (code == CUDA_ERROR_NOT_FOUND) return cudaErrorSymbolNotFound;
    if (code != CUDA_ERROR_INVALID_VALUE || kRuntimeVersion >= 13000) return static_cast<Error>(code);
    int device = 0;
    if (f.fn_cuCtxGetDevice(&device) != CUDA_SUCCESS) return cudaErrorInvalidValue;
    const auto within = [&](unsigned value, CUdevice_attribute attribute) {
        int most = 0;
        return value > 0 &&
               (f.fn_cuDeviceGetAttribute(&most, attribute, device) != CUDA_SUCCESS || value <= unsigned(most));
    };
    const bool possible =
        within(grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X) && within(grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y) &&
        within(grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z) && within(block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X) &&
        within(block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y) && within(block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (!possible ||
        !within(threads > UINT_MAX ? UINT_MAX : unsigned(threads), CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK))
        return cudaErrorInvalidConfiguration;
    int most = 0;
    if (f.fn_cuKernelGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, device) == CUDA_SUCCESS &&
        threads > std::uint64_t(most))
        return cudaErrorLaunchOutOfResources;
    return cudaErrorInvalidValue;
}

namespace {

void check_shared(std::size_t shared) { require(shared <= UINT_MAX); }

} // namespace

WL_STREAM_RUNTIME(cudaLaunchKernel, _ptsz,
                  (const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, Stream stream),
                  (function, grid, block, arguments, shared, stream)) {
    return call<PerThread>([&](const Functions& f) {
        check_shared(shared);
        return launch(f, resolve_kernel(f, function), grid, block, arguments, shared, stream);
    });
}

WL_STREAM_RUNTIME(cudaLaunchCooperativeKernel, _ptsz,
                  (const void* function, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, Stream stream),
                  (function, grid, block, arguments, shared, stream)) {
    return call<PerThread>([&](const Functions& f) {
        check_shared(shared);
        const KernelHandle kernel = resolve_kernel(f, function);
        const CUresult code =
            f.fn_cuLaunchCooperativeKernel(reinterpret_cast<CUfunction>(kernel), grid.x, grid.y, grid.z, block.x,
                                           block.y, block.z, static_cast<unsigned>(shared), stream, arguments);
        return code == CUDA_SUCCESS ? cudaSuccess : launch_error(f, code, kernel, grid, block);
    });
}

WL_STREAM_RUNTIME(cudaLaunchKernelExC, _ptsz,
                  (const LaunchConfiguration* configuration, const void* function, void** arguments),
                  (configuration, function, arguments)) {
    return call<PerThread>([&](const Functions& f) {
        require(configuration && (configuration->attributes || configuration->attribute_count == 0));
        check_shared(configuration->shared);
        const KernelHandle kernel = resolve_kernel(f, function);
        CUlaunchConfig config = driver_configuration(*configuration);
        const CUresult code = f.fn_cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr);
        return code == CUDA_SUCCESS ? cudaSuccess
                                    : launch_error(f, code, kernel, configuration->grid, configuration->block);
    });
}

WL_RUNTIME(cudaLaunchCooperativeKernelMultiDevice, (MultiDeviceLaunch * launches, unsigned count, unsigned flags)) {
    return call([&](const Functions& f) {
        require(launches && count > 0);
        std::vector<CUDA_LAUNCH_PARAMS> all;
        for (unsigned i = 0; i < count; ++i) {
            const MultiDeviceLaunch& one = launches[i];
            CUcontext context = nullptr;
            check(f.fn_cuStreamGetCtx(one.stream, &context));
            check(f.fn_cuCtxPushCurrent(context));
            CUfunction function = nullptr;
            const Error error =
                guarded([&] { return f.fn_cuKernelGetFunction(&function, resolve_kernel(f, one.function)); });
            (void)f.fn_cuCtxPopCurrent(&context);
            check(error);
            all.push_back({function, one.grid.x, one.grid.y, one.grid.z, one.block.x, one.block.y, one.block.z,
                           static_cast<unsigned>(one.shared), one.stream, one.arguments});
        }
        return f.fn_cuLaunchCooperativeKernelMultiDevice(all.data(), count, flags);
    });
}

WL_STREAM_RUNTIME(cudaLaunchHostFunc, _ptsz, (Stream stream, CUhostFn function, void* data), (stream, function, data)) {
    return call<PerThread>([&](const Functions& f) { return f.fn_cuLaunchHostFunc(stream, function, data); });
}

// Removed since 12.9; they were about devices that know no double.
WL_RUNTIME(cudaSetDoubleForDevice, (double*)) { return cudaSuccess; }
WL_RUNTIME(cudaSetDoubleForHost, (double*)) { return cudaSuccess; }

} // namespace warplight::runtime_api
