// SPDX-License-Identifier: Apache-2.0
// Enumerations about memory, with the values of CUDA 13.0.
#pragma once

#include <string>

namespace warplight::driver {

/// Flags of page-locked memory.
namespace host_alloc_flags {
inline constexpr unsigned PORTABLE = 0x1, DEVICEMAP = 0x2, WRITECOMBINED = 0x4;
}
/// Flags of register_host_memory.
namespace mem_host_register_flags {
inline constexpr unsigned PORTABLE = 0x1, DEVICEMAP = 0x2, IOMEMORY = 0x4, READ_ONLY = 0x8;
}
/// Flags of managed memory.
namespace mem_attach_flags {
inline constexpr unsigned GLOBAL = 0x1, HOST = 0x2, SINGLE = 0x4;
}
/// Flags of IPCMemoryHandle.
namespace ipc_mem_flags {
inline constexpr unsigned LAZY_ENABLE_PEER_ACCESS = 0x1;
}
/// What physical memory is made for.
namespace mem_create_usage {
inline constexpr unsigned TILE_POOL = 0x1, HW_DECOMPRESS = 0x2;
}
/// What a memory pool is made for (CUDA 12.8).
namespace mem_pool_create_usage {
inline constexpr unsigned HW_DECOMPRESS = 0x2;
}
/// What is known about an address.
enum class pointer_attribute {
    CONTEXT = 1,
    MEMORY_TYPE = 2,
    DEVICE_POINTER = 3,
    HOST_POINTER = 4,
    P2P_TOKENS = 5,
    SYNC_MEMOPS = 6,
    BUFFER_ID = 7,
    IS_MANAGED = 8,
    DEVICE_ORDINAL = 9,
    IS_LEGACY_CUDA_IPC_CAPABLE = 10,
    RANGE_START_ADDR = 11,
    RANGE_SIZE = 12,
    MAPPED = 13,
    ALLOWED_HANDLE_TYPES = 14,
    IS_GPU_DIRECT_RDMA_CAPABLE = 15,
    ACCESS_FLAGS = 16,
    MEMPOOL_HANDLE = 17,
    MAPPING_SIZE = 18,
    MAPPING_BASE_ADDR = 19,
    MEMORY_BLOCK_ID = 20,
    IS_HW_DECOMPRESS_CAPABLE = 21,
};

/// Advice about managed memory.
enum class mem_advise {
    SET_READ_MOSTLY = 1,
    UNSET_READ_MOSTLY = 2,
    SET_PREFERRED_LOCATION = 3,
    UNSET_PREFERRED_LOCATION = 4,
    SET_ACCESSED_BY = 5,
    UNSET_ACCESSED_BY = 6,
};

/// What is known about a range of managed memory.
enum class mem_range_attribute {
    READ_MOSTLY = 1,
    PREFERRED_LOCATION = 2,
    ACCESSED_BY = 3,
    LAST_PREFETCH_LOCATION = 4,
    PREFERRED_LOCATION_TYPE = 5,
    PREFERRED_LOCATION_ID = 6,
    LAST_PREFETCH_LOCATION_TYPE = 7,
    LAST_PREFETCH_LOCATION_ID = 8,
};

/// An attribute of a memory pool (CUDA 11.2).
enum class mempool_attribute {
    REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,
    REUSE_ALLOW_OPPORTUNISTIC = 2,
    REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3,
    RELEASE_THRESHOLD = 4,
    RESERVED_MEM_CURRENT = 5,
    RESERVED_MEM_HIGH = 6,
    USED_MEM_CURRENT = 7,
    USED_MEM_HIGH = 8,
};

/// How memory is passed to another process.
enum class mem_allocation_handle_type {
    NONE = 0,
    POSIX_FILE_DESCRIPTOR = 1,
    WIN32_NT = 2, ///< CU_MEM_HANDLE_TYPE_WIN32: WIN32 is a macro in many builds for Windows
    WIN32_KMT = 4,
    FABRIC = 8,
    MAX = 0x7fffffff,
};

/// The kind of physical memory.
enum class mem_allocation_type {
    INVALID = 0,
    PINNED = 1,
    MANAGED = 2,
    MAX = 0x7fffffff,
};

/// Whether memory may be compressed.
enum class mem_allocation_comp_type {
    NONE = 0,
    GENERIC = 1,
};

/// Which granularity of physical memory is asked for.
enum class mem_allocation_granularity {
    MINIMUM = 0,
    RECOMMENDED = 1,
};

/// Which granularity of multicast objects is asked for (CUDA 12.1).
enum class multicast_granularity {
    MINIMUM = 0,
    RECOMMENDED = 1,
};

/// Where memory is.
enum class mem_location_type {
    INVALID = 0,
    NONE = 0,
    DEVICE = 1,
    HOST = 2,
    HOST_NUMA = 3,
    HOST_NUMA_CURRENT = 4,
    MAX = 0x7fffffff,
};

/// How a location may use memory.
enum class mem_access_flags {
    PROT_NONE = 0,
    PROT_READ = 1,
    PROT_READWRITE = 3,
    PROT_MAX = 0x7fffffff,
};

/// The kind of a handle in a mapping of a sparse array.
enum class mem_handle_type {
    GENERIC = 0,
};

/// What is done to a mapping of a sparse array.
enum class mem_operation_type {
    MAP = 1,
    UNMAP = 2,
};

/// How a range of memory is handed out (CUDA 11.7).
enum class mem_range_handle_type {
    DMA_BUF_FD = 1,
    MAX = 0x7fffffff,
};

/// Values of pointer_attribute::ACCESS_FLAGS.
enum class pointer_access_flags {
    NONE = 0,
    READ = 1,
    READWRITE = 3,
};

/// Hints of a copy in a batch (CUDA 12.8).
enum class memcpy_flags {
    DEFAULT = 0,
    PREFER_OVERLAP_WITH_COMPUTE = 1,
};

/// When the source of a copy in a batch is read (CUDA 12.8).
enum class memcpy_src_access_order {
    INVALID = 0,
    STREAM = 1,
    DURING_API_CALL = 2,
    ANY = 3,
    MAX = 0x7fffffff,
};

/// What an end of a copy in a batch is (CUDA 12.8).
enum class memcpy_3d_operand_type {
    POINTER = 1,
    ARRAY = 2,
    MAX = 0x7fffffff,
};

/// The kind of memory of another interface.
enum class external_memory_handle_type {
    OPAQUE_FD = 1,
    OPAQUE_WIN32 = 2,
    OPAQUE_WIN32_KMT = 3,
    D3D12_HEAP = 4,
    D3D12_RESOURCE = 5,
    D3D11_RESOURCE = 6,
    D3D11_RESOURCE_KMT = 7,
    NVSCIBUF = 8,
    DMABUF_FD = 9,
};

/// The kind of a semaphore of another interface.
enum class external_semaphore_handle_type {
    OPAQUE_FD = 1,
    OPAQUE_WIN32 = 2,
    OPAQUE_WIN32_KMT = 3,
    D3D12_FENCE = 4,
    D3D11_FENCE = 5,
    NVSCISYNC = 6,
    D3D11_KEYED_MUTEX = 7,
    D3D11_KEYED_MUTEX_KMT = 8,
    TIMELINE_SEMAPHORE_FD = 9,
    TIMELINE_SEMAPHORE_WIN32 = 10,
};

std::string to_string(pointer_attribute value);
std::string to_string(mem_advise value);
std::string to_string(mem_range_attribute value);
std::string to_string(mempool_attribute value);
std::string to_string(mem_allocation_handle_type value);
std::string to_string(mem_allocation_type value);
std::string to_string(mem_allocation_comp_type value);
std::string to_string(mem_allocation_granularity value);
std::string to_string(multicast_granularity value);
std::string to_string(mem_location_type value);
std::string to_string(mem_access_flags value);
std::string to_string(mem_handle_type value);
std::string to_string(mem_operation_type value);
std::string to_string(mem_range_handle_type value);
std::string to_string(pointer_access_flags value);
std::string to_string(memcpy_flags value);
std::string to_string(memcpy_src_access_order value);
std::string to_string(memcpy_3d_operand_type value);
std::string to_string(external_memory_handle_type value);
std::string to_string(external_semaphore_handle_type value);

} // namespace warplight::driver
