// SPDX-License-Identifier: Apache-2.0
#include "warplight/library.hpp"

#include "interface/jit_options.hpp"
#include "interface/state.hpp"
#include "warplight/device.hpp"
#include "warplight/file_io.hpp"
#include "warplight/function.hpp"

#include <map>
#include <memory>

namespace warplight::driver {

namespace detail {

struct LibraryState {
    ContextPointer context; ///< the one that it was loaded in
    LibraryHandle handle = nullptr;
    std::map<std::string, std::vector<ParameterInfo>> signatures;
    ~LibraryState() {
        if (!handle) return;
        if (!context->valid.load()) {
            // A library outlives the context.
            if (const auto unload = context->driver->functions.fn_cuLibraryUnload) (void)unload(handle);
            return;
        }
        clean_up(
            *context, "cuLibraryUnload", [this] { return describe(); },
            [this] { return WARPLIGHT_TRY(*context->driver, cuLibraryUnload, handle); });
    }
    std::string describe() const { return "library loaded in " + context->describe(); }
    const DriverState& driver() const { return *context->driver; }
};

namespace {

Library load(std::string image, const JitOptions& options) {
    auto state = std::make_shared<LibraryState>();
    state->context = current_context();
    const Scope scope(*state->context);
    image.push_back('\0');
    JitOptionList list(options);
    LibraryHandle handle = nullptr;
    const CUresult code = WARPLIGHT_TRY(state->driver(), cuLibraryLoadData, &handle, image.data(), list.names(),
                                        list.values(), list.count(), nullptr, nullptr, 0);
    if (code != CUDA_SUCCESS)
        throw_failure(state->driver(), "cuLibraryLoadData", code, "new " + state->describe(), list.error_log());
    state->handle = handle;
    state->signatures = signatures_of_image({image.data(), image.size() - 1});
    return Library(std::move(state));
}

/// The library's module in the current context. The driver owns it.
std::shared_ptr<ModuleState> module_of(const std::shared_ptr<LibraryState>& library) {
    auto module = std::make_shared<ModuleState>();
    module->context = current_context();
    module->library = library;
    module->signatures = library->signatures;
    const Scope scope(*module->context);
    WARPLIGHT_CALL(library->driver(), cuLibraryGetModule, library->describe(), &module->handle, library->handle);
    return module;
}

} // namespace
} // namespace detail

Library library_from_file(const FilePath& filename) { return detail::load(read_text_file(filename), {}); }

Library library_from_buffer(std::span<const std::byte> buffer, const JitOptions& options) {
    return detail::load({reinterpret_cast<const char*>(buffer.data()), buffer.size()}, options);
}

Library library_from_buffer(std::string_view text, const JitOptions& options) {
    return detail::load(std::string(text), options);
}

CUlib_st* Library::handle() const noexcept { return state_->handle; }

std::vector<std::string> Library::kernels() const {
    const detail::Scope scope(*state_->context);
    const detail::DriverState& driver = state_->driver();
    unsigned count = 0;
    WARPLIGHT_CALL(driver, cuLibraryGetKernelCount, state_->describe(), &count, state_->handle);
    std::vector<KernelHandle> handles(count);
    if (count)
        WARPLIGHT_CALL(driver, cuLibraryEnumerateKernels, state_->describe(), handles.data(), count, state_->handle);
    std::vector<std::string> names;
    for (const KernelHandle handle : handles) {
        const char* name = nullptr;
        WARPLIGHT_CALL(driver, cuKernelGetName, state_->describe(), &name, handle);
        if (name) names.emplace_back(name);
    }
    return names;
}

Kernel Library::get_kernel(const std::string& name) const {
    const detail::Scope scope(*state_->context);
    KernelHandle handle = nullptr;
    const CUresult code = WARPLIGHT_TRY(state_->driver(), cuLibraryGetKernel, &handle, state_->handle, name.c_str());
    if (code != CUDA_SUCCESS) {
        std::string there;
        if (code == CUDA_ERROR_NOT_FOUND && state_->driver().functions.fn_cuLibraryEnumerateKernels)
            for (const std::string& other : kernels())
                there += (there.empty() ? "" : ", ") + other;
        detail::throw_failure(state_->driver(), "cuLibraryGetKernel", code,
                              "kernel '" + name + "' of " + state_->describe(),
                              there.empty() ? there : "the library has " + there);
    }
    return {state_, handle, name};
}

Module Library::get_module() const { return Module(detail::module_of(state_)); }

Global Library::get_global(const std::string& name) const {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    Global global;
    WARPLIGHT_CALL(state_->driver(), cuLibraryGetGlobal, "variable '" + name + "' of " + state_->describe(),
                   &global.pointer, &global.size, state_->handle, name.c_str());
    return global;
}

Function Kernel::get_function() const {
    // By way of the module, so that the arguments are known and checked as everywhere.
    return Module(detail::module_of(library_)).get_function(name_);
}

int Kernel::get_attribute(function_attribute attribute, const Device& device) const {
    const detail::Scope scope(*library_->context);
    int value = 0;
    WARPLIGHT_CALL(library_->driver(), cuKernelGetAttribute, "kernel " + name_ + ", attribute " + to_string(attribute),
                   &value, static_cast<CUfunction_attribute>(attribute), handle_, device.handle());
    return value;
}

void Kernel::set_attribute(function_attribute attribute, int value, const Device& device) const {
    const detail::Scope scope(*library_->context);
    WARPLIGHT_CALL(library_->driver(), cuKernelSetAttribute,
                   "kernel " + name_ + ", attribute " + to_string(attribute) + " to " + std::to_string(value),
                   static_cast<CUfunction_attribute>(attribute), value, handle_, device.handle());
}

void Kernel::set_cache_config(func_cache config, const Device& device) const {
    const detail::Scope scope(*library_->context);
    WARPLIGHT_CALL(library_->driver(), cuKernelSetCacheConfig, "kernel " + name_, handle_,
                   static_cast<CUfunc_cache>(config), device.handle());
}

} // namespace warplight::driver
