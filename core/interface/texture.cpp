// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects.
#include "warplight/texture.hpp"

#include "interface/state.hpp"
#include "warplight/argument.hpp"

#include <algorithm>
#include <memory>

namespace warplight::driver {

namespace detail {

TextureObjectState::~TextureObjectState() {
    if (!live.exchange(false) || !handle) return;
    clean_up(
        *context, "cuTexObjectDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuTexObjectDestroy, handle); });
}

SurfaceObjectState::~SurfaceObjectState() {
    if (!live.exchange(false) || !handle) return;
    clean_up(
        *context, "cuSurfObjectDestroy", [this] { return describe(); },
        [this] { return WARPLIGHT_TRY(*context->driver, cuSurfObjectDestroy, handle); });
}

} // namespace detail

namespace {

using detail::Scope;

CUDA_RESOURCE_DESC native(const ResourceDescriptor& d) {
    CUDA_RESOURCE_DESC r{};
    r.resType = static_cast<CUresourcetype>(d.type);
    switch (d.type) {
    case resource_type::ARRAY: r.res.array.hArray = d.array_handle; break;
    case resource_type::MIPMAPPED_ARRAY: r.res.mipmap.hMipmappedArray = d.mipmapped_array_handle; break;
    case resource_type::LINEAR:
        r.res.linear = {d.pointer, static_cast<CUarray_format>(d.format), d.num_channels, d.size_in_bytes};
        break;
    case resource_type::PITCH2D:
        r.res.pitch2D = {d.pointer,       static_cast<CUarray_format>(d.format), d.num_channels, d.width, d.height,
                         d.pitch_in_bytes};
        break;
    }
    return r;
}

ResourceDescriptor from_native(const CUDA_RESOURCE_DESC& r, Shared<const void> owner) {
    ResourceDescriptor d;
    d.type = static_cast<resource_type>(r.resType);
    d.owner = std::move(owner);
    switch (d.type) {
    case resource_type::ARRAY: d.array_handle = r.res.array.hArray; break;
    case resource_type::MIPMAPPED_ARRAY: d.mipmapped_array_handle = r.res.mipmap.hMipmappedArray; break;
    case resource_type::LINEAR:
        d.pointer = r.res.linear.devPtr;
        d.format = static_cast<array_format>(r.res.linear.format);
        d.num_channels = r.res.linear.numChannels;
        d.size_in_bytes = r.res.linear.sizeInBytes;
        break;
    case resource_type::PITCH2D:
        d.pointer = r.res.pitch2D.devPtr;
        d.format = static_cast<array_format>(r.res.pitch2D.format);
        d.num_channels = r.res.pitch2D.numChannels;
        d.width = r.res.pitch2D.width;
        d.height = r.res.pitch2D.height;
        d.pitch_in_bytes = r.res.pitch2D.pitchInBytes;
        break;
    }
    return d;
}

template <class State>
const State& checked(const Shared<State>& state) {
    if (!state) throw_logic_error("this object has been moved from");
    if (!state->live.load()) throw_logic_error("the object has been freed", state->describe());
    return *state;
}

template <class State>
State& ended(const Shared<State>& state) {
    (void)checked(state);
    if (!state->live.exchange(false)) throw_logic_error("the object has been freed already", state->describe());
    return *state;
}

} // namespace

ResourceDescriptor ResourceDescriptor::array(const Array& array) {
    ResourceDescriptor d;
    d.type = resource_type::ARRAY;
    d.owner = array.state();
    d.array_handle = array.handle();
    return d;
}

ResourceDescriptor ResourceDescriptor::mipmapped_array(const MipmappedArray& array) {
    ResourceDescriptor d;
    d.type = resource_type::MIPMAPPED_ARRAY;
    d.owner = array.state();
    d.mipmapped_array_handle = array.handle();
    return d;
}

ResourceDescriptor ResourceDescriptor::linear(DevicePointer pointer, array_format format, unsigned num_channels,
                                              std::size_t size_in_bytes) {
    ResourceDescriptor d;
    d.type = resource_type::LINEAR;
    d.pointer = pointer.get();
    d.format = format;
    d.num_channels = num_channels;
    d.size_in_bytes = size_in_bytes;
    return d;
}

ResourceDescriptor ResourceDescriptor::pitch2d(DevicePointer pointer, array_format format, unsigned num_channels,
                                               std::size_t width, std::size_t height, std::size_t pitch_in_bytes) {
    ResourceDescriptor d;
    d.type = resource_type::PITCH2D;
    d.pointer = pointer.get();
    d.format = format;
    d.num_channels = num_channels;
    d.width = width;
    d.height = height;
    d.pitch_in_bytes = pitch_in_bytes;
    return d;
}

TextureObject::TextureObject(const ResourceDescriptor& resource, const TextureDescriptor& texture,
                             const std::optional<ResourceViewDescriptor>& view)
    : state_(std::make_shared<detail::TextureObjectState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    const CUDA_RESOURCE_DESC r = native(resource);
    CUDA_TEXTURE_DESC t{};
    for (std::size_t i = 0; i < 3; ++i)
        t.addressMode[i] = static_cast<CUaddress_mode>(texture.address_mode[i]);
    t.filterMode = static_cast<CUfilter_mode>(texture.filter_mode);
    t.flags = texture.flags;
    t.maxAnisotropy = texture.max_anisotropy;
    t.mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmap_filter_mode);
    t.mipmapLevelBias = texture.mipmap_level_bias;
    t.minMipmapLevelClamp = texture.min_mipmap_level_clamp;
    t.maxMipmapLevelClamp = texture.max_mipmap_level_clamp;
    std::copy(texture.border_color.begin(), texture.border_color.end(), t.borderColor);
    CUDA_RESOURCE_VIEW_DESC v{};
    if (view) {
        v.format = static_cast<CUresourceViewFormat>(view->format);
        v.width = view->width;
        v.height = view->height;
        v.depth = view->depth;
        v.firstMipmapLevel = view->first_mipmap_level;
        v.lastMipmapLevel = view->last_mipmap_level;
        v.firstLayer = view->first_layer;
        v.lastLayer = view->last_layer;
    }
    CUtexObject handle = 0;
    WARPLIGHT_CALL(*context->driver, cuTexObjectCreate, "new texture object of " + context->describe(), &handle, &r, &t,
                   view ? &v : nullptr);
    state_->handle = handle;
    state_->owner = resource.owner;
    state_->border_color = texture.border_color;
    state_->context = std::move(context);
}

void TextureObject::free() {
    auto& object = ended(state_);
    if (!object.context->valid.load()) return;
    const Scope scope(*object.context);
    WARPLIGHT_CALL(*object.context->driver, cuTexObjectDestroy, object.describe(), object.handle);
}

ResourceDescriptor TextureObject::get_resource_descriptor() const {
    const auto& object = checked(state_);
    const Scope scope(*object.context);
    CUDA_RESOURCE_DESC r{};
    WARPLIGHT_CALL(*object.context->driver, cuTexObjectGetResourceDesc, object.describe(), &r, object.handle);
    return from_native(r, object.owner);
}

TextureDescriptor TextureObject::get_texture_descriptor() const {
    const auto& object = checked(state_);
    const Scope scope(*object.context);
    CUDA_TEXTURE_DESC t{};
    WARPLIGHT_CALL(*object.context->driver, cuTexObjectGetTextureDesc, object.describe(), &t, object.handle);
    TextureDescriptor d;
    for (std::size_t i = 0; i < 3; ++i)
        d.address_mode[i] = static_cast<address_mode>(t.addressMode[i]);
    d.filter_mode = static_cast<filter_mode>(t.filterMode);
    d.flags = t.flags;
    d.max_anisotropy = t.maxAnisotropy;
    d.mipmap_filter_mode = static_cast<filter_mode>(t.mipmapFilterMode);
    d.mipmap_level_bias = t.mipmapLevelBias;
    d.min_mipmap_level_clamp = t.minMipmapLevelClamp;
    d.max_mipmap_level_clamp = t.maxMipmapLevelClamp;
    d.border_color = object.border_color;
    return d;
}

ResourceViewDescriptor TextureObject::get_resource_view_descriptor() const {
    const auto& object = checked(state_);
    const Scope scope(*object.context);
    CUDA_RESOURCE_VIEW_DESC v{};
    WARPLIGHT_CALL(*object.context->driver, cuTexObjectGetResourceViewDesc, object.describe(), &v, object.handle);
    return {static_cast<resource_view_format>(v.format),
            v.width,
            v.height,
            v.depth,
            v.firstMipmapLevel,
            v.lastMipmapLevel,
            v.firstLayer,
            v.lastLayer};
}

unsigned long long TextureObject::handle() const noexcept { return state_ && state_->live.load() ? state_->handle : 0; }
std::string TextureObject::describe() const { return state_ ? state_->describe() : "no texture object"; }

SurfaceObject::SurfaceObject(const ResourceDescriptor& resource)
    : state_(std::make_shared<detail::SurfaceObjectState>()) {
    auto context = detail::current_context();
    const Scope scope(*context);
    const CUDA_RESOURCE_DESC r = native(resource);
    CUsurfObject handle = 0;
    WARPLIGHT_CALL(*context->driver, cuSurfObjectCreate, "new surface object of " + context->describe(), &handle, &r);
    state_->handle = handle;
    state_->owner = resource.owner;
    state_->context = std::move(context);
}

void SurfaceObject::free() {
    auto& object = ended(state_);
    if (!object.context->valid.load()) return;
    const Scope scope(*object.context);
    WARPLIGHT_CALL(*object.context->driver, cuSurfObjectDestroy, object.describe(), object.handle);
}

ResourceDescriptor SurfaceObject::get_resource_descriptor() const {
    const auto& object = checked(state_);
    const Scope scope(*object.context);
    CUDA_RESOURCE_DESC r{};
    WARPLIGHT_CALL(*object.context->driver, cuSurfObjectGetResourceDesc, object.describe(), &r, object.handle);
    return from_native(r, object.owner);
}

unsigned long long SurfaceObject::handle() const noexcept { return state_ && state_->live.load() ? state_->handle : 0; }
std::string SurfaceObject::describe() const { return state_ ? state_->describe() : "no surface object"; }

namespace {
Argument number_argument(unsigned long long handle, const std::string& what) {
    if (handle == 0) throw_logic_error("the object has been freed", what);
    return Argument::scalar(DType::uint64(), &handle);
}
} // namespace

Argument::Argument(const TextureObject& texture) : Argument(number_argument(texture.handle(), texture.describe())) {}
Argument::Argument(const SurfaceObject& surface) : Argument(number_argument(surface.handle(), surface.describe())) {}

} // namespace warplight::driver
