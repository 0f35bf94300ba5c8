// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_attributes.hpp"

#include "ui/common/format.hpp"

#include <QCoreApplication>
#include <QHash>
#include <iterator>

namespace warplight::ui {
namespace {

enum class Unit {
    Number,
    Count,
    Threads,
    Blocks,
    Registers,
    Texels,
    Layers,
    Bytes,
    Bits,
    Kilohertz,
    Ratio,
    YesNo,
    Mask,
    Hex,
    ComputeMode,
    RdmaOrdering,
    NumaConfig
};

struct Known {
    const char* name;
    Unit unit;
    const char* meaning;
};

/// In the order of the driver's header.
constexpr Known known[] = {
    {"MAX_THREADS_PER_BLOCK", Unit::Threads,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most threads that a block may have, all axes together.")},
    {"MAX_BLOCK_DIM_X", Unit::Threads, QT_TRANSLATE_NOOP("DeviceAttributes", "The most threads of a block along x.")},
    {"MAX_BLOCK_DIM_Y", Unit::Threads, QT_TRANSLATE_NOOP("DeviceAttributes", "The most threads of a block along y.")},
    {"MAX_BLOCK_DIM_Z", Unit::Threads, QT_TRANSLATE_NOOP("DeviceAttributes", "The most threads of a block along z.")},
    {"MAX_GRID_DIM_X", Unit::Blocks, QT_TRANSLATE_NOOP("DeviceAttributes", "The most blocks of a grid along x.")},
    {"MAX_GRID_DIM_Y", Unit::Blocks, QT_TRANSLATE_NOOP("DeviceAttributes", "The most blocks of a grid along y.")},
    {"MAX_GRID_DIM_Z", Unit::Blocks, QT_TRANSLATE_NOOP("DeviceAttributes", "The most blocks of a grid along z.")},
    {"MAX_SHARED_MEMORY_PER_BLOCK", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Shared memory that a block has without asking for more.")},
    {"TOTAL_CONSTANT_MEMORY", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory for the __constant__ variables of a module.")},
    {"WARP_SIZE", Unit::Threads, QT_TRANSLATE_NOOP("DeviceAttributes", "Threads that run an instruction together.")},
    {"MAX_PITCH", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The longest row that a copy of a rectangle takes.")},
    {"MAX_REGISTERS_PER_BLOCK", Unit::Registers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "32-bit registers for all threads of a block together.")},
    {"CLOCK_RATE", Unit::Kilohertz, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest clock of the multiprocessors.")},
    {"TEXTURE_ALIGNMENT", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory that is bound to a texture begins at a multiple of this.")},
    {"GPU_OVERLAP", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The device can copy while a kernel runs. ASYNC_ENGINE_COUNT says more.")},
    {"MULTIPROCESSOR_COUNT", Unit::Count,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Multiprocessors of the device; each runs blocks on its own.")},
    {"KERNEL_EXEC_TIMEOUT", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "The system ends kernels that run too long, mostly because a screen is attached.")},
    {"INTEGRATED", Unit::YesNo, QT_TRANSLATE_NOOP("DeviceAttributes", "The device shares its memory with the host.")},
    {"CAN_MAP_HOST_MEMORY", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Kernels can reach page-locked memory of the host.")},
    {"COMPUTE_MODE", Unit::ComputeMode,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Who may use the device: anybody, nobody, or one process.")},
    {"MAXIMUM_TEXTURE1D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 1-D texture.")},
    {"MAXIMUM_TEXTURE2D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 2-D texture.")},
    {"MAXIMUM_TEXTURE2D_HEIGHT", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 2-D texture.")},
    {"MAXIMUM_TEXTURE3D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 3-D texture.")},
    {"MAXIMUM_TEXTURE3D_HEIGHT", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 3-D texture.")},
    {"MAXIMUM_TEXTURE3D_DEPTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The deepest 3-D texture.")},
    {"MAXIMUM_TEXTURE2D_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest layer of a 2-D layered texture.")},
    {"MAXIMUM_TEXTURE2D_LAYERED_HEIGHT", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest layer of a 2-D layered texture.")},
    {"MAXIMUM_TEXTURE2D_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a 2-D layered texture.")},
    {"SURFACE_ALIGNMENT", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory that is bound to a surface begins at a multiple of this.")},
    {"CONCURRENT_KERNELS", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Kernels of several streams can run at the same time.")},
    {"ECC_ENABLED", Unit::YesNo, QT_TRANSLATE_NOOP("DeviceAttributes", "The memory corrects errors of single bits.")},
    {"PCI_BUS_ID", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The number of the PCI bus that the device is on.")},
    {"PCI_DEVICE_ID", Unit::Number, QT_TRANSLATE_NOOP("DeviceAttributes", "The number of the device on its PCI bus.")},
    {"TCC_DRIVER", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The driver is the one for computing on Windows, without a display.")},
    {"MEMORY_CLOCK_RATE", Unit::Kilohertz, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest clock of the memory.")},
    {"GLOBAL_MEMORY_BUS_WIDTH", Unit::Bits,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The width of the path to the device's memory.")},
    {"L2_CACHE_SIZE", Unit::Bytes, QT_TRANSLATE_NOOP("DeviceAttributes", "The cache that all multiprocessors share.")},
    {"MAX_THREADS_PER_MULTIPROCESSOR", Unit::Threads,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "The most threads that can be resident on a multiprocessor; occupancy is a share of it.")},
    {"ASYNC_ENGINE_COUNT", Unit::Count,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Copies that can run beside a kernel; 2 means both directions at once.")},
    {"UNIFIED_ADDRESSING", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Host and device share one address space.")},
    {"MAXIMUM_TEXTURE1D_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest layer of a 1-D layered texture.")},
    {"MAXIMUM_TEXTURE1D_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a 1-D layered texture.")},
    {"CAN_TEX2D_GATHER", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Arrays made for it can be read four texels at a time. Old; drivers always say yes.")},
    {"MAXIMUM_TEXTURE2D_GATHER_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 2-D texture that is read four texels at a time.")},
    {"MAXIMUM_TEXTURE2D_GATHER_HEIGHT", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 2-D texture that is read four texels at a time.")},
    {"MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 3-D texture where another axis is short.")},
    {"MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 3-D texture where another axis is short.")},
    {"MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The deepest 3-D texture where another axis is short.")},
    {"PCI_DOMAIN_ID", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The number of the PCI domain that the device is in.")},
    {"TEXTURE_PITCH_ALIGNMENT", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Rows of memory that is bound to a 2-D texture begin at multiples of this.")},
    {"MAXIMUM_TEXTURECUBEMAP_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest face of a cube map; faces are square.")},
    {"MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest face of a layered cube map.")},
    {"MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a layered cube map; a cube has six.")},
    {"MAXIMUM_SURFACE1D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 1-D surface.")},
    {"MAXIMUM_SURFACE2D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 2-D surface.")},
    {"MAXIMUM_SURFACE2D_HEIGHT", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 2-D surface.")},
    {"MAXIMUM_SURFACE3D_WIDTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 3-D surface.")},
    {"MAXIMUM_SURFACE3D_HEIGHT", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 3-D surface.")},
    {"MAXIMUM_SURFACE3D_DEPTH", Unit::Texels, QT_TRANSLATE_NOOP("DeviceAttributes", "The deepest 3-D surface.")},
    {"MAXIMUM_SURFACE1D_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest layer of a 1-D layered surface.")},
    {"MAXIMUM_SURFACE1D_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a 1-D layered surface.")},
    {"MAXIMUM_SURFACE2D_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest layer of a 2-D layered surface.")},
    {"MAXIMUM_SURFACE2D_LAYERED_HEIGHT", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest layer of a 2-D layered surface.")},
    {"MAXIMUM_SURFACE2D_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a 2-D layered surface.")},
    {"MAXIMUM_SURFACECUBEMAP_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest face of a cube map that is a surface.")},
    {"MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest face of a layered cube map that is a surface.")},
    {"MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS", Unit::Layers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most layers of a layered cube map that is a surface; a cube has six.")},
    {"MAXIMUM_TEXTURE1D_LINEAR_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 1-D texture of plain memory. Old; it depends on the format.")},
    {"MAXIMUM_TEXTURE2D_LINEAR_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 2-D texture of plain memory.")},
    {"MAXIMUM_TEXTURE2D_LINEAR_HEIGHT", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 2-D texture of plain memory.")},
    {"MAXIMUM_TEXTURE2D_LINEAR_PITCH", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The longest row of a 2-D texture of plain memory.")},
    {"MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 2-D texture with mipmaps.")},
    {"MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The highest 2-D texture with mipmaps.")},
    {"COMPUTE_CAPABILITY_MAJOR", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The generation of the architecture: 9 in 9.0.")},
    {"COMPUTE_CAPABILITY_MINOR", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The version within the generation: 0 in 9.0.")},
    {"MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH", Unit::Texels,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The widest 1-D texture with mipmaps.")},
    {"STREAM_PRIORITIES_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Work of one stream can go before that of another.")},
    {"GLOBAL_L1_CACHE_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Loads from global memory can go through the L1 cache.")},
    {"LOCAL_L1_CACHE_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Local memory, such as spilled registers, can go through the L1 cache.")},
    {"MAX_SHARED_MEMORY_PER_MULTIPROCESSOR", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Shared memory for all resident blocks of a multiprocessor together.")},
    {"MAX_REGISTERS_PER_MULTIPROCESSOR", Unit::Registers,
     QT_TRANSLATE_NOOP("DeviceAttributes", "32-bit registers for all resident threads of a multiprocessor together.")},
    {"MANAGED_MEMORY", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can move between host and device by itself.")},
    {"MULTI_GPU_BOARD", Unit::YesNo, QT_TRANSLATE_NOOP("DeviceAttributes", "Other devices are on the same board.")},
    {"MULTI_GPU_BOARD_GROUP_ID", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The same number for all devices of one board.")},
    {"HOST_NATIVE_ATOMIC_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Atomic operations of kernels on host memory are as good as those of the host.")},
    {"SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO", Unit::Ratio,
     QT_TRANSLATE_NOOP("DeviceAttributes", "How many times as fast float is as double.")},
    {"PAGEABLE_MEMORY_ACCESS", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Kernels can reach any memory of the host, page-locked or not.")},
    {"CONCURRENT_MANAGED_ACCESS", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Host and device can use managed memory at the same time.")},
    {"COMPUTE_PREEMPTION_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "A kernel can be interrupted, for a debugger or for other work.")},
    {"CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Registered host memory has the same address in kernels.")},
    {"CAN_USE_STREAM_MEM_OPS_V1", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Streams can wait for and write values in memory, by the entry points before CUDA 12. Old.")},
    {"CAN_USE_64_BIT_STREAM_MEM_OPS_V1", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The same for 64-bit values, by the entry points before CUDA 12. Old.")},
    {"CAN_USE_STREAM_WAIT_VALUE_NOR_V1", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Streams can wait with the NOR comparison, by the entry points before CUDA 12. Old.")},
    {"COOPERATIVE_LAUNCH", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "All blocks of a grid can be resident together, so that the grid can wait for all of itself.")},
    {"COOPERATIVE_MULTI_DEVICE_LAUNCH", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Grids on several devices can wait for each other. Old; CUDA 12 has it no more.")},
    {"MAX_SHARED_MEMORY_PER_BLOCK_OPTIN", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Shared memory that a block can have where the kernel asks for it; the window does.")},
    {"CAN_FLUSH_REMOTE_WRITES", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Streams can wait until writes from outside have arrived.")},
    {"HOST_REGISTER_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory of the host can be page-locked after it was allocated.")},
    {"PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Kernels reach host memory by the page tables of the host.")},
    {"DIRECT_MANAGED_MEM_ACCESS_FROM_HOST", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The host reaches managed memory on the device without moving it.")},
    {"VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Address ranges can be reserved, and memory mapped into them.")},
    {"HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be given to other processes as a file descriptor.")},
    {"HANDLE_TYPE_WIN32_HANDLE_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be given to other processes as a handle of Windows NT.")},
    {"HANDLE_TYPE_WIN32_KMT_HANDLE_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be given to other processes as a global handle of Windows.")},
    {"MAX_BLOCKS_PER_MULTIPROCESSOR", Unit::Blocks,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most blocks that can be resident on a multiprocessor.")},
    {"GENERIC_COMPRESSION_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be compressed to save bandwidth.")},
    {"MAX_PERSISTING_L2_CACHE_SIZE", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "How much of the L2 cache can be kept for chosen data.")},
    {"MAX_ACCESS_POLICY_WINDOW_SIZE", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The largest range of addresses that can be given a way to be cached.")},
    {"GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Other PCI devices can reach memory that is mapped into reserved addresses.")},
    {"RESERVED_SHARED_MEMORY_PER_BLOCK", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Shared memory that the driver takes of each block.")},
    {"SPARSE_CUDA_ARRAY_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Arrays can have memory for a part of themselves only.")},
    {"READ_ONLY_HOST_REGISTER_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Host memory that cannot be written can be registered.")},
    {"TIMELINE_SEMAPHORE_INTEROP_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Timeline semaphores of graphics interfaces can be used.")},
    {"MEMORY_POOLS_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be allocated in the order of a stream, out of pools.")},
    {"GPU_DIRECT_RDMA_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Other PCI devices, such as network cards, can reach the device's memory.")},
    {"GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS", Unit::Mask,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Ways to make sure that writes of other PCI devices have arrived, a bit each.")},
    {"GPU_DIRECT_RDMA_WRITES_ORDERING", Unit::RdmaOrdering,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Who sees writes of other PCI devices in order without more being done.")},
    {"MEMPOOL_SUPPORTED_HANDLE_TYPES", Unit::Mask,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Kinds of handles by which pools can be shared between processes, a bit each.")},
    {"CLUSTER_LAUNCH", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Blocks can be launched in clusters that share their shared memory.")},
    {"DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Arrays can be given their memory after they were made.")},
    {"CAN_USE_64_BIT_STREAM_MEM_OPS", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Streams can wait for and write 64-bit values in memory.")},
    {"CAN_USE_STREAM_WAIT_VALUE_NOR", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Streams can wait with the NOR comparison.")},
    {"DMA_BUF_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be shared with other devices by Linux's dma-buf.")},
    {"IPC_EVENT_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Events can be shared between processes.")},
    {"MEM_SYNC_DOMAIN_COUNT", Unit::Count,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Domains that keep the memory fences of streams apart.")},
    {"TENSOR_MAP_ACCESS_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Kernels can copy tiles of tensors by descriptors (TMA).")},
    {"HANDLE_TYPE_FABRIC_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory can be shared between computers of one NVLink fabric.")},
    {"UNIFIED_FUNCTION_POINTERS", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Pointers to device functions are the same on host and device.")},
    {"NUMA_CONFIG", Unit::NumaConfig,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Whether the device's memory is a NUMA node of the host.")},
    {"NUMA_ID", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The NUMA node of the device's memory; -1 is none.")},
    {"MULTICAST_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "One write can go to the memory of several devices.")},
    {"MPS_ENABLED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Processes share the device through the multi-process service.")},
    {"HOST_NUMA_ID", Unit::Number,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The NUMA node of the host that is nearest to the device; -1 is unknown.")},
    {"D3D12_CIG_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Compute work can run inside of Direct3D 12's.")},
    {"MEM_DECOMPRESS_ALGORITHM_MASK", Unit::Mask,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Compressed formats that the device unpacks by itself, a bit each.")},
    {"MEM_DECOMPRESS_MAXIMUM_LENGTH", Unit::Bytes,
     QT_TRANSLATE_NOOP("DeviceAttributes", "The most bytes that the device unpacks at once.")},
    {"VULKAN_CIG_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Compute work can run inside of Vulkan's.")},
    {"GPU_PCI_DEVICE_ID", Unit::Hex,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Device and vendor numbers in the PCI configuration.")},
    {"GPU_PCI_SUBSYSTEM_ID", Unit::Hex,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Subsystem numbers in the PCI configuration.")},
    {"HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Reserved addresses can be mapped to memory of a chosen NUMA node of the host.")},
    {"HOST_NUMA_MEMORY_POOLS_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory pools can be on a chosen NUMA node of the host.")},
    {"HOST_NUMA_MULTINODE_IPC_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory of a host's NUMA node can be shared between computers.")},
    {"HOST_MEMORY_POOLS_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Memory pools can be on the host.")},
    {"HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Reserved addresses can be mapped to memory of the host.")},
    {"HOST_ALLOC_DMA_BUF_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes", "Page-locked memory of the host can be shared by Linux's dma-buf.")},
    {"ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED", Unit::YesNo,
     QT_TRANSLATE_NOOP("DeviceAttributes",
                       "Some, not all, atomic operations of kernels on host memory are as good as those of the host.")},
};

QString tr(const char* text) { return QCoreApplication::translate("DeviceAttributes", text); }

const Known* find(const QString& name) {
    static const QHash<QString, const Known*> table = [] {
        QHash<QString, const Known*> made;
        for (const Known& each : known)
            made.insert(QLatin1String(each.name), &each);
        return made;
    }();
    return table.value(name);
}

QString hertz(qint64 kilohertz) {
    return kilohertz >= 1000000 ? QStringLiteral("%1 GHz").arg(double(kilohertz) / 1e6, 0, 'f', 2)
                                : QStringLiteral("%1 MHz").arg(double(kilohertz) / 1e3, 0, 'f', 0);
}

QString named(qint64 value, std::initializer_list<std::pair<int, const char*>> names) {
    for (const auto& [number, name] : names)
        if (number == value) return tr(name);
    return QString::number(value);
}

} // namespace

QString deviceAttributeText(const QString& name, qint64 value) {
    const Known* attribute = find(name);
    QString count = formatCount(value);
    switch (attribute ? attribute->unit : Unit::Number) {
    case Unit::Number: return QString::number(value);
    case Unit::Count: return count;
    case Unit::Threads: return tr("%1 threads").arg(count);
    case Unit::Blocks: return tr("%1 blocks").arg(count);
    case Unit::Registers: return tr("%1 registers").arg(count);
    case Unit::Texels: return tr("%1 texels").arg(count);
    case Unit::Layers: return tr("%1 layers").arg(count);
    case Unit::Bytes: return value < 0 ? QString::number(value) : formatBytes(quint64(value));
    case Unit::Bits: return tr("%1 bits").arg(count);
    case Unit::Kilohertz: return hertz(value);
    case Unit::Ratio: return QStringLiteral("%1 : 1").arg(value);
    case Unit::YesNo: return value ? tr("yes") : tr("no");
    case Unit::Mask: return value ? QStringLiteral("0x%1").arg(value, 0, 16) : tr("none");
    case Unit::Hex: return QStringLiteral("0x%1").arg(value, 8, 16, QLatin1Char('0'));
    case Unit::ComputeMode:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "anybody")},
                             {1, QT_TRANSLATE_NOOP("DeviceAttributes", "one thread")},
                             {2, QT_TRANSLATE_NOOP("DeviceAttributes", "nobody")},
                             {3, QT_TRANSLATE_NOOP("DeviceAttributes", "one process")}});
    case Unit::RdmaOrdering:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "nobody")},
                             {100, QT_TRANSLATE_NOOP("DeviceAttributes", "the device")},
                             {200, QT_TRANSLATE_NOOP("DeviceAttributes", "all devices")}});
    case Unit::NumaConfig:
        return named(value, {{0, QT_TRANSLATE_NOOP("DeviceAttributes", "no node")},
                             {1, QT_TRANSLATE_NOOP("DeviceAttributes", "a node")}});
    }
    return QString::number(value);
}

QString breakableName(QString name) {
    const QChar here(0x200b);
    name.replace(QLatin1Char('_'), QStringLiteral("_") + here);
    for (const char* word : {"MULTI", "TEXTURE", "SURFACE"}) {
        const QString text = QLatin1String(word);
        name.replace(text, text + here);
    }
    return name;
}

QString deviceAttributeMeaning(const QString& name) {
    const Known* attribute = find(name);
    return attribute ? tr(attribute->meaning) : QString();
}

} // namespace warplight::ui
