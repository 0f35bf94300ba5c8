// SPDX-License-Identifier: Apache-2.0
// The table of entry points, and the state of an opened driver. Internal: public headers know neither.
#pragma once

#include "driver/types.hpp"
#include "warplight/error.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::driver::detail {

/// A pointer for each line of entry_points.def, null where the library lacks it. The members have a prefix
/// because cuda.h defines many of the plain names as macros.
struct EntryPoints {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need) type fn_##member = nullptr;
#include "driver/entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
};

/// What the table says of an entry point.
struct EntryPointInfo {
    const char* member; ///< e.g. "cuCtxCreate_v3"
    const char* name;   ///< e.g. "cuCtxCreate"
    const char* symbol; ///< e.g. "cuCtxCreate_v3"
    int version;        ///< CUDA version that introduced it
    bool required;      ///< in every driver from 11.0 up
    std::size_t offset; ///< of its pointer in EntryPoints
};
enum class EntryPointIndex {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need) index_##member,
#include "driver/entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
    count
};
inline constexpr std::size_t kEntryPointCount = static_cast<std::size_t>(EntryPointIndex::count);
extern const EntryPointInfo kEntryPointTable[kEntryPointCount];

struct DriverState {
    std::string name;
    std::string library;
    std::string unavailable; ///< why the library could not be opened; empty when it is open
    void* handle = nullptr;
    int version = 0; ///< 0 until known
    EntryPoints functions;
    /// The software device's report of what went wrong last in this thread.
    void (*last_error)(char* text, std::size_t size) = nullptr;
    /// The report given out last, and for which code: it stays the driver's last one when a later failure has none.
    mutable std::string reported;
    mutable int reported_code = 0;
    /// Contexts whose sticky error was thrown: their clean-up need not say it again.
    mutable std::vector<CUcontext> broken;
    mutable std::mutex report_mutex;
    mutable std::mutex init_mutex;
    mutable std::atomic<bool> initialized = false;
};

[[noreturn]] void throw_missing(const DriverState& driver, const char* member);
/// What is known about a failed call.
ErrorInfo describe_failure(const DriverState& driver, const char* routine, CUresult code, std::string entity,
                           std::string detail = {});
[[noreturn]] void throw_failure(const DriverState& driver, const char* routine, CUresult code, std::string entity,
                                std::string detail = {});
/// Whether a sticky error of the context was thrown.
bool is_broken(const DriverState& driver, CUcontext context);
/// A new context may get the handle of one that has ended.
void forget_broken(const DriverState& driver, CUcontext context);

template <class Pointer>
Pointer require(const DriverState& driver, Pointer pointer, const char* member) {
    if (!pointer) throw_missing(driver, member);
    return pointer;
}

} // namespace warplight::driver::detail

// In both macros `function` must not be handed on to another macro: cuda.h would rename it (cuMemAlloc ->
// cuMemAlloc_v2).

/// Calls an entry point and returns its CUresult; throws when the driver lacks it.
#define WARPLIGHT_TRY(state, function, ...)                                                                            \
    (::warplight::driver::detail::require((state), (state).functions.fn_##function, #function)(__VA_ARGS__))

/// Calls an entry point and throws what it returns. `entity` is evaluated on failure only.
#define WARPLIGHT_CALL(state, function, entity, ...)                                                                   \
    do {                                                                                                               \
        const auto& warplight_driver = (state);                                                                        \
        if (const CUresult warplight_code = ::warplight::driver::detail::require(                                      \
                warplight_driver, warplight_driver.functions.fn_##function, #function)(__VA_ARGS__);                   \
            warplight_code != CUDA_SUCCESS)                                                                            \
            ::warplight::driver::detail::throw_failure(warplight_driver, #function, warplight_code, (entity));         \
    } while (false)
