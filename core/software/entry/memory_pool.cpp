// SPDX-License-Identifier: Apache-2.0
// Memory that streams take and give back in their order, and the pools that it comes from.
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/memory_pool.hpp"

#include <cstring>

using namespace warplight::software;

namespace {

constexpr int kHost = 2, kHostNumaCurrent = 4; ///< numbers of CUmemLocationType: these, and the one between
constexpr std::uint64_t kMostAddresses = std::uint64_t{1} << 47; ///< of a process

CUmemoryPool handle_of(const std::shared_ptr<MemoryPool>& pool) { return reinterpret_cast<CUmemoryPool>(pool.get()); }

std::shared_ptr<MemoryPool> pool_of(CUmemoryPool handle) {
    require(handle);
    return handles<MemoryPool>().get(handle, CUDA_ERROR_INVALID_VALUE);
}

void allocate(CUdeviceptr* dptr, std::size_t bytes, const std::shared_ptr<MemoryPool>& pool, CUstream handle) {
    const auto stream = any_stream(handle);
    const Device& owner = stream->context().device;
    require(dptr);
    if (stream->capturing()) {
        CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
        parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
        parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, pool ? pool->device : owner.ordinal};
        parameters.bytesize = bytes;
        capture_node(*stream, allocation_content(parameters));
        *dptr = parameters.dptr;
        return;
    }
    forbid_capture(*stream);
    forbid_unsafe_call();
    if (bytes == 0) {
        *dptr = 0;
        return;
    }
    // There from now on: earlier than the stream would reach it, which nobody can tell.
    *dptr = (pool ? pool : current_pool(owner))->allocate(bytes, *stream);
}

/// CUmemPoolProps, whose last members older headers call reserved.
struct Properties {
    int type;
    int handle_types;
    CUmemLocation location;
    void* security;
    std::uint64_t max_size;
    unsigned short usage;
    unsigned char reserved[54];
};
static_assert(sizeof(Properties) == sizeof(CUmemPoolProps));

} // namespace

WL_STREAM_ENTRY(cuMemAllocAsync, _ptsz, (CUdeviceptr * dptr, size_t bytesize, CUstream hStream),
                (dptr, bytesize, hStream)) {
    return enter([&] { allocate(dptr, bytesize, nullptr, hStream); });
}

WL_STREAM_ENTRY(cuMemAllocFromPoolAsync, _ptsz,
                (CUdeviceptr * dptr, size_t bytesize, CUmemoryPool pool, CUstream hStream),
                (dptr, bytesize, pool, hStream)) {
    return enter([&] { allocate(dptr, bytesize, pool_of(pool), hStream); });
}

WL_STREAM_ENTRY(cuMemFreeAsync, _ptsz, (CUdeviceptr dptr, CUstream hStream), (dptr, hStream)) {
    return enter([&] {
        const auto stream = any_stream(hStream);
        if (dptr == 0) return;
        const auto a = AddressSpace::instance().find(dptr);
        require(a && a->base == dptr);
        require(a->kind != Allocation::Kind::managed, CUDA_ERROR_NOT_SUPPORTED);
        require(a->kind == Allocation::Kind::device && (a->flags & Allocation::imported) == 0);
        if (stream->capturing()) {
            const GraphGuard guard;
            require(find_graph_memory(dptr) != nullptr); // only memory of a graph is freed by one
            capture_node(*stream, free_content(dptr));
            return;
        }
        forbid_capture(*stream);
        forbid_unsafe_call();
        if (std::shared_ptr<GraphMemory> keep; free_graph_memory(dptr, keep)) {
            stream->enqueue([keep] {}, {}, true);
            return;
        }
        if (const auto pool = ::warplight::software::pool_of(dptr)) {
            pool->release(dptr, stream->enqueue([] {}, {}, true));
            return;
        }
        require(a->context != nullptr); // of no pool, and freed already where it was one's
        stream->enqueue([dptr] { (void)AddressSpace::instance().release(dptr, Allocation::Kind::device); }, {}, true);
    });
}

WL_ENTRY(cuMemPoolCreate, (CUmemoryPool * pool, const CUmemPoolProps* poolProps)) {
    return enter([&] {
        forbid_unsafe_call();
        require(pool && poolProps);
        Properties p{};
        std::memcpy(&p, poolProps, sizeof p);
        const bool host = p.location.type >= kHost && p.location.type <= kHostNumaCurrent;
        require(p.type == CU_MEM_ALLOCATION_TYPE_PINNED && (host || p.location.type == CU_MEM_LOCATION_TYPE_DEVICE));
        require(host || (p.location.id >= 0 && p.location.id < device_count()));
        for (const unsigned char byte : p.reserved)
            require(byte == 0);
        require(p.handle_types == CU_MEM_HANDLE_TYPE_NONE ||
                p.handle_types == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        require(p.max_size <= kMostAddresses, CUDA_ERROR_OUT_OF_MEMORY);
        // Of other processes, and of the host.
        require(p.handle_types == CU_MEM_HANDLE_TYPE_NONE && !host, CUDA_ERROR_NOT_SUPPORTED);
        *pool = handle_of(create_pool(p.location.id, p.max_size));
    });
}

WL_ENTRY(cuMemPoolDestroy, (CUmemoryPool pool)) {
    return enter([&] {
        forbid_unsafe_call();
        destroy_pool(pool_of(pool));
    });
}

WL_ENTRY(cuMemPoolTrimTo, (CUmemoryPool pool, size_t minBytesToKeep)) {
    return enter([&] {
        forbid_unsafe_call();
        pool_of(pool)->trim(minBytesToKeep);
    });
}

WL_ENTRY(cuMemPoolGetAttribute, (CUmemoryPool pool, CUmemPool_attribute attr, void* value)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto p = pool_of(pool);
        require(value);
        const bool wide = MemoryPool::wide(attr);
        const std::uint64_t now = p->attribute(attr);
        const int narrow = static_cast<int>(now);
        std::memcpy(value, wide ? static_cast<const void*>(&now) : &narrow, wide ? sizeof now : sizeof narrow);
    });
}

WL_ENTRY(cuMemPoolSetAttribute, (CUmemoryPool pool, CUmemPool_attribute attr, void* value)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto p = pool_of(pool);
        require(value);
        std::uint64_t wide = 0;
        int narrow = 0;
        if (MemoryPool::wide(attr))
            std::memcpy(&wide, value, sizeof wide);
        else
            std::memcpy(&narrow, value, sizeof narrow);
        p->set_attribute(attr, MemoryPool::wide(attr) ? wide : static_cast<std::uint64_t>(narrow));
    });
}

WL_ENTRY(cuMemPoolSetAccess, (CUmemoryPool pool, const CUmemAccessDesc* map, size_t count)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto p = pool_of(pool);
        require(map != nullptr);
        for (std::size_t i = 0; i < count; ++i) {
            const auto flags = static_cast<unsigned>(map[i].flags);
            require(map[i].location.type == CU_MEM_LOCATION_TYPE_DEVICE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ,
                    CUDA_ERROR_NOT_SUPPORTED);
            require(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
            p->set_access(device(map[i].location.id).ordinal, flags);
        }
    });
}

WL_ENTRY(cuMemPoolGetAccess, (CUmemAccess_flags * flags, CUmemoryPool memPool, CUmemLocation* location)) {
    return enter([&] {
        forbid_unsafe_call();
        const auto p = pool_of(memPool);
        require(flags && location);
        const int type = location->type;
        const bool host = type >= kHost && type <= kHostNumaCurrent;
        require(host || (type == CU_MEM_LOCATION_TYPE_DEVICE && location->id >= 0 && location->id < device_count()));
        *flags = static_cast<CUmemAccess_flags>(host ? 0 : p->access(location->id));
    });
}

WL_ENTRY(cuDeviceGetDefaultMemPool, (CUmemoryPool * pool_out, CUdevice dev)) {
    return enter([&] {
        require(pool_out);
        *pool_out = handle_of(default_pool(device(dev)));
    });
}

WL_ENTRY(cuDeviceGetMemPool, (CUmemoryPool * pool, CUdevice dev)) {
    return enter([&] {
        require(pool && dev >= 0 && dev < device_count());
        *pool = handle_of(current_pool(device(dev)));
    });
}

WL_ENTRY(cuDeviceSetMemPool, (CUdevice dev, CUmemoryPool pool)) {
    return enter([&] {
        forbid_unsafe_call();
        require(dev >= 0 && dev < device_count());
        const auto p = pool_of(pool);
        require(p->device == dev);
        set_current_pool(device(dev), p);
    });
}

// No pool is made to be shared with other processes.
WL_ENTRY_SINCE(cuMemPoolExportToShareableHandle, 11020,
               (void* handle_out, CUmemoryPool pool, CUmemAllocationHandleType handleType, unsigned long long flags)) {
    return enter([&] {
        (void)pool_of(pool);
        require(handle_out && flags == 0 && handleType != CU_MEM_HANDLE_TYPE_NONE);
        fail(CUDA_ERROR_INVALID_VALUE, "the memory pool was not made to be shared");
    });
}

WL_ENTRY_SINCE(cuMemPoolExportPointer, 11020, (CUmemPoolPtrExportData * shareData_out, CUdeviceptr ptr)) {
    return enter([&] {
        require(shareData_out && ptr);
        fail(CUDA_ERROR_INVALID_VALUE, "the memory's pool was not made to be shared");
    });
}

WL_ENTRY_SINCE(cuMemPoolImportFromShareableHandle, 11020,
               (CUmemoryPool * pool_out, void* handle, CUmemAllocationHandleType handleType,
                unsigned long long flags)) {
    return enter([&] {
        (void)handle;
        require(pool_out && flags == 0 && handleType != CU_MEM_HANDLE_TYPE_NONE);
        fail(CUDA_ERROR_NOT_SUPPORTED, "memory pools of other processes cannot be used");
    });
}

WL_ENTRY_SINCE(cuMemPoolImportPointer, 11020,
               (CUdeviceptr * ptr_out, CUmemoryPool pool, CUmemPoolPtrExportData* shareData)) {
    return enter([&] {
        (void)pool_of(pool);
        require(ptr_out && shareData);
        fail(CUDA_ERROR_INVALID_VALUE, "the memory pool is not another process's");
    });
}
