// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "handles.hpp"

namespace warplight::software {

FunctionReference Kernel::function(Context& context) {
    {
        const std::scoped_lock lock(last_mutex_);
        if (last_function_ && last_context_ == context.id)
            if (auto module = last_module_.lock()) return {std::move(module), last_function_};
    }
    auto module = library.module(context);
    Function* function = module->kernel(name);
    if (!function) fail(CUDA_ERROR_NOT_FOUND);
    const std::scoped_lock lock(last_mutex_);
    last_context_ = context.id;
    last_module_ = module;
    last_function_ = function;
    return {std::move(module), function};
}

FunctionReference Kernel::function_on(int device) {
    if (device < 0 || device >= device_count()) fail(CUDA_ERROR_INVALID_DEVICE);
    const auto& stack = context_stack();
    if (!stack.empty() && stack.back() && stack.back()->device.ordinal == device) return function(*stack.back());
    for (const auto& module : library.modules())
        if (module->context.device.ordinal == device) return {module, module->kernel(name)};
    fail(CUDA_ERROR_INVALID_CONTEXT, "the kernel's library is loaded in no context of this device");
}

void Kernel::set_attribute(int device, int attribute, int value) {
    function_on(device).function->set_attribute(attribute, value); // checks it
    for (const auto& module : library.modules())
        if (module->context.device.ordinal == device) module->kernel(name)->set_attribute(attribute, value);
    const std::scoped_lock lock(mutex_);
    attributes_[{device, attribute}] = value;
}

void Kernel::set_cache_config(int device, CUfunc_cache config) {
    function_on(device).function->cache_config = config;
    for (const auto& module : library.modules())
        if (module->context.device.ordinal == device) module->kernel(name)->cache_config = config;
    const std::scoped_lock lock(mutex_);
    cache_configs_[device] = config;
}

std::shared_ptr<Library> Library::load(std::string text, LoadLog& log) {
    auto library = std::make_shared<Library>(std::move(text));
    for (std::string& name : Module::kernel_names(library->text_, log))
        library->kernels_.push_back(std::make_shared<Kernel>(*library, std::move(name)));
    for (const auto& kernel : library->kernels_)
        handles<Kernel>().add(kernel);
    handles<Library>().add(library);
    return library;
}

std::shared_ptr<Library> Library::useless(Failure why) {
    auto library = std::make_shared<Library>(std::string());
    library->why_useless_ = std::move(why);
    handles<Library>().add(library);
    return library;
}

void Library::check() const {
    if (why_useless_) throw Failure(*why_useless_);
}

std::shared_ptr<Module> Library::module(Context& context) {
    check();
    const std::scoped_lock lock(mutex_);
    auto& kept = modules_[context.id];
    if (auto module = kept.module.lock()) return module;
    // A managed variable is one for all devices. It ends with the context in which it was first.
    const auto first = modules_.find(managed_owner_);
    const bool there = first != modules_.end() && !first->second.context.expired();
    const std::shared_ptr<Module> other = there ? first->second.module.lock() : nullptr;
    LoadLog log;
    auto module = Module::load(context, text_, log, other.get());
    if (!other) managed_owner_ = context.id;
    kept = {module, context.shared_from_this()};
    const int device = context.device.ordinal;
    for (const auto& kernel : kernels_) {
        Function* function = module->kernel(kernel->name);
        const std::scoped_lock kernel_lock(kernel->mutex_);
        for (const auto& [key, value] : kernel->attributes_)
            if (key.first == device) function->set_attribute(key.second, value);
        if (const auto found = kernel->cache_configs_.find(device); found != kernel->cache_configs_.end())
            function->cache_config = found->second;
    }
    return module;
}

std::vector<std::shared_ptr<Module>> Library::modules() {
    const std::scoped_lock lock(mutex_);
    std::vector<std::shared_ptr<Module>> all;
    for (const auto& entry : modules_)
        if (auto module = entry.second.module.lock(); module && !entry.second.context.expired())
            all.push_back(std::move(module));
    return all;
}

std::shared_ptr<Kernel> Library::kernel(std::string_view name) const {
    for (const auto& kernel : kernels_)
        if (kernel->name == name) return kernel;
    return nullptr;
}

void Library::unload() {
    for (const auto& kernel : kernels_)
        handles<Kernel>().remove(kernel.get());
    const std::scoped_lock lock(mutex_);
    for (const auto& entry : modules_) {
        const auto module = entry.second.module.lock();
        if (!module) continue;
        if (const auto context = entry.second.context.lock()) context->drain();
        software::unload(module);
        module->unload();
    }
}

namespace {
std::optional<FunctionReference> function_of_kernel(const void* handle) {
    const auto kernel = handles<Kernel>().find(handle);
    if (!kernel) return std::nullopt;
    const auto& stack = context_stack();
    if (stack.empty() || !stack.back()) fail(CUDA_ERROR_INVALID_CONTEXT);
    return kernel->function(*stack.back());
}
} // namespace

FunctionReference function_of(CUfunction handle) {
    FunctionReference reference = loaded_function(handle);
    if (!reference.module)
        if (auto kernel = function_of_kernel(handle)) reference = *kernel;
    if (!reference.module) fail(CUDA_ERROR_INVALID_HANDLE, "not a function of a loaded module");
    reference.module->context.check();
    return reference;
}

} // namespace warplight::software
