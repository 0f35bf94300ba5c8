// SPDX-License-Identifier: Apache-2.0
// Pools of memory, and memory that is allocated in the order of a stream.
#include "runtime_api/contexts.hpp"

namespace warplight::runtime_api {

WL_STREAM_RUNTIME(cudaMallocAsync, _ptsz, (void** pointer, std::size_t size, Stream stream), (pointer, size, stream)) {
    return call<PerThread>([&](const Functions& f) {
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemAllocAsync(address(pointer), size, stream);
    });
}
WL_STREAM_RUNTIME(cudaFreeAsync, _ptsz, (void* pointer, Stream stream), (pointer, stream)) {
    return call<PerThread>(
        [&](const Functions& f) { return pointer ? f.fn_cuMemFreeAsync(address(pointer), stream) : CUDA_SUCCESS; });
}
WL_STREAM_RUNTIME(cudaMallocFromPoolAsync, _ptsz, (void** pointer, std::size_t size, MemoryPool pool, Stream stream),
                  (pointer, size, pool, stream)) {
    return call<PerThread>([&](const Functions& f) {
        require(pointer);
        if (size == 0) {
            *pointer = nullptr;
            return CUDA_SUCCESS;
        }
        return f.fn_cuMemAllocFromPoolAsync(address(pointer), size, pool, stream);
    });
}

WL_RUNTIME(cudaDeviceGetDefaultMemPool, (MemoryPool * pool, int device)) {
    return query([&](const Functions& f) {
        require(pool);
        check(check_device(f, device));
        return f.fn_cuDeviceGetDefaultMemPool(pool, device);
    });
}
WL_RUNTIME(cudaDeviceGetMemPool, (MemoryPool * pool, int device)) {
    return query([&](const Functions& f) {
        require(pool);
        check(check_device(f, device));
        return f.fn_cuDeviceGetMemPool(pool, device);
    });
}
WL_RUNTIME(cudaDeviceSetMemPool, (int device, MemoryPool pool)) {
    return query([&](const Functions& f) {
        check(check_device(f, device));
        return f.fn_cuDeviceSetMemPool(device, pool);
    });
}

WL_RUNTIME(cudaMemPoolCreate, (MemoryPool * pool, const CUmemPoolProps* properties)) {
    return call([&](const Functions& f) {
        require(pool && properties);
        return f.fn_cuMemPoolCreate(pool, properties);
    });
}
WL_RUNTIME(cudaMemPoolDestroy, (MemoryPool pool)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolDestroy(pool); });
}
WL_RUNTIME(cudaMemPoolTrimTo, (MemoryPool pool, std::size_t kept)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolTrimTo(pool, kept); });
}
WL_RUNTIME(cudaMemPoolSetAttribute, (MemoryPool pool, int attribute, void* value)) {
    return call([&](const Functions& f) {
        return f.fn_cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
    });
}
WL_RUNTIME(cudaMemPoolGetAttribute, (MemoryPool pool, int attribute, void* value)) {
    return call([&](const Functions& f) {
        return f.fn_cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value);
    });
}
WL_RUNTIME(cudaMemPoolSetAccess, (MemoryPool pool, const CUmemAccessDesc* access, std::size_t count)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolSetAccess(pool, access, count); });
}
WL_RUNTIME(cudaMemPoolGetAccess, (CUmemAccess_flags * flags, MemoryPool pool, CUmemLocation* location)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolGetAccess(flags, pool, location); });
}
WL_RUNTIME(cudaMemPoolExportToShareableHandle, (void* handle, MemoryPool pool, int type, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolExportToShareableHandle(handle, pool, type, flags); });
}
WL_RUNTIME(cudaMemPoolImportFromShareableHandle, (MemoryPool * pool, void* handle, int type, unsigned flags)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolImportFromShareableHandle(pool, handle, type, flags); });
}
WL_RUNTIME(cudaMemPoolExportPointer, (void* data, void* pointer)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolExportPointer(data, address(pointer)); });
}
WL_RUNTIME(cudaMemPoolImportPointer, (void** pointer, MemoryPool pool, void* data)) {
    return call([&](const Functions& f) { return f.fn_cuMemPoolImportPointer(address(pointer), pool, data); });
}
WL_RUNTIME(cudaMemGetDefaultMemPool, (MemoryPool * pool, Location* location, int type)) {
    return call([&](const Functions& f) { return f.fn_cuMemGetDefaultMemPool(pool, location, type); });
}
WL_RUNTIME(cudaMemGetMemPool, (MemoryPool * pool, Location* location, int type)) {
    return call([&](const Functions& f) { return f.fn_cuMemGetMemPool(pool, location, type); });
}
WL_RUNTIME(cudaMemSetMemPool, (Location * location, int type, MemoryPool pool)) {
    return call([&](const Functions& f) { return f.fn_cuMemSetMemPool(location, type, pool); });
}

// Batches over managed memory.
WL_STREAM_RUNTIME(cudaMemPrefetchBatchAsync, _ptsz,
                  (void** pointers, std::size_t* sizes, std::size_t count, Location* locations, std::size_t* firsts,
                   std::size_t number, unsigned long long flags, Stream stream),
                  (pointers, sizes, count, locations, firsts, number, flags, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return f.fn_cuMemPrefetchBatchAsync(address(pointers), sizes, count, locations, firsts, number, flags, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemDiscardBatchAsync, _ptsz,
                  (void** pointers, std::size_t* sizes, std::size_t count, unsigned long long flags, Stream stream),
                  (pointers, sizes, count, flags, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return f.fn_cuMemDiscardBatchAsync(address(pointers), sizes, count, flags, stream);
    });
}
WL_STREAM_RUNTIME(cudaMemDiscardAndPrefetchBatchAsync, _ptsz,
                  (void** pointers, std::size_t* sizes, std::size_t count, Location* locations, std::size_t* firsts,
                   std::size_t number, unsigned long long flags, Stream stream),
                  (pointers, sizes, count, locations, firsts, number, flags, stream)) {
    return call<PerThread>([&](const Functions& f) {
        return f.fn_cuMemDiscardAndPrefetchBatchAsync(address(pointers), sizes, count, locations, firsts, number, flags,
                                                      stream);
    });
}

} // namespace warplight::runtime_api
