// SPDX-License-Identifier: Apache-2.0
// The driver API's enumerations under the names of the manual, with the values of CUDA 13.0.
#pragma once

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
namespace stream_flags {
inline constexpr unsigned DEFAULT = 0x0, NON_BLOCKING = 0x1;
}
namespace event_flags {
inline constexpr unsigned DEFAULT = 0x0, BLOCKING_SYNC = 0x1, DISABLE_TIMING = 0x2, INTERPROCESS = 0x4;
}
namespace host_alloc_flags {
inline constexpr unsigned PORTABLE = 0x1, DEVICEMAP = 0x2, WRITECOMBINED = 0x4;
}
namespace mem_host_register_flags {
inline constexpr unsigned PORTABLE = 0x1, DEVICEMAP = 0x2, IOMEMORY = 0x4, READ_ONLY = 0x8;
}
namespace mem_attach_flags {
inline constexpr unsigned GLOBAL = 0x1, HOST = 0x2, SINGLE = 0x4;
}

enum class func_cache { PREFER_NONE = 0, PREFER_SHARED = 1, PREFER_L1 = 2, PREFER_EQUAL = 3 };
enum class shared_config { DEFAULT_BANK_SIZE = 0, FOUR_BYTE_BANK_SIZE = 1, EIGHT_BYTE_BANK_SIZE = 2 };
enum class compute_mode { DEFAULT = 0, EXCLUSIVE = 1, PROHIBITED = 2, EXCLUSIVE_PROCESS = 3 };

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
};

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

enum class jit_option {
    MAX_REGISTERS = 0,
    THREADS_PER_BLOCK = 1,
    WALL_TIME = 2,
    INFO_LOG_BUFFER = 3,
    INFO_LOG_BUFFER_SIZE_BYTES = 4,
    ERROR_LOG_BUFFER = 5,
    ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    OPTIMIZATION_LEVEL = 7,
    TARGET_FROM_CUCONTEXT = 8,
    TARGET = 9,
    FALLBACK_STRATEGY = 10,
    GENERATE_DEBUG_INFO = 11,
    LOG_VERBOSE = 12,
    GENERATE_LINE_INFO = 13,
    CACHE_MODE = 14,
    LTO = 20,
    FTZ = 21,
    PREC_DIV = 22,
    PREC_SQRT = 23,
    FMA = 24,
    POSITION_INDEPENDENT_CODE = 30,
    MIN_CTA_PER_SM = 31,
    MAX_THREADS_PER_BLOCK = 32,
    OVERRIDE_DIRECTIVE_VALUES = 33,
};

enum class jit_fallback { PREFER_PTX = 0, PREFER_BINARY = 1 };

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
#define WARPLIGHT_DEVICE_ATTRIBUTE(NAME, accessor, value) NAME = (value),
#define WARPLIGHT_DEVICE_ATTRIBUTE_ALIAS(NAME, value) NAME = (value),
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

const std::vector<function_attribute>& all_function_attributes();
std::string to_string(function_attribute attribute);
std::string to_string(compute_mode mode);

} // namespace warplight::driver
