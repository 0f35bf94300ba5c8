// SPDX-License-Identifier: Apache-2.0
// A kernel writes a surface, which a texture of the same array reads then.
#include "program.hpp"

__global__ void write(cudaSurfaceObject_t surface, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) surf2Dwrite(make_int2(x, x * y), surface, x * int(sizeof(int2)), y);
}

__global__ void read(cudaTextureObject_t texture, int* differences, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int2 value = tex2D<int2>(texture, x, y);
    if (value.x != x || value.y != x * y) atomicAdd(differences, 1);
}

int main() {
    const int width = 100, height = 60;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc sampling = {};
    sampling.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    const dim3 threads(16, 8), blocks((width + 15) / 16, (height + 7) / 8);
    write<<<blocks, threads>>>(surface, width, height);
    int* differences = to_device(std::vector<int>(1));
    read<<<blocks, threads>>>(texture, differences, width, height);
    std::vector<int2> copy(width * height);
    CHECK(cudaMemcpy2DFromArray(copy.data(), width * sizeof(int2), array, 0, 0, width * sizeof(int2), height,
                                cudaMemcpyDeviceToHost));
    bool good = to_host(differences, 1)[0] == 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            good &= copy[y * width + x].x == x && copy[y * width + x].y == x * y;
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(differences));
    return verdict(good);
}
