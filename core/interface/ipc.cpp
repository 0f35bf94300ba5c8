// SPDX-License-Identifier: Apache-2.0
#include "warplight/ipc.hpp"

#include "interface/state.hpp"

#include <cstring>
#include <memory>

namespace warplight::driver {

IPCMemoryHandle::Bytes mem_get_ipc_handle(DevicePointer pointer) {
    const auto context = detail::context_for(nullptr, &pointer);
    const detail::Scope scope(*context);
    CUipcMemHandle handle{};
    WARPLIGHT_CALL(*context->driver, cuIpcGetMemHandle, context->describe(), &handle, pointer.get());
    IPCMemoryHandle::Bytes bytes;
    static_assert(sizeof handle == sizeof bytes);
    std::memcpy(bytes.data(), &handle, sizeof handle);
    return bytes;
}

IPCMemoryHandle::IPCMemoryHandle(const Bytes& bytes, unsigned flags) {
    auto state = std::make_shared<detail::AllocationState>();
    state->context = detail::current_context();
    state->imported = true;
    const detail::Scope scope(*state->context);
    const detail::DriverState& driver = *state->context->driver;
    CUipcMemHandle handle;
    std::memcpy(&handle, bytes.data(), sizeof handle);
    WARPLIGHT_CALL(driver, cuIpcOpenMemHandle, "memory of another process in " + state->context->describe(),
                   &state->address, handle, flags);
    device_ptr base = 0;
    std::size_t size = 0;
    WARPLIGHT_CALL(driver, cuMemGetAddressRange, state->context->describe(), &base, &size, state->address);
    state->size = size - static_cast<std::size_t>(state->address - base);
    state_ = std::move(state);
}

void IPCMemoryHandle::close() {
    if (!state_) throw_logic_error("there is no memory of another process to close");
    if (!state_->live.exchange(false))
        throw_logic_error("the memory of another process has been closed already", state_->describe());
    if (!state_->context->valid.load()) return; // closed with its context
    const detail::Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuIpcCloseMemHandle, state_->describe(), state_->address);
}

device_ptr IPCMemoryHandle::get() const noexcept { return state_ && state_->live.load() ? state_->address : 0; }
std::size_t IPCMemoryHandle::size() const noexcept { return state_ && state_->live.load() ? state_->size : 0; }
IPCMemoryHandle::operator DevicePointer() const { return {DeviceAllocation(state_)}; }

} // namespace warplight::driver
