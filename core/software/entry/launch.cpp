// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/capture.hpp"
#include "../runtime/event.hpp"
#include "../runtime/launch.hpp"
#include "../runtime/launch_memory.hpp"
#include "../runtime/launch_snapshot.hpp"
#include "../runtime/library.hpp"
#include "../runtime/summary.hpp"

#include <algorithm>

using namespace warplight::software;

namespace {

// Numbers of CUlaunchAttributeID.
constexpr int kIgnore = 0, kAccessPolicyWindow = 1, kCooperative = 2, kClusterDimension = 4, kClusterPolicy = 5,
              kProgrammaticSerialization = 6, kProgrammaticEvent = 7, kPriority = 8, kMemSyncDomainMap = 9,
              kMemSyncDomain = 10, kPreferredCluster = 11, kCompletionEvent = 12, kCarveout = 14,
              kNvlinkScheduling = 16, kMostAttributes = 63;

void submit(Context& context, Stream& stream, LaunchRequest request, CUfunction handle,
            LaunchAttributes attributes = {}) {
    require(&request.function.module->context == &context, CUDA_ERROR_INVALID_HANDLE);
    check_launch(request);
    // Compiled now, so that a kernel that cannot be compiled is this call's error.
    (void)kernel_for(request);
    if (stream.capturing()) {
        CUlaunchAttributeValue priority{};
        priority.priority = stream.priority;
        attributes.try_emplace(kPriority, priority);
        capture_node(stream, kernel_content(std::move(request), handle, std::move(attributes)));
        return;
    }
    auto launch = [&context, asked = std::move(request), waiting = summary::waiting()] {
        run_launch_with_snapshot(context, asked);
    };
    static_assert(sizeof launch <= Task::kBytes);
    stream.post(std::move(launch));
}

CUresult launch(CUfunction f, std::array<unsigned, 3> grid, std::array<unsigned, 3> block, unsigned shared,
                CUstream hStream, void** parameters, void** extra, bool cooperative) {
    return enter([&] {
        require(f, CUDA_ERROR_INVALID_HANDLE);
        const auto stream = any_stream(hStream);
        LaunchRequest request;
        request.function = function_of(f);
        request.grid = grid;
        request.block = block;
        request.dynamic_shared = shared;
        request.cooperative = cooperative;
        request.parameters = pack_parameters(*request.function.function, parameters, extra);
        submit(stream->context(), *stream, std::move(request), f);
    });
}

CUresult launch_legacy(CUfunction f, int width, int height, CUstream hStream) {
    return enter([&] {
        forbid_unsafe_call(); // the function's own state is used
        Context& context = current_context();
        LaunchRequest request;
        request.function = function_of(f);
        const auto stream = stream_of(context, hStream);
        Function& function = *request.function.function;
        require(width > 0 && height > 0);
        request.grid = {static_cast<unsigned>(width), static_cast<unsigned>(height), 1};
        Function::Legacy legacy = function.legacy();
        request.block = legacy.block;
        request.dynamic_shared = legacy.shared;
        std::size_t size = legacy.parameters.size();
        void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, legacy.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         CU_LAUNCH_PARAM_END};
        request.parameters = pack_parameters(function, nullptr, extra);
        submit(context, *stream, std::move(request), f);
    });
}

} // namespace

namespace warplight::software {

void check_launch_attribute(int attribute, const CUlaunchAttributeValue& value) {
    switch (attribute) {
    case kClusterDimension: return; // the kernel and the grid decide
    case kClusterPolicy:
        require(static_cast<int>(value.clusterSchedulingPolicyPreference) >= 0 &&
                static_cast<int>(value.clusterSchedulingPolicyPreference) <= 2);
        return;
    // Hints, and permissions to begin early that need not be used.
    case kIgnore:
    case kAccessPolicyWindow:
    case kCooperative:
    case kProgrammaticSerialization:
    case kPriority:
    case kMemSyncDomainMap:
    case kMemSyncDomain:
    case kPreferredCluster:
    case kNvlinkScheduling:
    case kProgrammaticEvent:
    case kCompletionEvent: return;
#if CUDA_VERSION >= 12050
    case kCarveout: require(value.sharedMemCarveout <= 100 || value.sharedMemCarveout == ~0U); return;
#else
    case kCarveout: return;
#endif
    default: break;
    }
    // Attributes of newer drivers have numbers of their own.
    if (attribute < 0 || attribute > kMostAttributes) fail(CUDA_ERROR_INVALID_VALUE, "no attribute of launches");
    fail(CUDA_ERROR_NOT_SUPPORTED, "launches do not know this attribute");
}

} // namespace warplight::software

WL_STREAM_ENTRY(cuLaunchKernel, _ptsz,
                (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                 CUstream hStream, void** kernelParams, void** extra),
                (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                 kernelParams, extra)) {
    return launch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, hStream,
                  kernelParams, extra, false);
}

WL_STREAM_ENTRY(cuLaunchCooperativeKernel, _ptsz,
                (CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                 unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                 CUstream hStream, void** kernelParams),
                (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                 kernelParams)) {
    return launch(f, {gridDimX, gridDimY, gridDimZ}, {blockDimX, blockDimY, blockDimZ}, sharedMemBytes, hStream,
                  kernelParams, nullptr, true);
}

WL_STREAM_ENTRY(cuLaunchKernelEx, _ptsz,
                (const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra),
                (config, f, kernelParams, extra)) {
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    if (config->numAttrs > 0 && !config->attrs) return CUDA_ERROR_INVALID_VALUE;
    return enter([&] {
        require(f, CUDA_ERROR_INVALID_HANDLE);
        const auto stream = any_stream(config->hStream);
        LaunchRequest request;
        request.function = function_of(f);
        require(&request.function.module->context == &stream->context(), CUDA_ERROR_INVALID_HANDLE);
        LaunchAttributes attributes;
        std::shared_ptr<Event> completion;
        for (unsigned i = 0; i < config->numAttrs; ++i) {
            const CUlaunchAttribute& a = config->attrs[i];
            const int id = static_cast<int>(a.id);
            check_launch_attribute(id, a.value);
            switch (id) {
            case kIgnore: continue;
            case kCooperative: request.cooperative = a.value.cooperative != 0; break;
            case kClusterDimension:
                request.cluster = std::array{a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z};
                break;
            case kProgrammaticEvent: completion = handles<Event>().get(a.value.programmaticEvent.event); continue;
#if CUDA_VERSION >= 12030
            case kCompletionEvent: completion = handles<Event>().get(a.value.launchCompletionEvent.event); continue;
#endif
            default: break;
            }
            attributes[id] = a.value;
        }
        request.grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
        request.block = {config->blockDimX, config->blockDimY, config->blockDimZ};
        request.dynamic_shared = config->sharedMemBytes;
        request.parameters = pack_parameters(*request.function.function, kernelParams, extra);
        submit(stream->context(), *stream, std::move(request), f, std::move(attributes));
        if (!completion) return;
        if (stream->capturing())
            capture_record(*stream, *completion);
        else
            completion->record(*stream);
    });
}

WL_ENTRY(cuLaunch, (CUfunction f)) { return launch_legacy(f, 1, 1, nullptr); }
WL_ENTRY(cuLaunchGrid, (CUfunction f, int grid_width, int grid_height)) {
    return launch_legacy(f, grid_width, grid_height, nullptr);
}
WL_ENTRY(cuLaunchGridAsync, (CUfunction f, int grid_width, int grid_height, CUstream hStream)) {
    return launch_legacy(f, grid_width, grid_height, hStream);
}
