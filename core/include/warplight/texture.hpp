// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces: objects, which kernels take as arguments, and references, which are variables of a module.
// References are deprecated: NVRTC and nvcc compile them up to CUDA 11, drivers still bind those of PTX.
#pragma once

#include "warplight/array.hpp"
#include "warplight/enums.hpp"
#include "warplight/handles.hpp"
#include "warplight/memory.hpp"
#include "warplight/shared.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace warplight::driver {

/// What a texture or surface object reads. Made by one of the functions.
struct ResourceDescriptor {
    static ResourceDescriptor array(const Array& array);
    /// Textures only, with normalised coordinates.
    static ResourceDescriptor mipmapped_array(const MipmappedArray& array);
    /// Textures only, of one dimension and integer coordinates. The address is a multiple of TEXTURE_ALIGNMENT.
    static ResourceDescriptor linear(DevicePointer pointer, array_format format, unsigned num_channels,
                                     std::size_t size_in_bytes);
    /// Textures only, of two dimensions. The address is a multiple of TEXTURE_ALIGNMENT, the pitch (bytes) one of
    /// TEXTURE_PITCH_ALIGNMENT.
    static ResourceDescriptor pitch2d(DevicePointer pointer, array_format format, unsigned num_channels,
                                      std::size_t width, std::size_t height, std::size_t pitch_in_bytes);

    resource_type type = resource_type::ARRAY;
    CUarray_st* array_handle = nullptr;
    CUmipmappedArray_st* mipmapped_array_handle = nullptr;
    device_ptr pointer = 0;
    array_format format = array_format(0);
    unsigned num_channels = 0;
    std::size_t size_in_bytes = 0;
    std::size_t width = 0, height = 0; ///< elements
    std::size_t pitch_in_bytes = 0;
    Shared<const void> owner = {}; ///< keeps the array alive; device memory is not kept
};

/// How a texture object is read.
struct TextureDescriptor {
    /// Without normalised coordinates WRAP and MIRROR clamp.
    std::array<driver::address_mode, 3> address_mode = {};
    driver::filter_mode filter_mode = driver::filter_mode::POINT;
    unsigned flags = 0; ///< TRSF_…
    unsigned max_anisotropy = 0;
    driver::filter_mode mipmap_filter_mode = driver::filter_mode::POINT;
    float mipmap_level_bias = 0;
    float min_mipmap_level_clamp = 0;
    float max_mipmap_level_clamp = 0;
    std::array<float, 4> border_color = {};
};

/// Another format, or a part, of an array or mipmapped array. Extents are the array's.
struct ResourceViewDescriptor {
    resource_view_format format = resource_view_format::NONE;
    std::size_t width = 0, height = 0, depth = 0; ///< elements
    unsigned first_mipmap_level = 0, last_mipmap_level = 0;
    unsigned first_layer = 0, last_layer = 0;
};

/// A texture that kernels take as an argument (cudaTextureObject_t). Move-only; keeps its array and its context alive.
/// It must live until kernels that read it have ended.
class TextureObject {
public:
    /// @throws LogicError for what the device cannot read so.
    explicit TextureObject(const ResourceDescriptor& resource, const TextureDescriptor& texture = {},
                           const std::optional<ResourceViewDescriptor>& view = {});

    TextureObject(TextureObject&&) noexcept = default;
    TextureObject& operator=(TextureObject&&) noexcept = default;
    TextureObject(const TextureObject&) = delete;
    TextureObject& operator=(const TextureObject&) = delete;
    ~TextureObject() = default;

    /// Ends it now. @throws LogicError the second time.
    void free();
    ResourceDescriptor get_resource_descriptor() const;
    TextureDescriptor get_texture_descriptor() const;
    /// Format NONE and no extents where there is no view.
    ResourceViewDescriptor get_resource_view_descriptor() const;
    /// What kernels are given; 0 when it was freed.
    unsigned long long handle() const noexcept;
    std::string describe() const;

private:
    Shared<detail::TextureObjectState> state_;
};

/// A surface that kernels take as an argument (cudaSurfaceObject_t). Move-only. Make its array with SURFACE_LDST;
/// drivers do not check it.
class SurfaceObject {
public:
    explicit SurfaceObject(const ResourceDescriptor& resource);
    explicit SurfaceObject(const Array& array) : SurfaceObject(ResourceDescriptor::array(array)) {}

    SurfaceObject(SurfaceObject&&) noexcept = default;
    SurfaceObject& operator=(SurfaceObject&&) noexcept = default;
    SurfaceObject(const SurfaceObject&) = delete;
    SurfaceObject& operator=(const SurfaceObject&) = delete;
    ~SurfaceObject() = default;

    /// Ends it now. @throws LogicError the second time.
    void free();
    ResourceDescriptor get_resource_descriptor() const;
    unsigned long long handle() const noexcept;
    std::string describe() const;

private:
    Shared<detail::SurfaceObjectState> state_;
};

/// A texture reference: of a module, or made by itself. A cheap handle: copies are the same reference.
class TextureReference {
public:
    /// One that belongs to no module, in the current context.
    TextureReference();

    /// Binds an array, and takes over its format. The array is kept alive while it is bound.
    void set_array(const Array& array) const;
    /// Binds linear memory, which is not kept alive. The memory that is really bound starts at an aligned address.
    /// @return how many bytes before `pointer` that is
    /// @throws LogicError when that is not 0 and !allow_offset.
    std::size_t set_address(DevicePointer pointer, std::size_t bytes, bool allow_offset = false) const;
    /// Binds rows of linear memory with the descriptor's format. @param pitch bytes from row to row
    void set_address_2d(DevicePointer pointer, const ArrayDescriptor& descriptor, std::size_t pitch) const;
    void set_format(array_format format, int num_components) const;
    /// @param dim 0, 1 or 2
    void set_address_mode(int dim, address_mode mode) const;
    void set_filter_mode(filter_mode mode) const;
    /// @param flags TRSF_…
    void set_flags(unsigned flags) const;

    /// Of linear memory. @throws LogicError when none is bound.
    device_ptr get_address() const;
    /// An array that compares equal with the one that was bound, and does not own it. @throws LogicError when none is.
    Array get_array() const;
    address_mode get_address_mode(int dim) const;
    filter_mode get_filter_mode() const;
    /// The format and the number of channels.
    std::pair<array_format, int> get_format() const;
    unsigned get_flags() const;

    CUtexref_st* handle() const noexcept;
    std::string describe() const;
    friend bool operator==(const TextureReference& a, const TextureReference& b) noexcept {
        return a.handle() == b.handle();
    }
    /// Internal.
    explicit TextureReference(Shared<detail::TextureReferenceState> state) noexcept : state_(std::move(state)) {}
    const Shared<detail::TextureReferenceState>& state() const noexcept { return state_; }

private:
    Shared<detail::TextureReferenceState> state_;
};

/// A surface reference of a module: Module::get_surfref. A cheap handle (CUDA 3.1).
class SurfaceReference {
public:
    /// Binds an array made with SURFACE_LDST, and keeps it alive while it is bound. @param flags 0
    void set_array(const Array& array, unsigned flags = 0) const;
    /// As TextureReference::get_array.
    Array get_array() const;

    CUsurfref_st* handle() const noexcept;
    std::string describe() const;
    /// Internal.
    explicit SurfaceReference(Shared<detail::SurfaceReferenceState> state) noexcept : state_(std::move(state)) {}

private:
    Shared<detail::SurfaceReferenceState> state_;
};

} // namespace warplight::driver
