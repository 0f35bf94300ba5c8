// SPDX-License-Identifier: Apache-2.0
// The functions that nvcc's code calls: before main for what a program has, and around each <<<>>>.
#include "runtime_api/contexts.hpp"
#include "runtime_api/launch.hpp"
#include "runtime_api/registry.hpp"

#include <array>
#include <vector>

using namespace warplight::runtime_api;

namespace {

/// What stands between <<< and >>>, until the stub of the kernel takes it. Arguments of a launch may launch themselves.
struct Configuration {
    Dim3 grid, block;
    std::size_t shared = 0;
    Stream stream = nullptr;
};
using Configurations = std::vector<Configuration>;

/// Frees a thread's configurations when it ends.
struct Freer {
    ~Freer() {
        delete static_cast<Configurations*>(thread_state.configurations);
        thread_state.configurations = nullptr;
    }
};

Configurations& configurations() {
    if (!thread_state.configurations) {
        thread_local const Freer freer;
        (void)&freer;
        auto* made = new Configurations;
        made->reserve(4);
        thread_state.configurations = made;
    }
    return *static_cast<Configurations*>(thread_state.configurations);
}

FatBinary* fat_binary_of(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

} // namespace

extern "C" WL_RUNTIME_API void** WL_RUNTIME_CALL __cudaRegisterFatBinary(void* wrapper) {
    FatBinary* added = nullptr;
    (void)guarded([&] {
        added = add_fat_binary(wrapper);
        return cudaSuccess;
    });
    return reinterpret_cast<void**>(added);
}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterFatBinaryEnd(void**) {}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaUnregisterFatBinary(void** handle) {
    if (!handle) return;
    (void)guarded([&] {
        remove_fat_binary(fat_binary_of(handle));
        return cudaSuccess;
    });
}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterFunction(void** handle, const char* host, char*,
                                                                      const char* name, int, void*, void*, Dim3*, Dim3*,
                                                                      int*) {
    if (!handle || !host || !name) return;
    (void)guarded([&] {
        add_kernel(fat_binary_of(handle), host, name);
        return cudaSuccess;
    });
}

namespace {
void add(void** handle, const void* host, const char* name, std::size_t size, Variable::Kind kind,
         bool normalized_reads = false) {
    if (!handle || !host || !name) return;
    (void)guarded([&] {
        add_variable(fat_binary_of(handle), host, name, size, kind, normalized_reads);
        return cudaSuccess;
    });
}
} // namespace

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterVar(void** handle, char* host, char*, const char* name,
                                                                 int, std::size_t size, int, int) {
    add(handle, host, name, size, Variable::Kind::plain);
}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterManagedVar(void** handle, void** host, char*,
                                                                        const char* name, int, std::size_t size, int,
                                                                        int) {
    add(handle, static_cast<const void*>(host), name, size, Variable::Kind::managed);
}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterTexture(void** handle, const TextureReference* host,
                                                                     const void**, const char* name, int,
                                                                     int normalized, int) {
    add(handle, host, name, sizeof(TextureReference), Variable::Kind::texture, normalized != 0);
}

extern "C" WL_RUNTIME_API void WL_RUNTIME_CALL __cudaRegisterSurface(void** handle, const void* host, const void**,
                                                                     const char* name, int, int) {
    add(handle, host, name, sizeof(ChannelFormat), Variable::Kind::surface);
}

extern "C" WL_RUNTIME_API char WL_RUNTIME_CALL __cudaInitModule(void** handle) {
    if (!handle) return 0;
    bool done = false;
    const Error error = call([&](const Functions& f) {
        done = prepare_managed_variables(f, *fat_binary_of(handle));
        return cudaSuccess;
    });
    return error == cudaSuccess && done ? 1 : 0;
}

extern "C" WL_RUNTIME_API unsigned WL_RUNTIME_CALL __cudaPushCallConfiguration(Dim3 grid, Dim3 block,
                                                                               std::size_t shared, Stream stream) {
    return record(guarded([&] {
        configurations().push_back({grid, block, shared, stream});
        return cudaSuccess;
    }));
}

WL_RUNTIME(__cudaPopCallConfiguration, (Dim3 * grid, Dim3* block, std::size_t* shared, void* stream)) {
    return record(guarded([&] {
        require(grid && block && shared && stream);
        Configurations& all = configurations();
        require(!all.empty(), cudaErrorMissingConfiguration);
        const Configuration last = all.back();
        all.pop_back();
        *grid = last.grid;
        *block = last.block;
        *shared = last.shared;
        *static_cast<Stream*>(stream) = last.stream;
        return cudaSuccess;
    }));
}

// The handle is a record of ours, which is there before the kernel is loaded: nvcc's code asks once and keeps it.
WL_RUNTIME(__cudaGetKernel, (void** kernel, const void* host)) {
    return record(guarded([&] {
        require(kernel);
        Kernel* const found = find_kernel(host);
        require(found, cudaErrorInvalidDeviceFunction);
        *kernel = found;
        return cudaSuccess;
    }));
}

WL_STREAM_RUNTIME(__cudaLaunchKernel, _ptsz,
                  (void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared, Stream stream),
                  (kernel, grid, block, arguments, shared, stream)) {
    return call<PerThread>([&](const Functions& f) {
        require(kernel, unknown_function());
        return launch(f, handle_of(f, *static_cast<Kernel*>(kernel)), grid, block, arguments, shared, stream);
    });
}
