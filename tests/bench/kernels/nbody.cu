// SPDX-License-Identifier: Apache-2.0
// Accelerations of n bodies that attract each other; w is a body's mass. A block reads 256 bodies into shared memory,
// and each of its 256 threads goes through them. n is a multiple of 256.
#define TILE 256
extern "C" __global__ void accelerate(int n, const float4* bodies, float4* accelerations) {
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 me = bodies[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; ++j) {
            const float4 other = tile[j];
            const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-2f);
            const float pull = other.w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(ax, ay, az, 0.0f);
}
