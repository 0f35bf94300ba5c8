// SPDX-License-Identifier: Apache-2.0
// Half floats and bfloat16: pairs, conversions, mathematics, atomics.
#include "program.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void axpy(const half2* x, half2* y, float a, int pairs) {
    const half2 factor = __float2half2_rn(a);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x)
        y[i] = __hfma2(factor, x[i], y[i]);
}
__global__ void roots(const __nv_bfloat16* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = __bfloat162float(hsqrt(in[i]) + __float2bfloat16(1.0f));
}
__global__ void count(half* sum) { atomicAdd(sum, __float2half(1.0f)); }

int main() {
    const int n = 4096;
    const auto xs = random_floats(n, -2, 2), ys = random_floats(n, -2, 2, 2);
    std::vector<half> x, y;
    for (int i = 0; i < n; ++i) {
        x.push_back(__float2half(xs[i]));
        y.push_back(__float2half(ys[i]));
    }
    half *dx = to_device(x), *dy = to_device(y);
    axpy<<<8, 64>>>(reinterpret_cast<half2*>(dx), reinterpret_cast<half2*>(dy), 1.5f, n / 2);
    const auto result = to_host(dy, n);
    bool good = true;
    for (int i = 0; i < n; ++i) // exact in single precision, then rounded once
        good &= __half2float(result[i]) == __half2float(__float2half(1.5f * __half2float(x[i]) + __half2float(y[i])));
    std::vector<__nv_bfloat16> b;
    for (int i = 0; i < n; ++i)
        b.push_back(__float2bfloat16(std::fabs(xs[i])));
    __nv_bfloat16* db = to_device(b);
    float* df = nullptr;
    CHECK(cudaMalloc(&df, n * sizeof(float)));
    roots<<<n / 256, 256>>>(db, df, n);
    const auto f = to_host(df, n);
    for (int i = 0; i < n; ++i)
        good &= near(f[i], std::sqrt(__bfloat162float(b[i])) + 1, 0.01);
    half* sum = to_device(std::vector<half>{__float2half(0)});
    count<<<4, 64>>>(sum);
    good &= __half2float(to_host(sum, 1)[0]) == 256;
    for (void* each : {(void*)dx, (void*)dy, (void*)db, (void*)df, (void*)sum})
        CHECK(cudaFree(each));
    return verdict(good);
}
