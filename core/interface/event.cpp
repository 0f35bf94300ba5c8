// SPDX-License-Identifier: Apache-2.0
#include "warplight/event.hpp"

#include "interface/state.hpp"
#include "warplight/enums.hpp"
#include "warplight/stream.hpp"

#include <cstring>
#include <memory>

namespace warplight::driver {

namespace detail {

EventState::~EventState() {
    if (!handle) return;
    clean_up(
        *context, "cuEventDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuEventDestroy, handle); });
}

std::string EventState::describe() const { return "event " + std::to_string(number) + " of " + context->describe(); }

} // namespace detail

Event::Event(unsigned flags) : state_(std::make_shared<detail::EventState>()) {
    auto context = detail::current_context();
    const detail::Scope scope(*context);
    CUevent handle = nullptr;
    WARPLIGHT_CALL(*context->driver, cuEventCreate, "new event of " + context->describe(), &handle, flags);
    state_->number = ++context->events;
    state_->handle = handle;
    state_->context = std::move(context);
}

detail::EventState& Event::state() const {
    if (!state_) throw_logic_error("this event has been moved from");
    return *state_;
}

CUevent Event::handle() const noexcept { return state_ ? state_->handle : nullptr; }

Event& Event::record(const Stream* stream) {
    const auto& event = state();
    const detail::Scope scope(*event.context);
    WARPLIGHT_CALL(*event.context->driver, cuEventRecord, event.describe(), event.handle, detail::handle_of(stream));
    return *this;
}

Event& Event::record_with_flags(const Stream* stream, unsigned flags) {
    const auto& event = state();
    const detail::Scope scope(*event.context);
    WARPLIGHT_CALL(*event.context->driver, cuEventRecordWithFlags, event.describe(), event.handle,
                   detail::handle_of(stream), flags);
    return *this;
}

const Event& Event::synchronize() const {
    const auto& event = state();
    const detail::Scope scope(*event.context);
    WARPLIGHT_CALL(*event.context->driver, cuEventSynchronize, event.describe(), event.handle);
    return *this;
}

bool Event::query() const {
    const auto& event = state();
    const detail::Scope scope(*event.context);
    const CUresult code = WARPLIGHT_TRY(*event.context->driver, cuEventQuery, event.handle);
    if (code == CUDA_ERROR_NOT_READY) return false;
    if (code != CUDA_SUCCESS) detail::throw_failure(*event.context->driver, "cuEventQuery", code, event.describe());
    return true;
}

float Event::time_since(const Event& earlier) const {
    const auto &end = state(), &start = earlier.state();
    const detail::Scope scope(*end.context);
    const detail::DriverState& driver = *end.context->driver;
    float milliseconds = 0;
    const std::string entity = start.describe() + " to " + end.describe();
    if (driver.functions.fn_cuEventElapsedTime_v2)
        WARPLIGHT_CALL(driver, cuEventElapsedTime_v2, entity, &milliseconds, start.handle, end.handle);
    else
        WARPLIGHT_CALL(driver, cuEventElapsedTime, entity, &milliseconds, start.handle, end.handle);
    return milliseconds;
}

Event::IpcHandle Event::ipc_handle() const {
    const auto& event = state();
    const detail::Scope scope(*event.context);
    CUipcEventHandle handle{};
    WARPLIGHT_CALL(*event.context->driver, cuIpcGetEventHandle, event.describe(), &handle, event.handle);
    IpcHandle bytes;
    static_assert(sizeof handle == sizeof bytes);
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
}

Event Event::from_ipc_handle(const IpcHandle& bytes) {
    auto context = detail::current_context();
    const detail::Scope scope(*context);
    CUipcEventHandle handle;
    std::memcpy(&handle, bytes.data(), sizeof handle);
    CUevent event = nullptr;
    WARPLIGHT_CALL(*context->driver, cuIpcOpenEventHandle, "event of another process in " + context->describe(), &event,
                   handle);
    auto state = std::make_shared<detail::EventState>();
    state->number = ++context->events;
    state->handle = event;
    state->context = std::move(context);
    return Event(std::move(state));
}

} // namespace warplight::driver
