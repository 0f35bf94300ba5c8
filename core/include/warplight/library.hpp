// SPDX-License-Identifier: Apache-2.0
// Libraries: code that is loaded once and used from every context of the process (CUDA 12.0).
#pragma once

#include "warplight/file_path.hpp"
#include "warplight/module.hpp"
#include "warplight/shared.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::driver {

class Device;

/// A kernel of a library, of no context yet. A cheap handle that keeps its library loaded.
class Kernel {
public:
    const std::string& name() const noexcept { return name_; }
    /// The kernel in the current context, ready to be called.
    Function get_function() const;
    /// What the kernel's function has on a device, or will have.
    int get_attribute(function_attribute attribute, const Device& device) const;
    void set_attribute(function_attribute attribute, int value, const Device& device) const;
    void set_cache_config(func_cache config, const Device& device) const;
    CUkern_st* handle() const noexcept { return handle_; }

private:
    friend class Library;
    Kernel(Shared<detail::LibraryState> library, CUkern_st* handle, std::string name)
        : library_(std::move(library)), handle_(handle), name_(std::move(name)) {}
    Shared<detail::LibraryState> library_;
    CUkern_st* handle_ = nullptr;
    std::string name_;
};

/// Loaded code. Copies are the same library; it is unloaded when they and all its kernels and functions are gone.
class Library {
public:
    /// @throws LogicError when there is no such kernel; the message lists those there are.
    Kernel get_kernel(const std::string& name) const;
    /// Names of the kernels (CUDA 12.4).
    std::vector<std::string> kernels() const;
    /// The library as a module of the current context.
    Module get_module() const;
    /// A variable, in the current context. @throws LogicError when there is none.
    Global get_global(const std::string& name) const;
    CUlib_st* handle() const noexcept;

    /// Internal.
    explicit Library(Shared<detail::LibraryState> state) noexcept : state_(std::move(state)) {}

private:
    Shared<detail::LibraryState> state_;
};

/// Loads a PTX, CUBIN or fatbin file with the driver of the current context.
/// @throws FileError when it cannot be read, else as library_from_buffer.
Library library_from_file(const FilePath& filename);
/// Loads PTX text, CUBIN or fatbin bytes. Code that is none, or that the device cannot run, is an error when something
/// of the library is asked for: drivers look at it only then.
Library library_from_buffer(std::span<const std::byte> buffer, const JitOptions& options = {});
Library library_from_buffer(std::string_view text, const JitOptions& options = {});

} // namespace warplight::driver
