// SPDX-License-Identifier: Apache-2.0
// Parts of an array through several streams: copy, kernel, copy, with one buffer a stream.
#include "program.hpp"

#include <algorithm>

__global__ void work(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sqrtf(in[i]) + 1.0f;
}

int main() {
    constexpr int kStreams = 3, kPart = 4096, kParts = 20, n = kPart * kParts;
    float *in = nullptr, *out = nullptr;
    CHECK(cudaMallocHost(&in, n * sizeof(float)));
    CHECK(cudaMallocHost(&out, n * sizeof(float)));
    const auto values = random_floats(n);
    std::copy(values.begin(), values.end(), in);
    cudaStream_t streams[kStreams];
    float *from[kStreams], *to[kStreams];
    for (int s = 0; s < kStreams; ++s) {
        CHECK(cudaStreamCreate(&streams[s]));
        CHECK(cudaMalloc(&from[s], kPart * sizeof(float)));
        CHECK(cudaMalloc(&to[s], kPart * sizeof(float)));
    }
    for (int p = 0; p < kParts; ++p) {
        const int s = p % kStreams;
        CHECK(cudaMemcpyAsync(from[s], in + p * kPart, kPart * sizeof(float), cudaMemcpyHostToDevice, streams[s]));
        work<<<kPart / 256, 256, 0, streams[s]>>>(from[s], to[s], kPart);
        CHECK(cudaMemcpyAsync(out + p * kPart, to[s], kPart * sizeof(float), cudaMemcpyDeviceToHost, streams[s]));
    }
    for (int s = 0; s < kStreams; ++s) {
        CHECK(cudaStreamSynchronize(streams[s]));
        CHECK(cudaStreamDestroy(streams[s]));
        CHECK(cudaFree(from[s]));
        CHECK(cudaFree(to[s]));
    }
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= near(out[i], std::sqrt(values[i]) + 1.0f, 1e-6);
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
    return verdict(good);
}
