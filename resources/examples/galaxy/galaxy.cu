// SPDX-License-Identifier: Apache-2.0
// Bodies that attract each other, in two kernels: one gives them speed, the other moves them and counts where they are.
// The second one must not begin before the first one is done, which the order of launches ensures.
__global__ void attract(const float4* position, float4* velocity, int n, float dt) {
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
            float inverse = 1.0f / sqrtf(r2);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    float4 v = velocity[i];
    velocity[i] = make_float4(v.x + ax * dt, v.y + ay * dt, v.z + az * dt, v.w);
}

// The picture shows x and y from -1.5 to 1.5.
__global__ void move(float4* position, const float4* velocity, int* picture, int n, int size, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = position[i], v = velocity[i];
    p = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
    position[i] = p;
    int column = (int)floorf((p.x + 1.5f) / 3.0f * size);
    int row = (int)floorf((1.5f - p.y) / 3.0f * size);
    if (column >= 0 && column < size && row >= 0 && row < size) atomicAdd(&picture[row * size + column], 1);
}
