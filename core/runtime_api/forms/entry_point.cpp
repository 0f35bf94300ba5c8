// SPDX-License-Identifier: Apache-2.0
// The version of the library, and the driver's functions by their names.
#include "runtime_api/forms/major.hpp"
#include "runtime_api/state.hpp"

namespace warplight::runtime_api {

// The last version whose functions the library has.
extern const int kRuntimeVersion;
const int kRuntimeVersion = kMajor == 11 ? 11080 : kMajor == 12 ? 12090 : 13000;

namespace {

enum Flags : unsigned long long { either_stream = 0, legacy_stream = 1, own_stream = 2 };
enum Status : int { found = 0, not_found = 1, version_not_sufficient = 2 };

Error look_up(const Functions& f, const char* symbol, void** function, int version, unsigned long long flags,
              bool per_thread, int* status) {
    require(symbol && *symbol && function && flags <= own_stream);
    if (flags == either_stream) flags = per_thread ? own_stream : legacy_stream;
    *function = nullptr;
    int its = not_found;
    const CUresult code = f.fn_cuGetProcAddress_v2(symbol, function, version, flags, &its);
    if (status) {
        // Then a function that is not there is an answer.
        *status = its;
        return code == CUDA_ERROR_NOT_FOUND ? cudaSuccess : static_cast<Error>(code);
    }
    if (kMajor >= 12 && code == CUDA_ERROR_NOT_FOUND) return cudaSuccess; // a null pointer is the answer
    if (code == CUDA_SUCCESS && !*function) return kMajor >= 12 ? cudaSuccess : cudaErrorSymbolNotFound;
    return static_cast<Error>(code);
}

} // namespace

#if WARPLIGHT_RUNTIME_MAJOR >= 12
WL_STREAM_RUNTIME(cudaGetDriverEntryPoint, _ptsz,
                  (const char* symbol, void** function, unsigned long long flags, int* status),
                  (symbol, function, flags, status)) {
    return query(
        [&](const Functions& f) { return look_up(f, symbol, function, kRuntimeVersion, flags, PerThread, status); });
}
WL_STREAM_RUNTIME(cudaGetDriverEntryPointByVersion, _ptsz,
                  (const char* symbol, void** function, unsigned version, unsigned long long flags, int* status),
                  (symbol, function, version, flags, status)) {
    return query([&](const Functions& f) {
        return look_up(f, symbol, function, static_cast<int>(version), flags, PerThread, status);
    });
}
#else
WL_STREAM_RUNTIME(cudaGetDriverEntryPoint, _ptsz, (const char* symbol, void** function, unsigned long long flags),
                  (symbol, function, flags)) {
    return query(
        [&](const Functions& f) { return look_up(f, symbol, function, kRuntimeVersion, flags, PerThread, nullptr); });
}
#endif

} // namespace warplight::runtime_api
