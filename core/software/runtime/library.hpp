// SPDX-License-Identifier: Apache-2.0
// Libraries: code of no context, which becomes a module in each context that asks for it.
#pragma once

#include "failure.hpp"
#include "module.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplight::software {

class Library;

/// A kernel of a library. Its handle may stand for a function: then that of the current context is meant.
class Kernel {
public:
    Kernel(Library& owner, std::string kernel_name) : library(owner), name(std::move(kernel_name)) {}
    Library& library;
    const std::string name;

    /// In a context, with the attributes that were set for its device.
    [[nodiscard]] FunctionReference function(Context& context);
    /// In the current context if that is on the device, else in any other where the library is loaded.
    /// Throws CUDA_ERROR_INVALID_DEVICE, CUDA_ERROR_INVALID_CONTEXT.
    [[nodiscard]] FunctionReference function_on(int device);
    /// For the kernel's functions on a device, in present and future contexts.
    void set_attribute(int device, int attribute, int value);
    void set_cache_config(int device, CUfunc_cache config);

private:
    friend class Library;
    std::mutex mutex_;
    std::map<std::pair<int, int>, int> attributes_; ///< by device and attribute
    std::map<int, CUfunc_cache> cache_configs_;     ///< by device
};

class Library {
public:
    /// Fills the log and throws the driver's codes, as Module::load.
    [[nodiscard]] static std::shared_ptr<Library> load(std::string text, LoadLog& log);
    /// One of code that cannot be used: a driver says so when something of it is asked for.
    [[nodiscard]] static std::shared_ptr<Library> useless(Failure why);
    explicit Library(std::string text) : text_(std::move(text)) {}
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    /// Throws the failure of code that cannot be used.
    void check() const;
    /// The module in a context; loaded at the first call.
    [[nodiscard]] std::shared_ptr<Module> module(Context& context);
    /// The modules there are.
    [[nodiscard]] std::vector<std::shared_ptr<Module>> modules();
    /// Null where there is no such kernel.
    [[nodiscard]] std::shared_ptr<Kernel> kernel(std::string_view name) const;
    [[nodiscard]] const std::vector<std::shared_ptr<Kernel>>& kernels() const { return kernels_; }
    /// Takes its modules and its kernels' handles out of use.
    void unload();

private:
    const std::string text_;
    std::optional<Failure> why_useless_;
    std::vector<std::shared_ptr<Kernel>> kernels_;
    std::mutex mutex_;
    struct Loaded {
        std::weak_ptr<Module> module;
        std::weak_ptr<Context> context; ///< which a module does not keep, and which ends its modules
    };
    std::map<std::uint64_t, Loaded> modules_; ///< by the context's id
    std::uint64_t managed_owner_ = 0;         ///< whose module has the managed variables of all
};

/// The function that a handle means: one of a loaded module, or of a library's kernel in the current context.
/// Throws CUDA_ERROR_INVALID_HANDLE.
[[nodiscard]] FunctionReference function_of(CUfunction handle);

} // namespace warplight::software
