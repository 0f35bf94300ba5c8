// SPDX-License-Identifier: Apache-2.0
// Types of entry points that some supported version of cudaTypedefs.h lacks, or that would need OpenGL headers.
#pragma once

#include "driver/graph_types.hpp"

#include <cuda.h>
#include <cudaTypedefs.h>

struct CUlib_st;
struct CUkern_st;

namespace warplight::driver {

/// CUmemLocation, which 11.8 passes nowhere by value.
struct MemoryLocation {
    int type;
    int id;
};

using Pfn_cuGetProcAddress_v2 = CUresult(CUDAAPI*)(const char*, void**, int, cuuint64_t, int* query_result);
using Pfn_cuCtxCreate_v4 = CUresult(CUDAAPI*)(CUcontext*, void* parameters, unsigned flags, CUdevice);
using Pfn_cuEventElapsedTime_v2 = CUresult(CUDAAPI*)(float*, CUevent, CUevent);
using Pfn_cuFuncLoad = CUresult(CUDAAPI*)(CUfunction);
using Pfn_cuFuncIsLoaded = CUresult(CUDAAPI*)(int* state, CUfunction);
using Pfn_cuFuncGetName = CUresult(CUDAAPI*)(const char**, CUfunction);
using Pfn_cuFuncGetParamInfo = CUresult(CUDAAPI*)(CUfunction, size_t index, size_t* offset, size_t* size);
using Pfn_cuModuleGetFunctionCount = CUresult(CUDAAPI*)(unsigned* count, CUmodule);
using Pfn_cuModuleEnumerateFunctions = CUresult(CUDAAPI*)(CUfunction*, unsigned count, CUmodule);
using Pfn_cuMemAdvise_v2 = CUresult(CUDAAPI*)(CUdeviceptr, size_t, CUmem_advise, MemoryLocation);
using Pfn_cuMemPrefetchAsync_v2 = CUresult(CUDAAPI*)(CUdeviceptr, size_t, MemoryLocation, unsigned flags, CUstream);

// Libraries and their kernels, since 12.0.
using LibraryHandle = CUlib_st*;
using KernelHandle = CUkern_st*;
using Pfn_cuLibraryLoadData = CUresult(CUDAAPI*)(LibraryHandle*, const void* code, CUjit_option*, void** values,
                                                 unsigned count, int* options, void** option_values,
                                                 unsigned options_count);
using Pfn_cuLibraryLoadFromFile = CUresult(CUDAAPI*)(LibraryHandle*, const char* name, CUjit_option*, void** values,
                                                     unsigned count, int* options, void** option_values,
                                                     unsigned options_count);
using Pfn_cuLibraryUnload = CUresult(CUDAAPI*)(LibraryHandle);
using Pfn_cuLibraryGetKernel = CUresult(CUDAAPI*)(KernelHandle*, LibraryHandle, const char* name);
using Pfn_cuLibraryGetModule = CUresult(CUDAAPI*)(CUmodule*, LibraryHandle);
using Pfn_cuLibraryGetGlobal = CUresult(CUDAAPI*)(CUdeviceptr*, size_t* bytes, LibraryHandle, const char* name);
using Pfn_cuLibraryGetKernelCount = CUresult(CUDAAPI*)(unsigned* count, LibraryHandle);
using Pfn_cuLibraryEnumerateKernels = CUresult(CUDAAPI*)(KernelHandle*, unsigned count, LibraryHandle);
using Pfn_cuKernelGetFunction = CUresult(CUDAAPI*)(CUfunction*, KernelHandle);
using Pfn_cuKernelGetLibrary = CUresult(CUDAAPI*)(LibraryHandle*, KernelHandle);
using Pfn_cuKernelGetAttribute = CUresult(CUDAAPI*)(int*, CUfunction_attribute, KernelHandle, CUdevice);
using Pfn_cuKernelSetAttribute = CUresult(CUDAAPI*)(CUfunction_attribute, int value, KernelHandle, CUdevice);
using Pfn_cuKernelSetCacheConfig = CUresult(CUDAAPI*)(KernelHandle, CUfunc_cache, CUdevice);
using Pfn_cuKernelGetName = CUresult(CUDAAPI*)(const char**, KernelHandle);
using Pfn_cuKernelGetParamInfo = CUresult(CUDAAPI*)(KernelHandle, size_t index, size_t* offset, size_t* size);
using Pfn_cuStreamGetCtx_v2 = CUresult(CUDAAPI*)(CUstream, CUcontext*, void** green);
using Pfn_cuStreamGetId = CUresult(CUDAAPI*)(CUstream, unsigned long long* id);
using Pfn_cuStreamGetCaptureInfo_v3 = CUresult(CUDAAPI*)(CUstream, CUstreamCaptureStatus*, cuuint64_t* id, CUgraph*,
                                                         const CUgraphNode** nodes, const GraphEdgeData** edges,
                                                         size_t* count);
using Pfn_cuStreamBeginCaptureToGraph = CUresult(CUDAAPI*)(CUstream, CUgraph, const CUgraphNode* nodes,
                                                           const GraphEdgeData* edges, size_t count,
                                                           CUstreamCaptureMode);
using Pfn_cuGraphGetEdges_v2 = CUresult(CUDAAPI*)(CUgraph, CUgraphNode* from, CUgraphNode* to, GraphEdgeData*,
                                                  size_t* count);
using Pfn_cuGraphNodeGetDependencies_v2 = CUresult(CUDAAPI*)(CUgraphNode, CUgraphNode*, GraphEdgeData*, size_t*);
using Pfn_cuGraphAddDependencies_v2 = CUresult(CUDAAPI*)(CUgraph, const CUgraphNode* from, const CUgraphNode* to,
                                                         const GraphEdgeData*, size_t count);
using Pfn_cuGraphExecUpdate_v2 = CUresult(CUDAAPI*)(CUgraphExec, CUgraph, GraphExecUpdateResultInfo*);
using Pfn_cuGraphExecGetFlags = CUresult(CUDAAPI*)(CUgraphExec, cuuint64_t* flags);
using Pfn_cuGraphInstantiate_v2 = CUresult(CUDAAPI*)(CUgraphExec*, CUgraph, CUgraphNode* error, char* log, size_t size);
using Pfn_cuGraphInstantiateWithParams = CUresult(CUDAAPI*)(CUgraphExec*, CUgraph, GraphInstantiateParams*);

using Pfn_cuProfilerInitialize = CUresult(CUDAAPI*)(const char* config, const char* output, int mode);
using Pfn_cuProfilerStart = CUresult(CUDAAPI*)();
using Pfn_cuProfilerStop = CUresult(CUDAAPI*)();

// GLuint and GLenum are unsigned int.
using Pfn_cuGLInit = CUresult(CUDAAPI*)();
using Pfn_cuGLCtxCreate = CUresult(CUDAAPI*)(CUcontext*, unsigned flags, CUdevice);
using Pfn_cuGLRegisterBufferObject = CUresult(CUDAAPI*)(unsigned buffer);
using Pfn_cuGLMapBufferObject = CUresult(CUDAAPI*)(CUdeviceptr*, size_t* size, unsigned buffer);
using Pfn_cuGLUnmapBufferObject = CUresult(CUDAAPI*)(unsigned buffer);
using Pfn_cuGLUnregisterBufferObject = CUresult(CUDAAPI*)(unsigned buffer);
using Pfn_cuGraphicsGLRegisterBuffer = CUresult(CUDAAPI*)(CUgraphicsResource*, unsigned buffer, unsigned flags);
using Pfn_cuGraphicsGLRegisterImage = CUresult(CUDAAPI*)(CUgraphicsResource*, unsigned image, unsigned target,
                                                         unsigned flags);

} // namespace warplight::driver
