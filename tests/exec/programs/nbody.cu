// SPDX-License-Identifier: Apache-2.0
// Forces between all pairs, in tiles of shared memory, and a leapfrog step.
#include "program.hpp"

#include <algorithm>

constexpr int kThreads = 64;
constexpr float kSoftening = 1e-3f, kStep = 0.01f;

__global__ void integrate(const float4* from, float4* to, float3* velocity, int n) {
    __shared__ float4 tile[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const float4 me = i < n ? from[i] : make_float4(0, 0, 0, 0);
    float3 force = make_float3(0, 0, 0);
    for (int t = 0; t < n; t += kThreads) {
        tile[threadIdx.x] = t + threadIdx.x < n ? from[t + threadIdx.x] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < kThreads; ++j) {
            const float4 o = tile[j];
            const float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
            const float s = o.w * inverse * inverse * inverse;
            force.x += dx * s;
            force.y += dy * s;
            force.z += dz * s;
        }
        __syncthreads();
    }
    if (i >= n) return;
    float3 v = velocity[i];
    v.x += kStep * force.x;
    v.y += kStep * force.y;
    v.z += kStep * force.z;
    velocity[i] = v;
    to[i] = make_float4(me.x + kStep * v.x, me.y + kStep * v.y, me.z + kStep * v.z, me.w);
}

int main() {
    const int n = 200, steps = 3;
    const auto numbers = random_floats(4 * n);
    std::vector<float4> bodies(n);
    for (int i = 0; i < n; ++i)
        bodies[i] = make_float4(numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], 0.01f);
    float4 *a = to_device(bodies), *b = to_device(bodies);
    float3* velocity = nullptr;
    CHECK(cudaMalloc(&velocity, n * sizeof(float3)));
    CHECK(cudaMemset(velocity, 0, n * sizeof(float3)));
    for (int s = 0; s < steps; ++s) {
        integrate<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, velocity, n);
        std::swap(a, b);
    }
    const auto result = to_host(a, n);
    std::vector<double> p(3 * n), v(3 * n, 0.0);
    for (int i = 0; i < n; ++i) {
        p[3 * i] = bodies[i].x;
        p[3 * i + 1] = bodies[i].y;
        p[3 * i + 2] = bodies[i].z;
    }
    for (int s = 0; s < steps; ++s) {
        const auto q = p;
        for (int i = 0; i < n; ++i) {
            double f[3] = {0, 0, 0};
            for (int j = 0; j < n; ++j) {
                double d[3], squared = kSoftening;
                for (int k = 0; k < 3; ++k) {
                    d[k] = q[3 * j + k] - q[3 * i + k];
                    squared += d[k] * d[k];
                }
                const double factor = 0.01 / (squared * std::sqrt(squared));
                for (int k = 0; k < 3; ++k)
                    f[k] += d[k] * factor;
            }
            for (int k = 0; k < 3; ++k) {
                v[3 * i + k] += kStep * f[k];
                p[3 * i + k] = q[3 * i + k] + kStep * v[3 * i + k];
            }
        }
    }
    bool good = true;
    for (int i = 0; i < n; ++i)
        good &= near(result[i].x, p[3 * i], 1e-3) && near(result[i].y, p[3 * i + 1], 1e-3) &&
                near(result[i].z, p[3 * i + 2], 1e-3);
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(velocity));
    return verdict(good);
}
