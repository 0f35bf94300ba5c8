// SPDX-License-Identifier: Apache-2.0
#include "warplight/function.hpp"

#include "interface/state.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"
#include "warplight/stream.hpp"

#include <algorithm>
#include <memory>

namespace warplight::driver {

CUfunction Function::handle() const noexcept { return state_->handle; }
const std::string& Function::name() const noexcept { return state_->name; }

int Function::get_attribute(function_attribute attribute) const {
    const detail::Scope scope(state_->context());
    int value = 0;
    WARPLIGHT_CALL(state_->driver(), cuFuncGetAttribute, state_->describe() + ", attribute " + to_string(attribute),
                   &value, static_cast<CUfunction_attribute>(attribute), state_->handle);
    return value;
}

void Function::set_attribute(function_attribute attribute, int value) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuFuncSetAttribute,
                   state_->describe() + ", attribute " + to_string(attribute) + " to " + std::to_string(value),
                   state_->handle, static_cast<CUfunction_attribute>(attribute), value);
}

std::vector<std::pair<function_attribute, int>> Function::get_attributes() const {
    const detail::Scope scope(state_->context());
    std::vector<std::pair<function_attribute, int>> attributes;
    for (const function_attribute attribute : all_function_attributes()) {
        int value = 0;
        const CUresult code = WARPLIGHT_TRY(state_->driver(), cuFuncGetAttribute, &value,
                                            static_cast<CUfunction_attribute>(attribute), state_->handle);
        if (code == CUDA_SUCCESS)
            attributes.emplace_back(attribute, value);
        else if (code != CUDA_ERROR_INVALID_VALUE && code != CUDA_ERROR_NOT_SUPPORTED)
            detail::throw_failure(state_->driver(), "cuFuncGetAttribute", code, state_->describe());
    }
    return attributes;
}

void Function::set_cache_config(func_cache config) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuFuncSetCacheConfig, state_->describe(), state_->handle,
                   static_cast<CUfunc_cache>(config));
}

void Function::set_shared_config(shared_config config) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuFuncSetSharedMemConfig, state_->describe(), state_->handle,
                   static_cast<CUsharedconfig>(config));
}

void Function::load() const {
    const detail::Scope scope(state_->context());
    if (!state_->driver().functions.fn_cuFuncLoad) return;
    WARPLIGHT_CALL(state_->driver(), cuFuncLoad, state_->describe(), state_->handle);
}

std::optional<std::vector<ParameterInfo>> Function::parameters() const {
    const std::vector<ParameterInfo>* known = state_->known_parameters();
    return known ? std::optional(*known) : std::nullopt;
}

namespace {

void describe(detail::FunctionState& state, detail::KernelDescription description) {
    const std::scoped_lock lock(state.mutex);
    const auto same = [](const ParameterInfo& a, const ParameterInfo& b) {
        return a.name == b.name && a.declared == b.declared && a.is_signed == b.is_signed;
    };
    const detail::KernelDescription* told = state.described.load();
    if (told && told->kernel == description.kernel &&
        std::equal(told->parameters.begin(), told->parameters.end(), description.parameters.begin(),
                   description.parameters.end(), same))
        return;
    state.descriptions.push_back(std::make_unique<const detail::KernelDescription>(std::move(description)));
    state.described.store(state.descriptions.back().get(), std::memory_order_release);
}

} // namespace

void Function::set_parameter_names(const std::vector<std::string>& names) const {
    const std::vector<ParameterInfo>* known = state_->known_parameters();
    if (!known || known->size() != names.size()) return;
    const detail::KernelDescription* told = state_->described.load();
    detail::KernelDescription description{told ? told->kernel : "", *known};
    for (std::size_t i = 0; i < names.size(); ++i)
        description.parameters[i].name = names[i];
    describe(*state_, std::move(description));
}

void Function::describe_source(const std::string& kernel, const std::vector<ParameterInfo>& parameters) const {
    const std::vector<ParameterInfo>* known = state_->known_parameters();
    if (!known || known->size() != parameters.size()) return;
    detail::KernelDescription description{kernel, *known};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        description.parameters[i].name = parameters[i].name;
        description.parameters[i].declared = parameters[i].declared;
        description.parameters[i].is_signed = parameters[i].is_signed;
    }
    describe(*state_, std::move(description));
}

struct TimedCall::State {
    Event start, end;
    std::optional<Function> function; // keeps what is timed loaded
};

double TimedCall::operator()() const {
    state_->end.synchronize();
    return static_cast<double>(state_->end.time_since(state_->start)) * 1e-3;
}

TimedCall Function::call_prepared_timed(const LaunchConfig& config, std::span<const Argument> arguments) const {
    // The events belong to the kernel's context, whatever is current.
    const ContextScope scope{ContextRef(state_->module->context)};
    auto state = std::make_shared<TimedCall::State>(TimedCall::State{Event(), Event(), *this});
    state->start.record(config.stream);
    call_prepared(config, arguments);
    state->end.record(config.stream);
    TimedCall call;
    call.state_ = std::move(state);
    return call;
}

} // namespace warplight::driver
