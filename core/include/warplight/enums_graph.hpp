// SPDX-License-Identifier: Apache-2.0
// Enumerations of graphs, of capturing streams, of launches and of what streams do with memory, with the values of
// CUDA 13.0. Flags that are added up are constants in a namespace.
#pragma once

#include <string>

namespace warplight::driver {

enum class graph_node_type {
    KERNEL = 0,
    MEMCPY = 1,
    MEMSET = 2,
    HOST = 3,
    GRAPH = 4,
    EMPTY = 5,
    WAIT_EVENT = 6,
    EVENT_RECORD = 7,
    EXT_SEMAS_SIGNAL = 8,
    EXT_SEMAS_WAIT = 9,
    MEM_ALLOC = 10,
    MEM_FREE = 11,
    BATCH_MEM_OP = 12,
    CONDITIONAL = 13,
};
std::string to_string(graph_node_type type);

/// What an edge waits for (CUDA 12.3).
enum class graph_dependency_type { DEFAULT = 0, PROGRAMMATIC = 1 };

/// Ports of kernel nodes that edges begin at (CUDA 12.3).
namespace graph_kernel_node_port {
inline constexpr unsigned char DEFAULT = 0, PROGRAMMATIC = 1, LAUNCH_ORDER = 2;
}

/// Flags of Graph::instantiate.
namespace graph_instantiate_flags {
inline constexpr unsigned AUTO_FREE_ON_LAUNCH = 0x1, UPLOAD = 0x2, DEVICE_LAUNCH = 0x4, USE_NODE_PRIORITY = 0x8;
}
enum class graph_instantiate_result {
    SUCCESS = 0,
    ERROR_UNEXPECTED = 1, ///< CUDA_GRAPH_INSTANTIATE_ERROR
    INVALID_STRUCTURE = 2,
    NODE_OPERATION_NOT_SUPPORTED = 3,
    MULTIPLE_CTXS_NOT_SUPPORTED = 4,
    CONDITIONAL_HANDLE_UNUSED = 5,
};
/// What GraphExec::update found.
enum class graph_exec_update_result {
    SUCCESS = 0,
    ERROR_UNEXPECTED = 1, ///< CU_GRAPH_EXEC_UPDATE_ERROR
    ERROR_TOPOLOGY_CHANGED = 2,
    ERROR_NODE_TYPE_CHANGED = 3,
    ERROR_FUNCTION_CHANGED = 4,
    ERROR_PARAMETERS_CHANGED = 5,
    ERROR_NOT_SUPPORTED = 6,
    ERROR_UNSUPPORTED_FUNCTION_CHANGE = 7,
    ERROR_ATTRIBUTES_CHANGED = 8,
};
std::string to_string(graph_exec_update_result result);

/// Flags of Graph::debug_dot_print.
namespace graph_debug_dot_flags {
inline constexpr unsigned VERBOSE = 1 << 0, RUNTIME_TYPES = 1 << 1, KERNEL_NODE_PARAMS = 1 << 2,
                          MEMCPY_NODE_PARAMS = 1 << 3, MEMSET_NODE_PARAMS = 1 << 4, HOST_NODE_PARAMS = 1 << 5,
                          EVENT_NODE_PARAMS = 1 << 6, EXT_SEMAS_SIGNAL_NODE_PARAMS = 1 << 7,
                          EXT_SEMAS_WAIT_NODE_PARAMS = 1 << 8, KERNEL_NODE_ATTRIBUTES = 1 << 9, HANDLES = 1 << 10,
                          MEM_ALLOC_NODE_PARAMS = 1 << 11, MEM_FREE_NODE_PARAMS = 1 << 12,
                          BATCH_MEM_OP_NODE_PARAMS = 1 << 13, EXTRA_TOPO_INFO = 1 << 14,
                          CONDITIONAL_NODE_PARAMS = 1 << 15;
}

/// Memory that graphs take (CUDA 11.4); bytes.
enum class graph_mem_attribute {
    USED_MEM_CURRENT = 0,
    USED_MEM_HIGH = 1,
    RESERVED_MEM_CURRENT = 2,
    RESERVED_MEM_HIGH = 3,
};

/// Which calls a capture forbids while it goes on: those of every thread, of its own thread, or none.
enum class stream_capture_mode { GLOBAL = 0, THREAD_LOCAL = 1, RELAXED = 2 };
enum class stream_capture_status { NONE = 0, ACTIVE = 1, INVALIDATED = 2 };
namespace stream_update_capture_dependencies_flags {
inline constexpr unsigned ADD = 0x0, SET = 0x1;
}

/// When Stream::wait_value_32 and _64 go on; FLUSH is added to another one.
namespace stream_wait_value_flags {
inline constexpr unsigned GEQ = 0x0, EQ = 0x1, AND = 0x2, NOR = 0x3, FLUSH = 1U << 30;
}
namespace stream_write_value_flags {
inline constexpr unsigned DEFAULT = 0x0, NO_MEMORY_BARRIER = 0x1;
}
enum class stream_batch_mem_op_type {
    WAIT_VALUE_32 = 1,
    WRITE_VALUE_32 = 2,
    FLUSH_REMOTE_WRITES = 3,
    WAIT_VALUE_64 = 4,
    WRITE_VALUE_64 = 5,
    BARRIER = 6, ///< CUDA 11.7
};
namespace stream_memory_barrier_flags {
inline constexpr unsigned SYS = 0x0, GPU = 0x1;
}

/// Attributes of launches, kernel nodes and streams.
enum class launch_attribute_id {
    IGNORE_ENTRY = 0, ///< CU_LAUNCH_ATTRIBUTE_IGNORE
    ACCESS_POLICY_WINDOW = 1,
    COOPERATIVE = 2,
    SYNCHRONIZATION_POLICY = 3,
    CLUSTER_DIMENSION = 4,
    CLUSTER_SCHEDULING_POLICY_PREFERENCE = 5,
    PROGRAMMATIC_STREAM_SERIALIZATION = 6,
    PROGRAMMATIC_EVENT = 7,
    PRIORITY = 8,
    MEM_SYNC_DOMAIN_MAP = 9,
    MEM_SYNC_DOMAIN = 10,
    PREFERRED_CLUSTER_DIMENSION = 11,
    LAUNCH_COMPLETION_EVENT = 12,
    DEVICE_UPDATABLE_KERNEL_NODE = 13,
    PREFERRED_SHARED_MEMORY_CARVEOUT = 14,
    NVLINK_UTIL_CENTRIC_SCHEDULING = 16,
};
/// How the host waits. UNSET is what a new stream tells: its context's policy counts.
enum class synchronization_policy { UNSET = -1, AUTO = 1, SPIN = 2, YIELD = 3, BLOCKING_SYNC = 4 };
enum class cluster_scheduling_policy { DEFAULT = 0, SPREAD = 1, LOAD_BALANCING = 2 };
enum class launch_mem_sync_domain { DEFAULT = 0, REMOTE = 1 };
enum class access_property { NORMAL = 0, STREAMING = 1, PERSISTING = 2 };

} // namespace warplight::driver
