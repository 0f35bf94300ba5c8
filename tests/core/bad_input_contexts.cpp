// SPDX-License-Identifier: Apache-2.0
// Good calls: the driver, devices, contexts, peers, processes, windows.
#include "bad_input.hpp"

namespace bad_input {

void add_contexts(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuInit, 0);
    WARPLIGHT_ROW(cuDriverGetVersion, f.out());
    WARPLIGHT_ROW(cuGetErrorString, CUDA_ERROR_INVALID_VALUE, f.out());
    WARPLIGHT_ROW(cuGetErrorName, CUDA_ERROR_INVALID_VALUE, f.out());
    WARPLIGHT_ROW(cuGetProcAddress, "cuMemAlloc", f.out(), 12000, f.pick(0, {~0ull, 0x7fffffff}));
    WARPLIGHT_ROW(cuGetProcAddress_v2, "cuMemAlloc", f.out(), 12000, f.pick(0, {~0ull, 0x7fffffff}), f.out());
    WARPLIGHT_ROW(cuGetExportTable, f.out(), f.in(CUuuid{}));
    WARPLIGHT_ROW(cuProfilerInitialize, f.fixed(0), f.fixed(0), 0);
    WARPLIGHT_ROW(cuProfilerStart);
    WARPLIGHT_ROW(cuProfilerStop);

    WARPLIGHT_ROW(cuDeviceGet, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetCount, f.out());
    WARPLIGHT_ROW(cuDeviceGetName, f.out(), f.pick(100, {0, 0xffffffff}), 0);
    WARPLIGHT_ROW(cuDeviceTotalMem, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetAttribute, f.out(), CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0);
    WARPLIGHT_ROW(cuDeviceComputeCapability, f.out(), f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetUuid, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetUuid_v2, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetPCIBusId, f.out(), f.pick(100, {0, 1, 12, 0xffffffff}), 0);
    WARPLIGHT_ROW(cuDeviceGetByPCIBusId, f.out(), [&] {
        Slot id = f.bytes(32);
        id.kind = Kind::name;
        f.api.fn_cuDeviceGetPCIBusId(reinterpret_cast<char*>(id.bits), 32, 0);
        return id;
    }());
    WARPLIGHT_ROW(cuDeviceCanAccessPeer, f.out(), 0, 0);
    WARPLIGHT_ROW(cuDeviceGetP2PAttribute, f.out(), CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0);
    WARPLIGHT_ROW(cuDeviceGetDefaultMemPool, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceGetMemPool, f.out(), 0);
    WARPLIGHT_ROW(cuDeviceSetMemPool, 0, [&] {
        Slot pool = f.is(Thing::pool);
        CUmemoryPool common = nullptr;
        f.api.fn_cuDeviceGetDefaultMemPool(&common, 0);
        pool.bits = reinterpret_cast<std::uint64_t>(common);
        return pool;
    }());
    WARPLIGHT_ROW(cuDevicePrimaryCtxRetain, f.out(), 0);
    WARPLIGHT_ROW(cuDevicePrimaryCtxGetState, 0, f.out(), f.out());
    WARPLIGHT_ROW(cuDevicePrimaryCtxSetFlags, 0, 0);
    WARPLIGHT_ROW(cuDevicePrimaryCtxRelease, 0);
    WARPLIGHT_ROW(cuDevicePrimaryCtxReset, 0);

    WARPLIGHT_ROW(cuCtxCreate, f.makes(Thing::context), 0, 0);
    WARPLIGHT_ROW(cuCtxCreate_v3, f.makes(Thing::context), f.fixed(0), 0, 0, 0);
    WARPLIGHT_ROW(cuCtxCreate_v4, f.makes(Thing::context), f.fixed(0), 0, 0);
    WARPLIGHT_ROW(cuCtxDestroy, f.takes(Thing::context));
    WARPLIGHT_ROW(cuCtxAttach, f.out(), 0);
    WARPLIGHT_ROW(cuCtxDetach, [&] {
        Slot slot = f.takes(Thing::context);
        f.api.fn_cuCtxPushCurrent(reinterpret_cast<CUcontext>(slot.bits));
        return slot;
    }());
    WARPLIGHT_ROW(cuCtxPushCurrent, f.is(Thing::current_context));
    WARPLIGHT_ROW(cuCtxPopCurrent, f.out());
    WARPLIGHT_ROW(cuCtxSetCurrent, f.is(Thing::current_context));
    WARPLIGHT_ROW(cuCtxGetCurrent, f.out());
    WARPLIGHT_ROW(cuCtxGetDevice, f.out());
    WARPLIGHT_ROW(cuCtxGetFlags, f.out());
    WARPLIGHT_ROW(cuCtxGetApiVersion, f.is(Thing::current_context), f.out());
    WARPLIGHT_ROW(cuCtxGetCacheConfig, f.out());
    WARPLIGHT_ROW(cuCtxSetCacheConfig, CU_FUNC_CACHE_PREFER_NONE);
    WARPLIGHT_ROW(cuCtxGetSharedMemConfig, f.out());
    WARPLIGHT_ROW(cuCtxSetSharedMemConfig, CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE);
    WARPLIGHT_ROW(cuCtxGetLimit, f.out(), CU_LIMIT_STACK_SIZE);
    WARPLIGHT_ROW(cuCtxSetLimit, CU_LIMIT_STACK_SIZE, f.pick(1024, {~0ull, 0}));
    WARPLIGHT_ROW_AS(cuCtxSetLimit, "heap", CU_LIMIT_MALLOC_HEAP_SIZE, f.pick(8 << 20, {~0ull, 1ull << 50, 0}));
    WARPLIGHT_ROW_AS(cuCtxSetLimit, "printf", CU_LIMIT_PRINTF_FIFO_SIZE, f.pick(1 << 20, {~0ull, 1ull << 50, 0}));
    WARPLIGHT_ROW(cuCtxGetStreamPriorityRange, f.out(), f.out());
    WARPLIGHT_ROW(cuCtxResetPersistingL2Cache);
    WARPLIGHT_ROW(cuCtxSynchronize);
    WARPLIGHT_ROW(cuCtxEnablePeerAccess, f.is(Thing::context), 0);
    WARPLIGHT_ROW(cuCtxDisablePeerAccess, f.is(Thing::context));

    WARPLIGHT_ROW(cuIpcGetEventHandle, f.out(), f.is(Thing::shared_event));
    WARPLIGHT_ROW(cuIpcOpenEventHandle, f.makes(Thing::event), [&] {
        CUipcEventHandle_v1 handle{};
        f.api.fn_cuIpcGetEventHandle(&handle, f.as<CUevent>(Thing::shared_event));
        return handle;
    }());
    WARPLIGHT_ROW_AS(cuIpcOpenEventHandle, "zeros", f.makes(Thing::event), CUipcEventHandle_v1{});
    WARPLIGHT_ROW(cuIpcGetMemHandle, f.out(), f.is(Thing::memory));
    WARPLIGHT_ROW(
        cuIpcOpenMemHandle, f.out(),
        [&] {
            CUipcMemHandle_v1 handle{};
            f.api.fn_cuIpcGetMemHandle(&handle, f.get(Thing::memory));
            return handle;
        }(),
        CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    WARPLIGHT_ROW_AS(cuIpcOpenMemHandle, "zeros", f.out(), CUipcMemHandle_v1{}, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    WARPLIGHT_ROW(cuIpcCloseMemHandle, f.is(Thing::memory));
}

const std::map<std::string, std::string>& left_out() {
    static const std::string window = "needs a window's OpenGL context: a driver may end the process without one";
    static const std::map<std::string, std::string> all = {
        {"cuGLCtxCreate", window},
        {"cuGLInit", window},
        {"cuGLMapBufferObject", window},
        {"cuGLRegisterBufferObject", window},
        {"cuGLUnmapBufferObject", window},
        {"cuGLUnregisterBufferObject", window},
        {"cuGraphicsGLRegisterBuffer", window},
        {"cuGraphicsGLRegisterImage", window},
        {"cuGraphicsMapResources", window},
        {"cuGraphicsResourceGetMappedPointer", window},
        {"cuGraphicsSubResourceGetMappedArray", window},
        {"cuGraphicsUnmapResources", window},
        {"cuGraphicsUnregisterResource", window},
    };
    return all;
}

std::vector<Row> all_rows() {
    std::vector<Row> rows;
    add_contexts(rows);
    add_memory(rows);
    add_images(rows);
    add_code(rows);
    add_streams(rows);
    add_graphs(rows);
    return rows;
}

} // namespace bad_input
