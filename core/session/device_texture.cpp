// SPDX-License-Identifier: Apache-2.0
#include "session/device_texture.hpp"

#include "session/textures.hpp"

#include "warplight/module.hpp"
#include "warplight/stream.hpp"
#include "warplight/structured_copy.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace warplight::session {
namespace {

driver::address_mode native(AddressMode mode) {
    switch (mode) {
    case AddressMode::wrap: return driver::address_mode::WRAP;
    case AddressMode::mirror: return driver::address_mode::MIRROR;
    case AddressMode::border: return driver::address_mode::BORDER;
    case AddressMode::clamp: break;
    }
    return driver::address_mode::CLAMP;
}

driver::TextureDescriptor sampler_of(const TextureSetup& setup, const NdArray& data) {
    driver::TextureDescriptor sampler;
    for (std::size_t i = 0; i < sampler.address_mode.size(); ++i)
        sampler.address_mode[i] = native(setup.address[i]);
    if (setup.filter == FilterMode::linear) sampler.filter_mode = driver::filter_mode::LINEAR;
    const bool integers = data.dtype().kind() == Kind::signed_integer || data.dtype().kind() == Kind::unsigned_integer;
    const bool as_integers = integers && setup.read == ReadMode::element;
    if (as_integers) sampler.flags |= driver::TRSF_READ_AS_INTEGER;
    if (setup.normalized_coordinates) sampler.flags |= driver::TRSF_NORMALIZED_COORDINATES;
    if (setup.srgb) sampler.flags |= driver::TRSF_SRGB;
    if (setup.seamless) sampler.flags |= driver::TRSF_SEAMLESS_CUBEMAP;
    for (std::size_t i = 0; i < sampler.border_color.size(); ++i) {
        const double component = setup.border[i];
        // Of textures that are read as integers the colour's bits are the number.
        sampler.border_color[i] = as_integers
                                      ? std::bit_cast<float>(static_cast<std::uint32_t>(
                                            static_cast<std::int64_t>(std::clamp(component, -0x1p31, 0x1p32 - 1))))
                                      : static_cast<float>(component);
    }
    return sampler;
}

} // namespace

DeviceTexture::DeviceTexture(const ArgumentData& data, driver::DevicePointer linear)
    : data_(&data), shape_(array_of_texture(*data.argument, data.input)), linear_(linear) {
    const Argument& argument = *data.argument;
    const auto& setup = argument.texture;
    const std::size_t element = data.input.itemsize() * shape_.num_channels;
    row_bytes_ = shape_.width * element;
    if (setup) sampler_ = sampler_of(*setup, data.input);
    const bool needs_objects = !argument.variable;
    if (setup && setup->memory == TextureMemory::linear) {
        if (needs_objects)
            texture_.emplace(
                driver::ResourceDescriptor::linear(linear_, shape_.format, shape_.num_channels, data.input.nbytes()),
                sampler_);
        return;
    }
    if (setup && setup->memory == TextureMemory::pitch2d) {
        const auto access = static_cast<unsigned>(std::clamp<std::size_t>(element, 4, 16));
        rows_.emplace(driver::mem_alloc_pitch(row_bytes_, shape_.height, access));
        allocated_ = rows_->pitch * shape_.height;
        if (needs_objects)
            texture_.emplace(driver::ResourceDescriptor::pitch2d(rows_->allocation, shape_.format, shape_.num_channels,
                                                                 shape_.width, shape_.height, rows_->pitch),
                             sampler_);
        return;
    }
    array_.emplace(shape_);
    allocated_ = data.input.nbytes();
    if (setup && needs_objects) texture_.emplace(driver::ResourceDescriptor::array(*array_), sampler_);
    if (argument.surface && needs_objects) surface_.emplace(*array_);
}

void DeviceTexture::bind(const driver::Module& module) const {
    if (data_->argument->surface) return module.get_surfref(data_->lowered).set_array(*array_);
    const driver::TextureReference reference = module.get_texref(data_->lowered);
    for (int i = 0; i < 3; ++i)
        reference.set_address_mode(i, sampler_.address_mode[static_cast<std::size_t>(i)]);
    reference.set_filter_mode(sampler_.filter_mode);
    reference.set_flags(sampler_.flags);
    if (array_) {
        reference.set_array(*array_);
    } else if (rows_) {
        const driver::ArrayDescriptor plane{shape_.width, shape_.height, shape_.format, shape_.num_channels};
        reference.set_address_2d(rows_->allocation, plane, rows_->pitch);
    } else {
        reference.set_format(shape_.format, static_cast<int>(shape_.num_channels));
        reference.set_address(linear_, data_->input.nbytes());
    }
}

driver::Argument DeviceTexture::value(GivenAs as) const {
    if (as == GivenAs::texture) return {*texture_};
    if (as == GivenAs::surface) return {*surface_};
    return {linear_};
}

/// @param stream null: waits for the copy
/// @param ends sets both ends of a copy
template <class Ends>
void DeviceTexture::copy(const driver::Stream* stream, const Ends& ends) const {
    if (shape_.depth == 0) {
        driver::Memcpy2D copy;
        ends(copy);
        copy.width_in_bytes = row_bytes_;
        copy.height = std::max<std::size_t>(shape_.height, 1);
        if (stream)
            copy(*stream);
        else
            copy();
        return;
    }
    driver::Memcpy3D copy;
    ends(copy);
    copy.src_height = copy.dst_height = std::max<std::size_t>(shape_.height, 1);
    copy.width_in_bytes = row_bytes_;
    copy.height = std::max<std::size_t>(shape_.height, 1);
    copy.depth = shape_.depth;
    if (stream)
        copy(*stream);
    else
        copy();
}

namespace {

template <class Copy>
void set_source(Copy& copy, const std::optional<driver::Array>& array,
                const std::optional<driver::PitchedAllocation>& rows) {
    if (array) return copy.set_src_array(*array);
    copy.set_src_device(rows->allocation);
    copy.src_pitch = rows->pitch;
}

template <class Copy>
void set_target(Copy& copy, const std::optional<driver::Array>& array,
                const std::optional<driver::PitchedAllocation>& rows) {
    if (array) return copy.set_dst_array(*array);
    copy.set_dst_device(rows->allocation);
    copy.dst_pitch = rows->pitch;
}

} // namespace

void DeviceTexture::upload(const NdArray& from, const driver::Stream& stream) const {
    copy(&stream, [&](auto& copy) {
        copy.set_src_host(ConstBuffer(from.data(), from.nbytes()));
        copy.src_pitch = row_bytes_;
        set_target(copy, array_, rows_);
    });
}

void DeviceTexture::download(const NdArray& to, const driver::Stream& stream) const {
    copy(&stream, [&](auto& copy) {
        set_source(copy, array_, rows_);
        copy.set_dst_host(MutableBuffer(to.mutable_data(), to.nbytes()));
        copy.dst_pitch = row_bytes_;
    });
}

void DeviceTexture::upload(driver::DevicePointer from, const driver::Stream& stream) const {
    copy(&stream, [&](auto& copy) {
        copy.set_src_device(from);
        copy.src_pitch = row_bytes_;
        set_target(copy, array_, rows_);
    });
}

void DeviceTexture::download(driver::DevicePointer to, const driver::Stream& stream) const {
    copy(&stream, [&](auto& copy) {
        set_source(copy, array_, rows_);
        copy.set_dst_device(to);
        copy.dst_pitch = row_bytes_;
    });
}

void DeviceTexture::read(MutableBuffer to) const {
    copy(nullptr, [&](auto& copy) {
        set_source(copy, array_, rows_);
        copy.set_dst_host(to);
        copy.dst_pitch = row_bytes_;
    });
}

} // namespace warplight::session
