// SPDX-License-Identifier: Apache-2.0
// An image in an array, read through a texture object: rotated, with linear filtering; and a table by point sampling.
#include "program.hpp"

#include <cstring>

__global__ void rotate(float* out, cudaTextureObject_t texture, int width, int height, float angle) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = (x + 0.5f) / width - 0.5f, v = (y + 0.5f) / height - 0.5f;
    out[y * width + x] =
        tex2D<float>(texture, u * cosf(angle) - v * sinf(angle) + 0.5f, v * cosf(angle) + u * sinf(angle) + 0.5f);
}

__global__ void gather(float4* out, cudaTextureObject_t texture, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float4>(texture, n - 1 - i);
}

int main() {
    const int width = 64, height = 48;
    const auto image = random_floats(width * height);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &format, width, height));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc sampling = {};
    sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeWrap;
    sampling.filterMode = cudaFilterModeLinear;
    sampling.readMode = cudaReadModeElementType;
    sampling.normalizedCoords = 1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    float* out = nullptr;
    CHECK(cudaMalloc(&out, width * height * sizeof(float)));
    const dim3 threads(16, 16), blocks(width / 16, height / 16);
    bool good = true;
    for (const float angle : {0.0f, 3.14159265f, 0.5f}) {
        rotate<<<blocks, threads>>>(out, texture, width, height, angle);
        const auto result = to_host(out, width * height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                // The four neighbours with their weights, in double precision.
                const double u = (x + 0.5) / width - 0.5, v = (y + 0.5) / height - 0.5, c = std::cos(double(angle)),
                             s = std::sin(double(angle));
                const double px = (u * c - v * s + 0.5) * width - 0.5, py = (v * c + u * s + 0.5) * height - 0.5;
                const int x0 = int(std::floor(px)), y0 = int(std::floor(py));
                const double a = px - x0, b = py - y0;
                const auto at = [&](int i, int j) {
                    return double(image[(j % height + height) % height * width + (i % width + width) % width]);
                };
                const double value = (1 - a) * (1 - b) * at(x0, y0) + a * (1 - b) * at(x0 + 1, y0) +
                                     (1 - a) * b * at(x0, y0 + 1) + a * b * at(x0 + 1, y0 + 1);
                good &= std::fabs(result[y * width + x] - value) < 0.01; // weights have 8 bits
            }
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(out));

    const int n = 300;
    const auto numbers = random_floats(4 * n);
    float* linear = to_device(numbers);
    resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = linear;
    resource.res.linear.desc = cudaCreateChannelDesc<float4>();
    resource.res.linear.sizeInBytes = numbers.size() * sizeof(float);
    sampling = {};
    sampling.readMode = cudaReadModeElementType;
    CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
    float4* four = nullptr;
    CHECK(cudaMalloc(&four, n * sizeof(float4)));
    gather<<<3, 100>>>(four, texture, n);
    const auto reversed = to_host(four, n);
    for (int i = 0; i < n; ++i)
        good &= std::memcmp(&reversed[i], &numbers[4 * (n - 1 - i)], sizeof(float4)) == 0;
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFree(linear));
    CHECK(cudaFree(four));
    return verdict(good);
}
