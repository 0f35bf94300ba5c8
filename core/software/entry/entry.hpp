// SPDX-License-Identifier: Apache-2.0
// How an entry point of the driver is written: WL_ENTRY(symbol, (parameters)) { body }. entry_points.def has the
// version of CUDA that brought it; WL_ENTRY_SINCE is for symbols that are not there. The symbol is exported, and known
// to cuGetProcAddress under its name without the version suffix. Those that use the default stream are written with
// WL_STREAM_ENTRY, which also makes the form for the per-thread default stream.
#pragma once

#include "../runtime/context.hpp"
#include "../runtime/device.hpp"
#include "../runtime/failure.hpp"
#include "../runtime/handles.hpp"
#include "../runtime/host_function.hpp"
#include "../runtime/output.hpp"
#include "registration.hpp"

#include <cuda.h>

#include <memory>
#include <new>
#include <string>

namespace warplight::software {

/// The calling thread's context. Throws CUDA_ERROR_INVALID_CONTEXT, or the error the context ended with.
[[nodiscard]] Context& current_context();
/// The same, whatever became of it.
[[nodiscard]] std::shared_ptr<Context> current_context_or_null();

/// Null for null. Throws CUDA_ERROR_CONTEXT_IS_DESTROYED for a handle that is no context, as drivers do.
[[nodiscard]] std::shared_ptr<Context> peer_context(CUcontext handle);

/// any_stream() for calls that a thread may not make whose context was destroyed.
[[nodiscard]] std::shared_ptr<Stream> any_copy_stream(CUstream handle);
/// Throws CUDA_ERROR_CONTEXT_IS_DESTROYED where the thread's context was.
void forbid_destroyed_context();

/// While it lives, the null stream of this thread is the per-thread default stream.
class PerThreadDefault {
public:
    PerThreadDefault();
    ~PerThreadDefault();
    PerThreadDefault(const PerThreadDefault&) = delete;
    PerThreadDefault& operator=(const PerThreadDefault&) = delete;
};
/// A stream handle of the context, or its default stream for null.
[[nodiscard]] std::shared_ptr<Stream> stream_of(Context& context, CUstream handle);
/// A stream of any context that is there, current or not; the default ones are of the current context.
[[nodiscard]] std::shared_ptr<Stream> any_stream(CUstream handle);

/// All of a file of code. Throws CUDA_ERROR_FILE_NOT_FOUND, also for what is no regular file.
[[nodiscard]] std::string read_code_file(const std::string& path);

/// Runs the body of an entry point: nothing thrown leaves it.
template <class Body>
CUresult enter_always(Body body) noexcept {
    try {
        body();
        return CUDA_SUCCESS;
    } catch (const Failure& failure) {
        try {
            if (!failure.message.empty())
                log_error(failure.code, failure.message);
            else if (failure.code != CUDA_ERROR_NOT_READY)
                note_error(failure.code, failure.told);
        } catch (...) { // without memory the code has to do
        }
        return failure.code;
    } catch (const std::bad_alloc&) {
        return CUDA_ERROR_OUT_OF_MEMORY;
    } catch (const std::exception& e) {
        const CUresult code = code_of(e, CUDA_ERROR_UNKNOWN);
        try {
            log_error(code, e.what());
        } catch (...) { // as above
        }
        return code;
    }
}

/// The same, once the driver is initialised.
template <class Body>
CUresult enter(Body body) noexcept {
    if (!initialised()) return CUDA_ERROR_NOT_INITIALIZED;
    if (in_host_function()) return CUDA_ERROR_NOT_PERMITTED;
    return enter_always(body);
}

/// Checks arguments that a driver looks at before anything else, even before it is initialised.
template <class Look>
[[nodiscard]] CUresult look_at(Look look) noexcept {
    return enter_always(look);
}

inline void require(bool condition, CUresult otherwise = CUDA_ERROR_INVALID_VALUE) {
    if (!condition) fail(otherwise);
}

} // namespace warplight::software

#define WL_DEFINE_ENTRY(symbol, version, parameters)                                                                   \
    extern "C" WL_API CUresult CUDAAPI symbol parameters;                                                              \
    static const ::warplight::software::Registration registration_##symbol{#symbol, version,                           \
                                                                           reinterpret_cast<void*>(&(symbol))};        \
    extern "C" WL_API CUresult CUDAAPI symbol parameters
#define WL_ENTRY(symbol, parameters) WL_DEFINE_ENTRY(symbol, ::warplight::software::version_of(#symbol), parameters)
#define WL_ENTRY_SINCE(symbol, since, parameters)                                                                      \
    WL_DEFINE_ENTRY(symbol, ::warplight::software::version_of(#symbol, since), parameters)

/// `suffix` is _ptsz or _ptds; `arguments` are the parameters' names.
#define WL_DEFINE_STREAM_ENTRY(symbol, suffix, version, parameters, arguments)                                         \
    static CUresult body_##symbol parameters;                                                                          \
    WL_DEFINE_ENTRY(symbol, version, parameters) { return body_##symbol arguments; }                                   \
    WL_DEFINE_ENTRY(symbol##suffix, version, parameters) {                                                             \
        const ::warplight::software::PerThreadDefault per_thread;                                                      \
        return body_##symbol arguments;                                                                                \
    }                                                                                                                  \
    static CUresult body_##symbol parameters
#define WL_STREAM_ENTRY(symbol, suffix, parameters, arguments)                                                         \
    WL_DEFINE_STREAM_ENTRY(symbol, suffix, ::warplight::software::version_of(#symbol), parameters, arguments)
#define WL_STREAM_ENTRY_SINCE(symbol, suffix, since, parameters, arguments)                                            \
    WL_DEFINE_STREAM_ENTRY(symbol, suffix, ::warplight::software::version_of(#symbol, since), parameters, arguments)
