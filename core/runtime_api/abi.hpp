// SPDX-License-Identifier: Apache-2.0
// What the functions of the runtime API take and give: layouts and numbers that cannot change. They are declared here
// and not taken from cuda_runtime_api.h, as one build makes the libraries of three major versions.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#ifdef _WIN32
#define WL_RUNTIME_CALL __stdcall
#define WL_RUNTIME_API
#else
#define WL_RUNTIME_CALL
#define WL_RUNTIME_API __attribute__((visibility("default")))
#endif

// NOLINTBEGIN(bugprone-macro-parentheses): parameters and arguments have their own
/// The head of a function of the runtime API.
#define WL_RUNTIME(name, parameters) extern "C" WL_RUNTIME_API Error WL_RUNTIME_CALL name parameters

/// A function that uses the default stream, and its form for programs whose default stream is each thread's own. The
/// body that follows knows which by the constant `PerThread`.
#define WL_STREAM_RUNTIME(name, suffix, parameters, arguments)                                                         \
    template <bool PerThread>                                                                                          \
    static Error name##_body parameters;                                                                               \
    WL_RUNTIME(name, parameters) { return name##_body<false> arguments; }                                              \
    WL_RUNTIME(name##suffix, parameters) { return name##_body<true> arguments; }                                       \
    template <bool PerThread>                                                                                          \
    static Error name##_body parameters
// NOLINTEND(bugprone-macro-parentheses)

namespace warplight::runtime_api {

/// cudaError_t. Most numbers are also those of CUresult, with the same meaning.
enum Error : int {
#define WARPLIGHT_RUNTIME_ERROR(name, number, first, text) name = (number),
#include "runtime_api/errors.def"
#undef WARPLIGHT_RUNTIME_ERROR
};

using Stream = CUstream;
using Event = CUevent;
using Graph = CUgraph;
using GraphNode = CUgraphNode;
using GraphExec = CUgraphExec;
using Array = CUarray;
using MipmappedArray = CUmipmappedArray;
using MemoryPool = CUmemoryPool;
using KernelHandle = struct CUkern_st*;
using LibraryHandle = struct CUlib_st*;

struct Dim3 {
    unsigned x = 1, y = 1, z = 1;
};

/// cudaChannelFormatDesc
struct ChannelFormat {
    int x, y, z, w;
    int kind; ///< signed, unsigned, float, none
};

struct PitchedPointer {
    void* pointer;
    std::size_t pitch, xsize, ysize;
};
struct Extent {
    std::size_t width, height, depth;
};
struct Position {
    std::size_t x, y, z;
};

enum CopyKind : int {
    copy_host_to_host = 0,
    copy_host_to_device = 1,
    copy_device_to_host = 2,
    copy_device_to_device = 3,
    copy_default = 4,
};

/// cudaMemcpy3DParms
struct Copy3D {
    Array source_array;
    Position source_position;
    PitchedPointer source;
    Array target_array;
    Position target_position;
    PitchedPointer target;
    Extent extent;
    int kind;
};
static_assert(sizeof(Copy3D) == 160);

/// cudaMemcpy3DPeerParms
struct PeerCopy3D {
    Array source_array;
    Position source_position;
    PitchedPointer source;
    int source_device;
    Array target_array;
    Position target_position;
    PitchedPointer target;
    int target_device;
    Extent extent;
};
static_assert(sizeof(PeerCopy3D) == 168);

/// cudaMemsetParams
struct MemsetParameters {
    void* target;
    std::size_t pitch;
    unsigned value, element_size;
    std::size_t width, height;
};
static_assert(sizeof(MemsetParameters) == 40);

/// cudaHostNodeParams
struct HostParameters {
    CUhostFn function;
    void* data;
};

/// cudaKernelNodeParams
struct KernelParameters {
    void* function;
    Dim3 grid, block;
    unsigned shared;
    void** parameters;
    void** extra;
};
static_assert(sizeof(KernelParameters) == 56);

/// cudaLaunchConfig_t
struct LaunchConfiguration {
    Dim3 grid, block;
    std::size_t shared;
    Stream stream;
    CUlaunchAttribute* attributes;
    unsigned attribute_count;
};
static_assert(sizeof(LaunchConfiguration) == 56 && sizeof(CUlaunchAttribute) == 72);

/// cudaLaunchParams of cooperative launches on several devices
struct MultiDeviceLaunch {
    void* function;
    Dim3 grid, block;
    void** arguments;
    std::size_t shared;
    Stream stream;
};
static_assert(sizeof(MultiDeviceLaunch) == 56);

/// cudaMemLocation
struct Location {
    int type;
    int id;
};
enum LocationType : int { location_device = 1, location_host = 2 };

/// cudaResourceDesc without what 13 has behind it.
struct ResourceDescription {
    int type; ///< array, mipmapped array, linear, pitched
    union {
        struct {
            Array handle;
        } array;
        struct {
            MipmappedArray handle;
        } mipmap;
        struct {
            void* address;
            ChannelFormat format;
            std::size_t size;
        } linear;
        struct {
            void* address;
            ChannelFormat format;
            std::size_t width, height, pitch;
        } pitched;
    } resource;
};
static_assert(sizeof(ResourceDescription) == 64);

/// cudaTextureDesc; 11 has it without `seamless_cubemap`, under the name cudaTextureDesc_v2 with it.
struct TextureDescription {
    int address_mode[3];
    int filter_mode;
    int read_mode;
    int srgb;
    float border_color[4];
    int normalized_coordinates;
    unsigned max_anisotropy;
    int mipmap_filter_mode;
    float mipmap_level_bias, min_mipmap_level_clamp, max_mipmap_level_clamp;
    int disable_trilinear_optimization;
    int seamless_cubemap;
};
static_assert(sizeof(TextureDescription) == 72 && offsetof(TextureDescription, seamless_cubemap) == 68);

/// cudaResourceViewDesc without what 13 has behind it.
struct ResourceView {
    int format;
    std::size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer;
};
static_assert(sizeof(ResourceView) == 48);

/// cudaPointerAttributes without what 13 has behind it.
struct PointerAttributes {
    int type;
    int device;
    void* device_pointer;
    void* host_pointer;
};
static_assert(sizeof(PointerAttributes) == 24);
enum MemoryType : int { memory_unregistered = 0, memory_host = 1, memory_device = 2, memory_managed = 3 };
inline constexpr int kNoDevice = -2;

/// cudaFuncAttributes of 12 and 13; 11 ends before the clusters.
struct FunctionAttributes {
    std::size_t shared, constant, local;
    int max_threads, registers, ptx_version, binary_version, cache_mode_ca, max_dynamic_shared, preferred_carveout;
    int cluster_must_be_set, cluster_width, cluster_height, cluster_depth, cluster_policy, non_portable_cluster;
    int reserved[16];
};
static_assert(sizeof(FunctionAttributes) == 144 && offsetof(FunctionAttributes, cluster_must_be_set) == 52);

/// textureReference of 11
struct TextureReference {
    int normalized;
    int filter_mode;
    int address_mode[3];
    ChannelFormat format;
    int srgb;
    unsigned max_anisotropy;
    int mipmap_filter_mode;
    float mipmap_level_bias, min_mipmap_level_clamp, max_mipmap_level_clamp;
    int disable_trilinear_optimization;
    int reserved[14];
};
static_assert(sizeof(TextureReference) == 124);

} // namespace warplight::runtime_api
