// SPDX-License-Identifier: Apache-2.0
// Textures with layers, volumes, cubes and levels.
#include "program.hpp"

#include <algorithm>

__global__ void layers(cudaTextureObject_t t, float* out, int width, int count) {
    const int x = threadIdx.x, layer = blockIdx.x;
    if (x < width && layer < count) out[layer * width + x] = tex1DLayered<float>(t, x + 0.5f, layer);
}
__global__ void volume(cudaTextureObject_t t, float* out, int n) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    out[(z * n + y) * n + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}
__global__ void faces(cudaTextureObject_t t, float* out) {
    const float3 directions[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const float3 d = directions[threadIdx.x];
    out[threadIdx.x] = texCubemap<float>(t, d.x, d.y, d.z);
}
__global__ void levels(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, float(threadIdx.x));
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, bool normalized = false) {
    cudaTextureDesc sampling = {};
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = normalized;
    sampling.maxMipmapLevelClamp = 10;
    for (auto& mode : sampling.addressMode)
        mode = cudaAddressModeClamp;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    return texture;
}

cudaArray_t array_of(const std::vector<float>& values, cudaExtent extent, unsigned flags) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    const size_t height = std::max<size_t>(extent.height, 1), depth = std::max<size_t>(extent.depth, 1);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr((void*)values.data(), extent.width * sizeof(float), extent.width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    return array;
}

int main() {
    bool good = true;
    float* out = nullptr;
    CHECK(cudaMalloc(&out, 4096 * sizeof(float)));
    const auto values = random_floats(4096);
    const auto try_one = [&](cudaExtent extent, unsigned flags, auto launch, size_t count) {
        const cudaArray_t array = array_of(values, extent, flags);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        const cudaTextureObject_t texture = texture_of(resource);
        launch(texture);
        CHECK(cudaGetLastError());
        good &= to_host(out, count) == std::vector<float>(values.begin(), values.begin() + long(count));
        CHECK(cudaDestroyTextureObject(texture));
        CHECK(cudaFreeArray(array));
    };
    try_one(make_cudaExtent(20, 0, 6), cudaArrayLayered, [&](auto t) { layers<<<6, 32>>>(t, out, 20, 6); }, 120);
    try_one(make_cudaExtent(8, 8, 8), 0, [&](auto t) { volume<<<8, dim3(8, 8)>>>(t, out, 8); }, 512);
    try_one(make_cudaExtent(1, 1, 6), cudaArrayCubemap, [&](auto t) { faces<<<1, 6>>>(t, out); }, 6);

    cudaMipmappedArray_t mipmap;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 4));
    for (unsigned level = 0; level < 4; ++level) {
        cudaArray_t array;
        CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        const size_t side = size_t(8) >> level;
        const std::vector<float> same(side * side, 10.0f + level);
        CHECK(cudaMemcpy2DToArray(array, 0, 0, same.data(), side * sizeof(float), side * sizeof(float), side,
                                  cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    const cudaTextureObject_t texture = texture_of(resource, true);
    levels<<<1, 4>>>(texture, out);
    good &= to_host(out, 4) == std::vector<float>{10, 11, 12, 13};
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeMipmappedArray(mipmap));
    CHECK(cudaFree(out));
    return verdict(good);
}
