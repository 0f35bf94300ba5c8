// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include "../ptx/link.hpp"
#include "../ptx/parser.hpp"
#include "address_space.hpp"
#include "configuration.hpp"
#include "context.hpp"
#include "device.hpp"
#include "failure.hpp"
#include "handles.hpp"
#include "managed.hpp"
#include "texture_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <shared_mutex>
#include <unordered_map>

namespace warplight::software {
namespace {

/// Which module a function handle belongs to.
struct FunctionTable {
    std::shared_mutex mutex;
    std::unordered_map<const void*, std::weak_ptr<Module>> modules;
    OldAddresses<Function> old;
};
FunctionTable& function_table() {
    static auto* table = new FunctionTable;
    return *table;
}

constexpr std::size_t kMostAlone = 256; ///< variables that get pages of their own

bool in_memory(const ptx::Variable& v) {
    return (v.space == ptx::Space::global || v.space == ptx::Space::constant) && v.linkage != ptx::Linkage::external;
}

void check_supported(const ptx::Module& module, LoadLog& log) {
    constexpr int most = 20;
    int found = 0;
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            const auto why = jit::unsupported(module, function, instruction);
            if (!why) continue;
            if (++found > most) continue;
            log.error +=
                fmt::format("ptx, line {}; error: {} (in function '{}')\n", instruction.line, *why, function.name);
        }
    }
    if (found == 0) return;
    if (found > most) log.error += fmt::format("and {} more\n", found - most);
    fail(CUDA_ERROR_INVALID_PTX, log.error);
}

ptx::Module parse_text(std::string_view text, LoadLog& log) {
    auto result = ptx::parse(text);
    if (const auto* error = std::get_if<ptx::ParseError>(&result)) {
        log.error = error->message + "\n";
        fail(error->unsupported_version ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION : CUDA_ERROR_INVALID_PTX, error->message);
    }
    return std::move(std::get<ptx::Module>(result));
}

/// One text, or a linked image.
ptx::Module parse_image(std::string_view image, LoadLog& log) {
    const std::vector<std::string> texts = texts_of_linked_image(image);
    if (texts.empty()) return parse_text(image, log);
    std::vector<ptx::LinkInput> inputs;
    inputs.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
        inputs.push_back({parse_text(texts[i], log), "input " + std::to_string(i + 1)});
    auto result = ptx::link(std::move(inputs));
    if (const auto* error = std::get_if<ptx::LinkError>(&result)) {
        log.error = error->message;
        fail(CUDA_ERROR_INVALID_IMAGE, error->message);
    }
    return std::move(std::get<ptx::Module>(result));
}

} // namespace

std::vector<std::string> Module::kernel_names(std::string_view text, LoadLog& log) {
    std::vector<std::string> names;
    for (const ptx::Function& function : parse_image(text, log).functions)
        if (function.kernel && function.defined) names.push_back(function.name);
    return names;
}

std::shared_ptr<Module> Module::load(Context& context, std::string_view text, LoadLog& log, const Module* other) {
    ptx::Module parsed = parse_image(text, log);
    if (parsed.target > context.device.capability) {
        log.error = fmt::format("ptx; error: the target sm_{}{} is newer than the device's compute capability {}.{}\n",
                                parsed.target, parsed.target_suffix, context.device.capability / 10,
                                context.device.capability % 10);
        fail(CUDA_ERROR_INVALID_PTX, log.error);
    }
    check_supported(parsed, log);
    auto module = std::make_shared<Module>(context, std::move(parsed), jit::digest(text, configuration().build), other);
    for (const ptx::Variable& v : module->ptx.variables) {
        if ((v.space == ptx::Space::global || v.space == ptx::Space::constant) && v.linkage == ptx::Linkage::external &&
            !v.unsized) {
            log.error = fmt::format("ptx; error: unresolved extern variable '{}'\n", v.name);
            fail(CUDA_ERROR_INVALID_PTX, log.error);
        }
    }
    for (ptx::FunctionId f = 0; f < module->ptx.functions.size(); ++f) {
        const ptx::Function& function = module->ptx.functions[f];
        if (!function.kernel || !function.defined) continue;
        auto kernel = std::make_shared<Function>(*module, f);
        const auto& limits = context.device.limits;
        if (kernel->shared.static_size > static_cast<std::uint64_t>(limits.shared_per_block)) {
            log.error = fmt::format("ptx, line {}; error: entry function '{}' uses too much shared data "
                                    "(0x{:x} bytes, 0x{:x} max)\n",
                                    function.line, function.name, kernel->shared.static_size, limits.shared_per_block);
            fail(CUDA_ERROR_INVALID_PTX, log.error);
        }
        log.info +=
            fmt::format("{}: {} registers, {} bytes smem, {} bytes cmem, {} bytes lmem\n", function.name,
                        kernel->registers, kernel->shared.static_size, kernel->constant_bytes, kernel->local_bytes);
        module->functions_.push_back(std::move(kernel));
    }
    handles<Module>().add(module);
    FunctionTable& table = function_table();
    const std::scoped_lock lock(table.mutex);
    for (const auto& f : module->functions_)
        table.modules[f.get()] = module;
    return module;
}

Module::Module(Context& owner, ptx::Module parsed, std::string digest, const Module* other)
    : context(owner), kept_ptx(std::make_shared<const ptx::Module>(std::move(parsed))), ptx(*kept_ptx),
      source(std::move(digest)) {
    place_variables(other);
    make_references();
}

Module::~Module() {
    unload();
    FunctionTable& table = function_table();
    const std::scoped_lock lock(table.mutex);
    for (const auto& f : functions_)
        table.old.keep(f);
}

void Module::place_variables(const Module* other) {
    AddressSpace& space = AddressSpace::instance();
    addresses_.assign(ptx.variables.size(), 0);
    const auto take = [&](std::uint64_t size, std::uint64_t alignment, unsigned flags = 0) {
        const auto base =
            space.allocate(size, Allocation::Kind::variable, context.device.ordinal, &context, flags, alignment);
        if (!base) {
            for (const std::uint64_t a : allocations_)
                (void)space.release(a, Allocation::Kind::variable);
            fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for the module's variables");
        }
        allocations_.push_back(*base);
        return *base;
    };
    const auto wanted = std::count_if(ptx.variables.begin(), ptx.variables.end(), in_memory);
    const bool together = static_cast<std::size_t>(wanted) > kMostAlone;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < ptx.variables.size(); ++i) {
        const ptx::Variable& v = ptx.variables[i];
        if (!in_memory(v)) continue;
        const std::uint64_t size = std::max<std::uint64_t>(v.size, 1);
        const std::uint64_t alignment = std::max<std::uint64_t>(v.alignment, 16);
        if (v.managed && other) {
            addresses_[i] = other->addresses_.at(i);
        } else if (v.managed) { // advice for its pages is for it alone
            addresses_[i] = take(size, alignment, Allocation::managed_variable);
            forget_managed(addresses_[i], size);
        } else if (together) {
            total = (total + alignment - 1) / alignment * alignment;
            addresses_[i] = total;
            total += size;
        } else {
            addresses_[i] = take(size, alignment);
        }
    }
    if (together && total != 0) {
        const std::uint64_t base = take(total, 512);
        for (std::size_t i = 0; i < ptx.variables.size(); ++i) {
            if (in_memory(ptx.variables[i]) && !ptx.variables[i].managed) addresses_[i] += base;
        }
    }
    for (std::size_t i = 0; i < ptx.variables.size(); ++i) {
        const ptx::Variable& v = ptx.variables[i];
        if (!in_memory(v) || (v.managed && other)) continue;
        auto* memory = reinterpret_cast<std::byte*>(addresses_[i]);
        if (!v.initial.empty())
            std::memcpy(memory, v.initial.data(), std::min<std::uint64_t>(v.initial.size(), v.size));
        for (const auto& r : v.relocations) {
            if (r.offset + r.width > v.size) continue;
            std::uint64_t value =
                r.is_function ? kFunctionAddressBase + std::uint64_t{16} * r.index : addresses_.at(r.index);
            value = (value + static_cast<std::uint64_t>(r.addend)) >> r.shift;
            std::memcpy(memory + r.offset, &value, std::min<std::size_t>(r.width, sizeof value));
        }
    }
}

/// A reference's variable holds the number that instructions find its binding with.
void Module::make_references() {
    for (std::size_t i = 0; i < ptx.variables.size(); ++i) {
        const ptx::Variable& v = ptx.variables[i];
        if (addresses_[i] == 0 || v.size < sizeof(std::uint64_t)) continue;
        std::uint64_t number = 0;
        if (v.type == ptx::Type::texref) {
            auto reference = std::make_shared<TextureReference>(context, true);
            number = reference->number();
            handles<TextureReference>().add(reference);
            texture_references_[v.name] = std::move(reference);
        } else if (v.type == ptx::Type::surfref) {
            auto reference = std::make_shared<SurfaceReference>(context);
            number = reference->number();
            handles<SurfaceReference>().add(reference);
            surface_references_[v.name] = std::move(reference);
        } else {
            continue;
        }
        std::memcpy(reinterpret_cast<void*>(addresses_[i]), &number, sizeof number);
    }
}

TextureReference* Module::texture_reference(std::string_view name) const {
    const auto found = texture_references_.find(name);
    return found == texture_references_.end() ? nullptr : found->second.get();
}

SurfaceReference* Module::surface_reference(std::string_view name) const {
    const auto found = surface_references_.find(name);
    return found == surface_references_.end() ? nullptr : found->second.get();
}

void Module::unload() {
    for (const auto& f : functions_)
        f->stop_compiling();
    for (const auto& entry : texture_references_)
        handles<TextureReference>().remove(entry.second.get());
    for (const auto& entry : surface_references_)
        handles<SurfaceReference>().remove(entry.second.get());
    texture_references_.clear();
    surface_references_.clear();
    {
        FunctionTable& table = function_table();
        const std::scoped_lock lock(table.mutex);
        for (const auto& f : functions_)
            table.modules.erase(f.get());
    }
    ++handles_taken_away();
    for (const std::uint64_t base : allocations_) {
        (void)AddressSpace::instance().release(base, Allocation::Kind::variable);
    }
    allocations_.clear();
}

Function* Module::kernel(std::string_view name) {
    for (const auto& f : functions_) {
        if (f->ptx().name == name) return f.get();
    }
    return nullptr;
}

std::vector<Function*> Module::kernels() {
    std::vector<Function*> all;
    all.reserve(functions_.size());
    for (const auto& f : functions_)
        all.push_back(f.get());
    return all;
}

std::optional<Module::Global> Module::global(std::string_view name) const {
    const auto id = ptx.find_variable(name);
    if (!id || addresses_.at(*id) == 0) return std::nullopt;
    if (texture_references_.contains(name) || surface_references_.contains(name)) return std::nullopt;
    return Global{addresses_[*id], ptx.variables[*id].size};
}

std::atomic<std::uint64_t>& handles_taken_away() {
    static std::atomic<std::uint64_t> count;
    return count;
}

FunctionReference loaded_function(CUfunction handle) {
    FunctionTable& table = function_table();
    const std::shared_lock lock(table.mutex);
    const auto found = table.modules.find(handle);
    if (found == table.modules.end()) return {};
    return {found->second.lock(), reinterpret_cast<Function*>(handle)};
}

void unload(const std::shared_ptr<Module>& module) {
    // Kernels of it that still run keep it alive; to callers it is gone.
    handles<Module>().remove(module.get());
    {
        FunctionTable& table = function_table();
        const std::scoped_lock lock(table.mutex);
        // Locking the pointers could end a module that another thread has just left, which takes the lock.
        std::erase_if(table.modules, [&](const auto& entry) {
            return !entry.second.owner_before(module) && !module.owner_before(entry.second);
        });
    }
    ++handles_taken_away();
}

void unload_all(const Context& context) {
    const auto gone = handles<Module>().remove_if([&](const Module& m) { return &m.context == &context; });
    for (const auto& module : gone) {
        unload(module);
        module->unload(); // its references keep it alive, and it does not keep its context
    }
}

} // namespace warplight::software
