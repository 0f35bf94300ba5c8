// SPDX-License-Identifier: Apache-2.0
#include "library.hpp"

#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "files/thread_object.hpp"
#include "handles.hpp"

#include <array>

namespace warplight::software {

FunctionReference Kernel::function(Context& context) {
    auto module = library.module(context);
    Function* function = module->kernel(name);
    if (!function) fail(CUDA_ERROR_NOT_FOUND);
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
    ++handles_taken_away();
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

/// What a thread found by its last handles: programs launch the same kernels again and again.
class Found {
public:
    /// No module where it is not known any more.
    [[nodiscard]] FunctionReference get(const void* handle, std::uint64_t context, std::uint64_t taken_away) const {
        const Entry& entry = entries_[place_of(handle)];
        if (entry.handle != handle || entry.context != context || entry.taken_away != taken_away) return {};
        return {entry.module.lock(), entry.function};
    }
    void keep(const void* handle, std::uint64_t context, std::uint64_t taken_away, const FunctionReference& found) {
        entries_[place_of(handle)] = {handle, context, taken_away, found.module, found.function};
    }

private:
    struct Entry {
        const void* handle = nullptr;
        std::uint64_t context = 0; ///< the current one: a kernel means its function there. Ids are never used again
        std::uint64_t taken_away = 0;
        std::weak_ptr<Module> module;
        Function* function = nullptr;
    };
    static constexpr std::size_t kPlaces = 16;
    static std::size_t place_of(const void* handle) {
        const auto bits = reinterpret_cast<std::uintptr_t>(handle);
        return (bits >> 4 ^ bits >> 9) % kPlaces;
    }
    std::array<Entry, kPlaces> entries_;
};

FunctionReference look_up(CUfunction handle, Context* current) {
    FunctionReference reference = loaded_function(handle);
    if (reference.module) return reference;
    const auto kernel = handles<Kernel>().find(handle);
    if (!kernel) fail(CUDA_ERROR_INVALID_HANDLE, "not a function of a loaded module");
    if (!current) fail(CUDA_ERROR_INVALID_CONTEXT);
    return kernel->function(*current);
}

} // namespace

FunctionReference function_of(CUfunction handle) {
    const auto& stack = context_stack();
    Context* const current = stack.empty() ? nullptr : stack.back().get();
    const std::uint64_t context = current ? current->id : 0;
    auto& found = files::thread_object<Found>();
    const std::uint64_t taken_away = handles_taken_away(); // before it is looked up
    FunctionReference reference = found.get(handle, context, taken_away);
    if (!reference.module) {
        reference = look_up(handle, current);
        found.keep(handle, context, taken_away, reference);
    }
    reference.module->context.check();
    return reference;
}

} // namespace warplight::software
