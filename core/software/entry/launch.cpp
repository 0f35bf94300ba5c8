// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"

#include "../runtime/event.hpp"
#include "../runtime/launch.hpp"

#include <algorithm>

using namespace warplight::software;

namespace {

void submit(Context& context, Stream& stream, LaunchRequest request) {
    require(&request.function.module->context == &context, CUDA_ERROR_INVALID_HANDLE);
    check_launch(request);
    // Compiled here and now, so that what cannot be compiled is this call's error.
    (void)request.function.function->compiled();
    stream.enqueue([&context, request = std::make_shared<const LaunchRequest>(std::move(request))] {
        run_launch(context, *request);
    });
}

CUresult launch(CUfunction f, std::array<unsigned, 3> grid, std::array<unsigned, 3> block, unsigned shared,
                CUstream hStream, void** parameters, void** extra, bool cooperative) {
    return enter([&] {
        Context& context = current_context();
        require(f, CUDA_ERROR_INVALID_HANDLE);
        LaunchRequest request;
        request.function = function_of(f);
        const auto stream = stream_of(context, hStream);
        request.grid = grid;
        request.block = block;
        request.dynamic_shared = shared;
        request.cooperative = cooperative;
        request.parameters = pack_parameters(*request.function.function, parameters, extra);
        submit(context, *stream, std::move(request));
    });
}

CUresult launch_legacy(CUfunction f, int width, int height, CUstream hStream) {
    return enter([&] {
        Context& context = current_context();
        LaunchRequest request;
        request.function = function_of(f);
        const auto stream = stream_of(context, hStream);
        Function& function = *request.function.function;
        require(width > 0 && height > 0);
        request.grid = {static_cast<unsigned>(width), static_cast<unsigned>(height), 1};
        request.block = function.legacy_block;
        request.dynamic_shared = function.legacy_shared;
        std::size_t size = function.legacy_parameters.size();
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, function.legacy_parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                         &size, CU_LAUNCH_PARAM_END};
        request.parameters = pack_parameters(function, nullptr, extra);
        submit(context, *stream, std::move(request));
    });
}

// Numbers of CUlaunchAttributeID.
constexpr int kIgnore = 0, kAccessPolicyWindow = 1, kCooperative = 2, kClusterDimension = 4, kClusterPolicy = 5,
              kProgrammaticSerialization = 6, kProgrammaticEvent = 7, kPriority = 8, kMemSyncDomainMap = 9,
              kMemSyncDomain = 10, kPreferredCluster = 11, kCompletionEvent = 12, kCarveout = 14;

} // namespace

WL_STREAM_ENTRY(cuLaunchKernel, _ptsz, 4000,
                (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                 CUstream hStream, void** kernelParams, void** extra),
                (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                 kernelParams, extra)) {
    return launch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, hStream,
                  kernelParams, extra, false);
}

WL_STREAM_ENTRY(cuLaunchCooperativeKernel, _ptsz, 9000,
                (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                 CUstream hStream, void** kernelParams),
                (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                 kernelParams)) {
    return launch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, hStream,
                  kernelParams, nullptr, true);
}

WL_STREAM_ENTRY(cuLaunchKernelEx, _ptsz, 11060,
                (const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra),
                (config, f, kernelParams, extra)) {
    if (!config) return initialised() ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_INITIALIZED;
    if (config->numAttrs > 0 && !config->attrs) return CUDA_ERROR_INVALID_VALUE;
    bool cooperative = false;
    CUevent completion = nullptr;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const CUlaunchAttribute& a = config->attrs[i];
        switch (static_cast<int>(a.id)) {
        case kCooperative: cooperative = a.value.cooperative != 0; break;
        case kClusterDimension:
            if (a.value.clusterDim.x > 1 || a.value.clusterDim.y > 1 || a.value.clusterDim.z > 1) {
                return CUDA_ERROR_INVALID_CLUSTER_SIZE;
            }
            break;
        // Hints, and permissions to begin early that need not be used.
        case kIgnore:
        case kAccessPolicyWindow:
        case kClusterPolicy:
        case kProgrammaticSerialization:
        case kPriority:
        case kMemSyncDomainMap:
        case kMemSyncDomain:
        case kPreferredCluster:
        case kCarveout: break;
        case kProgrammaticEvent: completion = a.value.programmaticEvent.event; break;
#if CUDA_VERSION >= 12030
        case kCompletionEvent: completion = a.value.launchCompletionEvent.event; break;
#endif
        default: return CUDA_ERROR_NOT_SUPPORTED;
        }
    }
    const CUresult result = launch(f, {config->gridDimX, config->gridDimY, config->gridDimZ},
                                   {config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes,
                                   config->hStream, kernelParams, extra, cooperative);
    if (result != CUDA_SUCCESS || !completion) return result;
    return enter([&] { handles<Event>().get(completion)->record(*stream_of(current_context(), config->hStream)); });
}

WL_ENTRY(cuLaunch, 2000, (CUfunction f)) { return launch_legacy(f, 1, 1, nullptr); }
WL_ENTRY(cuLaunchGrid, 2000, (CUfunction f, int grid_width, int grid_height)) {
    return launch_legacy(f, grid_width, grid_height, nullptr);
}
WL_ENTRY(cuLaunchGridAsync, 2000, (CUfunction f, int grid_width, int grid_height, CUstream hStream)) {
    return launch_legacy(f, grid_width, grid_height, hStream);
}
