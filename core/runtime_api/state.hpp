// SPDX-License-Identifier: Apache-2.0
// What a thread has: its last error, its device, and whether a context is current. Functions that need no context go
// through `query`, the others through `call` of contexts.hpp.
#pragma once

#include "runtime_api/driver.hpp"

#include <exception>
#include <new>

namespace warplight::runtime_api {

/// 11080, 12090 or 13000: each library has its own.
extern const int kRuntimeVersion;
/// For a function that is not registered, as NVIDIA's libraries have it; the headers name the second for all.
inline Error unknown_function() {
    return kRuntimeVersion >= 12000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
}

struct ThreadState {
    Error last_error = cudaSuccess;
    int device = 0;
    /// A context is current, unless the program has changed that by the driver API since.
    bool bound = false;
    /// That context is the primary one of `device`, made current here.
    bool own = false;
    /// cudaSetDevice was called, and its device's context is not current yet.
    bool chosen = false;
    /// No device was chosen: the first of cudaSetValidDevices counts, or device 0.
    bool undecided = true;
    /// Calls that launches with <<<>>> are between; see registration.cpp.
    void* configurations = nullptr;
};

#ifdef _WIN32
extern thread_local constinit ThreadState thread_state;
#else
// The initial-exec model reads it without a call. It is small, as the loader has little room for such blocks.
extern thread_local constinit ThreadState thread_state __attribute__((tls_model("initial-exec")));
#endif

/// Notes an error for cudaGetLastError.
inline Error record(Error error) {
    if (error != cudaSuccess) [[unlikely]]
        thread_state.last_error = error;
    return error;
}

/// What a body in `call` throws to give up.
struct Failure {
    Error error;
};
inline void require(bool condition, Error error = cudaErrorInvalidValue) {
    if (!condition) [[unlikely]]
        throw Failure{error};
}
template <class Result>
void check(Result result) {
    if (static_cast<int>(result) != 0) [[unlikely]]
        throw Failure{static_cast<Error>(result)};
}

template <class Body>
Error guarded(Body&& body) noexcept {
    try {
        return static_cast<Error>(body());
    } catch (const Failure& failure) {
        return failure.error;
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    } catch (...) { // nothing of C++ may reach the program
        return cudaErrorUnknown;
    }
}

/// Runs a body that needs the driver alone. The body returns CUresult or Error.
template <bool PerThread = false, class Body>
Error query(Body&& body) noexcept {
    return record(guarded([&]() -> Error {
        Error error = cudaSuccess;
        const Functions* f = functions<PerThread>(error);
        return f ? static_cast<Error>(body(*f)) : error;
    }));
}

} // namespace warplight::runtime_api
