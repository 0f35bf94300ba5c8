// SPDX-License-Identifier: Apache-2.0
#include "entry.hpp"
#include "graph_content.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"

#include <cstring>

using namespace warplight::software;

namespace {

CUdeviceptr allocate(Context& context, std::uint64_t size, Allocation::Kind kind, unsigned flags = 0) {
    require(size > 0);
    forbid_unsafe_call();
    const auto base = AddressSpace::instance().allocate(size, kind, context.device.ordinal, &context, flags);
    if (!base) {
        fail(CUDA_ERROR_OUT_OF_MEMORY, std::to_string(size) + " bytes asked for, " +
                                           std::to_string(context.device.free_memory()) + " of " +
                                           std::to_string(context.device.total_memory()) + " free");
    }
    return *base;
}

/// An address that a pointer query may be about.
Allocation known(CUdeviceptr pointer) {
    const auto allocation = AddressSpace::instance().find(pointer);
    if (!allocation) fail(CUDA_ERROR_INVALID_VALUE);
    return *allocation;
}

void check_range(CUdeviceptr pointer, std::size_t count) {
    const Allocation a = known(pointer);
    require(count <= a.size - (pointer - a.base));
}

bool imported(const Allocation& a) {
    return a.kind == Allocation::Kind::device && (a.flags & Allocation::imported) != 0;
}

template <class T>
void store(void* data, T value) {
    *static_cast<T*>(data) = value;
}

void pointer_attribute(void* data, CUpointer_attribute attribute, CUdeviceptr pointer) {
    const Allocation a = known(pointer);
    const bool host = a.kind == Allocation::Kind::host || a.kind == Allocation::Kind::registered;
    const bool managed = a.kind == Allocation::Kind::managed;
    switch (static_cast<int>(attribute)) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: store(data, reinterpret_cast<CUcontext>(a.context)); return;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        store(data, static_cast<unsigned>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
        return;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: store(data, pointer); return;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        require(host || managed);
        store(data, reinterpret_cast<void*>(pointer));
        return;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: store(data, 1U); return;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: store(data, static_cast<unsigned long long>(a.id)); return;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: store(data, static_cast<unsigned>(managed)); return;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: store(data, a.device); return;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        store(data, static_cast<unsigned>(a.kind == Allocation::Kind::device && a.flags == 0 && a.context));
        return;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: store(data, reinterpret_cast<void*>(a.base)); return;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: store(data, static_cast<std::size_t>(a.size)); return;
    case CU_POINTER_ATTRIBUTE_MAPPED: store(data, 1U); return;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: store(data, 0ULL); return;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: store(data, 0U); return;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: store(data, 3U); return; // read and write
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: store(data, static_cast<void*>(nullptr)); return;
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
}

} // namespace

WL_ENTRY(cuMemAlloc_v2, 3020, (CUdeviceptr * dptr, size_t bytesize)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr);
        *dptr = allocate(context, bytesize, Allocation::Kind::device);
    });
}

WL_ENTRY(cuMemAllocPitch_v2, 3020,
         (CUdeviceptr * dptr, size_t* pPitch, size_t WidthInBytes, size_t Height, unsigned int ElementSizeBytes)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr && pPitch && WidthInBytes > 0 && Height > 0);
        require(ElementSizeBytes == 4 || ElementSizeBytes == 8 || ElementSizeBytes == 16);
        require(WidthInBytes <= 0x7FFFFFFF);
        const std::size_t pitch = (WidthInBytes + 511) / 512 * 512;
        require(Height <= (std::size_t{1} << 46) / pitch, CUDA_ERROR_OUT_OF_MEMORY);
        *dptr = allocate(context, pitch * Height, Allocation::Kind::device);
        *pPitch = pitch;
    });
}

WL_ENTRY(cuMemAllocManaged, 6000, (CUdeviceptr * dptr, size_t bytesize, unsigned int flags)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr && (flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST));
        *dptr = allocate(context, bytesize, Allocation::Kind::managed, flags);
    });
}

WL_ENTRY(cuMemFree_v2, 3020, (CUdeviceptr dptr)) {
    return enter([&] {
        Context& context = current_context();
        if (dptr == 0) return;
        forbid_unsafe_call();
        const Allocation a = known(dptr);
        require(a.base == dptr && (a.kind == Allocation::Kind::device || a.kind == Allocation::Kind::managed));
        require(!imported(a)); // that is closed
        if (std::shared_ptr<GraphMemory> keep; free_graph_memory(dptr, keep)) {
            context.drain();
            return;
        }
        // Kernels that still run may use it.
        (a.context ? *a.context : context).drain();
        require(AddressSpace::instance().release(dptr, Allocation::Kind::device).has_value());
    });
}

WL_STREAM_ENTRY(cuMemAllocAsync, _ptsz, 11020, (CUdeviceptr * dptr, size_t bytesize, CUstream hStream),
                (dptr, bytesize, hStream)) {
    return enter([&] {
        Context& context = current_context();
        require(dptr);
        if (const auto stream = stream_of(context, hStream); stream->capturing()) {
            CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
            parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
            parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, context.device.ordinal};
            parameters.bytesize = bytesize;
            capture_node(*stream, allocation_content(parameters));
            *dptr = parameters.dptr;
            return;
        }
        // There from now on: earlier than the stream would reach it, which nobody can tell.
        *dptr = allocate(context, bytesize, Allocation::Kind::device, Allocation::pooled);
    });
}

WL_STREAM_ENTRY(cuMemFreeAsync, _ptsz, 11020, (CUdeviceptr dptr, CUstream hStream), (dptr, hStream)) {
    return enter([&] {
        Context& context = current_context();
        const auto stream = stream_of(context, hStream);
        if (dptr == 0) return;
        const Allocation a = known(dptr);
        require(a.base == dptr && a.kind == Allocation::Kind::device && !imported(a));
        if (stream->capturing()) {
            const GraphGuard guard;
            if (!find_graph_memory(dptr)) forbid_capture(*stream); // only memory of a graph is freed by one
            capture_node(*stream, free_content(dptr));
            return;
        }
        if (std::shared_ptr<GraphMemory> keep; free_graph_memory(dptr, keep)) {
            stream->enqueue([keep] {}, {}, true);
            return;
        }
        stream->enqueue([dptr] { (void)AddressSpace::instance().release(dptr, Allocation::Kind::device); }, {}, true);
    });
}

WL_ENTRY(cuMemGetAddressRange_v2, 3020, (CUdeviceptr * pbase, size_t* psize, CUdeviceptr dptr)) {
    return enter([&] {
        (void)current_context();
        const auto a = AddressSpace::instance().find(dptr);
        require(a.has_value(), CUDA_ERROR_NOT_FOUND);
        if (pbase) *pbase = a->base;
        if (psize) *psize = a->size;
    });
}

WL_ENTRY(cuMemGetInfo_v2, 3020, (size_t* free, size_t* total)) {
    return enter([&] {
        const Context& context = current_context();
        require(free && total);
        *free = context.device.free_memory();
        *total = context.device.total_memory();
    });
}

WL_ENTRY(cuPointerGetAttribute, 4000, (void* data, CUpointer_attribute attribute, CUdeviceptr ptr)) {
    return enter([&] {
        (void)current_context();
        require(data);
        pointer_attribute(data, attribute, ptr);
    });
}

WL_ENTRY(cuPointerGetAttributes, 7000,
         (unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr)) {
    return enter([&] {
        (void)current_context();
        require(numAttributes == 0 || (attributes && data));
        const bool any = AddressSpace::instance().find(ptr).has_value();
        for (unsigned i = 0; i < numAttributes; ++i) {
            require(data[i]);
            // A pointer that is not known is no error here: its attributes are null.
            if (!any) {
                switch (static_cast<int>(attributes[i])) {
                case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
                case CU_POINTER_ATTRIBUTE_IS_MANAGED:
                case CU_POINTER_ATTRIBUTE_MAPPED: store(data[i], 0U); break;
                case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: store(data[i], -2); break;
                default: store(data[i], static_cast<void*>(nullptr)); break;
                }
                continue;
            }
            pointer_attribute(data[i], attributes[i], ptr);
        }
    });
}

WL_ENTRY(cuPointerSetAttribute, 6000, (const void* value, CUpointer_attribute attribute, CUdeviceptr ptr)) {
    return enter([&] {
        (void)current_context();
        require(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
        (void)known(ptr); // synchronous copies are synchronous already
    });
}

WL_STREAM_ENTRY(cuStreamAttachMemAsync, _ptsz, 6000,
                (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags),
                (hStream, dptr, length, flags)) {
    return enter([&] {
        Context& context = current_context();
        (void)stream_of(context, hStream);
        const Allocation a = known(dptr);
        require(a.kind == Allocation::Kind::managed || a.kind == Allocation::Kind::registered);
        require(length == 0 || (dptr == a.base && length == a.size));
        require(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE);
        require(flags != CU_MEM_ATTACH_SINGLE || hStream != nullptr);
        // Managed memory is the host's: all may use it at any time.
    });
}

// Where memory lies makes no difference to the software device: advice and prefetching are checked, and done.
#undef cuMemAdvise
#undef cuMemPrefetchAsync
WL_ENTRY(cuMemAdvise, 8000, (CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUdevice dev)) {
    return enter([&] {
        (void)current_context();
        require(advice >= 1 && advice <= 6 && count > 0);
        if (advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION && dev != CU_DEVICE_CPU) (void)device(dev);
        check_range(devPtr, count);
    });
}

WL_STREAM_ENTRY(cuMemPrefetchAsync, _ptsz, 8000,
                (CUdeviceptr devPtr, size_t count, CUdevice dstDevice, CUstream hStream),
                (devPtr, count, dstDevice, hStream)) {
    return enter([&] {
        (void)stream_of(current_context(), hStream);
        require(count > 0);
        if (dstDevice != CU_DEVICE_CPU) (void)device(dstDevice);
        check_range(devPtr, count);
    });
}

#if CUDA_VERSION >= 12020
namespace {
void check_location(CUmemLocation location) {
    switch (static_cast<int>(location.type)) {
    case 1: (void)device(location.id); return;
    case 2:
    case 3:
    case 4: return; // the host, a NUMA node of it
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
}
} // namespace

WL_ENTRY(cuMemAdvise_v2, 12020, (CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location)) {
    return enter([&] {
        (void)current_context();
        require(advice >= 1 && advice <= 6 && count > 0);
        if (advice >= CU_MEM_ADVISE_SET_PREFERRED_LOCATION) check_location(location);
        check_range(devPtr, count);
    });
}

WL_STREAM_ENTRY(cuMemPrefetchAsync_v2, _ptsz, 12020,
                (CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags, CUstream hStream),
                (devPtr, count, location, flags, hStream)) {
    return enter([&] {
        (void)stream_of(current_context(), hStream);
        require(count > 0 && flags == 0);
        check_location(location);
        check_range(devPtr, count);
    });
}
#endif
