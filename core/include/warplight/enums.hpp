// SPDX-License-Identifier: Apache-2.0
// The driver API's enumerations under the names of the manual, with the values of CUDA 13.0: of contexts, devices,
// kernels, and, by way of the headers included, of memory, the compiler and graphics.
//
// Flags that are added up are constants in a namespace, everything else is an enum class. A driver may know fewer
// members than there are here: it answers with an error then.
#pragma once

#include "warplight/enums_graphics.hpp"
#include "warplight/enums_jit.hpp"
#include "warplight/enums_memory.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::driver {

/// Flags of Device::make_context.
namespace ctx_flags {
inline constexpr unsigned SCHED_AUTO = 0x0, SCHED_SPIN = 0x1, SCHED_YIELD = 0x2, SCHED_BLOCKING_SYNC = 0x4,
                          BLOCKING_SYNC = 0x4, SCHED_MASK = 0x7, MAP_HOST = 0x8, LMEM_RESIZE_TO_MAX = 0x10,
                          COREDUMP_ENABLE = 0x20, USER_COREDUMP_ENABLE = 0x40, SYNC_MEMOPS = 0x80, FLAGS_MASK = 0xff;
}
/// Flags of Stream.
namespace stream_flags {
inline constexpr unsigned DEFAULT = 0x0, NON_BLOCKING = 0x1;
}
/// Flags of Event.
namespace event_flags {
inline constexpr unsigned DEFAULT = 0x0, BLOCKING_SYNC = 0x1, DISABLE_TIMING = 0x2, INTERPROCESS = 0x4;
}
/// How an event is recorded (CUDA 11.1): EXTERNAL makes a node of its own in a captured graph.
namespace event_record_flags {
inline constexpr unsigned DEFAULT = 0x0, EXTERNAL = 0x1;
}
/// How a stream waits for an event (CUDA 11.1).
namespace event_wait_flags {
inline constexpr unsigned DEFAULT = 0x0, EXTERNAL = 0x1;
}
/// Flags of the occupancy functions.
namespace occupancy_flags {
inline constexpr unsigned DEFAULT = 0x0, DISABLE_CACHING_OVERRIDE = 0x1;
}
/// Bits of device_attribute::GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS (CUDA 11.3).
namespace flush_gpu_direct_rdma_writes_options {
inline constexpr unsigned HOST = 0x1, MEMOPS = 0x2;
}
/// What a core dump of a device leaves out (CUDA 12.5).
namespace coredump_generation_flags {
inline constexpr unsigned DEFAULT_FLAGS = 0x0, SKIP_NONRELOCATED_ELF_IMAGES = 0x1, SKIP_GLOBAL_MEMORY = 0x2,
                          SKIP_SHARED_MEMORY = 0x4, SKIP_LOCAL_MEMORY = 0x8, SKIP_ABORT = 0x10,
                          SKIP_CONSTBANK_MEMORY = 0x20, LIGHTWEIGHT_FLAGS = 0x2f;
}
/// Which half of a multiprocessor's memory is to be the larger one.
enum class func_cache {
    PREFER_NONE = 0,
    PREFER_SHARED = 1,
    PREFER_L1 = 2,
    PREFER_EQUAL = 3,
};

/// Width of the banks of shared memory; fixed on today's devices.
enum class shared_config {
    DEFAULT_BANK_SIZE = 0,
    FOUR_BYTE_BANK_SIZE = 1,
    EIGHT_BYTE_BANK_SIZE = 2,
};

/// Values of function_attribute::PREFERRED_SHARED_MEMORY_CARVEOUT besides 0 to 100 per cent.
enum class shared_carveout {
    DEFAULT = -1,
    MAX_SHARED = 100,
    MAX_L1 = 0,
};

/// Who may use a device. EXCLUSIVE is a name of drivers before CUDA 8.
enum class compute_mode {
    DEFAULT = 0,
    EXCLUSIVE = 1,
    PROHIBITED = 2,
    EXCLUSIVE_PROCESS = 3,
};

/// What Context::set_limit limits; sizes in bytes.
enum class limit {
    STACK_SIZE = 0,
    PRINTF_FIFO_SIZE = 1,
    MALLOC_HEAP_SIZE = 2,
    DEV_RUNTIME_SYNC_DEPTH = 3,
    DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4,
    MAX_L2_FETCH_GRANULARITY = 5,
    PERSISTING_L2_CACHE_SIZE = 6,
    SHMEM_SIZE = 7,
    CIG_ENABLED = 8,
    CIG_SHMEM_FALLBACK_ENABLED = 9,
    MAX = 10,
};

/// An attribute of a kernel. MAX is their number in the header.
enum class function_attribute {
    MAX_THREADS_PER_BLOCK = 0,
    SHARED_SIZE_BYTES = 1,
    CONST_SIZE_BYTES = 2,
    LOCAL_SIZE_BYTES = 3,
    NUM_REGS = 4,
    PTX_VERSION = 5,
    BINARY_VERSION = 6,
    CACHE_MODE_CA = 7,
    MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    CLUSTER_SIZE_MUST_BE_SET = 10,
    REQUIRED_CLUSTER_WIDTH = 11,
    REQUIRED_CLUSTER_HEIGHT = 12,
    REQUIRED_CLUSTER_DEPTH = 13,
    NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14,
    CLUSTER_SCHEDULING_POLICY_PREFERENCE = 15,
    MAX = 16,
};

/// An attribute of a pair of devices.
enum class device_p2p_attribute {
    PERFORMANCE_RANK = 1,
    ACCESS_SUPPORTED = 2,
    NATIVE_ATOMIC_SUPPORTED = 3,
    ACCESS_ACCESS_SUPPORTED = 4,
    CUDA_ARRAY_ACCESS_SUPPORTED = 4,
    ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED = 5,
};

/// Values of device_attribute::NUMA_CONFIG (CUDA 12.2).
enum class device_numa_config {
    NONE = 0,
    NUMA_NODE = 1,
};

/// Values of device_attribute::GPU_DIRECT_RDMA_WRITES_ORDERING (CUDA 11.3).
enum class gpu_direct_rdma_writes_ordering {
    NONE = 0,
    OWNER = 100,
    ALL_DEVICES = 200,
};

/// What of a device a context may be limited to (CUDA 11.4).
enum class exec_affinity_type {
    SM_COUNT = 0,
    MAX = 1,
};

/// When kernels are loaded (CUDA 11.7).
enum class module_loading_mode {
    EAGER_LOADING = 1,
    LAZY_LOADING = 2,
};

/// Whether a kernel is loaded (CUDA 12.4).
enum class function_loading_state {
    UNLOADED = 0,
    LOADED = 1,
    MAX = 2,
};

/// Options of Library (CUDA 12.0).
enum class library_option {
    HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0,
    BINARY_IS_PRESERVED = 1,
    NUM_OPTIONS = 2,
};

/// What can be set about core dumps of a device (CUDA 12.1).
enum class coredump_settings {
    ENABLE_ON_EXCEPTION = 1,
    TRIGGER_HOST = 2,
    LIGHTWEIGHT = 3,
    ENABLE_USER_TRIGGER = 4,
    FILE = 5,
    PIPE = 6,
    GENERATION_FLAGS = 7,
    MAX = 8,
};

/// How grave a line of the driver's log is (CUDA 12.9).
enum class log_level {
    LEVEL_ERROR = 0,
    LEVEL_WARNING = 1,
};

/// The format that initialize_profiler asks for; no driver since CUDA 12.0 has it.
enum class profiler_output_mode {
    KEY_VALUE_PAIR = 0,
    CSV = 1,
};

/// What cuGetProcAddress found (CUDA 12.0).
enum class driver_proc_address_query_result {
    SUCCESS = 0,
    SYMBOL_NOT_FOUND = 1,
    VERSION_NOT_SUFFICIENT = 2,
};

/// Direction vectors of cuRAND's quasi-random generators.
enum class direction_vector_set {
    VECTOR_32 = 101,
    SCRAMBLED_VECTOR_32 = 102,
    VECTOR_64 = 103,
    SCRAMBLED_VECTOR_64 = 104,
};

/// Of texture references, and of the flags of texture objects: read the elements as integers, take coordinates from
/// 0 to 1, convert from sRGB, leave out the optimisation of trilinear filtering, filter across the edges of cube maps.
inline constexpr unsigned TRSF_READ_AS_INTEGER = 0x1, TRSF_NORMALIZED_COORDINATES = 0x2, TRSF_SRGB = 0x10,
                          TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 0x20, TRSF_SEAMLESS_CUBEMAP = 0x40;
/// Of TextureReference::set_array: the array's format replaces the reference's.
inline constexpr unsigned TRSA_OVERRIDE_FORMAT = 0x1;
/// Of Function::param_set_texref: the unit that the reference was compiled for.
inline constexpr int TR_DEFAULT = -1;

/// Of an array's channels. The software device has the integer, HALF and FLOAT ones.
enum class array_format {
    UNSIGNED_INT8 = 0x1,
    UNSIGNED_INT16 = 0x2,
    UNSIGNED_INT32 = 0x3,
    SIGNED_INT8 = 0x8,
    SIGNED_INT16 = 0x9,
    SIGNED_INT32 = 0xa,
    HALF = 0x10,
    FLOAT = 0x20,
    NV12 = 0xb0,
    UNORM_INT8X1 = 0xc0,
    UNORM_INT8X2 = 0xc1,
    UNORM_INT8X4 = 0xc2,
    UNORM_INT16X1 = 0xc3,
    UNORM_INT16X2 = 0xc4,
    UNORM_INT16X4 = 0xc5,
    SNORM_INT8X1 = 0xc6,
    SNORM_INT8X2 = 0xc7,
    SNORM_INT8X4 = 0xc8,
    SNORM_INT16X1 = 0xc9,
    SNORM_INT16X2 = 0xca,
    SNORM_INT16X4 = 0xcb,
    BC1_UNORM = 0x91,
    BC1_UNORM_SRGB = 0x92,
    BC2_UNORM = 0x93,
    BC2_UNORM_SRGB = 0x94,
    BC3_UNORM = 0x95,
    BC3_UNORM_SRGB = 0x96,
    BC4_UNORM = 0x97,
    BC4_SNORM = 0x98,
    BC5_UNORM = 0x99,
    BC5_SNORM = 0x9a,
    BC6H_UF16 = 0x9b,
    BC6H_SF16 = 0x9c,
    BC7_UNORM = 0x9d,
    BC7_UNORM_SRGB = 0x9e,
    P010 = 0x9f,
    P016 = 0xa1,
    NV16 = 0xa2,
    P210 = 0xa3,
    P216 = 0xa4,
    YUY2 = 0xa5,
    Y210 = 0xa6,
    Y216 = 0xa7,
    AYUV = 0xa8,
    Y410 = 0xa9,
    Y416 = 0xb1,
    Y444_PLANAR8 = 0xb2,
    Y444_PLANAR10 = 0xb3,
    YUV444_8bit_SemiPlanar = 0xb4,
    YUV444_16bit_SemiPlanar = 0xb5,
    UNORM_INT_101010_2 = 0x50,
};

/// Flags of ArrayDescriptor3D.
namespace array3d_flags {
inline constexpr unsigned ARRAY3D_2DARRAY = 0x1, ARRAY3D_LAYERED = 0x1, _2DARRAY = 0x1, LAYERED = 0x1,
                          SURFACE_LDST = 0x2, CUBEMAP = 0x4, TEXTURE_GATHER = 0x8, DEPTH_TEXTURE = 0x10,
                          COLOR_ATTACHMENT = 0x20, SPARSE = 0x40, DEFERRED_MAPPING = 0x80, VIDEO_ENCODE_DECODE = 0x100;
}
/// What a texture does with coordinates outside of it.
enum class address_mode {
    WRAP = 0,
    CLAMP = 1,
    MIRROR = 2,
    BORDER = 3,
};
enum class filter_mode {
    POINT = 0,
    LINEAR = 1,
};
enum class memory_type {
    HOST = 1,
    DEVICE = 2,
    ARRAY = 3,
    UNIFIED = 4,
};
enum class resource_type {
    ARRAY = 0,
    MIPMAPPED_ARRAY = 1,
    LINEAR = 2,
    PITCH2D = 3,
};
/// How a resource view reads an array's elements.
enum class resource_view_format {
    NONE = 0x0,
    UINT_1X8 = 0x1,
    UINT_2X8 = 0x2,
    UINT_4X8 = 0x3,
    SINT_1X8 = 0x4,
    SINT_2X8 = 0x5,
    SINT_4X8 = 0x6,
    UINT_1X16 = 0x7,
    UINT_2X16 = 0x8,
    UINT_4X16 = 0x9,
    SINT_1X16 = 0xa,
    SINT_2X16 = 0xb,
    SINT_4X16 = 0xc,
    UINT_1X32 = 0xd,
    UINT_2X32 = 0xe,
    UINT_4X32 = 0xf,
    SINT_1X32 = 0x10,
    SINT_2X32 = 0x11,
    SINT_4X32 = 0x12,
    FLOAT_1X16 = 0x13,
    FLOAT_2X16 = 0x14,
    FLOAT_4X16 = 0x15,
    FLOAT_1X32 = 0x16,
    FLOAT_2X32 = 0x17,
    FLOAT_4X32 = 0x18,
    UNSIGNED_BC1 = 0x19,
    UNSIGNED_BC2 = 0x1a,
    UNSIGNED_BC3 = 0x1b,
    UNSIGNED_BC4 = 0x1c,
    SIGNED_BC4 = 0x1d,
    UNSIGNED_BC5 = 0x1e,
    SIGNED_BC5 = 0x1f,
    UNSIGNED_BC6H = 0x20,
    SIGNED_BC6H = 0x21,
    UNSIGNED_BC7 = 0x22,
};
/// Faces in the order in which a cubemap has them.
enum class array_cubemap_face {
    POSITIVE_X = 0,
    NEGATIVE_X = 1,
    POSITIVE_Y = 2,
    NEGATIVE_Y = 3,
    POSITIVE_Z = 4,
    NEGATIVE_Z = 5,
};

/// A device attribute. A driver may not know it: then Device::get_attribute throws and get_attributes leaves it out.
enum class device_attribute : int {
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, number, unit, software, meaning) NAME = (number),
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, number) NAME = (number),
#include "warplight/device_attributes.def"
#undef WARPLIGHT_DEVICE_ATTRIBUTE
#undef WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS
};

/// Every attribute of the header once (aliases left out), in the order of their values.
const std::vector<device_attribute>& all_device_attributes();
/// "WARP_SIZE"; "ATTRIBUTE_<number>" for a value that the header lacks.
std::string to_string(device_attribute attribute);
/// Finds an attribute by its name or an alias, upper or lower case.
std::optional<device_attribute> device_attribute_from_name(std::string_view name);

/// Without MAX.
const std::vector<function_attribute>& all_function_attributes();

/// The name of a member, "PREFER_L1"; for a value that the header lacks the enumeration and the number, "func_cache_9".
std::string to_string(func_cache value);
std::string to_string(shared_config value);
std::string to_string(shared_carveout value);
std::string to_string(compute_mode value);
std::string to_string(limit value);
std::string to_string(function_attribute value);
std::string to_string(device_p2p_attribute value);
std::string to_string(device_numa_config value);
std::string to_string(gpu_direct_rdma_writes_ordering value);
std::string to_string(exec_affinity_type value);
std::string to_string(module_loading_mode value);
std::string to_string(function_loading_state value);
std::string to_string(library_option value);
std::string to_string(coredump_settings value);
std::string to_string(log_level value);
std::string to_string(profiler_output_mode value);
std::string to_string(driver_proc_address_query_result value);
std::string to_string(direction_vector_set value);

} // namespace warplight::driver
