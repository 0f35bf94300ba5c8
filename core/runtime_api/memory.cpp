// SPDX-License-Identifier: Apache-2.0
// Memory of the device and of the host.
#include "runtime_api/contexts.hpp"
#include "runtime_api/registry.hpp"

#include <vector>

namespace warplight::runtime_api {

namespace {
constexpr unsigned kElement = 4; ///< bytes that a thread reads at once, for the pitch
} // namespace

WL_RUNTIME(cudaMalloc, (void** pointer, std::size_t size)) {
    return call([&](const Functions& f) {
        unload_removed(f);
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemAlloc(address(pointer), size);
    });
}

WL_RUNTIME(cudaFree, (void* pointer)) {
    return call([&](const Functions& f) { return pointer ? f.fn_cuMemFree(address(pointer)) : CUDA_SUCCESS; });
}

WL_RUNTIME(cudaMallocHost, (void** pointer, std::size_t size)) {
    return call([&](const Functions& f) {
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemHostAlloc(pointer, size, 0);
    });
}
WL_RUNTIME(cudaHostAlloc, (void** pointer, std::size_t size, unsigned flags)) {
    return call([&](const Functions& f) {
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemHostAlloc(pointer, size, flags);
    });
}
WL_RUNTIME(cudaFreeHost, (void* pointer)) {
    return call([&](const Functions& f) { return pointer ? f.fn_cuMemFreeHost(pointer) : CUDA_SUCCESS; });
}
WL_RUNTIME(cudaHostRegister, (void* pointer, std::size_t size, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuMemHostRegister(pointer, size, flags); });
}
WL_RUNTIME(cudaHostUnregister, (void* pointer)) {
    return call([&](const Functions& f) { return f.fn_cuMemHostUnregister(pointer); });
}
WL_RUNTIME(cudaHostGetDevicePointer, (void** device, void* host, unsigned flags)) {
    return call([&](const Functions& f) {
        require(device);
        return f.fn_cuMemHostGetDevicePointer(address(device), host, flags);
    });
}
WL_RUNTIME(cudaHostGetFlags, (unsigned* flags, void* host)) {
    return call([&](const Functions& f) {
        require(flags);
        return f.fn_cuMemHostGetFlags(flags, host);
    });
}

WL_RUNTIME(cudaMallocManaged, (void** pointer, std::size_t size, unsigned flags)) {
    return call([&](const Functions& f) {
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemAllocManaged(address(pointer), size, flags);
    });
}

WL_RUNTIME(cudaMallocPitch, (void** pointer, std::size_t* pitch, std::size_t width, std::size_t height)) {
    return call([&](const Functions& f) {
        require(pointer && pitch);
        if (width == 0 || height == 0) {
            *pointer = nullptr;
            *pitch = 0;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemAllocPitch(address(pointer), pitch, width, height, kElement);
    });
}
WL_RUNTIME(cudaMalloc3D, (PitchedPointer * result, Extent extent)) {
    return call([&](const Functions& f) {
        require(result);
        *result = {nullptr, 0, extent.width, extent.height};
        if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return CUDA_SUCCESS;
        require(extent.height <= SIZE_MAX / extent.depth, cudaErrorMemoryAllocation);
        return f.fn_cuMemAllocPitch(address(&result->pointer), &result->pitch, extent.width,
                                    extent.height * extent.depth, kElement);
    });
}

WL_RUNTIME(cudaMemGetInfo, (std::size_t* free, std::size_t* total)) {
    return call([&](const Functions& f) {
        std::size_t some = 0;
        return f.fn_cuMemGetInfo(free ? free : &some, total ? total : &some);
    });
}

WL_RUNTIME(cudaMemRangeGetAttribute,
           (void* data, std::size_t size, int attribute, const void* pointer, std::size_t count)) {
    return call([&](const Functions& f) {
        return f.fn_cuMemRangeGetAttribute(data, size, static_cast<CUmem_range_attribute>(attribute), address(pointer),
                                           count);
    });
}
WL_RUNTIME(cudaMemRangeGetAttributes, (void** data, std::size_t* sizes, int* attributes, std::size_t number,
                                       const void* pointer, std::size_t count)) {
    return call([&](const Functions& f) {
        return f.fn_cuMemRangeGetAttributes(data, sizes, reinterpret_cast<CUmem_range_attribute*>(attributes), number,
                                            address(pointer), count);
    });
}

WL_STREAM_RUNTIME(cudaStreamAttachMemAsync, _ptsz, (Stream stream, void* pointer, std::size_t size, unsigned flags),
                  (stream, pointer, size, flags)) {
    return call<PerThread>(
        [&](const Functions& f) { return f.fn_cuStreamAttachMemAsync(stream, address(pointer), size, flags); });
}

} // namespace warplight::runtime_api
