// SPDX-License-Identifier: Apache-2.0
// Good calls: arrays, textures and surfaces.
#include "bad_input.hpp"

namespace bad_input {
namespace {

CUDA_ARRAY3D_DESCRIPTOR_v2 volume() {
    CUDA_ARRAY3D_DESCRIPTOR_v2 d{};
    d.Width = 16;
    d.Height = d.Depth = 8;
    d.Format = CU_AD_FORMAT_FLOAT;
    d.NumChannels = 1;
    return d;
}
CUDA_ARRAY_DESCRIPTOR_v2 plane() {
    CUDA_ARRAY_DESCRIPTOR_v2 d{};
    d.Width = 64;
    d.Height = 8;
    d.Format = CU_AD_FORMAT_FLOAT;
    d.NumChannels = 1;
    return d;
}
CUDA_RESOURCE_DESC_v1 array_resource(Fixture& f) {
    CUDA_RESOURCE_DESC_v1 r{};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = f.as<CUarray>(Thing::canvas);
    return r;
}
CUDA_RESOURCE_DESC_v1 pitched_resource(Fixture& f) {
    CUDA_RESOURCE_DESC_v1 r{};
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D.devPtr = f.get(Thing::memory);
    r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    r.res.pitch2D.numChannels = 1;
    r.res.pitch2D.width = 64;
    r.res.pitch2D.height = 8;
    r.res.pitch2D.pitchInBytes = 256;
    return r;
}
CUDA_RESOURCE_DESC_v1 linear_resource(Fixture& f) {
    CUDA_RESOURCE_DESC_v1 r{};
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear.devPtr = f.get(Thing::memory);
    r.res.linear.format = CU_AD_FORMAT_FLOAT;
    r.res.linear.numChannels = 1;
    r.res.linear.sizeInBytes = 4096;
    return r;
}
CUDA_TEXTURE_DESC_v1 texture() {
    CUDA_TEXTURE_DESC_v1 t{};
    t.filterMode = CU_TR_FILTER_MODE_POINT;
    t.flags = CU_TRSF_READ_AS_INTEGER;
    return t;
}
CUDA_RESOURCE_VIEW_DESC_v1 view() {
    CUDA_RESOURCE_VIEW_DESC_v1 v{};
    v.format = CU_RES_VIEW_FORMAT_UINT_1X32;
    v.width = 64;
    v.height = 16;
    return v;
}
constexpr std::size_t kArrayAt = offsetof(CUDA_RESOURCE_DESC_v1, res);

} // namespace

void add_images(std::vector<Row>& rows) {
    WARPLIGHT_ROW(cuArrayCreate, f.makes(Thing::array), f.in(plane()));
    WARPLIGHT_ROW(cuArrayGetDescriptor, f.out(), f.is(Thing::array));
    WARPLIGHT_ROW(cuArray3DCreate, f.makes(Thing::array), f.in(volume()));
    WARPLIGHT_ROW(cuArray3DGetDescriptor, f.out(), f.is(Thing::array));
    WARPLIGHT_ROW(cuArrayDestroy, f.takes(Thing::array));
    WARPLIGHT_ROW(cuMipmappedArrayCreate, f.makes(Thing::mipmapped), f.in(volume()), 2);
    WARPLIGHT_ROW(cuMipmappedArrayGetLevel, f.out(), f.is(Thing::mipmapped), 1);
    WARPLIGHT_ROW(cuMipmappedArrayDestroy, f.takes(Thing::mipmapped));

    WARPLIGHT_ROW(cuTexObjectCreate, f.makes(Thing::texture), f.in(array_resource(f), {}, {kArrayAt}), f.in(texture()),
                  f.fixed(0));
    WARPLIGHT_ROW_AS(cuTexObjectCreate, "pitched", f.makes(Thing::texture), f.in(pitched_resource(f)),
                     f.in(CUDA_TEXTURE_DESC_v1{}), f.fixed(0));
    WARPLIGHT_ROW_AS(cuTexObjectCreate, "linear", f.makes(Thing::texture), f.in(linear_resource(f)),
                     f.in(CUDA_TEXTURE_DESC_v1{}), f.fixed(0));
    WARPLIGHT_ROW_AS(cuTexObjectCreate, "view", f.makes(Thing::texture), f.in(array_resource(f), {}, {kArrayAt}),
                     f.in(texture()), f.in(view()));
    WARPLIGHT_ROW(cuTexObjectDestroy, f.takes(Thing::texture));
    WARPLIGHT_ROW(cuTexObjectGetResourceDesc, f.out(), f.is(Thing::texture));
    WARPLIGHT_ROW(cuTexObjectGetTextureDesc, f.out(), f.is(Thing::texture));
    WARPLIGHT_ROW(cuTexObjectGetResourceViewDesc, f.out(), f.is(Thing::texture));
    WARPLIGHT_ROW(cuSurfObjectCreate, f.makes(Thing::surface), f.in(array_resource(f), {}, {kArrayAt}));
    WARPLIGHT_ROW(cuSurfObjectDestroy, f.takes(Thing::surface));
    WARPLIGHT_ROW(cuSurfObjectGetResourceDesc, f.out(), f.is(Thing::surface));

    WARPLIGHT_ROW(cuTexRefCreate, f.makes(Thing::texture_reference));
    WARPLIGHT_ROW(cuTexRefDestroy, f.takes(Thing::texture_reference));
    WARPLIGHT_ROW(cuTexRefGetAddress, f.out(), [&] {
        const Slot slot = f.is(Thing::texture_reference);
        std::size_t offset = 0;
        f.api.fn_cuTexRefSetAddress(&offset, reinterpret_cast<CUtexref>(slot.bits), f.get(Thing::memory), 4096);
        return slot;
    }());
    WARPLIGHT_ROW(cuTexRefGetAddressMode, f.out(), f.is(Thing::texture_reference), 0);
    WARPLIGHT_ROW(cuTexRefGetArray, f.out(), f.is(Thing::bound_reference));
    WARPLIGHT_ROW(cuTexRefGetFilterMode, f.out(), f.is(Thing::texture_reference));
    WARPLIGHT_ROW(cuTexRefGetFlags, f.out(), f.is(Thing::texture_reference));
    WARPLIGHT_ROW(cuTexRefGetFormat, f.out(), f.out(), f.is(Thing::texture_reference));
    WARPLIGHT_ROW(cuTexRefSetAddress, f.out(), f.is(Thing::texture_reference), f.is(Thing::memory), 4096);
    WARPLIGHT_ROW(cuTexRefSetAddress2D, f.is(Thing::texture_reference), f.in(plane()), f.is(Thing::memory), 256);
    WARPLIGHT_ROW(cuTexRefSetAddressMode, f.is(Thing::texture_reference), 0, CU_TR_ADDRESS_MODE_CLAMP);
    WARPLIGHT_ROW(cuTexRefSetArray, f.is(Thing::texture_reference), f.is(Thing::array), 1u);
    WARPLIGHT_ROW(cuTexRefSetFilterMode, f.is(Thing::texture_reference), CU_TR_FILTER_MODE_POINT);
    WARPLIGHT_ROW(cuTexRefSetFlags, f.is(Thing::texture_reference), 0);
    WARPLIGHT_ROW(cuTexRefSetFormat, f.is(Thing::texture_reference), CU_AD_FORMAT_FLOAT, 1);
    WARPLIGHT_ROW(cuSurfRefSetArray, f.is(Thing::surface_reference), f.is(Thing::canvas), 0);
    WARPLIGHT_ROW(cuSurfRefGetArray, f.out(), [&] {
        const Slot slot = f.is(Thing::surface_reference);
        f.api.fn_cuSurfRefSetArray(reinterpret_cast<CUsurfref>(slot.bits), f.as<CUarray>(Thing::canvas), 0);
        return slot;
    }());
}

} // namespace bad_input
