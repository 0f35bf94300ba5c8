// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of many types, a variable, and macros that the options give.
#include <cuda_fp8.h>

struct Particle {
    float mass;
    float3 pos;
};
__constant__ float bias[2];

extern "C" __global__ void many(const unsigned char* bytes, const float* table, const Particle* p, float4 v, bool on,
                                dim3 d, __nv_fp8_e4m3 small, float* out) {
    const int i = threadIdx.x;
    out[i] = bytes[i] + table[i] + p[i].mass + p[i].pos.x + v.x + v.y + v.w + float(d.y) + float(small) +
             (on ? N : 0) + bias[0] + bias[1];
}
