// SPDX-License-Identifier: Apache-2.0
#include "warplight/module.hpp"

#include "interface/jit_options.hpp"
#include "interface/state.hpp"
#include "warplight/file_io.hpp"
#include "warplight/function.hpp"

#include <memory>

namespace warplight::driver {

namespace detail {

ModuleState::~ModuleState() {
    if (!handle || library) return;
    clean_up(
        *context, "cuModuleUnload", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuModuleUnload, handle); });
}

namespace {

/// Parameters as the driver lays them out; empty where it cannot tell (before CUDA 12.4).
std::optional<std::vector<ParameterInfo>> ask_parameters(const DriverState& driver, CUfunction function) {
    const auto get = driver.functions.fn_cuFuncGetParamInfo;
    if (!get) return std::nullopt;
    std::vector<ParameterInfo> parameters;
    for (;;) {
        ParameterInfo parameter;
        const CUresult code = get(function, parameters.size(), &parameter.offset, &parameter.size);
        if (code == CUDA_ERROR_INVALID_VALUE) return parameters; // past the last one
        if (code != CUDA_SUCCESS || parameters.size() > 4096) return std::nullopt;
        parameters.push_back(parameter);
    }
}

/// The driver knows offsets and sizes for sure, the PTX knows types and names.
std::optional<std::vector<ParameterInfo>> find_parameters(const ModuleState& module, const std::string& name,
                                                          CUfunction function) {
    auto asked = ask_parameters(*module.context->driver, function);
    const auto scanned = module.signatures.find(name);
    if (scanned == module.signatures.end()) return asked;
    if (!asked) return scanned->second;
    if (asked->size() == scanned->second.size())
        for (std::size_t i = 0; i < asked->size(); ++i)
            if ((*asked)[i].size == scanned->second[i].size) {
                (*asked)[i].type = scanned->second[i].type;
                (*asked)[i].name = scanned->second[i].name;
                (*asked)[i].declared = scanned->second[i].declared;
            }
    return asked;
}

Module load(std::string image, const JitOptions& options, const MessageHandler& message_handler) {
    auto context = current_context();
    const Scope scope(*context);
    image.push_back('\0'); // PTX must end with a zero; it does no harm to the binary formats
    JitOptionList list(options);
    CUmodule handle = nullptr;
    const CUresult code = WARPLIGHT_TRY(*context->driver, cuModuleLoadDataEx, &handle, image.data(), list.count(),
                                        list.names(), list.values());
    auto state = std::make_shared<ModuleState>();
    state->context = context;
    if (code == CUDA_SUCCESS) state->handle = handle; // unloaded when the handler throws
    state->info_log = list.info_log();
    if (message_handler) message_handler(code == CUDA_SUCCESS, state->info_log, list.error_log());
    if (code != CUDA_SUCCESS)
        throw_failure(*context->driver, "cuModuleLoadDataEx", code, "new " + state->describe(), list.error_log());
    state->signatures = signatures_of_image({image.data(), image.size() - 1});
    return Module(std::move(state));
}

} // namespace
} // namespace detail

Module module_from_file(const FilePath& filename) { return detail::load(read_text_file(filename), {}, {}); }

Module module_from_buffer(std::span<const std::byte> buffer, const JitOptions& options,
                          const MessageHandler& message_handler) {
    return detail::load({reinterpret_cast<const char*>(buffer.data()), buffer.size()}, options, message_handler);
}

Module module_from_buffer(std::string_view text, const JitOptions& options, const MessageHandler& message_handler) {
    return detail::load(std::string(text), options, message_handler);
}

namespace {
detail::ModuleState& checked(const Shared<detail::ModuleState>& state) {
    if (!state) throw_logic_error("this module has been moved from");
    return *state;
}
} // namespace

CUmodule Module::handle() const noexcept { return state_ ? state_->handle : nullptr; }
const std::string& Module::info_log() const noexcept {
    static const std::string empty;
    return state_ ? state_->info_log : empty;
}

Function Module::get_function(const std::string& name) const {
    detail::ModuleState& module = checked(state_);
    const std::scoped_lock lock(module.mutex);
    auto& known = module.functions[name];
    if (auto function = known.lock()) return Function(std::move(function));
    const detail::Scope scope(*module.context);
    const detail::DriverState& driver = *module.context->driver;
    CUfunction handle = nullptr;
    const CUresult code = WARPLIGHT_TRY(driver, cuModuleGetFunction, &handle, module.handle, name.c_str());
    if (code != CUDA_SUCCESS) {
        std::string there;
        if (code == CUDA_ERROR_NOT_FOUND)
            for (const std::string& other : functions())
                there += (there.empty() ? "" : ", ") + other;
        detail::throw_failure(driver, "cuModuleGetFunction", code, "kernel '" + name + "' of " + module.describe(),
                              there.empty() ? there : "the module has " + there);
    }
    auto function =
        std::make_shared<detail::FunctionState>(state_, handle, name, detail::find_parameters(module, name, handle));
    known = function;
    return Function(std::move(function));
}

Global Module::get_global(const std::string& name) const {
    const detail::ModuleState& module = checked(state_);
    const detail::Scope scope(*module.context);
    Global global;
    WARPLIGHT_CALL(*module.context->driver, cuModuleGetGlobal, "variable '" + name + "' of " + module.describe(),
                   &global.pointer, &global.size, module.handle, name.c_str());
    return global;
}

std::vector<std::string> Module::functions() const {
    const detail::ModuleState& module = checked(state_);
    std::vector<std::string> names;
    const auto& table = module.context->driver->functions;
    if (table.fn_cuModuleGetFunctionCount && table.fn_cuModuleEnumerateFunctions && table.fn_cuFuncGetName) {
        const detail::Scope scope(*module.context);
        const detail::DriverState& driver = *module.context->driver;
        unsigned count = 0;
        WARPLIGHT_CALL(driver, cuModuleGetFunctionCount, module.describe(), &count, module.handle);
        std::vector<CUfunction> handles(count);
        if (count)
            WARPLIGHT_CALL(driver, cuModuleEnumerateFunctions, module.describe(), handles.data(), count, module.handle);
        for (const CUfunction handle : handles) {
            const char* name = nullptr;
            WARPLIGHT_CALL(driver, cuFuncGetName, module.describe(), &name, handle);
            if (name) names.emplace_back(name);
        }
        return names;
    }
    for (const auto& entry : module.signatures)
        names.push_back(entry.first);
    return names;
}

} // namespace warplight::driver
