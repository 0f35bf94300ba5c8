// SPDX-License-Identifier: Apache-2.0
// Checks before the launch, whose messages tell more than the driver's errors.
#include "session/stages.hpp"
#include "session/textures.hpp"

#include "warplight/device.hpp"
#include "warplight/error.hpp"
#include "warplight/function.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace warplight::session {
namespace {

bool is_integer(const DType& dtype) {
    return dtype.kind() == Kind::signed_integer || dtype.kind() == Kind::unsigned_integer ||
           dtype.kind() == Kind::boolean;
}

// A float parameter needs float data, an integer parameter integers of its size. Signs do not matter.
bool agree(const DType& given, const DType& wanted) {
    if (given.itemsize() == wanted.itemsize() && is_integer(given) && is_integer(wanted)) return true;
    if (given.kind() == Kind::complex && wanted.kind() == Kind::real) return given.itemsize() == 2 * wanted.itemsize();
    return given == wanted;
}

/// The type of data for elements of a kernel's type. Small floating-point types are given by their bits.
DType data_type(const std::string& dtype) {
    if (dtype == "bfloat16") return DType::from_name("uint16");
    if (dtype.starts_with("float8")) return DType::from_name("uint8");
    return DType::from_name(dtype);
}

/// Whether a scalar of that type is a value of the kernel's. One number may stand for the bits of several.
bool agree(const ScalarType& given, const std::string& dtype, int components) {
    const std::string dtype_of_given = dtype_of_type(given.component);
    if (given.components == 1 && components > 1) {
        const auto wanted = scalar_type(scalar_type_for(dtype, components));
        return !wanted || wanted->size == given.size;
    }
    if (given.components == 2 && components == 1 && dtype.starts_with("complex"))
        return DType::from_name(dtype).itemsize() == given.size && dtype_of_given.starts_with("float");
    if (given.components != components) return false;
    if (given.component == scalar_type_for(dtype, 1)) return true;
    if (given.component == "bool") return agree(DType::from_name("bool"), data_type(dtype));
    return !dtype_of_given.empty() && agree(DType::from_name(dtype_of_given), data_type(dtype));
}

/// An array of addresses has no contents that anybody could know before the run; a kernel may write them itself.
void check_addresses(const ArgumentData& data, const compiler::Parameter& parameter) {
    const std::string outside = parameter.type.substr(0, parameter.type.find('<'));
    if (std::ranges::count(outside, '*') < 2) return;
    if (is_integer(data.input.dtype()) && data.input.itemsize() == 8) return;
    input_error(fmt::format("{} is given to the kernel's parameter \"{}\", which is {}: an array of addresses in the "
                            "device's memory, which are not known before the run. Let the kernel take one array and "
                            "the offsets into it. Where the kernel itself writes the addresses, use dtype uint64.",
                            data.label, parameter.name, parameter.type),
                data.pointer + "/source");
}

void check_array(const ArgumentData& data, const compiler::Parameter& parameter) {
    if (!parameter.pointer && parameter.dtype.empty()) return; // of an unknown type only the driver checks the size
    if (!parameter.pointer)
        input_error(fmt::format("{} is an array, but the kernel's parameter \"{}\" is a value of type {}. Make it a "
                                "scalar argument.",
                                data.label, parameter.name, parameter.type),
                    data.pointer + "/direction");
    if (parameter.dtype.empty()) {
        check_addresses(data, parameter);
        return;
    }
    const auto wanted = data_type(parameter.dtype);
    if (!data.input.dtype().is_numeric()) {
        if (parameter.components != 1) return; // data of float4 and the like may be an array of structures
        input_error(
            fmt::format("{} holds structures of {} bytes, but the kernel's parameter \"{}\" is {}, which needs "
                        "{}. Save the field that the kernel reads as an array of its own, or change the kernel.",
                        data.label, data.input.dtype().itemsize(), parameter.name, parameter.type, wanted.name()),
            data.pointer + "/source");
    }
    if (!agree(data.input.dtype(), wanted))
        input_error(fmt::format("{} is {}, but the kernel's parameter \"{}\" is {}, which needs {}. Give it data of "
                                "that type, or change the kernel.",
                                data.label, data.input.dtype().name(), parameter.name, parameter.type, wanted.name()),
                    data.pointer + "/source/dtype");
}

void check_scalar(const ArgumentData& data, const compiler::Parameter& parameter) {
    check_no_object(data, parameter);
    if (parameter.pointer)
        input_error(fmt::format("{} is a scalar, but the kernel's parameter \"{}\" is {}: it needs an array (direction "
                                "in, out or inout).",
                                data.label, parameter.name, parameter.type),
                    data.pointer + "/direction");
    const auto type = scalar_type(data.argument->type);
    if (parameter.is_struct && type && type->size != parameter.size)
        input_error(fmt::format("{} is {}, but the kernel's parameter \"{}\" is {}, a struct of {} bytes. Use type "
                                "struct, and give its fields.",
                                data.label, data.argument->type, parameter.name, parameter.type, parameter.size),
                    data.pointer + "/type");
    if (parameter.dtype.empty()) return;
    if (type && agree(*type, parameter.dtype, parameter.components)) return;
    const std::string wanted = scalar_type_for(parameter.dtype, parameter.components);
    input_error(fmt::format("{} is {}, but the kernel's parameter \"{}\" is {}. Use type {}.", data.label,
                            data.argument->type, parameter.name, parameter.type,
                            wanted.empty() ? parameter.dtype : wanted),
                data.pointer + "/type");
}

const compiler::Variable& variable_of(const ArgumentData& data, const std::vector<compiler::Variable>& variables) {
    const std::string& name = data.argument->name;
    const auto is_it = [&](const compiler::Variable& each) { return each.lowered == name || each.name == name; };
    if (const auto found = std::ranges::find_if(variables, is_it); found != variables.end()) return *found;
    // Without its namespaces, where that is clear.
    const auto ends_so = [&](const compiler::Variable& each) { return each.name.ends_with("::" + name); };
    const auto short_name = std::ranges::find_if(variables, ends_so);
    if (short_name != variables.end() && std::ranges::count_if(variables, ends_so) == 1) return *short_name;
    std::string list;
    for (const compiler::Variable& each : variables)
        list += (list.empty() ? "" : ", ") + each.name;
    input_error(
        list.empty()
            ? fmt::format("There is no variable \"{}\": the source has no __constant__ or __device__ variable.", name)
            : fmt::format("There is no variable \"{}\" in the source. It has: {}.", name, list),
        data.pointer + "/name");
}

void check_variable(const ArgumentData& data, const compiler::Variable& variable) {
    if (variable.constant && data.is_result())
        input_error(fmt::format("{} is __constant__: no kernel can change it. Make its direction in, or the variable "
                                "__device__.",
                                data.label),
                    data.pointer + "/direction");
    const bool is_array = data.is_array();
    if (data.bytes() > variable.size || (!is_array && data.bytes() != variable.size))
        input_error(
            fmt::format("{} has {} bytes, but the {} of it {} {}. Give it data of the variable's type and size.",
                        data.label, variable.size, is_array ? "data" : "value", is_array ? "have" : "has",
                        data.bytes()),
            data.pointer + (is_array ? "/source" : "/type"));
    if (variable.dtype.empty()) return;
    const auto type = scalar_type(data.argument->type);
    if (is_array ? agree(data.input.dtype(), data_type(variable.dtype)) : type && agree(*type, variable.dtype, 1))
        return;
    input_error(fmt::format("{} is {}, but what it is given is {}. Give it that type.", data.label, variable.dtype,
                            is_array ? data.input.dtype().name() : data.argument->type),
                data.pointer + (is_array ? "/source/dtype" : "/type"));
}

} // namespace

void fit_arguments(const Session& session, const CompiledSource& compiled, const RunHooks& hooks,
                   std::vector<ArgumentData>& all) {
    const auto is_variable = [](const ArgumentData& data) { return data.argument->variable && !data.is_texture(); };
    for (ArgumentData& data : all)
        if (is_variable(data)) data.lowered = variable_of(data, compiled.variables).lowered;
    find_references(all, compiled.references);
    resolve_structs(session, compiled, hooks, all);
    fit_textures(all);
    for (const ArgumentData& data : all)
        if (is_variable(data)) check_variable(data, variable_of(data, compiled.variables));
}

std::vector<const ArgumentData*> parameters_of(const std::vector<ArgumentData>& all) {
    std::vector<const ArgumentData*> arguments;
    for (const ArgumentData& data : all)
        if (!data.argument->variable) arguments.push_back(&data);
    return arguments;
}

void check_parameters(const CompiledKernel& compiled, const std::vector<const ArgumentData*>& arguments) {
    const auto& parameters = compiled.kernel.parameters;
    if (parameters.size() != arguments.size()) {
        std::string list;
        for (const auto& each : parameters)
            list += fmt::format("{}{} {}", list.empty() ? "" : ", ", each.type, each.name);
        input_error(fmt::format("The kernel {} takes {} argument{}, but there are {}. Its parameters: ({}).",
                                compiled.kernel.name, parameters.size(), parameters.size() == 1 ? "" : "s",
                                arguments.size(), list),
                    "/arguments");
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (!arguments[i]->is_array())
            check_scalar(*arguments[i], parameters[i]);
        else if (given_as(*arguments[i], &parameters[i]) == GivenAs::address)
            check_array(*arguments[i], parameters[i]);
    }
}

void check_extents(const LaunchConfiguration& launch, const driver::Device& device) {
    using attribute = driver::device_attribute;
    constexpr char axes[] = {'x', 'y', 'z'};
    constexpr attribute block_limits[] = {attribute::MAX_BLOCK_DIM_X, attribute::MAX_BLOCK_DIM_Y,
                                          attribute::MAX_BLOCK_DIM_Z};
    constexpr attribute grid_limits[] = {attribute::MAX_GRID_DIM_X, attribute::MAX_GRID_DIM_Y,
                                         attribute::MAX_GRID_DIM_Z};
    const auto check = [&](const std::vector<std::uint32_t>& extents, std::string_view name, const attribute* limits) {
        for (std::size_t i = 0; i < extents.size() && i < 3; ++i) {
            if (extents[i] == 0)
                input_error(
                    fmt::format("The {}'s {} is 0, so nothing would run. Every extent of grid and block must be "
                                "1 or more.",
                                name, axes[i]),
                    fmt::format("/launch/{}", name));
            const auto most = device.find_attribute(limits[i]);
            if (most && extents[i] > static_cast<std::uint32_t>(*most))
                device_error(fmt::format("The {}'s {} is {}, but {} allows {} at most. Choose a smaller {}.", name,
                                         axes[i], extents[i], device.name(), *most, name),
                             fmt::format("/launch/{}", name));
        }
    };
    check(launch.block, "block", block_limits);
    check(launch.grid, "grid", grid_limits);
    std::uint64_t threads = 1;
    for (const auto extent : launch.block)
        threads *= extent;
    const auto most = device.find_attribute(attribute::MAX_THREADS_PER_BLOCK);
    if (most && threads > static_cast<std::uint64_t>(*most))
        device_error(
            fmt::format("A block of {} threads is too large: {} allows {} at most. Choose a smaller block and a "
                        "larger grid.",
                        threads, device.name(), *most),
            "/launch/block");
}

void check_resources(const LaunchConfiguration& launch, const driver::Device& device,
                     const driver::Function& function) {
    using attribute = driver::device_attribute;
    std::uint64_t threads = 1;
    for (const auto extent : launch.block)
        threads *= extent;
    const int most_threads = function.max_threads_per_block();
    if (most_threads > 0 && threads > static_cast<std::uint64_t>(most_threads))
        device_error(fmt::format("A block of {} threads is too large for this kernel: it allows {} at most, because of "
                                 "its registers or its __launch_bounds__. Choose a smaller block.",
                                 threads, most_threads),
                     "/launch/block");
    const auto fixed = static_cast<std::uint64_t>(std::max(0, function.shared_size_bytes()));
    const auto plain = device.find_attribute(attribute::MAX_SHARED_MEMORY_PER_BLOCK);
    const auto optin = device.find_attribute(attribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    const auto most = static_cast<std::uint64_t>(std::max(plain.value_or(0), optin.value_or(0)));
    if (most && fixed + launch.shared > most)
        device_error(
            fmt::format("A block would need {} of shared memory ({} in the kernel, {} at the launch), but {} has "
                        "{} a block at most. Ask for less at the launch, or let the kernel work on smaller tiles.",
                        format_bytes(fixed + launch.shared), format_bytes(fixed), format_bytes(launch.shared),
                        device.name(), format_bytes(most)),
            "/launch/shared");
    // A kernel gets more than 48 KiB only if its attribute allows it.
    if (plain && fixed + launch.shared > static_cast<std::uint64_t>(*plain))
        function.set_attribute(driver::function_attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES,
                               static_cast<int>(launch.shared));
}

driver::LaunchConfig configuration_of(const LaunchConfiguration& launch) {
    const auto extent = [](const std::vector<std::uint32_t>& list, std::size_t i) {
        return i < list.size() ? list[i] : 1u;
    };
    driver::LaunchConfig config{
        .grid = {extent(launch.grid, 0), extent(launch.grid, 1), extent(launch.grid, 2)},
        .block = {extent(launch.block, 0), extent(launch.block, 1), extent(launch.block, 2)},
        .shared = launch.shared,
        .cooperative = launch.cooperative,
    };
    if (const auto& cluster = launch.options.cluster; !cluster.empty())
        config.cluster = {extent(cluster, 0), extent(cluster, 1), extent(cluster, 2)};
    return config;
}

namespace {

void check_cluster(const LaunchConfiguration& launch, const driver::Device& device, const driver::Function& function) {
    constexpr const char* pointer = "/launch/cluster";
    constexpr char axes[] = {'x', 'y', 'z'};
    const auto& cluster = launch.options.cluster;
    const auto [major, minor] = device.compute_capability();
    if (major < 9)
        device_error(fmt::format("Clusters need compute capability 9.0, but {} has {}.{}. Leave \"cluster\" out, or "
                                 "choose another device.",
                                 device.name(), major, minor),
                     pointer);
    std::uint64_t blocks = 1;
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        const std::uint32_t grid = i < launch.grid.size() ? launch.grid[i] : 1;
        if (grid % cluster[i] != 0)
            input_error(fmt::format("The grid's {} is {}, which is no multiple of the cluster's {}. A grid consists of "
                                    "whole clusters.",
                                    axes[i], grid, cluster[i]),
                        pointer);
        blocks *= cluster[i];
    }
    constexpr std::uint64_t portable = 8; // on every device that has clusters
    if (blocks > portable) function.set_attribute(driver::function_attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    auto config = configuration_of(launch);
    config.cluster = {0, 0, 0};
    const auto most = static_cast<std::uint64_t>(std::max(0, function.max_potential_cluster_size(config)));
    if (blocks > most)
        device_error(fmt::format("A cluster of {} blocks is too large: with this kernel and block, {} has clusters of "
                                 "{} at most.",
                                 blocks, device.name(), most),
                     pointer);
}

} // namespace

void apply_launch_options(const LaunchConfiguration& launch, const driver::Device& device,
                          const driver::Function& function) {
    const LaunchOptions& options = launch.options;
    if (!options.cluster.empty()) check_cluster(launch, device, function);
    if (options.priority != 0) {
        const auto range = driver::get_stream_priority_range();
        if (options.priority < range.greatest || options.priority > range.least)
            device_error(fmt::format("The priority is {}, but streams of {} have {} (first) to {} (last).",
                                     options.priority, device.name(), range.greatest, range.least),
                         "/launch/priority");
    }
    if (options.carveout)
        function.set_attribute(driver::function_attribute::PREFERRED_SHARED_MEMORY_CARVEOUT, *options.carveout);
    using driver::func_cache;
    if (options.cache == "shared") function.set_cache_config(func_cache::PREFER_SHARED);
    if (options.cache == "l1") function.set_cache_config(func_cache::PREFER_L1);
    if (options.cache == "equal") function.set_cache_config(func_cache::PREFER_EQUAL);
}

} // namespace warplight::session
