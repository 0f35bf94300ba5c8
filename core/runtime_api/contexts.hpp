// SPDX-License-Identifier: Apache-2.0
// Devices and their primary contexts, and the context that is current in a thread.
#pragma once

#include "runtime_api/state.hpp"

namespace warplight::runtime_api {

/// Makes a context current in this thread: one that the program made current is taken, else the device's primary one.
Error bind_context(const Functions& f);
/// After an error that says that the thread's context is gone: whether there is another one now.
bool bind_again(const Functions& f, Error error);
/// The device of this thread's context, or the one that the thread would use.
Error current_device(const Functions& f, int& device);
/// The primary context of a device, retained once by this library.
Error primary_context(const Functions& f, int device, CUcontext& context);
/// Checks a number of a device.
Error check_device(const Functions& f, int device);
int device_count(const Functions& f);
/// Ends the primary context of a device. The next call that needs one makes it again.
Error reset_primary_context(const Functions& f, int device);
/// The devices among which a thread that chose none finds its own: the first. Empty: device 0.
void set_valid_devices(const int* devices, int count);

/// Runs a body that needs a current context.
template <bool PerThread = false, class Body>
Error call(Body&& body) noexcept {
    return record(guarded([&]() -> Error {
        Error error = cudaSuccess;
        const Functions* f = functions<PerThread>(error);
        if (!f) [[unlikely]]
            return error;
        if (!thread_state.bound) [[unlikely]]
            if (error = bind_context(*f); error != cudaSuccess) return error;
        error = guarded([&] { return body(*f); });
        if (error == cudaSuccess) [[likely]]
            return error;
        return bind_again(*f, error) ? guarded([&] { return body(*f); }) : error;
    }));
}

} // namespace warplight::runtime_api
