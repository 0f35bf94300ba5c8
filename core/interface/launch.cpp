// SPDX-License-Identifier: Apache-2.0
// Calling a kernel: checking its arguments, packing them, launching, and explaining a refusal.
#include "interface/launch.hpp"
#include "interface/launch_attributes.hpp"
#include "interface/native_arguments.hpp"
#include "interface/state.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"
#include "warplight/function.hpp"
#include "warplight/stream.hpp"
#include "warplight/texture.hpp"

namespace warplight::driver {

namespace {

using detail::FunctionState;

std::string label(std::size_t index, const ParameterInfo& parameter) {
    return "parameter " + std::to_string(index) + (parameter.name.empty() ? "" : " '" + parameter.name + "'");
}

std::string type_text(const ParameterInfo& parameter) {
    const std::string bits = std::to_string(parameter.size * 8), bytes = std::to_string(parameter.size);
    switch (parameter.type) {
    case ParameterInfo::Type::integer:
        return "a " + bits + "-bit integer" + (parameter.size == sizeof(device_ptr) ? " or pointer" : "");
    case ParameterInfo::Type::real: return "a " + bits + "-bit float";
    case ParameterInfo::Type::bytes: return "a struct of " + bytes + " bytes";
    case ParameterInfo::Type::bits:
    case ParameterInfo::Type::unknown: break;
    }
    return "a value of " + bytes + " bytes";
}

bool fits(const Argument& argument, const ParameterInfo& parameter) {
    return detail::fits(argument.type(), argument.size(), parameter);
}

void check(const Function& function, std::span<const Argument> arguments,
           const std::optional<std::vector<ParameterInfo>>& parameters) {
    if (!parameters) return;
    const std::string kernel = "kernel " + function.name();
    if (arguments.size() != parameters->size()) {
        std::string text = kernel + " takes " + std::to_string(parameters->size()) + " arguments, " +
                           std::to_string(arguments.size()) + " were given";
        if (arguments.size() < parameters->size())
            text += "; the first that is missing is " + label(arguments.size(), (*parameters)[arguments.size()]) +
                    ", " + type_text((*parameters)[arguments.size()]);
        throw_logic_error(text, kernel);
    }
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (!fits(arguments[i], (*parameters)[i]))
            throw_logic_error(label(i, (*parameters)[i]) + " of " + kernel + " is " + type_text((*parameters)[i]) +
                                  ", not " + arguments[i].describe(),
                              kernel);
}

std::string text_of(const Dim3& dim) {
    return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

void check_config(const Function& function, const LaunchConfig& config) {
    const auto empty = [](const Dim3& dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; };
    if (!empty(config.block) && !empty(config.grid) && config.shared <= 0xffffffffu) return;
    const std::string kernel = "kernel " + function.name();
    if (config.block.x == 0 || config.block.y == 0 || config.block.z == 0)
        throw_logic_error("a block of " + text_of(config.block) + " threads is empty", kernel, "Set .block");
    if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0)
        throw_logic_error("a grid of " + text_of(config.grid) + " blocks is empty", kernel);
    if (config.shared > 0xffffffffu) throw_logic_error("there is no such amount of shared memory", kernel);
}

/// Why a launch was refused, where its numbers tell: the driver's code alone does not say which one is too large.
std::string explain(const FunctionState& function, const LaunchConfig& config) {
    const detail::DriverState& driver = function.driver();
    const auto device = [&](CUdevice_attribute attribute) {
        int value = 0;
        const auto get = driver.functions.fn_cuDeviceGetAttribute;
        return get && get(&value, attribute, function.context().device) == CUDA_SUCCESS ? value : 0;
    };
    const auto kernel = [&](CUfunction_attribute attribute) {
        int value = 0;
        const auto get = driver.functions.fn_cuFuncGetAttribute;
        return get && get(&value, attribute, function.handle) == CUDA_SUCCESS ? value : 0;
    };
    std::string reasons;
    const auto add = [&](const std::string& reason) { reasons += (reasons.empty() ? "" : "; ") + reason; };
    const auto limit = [&](const std::string& what, unsigned value, CUdevice_attribute attribute) {
        if (const int most = device(attribute); most > 0 && value > static_cast<unsigned>(most))
            add(what + " is " + std::to_string(value) + ", the device allows " + std::to_string(most));
    };
    limit("the block's x", config.block.x, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
    limit("the block's y", config.block.y, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
    limit("the block's z", config.block.z, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
    limit("the grid's x", config.grid.x, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
    limit("the grid's y", config.grid.y, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
    limit("the grid's z", config.grid.z, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
    const std::uint64_t threads = std::uint64_t{config.block.x} * config.block.y * config.block.z;
    const int most_threads = kernel(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    if (most_threads > 0 && threads > static_cast<std::uint64_t>(most_threads))
        add("a block has " + std::to_string(threads) + " threads, the kernel allows " + std::to_string(most_threads));
    const int most_dynamic = kernel(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    if (config.shared > 0 && most_dynamic >= 0 && config.shared > static_cast<std::size_t>(most_dynamic))
        add("a block has " + std::to_string(config.shared) + " bytes of dynamic shared memory, the kernel allows " +
            std::to_string(most_dynamic) + " (function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES), the device " +
            std::to_string(device(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)));
    return reasons;
}

void submit(const FunctionState& function, const LaunchConfig& config, std::span<const Argument> arguments) {
    const detail::DriverState& driver = function.driver();
    const auto& [gx, gy, gz] = config.grid;
    const auto& [bx, by, bz] = config.block;
    const auto shared = static_cast<unsigned>(config.shared);
    const CUstream stream = detail::handle_of(config.stream);
    CUresult code = CUDA_SUCCESS;
    const char* routine = config.cooperative ? "cuLaunchCooperativeKernel" : "cuLaunchKernel";
    detail::NativeArguments native(function, arguments, config.cooperative);
    if (config.has_attributes()) {
        routine = "cuLaunchKernelEx";
        const detail::NativeLaunch launch(config);
        code =
            WARPLIGHT_TRY(driver, cuLaunchKernelEx, &launch.config, function.handle, native.pointers(), native.extra());
    } else if (config.cooperative) {
        code = WARPLIGHT_TRY(driver, cuLaunchCooperativeKernel, function.handle, gx, gy, gz, bx, by, bz, shared, stream,
                             native.pointers());
    } else {
        code = WARPLIGHT_TRY(driver, cuLaunchKernel, function.handle, gx, gy, gz, bx, by, bz, shared, stream,
                             native.pointers(), native.extra());
    }
    if (code != CUDA_SUCCESS) detail::refuse_launch(function, config, routine, code);
}

} // namespace

void detail::refuse_launch(const FunctionState& function, const LaunchConfig& config, const char* routine,
                           CUresult code) {
    throw_failure(function.driver(), routine, code,
                  function.describe() + ", grid " + text_of(config.grid) + ", block " + text_of(config.block),
                  explain(function, config));
}

bool detail::fits(Argument::Type type, std::size_t size, const ParameterInfo& parameter) {
    if (size != parameter.size) return false;
    if (parameter.type == ParameterInfo::Type::integer) return type != Argument::Type::real;
    if (parameter.type == ParameterInfo::Type::real)
        return type == Argument::Type::real || type == Argument::Type::bytes;
    return true;
}

void Function::check_arguments(std::span<const Argument> arguments) const { check(*this, arguments, parameters()); }

std::optional<double> Function::call(const LaunchConfig& config, std::span<const Argument> arguments) const {
    check_config(*this, config);
    // Names are only needed for messages: a call that fits must not pay for them.
    bool all_fit = !state_->parameters || state_->parameters->size() == arguments.size();
    for (std::size_t i = 0; all_fit && state_->parameters && i < arguments.size(); ++i)
        all_fit = fits(arguments[i], (*state_->parameters)[i]);
    if (!all_fit) check_arguments(arguments);

    bool handlers = false;
    for (const Argument& argument : arguments)
        handlers |= argument.handler().has_value();
    const detail::Scope scope(state_->context());
    for (const TextureReference* texref : config.texrefs)
        if (texref) param_set_texref(*texref);
    if (!handlers && !config.time_kernel) {
        submit(*state_, config, arguments);
        return std::nullopt;
    }

    // Device memory and events are made in the kernel's context, whatever is current.
    const ContextScope current{ContextRef(state_->module->context)};
    std::vector<Argument> ready(arguments.begin(), arguments.end());
    for (Argument& argument : ready) {
        if (!argument.handler()) continue;
        argument.handler()->pre_call(config.stream);
        argument.set_pointer(argument.handler()->get_device_alloc().get());
    }
    std::optional<double> seconds;
    if (config.time_kernel) {
        Event start, end;
        start.record(config.stream);
        submit(*state_, config, ready);
        end.record(config.stream);
        end.synchronize();
        seconds = static_cast<double>(end.time_since(start)) * 1e-3;
    } else {
        submit(*state_, config, ready);
    }
    for (const Argument& argument : ready)
        if (argument.handler()) argument.handler()->post_call(config.stream);
    return seconds;
}

} // namespace warplight::driver
