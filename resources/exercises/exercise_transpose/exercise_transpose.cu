// SPDX-License-Identifier: Apache-2.0
// Exercise: a transpose by tiles in shared memory. The notes tell the task.

#define TILE 16

// in has `rows` rows of `columns` numbers; out has `columns` rows of `rows` numbers.
// The block has TILE x TILE threads.
extern "C" __global__ void transpose(const float* in, float* out, int rows, int columns) {
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    // Right, but slow: neighbouring threads write `rows` elements apart. Go through a tile in shared memory.
    if (x < columns && y < rows)
        out[x * rows + y] = in[y * columns + x];
}
