// SPDX-License-Identifier: Apache-2.0
// Every kind of argument that a session has.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "factor.hpp"

namespace constants {
__constant__ float filter[4];
__constant__ int offset;
} // namespace constants
__device__ unsigned long long counts[4];

namespace math {

template <class T, int N>
__global__ void everything(bool flag, float4 four, std::int8_t i8, float3 three, __half half, __nv_bfloat16 brain,
                           __nv_fp8_e4m3 e4m3, __nv_fp8_e5m2 e5m2, uchar3 bytes, double2 two, dim3 extent, half2 halves,
                           std::uint8_t u8, std::int16_t i16, std::uint16_t u16, std::int32_t i32, std::uint32_t u32,
                           std::int64_t i64, std::uint64_t u64, float infinite, double f64, const T* in, T* inout,
                           double* scalars, const __half* small, std::int64_t* large, const float4* vectors,
                           const float* nothing) {
    const int i = blockIdx.x * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;
    inout[i] = by_factor(inout[i]) + N * in[i] + constants::filter[i % 4] + constants::offset + vectors[i % 2].y;
    large[i] = (std::int64_t(1) << 62) + i;
    if (i < 4) counts[i] += 1;
    if (i) return;
    const double all[] = {double(flag),
                          four.w,
                          double(i8),
                          three.z,
                          double(__half2float(half)),
                          double(__bfloat162float(brain)),
                          double(float(e4m3)),
                          double(float(e5m2)),
                          double(bytes.y),
                          two.y,
                          double(extent.z),
                          double(__half2float(__high2half(halves))),
                          double(u8),
                          double(i16),
                          double(u16),
                          double(i32),
                          double(u32),
                          double(i64),
                          double(u64),
                          double(infinite),
                          f64,
                          double(__half2float(small[1])),
                          double(nothing != nullptr)};
    for (int k = 0; k < int(sizeof all / sizeof *all); ++k)
        scalars[k] = all[k];
}

} // namespace math
