// SPDX-License-Identifier: Apache-2.0
// Checks resources, views and samplers, and makes the memory of a texture or surface from the driver's descriptors.
#pragma once

#include "texture.hpp"

#include <cuda.h>

#include <memory>

namespace warplight::software {

class Array;
class Context;
class MipmappedArray;

/// The memory of a resource descriptor. `memory` holds the array.
struct Resource {
    CUresourcetype type = CU_RESOURCE_TYPE_ARRAY;
    TexelMemory memory;
    std::shared_ptr<Array> array;
    std::shared_ptr<MipmappedArray> mipmapped;
};

/// All throw CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_HANDLE for an array that is none,
/// CUDA_ERROR_PEER_ACCESS_NOT_ENABLED for one of another context. Whether linear and pitched memory is there is not
/// checked, as drivers do not: without any, `memory` has no levels.
[[nodiscard]] Resource resource_of(const CUDA_RESOURCE_DESC& descriptor, const Context& context);
[[nodiscard]] Resource array_resource(std::shared_ptr<Array> array);
[[nodiscard]] Resource mipmapped_resource(std::shared_ptr<MipmappedArray> array);
/// One row that only integer coordinates reach; `address` is aligned as textures ask for.
[[nodiscard]] Resource linear_resource(CUdeviceptr address, std::size_t bytes, CUarray_format format, unsigned channels,
                                       const Context& context);
[[nodiscard]] Resource pitched_resource(CUdeviceptr address, std::size_t width, std::size_t height, std::size_t pitch,
                                        CUarray_format format, unsigned channels, const Context& context);
/// Narrows a resource to the part that a view shows.
void apply_view(Resource& resource, const CUDA_RESOURCE_VIEW_DESC& view);
[[nodiscard]] SamplerState sampler_of(const CUDA_TEXTURE_DESC& descriptor, const Resource& resource);
/// A surface of it. Throws unless it is an array; drivers do not ask for CUDA_ARRAY3D_SURFACE_LDST.
[[nodiscard]] Surface surface_of(const Resource& resource);

/// Bytes that a texture's address must be a multiple of.
[[nodiscard]] std::size_t texture_alignment(const Context& context);

} // namespace warplight::software
