// SPDX-License-Identifier: Apache-2.0
// Textures and surfaces of 16 x 16 floats.
#pragma once

#include "checks_fixture.hpp"

#include <cstddef>

namespace image_fixture {

inline constexpr unsigned kSide = 16;

inline CUarray new_array(unsigned flags = 0, CUarray_format format = CU_AD_FORMAT_FLOAT) {
    CUDA_ARRAY3D_DESCRIPTOR d{};
    d.Width = d.Height = kSide;
    d.Format = format;
    d.NumChannels = 1;
    d.Flags = CUDA_ARRAY3D_SURFACE_LDST | flags;
    CUarray array = nullptr;
    [&] { CU(cuArray3DCreate(&array, &d)); }();
    return array;
}
inline CUDA_RESOURCE_DESC of_array(CUarray array) {
    CUDA_RESOURCE_DESC r{};
    r.resType = CU_RESOURCE_TYPE_ARRAY;
    r.res.array.hArray = array;
    return r;
}
inline CUDA_RESOURCE_DESC of_linear(CUdeviceptr memory, std::size_t bytes) {
    CUDA_RESOURCE_DESC r{};
    r.resType = CU_RESOURCE_TYPE_LINEAR;
    r.res.linear.devPtr = memory;
    r.res.linear.format = CU_AD_FORMAT_FLOAT;
    r.res.linear.numChannels = 1;
    r.res.linear.sizeInBytes = bytes;
    return r;
}
inline CUDA_RESOURCE_DESC of_pitched(CUdeviceptr memory) {
    CUDA_RESOURCE_DESC r{};
    r.resType = CU_RESOURCE_TYPE_PITCH2D;
    r.res.pitch2D.devPtr = memory;
    r.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    r.res.pitch2D.numChannels = 1;
    r.res.pitch2D.width = r.res.pitch2D.height = kSide;
    r.res.pitch2D.pitchInBytes = 64;
    return r;
}
inline CUtexObject texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& asked = {}) {
    CUDA_TEXTURE_DESC how = asked;
    for (CUaddress_mode& mode : how.addressMode)
        mode = CU_TR_ADDRESS_MODE_CLAMP;
    CUtexObject made = 0;
    [&] { CU(cuTexObjectCreate(&made, &resource, &how, nullptr)); }();
    return made;
}
inline CUsurfObject surface(const CUDA_RESOURCE_DESC& resource) {
    CUsurfObject made = 0;
    [&] { CU(cuSurfObjectCreate(&made, &resource)); }();
    return made;
}

} // namespace image_fixture
