// SPDX-License-Identifier: Apache-2.0
// The code and the variables that programs register: fat binaries, their kernels by the addresses of host functions,
// and their variables by the addresses of host variables. A library is loaded when something of it is first used.
#pragma once

#include "runtime_api/driver.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warplight::runtime_api {

struct FatBinary;

/// A kernel that was registered. It stays in memory when its library is gone, as a launch may be looking at it.
struct Kernel {
    const void* address = nullptr; ///< of the host function
    FatBinary* owner = nullptr;
    std::string name;
    std::atomic<KernelHandle> handle = nullptr;
    std::atomic<bool> gone = false;
};

/// A variable, a texture reference or a surface reference.
struct Variable {
    enum class Kind : unsigned char { plain, managed, texture, surface };
    const void* address = nullptr; ///< of the host variable; of the pointer to it if managed
    FatBinary* owner = nullptr;
    std::string name;
    std::size_t size = 0;
    Kind kind = Kind::plain;
    bool normalized_reads = false; ///< of a texture reference: integers are read as fractions
    static constexpr std::size_t not_bound = SIZE_MAX;
    std::atomic<std::size_t> offset = not_bound; ///< of a texture reference: bytes from its begin to the program's
    std::atomic<bool> gone = false;
};

struct FatBinary {
    const void* image = nullptr;
    void* const* prelinked = nullptr; ///< images to be linked, ended by null; null where there are none
    std::mutex mutex;
    std::atomic<LibraryHandle> library = nullptr;
    std::vector<Kernel*> kernels;
    std::vector<Variable*> variables;
    bool has_managed = false;
    /// For which reset of devices the host's pointers to managed variables were set; 0: not yet.
    std::atomic<unsigned> managed_since = 0;
};

FatBinary* add_fat_binary(const void* wrapper);
void remove_fat_binary(FatBinary* fat_binary);
void add_kernel(FatBinary* owner, const void* address, const char* name);
void add_variable(FatBinary* owner, const void* address, const char* name, std::size_t size, Variable::Kind kind,
                  bool normalized_reads = false);

/// Null where no kernel has this host function. Takes no lock.
Kernel* find_kernel(const void* address);
/// Null where there is no such variable. A managed one is found by the pointer's address and by what it points to.
Variable* find_variable(const void* address);

/// Loads the library where that was not done. A context is current. Throws Failure.
LibraryHandle library_of(const Functions& f, FatBinary& fat_binary);
/// The driver's handle, which launches take in any context. Throws Failure.
KernelHandle load_kernel(const Functions& f, Kernel& kernel);
inline KernelHandle handle_of(const Functions& f, Kernel& kernel) {
    if (KernelHandle handle = kernel.handle.load(std::memory_order_acquire)) [[likely]]
        return handle;
    return load_kernel(f, kernel);
}
/// The handle for what programs pass as a kernel: the address of a host function, or a handle. Throws Failure.
KernelHandle resolve_kernel(const Functions& f, const void* function);
/// Notes a handle that was given to the program.
void note_handle(KernelHandle handle, LibraryHandle library);
void forget_handles(LibraryHandle library);
/// The host function of a driver's function in the current context; the function itself where there is none.
void* host_function_of(const Functions& f, CUfunction function);

/// The address and size of a variable in the current context. Throws Failure.
CUdeviceptr address_of(const Functions& f, Variable& variable, std::size_t* size);

/// Sets the host's pointers to managed variables that are not set yet.
void prepare_managed_variables(const Functions& f);
bool prepare_managed_variables(const Functions& f, FatBinary& fat_binary);
/// After a reset of a device managed variables lie elsewhere.
void managed_variables_are_gone();
/// Unloads the libraries of what was unregistered. The end of a program leaves that to the system.
void unload_removed(const Functions& f);

} // namespace warplight::runtime_api
