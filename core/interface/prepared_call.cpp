// SPDX-License-Identifier: Apache-2.0
// Prepared calls, whose types of arguments are fixed once, and the short way of calls in which there is nothing to
// convert, to copy or to explain.
#include "interface/launch.hpp"
#include "interface/state.hpp"
#include "warplight/function.hpp"
#include "warplight/stream.hpp"
#include "warplight/texture.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace warplight::driver {

namespace {

using detail::FunctionState;
using detail::PreparedArgument;
using detail::PreparedCall;

std::vector<PreparedArgument> parse_types(const std::string& arg_types) {
    std::vector<PreparedArgument> prepared;
    using Type = Argument::Type;
    for (std::size_t i = 0; i < arg_types.size(); ++i) {
        std::size_t count = 0;
        bool counted = false;
        for (; i < arg_types.size() && arg_types[i] >= '0' && arg_types[i] <= '9' && count < 65536; ++i, counted = true)
            count = count * 10 + static_cast<std::size_t>(arg_types[i] - '0');
        const char letter = i < arg_types.size() ? arg_types[i] : '\0';
        if (counted && letter != 's')
            throw_logic_error("only 's' takes a number in the argument types '" + arg_types + "'");
        switch (letter) {
        case 'P': prepared.push_back({Type::pointer, sizeof(device_ptr), false}); break;
        case 'b': prepared.push_back({Type::integer, 1, true}); break;
        case '?':
        case 'c':
        case 'B': prepared.push_back({Type::integer, 1, false}); break;
        case 'h': prepared.push_back({Type::integer, 2, true}); break;
        case 'H': prepared.push_back({Type::integer, 2, false}); break;
        case 'i': prepared.push_back({Type::integer, 4, true}); break;
        case 'I': prepared.push_back({Type::integer, 4, false}); break;
        case 'q': prepared.push_back({Type::integer, 8, true}); break;
        case 'Q': prepared.push_back({Type::integer, 8, false}); break;
        case 'l': prepared.push_back({Type::integer, sizeof(long), true}); break;
        case 'L': prepared.push_back({Type::integer, sizeof(long), false}); break;
        case 'n': prepared.push_back({Type::integer, sizeof(std::size_t), true}); break;
        case 'N': prepared.push_back({Type::integer, sizeof(std::size_t), false}); break;
        case 'e': prepared.push_back({Type::real, 2, true}); break;
        case 'f': prepared.push_back({Type::real, 4, true}); break;
        case 'd': prepared.push_back({Type::real, 8, true}); break;
        case 'F': prepared.push_back({Type::bytes, 8, false}); break;
        case 'D': prepared.push_back({Type::bytes, 16, false}); break;
        case 's': prepared.push_back({Type::bytes, counted ? count : 1, false}); break;
        default:
            throw_logic_error(std::string("'") + letter + "' is no argument type (in '" + arg_types + "')", {},
                              "The types are P b B h H i I q Q l L n N ? e f d F D and <number>s");
        }
    }
    return prepared;
}

bool fit(const std::vector<PreparedArgument>& arguments, const FunctionState& function) {
    const auto& parameters = function.parameters;
    return parameters && parameters->size() == arguments.size() &&
           std::equal(
               arguments.begin(), arguments.end(), parameters->begin(),
               [](const PreparedArgument& a, const ParameterInfo& p) { return detail::fits(a.type, a.size, p); });
}

/// Whether the arguments are what was prepared, with nothing to convert.
bool are_prepared(std::span<const Argument> arguments, const std::vector<PreparedArgument>& prepared) {
    return std::equal(
        arguments.begin(), arguments.end(), prepared.begin(), prepared.end(),
        [](const Argument& a, const PreparedArgument& p) { return a.type() == p.type && a.size() == p.size; });
}

std::vector<Argument> converted(const FunctionState& function, std::span<const Argument> arguments,
                                const std::vector<PreparedArgument>& prepared) {
    if (arguments.size() != prepared.size())
        throw_logic_error(std::to_string(prepared.size()) + " arguments are prepared, " +
                              std::to_string(arguments.size()) + " were given",
                          function.describe());
    std::vector<Argument> result;
    result.reserve(arguments.size());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto& [type, size, is_signed] = prepared[i];
        result.push_back(arguments[i].converted(type, size, is_signed));
        const Argument& now = result.back();
        if (now.size() != size || (type == Argument::Type::pointer) != (now.type() == Argument::Type::pointer))
            throw_logic_error("argument " + std::to_string(i) + " is " + arguments[i].describe() +
                                  ", which is not what was prepared",
                              function.describe());
    }
    return result;
}

constexpr bool empty(const auto& dim) { return dim.x == 0 || dim.y == 0 || dim.z == 0; }

struct PlainLaunch {
    Grid grid;
    Block block;
    unsigned shared;
    const Stream* stream;
};

/// Launches with arguments that match a signature. False, with nothing done, for more than a plain launch takes.
bool launch_views(const FunctionState& function, const PlainLaunch& launch,
                  std::span<const detail::ArgumentView> arguments) {
    std::array<void*, detail::Signature::most> pointers;
    const auto& [grid, block, shared, stream] = launch;
    if (empty(grid) || empty(block)) return false;
    for (std::size_t i = 0; i < arguments.size(); ++i)
        pointers[i] = const_cast<void*>(arguments[i].data);
    const auto submit = [&] {
        return WARPLIGHT_TRY(function.driver(), cuLaunchKernel, function.handle, grid.x, grid.y, grid.z, block.x,
                             block.y, block.z, shared, detail::handle_of(stream), pointers.data(), nullptr);
    };
    // Asking which context is current costs as much as all the rest here. A driver runs a launch in the kernel's
    // context or refuses it, whatever is current.
    const detail::ContextState& context = function.context();
    CUresult code = CUDA_ERROR_INVALID_CONTEXT;
    if (detail::top_of_stack == &context && context.valid.load(std::memory_order_acquire)) code = submit();
    if (code == CUDA_ERROR_INVALID_CONTEXT || code == CUDA_ERROR_INVALID_HANDLE) {
        const detail::Scope scope(context);
        code = submit();
    }
    if (code != CUDA_SUCCESS)
        detail::refuse_launch(function, {.grid = grid, .block = block, .shared = shared, .stream = stream},
                              "cuLaunchKernel", code);
    return true;
}

} // namespace

detail::Signature::Signature(std::span<const ParameterInfo> parameters) {
    if (parameters.size() > most) return;
    constexpr Argument::Type types[] = {Argument::Type::pointer, Argument::Type::integer, Argument::Type::real,
                                        Argument::Type::bytes};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const std::size_t size = parameters[i].size;
        if (size > UINT16_MAX) return;
        slots_[i] = {static_cast<std::uint16_t>(size), 0};
        for (const Argument::Type type : types)
            if (fits(type, size, parameters[i]))
                slots_[i].types = static_cast<std::uint16_t>(slots_[i].types | 1U << static_cast<int>(type));
    }
    count_ = parameters.size();
}

detail::Signature::Signature(std::span<const PreparedArgument> arguments) {
    if (arguments.size() > most) return;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].size > UINT16_MAX) return;
        slots_[i] = {static_cast<std::uint16_t>(arguments[i].size),
                     static_cast<std::uint16_t>(1U << static_cast<int>(arguments[i].type))};
    }
    count_ = arguments.size();
}

detail::FunctionState::FunctionState(std::shared_ptr<ModuleState> of, CUfunction function, std::string called,
                                     std::optional<std::vector<ParameterInfo>> known)
    : handle(function), its_context(of->context.get()), module(std::move(of)), name(std::move(called)),
      parameters(std::move(known)) {
    if (parameters) signature = Signature(*parameters);
}

const Function& Function::prepare(const std::string& arg_types,
                                  const std::vector<const TextureReference*>& texrefs) const {
    auto arguments = parse_types(arg_types);
    std::vector<std::shared_ptr<detail::TextureReferenceState>> references;
    for (const TextureReference* texref : texrefs)
        if (texref) references.push_back(texref->state());
    const bool direct = references.empty() && fit(arguments, *state_);
    const std::scoped_lock lock(state_->mutex);
    auto& all = state_->preparations;
    auto place = std::find_if(all.begin(), all.end(),
                              [&](const auto& one) { return one->format == arg_types && one->direct == direct; });
    if (place == all.end())
        place = all.insert(all.end(), std::make_unique<const PreparedCall>(
                                          PreparedCall{direct ? detail::Signature(arguments) : detail::Signature(),
                                                       arg_types, std::move(arguments), direct}));
    state_->prepared.store(place->get());
    state_->texrefs.swap(references);
    return *this;
}

std::string Function::arg_format() const {
    const PreparedCall* prepared = state_->prepared.load();
    return prepared ? prepared->format : std::string();
}

bool Function::launch_prepared(Grid grid, Block block, const Stream* stream,
                               std::span<const detail::ArgumentView> arguments) const {
    const PreparedCall* prepared = state_->prepared.load(std::memory_order_acquire);
    if (!prepared || !prepared->signature.matches(arguments)) return false;
    return launch_views(*state_, {grid, block, 0, stream}, arguments);
}

bool Function::launch_plain(const LaunchConfig& config, std::span<const detail::ArgumentView> arguments) const {
    if (!state_->signature.matches(arguments) || config.shared > 0xffffffffU || config.cooperative ||
        config.time_kernel || !config.texrefs.empty() || config.has_attributes())
        return false;
    return launch_views(*state_, {config.grid, config.block, static_cast<unsigned>(config.shared), config.stream},
                        arguments);
}

std::optional<double> Function::call_prepared(const LaunchConfig& config, std::span<const Argument> arguments) const {
    const PreparedCall* prepared = state_->prepared.load();
    if (!prepared) throw_logic_error("the kernel is not prepared", state_->describe(), "Call prepare() first");
    std::vector<std::shared_ptr<detail::TextureReferenceState>> texrefs;
    {
        const std::scoped_lock lock(state_->mutex);
        texrefs = state_->texrefs;
    }
    for (auto& texref : texrefs)
        param_set_texref(TextureReference(std::move(texref)));
    return are_prepared(arguments, prepared->arguments)
               ? call(config, arguments)
               : call(config, converted(*state_, arguments, prepared->arguments));
}

} // namespace warplight::driver
