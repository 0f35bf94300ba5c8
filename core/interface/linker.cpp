// SPDX-License-Identifier: Apache-2.0
#include "warplight/linker.hpp"

#include "interface/jit_options.hpp"
#include "interface/state.hpp"

#include <map>
#include <memory>
#include <utility>

namespace warplight::driver {

namespace detail {

struct LinkerState {
    LinkerState(ContextPointer owner, MessageHandler handler, const JitOptions& options, bool log_verbose)
        : context(std::move(owner)), message_handler(std::move(handler)), list(options, log_verbose) {}
    ~LinkerState() {
        if (!handle) return;
        clean_up(
            *context, "cuLinkDestroy", [this] { return describe(); },
            [this] { return WARPLIGHT_TRY(*context->driver, cuLinkDestroy, handle); });
    }
    std::string describe() const { return "linker of " + context->describe(); }

    ContextPointer context;
    MessageHandler message_handler;
    JitOptionList list; ///< the driver writes its logs there until the linker is destroyed
    CUlinkState handle = nullptr;
    std::map<std::string, std::vector<ParameterInfo>> signatures;
};

} // namespace detail

namespace {

detail::LinkerState& checked(const Shared<detail::LinkerState>& state) {
    if (!state) throw_logic_error("this linker has linked already, or has been moved from");
    return *state;
}

void add(detail::LinkerState& linker, std::string data, jit_input_type type, const std::string& name) {
    if (type == jit_input_type::PTX) {
        linker.signatures.merge(detail::signatures_of_image(data));
        data.push_back('\0');
    }
    const detail::Scope scope(*linker.context);
    const CUresult code =
        WARPLIGHT_TRY(*linker.context->driver, cuLinkAddData, linker.handle, static_cast<CUjitInputType>(type),
                      data.data(), data.size(), name.c_str(), 0, nullptr, nullptr);
    if (code != CUDA_SUCCESS)
        detail::throw_failure(*linker.context->driver, "cuLinkAddData", code,
                              to_string(type) + " '" + name + "' for a " + linker.describe(), linker.list.error_log());
}

} // namespace

Linker::Linker(MessageHandler message_handler, const JitOptions& options, bool log_verbose)
    : state_(std::make_shared<detail::LinkerState>(detail::current_context(), std::move(message_handler), options,
                                                   log_verbose)) {
    const detail::Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuLinkCreate, "new " + state_->describe(), state_->list.count(),
                   state_->list.names(), state_->list.values(), &state_->handle);
}

void Linker::add_data(std::span<const std::byte> data, jit_input_type type, const std::string& name) {
    add(checked(state_), {reinterpret_cast<const char*>(data.data()), data.size()}, type, name);
}

void Linker::add_data(std::string_view text, jit_input_type type, const std::string& name) {
    add(checked(state_), std::string(text), type, name);
}

void Linker::add_file(const FilePath& filename, jit_input_type type) {
    detail::LinkerState& linker = checked(state_);
    const detail::Scope scope(*linker.context);
    const CUresult code =
        WARPLIGHT_TRY(*linker.context->driver, cuLinkAddFile, linker.handle, static_cast<CUjitInputType>(type),
                      filename.string().c_str(), 0, nullptr, nullptr);
    if (code != CUDA_SUCCESS)
        detail::throw_failure(*linker.context->driver, "cuLinkAddFile", code,
                              to_string(type) + " file " + filename.string() + " for a " + linker.describe(),
                              linker.list.error_log());
}

Module Linker::link_module() {
    checked(state_);
    // Destroyed at the end, whatever happens: what cuLinkComplete gives out lives as long as the linker.
    const std::shared_ptr<detail::LinkerState> linker = std::move(state_);
    const detail::DriverState& driver = *linker->context->driver;
    const detail::Scope scope(*linker->context);
    void* image = nullptr;
    std::size_t size = 0;
    auto module = std::make_shared<detail::ModuleState>();
    module->context = linker->context;
    const char* routine = "cuLinkComplete";
    CUresult code = WARPLIGHT_TRY(driver, cuLinkComplete, linker->handle, &image, &size);
    if (code == CUDA_SUCCESS) {
        routine = "cuModuleLoadData";
        code = WARPLIGHT_TRY(driver, cuModuleLoadData, &module->handle, image);
        if (code != CUDA_SUCCESS) module->handle = nullptr;
    }
    module->info_log = linker->list.info_log();
    module->signatures = std::move(linker->signatures);
    const std::string error_log = linker->list.error_log();
    if (linker->message_handler) linker->message_handler(code == CUDA_SUCCESS, module->info_log, error_log);
    if (code != CUDA_SUCCESS) detail::throw_failure(driver, routine, code, linker->describe(), error_log);
    return Module(std::move(module));
}

} // namespace warplight::driver
