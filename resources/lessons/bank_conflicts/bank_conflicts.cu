// SPDX-License-Identifier: Apache-2.0
// Lesson: the 32 banks of shared memory.
//
// Words of 4 bytes go round 32 banks: word 0 is in bank 0, word 31 in bank 31, word 32 in bank 0 again. A bank gives
// one word at a time. When all threads of a warp want another bank, one pass serves them all.

// Slow: a row of the tile has 32 words, so a column lies in one bank. A warp that reads a column takes 32 passes.
extern "C" __global__ void transpose_conflicts(const float* in, float* out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// Mended: with one more word a row, which nobody uses, the words of a column are 33 apart. They lie in 32 banks.
extern "C" __global__ void transpose_padded(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();

    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
