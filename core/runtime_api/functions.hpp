// SPDX-License-Identifier: Apache-2.0
// The functions of the driver that the runtime library calls.
#pragma once

#include "driver/entry_points.hpp"
#include "runtime_api/abi.hpp"

namespace warplight::runtime_api {

using driver::GraphEdgeData;

/// The runtime's pointers to memory are the driver's addresses.
inline CUdeviceptr address(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }
inline CUdeviceptr* address(void** pointer) { return reinterpret_cast<CUdeviceptr*>(pointer); }

using Pfn_cuLibraryGetManaged = CUresult(CUDAAPI*)(CUdeviceptr*, size_t*, LibraryHandle, const char*);
using Pfn_cuLibraryGetUnifiedFunction = CUresult(CUDAAPI*)(void**, LibraryHandle, const char*);
using Pfn_cuDeviceGetLuid = CUresult(CUDAAPI*)(char* luid, unsigned* mask, CUdevice);
using Pfn_cuDeviceGetTexture1DLinearMaxWidth = CUresult(CUDAAPI*)(size_t*, CUarray_format, unsigned, CUdevice);
using Pfn_cuDeviceGetNvSciSyncAttributes = CUresult(CUDAAPI*)(void*, CUdevice, int);
using Pfn_cuDeviceGetHostAtomicCapabilities = CUresult(CUDAAPI*)(unsigned*, const int*, unsigned, CUdevice);
using Pfn_cuDeviceGetP2PAtomicCapabilities = CUresult(CUDAAPI*)(unsigned*, const int*, unsigned, CUdevice, CUdevice);
using Pfn_cuCtxSetFlags = CUresult(CUDAAPI*)(unsigned);
using Pfn_cuFlushGPUDirectRDMAWrites = CUresult(CUDAAPI*)(int target, int scope);
using Pfn_cuLaunchCooperativeKernelMultiDevice = CUresult(CUDAAPI*)(CUDA_LAUNCH_PARAMS*, unsigned, unsigned);
using Pfn_cuStreamUpdateCaptureDependencies_v2 = CUresult(CUDAAPI*)(CUstream, CUgraphNode*, const GraphEdgeData*,
                                                                    size_t, unsigned);
using Pfn_cuArrayGetPlane = CUresult(CUDAAPI*)(CUarray*, CUarray, unsigned);
using Pfn_cuArrayGetSparseProperties = CUresult(CUDAAPI*)(void*, CUarray);
using Pfn_cuMipmappedArrayGetSparseProperties = CUresult(CUDAAPI*)(void*, CUmipmappedArray);
using Pfn_cuArrayGetMemoryRequirements = CUresult(CUDAAPI*)(void*, CUarray, CUdevice);
using Pfn_cuMipmappedArrayGetMemoryRequirements = CUresult(CUDAAPI*)(void*, CUmipmappedArray, CUdevice);
using Pfn_cuMemPoolExportToShareableHandle = CUresult(CUDAAPI*)(void*, CUmemoryPool, int, unsigned long long);
using Pfn_cuMemPoolImportFromShareableHandle = CUresult(CUDAAPI*)(CUmemoryPool*, void*, int, unsigned long long);
using Pfn_cuMemPoolExportPointer = CUresult(CUDAAPI*)(void*, CUdeviceptr);
using Pfn_cuMemPoolImportPointer = CUresult(CUDAAPI*)(CUdeviceptr*, CUmemoryPool, void*);
using Pfn_cuMemGetMemPool = CUresult(CUDAAPI*)(CUmemoryPool*, Location*, int);
using Pfn_cuMemSetMemPool = CUresult(CUDAAPI*)(Location*, int, CUmemoryPool);
using Pfn_cuMemPrefetchBatchAsync = CUresult(CUDAAPI*)(CUdeviceptr*, size_t*, size_t, Location*, size_t*, size_t,
                                                       unsigned long long, CUstream);
using Pfn_cuMemDiscardBatchAsync = CUresult(CUDAAPI*)(CUdeviceptr*, size_t*, size_t, unsigned long long, CUstream);
using Pfn_cuImportExternalMemory = CUresult(CUDAAPI*)(CUexternalMemory*, const void*);
using Pfn_cuExternalMemoryGetMappedBuffer = CUresult(CUDAAPI*)(CUdeviceptr*, CUexternalMemory, const void*);
using Pfn_cuExternalMemoryGetMappedMipmappedArray =
    CUresult(CUDAAPI*)(CUmipmappedArray*, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*);
using Pfn_cuDestroyExternalMemory = CUresult(CUDAAPI*)(CUexternalMemory);
using Pfn_cuImportExternalSemaphore = CUresult(CUDAAPI*)(CUexternalSemaphore*, const void*);
using Pfn_cuExternalSemaphoresAsync = CUresult(CUDAAPI*)(const CUexternalSemaphore*, const void*, unsigned, CUstream);
using Pfn_cuDestroyExternalSemaphore = CUresult(CUDAAPI*)(CUexternalSemaphore);
using Pfn_cuGraphHostNodeGetParams = CUresult(CUDAAPI*)(CUgraphNode, HostParameters*);
using Pfn_cuGraphAddExternalSemaphoresNode = CUresult(CUDAAPI*)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                                const void*);
using Pfn_cuGraphExternalSemaphoresNodeGetParams = CUresult(CUDAAPI*)(CUgraphNode, void*);
using Pfn_cuGraphExternalSemaphoresNodeSetParams = CUresult(CUDAAPI*)(CUgraphNode, const void*);
using Pfn_cuGraphExecExternalSemaphoresNodeSetParams = CUresult(CUDAAPI*)(CUgraphExec, CUgraphNode, const void*);
using Pfn_cuGraphKernelNodeGetParams_v2 = CUresult(CUDAAPI*)(CUgraphNode, driver::KernelNodeParams*);
using Pfn_cuGraphConditionalHandleCreate = CUresult(CUDAAPI*)(unsigned long long*, CUgraph, CUcontext, unsigned,
                                                              unsigned);
using Pfn_cuGraphAddNode_v2 = CUresult(CUDAAPI*)(CUgraphNode*, CUgraph, const CUgraphNode*, const GraphEdgeData*,
                                                 size_t, void* parameters);
using Pfn_cuGraphicsResourceSetMapFlags = CUresult(CUDAAPI*)(CUgraphicsResource, unsigned);
using Pfn_cuGraphicsResourceGetMappedMipmappedArray = CUresult(CUDAAPI*)(CUmipmappedArray*, CUgraphicsResource);
using Pfn_cuTexRefSetMipmappedArray = CUresult(CUDAAPI*)(CUtexref, CUmipmappedArray, unsigned);
using Pfn_cuTexRefSetMipmapFilterMode = CUresult(CUDAAPI*)(CUtexref, CUfilter_mode);
using Pfn_cuTexRefSetMipmapLevelBias = CUresult(CUDAAPI*)(CUtexref, float);
using Pfn_cuTexRefSetMipmapLevelClamp = CUresult(CUDAAPI*)(CUtexref, float, float);
using Pfn_cuTexRefSetMaxAnisotropy = CUresult(CUDAAPI*)(CUtexref, unsigned);

/// A pointer for each entry point. None is null: what the driver lacks answers cudaErrorCallRequiresNewerDriver.
struct Functions : driver::detail::EntryPoints {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need) type fn_##member = nullptr;
#include "runtime_api/more_entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
    /// Whether the driver has the function.
    template <class Pointer>
    static bool has(Pointer function) {
        return reinterpret_cast<void*>(function) != missing();
    }
    static void* missing();
};

} // namespace warplight::runtime_api
