// SPDX-License-Identifier: Apache-2.0
// Devices: the choice of one, its limits, attributes and peers.
#include "runtime_api/contexts.hpp"
#include "runtime_api/registry.hpp"

namespace warplight::runtime_api {

namespace {

Error with_device(const Functions& f, int device, auto&& body) {
    if (const Error error = check_device(f, device); error != cudaSuccess)
        return error == cudaErrorNoDevice ? error : cudaErrorInvalidDevice;
    CUdevice handle = 0;
    check(f.fn_cuDeviceGet(&handle, device));
    return static_cast<Error>(body(handle));
}

constexpr unsigned kScheduleMask = 7, kMapHost = 8, kResizeLocal = 0x10, kSyncMemoryOperations = 0x80;

Error set_flags(const Functions& f, int device, unsigned flags) {
    require((flags & ~(kScheduleMask | kMapHost | kResizeLocal | kSyncMemoryOperations)) == 0);
    const unsigned schedule = flags & kScheduleMask;
    require(schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4);
    // Host memory is always mapped.
    return with_device(f, device,
                       [&](CUdevice handle) { return f.fn_cuDevicePrimaryCtxSetFlags(handle, flags & ~kMapHost); });
}

} // namespace

WL_RUNTIME(cudaGetDeviceCount, (int* count)) {
    if (!count) return record(cudaErrorInvalidValue);
    *count = 0;
    return query([&](const Functions& f) {
        check(f.fn_cuDeviceGetCount(count));
        return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
    });
}

WL_RUNTIME(cudaSetDevice, (int device)) {
    return query([&](const Functions& f) {
        if (const Error error = check_device(f, device); error != cudaSuccess) return error;
        ThreadState& thread = thread_state;
        thread.device = device;
        thread.undecided = false;
        thread.chosen = true;
        thread.bound = false;
        // Since 12 the device is ready when this returns.
        return kRuntimeVersion >= 12000 ? bind_context(f) : cudaSuccess;
    });
}

WL_RUNTIME(cudaGetDevice, (int* device)) {
    return query([&](const Functions& f) {
        require(device);
        return current_device(f, *device);
    });
}

WL_RUNTIME(cudaSetValidDevices, (int* devices, int count)) {
    return query([&](const Functions& f) {
        require(count >= 0 && (devices || count == 0));
        for (int i = 0; i < count; ++i)
            check(check_device(f, devices[i]));
        set_valid_devices(devices, count);
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaInitDevice, (int device, unsigned device_flags, unsigned flags)) {
    return query([&](const Functions& f) {
        constexpr unsigned flags_are_valid = 1;
        check(check_device(f, device));
        if (flags & flags_are_valid) check(set_flags(f, device, device_flags));
        CUcontext context = nullptr;
        return primary_context(f, device, context);
    });
}

WL_RUNTIME(cudaSetDeviceFlags, (unsigned flags)) {
    return query([&](const Functions& f) {
        int device = 0;
        check(current_device(f, device));
        return set_flags(f, device, flags);
    });
}

WL_RUNTIME(cudaGetDeviceFlags, (unsigned* flags)) {
    return query([&](const Functions& f) {
        require(flags);
        int device = 0;
        check(current_device(f, device));
        int active = 0;
        check(f.fn_cuDevicePrimaryCtxGetState(device, flags, &active));
        *flags |= kMapHost;
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaDeviceReset, ()) {
    return query([&](const Functions& f) {
        int device = 0;
        check(current_device(f, device));
        const Error error = reset_primary_context(f, device);
        managed_variables_are_gone();
        ThreadState& thread = thread_state;
        // The program or another version of this library may have made it current.
        CUfunc_cache any = CU_FUNC_CACHE_PREFER_NONE;
        if (thread.own || f.fn_cuCtxGetCacheConfig(&any) == CUDA_ERROR_CONTEXT_IS_DESTROYED)
            (void)f.fn_cuCtxSetCurrent(nullptr);
        thread.bound = thread.own = false;
        return error;
    });
}
WL_RUNTIME(cudaThreadExit, ()) { return cudaDeviceReset(); }

WL_RUNTIME(cudaDeviceSynchronize, ()) {
    return call([](const Functions& f) {
        unload_removed(f);
        return f.fn_cuCtxSynchronize();
    });
}
WL_RUNTIME(cudaThreadSynchronize, ()) { return cudaDeviceSynchronize(); }

WL_RUNTIME(cudaDeviceSetLimit, (int limit, std::size_t value)) {
    return call([&](const Functions& f) { return f.fn_cuCtxSetLimit(static_cast<CUlimit>(limit), value); });
}
WL_RUNTIME(cudaDeviceGetLimit, (std::size_t* value, int limit)) {
    return call([&](const Functions& f) { return f.fn_cuCtxGetLimit(value, static_cast<CUlimit>(limit)); });
}
WL_RUNTIME(cudaThreadSetLimit, (int limit, std::size_t value)) { return cudaDeviceSetLimit(limit, value); }
WL_RUNTIME(cudaThreadGetLimit, (std::size_t* value, int limit)) { return cudaDeviceGetLimit(value, limit); }

WL_RUNTIME(cudaDeviceSetCacheConfig, (int config)) {
    return call([&](const Functions& f) { return f.fn_cuCtxSetCacheConfig(static_cast<CUfunc_cache>(config)); });
}
WL_RUNTIME(cudaDeviceGetCacheConfig, (int* config)) {
    return call([&](const Functions& f) {
        require(config);
        CUfunc_cache value = CU_FUNC_CACHE_PREFER_NONE;
        check(f.fn_cuCtxGetCacheConfig(&value));
        *config = value;
        return cudaSuccess;
    });
}
WL_RUNTIME(cudaThreadSetCacheConfig, (int config)) { return cudaDeviceSetCacheConfig(config); }
WL_RUNTIME(cudaThreadGetCacheConfig, (int* config)) { return cudaDeviceGetCacheConfig(config); }

WL_RUNTIME(cudaDeviceSetSharedMemConfig, (int config)) {
    return call([&](const Functions& f) { return f.fn_cuCtxSetSharedMemConfig(static_cast<CUsharedconfig>(config)); });
}
WL_RUNTIME(cudaDeviceGetSharedMemConfig, (int* config)) {
    return call([&](const Functions& f) {
        require(config);
        auto value = static_cast<CUsharedconfig>(0);
        check(f.fn_cuCtxGetSharedMemConfig(&value));
        *config = value;
        return cudaSuccess;
    });
}

WL_RUNTIME(cudaDeviceGetStreamPriorityRange, (int* least, int* greatest)) {
    return call([&](const Functions& f) { return f.fn_cuCtxGetStreamPriorityRange(least, greatest); });
}
WL_RUNTIME(cudaCtxResetPersistingL2Cache, ()) {
    return call([](const Functions& f) { return f.fn_cuCtxResetPersistingL2Cache(); });
}
WL_RUNTIME(cudaDeviceFlushGPUDirectRDMAWrites, (int target, int scope)) {
    return call([&](const Functions& f) { return f.fn_cuFlushGPUDirectRDMAWrites(target, scope); });
}

WL_RUNTIME(cudaDeviceGetAttribute, (int* value, int attribute, int device)) {
    return query([&](const Functions& f) {
        require(value);
        return with_device(f, device, [&](CUdevice handle) {
            return f.fn_cuDeviceGetAttribute(value, static_cast<CUdevice_attribute>(attribute), handle);
        });
    });
}
WL_RUNTIME(cudaDeviceGetP2PAttribute, (int* value, int attribute, int source, int target)) {
    return query([&](const Functions& f) {
        require(value);
        check(check_device(f, target));
        return with_device(f, source, [&](CUdevice handle) {
            return f.fn_cuDeviceGetP2PAttribute(value, static_cast<CUdevice_P2PAttribute>(attribute), handle, target);
        });
    });
}
WL_RUNTIME(cudaDeviceGetHostAtomicCapabilities,
           (unsigned* capabilities, const int* operations, unsigned count, int device)) {
    return query([&](const Functions& f) {
        require(capabilities && operations && count > 0);
        return with_device(f, device, [&](CUdevice handle) {
            return f.fn_cuDeviceGetHostAtomicCapabilities(capabilities, operations, count, handle);
        });
    });
}
WL_RUNTIME(cudaDeviceGetP2PAtomicCapabilities,
           (unsigned* capabilities, const int* operations, unsigned count, int source, int target)) {
    return query([&](const Functions& f) {
        require(capabilities && operations && count > 0);
        check(check_device(f, target));
        require(source != target, cudaErrorInvalidDevice);
        return with_device(f, source, [&](CUdevice handle) {
            return f.fn_cuDeviceGetP2PAtomicCapabilities(capabilities, operations, count, handle, target);
        });
    });
}
WL_RUNTIME(cudaDeviceGetNvSciSyncAttributes, (void* list, int device, int flags)) {
    return query([&](const Functions& f) {
        return with_device(f, device,
                           [&](CUdevice handle) { return f.fn_cuDeviceGetNvSciSyncAttributes(list, handle, flags); });
    });
}

WL_RUNTIME(cudaDeviceGetByPCIBusId, (int* device, const char* id)) {
    return query([&](const Functions& f) {
        require(device && id);
        const CUresult code = f.fn_cuDeviceGetByPCIBusId(device, id);
        return code == CUDA_ERROR_INVALID_DEVICE ? cudaErrorInvalidDevice : static_cast<Error>(code);
    });
}
WL_RUNTIME(cudaDeviceGetPCIBusId, (char* id, int size, int device)) {
    return query([&](const Functions& f) {
        require(id && size > 0);
        return with_device(f, device, [&](CUdevice handle) { return f.fn_cuDeviceGetPCIBusId(id, size, handle); });
    });
}

WL_RUNTIME(cudaDeviceCanAccessPeer, (int* can, int device, int peer)) {
    return query([&](const Functions& f) {
        require(can);
        check(check_device(f, peer));
        return with_device(f, device, [&](CUdevice handle) { return f.fn_cuDeviceCanAccessPeer(can, handle, peer); });
    });
}
WL_RUNTIME(cudaDeviceEnablePeerAccess, (int peer, unsigned flags)) {
    return call([&](const Functions& f) {
        CUcontext context = nullptr;
        check(primary_context(f, peer, context));
        return f.fn_cuCtxEnablePeerAccess(context, flags);
    });
}
WL_RUNTIME(cudaDeviceDisablePeerAccess, (int peer)) {
    return call([&](const Functions& f) {
        CUcontext context = nullptr;
        check(primary_context(f, peer, context));
        return f.fn_cuCtxDisablePeerAccess(context);
    });
}

WL_RUNTIME(cudaDriverGetVersion, (int* version)) {
    return record(guarded([&] {
        require(version);
        *version = driver_version();
        return cudaSuccess;
    }));
}
WL_RUNTIME(cudaRuntimeGetVersion, (int* version)) {
    if (!version) return record(cudaErrorInvalidValue);
    *version = kRuntimeVersion;
    return cudaSuccess;
}

WL_RUNTIME(cudaProfilerStart, ()) {
    return call([](const Functions& f) { return f.fn_cuProfilerStart(); });
}
WL_RUNTIME(cudaProfilerStop, ()) {
    return call([](const Functions& f) { return f.fn_cuProfilerStop(); });
}
// Nothing reads these files since 11.
WL_RUNTIME(cudaProfilerInitialize, (const char*, const char*, int)) { return record(cudaErrorNotSupported); }

} // namespace warplight::runtime_api
