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

#include <algorithm>
#include <bit>
#include <cstring>

namespace warplight::driver {

namespace {

using detail::FunctionState;

/// "parameter 2 'n' (int)", "parameter 2 (of type .u64)": counted from 1
std::string label(std::size_t index, const ParameterInfo& parameter) {
    std::string text = "parameter " + std::to_string(index + 1);
    if (!parameter.name.empty()) text += " '" + parameter.name + "'";
    if (parameter.declared.empty()) return text;
    return text + (parameter.name.empty() ? " (of type " : " (") + parameter.declared + ")";
}

std::string type_text(const ParameterInfo& parameter) {
    const std::string bits = std::to_string(parameter.size * 8), bytes = std::to_string(parameter.size);
    switch (parameter.type) {
    case ParameterInfo::Type::integer:
        if (parameter.declared.find('*') != std::string::npos) return "a pointer";
        return "a " + bits + "-bit integer" +
               (parameter.size == sizeof(device_ptr) && !parameter.is_signed ? " or pointer" : "");
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

/// The bits of an integer argument, its sign extended.
std::uint64_t integer_of(const Argument& argument) {
    std::uint64_t value = 0;
    std::memcpy(&value, argument.data(), std::min(argument.size(), sizeof value));
    const unsigned unused = 64 - static_cast<unsigned>(std::min<std::size_t>(argument.size(), 8)) * 8;
    if (!argument.is_signed()) return value;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

/// Whether an integer of another size may become the parameter. A small one becomes a large one only where the source
/// says that it is no address.
bool converts(const Argument& argument, const ParameterInfo& parameter) {
    const bool integer = parameter.type == ParameterInfo::Type::integer || parameter.is_signed.has_value();
    return integer && argument.type() == Argument::Type::integer && argument.size() <= 8 && parameter.size <= 8 &&
           (parameter.size < argument.size() || parameter.is_signed.has_value());
}

/// Whether the parameter can hold the integer. PTX does not tell signs: then either range will do.
bool holds(const ParameterInfo& parameter, const Argument& argument) {
    const std::uint64_t bits = integer_of(argument);
    const bool negative = argument.is_signed() && static_cast<std::int64_t>(bits) < 0;
    const unsigned width = static_cast<unsigned>(parameter.size) * 8;
    const bool is_signed = parameter.is_signed.value_or(negative);
    const std::uint64_t largest =
        (is_signed ? std::uint64_t{1} << (width - 1) : std::uint64_t{1} << (width - 1) << 1) - 1;
    return negative ? is_signed && ~bits <= largest : bits <= largest;
}

std::string value_text(const Argument& argument) {
    const std::uint64_t bits = integer_of(argument);
    return argument.is_signed() ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
}

/// The argument as the parameter takes it. @throws LogicError where that cannot be.
Argument fitted(const std::string& kernel, std::size_t index, const ParameterInfo& parameter,
                const Argument& argument) {
    if (fits(argument, parameter)) return argument;
    if (!converts(argument, parameter))
        throw_logic_error(label(index, parameter) + " of " + kernel + " is " + type_text(parameter) + ", not " +
                              argument.describe(),
                          kernel);
    if (!holds(parameter, argument))
        throw_logic_error(label(index, parameter) + " of " + kernel + " cannot hold " + value_text(argument) + " (" +
                              argument.describe() + ")",
                          kernel);
    const std::uint64_t bits = integer_of(argument);
    static_assert(std::endian::native == std::endian::little);
    return Argument::scalar(DType::from_name((argument.is_signed() ? "i" : "u") + std::to_string(parameter.size * 8)),
                            &bits);
}

/// Names the argument that nothing can be called with.
void check_usable(const FunctionState& function, std::span<const Argument> arguments) {
    const std::vector<ParameterInfo>* parameters = function.known_parameters();
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i].problem()) continue;
        const std::string kernel = function.title();
        const ParameterInfo parameter = parameters && i < parameters->size() ? (*parameters)[i] : ParameterInfo{};
        throw_logic_error("the argument for " + label(i, parameter) + " of " + kernel + " " + arguments[i].problem(),
                          kernel, "Pass nullptr where the kernel shall get no memory");
    }
}

void check_count(const FunctionState& function, std::span<const Argument> arguments,
                 const std::vector<ParameterInfo>& parameters) {
    if (arguments.size() == parameters.size()) return;
    const std::string kernel = function.title();
    std::string text = kernel + " takes " + std::to_string(parameters.size()) + " arguments, " +
                       std::to_string(arguments.size()) + " were given";
    if (arguments.size() < parameters.size())
        text += "; the first that is missing is " + label(arguments.size(), parameters[arguments.size()]) + ", " +
                type_text(parameters[arguments.size()]);
    throw_logic_error(text, kernel);
}

std::string text_of(const auto& dim) {
    return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

void check_config(const Function& function, const LaunchConfig& config) {
    const auto empty = [](const auto& dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; };
    if (!empty(config.block) && !empty(config.grid) && config.shared <= 0xffffffffu) return;
    const std::string kernel = function.state()->title();
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

std::span<const Argument> detail::fit_arguments(const FunctionState& function, std::span<const Argument> arguments,
                                                std::vector<Argument>& place) {
    const std::vector<ParameterInfo>* parameters = function.known_parameters();
    bool all_fit = !parameters || parameters->size() == arguments.size();
    for (std::size_t i = 0; all_fit && i < arguments.size(); ++i)
        all_fit = !arguments[i].problem() && (!parameters || driver::fits(arguments[i], (*parameters)[i]));
    if (all_fit) return arguments;
    // Texts are only made where there is something to say: a call that fits must not pay for them.
    check_usable(function, arguments);
    if (!parameters) return arguments;
    check_count(function, arguments, *parameters);
    place.clear();
    for (std::size_t i = 0; i < arguments.size(); ++i)
        place.push_back(fitted(function.title(), i, (*parameters)[i], arguments[i]));
    return place;
}

void Function::check_arguments(std::span<const Argument> arguments) const {
    std::vector<Argument> place;
    (void)detail::fit_arguments(*state_, arguments, place);
}

std::optional<double> Function::call(const LaunchConfig& config, std::span<const Argument> arguments) const {
    check_config(*this, config);
    std::vector<Argument> place;
    const std::span<const Argument> used = detail::fit_arguments(*state_, arguments, place);
    bool handlers = false;
    for (const Argument& argument : used)
        handlers |= argument.handler().has_value();
    const detail::Scope scope(state_->context());
    for (const TextureReference* texref : config.texrefs)
        if (texref) param_set_texref(*texref);
    if (!handlers && !config.time_kernel) {
        submit(*state_, config, used);
        return std::nullopt;
    }

    // Device memory and events are made in the kernel's context, whatever is current.
    const ContextScope current{ContextRef(state_->module->context)};
    std::vector<Argument> ready(used.begin(), used.end());
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
