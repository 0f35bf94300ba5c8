// SPDX-License-Identifier: Apache-2.0
// A box in slabs, one stream each, with copies beside kernels.
#include "program.hpp"

__global__ void seven_points(const float* in, float* out, int nx, int ny, int nz, int first, int last) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = first + blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= last) return;
    const int i = (z * ny + y) * nx + x;
    if (x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1)
        out[i] = in[i];
    else
        out[i] =
            0.4f * in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
}

int main() {
    const int nx = 40, ny = 24, nz = 36, slabs = 4, depth = nz / slabs;
    const auto values = random_floats(nx * ny * nz);
    float *in = to_device(values), *out = nullptr, *result = nullptr;
    CHECK(cudaMalloc(&out, values.size() * sizeof(float)));
    CHECK(cudaMallocHost(&result, values.size() * sizeof(float)));
    cudaStream_t streams[slabs];
    for (int s = 0; s < slabs; ++s) {
        CHECK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
        const dim3 threads(8, 8, 4), blocks((nx + 7) / 8, (ny + 7) / 8, (depth + 3) / 4);
        seven_points<<<blocks, threads, 0, streams[s]>>>(in, out, nx, ny, nz, s * depth, (s + 1) * depth);
        const size_t offset = size_t(s) * depth * nx * ny;
        CHECK(cudaMemcpyAsync(result + offset, out + offset, sizeof(float) * depth * nx * ny, cudaMemcpyDeviceToHost,
                              streams[s]));
    }
    for (cudaStream_t stream : streams) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaStreamDestroy(stream));
    }
    auto expected = values;
    for (int z = 1; z < nz - 1; ++z)
        for (int y = 1; y < ny - 1; ++y)
            for (int x = 1; x < nx - 1; ++x) {
                const int i = (z * ny + y) * nx + x;
                expected[i] = 0.4f * values[i] + 0.1f * (values[i - 1] + values[i + 1] + values[i - nx] +
                                                         values[i + nx] + values[i - nx * ny] + values[i + nx * ny]);
            }
    const bool good = near(std::vector<float>(result, result + values.size()), expected, 1e-5);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFreeHost(result));
    return verdict(good);
}
