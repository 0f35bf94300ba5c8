// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/contexts.hpp"

#include "runtime_api/launch_recorder.hpp"
#include "runtime_api/registry.hpp"

#include <array>
#include <mutex>
#include <vector>

namespace warplight::runtime_api {

thread_local constinit ThreadState thread_state;

namespace {

constexpr int kMostDevices = 256;

/// The primary contexts that this library has retained.
struct Contexts {
    std::mutex mutex;
    std::array<CUcontext, kMostDevices> primary{};
};
Contexts& contexts() {
    static Contexts* const instance = new Contexts;
    return *instance;
}

struct ValidDevices {
    std::mutex mutex;
    std::vector<int> list;
};
ValidDevices& valid_devices() {
    static ValidDevices* const instance = new ValidDevices;
    return *instance;
}

int first_valid_device() {
    ValidDevices& valid = valid_devices();
    const std::scoped_lock lock(valid.mutex);
    return valid.list.empty() ? 0 : valid.list.front();
}

Error choose_first_device(const Functions& f) {
    const int first = first_valid_device();
    if (const Error error = check_device(f, first); error != cudaSuccess) return error;
    thread_state.device = first;
    thread_state.undecided = false;
    return cudaSuccess;
}

} // namespace

void set_valid_devices(const int* devices, int count) {
    ValidDevices& valid = valid_devices();
    const std::scoped_lock lock(valid.mutex);
    valid.list.assign(devices, devices + count);
}

int device_count(const Functions& f) {
    static std::atomic<int> known = -1; // it never changes
    int count = known.load(std::memory_order_relaxed);
    if (count < 0 && f.fn_cuDeviceGetCount(&count) == CUDA_SUCCESS) known.store(count, std::memory_order_relaxed);
    return count < 0 ? 0 : count;
}

Error check_device(const Functions& f, int device) {
    const int count = device_count(f);
    if (count == 0) return cudaErrorNoDevice;
    return device >= 0 && device < count ? cudaSuccess : cudaErrorInvalidDevice;
}

Error primary_context(const Functions& f, int device, CUcontext& context) {
    if (const Error error = check_device(f, device); error != cudaSuccess) return error;
    require(device < kMostDevices, cudaErrorInvalidDevice);
    Contexts& all = contexts();
    const std::scoped_lock lock(all.mutex);
    CUcontext& kept = all.primary[static_cast<std::size_t>(device)];
    if (!kept) {
        CUdevice handle = 0;
        check(f.fn_cuDeviceGet(&handle, device));
        const CUresult code = f.fn_cuDevicePrimaryCtxRetain(&kept, handle);
        if (code != CUDA_SUCCESS) {
            kept = nullptr;
            return static_cast<Error>(code);
        }
    }
    context = kept;
    return cudaSuccess;
}

namespace {
/// Lets go of the primary context of a device if it is this one, or was reset by others.
void forget_ended_context(const Functions& f, int device, CUcontext ended) {
    CUdevice handle = 0;
    unsigned flags = 0;
    int active = 0;
    Contexts& all = contexts();
    const std::scoped_lock lock(all.mutex);
    CUcontext& kept = all.primary[static_cast<std::size_t>(device)];
    if (f.fn_cuDeviceGet(&handle, device) != CUDA_SUCCESS ||
        f.fn_cuDevicePrimaryCtxGetState(handle, &flags, &active) != CUDA_SUCCESS)
        return;
    if (!active || kept == ended) kept = nullptr;
}
} // namespace

Error reset_primary_context(const Functions& f, int device) {
    CUdevice handle = 0;
    check(f.fn_cuDeviceGet(&handle, device));
    Contexts& all = contexts();
    const std::scoped_lock lock(all.mutex);
    CUcontext& kept = all.primary[static_cast<std::size_t>(device)];
    if (kept) end_of_context(kept);
    const CUresult code = f.fn_cuDevicePrimaryCtxReset(handle);
    if (kept) {
        // The reset has ended the context and left our count of its users.
        (void)f.fn_cuDevicePrimaryCtxRelease(handle);
        kept = nullptr;
    }
    return static_cast<Error>(code);
}

Error bind_context(const Functions& f) {
    ThreadState& thread = thread_state;
    if (!thread.chosen) {
        CUcontext current = nullptr;
        if (f.fn_cuCtxGetCurrent(&current) == CUDA_SUCCESS && current) {
            thread.bound = true;
            thread.own = false;
            prepare_managed_variables(f);
            return cudaSuccess;
        }
        if (thread.undecided)
            if (const Error error = choose_first_device(f); error != cudaSuccess) return error;
    }
    CUcontext context = nullptr;
    if (const Error error = primary_context(f, thread.device, context); error != cudaSuccess) return error;
    if (f.fn_cuCtxSetCurrent(context) != CUDA_SUCCESS) {
        forget_ended_context(f, thread.device, context);
        if (const Error error = primary_context(f, thread.device, context); error != cudaSuccess) return error;
        if (const CUresult code = f.fn_cuCtxSetCurrent(context); code != CUDA_SUCCESS) return static_cast<Error>(code);
    }
    thread.bound = thread.own = true;
    thread.chosen = false;
    prepare_managed_variables(f);
    return cudaSuccess;
}

bool bind_again(const Functions& f, Error error) {
    ThreadState& thread = thread_state;
    if (error != cudaErrorDeviceUninitialized && error != cudaErrorContextIsDestroyed) return false;
    CUcontext current = nullptr;
    const bool has = f.fn_cuCtxGetCurrent(&current) == CUDA_SUCCESS && current;
    // A context that the program destroyed while it was current is the program's affair.
    if (has && !thread.own) return false;
    if (has && thread.own) {
        // Our context was reset, by another thread perhaps. It may have been made anew under the same handle.
        unsigned flags = 0;
        int active = 0;
        CUdevice handle = 0;
        if (f.fn_cuDeviceGet(&handle, thread.device) != CUDA_SUCCESS ||
            f.fn_cuDevicePrimaryCtxGetState(handle, &flags, &active) != CUDA_SUCCESS)
            return false;
        if (error == cudaErrorDeviceUninitialized && active) return false;
        (void)f.fn_cuCtxSetCurrent(nullptr);
    }
    forget_ended_context(f, thread.device, current);
    thread.bound = thread.own = false;
    return bind_context(f) == cudaSuccess;
}

Error current_device(const Functions& f, int& device) {
    ThreadState& thread = thread_state;
    CUdevice handle = 0;
    if (!thread.chosen && f.fn_cuCtxGetDevice(&handle) == CUDA_SUCCESS) {
        device = handle; // a driver's handle of a device is its number
        return cudaSuccess;
    }
    if (thread.undecided)
        if (const Error error = choose_first_device(f); error != cudaSuccess) return error;
    device = thread.device;
    return cudaSuccess;
}

} // namespace warplight::runtime_api
