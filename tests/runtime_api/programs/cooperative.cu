// SPDX-License-Identifier: Apache-2.0
// A grid that waits for itself, launched by name and by cudaLaunchKernelEx; textures and surfaces by objects.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void steps(int* data, int n) {
    const auto grid = cg::this_grid();
    const unsigned i = grid.thread_rank();
    for (int step = 0; step < n; ++step) {
        const int next = data[(i + 1) % grid.size()];
        grid.sync();
        data[i] = next;
        grid.sync();
    }
}

__global__ void invert(cudaTextureObject_t in, cudaSurfaceObject_t out, int width) {
    const int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(1.0F - tex2D<float>(in, x + 0.5F, y + 0.5F), out, (width - 1 - x) * 4, y);
}

int main() {
    int* data = nullptr;
    if (cudaMallocManaged(&data, 128 * sizeof(int)) != cudaSuccess) return 1;
    for (int i = 0; i < 128; ++i)
        data[i] = i;
    int n = 5;
    void* arguments[] = {&data, &n};
    if (cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(steps), dim3(4), dim3(32), arguments) != cudaSuccess)
        return 2;
    if (cudaDeviceSynchronize() != cudaSuccess || data[0] != 5) return 3;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(4);
    config.blockDim = dim3(32);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, steps, data, n) != cudaSuccess) return 4;
    if (cudaDeviceSynchronize() != cudaSuccess || data[0] != 10 || data[127] != 9) return 5;

    constexpr int width = 16, height = 8;
    float picture[height][width], result[height][width];
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            picture[y][x] = float(y * width + x) / 128;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t in, out;
    if (cudaMallocArray(&in, &format, width, height) != cudaSuccess) return 6;
    if (cudaMallocArray(&out, &format, width, height, cudaArraySurfaceLoadStore) != cudaSuccess) return 7;
    cudaMemcpy2DToArray(in, 0, 0, picture, sizeof picture[0], sizeof picture[0], height, cudaMemcpyHostToDevice);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = in;
    cudaTextureDesc description{};
    cudaTextureObject_t texture;
    cudaSurfaceObject_t surface;
    if (cudaCreateTextureObject(&texture, &resource, &description, nullptr) != cudaSuccess) return 8;
    resource.res.array.array = out;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess) return 9;
    invert<<<height, width>>>(texture, surface, width);
    if (cudaMemcpy2DFromArray(result, sizeof result[0], out, 0, 0, sizeof result[0], height, cudaMemcpyDeviceToHost) !=
        cudaSuccess)
        return 10;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            if (result[y][x] != 1 - picture[y][width - 1 - x]) return 11;
    std::printf("ok\n");
}
