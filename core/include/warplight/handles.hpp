// SPDX-License-Identifier: Apache-2.0
// The driver's handle types, declared here so that the public headers need no CUDA header.
#pragma once

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUlib_st;
struct CUkern_st;
struct CUarray_st;
struct CUmipmappedArray_st;
struct CUtexref_st;
struct CUsurfref_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;
struct CUmemPoolHandle_st;

namespace warplight::driver {

/// A device address: the same type as the driver API's CUdeviceptr.
using device_ptr = unsigned long long;

namespace detail {
struct DriverState;
struct ContextState;
struct WeakContext;
struct StreamState;
struct EventState;
struct ModuleState;
struct FunctionState;
struct AllocationState;
struct LinkerState;
struct LibraryState;
struct ArrayState;
struct MipmappedArrayState;
struct TextureObjectState;
struct SurfaceObjectState;
struct TextureReferenceState;
struct SurfaceReferenceState;
struct GraphState;
struct GraphExecState;
struct DriverPoolState;
struct StreamOrderedState;
struct PhysicalMemoryState;
struct VirtualRangeState;
} // namespace detail
} // namespace warplight::driver
