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
