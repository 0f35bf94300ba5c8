// SPDX-License-Identifier: Apache-2.0
// One step of heat flow on a grid of width x height cells. A block loads its tile with a rim of one cell around it.
#define BX 32
#define BY 8

extern "C" __global__ void heat(const float* in, float* out, int width, int height, float alpha) {
    __shared__ float tile[BY + 2][BX + 2];
    int x = blockIdx.x * BX + threadIdx.x;
    int y = blockIdx.y * BY + threadIdx.y;

    // (BX + 2) * (BY + 2) cells for BX * BY threads: some load two. Beyond the edge the edge's own cells count.
    for (int k = threadIdx.y * BX + threadIdx.x; k < (BX + 2) * (BY + 2); k += BX * BY) {
        int u = min(max((int)(blockIdx.x * BX) + k % (BX + 2) - 1, 0), width - 1);
        int v = min(max((int)(blockIdx.y * BY) + k / (BX + 2) - 1, 0), height - 1);
        tile[k / (BX + 2)][k % (BX + 2)] = in[v * width + u];
    }
    __syncthreads();

    if (x < width && y < height) {
        int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
        float here = tile[ty][tx];
        float around = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
        out[y * width + x] = here + alpha * (around - 4.0f * here);
    }
}
