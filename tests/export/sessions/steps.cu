// SPDX-License-Identifier: Apache-2.0
// Kernels for pipelines: each round depends on the one before, on values of its own, and on a variable.
__constant__ float weights[4];
__device__ int rounds_done[2];

template <class T>
__global__ void shift(const T* from, T* to, int n, T more) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) to[i] = from[(i + 1) % n] + more;
}

__global__ void weigh(float* error, const float* f, unsigned char first, int round, double scale, float3 add) {
    __shared__ float sums[32];
    sums[threadIdx.x] = f[threadIdx.x] * weights[threadIdx.x % 4] * (float)scale + add.x + add.y * add.z;
    __syncthreads();
    if (threadIdx.x != 0) return;
    float sum = first;
    for (int i = 0; i < 32; ++i) sum += sums[i];
    error[1] = sum;
    error[0] = error[0] * 0.5f;
    rounds_done[0] += 1;
    rounds_done[1] = round;
}
