// SPDX-License-Identifier: Apache-2.0
// One step of n bodies that attract each other; w is a body's mass. n is a multiple of the block.
// The block reads a tile of bodies into shared memory, and each of its threads goes through the tile.
extern "C" __global__ void step(const float4* position, float4* velocity, float4* moved, int n, float dt) {
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = position[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;

    for (int start = 0; start < n; start += blockDim.x) {
        tile[threadIdx.x] = position[start + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; ++j) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float r2 = dx * dx + dy * dy + dz * dz + 1e-2f;  // softened: no pair gets infinitely close
            float inverse = rsqrtf(r2);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }

    float4 v = velocity[i];
    v.x += ax * dt;
    v.y += ay * dt;
    v.z += az * dt;
    velocity[i] = v;
    moved[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}
