// SPDX-License-Identifier: Apache-2.0
// A step of k-means: each point joins the nearest of 32 centres, and a block adds up the points of each in shared
// memory; then each centre becomes the mean of its points. Blocks of 256 threads, which go along the points.
#define CLUSTERS 32
extern "C" __global__ void assign(int n, const float4* points, const float4* centres, int* clusters, float* sums,
                                  int* counts) {
    __shared__ float4 shared_centres[CLUSTERS];
    __shared__ float block_sums[CLUSTERS * 4];
    __shared__ int block_counts[CLUSTERS];
    const int t = threadIdx.x;
    if (t < CLUSTERS) {
        shared_centres[t] = centres[t];
        block_counts[t] = 0;
    }
    if (t < CLUSTERS * 4) block_sums[t] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        const float4 p = points[i];
        int cluster = 0;
        float least = 3e38f;
        for (int k = 0; k < CLUSTERS; ++k) {
            const float4 c = shared_centres[k];
            const float dx = p.x - c.x, dy = p.y - c.y, dz = p.z - c.z, dw = p.w - c.w;
            const float distance = dx * dx + dy * dy + dz * dz + dw * dw;
            if (distance < least) {
                least = distance;
                cluster = k;
            }
        }
        clusters[i] = cluster;
        atomicAdd(&block_sums[cluster * 4], p.x);
        atomicAdd(&block_sums[cluster * 4 + 1], p.y);
        atomicAdd(&block_sums[cluster * 4 + 2], p.z);
        atomicAdd(&block_sums[cluster * 4 + 3], p.w);
        atomicAdd(&block_counts[cluster], 1);
    }
    __syncthreads();
    if (t < CLUSTERS * 4) atomicAdd(&sums[t], block_sums[t]);
    if (t < CLUSTERS) atomicAdd(&counts[t], block_counts[t]);
}
/// A thread a coordinate.
extern "C" __global__ void update(const float* sums, const int* counts, float* centres) {
    const int t = threadIdx.x, count = counts[t / 4];
    if (count > 0) centres[t] = sums[t] / count;
}
