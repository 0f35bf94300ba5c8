// SPDX-License-Identifier: Apache-2.0
// What is asked of kernels, libraries of code, and the driver's own functions.
#include "runtime_api/contexts.hpp"
#include "runtime_api/launch.hpp"
#include "runtime_api/registry.hpp"

namespace warplight::runtime_api {

namespace {

CUfunction function_of(const Functions& f, const void* function) {
    return reinterpret_cast<CUfunction>(resolve_kernel(f, function));
}

/// The number of this thread's device, which the driver takes as its handle.
int device_here(const Functions& f) {
    CUdevice device = 0;
    check(f.fn_cuCtxGetDevice(&device));
    return device;
}

} // namespace

void function_attributes(const Functions& f, FunctionAttributes& attributes, const void* function) {
    const KernelHandle kernel = resolve_kernel(f, function);
    const int device = device_here(f);
    const auto get = [&](int attribute, bool needed = true) {
        int value = 0;
        const CUresult code =
            f.fn_cuKernelGetAttribute(&value, static_cast<CUfunction_attribute>(attribute), kernel, device);
        if (needed) check(code);
        return code == CUDA_SUCCESS ? value : 0;
    };
    attributes = {};
    attributes.max_threads = get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    attributes.shared = static_cast<std::size_t>(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
    attributes.constant = static_cast<std::size_t>(get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES));
    attributes.local = static_cast<std::size_t>(get(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
    attributes.registers = get(CU_FUNC_ATTRIBUTE_NUM_REGS);
    attributes.ptx_version = get(CU_FUNC_ATTRIBUTE_PTX_VERSION);
    attributes.binary_version = get(CU_FUNC_ATTRIBUTE_BINARY_VERSION);
    attributes.cache_mode_ca = get(CU_FUNC_ATTRIBUTE_CACHE_MODE_CA);
    attributes.max_dynamic_shared = get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    attributes.preferred_carveout = get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT);
    attributes.cluster_must_be_set = get(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, false);
    attributes.cluster_width = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, false);
    attributes.cluster_height = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, false);
    attributes.cluster_depth = get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, false);
    attributes.non_portable_cluster = get(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, false);
    attributes.cluster_policy = get(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, false);
}

WL_RUNTIME(cudaFuncSetAttribute, (const void* function, int attribute, int value)) {
    return call([&](const Functions& f) {
        // The others are the kernel's own.
        require(attribute >= CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES &&
                attribute <= CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
        const KernelHandle kernel = resolve_kernel(f, function);
        return f.fn_cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, kernel, device_here(f));
    });
}
WL_RUNTIME(cudaKernelSetAttributeForDevice, (KernelHandle kernel, int attribute, int value, int device)) {
    return call([&](const Functions& f) {
        check(check_device(f, device));
        return f.fn_cuKernelSetAttribute(static_cast<CUfunction_attribute>(attribute), value, resolve_kernel(f, kernel),
                                         device);
    });
}
WL_RUNTIME(cudaFuncSetCacheConfig, (const void* function, int config)) {
    return call([&](const Functions& f) {
        return f.fn_cuKernelSetCacheConfig(resolve_kernel(f, function), static_cast<CUfunc_cache>(config),
                                           device_here(f));
    });
}
WL_RUNTIME(cudaFuncSetSharedMemConfig, (const void* function, int config)) {
    return call([&](const Functions& f) {
        CUfunction its = nullptr;
        check(f.fn_cuKernelGetFunction(&its, resolve_kernel(f, function)));
        return f.fn_cuFuncSetSharedMemConfig(its, static_cast<CUsharedconfig>(config));
    });
}
WL_RUNTIME(cudaFuncGetName, (const char** name, const void* function)) {
    return call([&](const Functions& f) {
        require(name);
        return f.fn_cuKernelGetName(name, resolve_kernel(f, function));
    });
}
WL_RUNTIME(cudaFuncGetParamInfo, (const void* function, std::size_t index, std::size_t* offset, std::size_t* size)) {
    return call([&](const Functions& f) {
        return f.fn_cuKernelGetParamInfo(resolve_kernel(f, function), index, offset, size);
    });
}

WL_RUNTIME(cudaGetFuncBySymbol, (CUfunction * result, const void* symbol)) {
    return call([&](const Functions& f) {
        require(result);
        Kernel* const kernel = find_kernel(symbol);
        require(kernel, cudaErrorInvalidDeviceFunction);
        return f.fn_cuKernelGetFunction(result, handle_of(f, *kernel));
    });
}
WL_RUNTIME(cudaGetKernel, (KernelHandle * result, const void* function)) {
    return call([&](const Functions& f) {
        require(result);
        Kernel* const kernel = find_kernel(function);
        require(kernel, cudaErrorInvalidDeviceFunction);
        *result = handle_of(f, *kernel);
        note_handle(*result, kernel->owner->library.load());
        return cudaSuccess;
    });
}

// How many blocks fit.
WL_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
           (int* blocks, const void* function, int size, std::size_t shared)) {
    return call([&](const Functions& f) {
        return f.fn_cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function_of(f, function), size, shared);
    });
}
WL_RUNTIME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
           (int* blocks, const void* function, int size, std::size_t shared, unsigned flags)) {
    return call([&](const Functions& f) {
        return f.fn_cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function_of(f, function), size, shared,
                                                                         flags);
    });
}
WL_RUNTIME(cudaOccupancyAvailableDynamicSMemPerBlock,
           (std::size_t* shared, const void* function, int blocks, int size)) {
    return call([&](const Functions& f) {
        return f.fn_cuOccupancyAvailableDynamicSMemPerBlock(shared, function_of(f, function), blocks, size);
    });
}
WL_RUNTIME(cudaOccupancyMaxPotentialClusterSize,
           (int* size, const void* function, const LaunchConfiguration* configuration)) {
    return call([&](const Functions& f) {
        require(configuration);
        const CUlaunchConfig config = driver_configuration(*configuration);
        return f.fn_cuOccupancyMaxPotentialClusterSize(size, function_of(f, function), &config);
    });
}
WL_RUNTIME(cudaOccupancyMaxActiveClusters,
           (int* count, const void* function, const LaunchConfiguration* configuration)) {
    return call([&](const Functions& f) {
        require(configuration);
        const CUlaunchConfig config = driver_configuration(*configuration);
        return f.fn_cuOccupancyMaxActiveClusters(count, function_of(f, function), &config);
    });
}

// Libraries of code, which programs load themselves. Their options have the driver's numbers.
WL_RUNTIME(cudaLibraryLoadData, (LibraryHandle * library, const void* code, CUjit_option* options, void** values,
                                 unsigned count, int* library_options, void** library_values, unsigned library_count)) {
    return call([&](const Functions& f) {
        return f.fn_cuLibraryLoadData(library, code, options, values, count, library_options, library_values,
                                      library_count);
    });
}
WL_RUNTIME(cudaLibraryLoadFromFile,
           (LibraryHandle * library, const char* name, CUjit_option* options, void** values, unsigned count,
            int* library_options, void** library_values, unsigned library_count)) {
    return call([&](const Functions& f) {
        return f.fn_cuLibraryLoadFromFile(library, name, options, values, count, library_options, library_values,
                                          library_count);
    });
}
WL_RUNTIME(cudaLibraryUnload, (LibraryHandle library)) {
    return call([&](const Functions& f) {
        const CUresult code = f.fn_cuLibraryUnload(library);
        if (code == CUDA_SUCCESS) forget_handles(library);
        return code;
    });
}
WL_RUNTIME(cudaLibraryGetKernel, (KernelHandle * kernel, LibraryHandle library, const char* name)) {
    return call([&](const Functions& f) {
        const CUresult code = f.fn_cuLibraryGetKernel(kernel, library, name);
        if (code == CUDA_SUCCESS) note_handle(*kernel, library);
        return code;
    });
}
WL_RUNTIME(cudaLibraryGetKernelCount, (unsigned* count, LibraryHandle library)) {
    return call([&](const Functions& f) { return f.fn_cuLibraryGetKernelCount(count, library); });
}
WL_RUNTIME(cudaLibraryEnumerateKernels, (KernelHandle * kernels, unsigned count, LibraryHandle library)) {
    return call([&](const Functions& f) {
        unsigned there = 0;
        check(f.fn_cuLibraryGetKernelCount(&there, library));
        check(f.fn_cuLibraryEnumerateKernels(kernels, count, library));
        for (unsigned i = 0; i < count && i < there; ++i)
            note_handle(kernels[i], library);
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaLibraryGetGlobal, (void** pointer, std::size_t* size, LibraryHandle library, const char* name)) {
    return call([&](const Functions& f) {
        return f.fn_cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr*>(pointer), size, library, name);
    });
}
WL_RUNTIME(cudaLibraryGetManaged, (void** pointer, std::size_t* size, LibraryHandle library, const char* name)) {
    return call([&](const Functions& f) {
        return f.fn_cuLibraryGetManaged(reinterpret_cast<CUdeviceptr*>(pointer), size, library, name);
    });
}
WL_RUNTIME(cudaLibraryGetUnifiedFunction, (void** function, LibraryHandle library, const char* symbol)) {
    return call([&](const Functions& f) { return f.fn_cuLibraryGetUnifiedFunction(function, library, symbol); });
}

} // namespace warplight::runtime_api
