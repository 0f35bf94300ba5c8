// SPDX-License-Identifier: Apache-2.0
#include "runtime_api/registry.hpp"

#include "runtime_api/address_table.hpp"
#include "runtime_api/state.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

namespace warplight::runtime_api {

namespace {

/// The wrapper that nvcc puts around a fat binary, as fatbinary_section.h describes it.
struct Wrapper {
    int magic;
    int version; ///< 2: `linked` is an array of images, ended by null
    const void* image;
    void* linked;
};
constexpr int kWrapperMagic = 0x466243b1, kLinkedVersion = 2;

struct Registry {
    AddressTable<Kernel> kernels;
    AddressTable<Variable> variables;
    std::mutex mutex; ///< of what follows
    std::vector<FatBinary*> fat_binaries;
    std::vector<LibraryHandle> removed;
    std::map<KernelHandle, LibraryHandle> handles;
    std::atomic<bool> has_removed = false;
    std::atomic<bool> has_managed = false;
    std::atomic<unsigned> resets = 1;
};
Registry& registry() {
    // Programs register before main and unregister after it.
    static Registry* const instance = new Registry;
    return *instance;
}

/// Links images for the device of the current context, and loads what comes out.
CUresult load_linked(const Functions& f, void* const* images, LibraryHandle& library) {
    CUlinkState state = nullptr;
    CUresult code = f.fn_cuLinkCreate(0, nullptr, nullptr, &state);
    if (code != CUDA_SUCCESS) return code;
    for (; *images && code == CUDA_SUCCESS; ++images) {
        // The size is in the head of a fat binary: its own bytes, and those behind it.
        std::uint16_t head = 0;
        std::uint64_t body = 0;
        const auto* bytes = static_cast<const char*>(*images);
        std::copy_n(bytes + 6, sizeof head, reinterpret_cast<char*>(&head));
        std::copy_n(bytes + 8, sizeof body, reinterpret_cast<char*>(&body));
        code = f.fn_cuLinkAddData(state, CU_JIT_INPUT_FATBINARY, *images, head + body, nullptr, 0, nullptr, nullptr);
    }
    void* result = nullptr;
    std::size_t size = 0;
    if (code == CUDA_SUCCESS) code = f.fn_cuLinkComplete(state, &result, &size);
    if (code == CUDA_SUCCESS) code = f.fn_cuLibraryLoadData(&library, result, nullptr, nullptr, 0, nullptr, nullptr, 0);
    (void)f.fn_cuLinkDestroy(state);
    return code;
}

/// A driver may take any image and say only later that it has no code for the device.
CUresult try_out(const Functions& f, LibraryHandle library) {
    CUmodule module = nullptr;
    return f.fn_cuLibraryGetModule(&module, library);
}

CUresult load_image(const Functions& f, const FatBinary& fat_binary, LibraryHandle& library) {
    CUresult code = CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (fat_binary.image) {
        code = f.fn_cuLibraryLoadData(&library, fat_binary.image, nullptr, nullptr, 0, nullptr, nullptr, 0);
        if (code == CUDA_SUCCESS && fat_binary.prelinked) code = try_out(f, library);
        if (code == CUDA_SUCCESS || !fat_binary.prelinked) return code;
        if (library) (void)f.fn_cuLibraryUnload(library);
        library = nullptr;
    }
    return fat_binary.prelinked ? load_linked(f, fat_binary.prelinked, library) : code;
}

} // namespace

FatBinary* add_fat_binary(const void* pointer) {
    auto fat_binary = std::make_unique<FatBinary>();
    fat_binary->image = pointer;
    if (const auto* wrapper = static_cast<const Wrapper*>(pointer); wrapper && wrapper->magic == kWrapperMagic) {
        fat_binary->image = wrapper->image;
        if (wrapper->version == kLinkedVersion) fat_binary->prelinked = static_cast<void**>(wrapper->linked);
    }
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    all.fat_binaries.push_back(fat_binary.get());
    return fat_binary.release();
}

void remove_fat_binary(FatBinary* fat_binary) {
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    if (std::erase(all.fat_binaries, fat_binary) == 0) return;
    for (Kernel* kernel : fat_binary->kernels)
        kernel->gone.store(true);
    for (Variable* variable : fat_binary->variables)
        variable->gone.store(true);
    if (LibraryHandle library = fat_binary->library.exchange(nullptr)) {
        std::erase_if(all.handles, [&](const auto& entry) { return entry.second == library; });
        all.removed.push_back(library);
        all.has_removed.store(true, std::memory_order_release);
    }
    // Records of kernels and variables stay, and know it.
    if (fat_binary->kernels.empty() && fat_binary->variables.empty()) delete fat_binary;
}

void add_kernel(FatBinary* owner, const void* address, const char* name) {
    auto kernel = std::make_unique<Kernel>();
    kernel->address = address;
    kernel->owner = owner;
    kernel->name = name;
    {
        const std::scoped_lock lock(owner->mutex);
        owner->kernels.push_back(kernel.get());
    }
    registry().kernels.add(kernel.release());
}

void add_variable(FatBinary* owner, const void* address, const char* name, std::size_t size, Variable::Kind kind,
                  bool normalized_reads) {
    auto variable = std::make_unique<Variable>();
    variable->address = address;
    variable->owner = owner;
    variable->name = name;
    variable->size = size;
    variable->kind = kind;
    variable->normalized_reads = normalized_reads;
    {
        const std::scoped_lock lock(owner->mutex);
        owner->variables.push_back(variable.get());
        if (kind == Variable::Kind::managed) {
            owner->has_managed = true;
            registry().has_managed.store(true, std::memory_order_release);
        }
    }
    registry().variables.add(variable.release());
}

Kernel* find_kernel(const void* address) { return registry().kernels.find(address); }

Variable* find_variable(const void* address) {
    Registry& all = registry();
    if (Variable* variable = all.variables.find(address)) return variable;
    if (!all.has_managed.load(std::memory_order_acquire)) return nullptr;
    const std::scoped_lock lock(all.mutex);
    for (FatBinary* fat_binary : all.fat_binaries) {
        const std::scoped_lock owner(fat_binary->mutex);
        if (!fat_binary->managed_since.load()) continue;
        for (Variable* variable : fat_binary->variables)
            if (variable->kind == Variable::Kind::managed && *static_cast<void* const*>(variable->address) == address)
                return variable;
    }
    return nullptr;
}

LibraryHandle library_of(const Functions& f, FatBinary& fat_binary) {
    if (LibraryHandle library = fat_binary.library.load(std::memory_order_acquire)) return library;
    const std::scoped_lock lock(fat_binary.mutex);
    LibraryHandle library = fat_binary.library.load(std::memory_order_relaxed);
    if (library) return library;
    check(load_image(f, fat_binary, library));
    fat_binary.library.store(library, std::memory_order_release);
    return library;
}

KernelHandle load_kernel(const Functions& f, Kernel& kernel) {
    KernelHandle handle = nullptr;
    const CUresult code = f.fn_cuLibraryGetKernel(&handle, library_of(f, *kernel.owner), kernel.name.c_str());
    require(code != CUDA_ERROR_NOT_FOUND, cudaErrorSymbolNotFound);
    check(code);
    kernel.handle.store(handle, std::memory_order_release);
    return handle;
}

KernelHandle resolve_kernel(const Functions& f, const void* function) {
    if (Kernel* kernel = find_kernel(function)) [[likely]]
        return handle_of(f, *kernel);
    Registry& all = registry();
    const auto handle = static_cast<KernelHandle>(const_cast<void*>(function));
    const std::scoped_lock lock(all.mutex);
    require(function, cudaErrorInvalidDeviceFunction);
    require(all.handles.contains(handle), unknown_function());
    return handle;
}

void note_handle(KernelHandle handle, LibraryHandle library) {
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    all.handles[handle] = library;
}

void forget_handles(LibraryHandle library) {
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    std::erase_if(all.handles, [&](const auto& entry) { return entry.second == library; });
}

void* host_function_of(const Functions& f, CUfunction function) {
    Registry& all = registry();
    const std::scoped_lock lock(all.mutex);
    for (FatBinary* fat_binary : all.fat_binaries) {
        const std::scoped_lock owner(fat_binary->mutex);
        for (const Kernel* kernel : fat_binary->kernels) {
            const KernelHandle handle = kernel->handle.load(std::memory_order_acquire);
            CUfunction its = nullptr;
            if (handle && (reinterpret_cast<CUfunction>(handle) == function ||
                           (f.fn_cuKernelGetFunction(&its, handle) == CUDA_SUCCESS && its == function)))
                return const_cast<void*>(kernel->address);
        }
    }
    return reinterpret_cast<void*>(function);
}

CUdeviceptr address_of(const Functions& f, Variable& variable, std::size_t* size) {
    const LibraryHandle library = library_of(f, *variable.owner);
    CUdeviceptr address = 0;
    std::size_t bytes = 0;
    const CUresult code = variable.kind == Variable::Kind::managed
                              ? f.fn_cuLibraryGetManaged(&address, &bytes, library, variable.name.c_str())
                              : f.fn_cuLibraryGetGlobal(&address, &bytes, library, variable.name.c_str());
    require(code != CUDA_ERROR_NOT_FOUND, cudaErrorInvalidSymbol);
    check(code);
    if (size) *size = bytes;
    return address;
}

bool prepare_managed_variables(const Functions& f, FatBinary& fat_binary) {
    const unsigned now = registry().resets.load();
    if (!fat_binary.has_managed || fat_binary.managed_since.load() == now) return true;
    return guarded([&] {
               const LibraryHandle library = library_of(f, fat_binary);
               const std::scoped_lock lock(fat_binary.mutex);
               for (const Variable* variable : fat_binary.variables) {
                   if (variable->kind != Variable::Kind::managed) continue;
                   CUdeviceptr address = 0;
                   std::size_t bytes = 0;
                   check(f.fn_cuLibraryGetManaged(&address, &bytes, library, variable->name.c_str()));
                   *static_cast<void**>(const_cast<void*>(variable->address)) = reinterpret_cast<void*>(address);
               }
               fat_binary.managed_since.store(now);
               return cudaSuccess;
           }) == cudaSuccess;
}

void prepare_managed_variables(const Functions& f) {
    Registry& all = registry();
    if (!all.has_managed.load(std::memory_order_acquire)) return;
    std::vector<FatBinary*> fat_binaries;
    {
        const std::scoped_lock lock(all.mutex);
        fat_binaries = all.fat_binaries;
    }
    // What cannot be loaded says so when it is used.
    for (FatBinary* fat_binary : fat_binaries)
        (void)prepare_managed_variables(f, *fat_binary);
}

void managed_variables_are_gone() { registry().resets.fetch_add(1); }

void unload_removed(const Functions& f) {
    Registry& all = registry();
    if (!all.has_removed.load(std::memory_order_acquire)) [[likely]]
        return;
    std::vector<LibraryHandle> removed;
    {
        const std::scoped_lock lock(all.mutex);
        removed.swap(all.removed);
        all.has_removed.store(false);
    }
    for (LibraryHandle library : removed)
        (void)f.fn_cuLibraryUnload(library);
}

} // namespace warplight::runtime_api
