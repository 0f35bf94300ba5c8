// SPDX-License-Identifier: Apache-2.0
#include "warplight/array.hpp"

#include "interface/state.hpp"

#include <algorithm>
#include <bit>
#include <memory>

namespace warplight::driver {

namespace detail {

ArrayState::~ArrayState() {
    if (!owned || !live.exchange(false) || !handle) return;
    clean_up(
        *context, "cuArrayDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuArrayDestroy, handle); });
}

MipmappedArrayState::~MipmappedArrayState() {
    if (!live.exchange(false) || !handle) return;
    clean_up(
        *context, "cuMipmappedArrayDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuMipmappedArrayDestroy, handle); });
}

} // namespace detail

namespace {

using detail::Scope;

CUDA_ARRAY3D_DESCRIPTOR native(const ArrayDescriptor3D& d) {
    CUDA_ARRAY3D_DESCRIPTOR result{};
    result.Width = d.width;
    result.Height = d.height;
    result.Depth = d.depth;
    result.Format = static_cast<CUarray_format>(d.format);
    result.NumChannels = d.num_channels;
    result.Flags = d.flags;
    return result;
}

std::string extents(const char* what, const ArrayDescriptor3D& d, const detail::ContextState& context) {
    return std::string(what) + " of " + std::to_string(d.width) + " x " + std::to_string(d.height) + " x " +
           std::to_string(d.depth) + " elements of " + std::to_string(d.num_channels) + " channels in " +
           context.describe();
}

} // namespace

Array::Array(const ArrayDescriptor& descriptor) : state_(std::make_shared<detail::ArrayState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    const CUDA_ARRAY_DESCRIPTOR native{descriptor.width, descriptor.height,
                                       static_cast<CUarray_format>(descriptor.format), descriptor.num_channels};
    CUarray handle = nullptr;
    WARPLIGHT_CALL(
        *context->driver, cuArrayCreate,
        extents("array",
                {.width = descriptor.width, .height = descriptor.height, .num_channels = descriptor.num_channels},
                *context),
        &handle, &native);
    state_->handle = handle;
    state_->context = std::move(context);
}

Array::Array(const ArrayDescriptor3D& descriptor) : state_(std::make_shared<detail::ArrayState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    const CUDA_ARRAY3D_DESCRIPTOR asked = native(descriptor);
    CUarray handle = nullptr;
    WARPLIGHT_CALL(*context->driver, cuArray3DCreate, extents("array", descriptor, *context), &handle, &asked);
    state_->handle = handle;
    state_->context = std::move(context);
}

Array Array::from_native(CUarray handle) {
    auto state = std::make_shared<detail::ArrayState>();
    state->owned = false;
    state->context = detail::current_context();
    state->handle = handle;
    return Array(std::move(state));
}

const Shared<detail::ArrayState>& Array::state() const {
    if (!state_) throw_logic_error("this array has been moved from");
    if (!state_->live.load()) throw_logic_error("the array has been freed", state_->describe());
    return state_;
}

void Array::free() {
    if (!state_) throw_logic_error("this array has been moved from");
    if (!state_->live.exchange(false)) return;
    if (!state_->owned || !state_->context->valid.load()) return; // freed with its context
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuArrayDestroy, state_->describe(), state_->handle);
}

ArrayDescriptor Array::get_descriptor() const {
    const auto& array = *state();
    const Scope scope(*array.context);
    CUDA_ARRAY_DESCRIPTOR d{};
    WARPLIGHT_CALL(*array.context->driver, cuArrayGetDescriptor, array.describe(), &d, array.handle);
    return {d.Width, d.Height, static_cast<array_format>(d.Format), d.NumChannels};
}

ArrayDescriptor3D Array::get_descriptor_3d() const {
    const auto& array = *state();
    const Scope scope(*array.context);
    CUDA_ARRAY3D_DESCRIPTOR d{};
    WARPLIGHT_CALL(*array.context->driver, cuArray3DGetDescriptor, array.describe(), &d, array.handle);
    return {d.Width, d.Height, d.Depth, static_cast<array_format>(d.Format), d.NumChannels, d.Flags};
}

CUarray Array::handle() const noexcept { return state_ && state_->live.load() ? state_->handle : nullptr; }
std::string Array::describe() const { return state_ ? state_->describe() : "no array"; }

MipmappedArray::MipmappedArray(const ArrayDescriptor3D& descriptor, unsigned levels)
    : state_(std::make_shared<detail::MipmappedArrayState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    const CUDA_ARRAY3D_DESCRIPTOR asked = native(descriptor);
    const bool layers = (descriptor.flags & (array3d_flags::LAYERED | array3d_flags::CUBEMAP)) != 0;
    const std::size_t largest = std::max({descriptor.width, descriptor.height, layers ? 1 : descriptor.depth});
    CUmipmappedArray handle = nullptr;
    WARPLIGHT_CALL(*context->driver, cuMipmappedArrayCreate, extents("mipmapped array", descriptor, *context), &handle,
                   &asked, levels);
    state_->handle = handle;
    state_->levels = std::clamp(levels, 1U, std::max(1U, static_cast<unsigned>(std::bit_width(largest))));
    state_->context = std::move(context);
}

const Shared<detail::MipmappedArrayState>& MipmappedArray::state() const {
    if (!state_) throw_logic_error("this array has been moved from");
    if (!state_->live.load()) throw_logic_error("the array has been freed", state_->describe());
    return state_;
}

void MipmappedArray::free() {
    if (!state_) throw_logic_error("this array has been moved from");
    if (!state_->live.exchange(false)) return;
    if (!state_->context->valid.load()) return;
    const Scope scope(*state_->context);
    WARPLIGHT_CALL(*state_->context->driver, cuMipmappedArrayDestroy, state_->describe(), state_->handle);
}

Array MipmappedArray::get_level(unsigned level) const {
    const auto& whole = state();
    const Scope scope(*whole->context);
    CUarray handle = nullptr;
    WARPLIGHT_CALL(*whole->context->driver, cuMipmappedArrayGetLevel,
                   "level " + std::to_string(level) + " of " + whole->describe(), &handle, whole->handle, level);
    auto array = std::make_shared<detail::ArrayState>();
    array->owned = false;
    array->context = whole->context;
    array->handle = handle;
    array->parent = whole;
    return Array(std::move(array));
}

unsigned MipmappedArray::levels() const noexcept { return state_ ? state_->levels : 0; }
CUmipmappedArray MipmappedArray::handle() const noexcept {
    return state_ && state_->live.load() ? state_->handle : nullptr;
}
std::string MipmappedArray::describe() const { return state_ ? state_->describe() : "no array"; }

} // namespace warplight::driver
