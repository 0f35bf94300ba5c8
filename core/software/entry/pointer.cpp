// SPDX-License-Identifier: Apache-2.0
// Attributes of addresses. No context is needed to ask.
#include "entry.hpp"

#include "../runtime/address_space.hpp"
#include "../runtime/capture.hpp"
#include "../runtime/memory_pool.hpp"

#include <cstring>
#include <utility>

using namespace warplight::software;

namespace {

// Numbers of CUpointer_attribute that older headers lack.
constexpr int kMappingSize = 18, kMappingBase = 19, kBlockId = 20, kDecompression = 21;

template <class T>
void store(void* data, T value) {
    *static_cast<T*>(data) = value;
}

/// Start and size: of mappings, those of the addresses that were reserved.
std::pair<std::uint64_t, std::uint64_t> range_of(const Allocation& a) {
    if (a.kind == Allocation::Kind::mapped) return AddressSpace::instance().range_at(a.base);
    return {a.base, a.size};
}

/// With other processes: cuMemAlloc's own, not a pool's.
bool shareable(const Allocation& a) {
    return a.kind == Allocation::Kind::device && (a.flags & Allocation::imported) == 0 && a.context;
}

/// `lenient`: attributes that do not apply are null.
void pointer_attribute(void* data, int attribute, CUdeviceptr pointer, const Allocation& a, bool lenient) {
    const bool host = a.kind == Allocation::Kind::host || a.kind == Allocation::Kind::registered;
    const bool managed = a.is_managed();
    const bool whole = a.kind == Allocation::Kind::registered || a.kind == Allocation::Kind::mapped;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT: store(data, reinterpret_cast<CUcontext>(a.context)); return;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        store(data, static_cast<unsigned>(host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
        return;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        require(a.access != 0 || lenient);
        store(data, a.access == 0 ? 0 : a.device_base ? a.device_base + (pointer - a.base) : pointer);
        return;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        require(host || managed || lenient);
        store(data, host || managed ? reinterpret_cast<void*>(a.host_base ? a.host_base + (pointer - a.base) : pointer)
                                    : nullptr);
        return;
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
        require(!host && !lenient);
        store(data, 0ULL); // there is no other kind of device to hand tokens to
        store(static_cast<std::byte*>(data) + sizeof(unsigned long long), 0U);
        return;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: store(data, a.sync_memops.value_or(!host) ? 1U : 0U); return;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: store(data, static_cast<unsigned long long>(a.id)); return;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: store(data, managed ? 1U : 0U); return;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: store(data, a.device); return;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: store(data, shareable(a) ? 1U : 0U); return;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: store(data, range_of(a).first); return;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: store(data, range_of(a).second); return;
    case CU_POINTER_ATTRIBUTE_MAPPED: store(data, 1U); return;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: store(data, 0ULL); return;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: store(data, 0U); return;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: store(data, a.access); return;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: store(data, pool_of(a.base).get()); return;
    case kMappingSize: store(data, whole ? a.size : a.page_bytes); return;
    case kMappingBase: store(data, whole ? a.base : a.pages); return;
    case kBlockId: store(data, a.id); return;
    case kDecompression: store(data, 0U); return;
    default: fail(CUDA_ERROR_INVALID_VALUE);
    }
}

/// Of an address that nothing is known about.
void unknown_attribute(void* data, int attribute, CUdeviceptr pointer) {
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    case kDecompression: store(data, 0U); return;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: store(data, -2); return;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER: store(data, pointer); return;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: return; // as it was
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS: fail(CUDA_ERROR_INVALID_VALUE);
    default:
        require(attribute >= CU_POINTER_ATTRIBUTE_CONTEXT && attribute <= kDecompression);
        store(data, 0ULL);
        return;
    }
}

} // namespace

WL_ENTRY(cuPointerGetAttribute, (void* data, CUpointer_attribute attribute, CUdeviceptr ptr)) {
    return enter([&] {
        require(data);
        const auto a = AddressSpace::instance().find(ptr);
        require(a.has_value());
        pointer_attribute(data, attribute, ptr, *a, false);
    });
}

WL_ENTRY(cuPointerGetAttributes,
         (unsigned int numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr)) {
    return enter([&] {
        require(numAttributes > 0 && attributes && data);
        const auto a = AddressSpace::instance().find(ptr);
        for (unsigned i = 0; i < numAttributes; ++i) {
            require(data[i]);
            // A pointer that is not known is no error here.
            if (a)
                pointer_attribute(data[i], attributes[i], ptr, *a, true);
            else
                unknown_attribute(data[i], attributes[i], ptr);
        }
    });
}

WL_ENTRY(cuPointerSetAttribute, (const void* value, CUpointer_attribute attribute, CUdeviceptr ptr)) {
    return enter([&] {
        forbid_unsafe_call();
        require(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
        const auto a = AddressSpace::instance().find(ptr);
        require(a.has_value());
        unsigned on = 0;
        std::memcpy(&on, value, sizeof on);
        // Remembered only: synchronous copies are synchronous already.
        AddressSpace::instance().set_sync_memops(a->base, on != 0);
    });
}
