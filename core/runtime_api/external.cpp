// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores of other interfaces, and their resources. Only GPUs have these.
#include "runtime_api/channel_format.hpp"

#include <algorithm>

namespace warplight::runtime_api {

WL_RUNTIME(cudaImportExternalMemory, (CUexternalMemory * memory, const void* handle)) {
    return call([&](const Functions& f) {
        require(memory && handle);
        return f.fn_cuImportExternalMemory(memory, handle);
    });
}
WL_RUNTIME(cudaExternalMemoryGetMappedBuffer, (void** pointer, CUexternalMemory memory, const void* buffer)) {
    return call([&](const Functions& f) {
        require(pointer && buffer);
        require(memory, cudaErrorInvalidResourceHandle);
        return f.fn_cuExternalMemoryGetMappedBuffer(reinterpret_cast<CUdeviceptr*>(pointer), memory, buffer);
    });
}

namespace {
/// cudaExternalMemoryMipmappedArrayDesc without what 13 has behind it.
struct MappedArray {
    unsigned long long offset;
    ChannelFormat format;
    Extent extent;
    unsigned flags, levels;
};
} // namespace

WL_RUNTIME(cudaExternalMemoryGetMappedMipmappedArray,
           (MipmappedArray * result, CUexternalMemory memory, const MappedArray* array)) {
    return call([&](const Functions& f) {
        require(result && array);
        require(memory, cudaErrorInvalidResourceHandle);
        const DriverFormat format = driver_format(array->format);
        CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC d{};
        d.offset = array->offset;
        d.arrayDesc.Width = array->extent.width;
        d.arrayDesc.Height = array->extent.height;
        d.arrayDesc.Depth = array->extent.depth;
        d.arrayDesc.Format = format.format;
        d.arrayDesc.NumChannels = format.channels;
        d.arrayDesc.Flags = array->flags;
        d.numLevels = array->levels;
        return f.fn_cuExternalMemoryGetMappedMipmappedArray(result, memory, &d);
    });
}
WL_RUNTIME(cudaDestroyExternalMemory, (CUexternalMemory memory)) {
    return call([&](const Functions& f) {
        require(memory, cudaErrorInvalidResourceHandle);
        return f.fn_cuDestroyExternalMemory(memory);
    });
}
WL_RUNTIME(cudaImportExternalSemaphore, (CUexternalSemaphore * semaphore, const void* handle)) {
    return call([&](const Functions& f) {
        require(semaphore && handle);
        return f.fn_cuImportExternalSemaphore(semaphore, handle);
    });
}
WL_RUNTIME(cudaDestroyExternalSemaphore, (CUexternalSemaphore semaphore)) {
    return call([&](const Functions& f) {
        require(semaphore, cudaErrorInvalidResourceHandle);
        return f.fn_cuDestroyExternalSemaphore(semaphore);
    });
}

// Resources of graphics interfaces, which other functions register.
namespace {
void check_resource(CUgraphicsResource resource) { require(resource, cudaErrorInvalidResourceHandle); }
void check_resources(int count, const CUgraphicsResource* resources) {
    require(count >= 0 && (resources || count == 0));
    std::for_each_n(resources, count, check_resource);
}
} // namespace

WL_RUNTIME(cudaGraphicsUnregisterResource, (CUgraphicsResource resource)) {
    return call([&](const Functions& f) {
        check_resource(resource);
        return f.fn_cuGraphicsUnregisterResource(resource);
    });
}
WL_RUNTIME(cudaGraphicsResourceSetMapFlags, (CUgraphicsResource resource, unsigned flags)) {
    return call([&](const Functions& f) {
        check_resource(resource);
        return f.fn_cuGraphicsResourceSetMapFlags(resource, flags);
    });
}
WL_RUNTIME(cudaGraphicsMapResources, (int count, CUgraphicsResource* resources, Stream stream)) {
    return call([&](const Functions& f) {
        check_resources(count, resources);
        return f.fn_cuGraphicsMapResources(static_cast<unsigned>(count), resources, stream);
    });
}
WL_RUNTIME(cudaGraphicsUnmapResources, (int count, CUgraphicsResource* resources, Stream stream)) {
    return call([&](const Functions& f) {
        check_resources(count, resources);
        return f.fn_cuGraphicsUnmapResources(static_cast<unsigned>(count), resources, stream);
    });
}
WL_RUNTIME(cudaGraphicsResourceGetMappedPointer, (void** pointer, std::size_t* size, CUgraphicsResource resource)) {
    return call([&](const Functions& f) {
        check_resource(resource);
        return f.fn_cuGraphicsResourceGetMappedPointer(reinterpret_cast<CUdeviceptr*>(pointer), size, resource);
    });
}
WL_RUNTIME(cudaGraphicsSubResourceGetMappedArray,
           (Array * array, CUgraphicsResource resource, unsigned index, unsigned level)) {
    return call([&](const Functions& f) {
        check_resource(resource);
        return f.fn_cuGraphicsSubResourceGetMappedArray(array, resource, index, level);
    });
}
WL_RUNTIME(cudaGraphicsResourceGetMappedMipmappedArray, (MipmappedArray * array, CUgraphicsResource resource)) {
    return call([&](const Functions& f) {
        check_resource(resource);
        return f.fn_cuGraphicsResourceGetMappedMipmappedArray(array, resource);
    });
}

} // namespace warplight::runtime_api
