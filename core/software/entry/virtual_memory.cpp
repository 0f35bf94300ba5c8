// SPDX-License-Identifier: Apache-2.0
// Addresses and physical memory apart from each other.
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/virtual_memory.hpp"

#include <algorithm>
#include <vector>

using namespace warplight::software;

namespace {
constexpr int kHost = 2, kHostNumaCurrent = 4; ///< numbers of CUmemLocationType: these, and the one between
} // namespace

WL_ENTRY(cuMemGetAllocationGranularity,
         (size_t* granularity, const CUmemAllocationProp* prop, CUmemAllocationGranularity_flags option)) {
    return enter([&] {
        require(granularity && prop &&
                (option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
        *granularity = kMappingGranularity;
    });
}

WL_ENTRY(cuMemAddressReserve,
         (CUdeviceptr * ptr, size_t size, size_t alignment, CUdeviceptr addr, unsigned long long flags)) {
    return enter([&] {
        // The wish for an address need not be met.
        require(ptr && size > 0 && flags == 0 && (alignment & (alignment - 1)) == 0);
        require(size % kMappingGranularity == 0 && addr % kMappingGranularity == 0);
        const auto base =
            AddressSpace::instance().reserve(size, std::max<std::uint64_t>(alignment, kMappingGranularity));
        require(base.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
        *ptr = *base;
    });
}

WL_ENTRY(cuMemAddressFree, (CUdeviceptr ptr, size_t size)) {
    return enter([&] {
        require(ptr && size > 0);
        require(!any_mapping(ptr, size));
        require(AddressSpace::instance().unreserve(ptr, size));
    });
}

WL_ENTRY(cuMemCreate, (CUmemGenericAllocationHandle * handle, size_t size, const CUmemAllocationProp* prop,
                       unsigned long long flags)) {
    return enter([&] {
        require(handle && prop && flags == 0);
        const auto& asked = prop->allocFlags;
        require(asked.compressionType <= 1 && asked.gpuDirectRDMACapable <= 1 && asked.usage <= 1);
        for (const unsigned char byte : asked.reserved)
            require(byte == 0);
        *handle = create_physical(size, *prop);
    });
}

WL_ENTRY(cuMemRelease, (CUmemGenericAllocationHandle handle)) {
    return enter([&] { release_physical(handle); });
}

WL_ENTRY(cuMemGetAllocationPropertiesFromHandle, (CUmemAllocationProp * prop, CUmemGenericAllocationHandle handle)) {
    return enter([&] {
        require(prop);
        *prop = physical_properties(handle);
    });
}

WL_ENTRY(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle * handle, void* addr)) {
    return enter([&] {
        require(handle && addr);
        *handle = retain_physical(reinterpret_cast<std::uint64_t>(addr));
    });
}

WL_ENTRY(cuMemMap,
         (CUdeviceptr ptr, size_t size, size_t offset, CUmemGenericAllocationHandle handle, unsigned long long flags)) {
    return enter([&] {
        require(ptr && flags == 0);
        map_physical(ptr, size, offset, handle);
    });
}

WL_ENTRY(cuMemUnmap, (CUdeviceptr ptr, size_t size)) {
    return enter([&] {
        require(ptr);
        // Kernels that still run may use it.
        if (const auto context = current_context_or_null()) context->drain();
        unmap_physical(ptr, size);
    });
}

WL_ENTRY(cuMemSetAccess, (CUdeviceptr ptr, size_t size, const CUmemAccessDesc* desc, size_t count)) {
    return enter([&] {
        require(ptr && desc && count > 0);
        for (std::size_t i = 0; i < count; ++i) {
            const int type = desc[i].location.type;
            require(type < kHost || type > kHostNumaCurrent, CUDA_ERROR_NOT_SUPPORTED); // it is the device's to use
            require(type == CU_MEM_LOCATION_TYPE_DEVICE && desc[i].location.id >= 0 &&
                    desc[i].location.id < device_count());
            const auto flags = static_cast<unsigned>(desc[i].flags);
            require(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE || flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                    flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
        }
        if (const auto context = current_context_or_null()) context->drain();
        for (std::size_t i = 0; i < count; ++i)
            set_mapping_access(ptr, size, desc[i].location.id, static_cast<unsigned>(desc[i].flags));
    });
}

WL_ENTRY(cuMemGetAccess, (unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr)) {
    return enter([&] {
        require(flags && location && ptr);
        const int type = location->type;
        const bool host = type >= kHost && type <= kHostNumaCurrent;
        require(host || (type == CU_MEM_LOCATION_TYPE_DEVICE && location->id >= 0 && location->id < device_count()),
                CUDA_ERROR_INVALID_DEVICE);
        const auto a = AddressSpace::instance().find(ptr);
        require(a.has_value());
        if (a->kind == Allocation::Kind::mapped)
            *flags = host ? 0 : mapping_access(ptr, location->id);
        else
            *flags = !host && location->id == a->device ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : 0;
    });
}

// No memory is made to be shared with other processes.
WL_ENTRY_SINCE(cuMemExportToShareableHandle, 10020,
               (void* shareableHandle, CUmemGenericAllocationHandle handle, CUmemAllocationHandleType handleType,
                unsigned long long flags)) {
    return enter([&] {
        require(shareableHandle && flags == 0 && handleType != CU_MEM_HANDLE_TYPE_NONE);
        (void)physical_properties(handle);
        fail(CUDA_ERROR_INVALID_VALUE, "the memory was not made to be shared");
    });
}

WL_ENTRY_SINCE(cuMemImportFromShareableHandle, 10020,
               (CUmemGenericAllocationHandle * handle, void* osHandle, CUmemAllocationHandleType shHandleType)) {
    return enter([&] {
        (void)osHandle;
        require(handle && shHandleType != CU_MEM_HANDLE_TYPE_NONE);
        fail(CUDA_ERROR_NOT_SUPPORTED, "memory of other processes cannot be used");
    });
}
