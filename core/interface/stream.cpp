// SPDX-License-Identifier: Apache-2.0
#include "warplight/stream.hpp"

#include "interface/state.hpp"
#include "warplight/context.hpp"
#include "warplight/event.hpp"

#include <algorithm>
#include <memory>

namespace warplight::driver {

namespace detail {

StreamState::~StreamState() {
    if (!owned || !handle) return;
    clean_up(
        *context, "cuStreamDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuStreamDestroy, handle); });
}

std::string StreamState::describe() const {
    return (number ? "stream " + std::to_string(number) : "another owner's stream") + " of " + context->describe();
}

CUstream handle_of(const Stream* stream) { return stream ? stream->state().handle : nullptr; }

} // namespace detail

Stream::Stream(unsigned flags, int priority) : state_(std::make_shared<detail::StreamState>()) {
    auto context = detail::current_context();
    const detail::Scope scope(*context);
    const detail::DriverState& driver = *context->driver;
    CUstream handle = nullptr;
    const std::string entity = "new stream of " + context->describe();
    if (priority != 0) {
        int least = 0, greatest = 0;
        WARPLIGHT_CALL(driver, cuCtxGetStreamPriorityRange, entity, &least, &greatest);
        WARPLIGHT_CALL(driver, cuStreamCreateWithPriority, entity, &handle, flags,
                       std::clamp(priority, greatest, least));
    } else {
        WARPLIGHT_CALL(driver, cuStreamCreate, entity, &handle, flags);
    }
    state_->number = ++context->streams;
    state_->handle = handle;
    state_->context = std::move(context);
}

Stream Stream::from_native(CUstream handle) {
    auto state = std::make_shared<detail::StreamState>();
    state->owned = false;
    state->context = detail::current_context();
    state->handle = handle;
    return Stream(std::move(state));
}

detail::StreamState& Stream::state() const {
    if (!state_) throw_logic_error("this stream has been moved from");
    return *state_;
}

CUstream Stream::handle() const noexcept { return state_ ? state_->handle : nullptr; }
std::string Stream::describe() const { return state().describe(); }

void Stream::synchronize() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamSynchronize, stream.describe(), stream.handle);
}

bool Stream::is_done() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    const CUresult code = WARPLIGHT_TRY(*stream.context->driver, cuStreamQuery, stream.handle);
    if (code == CUDA_ERROR_NOT_READY) return false;
    if (code != CUDA_SUCCESS) detail::throw_failure(*stream.context->driver, "cuStreamQuery", code, stream.describe());
    return true;
}

void Stream::wait_for_event(const Event& event, unsigned flags) const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    WARPLIGHT_CALL(*stream.context->driver, cuStreamWaitEvent, stream.describe(), stream.handle, event.state().handle,
                   flags);
}

StreamPriorityRange get_stream_priority_range() {
    const auto context = detail::current_context();
    const detail::Scope scope(*context);
    StreamPriorityRange range;
    WARPLIGHT_CALL(*context->driver, cuCtxGetStreamPriorityRange, context->describe(), &range.least, &range.greatest);
    return range;
}

int Stream::get_priority() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    int priority = 0;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamGetPriority, stream.describe(), stream.handle, &priority);
    return priority;
}

unsigned Stream::get_flags() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    unsigned flags = 0;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamGetFlags, stream.describe(), stream.handle, &flags);
    return flags;
}

std::uint64_t Stream::get_id() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    unsigned long long id = 0;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamGetId, stream.describe(), stream.handle, &id);
    return id;
}

ContextRef Stream::get_context() const {
    const auto& stream = state();
    const detail::Scope scope(*stream.context);
    CUcontext handle = nullptr;
    WARPLIGHT_CALL(*stream.context->driver, cuStreamGetCtx, stream.describe(), stream.handle, &handle);
    if (handle != stream.context->handle) throw_logic_error("the stream belongs to another context", stream.describe());
    return ContextRef(stream.context);
}

} // namespace warplight::driver
