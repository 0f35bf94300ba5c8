// SPDX-License-Identifier: Apache-2.0
// The launch functions before CUDA 4, which keep the arguments with the kernel.
#include "interface/launch.hpp"
#include "interface/native_arguments.hpp"
#include "warplight/stream.hpp"

#include <limits>

namespace warplight::driver {

namespace {

unsigned checked_size(std::size_t bytes, const detail::FunctionState& function) {
    if (bytes > std::numeric_limits<unsigned>::max())
        throw_logic_error(std::to_string(bytes) + " bytes are too many", function.describe());
    return static_cast<unsigned>(bytes);
}

} // namespace

void Function::set_block_shape(int x, int y, int z) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuFuncSetBlockShape,
                   state_->describe() + ", block " + std::to_string(x) + "x" + std::to_string(y) + "x" +
                       std::to_string(z),
                   state_->handle, x, y, z);
}

void Function::set_shared_size(std::size_t bytes) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuFuncSetSharedSize, state_->describe(), state_->handle,
                   checked_size(bytes, *state_));
}

void Function::param_set_arguments(std::span<const Argument> arguments) const {
    std::vector<Argument> place;
    const std::span<const Argument> used = detail::fit_arguments(*state_, arguments, place);
    for (const Argument& argument : used)
        if (argument.handler())
            throw_logic_error("param_set() takes device memory, not In, Out or InOut", state_->describe(),
                              "Call the kernel with operator()");
    std::vector<std::byte> buffer = detail::pack_arguments(used);
    param_setv(0, {buffer.data(), buffer.size()});
    param_set_size(buffer.size());
}

void Function::launch_kernel(Grid grid, Block block, ConstBuffer arg_buf, std::size_t shared,
                             const Stream* stream) const {
    const detail::Scope scope(state_->context());
    std::size_t size = arg_buf.size;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, const_cast<void*>(arg_buf.data), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &size, CU_LAUNCH_PARAM_END};
    WARPLIGHT_CALL(state_->driver(), cuLaunchKernel, state_->describe(), state_->handle, grid.x, grid.y, grid.z,
                   block.x, block.y, block.z, checked_size(shared, *state_), detail::handle_of(stream), nullptr, extra);
}

void Function::param_set_size(std::size_t bytes) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuParamSetSize, state_->describe(), state_->handle, checked_size(bytes, *state_));
}

void Function::param_seti(int offset, unsigned value) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuParamSeti, state_->describe(), state_->handle, offset, value);
}

void Function::param_setf(int offset, float value) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuParamSetf, state_->describe(), state_->handle, offset, value);
}

void Function::param_setv(int offset, ConstBuffer buffer) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuParamSetv, state_->describe(), state_->handle, offset,
                   const_cast<void*>(static_cast<const void*>(buffer.data)), checked_size(buffer.size, *state_));
}

void Function::launch() const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuLaunch, state_->describe(), state_->handle);
}

void Function::launch_grid(int grid_width, int grid_height) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuLaunchGrid, state_->describe(), state_->handle, grid_width, grid_height);
}

void Function::launch_grid_async(int grid_width, int grid_height, const Stream& stream) const {
    const detail::Scope scope(state_->context());
    WARPLIGHT_CALL(state_->driver(), cuLaunchGridAsync, state_->describe(), state_->handle, grid_width, grid_height,
                   stream.handle());
}

} // namespace warplight::driver
