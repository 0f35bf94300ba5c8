// SPDX-License-Identifier: Apache-2.0
// Device attributes. Numbers are written out, as older headers lack the newer names; what the device cannot do is 0.
#include "configuration.hpp"
#include "device.hpp"
#include "platform.hpp"

#include <cstdint>
#include <limits>

namespace warplight::software {

std::optional<int> Device::attribute(int attribute) const {
    constexpr int last_attribute = 147;
    if (attribute < 1 || attribute > last_attribute) return std::nullopt;
    switch (attribute) {
    case 1: return limits.threads_per_block; // MAX_THREADS_PER_BLOCK
    case 2:
    case 3: return 1024;                                     // MAX_BLOCK_DIM_X, Y
    case 4: return 64;                                       // MAX_BLOCK_DIM_Z
    case 5: return std::numeric_limits<std::int32_t>::max(); // MAX_GRID_DIM_X
    case 6:
    case 7: return 65535;                                     // MAX_GRID_DIM_Y, Z
    case 8: return limits.shared_per_block;                   // MAX_SHARED_MEMORY_PER_BLOCK
    case 9: return 65536;                                     // TOTAL_CONSTANT_MEMORY
    case 10: return 32;                                       // WARP_SIZE
    case 11: return std::numeric_limits<std::int32_t>::max(); // MAX_PITCH
    case 12: return limits.registers_per_block;               // MAX_REGISTERS_PER_BLOCK
    case 13: return platform::processor_khz();                // CLOCK_RATE
    case 14: return 512;                                      // TEXTURE_ALIGNMENT
    case 15: return 1;                                        // GPU_OVERLAP
    case 16: return multiprocessors;                          // MULTIPROCESSOR_COUNT
    case 18: return 1;                                        // INTEGRATED: memory is the host's
    case 19: return 1;                                        // CAN_MAP_HOST_MEMORY
    case 30: return 512;                                      // SURFACE_ALIGNMENT
    case 31: return 1;                                        // CONCURRENT_KERNELS
    case 33: return 0xE0 + (ordinal & 0x1F);                  // PCI_BUS_ID
    case 34: return 0x1F;                                     // PCI_DEVICE_ID
    case 36: return 3'200'000;                                // MEMORY_CLOCK_RATE, kHz
    case 37: return 128;                                      // GLOBAL_MEMORY_BUS_WIDTH
    case 38: return 1 << 25;                                  // L2_CACHE_SIZE
    case 39: return limits.threads_per_multiprocessor;        // MAX_THREADS_PER_MULTIPROCESSOR
    case 40: return 2;                                        // ASYNC_ENGINE_COUNT
    case 41: return 1;                                        // UNIFIED_ADDRESSING
    case 51:
        return 32; // TEXTURE_PITCH_ALIGNMENT
    // Largest textures and surfaces, in elements (a GPU's of this compute capability).
    case 21:                // MAXIMUM_TEXTURE1D_WIDTH
    case 22:                // MAXIMUM_TEXTURE2D_WIDTH
    case 56:                // MAXIMUM_SURFACE2D_WIDTH
    case 70: return 131072; // MAXIMUM_TEXTURE2D_LINEAR_WIDTH
    case 23:                // MAXIMUM_TEXTURE2D_HEIGHT
    case 57: return 65536;  // MAXIMUM_SURFACE2D_HEIGHT
    case 24:
    case 25:
    case 26: // MAXIMUM_TEXTURE3D_WIDTH, HEIGHT, DEPTH
    case 58:
    case 59:
    case 60: return 16384; // MAXIMUM_SURFACE3D_WIDTH, HEIGHT, DEPTH
    case 27:
    case 28: // MAXIMUM_TEXTURE2D_LAYERED_WIDTH, HEIGHT
    case 42: // MAXIMUM_TEXTURE1D_LAYERED_WIDTH
    case 45:
    case 46: // MAXIMUM_TEXTURE2D_GATHER_WIDTH, HEIGHT
    case 49: // MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE
    case 52:
    case 53: // MAXIMUM_TEXTURECUBEMAP_WIDTH, MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH
    case 55: // MAXIMUM_SURFACE1D_WIDTH
    case 61: // MAXIMUM_SURFACE1D_LAYERED_WIDTH
    case 63:
    case 64: // MAXIMUM_SURFACE2D_LAYERED_WIDTH, HEIGHT
    case 66:
    case 67: // MAXIMUM_SURFACECUBEMAP_WIDTH, MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH
    case 73:
    case 74:               // MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, HEIGHT
    case 77: return 32768; // MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH
    case 29:               // MAXIMUM_TEXTURE2D_LAYERED_LAYERS
    case 43:               // MAXIMUM_TEXTURE1D_LAYERED_LAYERS
    case 62:               // MAXIMUM_SURFACE1D_LAYERED_LAYERS
    case 65: return 2048;  // MAXIMUM_SURFACE2D_LAYERED_LAYERS
    case 47:
    case 48: return 8192;                              // MAXIMUM_TEXTURE3D_WIDTH, HEIGHT_ALTERNATE
    case 54:                                           // MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS
    case 68: return 2046;                              // MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS
    case 44: return 1;                                 // CAN_TEX2D_GATHER
    case 69: return 1 << 28;                           // MAXIMUM_TEXTURE1D_LINEAR_WIDTH
    case 71: return 65000;                             // MAXIMUM_TEXTURE2D_LINEAR_HEIGHT
    case 72: return 2097120;                           // MAXIMUM_TEXTURE2D_LINEAR_PITCH, bytes
    case 75: return static_cast<int>(capability / 10); // COMPUTE_CAPABILITY_MAJOR
    case 76: return static_cast<int>(capability % 10); // COMPUTE_CAPABILITY_MINOR
    case 78: return 1;                                 // STREAM_PRIORITIES_SUPPORTED
    case 79:
    case 80: return 1;                                           // GLOBAL, LOCAL_L1_CACHE_SUPPORTED
    case 81: return limits.shared_per_multiprocessor;            // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
    case 82: return limits.registers_per_multiprocessor;         // MAX_REGISTERS_PER_MULTIPROCESSOR
    case 83: return 1;                                           // MANAGED_MEMORY
    case 85: return ordinal;                                     // MULTI_GPU_BOARD_GROUP_ID
    case 86: return 1;                                           // HOST_NATIVE_ATOMIC_SUPPORTED
    case 87: return 2;                                           // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
    case 88: return 1;                                           // PAGEABLE_MEMORY_ACCESS
    case 89: return 1;                                           // CONCURRENT_MANAGED_ACCESS
    case 90: return 1;                                           // COMPUTE_PREEMPTION_SUPPORTED
    case 91: return 1;                                           // CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
    case 92:                                                     // CAN_USE_STREAM_MEM_OPS_V1,
    case 93:                                                     // CAN_USE_64_BIT_STREAM_MEM_OPS_V1,
    case 94: return 1;                                           // CAN_USE_STREAM_WAIT_VALUE_NOR_V1
    case 95: return 1;                                           // COOPERATIVE_LAUNCH
    case 97: return limits.shared_per_block_opt_in;              // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
    case 98: return 1;                                           // CAN_FLUSH_REMOTE_WRITES
    case 99: return 1;                                           // HOST_REGISTER_SUPPORTED
    case 100: return 1;                                          // PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES
    case 101: return 1;                                          // DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
    case 102: return platform::has_unaddressed_memory() ? 1 : 0; // VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    case 106: return limits.blocks_per_multiprocessor;           // MAX_BLOCKS_PER_MULTIPROCESSOR
    case 111: return limits.shared_reserved;                     // RESERVED_SHARED_MEMORY_PER_BLOCK
    case 113: return 1;                                          // READ_ONLY_HOST_REGISTER_SUPPORTED
    case 115: return 1;                                          // MEMORY_POOLS_SUPPORTED
    case 120: return capability >= 90 ? 1 : 0;                   // CLUSTER_LAUNCH
    case 122:                                                    // CAN_USE_64_BIT_STREAM_MEM_OPS,
    case 123: return 1;                                          // CAN_USE_STREAM_WAIT_VALUE_NOR
    case 125: return platform::maps_shared_memory;               // IPC_EVENT_SUPPORTED
    case 129: return 0;                                          // UNIFIED_FUNCTION_POINTERS
    case 131:
    case 134: return -1; // NUMA_ID, HOST_NUMA_ID: none in particular
    default: return 0;
    }
}

} // namespace warplight::software
