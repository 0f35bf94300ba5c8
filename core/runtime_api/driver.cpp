// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/driver.hpp"

#include "driver/library.hpp"
#include "runtime_api/launch_recorder.hpp"
#include "warplight/driver.hpp"

#include <cstring>
#include <mutex>

namespace warplight::runtime_api {

constinit std::atomic<const Functions*> ready_functions = nullptr;
constinit std::atomic<const Functions*> ready_per_thread_functions = nullptr;

namespace {

struct Info {
    const char* name;
    const char* symbol;
    int version;
    std::size_t offset;
};
// The struct is standard enough for the compilers that build it: its base comes first.
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#endif
constexpr Info kMore[] = {
#define WARPLIGHT_ENTRY_POINT(member, name, symbol, type, version, need)                                               \
    {name, symbol, version, offsetof(Functions, fn_##member)},
#include "runtime_api/more_entry_points.def"
#undef WARPLIGHT_ENTRY_POINT
};
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

void* read(const Functions& functions, std::size_t offset) {
    void* pointer = nullptr;
    std::memcpy(static_cast<void*>(&pointer), reinterpret_cast<const std::byte*>(&functions) + offset, sizeof pointer);
    return pointer;
}
void write(Functions& functions, std::size_t offset, void* pointer) {
    std::memcpy(reinterpret_cast<std::byte*>(&functions) + offset, static_cast<const void*>(&pointer), sizeof pointer);
}

/// Asks cuGetProcAddress, whose flags choose the meaning of the default stream.
void* ask(const driver::detail::DriverState& state, const char* name, int version, bool per_thread) {
    constexpr cuuint64_t legacy = 1, own = 2;
    const auto get = state.functions.fn_cuGetProcAddress_v2;
    if (!get || version > state.version) return nullptr;
    void* pointer = nullptr;
    int found = 0;
    return get(name, &pointer, version, per_thread ? own : legacy, &found) == CUDA_SUCCESS ? pointer : nullptr;
}

void fill(Functions& functions, const driver::detail::DriverState& state, bool per_thread) {
    static_cast<driver::detail::EntryPoints&>(functions) = state.functions;
    for (const auto& info : driver::detail::kEntryPointTable) {
        if (per_thread)
            if (void* pointer = ask(state, info.name, info.version, true)) write(functions, info.offset, pointer);
        if (!read(functions, info.offset)) write(functions, info.offset, Functions::missing());
    }
    for (const Info& info : kMore) {
        void* pointer = ask(state, info.name, info.version, per_thread);
        if (!pointer) pointer = driver::detail::find_symbol(state.handle, info.symbol);
        write(functions, info.offset, pointer ? pointer : Functions::missing());
    }
    record_launches(functions, per_thread);
}

struct Opened {
    std::once_flag once;
    std::once_flag once_per_thread;
    Functions functions, per_thread;
    Error error = cudaErrorInsufficientDriver;
};
Opened& opened() {
    static Opened* const instance = new Opened; // programs call until they have ended
    return *instance;
}

void open(Opened& all) {
    const driver::Driver driver = driver::Driver::cuda();
    if (!driver.available()) return;
    const driver::detail::DriverState& state = driver.state();
    // Kernels are held by handles that belong to no context: since 12.0.
    if (!state.functions.fn_cuInit || !state.functions.fn_cuLibraryLoadData) return;
    if (const CUresult code = state.functions.fn_cuInit(0); code != CUDA_SUCCESS) {
        all.error = static_cast<Error>(code);
        return;
    }
    fill(all.functions, state, false);
    all.error = cudaSuccess;
    ready_functions.store(&all.functions, std::memory_order_release);
}

} // namespace

const Functions* open_functions(Error& error) {
    Opened& all = opened();
    std::call_once(all.once, [&] { open(all); });
    error = all.error;
    return all.error == cudaSuccess ? &all.functions : nullptr;
}

const Functions* open_per_thread_functions(Error& error) {
    if (!open_functions(error)) return nullptr;
    Opened& all = opened();
    std::call_once(all.once_per_thread, [&] {
        fill(all.per_thread, driver::Driver::cuda().state(), true);
        ready_per_thread_functions.store(&all.per_thread, std::memory_order_release);
    });
    return &all.per_thread;
}

int driver_version() {
    const driver::Driver driver = driver::Driver::cuda();
    return driver.available() ? driver.state().version : 0;
}

} // namespace warplight::runtime_api
