// SPDX-License-Identifier: Apache-2.0
// The driver's handle types, declared here so that the public headers need no CUDA header.
#pragma once

struct CUctx_st;
struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphNode_st;
struct CUgraphExec_st;

namespace warplight::driver {

/// A device address: the same type as the driver API's CUdeviceptr.
using device_ptr = unsigned long long;

namespace detail {
struct DriverState;
struct ContextState;
struct StreamState;
struct EventState;
struct ModuleState;
struct FunctionState;
struct AllocationState;
struct GraphState;
struct GraphExecState;
} // namespace detail
} // namespace warplight::driver
