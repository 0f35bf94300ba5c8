// SPDX-License-Identifier: Apache-2.0
// The driver that the runtime library calls: NVIDIA's, or what the loader finds under its name.
#pragma once

#include "runtime_api/functions.hpp"

#include <atomic>

namespace warplight::runtime_api {

/// Null until the driver was opened and initialised without an error.
extern constinit std::atomic<const Functions*> ready_functions;
extern constinit std::atomic<const Functions*> ready_per_thread_functions;

/// Opens and initialises the driver at the first call. Null where that failed, with the reason in `error`.
const Functions* open_functions(Error& error);
/// The same functions, for which the default stream is the thread's own.
const Functions* open_per_thread_functions(Error& error);

/// The functions for one meaning of the default stream; null with an error.
template <bool PerThread = false>
const Functions* functions(Error& error) {
    const auto& ready = PerThread ? ready_per_thread_functions : ready_functions;
    if (const Functions* f = ready.load(std::memory_order_acquire)) [[likely]]
        return f;
    return PerThread ? open_per_thread_functions(error) : open_functions(error);
}

/// What the driver says its version is; 0 without a driver, which need not have been initialised.
int driver_version();

} // namespace warplight::runtime_api
