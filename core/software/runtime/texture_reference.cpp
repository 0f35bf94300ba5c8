// SPDX-License-Identifier: Apache-2.0
#include "texture_reference.hpp"

#include "array.hpp"
#include "context.hpp"
#include "failure.hpp"
#include "handles.hpp"

namespace warplight::software {
namespace {

Resource resource_of(const TextureReference::State& s, const Context& context) {
    if (s.array) return array_resource(s.array);
    if (s.mipmapped) return mipmapped_resource(s.mipmapped);
    if (s.pitch != 0) {
        return pitched_resource(s.address, s.pitched.Width, s.pitched.Height, s.pitch, s.format, s.channels, context);
    }
    return linear_resource(s.address, s.bytes, s.format, s.channels, context);
}

/// The sampler of a reference is never refused: settings that do not fit the memory are left out.
SamplerState sampler_of(const TextureReference::State& s, const Resource& resource) {
    CUDA_TEXTURE_DESC d = s.sampler;
    const Texel format = resource.memory.format;
    const bool real = format == Texel::f16 || format == Texel::f32;
    if (!real && ((d.flags & CU_TRSF_READ_AS_INTEGER) || channel_bytes(format) == 4))
        d.filterMode = CU_TR_FILTER_MODE_POINT;
    constexpr unsigned seamless = 0x40; // CU_TRSF_SEAMLESS_CUBEMAP
    if (!resource.memory.cubemap) d.flags &= ~seamless;
    return warplight::software::sampler_of(d, resource);
}

} // namespace

void TextureReference::State::unbind() {
    array = nullptr;
    mipmapped = nullptr;
    of_memory = false;
    address = 0;
    bytes = 0;
    pitched = {};
    pitch = 0;
}

TextureReference::TextureReference(Context& owner, bool module)
    : context(owner), of_module(module), number_(add_texture(nullptr)) {}

TextureReference::~TextureReference() { (void)remove_texture(number_); }

void TextureReference::publish(State next, bool strict) {
    std::shared_ptr<Texture> texture;
    if (next.bound()) {
        try {
            Resource resource = resource_of(next, context);
            texture = std::make_shared<Texture>();
            texture->sampler = sampler_of(next, resource);
            texture->memory = std::move(resource.memory);
            find_plain(*texture);
            if (texture->memory.levels.empty()) texture = nullptr; // no memory is there
        } catch (const Failure&) {
            if (strict) throw;
            texture = nullptr;
        }
    }
    if (of_module) context.drain();
    (void)replace_texture(number_, std::move(texture));
    state_ = std::move(next);
}

SurfaceReference::SurfaceReference(Context& owner) : context(owner), number_(add_surface(nullptr)) {}

SurfaceReference::~SurfaceReference() { (void)remove_surface(number_); }

void SurfaceReference::bind(std::shared_ptr<Array> array) {
    auto surface = std::make_shared<Surface>(surface_of(array_resource(array)));
    const std::scoped_lock lock(mutex_);
    context.drain();
    (void)replace_surface(number_, std::move(surface));
    array_ = std::move(array);
}

void SurfaceReference::unbind() {
    const std::scoped_lock lock(mutex_);
    (void)replace_surface(number_, gone_surface());
    array_ = nullptr;
}

void unbind_references(const void* array) {
    // Without the tables' locks: a thread that binds a reference waits for kernels, and the last kernel of a module
    // takes its references out of the tables.
    for (const auto& reference : handles<TextureReference>().all()) {
        const auto state = reference->state();
        if (state.array.get() == array || state.mipmapped.get() == array)
            reference->bind([](TextureReference::State&) {});
    }
    for (const auto& reference : handles<SurfaceReference>().all())
        if (reference->array().get() == array) reference->unbind();
}

void forget_references(const Context& context) {
    (void)handles<TextureReference>().remove_if([&](const auto& r) { return &r.context == &context; });
    (void)handles<SurfaceReference>().remove_if([&](const auto& r) { return &r.context == &context; });
}

} // namespace warplight::software
